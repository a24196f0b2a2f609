// @ts-check
/** Harbour, the other places one goes to: the glass arcade, the keeper's house, the garden, the market, the tram stop, the yard. */

import { barrel, crates, fence, planter, tree } from './streets.js';
import { boards, brick, crate, door, facade, glass, grille, lampGlass, plain, rough, shutter, slab, slips, stripes, tiles } from './surfaces.js';

/** Height of the keeper's roof. */
export const ROOF = 3.4;

/** @param {import('./build.js').Builder} b */
export function places(b) {
  arcade(b);
  keeper(b);
  garden(b);
  market(b);
  tram(b);
  yard(b);
}

/** A hall of glass: what is inside is seen from everywhere, and reached from the north alone. @param {import('./build.js').Builder} b */
function arcade(b) {
  const [x0, x1, z0, z1] = [26, 36, 13.4, 20];
  const stone = rough([206, 196, 190]);
  const iron = plain([60, 82, 84]);
  b.rect([x0, 0.006, z0], [x1 - x0, 0, 0], [0, 0, z1 - z0], slab, { name: 'the arcade floor' });
  const pane = (/** @type {number[]} */ from, /** @type {number[]} */ to) => {
    const [dx, dz] = [to[0] - from[0], to[1] - from[1]];
    b.rect([from[0], 0.1, from[1]], [dx, 0, dz], [0, 2.9, 0], glass, { name: 'glass', both: true, piece: 3.4 });
    b.box([Math.min(from[0], to[0]) - 0.05, 0, Math.min(from[1], to[1]) - 0.05], [Math.max(from[0], to[0]) + 0.05, 0.12, Math.max(from[1], to[1]) + 0.05], iron, iron, { solid: false, piece: 5 });
    b.block([Math.min(from[0], to[0]) - 0.06, 0, Math.min(from[1], to[1]) - 0.06], [Math.max(from[0], to[0]) + 0.06, 3, Math.max(from[1], to[1]) + 0.06], { thin: true });
  };
  pane([x0, z0], [x1, z0]);
  pane([x0, z0], [x0, z1]);
  pane([x1, z0], [x1, z1]);
  pane([29, z1], [x1, z1]);
  pane([x0, 16.9], [33, 16.9]);
  for (const [x, z] of [[26, 13.4], [29.3, 13.4], [32.7, 13.4], [36, 13.4], [26, 16.9], [36, 16.9], [26, 20], [29, 20], [32.5, 20], [36, 20], [33, 16.9]]) {
    b.post(x, z, 0.16, 0, 3, iron, iron, { name: 'an iron pillar', sides: 6 });
  }
  // The roof: beams and a glass ridge.
  for (const z of [z0, 16.9, z1]) b.box([x0 - 0.1, 3, z - 0.12], [x1 + 0.1, 3.3, z + 0.12], iron, iron, { solid: false, bottom: true, piece: 5, name: 'the glass arcade' });
  for (const x of [x0, 29.3, 32.7, x1]) b.box([x - 0.1, 3, z0], [x + 0.1, 3.26, z1], iron, iron, { solid: false, bottom: true, piece: 5, name: 'the glass arcade' });
  for (const x of [x0, 29.33, 32.66]) {
    b.rect([x, 3.3, z0], [3.34, 0, 0], [0, 1.3, 3.3], glass, { both: true });
    b.rect([x + 3.34, 3.3, z1], [-3.34, 0, 0], [0, 1.3, -3.3], glass, { both: true });
  }
  b.words([29.2, 3.32, z0 - 0.14], [3.6, 0, 0], 0.7, 'ARCADE', '#fff0c0', '#24484a');
  b.words([29, 3.32, z1 + 0.14], [-3, 0, 0], 0.6, 'ARCADE', '#fff0c0', '#24484a');
  // The heron on its stone.
  const brass = rough([226, 176, 84], 0.16);
  const name = 'the brass heron';
  b.box([30.4, 0, 14.5], [31.6, 0.7, 15.7], stone, stone, { name: 'a stone base' });
  b.post(30.9, 15.1, 0.05, 0.7, 1.5, brass, brass, { name, sides: 5, solid: false });
  b.post(31.1, 15.1, 0.05, 0.7, 1.5, brass, brass, { name, sides: 5, solid: false });
  b.post(31, 15.1, 0.2, 1.45, 1.75, brass, brass, { name, slim: 0.36, solid: false });
  b.post(31, 15.1, 0.36, 1.75, 2.05, brass, brass, { name, slim: 0.1, solid: false });
  b.post(31.25, 15.1, 0.08, 1.8, 2.55, brass, brass, { name, sides: 5, solid: false });
  b.box([31.15, 2.5, 15], [31.45, 2.7, 15.2], brass, brass, { name, solid: false, bottom: true });
  b.box([31.45, 2.56, 15.06], [32, 2.62, 15.14], brass, brass, { name, solid: false, bottom: true });
  for (const x of [27.8, 31, 34.4]) {
    b.post(x, 18.4, 0.14, 2.5, 2.8, lampGlass([255, 226, 160]), iron, { sides: 6, solid: false, name: 'a hanging lamp' });
    b.light(x, 2.5, 18.4, 0.6, '', [255, 214, 140]);
  }
  b.light(31, 2.9, 14.2, 0.8, '', [255, 214, 140]);
  planter(b, 27, 15, 1.2, 0.8);
  b.box([34.8, 0, 17.6], [35.6, 0.5, 19], boards([128, 92, 66]), boards([128, 92, 66]), { name: 'a bench' });
}

/** The keeper's house: locked to the quay, open to the high street, and a roof with a view. @param {import('./build.js').Builder} b */
function keeper(b) {
  const [x0, x1, z0, z1, t] = [40, 49, 13.5, 20, 0.3];
  const color = [176, 186, 190];
  const name = "the keeper's house";
  const room = 'keeper';
  b.storeys([x0, 0, z0], [3, 0, 0], 1, ROOF, color, { name, lit: 1 });
  b.storeys([43, 0, z0], [1.6, 0, 0], 1, ROOF, color, { name, lit: -1 });
  b.storeys([44.6, 0, z0], [x1 - 44.6, 0, 0], 1, ROOF, color, { name, lit: 1 });
  b.rect([43.2, 0, z0 - 0.02], [1.2, 0, 0], [0, 2.3, 0], door, { name: 'a blue door', fit: true });
  b.words([42.5, 2.42, z0 - 0.03], [2.6, 0, 0], 0.55, 'HARBOUR KEEPER', '#f0f4ff', '#28405c');
  b.storeys([x0, 0, z1], [0, 0, z0 - z1], 1, ROOF, color, { name });
  b.storeys([x1, 0, z0], [0, 0, z1 - z0], 1, ROOF, color, { name, lit: -1 });
  // North side with an open doorway, 44 to 45.6.
  b.storeys([x1, 0, z1], [45.6 - x1, 0, 0], 1, ROOF, color, { name, lit: 1 });
  b.storeys([44, 0, z1], [x0 - 44, 0, 0], 1, ROOF, color, { name, lit: 1 });
  b.rect([45.6, 2.4, z1], [-1.6, 0, 0], [0, ROOF - 2.4, 0], facade(color, 'none'), { name });
  b.words([46, 2.5, z1 + 0.04], [-2.4, 0, 0], 0.5, 'OFFICE', '#f0f4ff', '#28405c');
  b.light(44.8, 2.6, z1 + 0.8, 0.7, '', [255, 210, 140]);
  for (const [from, to] of /** @type {[number[], number[]][]} */ ([
    [[x0, 0, z0], [x1, ROOF, z0 + t]], [[x0, 0, z0], [x0 + t, ROOF, z1]], [[x1 - t, 0, z0], [x1, ROOF, z1]],
    [[x0, 0, z1 - t], [44, ROOF, z1]], [[45.6, 0, z1 - t], [x1, ROOF, z1]], [[44, 2.4, z1 - t], [45.6, ROOF, z1]],
    [[x0, ROOF - 0.3, z0], [x1, ROOF - 0.01, z1]],
  ])) b.block(from, to);
  // The room.
  const how = { room, name: 'the office' };
  const wall = rough([206, 196, 170], 0.08);
  const [a, c, d, e] = [x0 + t, x1 - t, z0 + t, z1 - t];
  b.rect([c, 0, d], [a - c, 0, 0], [0, 3.1, 0], wall, how);
  b.rect([a, 0, d], [0, 0, e - d], [0, 3.1, 0], wall, how);
  b.rect([c, 0, e], [0, 0, d - e], [0, 3.1, 0], wall, how);
  b.rect([a, 0, e], [44 - a, 0, 0], [0, 3.1, 0], wall, how);
  b.rect([45.6, 0, e], [c - 45.6, 0, 0], [0, 3.1, 0], wall, how);
  b.rect([44, 2.4, e], [1.6, 0, 0], [0, 0.7, 0], wall, how);
  b.rect([44, 0, e], [0, 0, t], [0, 2.4, 0], plain([150, 150, 150]), {});
  b.rect([45.6, 0, z1], [0, 0, -t], [0, 2.4, 0], plain([150, 150, 150]), {});
  b.rect([a, 3.1, e], [c - a, 0, 0], [0, 0, d - e], plain([210, 200, 180]), how);
  b.rect([a, 0.006, d], [c - a, 0, 0], [0, 0, e - d], boards([124, 92, 70]), how);
  b.box([41, 0, 14.6], [42.6, 0.85, 15.4], boards([104, 72, 54]), rough([90, 64, 50]), { ...how, name: 'a table' });
  b.rect([47.5, 1.1, d + 0.03], [-1.6, 0, 0], [0, 1.1, 0], rough([120, 150, 160], 0.5), { ...how, name: 'a sea chart' });
  for (const x of [42.5, 46.5]) b.light(x, 2.6, 17, 0.7, room);
  // The roof and its stairs; a second flight leads only to a balcony.
  b.rect([x0, ROOF, z0], [x1 - x0, 0, 0], [0, 0, z1 - z0], tiles([140, 128, 128]), { name: 'the roof terrace' });
  b.floors.push({ x0, x1: 51, z0: 18.6, z1, y: ROOF, rise: 0, along: 'x' }, { x0, x1, z0, z1: 18.6, y: ROOF, rise: 0, along: 'x' });
  const stone = rough([176, 166, 160]);
  b.stairs(49.1, 13.4, 51, 18.6, 0, ROOF, stone, { name: 'the outside stairs' });
  b.box([49, 0, 18.6], [51, ROOF, z1], stone, slab, { name: 'a landing' });
  for (const [from, to, y] of /** @type {[number[], number[], number][]} */ ([
    [[x0, z0], [x1, z0], ROOF], [[x0, z0], [x0, z1], ROOF], [[x0, z1], [51, z1], ROOF], [[51, 18.6], [51, z1], ROOF], [[x1, z0], [x1, 18.5], ROOF],
  ])) fence(b, from, to, y);
  b.block([50.95, 0, 13.9], [51.05, 4.5, 18.6], { thin: true });
  b.block([49, 0, 13.9], [49.1, ROOF, 18.6]);
  b.stairs(38.5, 14.4, 40, 17.2, 0, 1.8, stone, { name: 'a side stair' });
  b.box([38.5, 0, 17.2], [40, 1.8, 19.2], stone, slab, { name: 'a balcony' });
  b.floors.push({ x0: 38.5, x1: 40, z0: 17.2, z1: 19.2, y: 1.8, rise: 0, along: 'x' });
  fence(b, [38.5, 19.2], [40, 19.2], 1.8);
  fence(b, [38.5, 17.2], [38.5, 19.2], 1.8);
  b.block([38.45, 0, 14.8], [38.5, 1.8, 17.2], { thin: true });
  b.rect([39.98, 1.8, 18.8], [0, 0, -1.1], [0, 1.5, 0], shutter, { name: 'a shutter' });
  const brass = rough([226, 176, 84], 0.16);
  b.post(42.2, 15.2, 0.2, ROOF, ROOF + 1.1, plain([70, 74, 86]), brass, { name: 'the telescope', slim: 0.06, sides: 6 });
  b.box([42.1, ROOF + 1.1, 14.4], [42.3, ROOF + 1.32, 15.7], brass, brass, { name: 'the telescope', solid: false, bottom: true });
  planter(b, 45.5, 17, 1, 3, ROOF);
  b.lamps.push({ x: 44, y: ROOF + 2.4, z: 15.5, power: 0.7, room: '' });
  b.post(44, 14, 0.05, ROOF, ROOF + 2.3, plain([54, 56, 70]), plain([54, 56, 70]), { sides: 5 });
  b.post(44, 14, 0.15, ROOF + 2.2, ROOF + 2.5, lampGlass([255, 214, 140]), plain([54, 56, 70]), { sides: 6, solid: false, name: 'a roof lamp' });
}

/** A walled garden that can be looked into, and is entered from the alley. @param {import('./build.js').Builder} b */
function garden(b) {
  const [x0, x1, z0, z1] = [10, 20, 25, 33];
  const wall = brick([160, 112, 92]);
  const cap = rough([176, 166, 160]);
  const name = 'the garden wall';
  const low = (/** @type {number[]} */ p, /** @type {number[]} */ q) => b.box([p[0], 0, p[1]], [q[0], 2.5, q[1]], wall, cap, { name });
  b.rect([x0, 0.006, z0], [x1 - x0, 0, 0], [0, 0, z1 - z0], rough([104, 128, 88], 0.34), { name: 'a lawn' });
  low([x0, z0], [12, z0 + 0.4]);
  low([18, z0], [x1, z0 + 0.4]);
  for (const x of [14, 16]) b.box([x - 0.2, 0, z0], [x + 0.2, 2.5, z0 + 0.4], wall, cap, { name });
  for (const x of [12, 14.2, 16.2]) {
    const wide = x === 12 ? 1.8 : x === 14.2 ? 1.6 : 1.8;
    b.rect([x, 0, z0 + 0.2], [wide, 0, 0], [0, 2.2, 0], grille, { both: true, name: 'an iron grille' });
  }
  b.block([12, 0, z0 + 0.1], [18, 2.5, z0 + 0.3], { thin: true });
  low([x0, z1 - 0.4], [x1, z1]);
  low([x0, z0], [x0 + 0.4, z1]);
  low([x1 - 0.4, z0], [x1, 29.6]);
  low([x1 - 0.4, 31.6], [x1, z1]);
  b.words([x1 + 0.03, 2.55, 29.5], [0, 0, 2.2], 0.5, 'GARDEN', '#e8ffd8', '#2e4a30');
  b.box([x1 - 0.35, 2.5, 29.4], [x1 - 0.02, 3.05, 31.8], wall, cap, { name, solid: false, bottom: true });
  // Pillars and planters in two rows that do not line up.
  for (const [x, z] of [[17.8, 27.4], [17.8, 29.6], [15.4, 26.6], [15.4, 28.6], [15.4, 30.8]]) b.post(x, z, 0.24, 0, 2.8, cap, cap, { name: 'a stone pillar' });
  for (const z of [26.6, 30.8]) b.box([15.2, 2.8, z - 0.2], [18, 3, z + 0.2], boards([120, 92, 72]), boards([120, 92, 72]), { solid: false, bottom: true, name: 'a pergola' });
  planter(b, 17.8, 31.9, 1.4, 1.0);
  planter(b, 17.8, 28.5, 0.8, 1.3);
  planter(b, 15.4, 29.7, 0.8, 1.3);
  planter(b, 15.4, 27.6, 0.8, 1.1);
  planter(b, 12.4, 31.9, 1.6, 0.8);
  tree(b, 11.5, 31.4);
  tree(b, 11.4, 26.4);
  const stone = rough([186, 180, 176]);
  b.post(12.9, 28.6, 0.85, 0, 0.75, stone, plain([70, 92, 120]), { name: 'the well' });
  for (const dx of [-0.75, 0.75]) b.post(12.9 + dx, 28.6, 0.07, 0.75, 2.2, boards([110, 82, 64]), cap, { sides: 5, name: 'the well', solid: false });
  b.roof(11.9, 27.9, 13.9, 29.3, 2.2, 'x', [126, 70, 66], [120, 90, 70], 'the well');
  b.light(14.2, 2.6, 28.8, 0.7, '', [255, 220, 150]);
  b.light(18.6, 2.6, 30.6, 0.6, '', [255, 220, 150]);
}

/** @param {import('./build.js').Builder} b */
function market(b) {
  const stone = rough([186, 180, 176]);
  b.post(31, 26.8, 1.3, 0, 0.5, stone, plain([92, 122, 160]), { name: 'the fountain', sides: 10 });
  b.post(31, 26.8, 0.25, 0.5, 1.5, stone, stone, { name: 'the fountain', slim: 0.4 });
  const goods = [[[120, 164, 92], 'HERBS'], [[212, 160, 96], 'BREAD'], [[226, 196, 190], 'SHELLS']];
  goods.forEach(([color, words], i) => {
    const x = 26 + i * 4;
    const name = `the ${String(words).toLowerCase()} stall`;
    const cloth = stripes([64, 104, 132], [232, 222, 204]);
    b.box([x, 0, 30.6], [x + 3, 0.95, 31.5], boards([132, 96, 68]), boards([132, 96, 68]), { name });
    for (let k = 0; k < 4; k++) b.box([x + 0.2 + k * 0.7, 0.95, 30.75], [x + 0.72 + k * 0.7, 1.12, 31.3], crate, rough(/** @type {number[]} */ (color), 0.7), { name, solid: false });
    for (const px of [x + 0.05, x + 2.95]) for (const pz of [30.5, 32.6]) b.post(px, pz, 0.06, 0, pz < 31 ? 2.3 : 2.8, boards([110, 82, 64]), stone, { sides: 4, name, solid: false });
    b.rect([x - 0.2, 2.25, 30.1], [3.4, 0, 0], [0, 0.6, 2.6], cloth, { name, both: true });
    b.rect([x - 0.2, 2.0, 30.1], [3.4, 0, 0], [0, 0.26, 0], cloth, { name, both: true });
    b.words([x + 0.75, 2.3, 30.02], [1.5, 0, 0], 0.42, String(words), '#3a2a20', '#ffeec4', { name: `the sign "${words}"` });
    b.light(x + 1.5, 2, 31.2, 0.6, '', [255, 206, 130]);
    b.block([x, 0, 32.5], [x + 3, 2, 32.7], { thin: true });
  });
  for (const x of [24.6, 29.5, 33.5, 37.6]) b.block([x - 0.5, 0, 30.6], [x + 0.5, 1, 31.2], { thin: true });
  for (const x of [24.6, 37.6]) crates(b, x - 0.4, 31);
  for (const x of [29.5, 33.5]) barrel(b, x, 30.9, 0.4);
  b.house(24, 33, 38.4, 34.6, 1, [186, 160, 130], { lit: 0.6, roof: [110, 84, 84] });
  for (const [x, z] of [[25.4, 26], [36.8, 26]]) tree(b, x, z);
  planter(b, 28, 27, 0.8, 1.6);
  planter(b, 34, 27, 0.8, 1.6);
}

/** @param {import('./build.js').Builder} b */
function tram(b) {
  const steel = plain([128, 136, 150]);
  for (const x of [12.2, 14, 15.8]) b.box([x - 0.15, 0, 34.6], [x + 0.15, 1.1, 35.6], steel, plain([240, 196, 70]), { name: 'the ticket gate' });
  b.box([12, 2.3, 34.9], [16, 2.9, 35.1], plain([40, 52, 70]), steel, { name: 'the ticket gate', solid: false, bottom: true });
  for (const x of [12.05, 15.95]) b.post(x, 35, 0.07, 0, 2.3, steel, steel, { sides: 5 });
  b.words([12.4, 2.32, 34.88], [3.2, 0, 0], 0.56, 'TICKETS', '#20242c', '#ffd34a');
  b.words([15.6, 2.32, 35.12], [-3.2, 0, 0], 0.56, 'TICKETS', '#20242c', '#ffd34a');
  for (const z of [36.2, 36.8]) b.rect([0, 0.012, z], [56, 0, 0], [0, 0, 0.09], plain([96, 96, 108]), { piece: 8, name: 'the tram rails' });
  b.light(14, 2.6, 34.4, 0.8, '', [255, 220, 120]);
}

/** The yard at the quay's east end, behind a gate. @param {import('./build.js').Builder} b */
function yard(b) {
  const wall = brick([140, 116, 108]);
  const cap = rough([150, 146, 150]);
  const name = 'the yard wall';
  b.box([51, 0, 8], [51.4, 2.6, 9.4], wall, cap, { name });
  b.box([51, 0, 11.8], [51.4, 2.6, 13.4], wall, cap, { name });
  b.box([51, 0, 13.4], [51.2, 2.6, 25], wall, cap, { name });
  b.box([51, 0, 24.8], [56, 2.6, 25], wall, cap, { name });
  b.box([51, 2.6, 9.2], [51.4, 3, 12], cap, cap, { name, solid: false, bottom: true });
  b.box([51.15, 0, 9.4], [51.25, 2.3, 11.8], grille, grille, { name: 'the yard gate', gate: 'gate_open', both: true, thin: true });
  b.words([50.96, 2.42, 12.1], [0, 0, -3], 0.5, 'YARD', '#fff0c8', '#40383c');
  for (const [z, color, what] of /** @type {[number, number[], string][]} */ ([[8.9, [226, 72, 66], 'a red handle'], [12.5, [80, 140, 240], 'a blue handle']])) {
    b.box([50.8, 0.7, z - 0.2], [51, 1.4, z + 0.2], plain([70, 70, 80]), plain([70, 70, 80]), { name: what, solid: false, bottom: true });
    b.box([50.62, 0.95, z - 0.08], [50.8, 1.3, z + 0.08], plain(color, true), plain(color, true), { name: what, solid: false, bottom: true });
    b.box([50.5, 1.22, z - 0.14], [50.66, 1.38, z + 0.14], plain(color, true), plain(color, true), { name: what, solid: false, bottom: true });
  }
  // The board that says which.
  b.box([46.3, 0.9, 12.9], [47.7, 1.8, 13], boards([120, 90, 66]), cap, { name: 'a notice board', solid: false, bottom: true });
  for (const x of [46.4, 47.6]) b.post(x, 12.95, 0.05, 0, 0.9, boards([100, 76, 60]), cap, { sides: 4, name: 'a notice board', solid: false });
  b.block([46.3, 0, 12.85], [47.7, 1.8, 13.05], { thin: true });
  b.rect([46.4, 1, 12.88], [1.2, 0, 0], [0, 0.72, 0], slips, { name: 'a notice board', fit: true });
  // In the yard: a crane and its load.
  const steel = plain([206, 168, 66]);
  b.box([53.4, 0, 15], [54.6, 1, 16.2], cap, cap, { name: 'the crane' });
  b.box([53.8, 1, 15.4], [54.2, 7.5, 15.8], steel, steel, { name: 'the crane', solid: false });
  b.box([53.8, 7.2, 9.5], [54.2, 7.6, 17], steel, steel, { name: 'the crane', solid: false, bottom: true });
  b.box([53.97, 4.2, 10], [54.03, 7.2, 10.06], plain([40, 40, 46]), steel, { name: 'the crane', solid: false });
  b.box([53.4, 3.2, 9.5], [54.6, 4.2, 10.6], crate, crate, { name: 'a hanging crate', solid: false, bottom: true });
  crates(b, 54.5, 12.4);
  b.rect([51.4, 0.006, 8.2], [4.6, 0, 0], [0, 0, 16.6], rough([126, 118, 116], 0.3), { name: 'the yard' });
  b.light(52.6, 2.6, 10.6, 0.6, '', [255, 200, 120]);
}
