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
  const getNumber = NativeWeakMap.prototype.get;
  const setNumber = NativeWeakMap.prototype.set;
  /** A number for each memory that was ever found, without keeping it alive. */
  const numbers = new NativeWeakMap();
  let next = 1;
  /** Without a prototype: what is put into a list goes through setters that a page may have given to every list.
   * @type {Record<number, any>} */
  let memories = create(null);
  let count = 0;
  /** Made anew each time: a memory that grows gets another buffer. @param {number} i */
  const bytesOf = (i) => construct(Bytes, [apply(bufferOf, memories[i], [])]);

  return {
    prototype,
    /** Lets go of those before, or the debugger would find what the page has dropped. What only has the prototype of a
     * memory, as the prototype of a subclass has, is none. @param {any[]} found */
    take(found) {
      memories = create(null);
      count = 0;
      for (let i = 0; i < found.length; i++) {
        try {
          apply(bufferOf, found[i], []);
          if (!apply(getNumber, numbers, [found[i]])) apply(setNumber, numbers, [found[i], next++]);
          memories[count++] = found[i];
        } catch {
          // no memory
        }
      }
    },
    /** Which they are, and their sizes, with commas: a memory that has grown is the one that it was. */
    sizes() {
      let out = '';
      for (let i = 0; i < count; i++) {
        out += `${i ? ',' : ''}${apply(getNumber, numbers, [memories[i]])},${apply(lengthOf, bytesOf(i), [])}`;
      }
      return out;
    },
    /** Where some bytes begin in a stretch of one memory, though they may end behind it; with commas.
     * @param {number} i @param {number} from @param {number} to @param {number[]} wanted -1: any byte
     * @param {number} most ends the search */
    places(i, from, to, wanted, most) {
      const bytes = bytesOf(i);
      const end = min(to, apply(lengthOf, bytes, []) - wanted.length + 1);
      let first = 0; // a byte that is fixed, and not 0 if there is such a one: most of a memory is 0
      for (let k = wanted.length - 1; k >= 0; k--) if (wanted[k] > 0 || (wanted[k] === 0 && wanted[first] <= 0)) first = k;
      let out = '';
      let found = 0;
      for (let at = from; at < end && found < most; at++) {
        if (bytes[at + first] !== wanted[first]) continue;
        let k = 0;
        while (k < wanted.length && (wanted[k] < 0 || wanted[k] === bytes[at + k])) k++;
        if (k === wanted.length) out += `${found++ ? ',' : ''}${at}`;
      }
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
