// @ts-check
/** Harbour, the open town: sea, quay, pier, streets, and the houses that nobody enters. */

import { face } from './build.js';
import { boards, brick, cobble, crate, halo, lantern, leaves, petals, plain, rail, rough, slab, water } from './surfaces.js';

const CREAM = [214, 190, 160];
const ROSE = [204, 140, 128];
const BLUE = [132, 152, 178];
const OCHRE = [208, 162, 98];
const SAGE = [146, 166, 140];
const BRICK = [168, 98, 82];

/** @param {import('./build.js').Builder} b */
export function streets(b) {
  // Sea, with the far shore in the haze.
  b.rect([-60, -1.1, -70], [176, 0, 0], [0, 0, 78], water, { name: 'the sea', piece: 11, dense: 7 });
  b.rect([-2, -1.1, 8], [60, 0, 0], [0, 1.1, 0], brick([110, 100, 104]), {});
  b.ground(0, 8, 56, 13, 0, slab, { name: 'the quay' });
  b.ground(0, 13, 56, 39, 0, cobble, {});
  b.ground(40, -10, 44, 8, 0.001, boards([136, 104, 82]), { name: 'the pier' });
  for (const z of [-9.6, -6, -2.5, 1, 4.5]) for (const x of [40.1, 43.9]) b.post(x, z, 0.18, -1.2, 0.02, boards([96, 74, 62]), plain([84, 66, 58]), { solid: false });
  // Railings: along the quay, and on the pier's sides.
  fence(b, [0, 8.05], [40, 8.05]);
  fence(b, [44, 8.05], [56, 8.05]);
  fence(b, [40.05, -10], [40.05, 8]);
  fence(b, [43.95, -10], [43.95, 8]);
  for (const x of [3, 11, 19, 27, 35, 47, 53]) b.post(x, 8.6, 0.2, 0, 0.55, plain([60, 62, 74]), plain([92, 92, 104]), { name: 'a bollard' });
  for (const x of [6, 20, 32, 46]) b.lamp(x, 9.2);
  b.lamp(40.5, -6, [255, 190, 120]);
  b.lamp(43.5, 2, [255, 190, 120]);
  boat(b, 14, 5.6, 1, [176, 74, 66]);
  boat(b, 24, 4.8, -1, [70, 112, 140]);
  boat(b, 49, 5, 1, [206, 176, 96]);
  lighthouse(b, 70, -34);

  // South row: the cannery; the hotel, the arcade and the keeper's house are built elsewhere.
  b.house(0, 13, 8, 20.5, 2, BRICK, { name: 'the cannery', roof: [92, 84, 96] });
  b.words([1.5, 4.1, 12.95], [5, 0, 0], 0.9, 'CANNERY', '#f4dcae', '#5c2f2a');
  for (const [x, z, r] of [[1.3, 11.9, 0.45], [2.3, 12.1, 0.42], [3.2, 11.8, 0.44], [3.1, 10.8, 0.42]]) barrel(b, x, z, r);
  crates(b, 5.6, 12.3);

  // North row.
  b.house(0, 25, 6, 33, 3, ROSE);
  b.house(38.4, 25, 46, 33, 2, CREAM, { name: 'the clock house', roof: [96, 92, 110] });
  clock(b, 42.2, 25);
  b.house(50, 25, 56, 33, 3, SAGE, { roof: [120, 84, 84] });
  // Two equal alleys: the western one ends at a wall.
  alley(b, 6, 10, [236, 90, 80], 'a red lantern');
  alley(b, 20, 24, [110, 170, 255], 'a blue lantern');
  b.box([6, 0, 32], [10, 4.4, 33], brick([150, 108, 96]), rough([130, 120, 120]), { name: 'a brick wall' });
  b.rect([7, 0, 31.97], [2, 0, 0], [0, 2.4, 0], plain([78, 70, 66]), { name: 'a bricked-up door' });
  crates(b, 6.7, 31.2);

  // Behind the north street.
  [[0, 7, BLUE, 2], [7, 15, CREAM, 3], [15, 22, OCHRE, 2], [22, 30, ROSE, 3], [30, 38, SAGE, 2], [38, 47, BLUE, 3], [47, 56, OCHRE, 2]].forEach(([x0, x1, color, n], i) =>
    b.house(/** @type {number} */ (x0), 37, /** @type {number} */ (x1), 43, /** @type {number} */ (n), /** @type {number[]} */ (color), { blind: 'nwe', roof: i % 2 ? [150, 82, 70] : [104, 92, 108] }));
  // The town goes on to both sides, where nobody can go.
  for (const [z0, z1, color, n] of /** @type {[number, number, number[], number][]} */ ([[6, 14, SAGE, 2], [14, 22, OCHRE, 3], [22, 30, BLUE, 2], [30, 38, CREAM, 3]])) {
    b.house(-7, z0, 0, z1, n, color, { blind: 'wsn' });
    b.house(56, z0, 63, z1, n, color, { blind: 'ens', roof: [110, 92, 104] });
  }
  // What the outermost houses stand on beside the water.
  const footing = brick([110, 100, 104]);
  for (const x of [-7, 56]) b.rect([x, -1.1, 6], [7, 0, 0], [0, 1.1, 0], footing);
  b.rect([0, -1.1, 6], [0, 0, 2], [0, 1.1, 0], footing);
  b.rect([56, -1.1, 8], [0, 0, -2], [0, 1.1, 0], footing);
  hills(b);
  for (const [x, z] of [[10, 22.2], [24, 22], [38, 24], [50.5, 22], [3, 24.3], [16, 36.2], [34, 36.2], [48, 34]]) b.lamp(x, z);
  // Strings of lights: along the quay, over the market, across the high street.
  for (const [a, c] of [[20, 32], [32, 46]]) b.garland([a, 3.55, 9.2], [c, 3.55, 9.2], 0.6);
  b.garland([25.4, 4, 26], [36.8, 4, 26], 0.6);
  b.garland([24, 3.8, 25.2], [29, 3.5, 20]);
  b.garland([36, 3.5, 20], [38.4, 4.2, 25]);
  for (const [x, z] of [[4.6, 21], [37.4, 36.2], [28, 36.2]]) tree(b, x, z);
  for (const [x, z] of [[13.6, 36.6], [45, 36.6], [52, 24.5]]) planter(b, x, z, 1.6, 0.8);
}

/** A railing on the ground. @param {import('./build.js').Builder} b @param {number[]} from @param {number[]} to @param {number} [y] @param {string} [name] */
export function fence(b, from, to, y = 0, name = 'a railing') {
  const [dx, dz] = [to[0] - from[0], to[1] - from[1]];
  b.rect([from[0], y, from[1]], [dx, 0, dz], [0, 1.05, 0], rail, { name, both: true, piece: 4 });
  const h = 0.06;
  b.block([Math.min(from[0], to[0]) - h, y, Math.min(from[1], to[1]) - h], [Math.max(from[0], to[0]) + h, y + 1.05, Math.max(from[1], to[1]) + h], { thin: true });
}

/** A knee-high box of flowers. @param {import('./build.js').Builder} b @param {number} x @param {number} z @param {number} w @param {number} d @param {number} [y] */
export function planter(b, x, z, w, d, y = 0) {
  b.box([x - w / 2, y, z - d / 2], [x + w / 2, y + 0.55, z + d / 2], rough([150, 112, 92]), petals, { name: 'a planter' });
  b.box([x - w / 2 + 0.12, y + 0.55, z - d / 2 + 0.12], [x + w / 2 - 0.12, y + 0.8, z + d / 2 - 0.12], leaves, petals, { name: 'a planter', solid: false });
}

/** @param {import('./build.js').Builder} b @param {number} x @param {number} z */
export function tree(b, x, z) {
  const name = 'a tree';
  b.post(x, z, 0.22, 0, 1.9, boards([104, 78, 62]), leaves, { name, sides: 6, slim: 0.16 });
  b.post(x, z, 0.9, 1.6, 2.5, leaves, leaves, { name, slim: 1.35, solid: false, both: true });
  b.post(x, z, 1.35, 2.5, 3.5, leaves, leaves, { name, slim: 1.0, solid: false, both: true });
  b.post(x, z, 1.0, 3.5, 4.2, leaves, leaves, { name, slim: 0.3, solid: false });
  // The crown is above one’s head; the camera sees through it, so that it stays behind a walker.
  b.posts.push({ x, z, r: 1.25, y0: 1.65, y1: 4.2, thin: true });
}

/** @param {import('./build.js').Builder} b @param {number} x @param {number} z @param {number} r */
export function barrel(b, x, z, r) {
  const side = boards([138, 92, 62]);
  b.post(x, z, r * 0.86, 0, 0.45, side, side, { name: 'a barrel', slim: r, solid: false });
  b.post(x, z, r, 0.45, 0.95, side, boards([112, 78, 56]), { name: 'a barrel', slim: r * 0.86, solid: false });
  b.posts.push({ x, z, r, y0: 0, y1: 0.95, thin: false });
}

/** @param {import('./build.js').Builder} b @param {number} x @param {number} z */
export function crates(b, x, z) {
  b.box([x - 0.5, 0, z - 0.5], [x + 0.5, 1, z + 0.5], crate, crate, { name: 'a stack of crates' });
  b.box([x + 0.55, 0, z - 0.45], [x + 1.35, 0.8, z + 0.4], crate, crate, { name: 'a stack of crates' });
  b.box([x - 0.3, 1, z - 0.35], [x + 0.4, 1.65, z + 0.4], crate, crate, { name: 'a stack of crates' });
}

/** An arch over an alley, with its lantern. @param {import('./build.js').Builder} b @param {number} x0 @param {number} x1 @param {number[]} color
 * @param {string} name */
function alley(b, x0, x1, color, name) {
  const stone = rough([168, 156, 150]);
  b.box([x0, 0, 25], [x0 + 0.45, 3.2, 25.5], stone, stone, { name: 'an archway' });
  b.box([x1 - 0.45, 0, 25], [x1, 3.2, 25.5], stone, stone, { name: 'an archway' });
  b.box([x0, 3.2, 25], [x1, 4, 25.5], stone, stone, { name: 'an archway', bottom: true });
  const m = (x0 + x1) / 2;
  b.box([m - 0.2, 2.5, 24.6], [m + 0.2, 3, 25], lantern(color), plain([50, 50, 60]), { name, solid: false, bottom: true, fit: true });
  b.box([m - 0.26, 3, 24.54], [m + 0.26, 3.12, 25.06], plain([50, 50, 60]), plain([50, 50, 60]), { name, solid: false });
  b.light(m, 2.7, 24.4, 0.5, '', color);
}

/** @param {import('./build.js').Builder} b @param {number} x @param {number} z @param {number} way @param {number[]} color */
function boat(b, x, z, way, color) {
  const name = 'a boat';
  const paint = plain(color);
  const rim = plain([226, 214, 196]);
  const [l, w] = [2.6, 0.9];
  const at = (/** @type {number} */ u, /** @type {number} */ y, /** @type {number} */ v) => [x + way * u, y, z + way * v];
  const low = [at(-l + 0.5, -1, 0.5 - w), at(l - 1.2, -1, 0.5 - w), at(l - 0.7, -1, 0), at(l - 1.2, -1, w - 0.5), at(-l + 0.5, -1, w - 0.5)];
  const high = [at(-l, -0.2, -w), at(l - 0.9, -0.2, -w), at(l, -0.02, 0), at(l - 0.9, -0.2, w), at(-l, -0.2, w)];
  const uv = [[0, 8], [8, 8], [8, 0], [0, 0]];
  for (let i = 0; i < 5; i++) {
    const j = (i + 1) % 5;
    b.add(face([low[i], low[j], high[j], high[i]], uv, paint, { name, both: true }), {});
    const up = (/** @type {number[]} */ p) => [p[0], p[1] + 0.1, p[2]];
    b.add(face([high[i], high[j], up(high[j]), up(high[i])], uv, rim, { name, both: true }), {});
  }
  const deck = high.map((p) => [p[0], -0.32, p[2]]);
  b.add(face([deck[0], deck[1], deck[3], deck[4]], uv, boards([150, 118, 88]), { name, both: true }), {});
  b.box([x - 0.9, -0.4, z - 0.45], [x + 0.3, 0.6, z + 0.45], plain([222, 216, 206]), paint, { name, solid: false });
  b.post(x + way * 0.8, z, 0.06, -0.4, 3, boards([120, 90, 70]), rim, { name, sides: 5, solid: false });
}

/** @param {import('./build.js').Builder} b @param {number} x @param {number} z */
function lighthouse(b, x, z) {
  const name = 'the lighthouse';
  b.post(x, z, 7, -1.2, 1.2, rough([110, 104, 112]), rough([120, 112, 116]), { name, slim: 5, solid: false });
  const bands = [plain([226, 218, 214]), plain([188, 82, 78])];
  for (let i = 0; i < 4; i++) b.post(x, z, 2.4 - i * 0.3, 1.2 + i * 3, 4.2 + i * 3, bands[i % 2], bands[0], { name, slim: 2.1 - i * 0.3, solid: false });
  b.post(x, z, 1.1, 13.2, 14.8, plain([255, 236, 170], true), plain([90, 60, 64]), { name, solid: false });
  b.post(x, z, 1.5, 14.8, 16.2, plain([140, 64, 64]), plain([140, 64, 64]), { name, slim: 0.1, solid: false });
  b.glows.push({ x, y: 14, z, texture: halo([255, 230, 170], 150) });
}

/** @param {import('./build.js').Builder} b @param {number} x @param {number} z */
function clock(b, x, z) {
  const name = 'the clock tower';
  const stone = rough([196, 176, 156]);
  b.box([x - 1.4, 0, z - 0.5], [x + 1.4, 10.5, z + 2.3], stone, stone, { name });
  b.rect([x - 1, 7.6, z - 0.52], [2, 0, 0], [0, 2, 0], plain([250, 232, 186], true), { name });
  b.rect([x - 0.06, 8.6, z - 0.55], [0.12, 0, 0], [0, 0.85, 0], plain([50, 44, 52]), { name });
  b.rect([x, 8.54, z - 0.55], [0.6, 0, 0], [0, 0.12, 0], plain([50, 44, 52]), { name });
  b.roof(x - 1.6, z - 0.7, x + 1.6, z + 2.5, 10.5, 'z', [92, 96, 116], [196, 176, 156], name);
}

/** @param {import('./build.js').Builder} b */
function hills(b) {
  const far = plain([96, 84, 112]);
  const ridge = [-70, 7, -48, 12, -25, 9, -4, 15, 18, 11, 40, 17, 62, 10, 88, 13, 120, 8];
  for (let i = 0; i < ridge.length - 2; i += 2) {
    const [x0, h0, x1, h1] = ridge.slice(i, i + 4);
    b.add(face([[x0, 0, 62], [x1, 0, 62], [x1, h1, 62], [x0, h0, 62]], [[0, 8], [8, 8], [8, 0], [0, 0]], far, { name: 'the hills' }), {});
  }
  for (let i = 0; i < 6; i++) b.rect([-75, -1, -56 + i * 0.1], [40 + i * 9, 0, 0], [0, 7 - i, 0], far, { piece: 99 });
}
