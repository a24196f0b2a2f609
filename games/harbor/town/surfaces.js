// @ts-check
/** Harbour, what things are made of: small textures, all painted here from a few rules and a fixed grain. */

/** @typedef {import('./raster.js').Texture} Texture */
/** @typedef {(x: number, y: number) => number[]} Paint  red, green, blue and perhaps alpha of a texel */

const SHINE = 254;

/** A fixed number in [0, 1) for a place. @param {number} x @param {number} y @param {number} [salt] */
export function grain(x, y, salt = 0) {
  let h = Math.imul(x + 3, 0x85ebca6b) ^ Math.imul(y + 11, 0xc2b2ae35) ^ Math.imul(salt + 7, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

/** Grain that is smooth over `size` texels and repeats after `n`. @param {number} x @param {number} y @param {number} size @param {number} n
 * @param {number} [salt] */
function soft(x, y, size, n, salt = 0) {
  const cells = n / size;
  const [i, j] = [Math.floor(x / size), Math.floor(y / size)];
  const [a, b] = [x / size - i, y / size - j];
  const at = (/** @type {number} */ u, /** @type {number} */ v) => grain(((u % cells) + cells) % cells, ((v % cells) + cells) % cells, salt);
  return (at(i, j) * (1 - a) + at(i + 1, j) * a) * (1 - b) + (at(i, j + 1) * (1 - a) + at(i + 1, j + 1) * a) * b;
}

/** @param {number} w @param {number} h @param {Uint32Array} data @returns {Texture} */
export function texture(w, h, data) {
  const levels = [{ w, h, data }];
  const open = data.some((t) => t >>> 24 > 0 && t >>> 24 < SHINE);
  for (let l = levels[0]; l.w > 2 && l.h > 2; l = levels[levels.length - 1]) levels.push(half(l));
  return { width: w, height: h, levels, open };
}

/** The next smaller level: means of four. A texel is a hole, or shines, where most of the four are or do.
 * @param {{w: number, h: number, data: Uint32Array}} l */
function half(l) {
  const [w, h] = [l.w / 2, l.h / 2];
  const data = new Uint32Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const four = [0, 1, l.w, l.w + 1].map((o) => l.data[y * 2 * l.w + x * 2 + o]);
      const alphas = four.map((t) => t >>> 24).sort((a, b) => b - a);
      const seen = four.filter((t) => t >>> 24);
      const mean = (/** @type {number} */ s) => Math.round(seen.reduce((sum, t) => sum + ((t >>> s) & 255), 0) / (seen.length || 1));
      const solid = alphas.every((a) => a === 0 || a >= SHINE);
      const alpha = solid ? alphas[seen.length > 1 ? 1 : 2] : Math.round(alphas.reduce((a, b) => a + b) / 4);
      data[y * w + x] = ((alpha << 24) | (mean(16) << 16) | (mean(8) << 8) | mean(0)) >>> 0;
    }
  }
  return { w, h, data };
}

/** @param {number} w @param {number} h @param {Paint} paint */
function painted(w, h, paint) {
  const data = new Uint32Array(w * h);
  const byte = (/** @type {number} */ v) => Math.max(0, Math.min(255, Math.round(v)));
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const [r, g, b, a = 255] = paint(x, y);
      data[y * w + x] = ((byte(a) << 24) | (byte(b) << 16) | (byte(g) << 8) | byte(r)) >>> 0;
    }
  }
  return texture(w, h, data);
}

/** @type {Map<string, Texture>} */
const known = new Map();

/** @param {string} name @param {() => Texture} make */
function once(name, make) {
  const found = known.get(name) ?? make();
  known.set(name, found);
  return found;
}

const times = (/** @type {number[]} */ c, /** @type {number} */ k) => c.map((v) => v * k);

/** One colour. @param {number[]} c @param {boolean} [shine] */
export const plain = (c, shine = false) => once(`plain ${c} ${shine}`, () => painted(4, 4, () => [...c.slice(0, 3), shine ? SHINE : (c[3] ?? 255)]));

/** A wall of one storey, three metres wide, with a window: 'lit', 'dark', 'none' or 'door'. @param {number[]} c @param {string} kind */
export const facade = (c, kind) => once(`facade ${c} ${kind}`, () =>
  painted(64, 64, (x, y) => {
    const wall = times(c, 0.9 + 0.1 * soft(x, y, 8, 64, 1) + 0.06 * grain(x, y) - (y > 58 ? 0.16 : 0) - (y < 2 ? 0.2 : 0));
    if (kind === 'none') return wall;
    const [cx, top, bottom] = [31.5, 16, 44];
    const dx = Math.abs(x - cx);
    if (dx < 11 && y > top - 2 && y < bottom + 3) {
      if (y > bottom) return [196, 186, 178];
      if (dx > 9 || y < top) return [226, 214, 200];
      const bar = dx < 0.6 || Math.abs(y - 29) < 0.6;
      if (bar) return [206, 196, 186];
      if (kind === 'dark') return [52 + (64 - y) * 0.5, 58 + (64 - y) * 0.5, 86 + (64 - y) * 0.6];
      const curtain = dx > 6 - (y - top) * 0.05;
      const glow = 0.86 + 0.14 * soft(x, y, 8, 64, 5);
      return curtain ? [236 * glow, 150 * glow, 74 * glow, SHINE] : [255 * glow, 206 * glow, 122 * glow, SHINE];
    }
    if (dx >= 11 && dx < 18 && y > top - 1 && y < bottom + 1) return times([c[2] * 0.62, c[0] * 0.48, c[1] * 0.5], y % 4 === 0 ? 0.75 : 1);
    return wall;
  }));

export const cobble = once('cobble', () => painted(64, 64, (x, y) => {
  const row = y >> 3;
  const u = (x + (row % 2) * 5) % 64;
  const [i, j] = [Math.floor(u / 10.7), row];
  const edge = Math.min(u - i * 10.7, (i + 1) * 10.7 - u, (y % 8) + 0.5, 7.5 - (y % 8));
  const tone = 0.78 + 0.3 * grain(i, j, 3);
  return times([138, 132, 140], edge < 1 ? 0.62 : tone * (0.94 + 0.08 * grain(x, y)));
}));
export const slab = once('slab', () => painted(64, 64, (x, y) => {
  const [i, j] = [(x + (y >> 5) * 16) >> 5, y >> 5];
  const seam = (x + (y >> 5) * 16) % 32 === 0 || y % 32 === 0;
  return times([160, 152, 152], seam ? 0.68 : 0.84 + 0.12 * grain(i, j, 9) + 0.1 * soft(x, y, 8, 64, 2));
}));
/** @param {number[]} c */
export const boards = (c) => once(`boards ${c}`, () => painted(64, 64, (x, y) => {
  const seam = y % 8 === 0;
  const end = x === Math.floor(grain(0, y >> 3, 4) * 63);
  return times(c, seam || end ? 0.55 : 0.84 + 0.14 * grain(1, y >> 3, 6) + 0.12 * soft(x, y * 4, 16, 64, 3));
}));
/** @param {number[]} c */
export const tiles = (c) => once(`tiles ${c}`, () => painted(32, 32, (x, y) => {
  const u = (x + (y >> 3) * 4) % 8;
  return times(c, (y % 8 > 6 ? 0.6 : 1) * (0.78 + 0.24 * Math.sin((u / 8) * Math.PI)) * (0.9 + 0.14 * grain((x + (y >> 3) * 4) >> 3, y >> 3, 8)));
}));
/** @param {number[]} c */
export const brick = (c) => once(`brick ${c}`, () => painted(32, 32, (x, y) => {
  const seam = y % 8 === 0 || (x + (y >> 3) * 8) % 16 === 0;
  return seam ? times([176, 166, 160], 0.8) : times(c, 0.86 + 0.22 * grain((x + (y >> 3) * 8) >> 4, y >> 3, 2));
}));
/** @param {number[]} c @param {number} [rough] */
export const rough = (c, rough = 0.2) => once(`rough ${c} ${rough}`, () =>
  painted(32, 32, (x, y) => times(c, 1 - rough / 2 + rough * (0.5 * soft(x, y, 8, 32, 4) + 0.5 * grain(x, y, 1)))));
export const leaves = once('leaves', () => painted(32, 32, (x, y) => times(grain(x, y, 5) < 0.05 ? [210, 150, 150] : [74, 112, 72], grain(x >> 1, y >> 1, 7) < 0.3 ? 0.66 : 0.9 + 0.3 * grain(x, y))));
export const petals = once('petals', () => painted(32, 32, (x, y) => {
  const k = grain(x >> 2, y >> 2, 12);
  const near = Math.hypot((x & 3) - 1.5, (y & 3) - 1.5) < 1.8;
  return near && k < 0.55 ? [[236, 96, 110], [246, 206, 90], [240, 236, 226], [182, 116, 214]][Math.floor(k * 7)] : times([70, 106, 66], 0.8 + 0.3 * grain(x, y));
}));
/** @param {number[]} a @param {number[]} b */
export const stripes = (a, b) => once(`stripes ${a} ${b}`, () => painted(32, 32, (x) => ((x >> 3) & 1 ? a : b)));
export const crate = once('crate', () => painted(32, 32, (x, y) => {
  const rim = x < 3 || y < 3 || x > 28 || y > 28 || Math.abs(x - y) < 2;
  return times([158, 116, 72], (rim ? 0.8 : 1) * (y % 8 === 0 ? 0.74 : 0.9 + 0.16 * grain(x >> 3, y, 3)));
}));
export const door = once('door', () => painted(32, 64, (x, y) => {
  const panel = x > 4 && x < 28 && ((y > 6 && y < 28) || (y > 34 && y < 58));
  const knob = Math.hypot(x - 26, y - 33) < 2;
  return knob ? [232, 196, 96] : times([74, 92, 110], panel ? 0.82 : 1);
}));
export const shutter = once('shutter', () => painted(32, 32, (_x, y) => times([112, 112, 120], y % 4 === 0 ? 0.7 : 1)));
/** The glass of a lamp, brightest in the middle. @param {number[]} c */
export const lampGlass = (c) => once(`lamp ${c}`, () => painted(16, 16, (_x, y) => [...c.map((v) => v + (255 - v) * 0.5 * Math.max(0, 1 - Math.abs(y - 5) / 4)).map((v, i) => v * (y < 9 ? 1 : 0.92 - 0.05 * i)), SHINE]));
/** A lantern's side: coloured glass in an iron frame, lit from within. @param {number[]} c */
export const lantern = (c) => once(`lantern ${c}`, () => painted(32, 32, (x, y) => {
  if (x < 3 || x > 28 || y < 3 || y > 28 || Math.abs(x - 15.5) < 1) return [46, 46, 58];
  const near = Math.max(0, 1 - Math.hypot((x - 15.5) * 1.1, y - 18) / 17);
  return [...c.map((v) => v * (0.78 + 0.22 * near) + (255 - v) * 0.75 * near ** 2), SHINE];
}));
/** The two leaves of a lift's door, with the light above them. */
export const liftDoor = once('lift door', () => painted(64, 64, (x, y) => {
  if (y < 7) return Math.abs(x - 31.5) < y && y < 6 ? [110, 230, 130, SHINE] : [70, 68, 78];
  const leaf = x < 32 ? x : 63 - x;
  if (leaf < 3 || y < 10) return [92, 88, 98];
  if (leaf > 30) return [54, 52, 60];
  const panel = leaf > 7 && leaf < 26 && y > 16 && y < 58;
  const rim = panel && (leaf < 9 || leaf > 24 || y < 18 || y > 56);
  return times([186, 180, 190], (rim ? 0.72 : panel ? 0.94 : 0.86) + 0.08 * grain(x, 0, 3) - y * 0.001);
}));
/** A board with slips of paper. */
export const slips = once('slips', () => painted(64, 32, (x, y) => {
  /** @type {number[][]} */
  const notes = [[4, 3, 16, 24], [23, 5, 19, 12], [24, 20, 17, 9], [45, 4, 15, 21]];
  for (const [i, [u, v, w, h]] of notes.entries()) {
    if (x < u || x >= u + w || y < v || y >= v + h) continue;
    if (y === v && Math.abs(x - u - w / 2) < 1) return [150, 60, 56];
    const line = (y - v) % 3 === 2 && x > u + 1 && x < u + w - 2 - 4 * grain(i, y, 2);
    return line ? [104, 98, 110] : times([236, 228, 204], 1 - 0.06 * grain(x >> 1, y, i));
  }
  return times([176, 134, 96], 0.88 + 0.16 * grain(x, y, 6));
}));
/** A railing, with holes. */
export const rail = once('rail', () => painted(32, 32, (x, y) => (y < 3 || (y > 26 && y < 29) || x % 8 < 1 ? [66, 70, 84] : [0, 0, 0, 0])));
export const grille = once('grille', () => painted(32, 32, (x, y) => (x % 8 < 1 || y % 16 < 1 ? [44, 48, 58] : [0, 0, 0, 0])));
/** Glass lets nearly everything through. */
export const glass = once('glass', () => painted(32, 32, (x, y) => {
  // A soft edge: from near by a texel is as large as a hand.
  const streak = Math.max(0, 1 - Math.abs(((x + y) % 32) - 3) / 3.5);
  return [150 + 64 * streak, 186 + 40 * streak, 206 + 34 * streak, 16 + 26 * streak];
}));
export const water = once('water', () => painted(64, 64, (x, y) => {
  const wave = soft(x, y * 2, 16, 64, 21) * 0.6 + soft(x * 2, y * 4, 16, 64, 22) * 0.4;
  const glint = Math.max(0, Math.min(1, (wave - 0.56) * 7));
  return [66, 78, 118].map((v, i) => v * (0.78 + 0.5 * wave) + ([214, 150, 140][i] - v) * glint * 0.55);
}));
export const shadow = once('shadow', () => painted(32, 32, (x, y) => {
  const d = Math.hypot(x - 15.5, y - 15.5) / 15.5;
  return [10, 8, 20, d < 1 ? Math.round(120 * (1 - d * d)) : 0];
}));
/** @param {number[]} c @param {number} strong */
export const halo = (c, strong) => once(`halo ${c} ${strong}`, () => painted(64, 64, (x, y) => {
  const d = Math.hypot(x - 31.5, y - 31.5) / 31.5;
  return [...c, d < 1 ? Math.round(strong * (1 - d) ** 2) : 0];
}));

/** Words on a board, `wide` × `tall` texels, powers of two. @param {string} words @param {string} ink @param {string} paper @param {number} wide
 * @param {number} tall @param {boolean} [shine] */
export const sign = (words, ink, paper, wide, tall, shine = true) => once(`sign ${words} ${ink} ${paper} ${wide} ${tall}`, () => {
  const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(wide, tall).getContext('2d', { willReadFrequently: true }));
  ctx.fillStyle = paper;
  ctx.fillRect(0, 0, wide, tall);
  ctx.strokeStyle = ink;
  ctx.lineWidth = 3;
  ctx.strokeRect(3, 3, wide - 6, tall - 6);
  const lines = words.split('\n');
  const room = tall / (lines.length + 0.35);
  ctx.fillStyle = ink;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  lines.forEach((line, i) => {
    ctx.font = `bold ${Math.floor(room * 0.86)}px sans-serif`;
    const wideAs = ctx.measureText(line).width;
    const fit = Math.min(1, (wide - 16) / wideAs);
    ctx.font = `bold ${Math.floor(room * 0.86 * fit)}px sans-serif`;
    ctx.fillText(line, wide / 2, (i + 0.7) * room);
  });
  const { data } = ctx.getImageData(0, 0, wide, tall);
  const out = new Uint32Array(data.buffer.slice(0));
  for (let i = 0; i < out.length; i++) out[i] = ((out[i] & 0xffffff) | ((shine ? SHINE : 255) << 24)) >>> 0;
  return texture(wide, tall, out);
});
