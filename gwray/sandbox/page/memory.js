// @ts-check
/**
 * The page's WebAssembly memories as bytes. Each is noted when it is made or exported, in whatever frame, so nothing that
 * the page does to it later hides it; the debugger tells which are still held. They are read and written by what was
 * taken before any page script could replace it: no built-in that the page replaces is in the way.
 */

function makeMemories() {
  const bufferOf = /** @type {any} */ (getOwnPropertyDescriptor(WebAssembly.Memory.prototype, 'buffer')).get;
  const lengthOf = /** @type {any} */ (getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'length')).get;
  const framesOf = /** @type {any} */ (getOwnPropertyDescriptor(global, 'length')).get;
  const Bytes = Uint8Array;
  const HEX = create(null);
  for (let i = 0; i < 256; i++) HEX[i] = (i < 16 ? '0' : '') + i.toString(16);
  const getNote = NativeWeakMap.prototype.get;
  const setNote = NativeWeakMap.prototype.set;
  /** Memory → what is noted of it, which lives as long as the memory does. */
  const notes = new NativeWeakMap();
  /** What every note has as its prototype, and nothing else has. */
  const prototype = create(null);
  let next = 1;
  /** Those that were found last. Without a prototype: what is put into a list goes through setters that a page may have
   * given to every list. @type {Record<number, {memory: any, number: number}>} */
  let found = create(null);
  let count = 0;
  /** Created for each call, because a memory that grows gets a new buffer. @param {number} i */
  const bytesOf = (i) => construct(Bytes, [apply(bufferOf, found[i].memory, [])]);
  /** How many frames in a window are of another origin. @param {any} win @returns {number} */
  const foreign = (win) => {
    let out = 0;
    for (let i = 0; i < apply(framesOf, win, []); i++) {
      try {
        win[i].document;
      } catch {
        out += 1;
        continue;
      }
      out += foreign(win[i]);
    }
    return out;
  };

  return {
    prototype,
    foreign: () => foreign(global),
    /** Called with what may be a memory as soon as scripts can have it. @param {any} made */
    note(made) {
      try {
        apply(bufferOf, made, []);
      } catch {
        return;
      }
      if (apply(getNote, notes, [made])) return;
      const note = create(prototype);
      note.memory = made;
      note.number = next++;
      apply(setNote, notes, [made, note]);
    },
    /** Lets go of those before, or the debugger would find what the page has dropped.
     * @param {any[]} held the notes of memories that are held now */
    take(held) {
      found = create(null);
      count = held.length;
      for (let i = 0; i < count; i++) {
        let at = i;
        for (; at && found[at - 1].number > held[i].number; at--) found[at] = found[at - 1];
        found[at] = held[i];
      }
    },
    /** Which they are, and their sizes, with commas: a memory that has grown is the one that it was. */
    sizes() {
      let out = '';
      for (let i = 0; i < count; i++) {
        out += `${i ? ',' : ''}${found[i].number},${apply(lengthOf, bytesOf(i), [])}`;
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
      let hits = 0;
      for (let at = from; at < end && hits < most; at++) {
        if (bytes[at + first] !== wanted[first]) continue;
        let k = 0;
        while (k < wanted.length && (wanted[k] < 0 || wanted[k] === bytes[at + k])) k++;
        if (k === wanted.length) out += `${hits++ ? ',' : ''}${at}`;
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

/** Notes every memory of one frame: those that scripts make and those that instances export. @param {(made: any) => void} note */
function installMemories(note) {
  watchClass('Memory', note, WebAssembly);
  const seen = new NativeWeakSet();
  const { has, add } = NativeWeakSet.prototype;
  wrapGetter(WebAssembly.Instance.prototype, 'exports', (native, self) => {
    const exported = apply(native, self, []);
    if (!apply(has, seen, [exported])) {
      apply(add, seen, [exported]);
      const names = ownKeys(exported);
      for (let i = 0; i < names.length; i++) note(exported[names[i]]);
    }
    return exported;
  });
}
