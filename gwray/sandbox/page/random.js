// @ts-check
/**
 * Chance from the episode's seed: Math.random and crypto, by the public-domain generator xoshiro128**.
 *
 * Key generation in `crypto.subtle` cannot be seeded; a page that uses it is marked. The names of object URLs cannot
 * either, and only code that reads them as text could tell: that is noted.
 */

/** @param {number[]} words four 32-bit numbers */
function makeRandom(words) {
  let [a, b, c, d] = words;
  const rotl = (/** @type {number} */ x, /** @type {number} */ k) => (x << k) | (x >>> (32 - k));
  return {
    /** @param {number[]} next */
    seed(next) {
      [a, b, c, d] = next;
    },
    next() {
      const result = imul(rotl(imul(b, 5), 7), 9);
      const t = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= t;
      d = rotl(d, 11);
      return result >>> 0;
    },
  };
}

/** @param {ReturnType<typeof makeCore>} core @param {ReturnType<typeof makeRandom>} random */
function installRandom(core, random) {
  replaceMethod(Math, 'random', () => {
    core.used.chance += 1;
    return ((random.next() >>> 5) * 67108864 + (random.next() >>> 6)) / 9007199254740992;
  });

  const owner = global.Crypto && global.Crypto.prototype;
  if (!owner) return;
  const Bytes = Uint8Array;
  wrapMethod(owner, 'getRandomValues', (native, self, [array]) => {
    apply(native, self, [array]); // it refuses wrong arguments exactly as it should
    core.used.chance += 1;
    const bytes = new Bytes(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.next() >>> 24;
    return array;
  });
  replaceMethod(owner, 'randomUUID', () => {
    let text = '';
    core.used.chance += 1;
    for (let i = 0; i < 32; i++) {
      let digit = random.next() >>> 28;
      if (i === 12) digit = 4;
      if (i === 16) digit = (digit & 3) | 8;
      if (i === 8 || i === 12 || i === 16 || i === 20) text += '-';
      text += '0123456789abcdef'[digit];
    }
    return text;
  });
  const { slice, includes } = String.prototype;
  const NativeBlob = Blob;
  const textOf = Blob.prototype.text;
  /** @param {any} file */
  const checkImage = async (file) => {
    if (apply(includes, await apply(textOf, file, []), ['keyframes'])) core.mark('an image with CSS animations in an object URL');
  };
  wrapMethod(URL, 'createObjectURL', (native, self, args) => {
    // The browser draws the name, and only that name leads to the file.
    core.note('URL.createObjectURL: the file repeats, the letters of its name do not');
    const url = apply(native, self, args);
    core.urls[core.urls.length] = apply(slice, url, [-36]);
    if (args[0] instanceof NativeBlob && apply(includes, args[0].type, ['svg'])) void checkImage(args[0]);
    return url;
  });
  watchMember(global.SubtleCrypto && global.SubtleCrypto.prototype, 'generateKey', () => core.mark('random key from crypto.subtle'));
}
