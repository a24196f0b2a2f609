// @ts-check
/**
 * The page's WebAssembly memories as bytes. The debugger finds them and hands them in; they are read and written by
 * what was taken before any page script could replace it: no built-in that the page replaces is in the way.
 */

function makeMemories() {
  const { prototype } = WebAssembly.Memory;
  const bufferOf = /** @type {any} */ (getOwnPropertyDescriptor(prototype, 'buffer')).get;
  const lengthOf = /** @type {any} */ (getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'length')).get;
  const Bytes = Uint8Array;
  const HEX = create(null);
  for (let i = 0; i < 256; i++) HEX[i] = (i < 16 ? '0' : '') + i.toString(16);
  /** @type {any[]} */
  let memories = [];
  /** Made anew each time: a memory that grows gets another buffer. @param {number} i */
  const bytesOf = (i) => construct(Bytes, [apply(bufferOf, memories[i], [])]);

  return {
    prototype,
    /** Lets go of those before, or the debugger would find what the page has dropped. What only has the prototype of a
     * memory, as the prototype of a subclass has, is none. @param {any[]} found */
    take(found) {
      memories = [];
      for (let i = 0; i < found.length; i++) {
        try {
          apply(bufferOf, found[i], []);
          memories[memories.length] = found[i];
        } catch {
          // no memory
        }
      }
    },
    /** Their sizes, with commas. */
    sizes() {
      let out = '';
      for (let i = 0; i < memories.length; i++) out += `${i ? ',' : ''}${apply(lengthOf, bytesOf(i), [])}`;
      return out;
    },
    /** Bytes in hexadecimal, spans with commas; a span that is not there is empty.
     * @param {number[]} spans memory, offset, length, memory, … */
    read(spans) {
      let out = '';
      for (let n = 0; n < spans.length; n += 3) {
        const bytes = bytesOf(spans[n]);
        const from = spans[n + 1];
        const to = from + spans[n + 2];
        if (n) out += ',';
        if (from < 0 || to > apply(lengthOf, bytes, [])) continue;
        for (let i = from; i < to; i++) out += HEX[bytes[i]];
      }
      return out;
    },
    /** @param {number[]} spans memory, offset, length, memory, … @param {number[]} values of all spans */
    write(spans, values) {
      let next = 0;
      for (let n = 0; n < spans.length; n += 3) {
        const bytes = bytesOf(spans[n]);
        for (let i = 0; i < spans[n + 2]; i++) bytes[spans[n + 1] + i] = values[next++];
      }
    },
  };
}
