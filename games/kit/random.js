// @ts-check
/**
 * Seeded random streams whose whole state is plain data inside the game state.
 *
 * Each purpose gets its own named stream, so that one more draw for the clouds does not move the pipes.
 * Not for secrets.
 *
 * @typedef {{seed: number|string, streams: Record<string, number[]>}} Rng
 */

/** A fresh set of streams. Keep the result in the state: `state.rng = rng`. @param {number|string} seed @returns {Rng} */
export function seeded(seed) {
  return { seed, streams: {} };
}

/** The named stream of a set; made on first use. @param {Rng} rng @param {string} name */
export function stream(rng, name) {
  rng.streams[name] ??= start(`${rng.seed}/${name}`);
  return new Stream(rng.streams[name]);
}

/** A view on four numbers; throw it away after use, it holds nothing of its own. */
export class Stream {
  /** @param {number[]} words */
  constructor(words) {
    this.words = words;
  }

  /** A 32-bit unsigned integer (the small fast counting generator). */
  bits() {
    const w = this.words;
    const out = (w[0] + w[1] + w[3]) | 0;
    w[3] = (w[3] + 1) | 0;
    w[0] = w[1] ^ (w[1] >>> 9);
    w[1] = (w[2] + (w[2] << 3)) | 0;
    w[2] = (((w[2] << 21) | (w[2] >>> 11)) + out) | 0;
    return out >>> 0;
  }

  /** In [0, 1), or [low, high). */
  float(low = 0, high = 1) {
    return low + (this.bits() / 4294967296) * (high - low);
  }

  /** A whole number from low to high, both included. @param {number} low @param {number} high */
  int(low, high) {
    return low + Math.floor(this.float() * (high - low + 1));
  }

  /** True with this probability. @param {number} p */
  chance(p) {
    return this.float() < p;
  }

  /** One element. @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[this.int(0, list.length - 1)];
  }

  /** A new list in random order. @template T @param {readonly T[]} list @returns {T[]} */
  shuffle(list) {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }
}

/** Four starting words from a text. @param {string} text @returns {number[]} */
function start(text) {
  let h = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) h = mix(h ^ text.charCodeAt(i));
  const words = [];
  for (let i = 0; i < 3; i++) words.push((h = mix((h + 0x6d2b79f5) | 0)));
  words.push(1);
  const warm = new Stream(words);
  for (let i = 0; i < 12; i++) warm.bits();
  return words;
}

/** @param {number} h */
function mix(h) {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}
