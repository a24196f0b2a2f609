// @ts-check
/**
 * Harbour, its memory: where one stands, what has happened and who moves lie in one block of a WebAssembly memory, at
 * another place after every start, among copies that follow it and bytes that mean nothing. The block is what counts:
 * what is written into it holds from the next frame on; what is written into a copy is gone with it.
 *
 * Where things lie comes from the seed and from how often the page was started, by chance of its own: neither the
 * state nor a picture knows it.
 */

import { seeded, stream } from '../../kit/random.js';
import { fighting } from './creatures.js';

/** @typedef {import('./rules.js').State} State */

const PAGES = 4;
/** Bytes from the beginning of one place for a block to the next. */
const PLACE = 256;
/** Every block begins with these eight bytes, its kind and its size. */
const MARK = [0x54, 0x4f, 0x57, 0x4e, 0x0d, 0x0a, 0x1a, 0x0a];
const SIZE = 136;
const KIND = { block: 1, picture: 2, footprint: 3, map: 4, start: 5, radio: 6 };
const MODES = ['asleep', 'pace', 'puff', 'dash', 'rest', 'flee', 'gone'];
const FLAGS = [
  'met_owner', 'parcel_delivered', 'basket_delivered', 'wrong_stall', 'reported', 'child_found', 'board_read', 'unlocked',
  'gate_open', 'lift_tried', 'door_tried', 'looked_out', 'asked_baker', 'asked_shells', 'asked_painter',
];

const memory = new WebAssembly.Memory({ initial: PAGES });
const view = new DataView(memory.buffer);
/** Where each kind of block begins. @type {Record<keyof typeof KIND, number>} */
const at = { block: 0, picture: 0, footprint: 0, map: 0, start: 0, radio: 0 };
let starts = 0;
/** Nothing has been stored since the start. */
let fresh = true;

/** Puts everything somewhere else; the next `store` fills it. @param {number|string} seed */
export function lay(seed) {
  starts += 1;
  const chance = stream(seeded(`${seed}/${starts}`), 'heap');
  let word = chance.bits();
  for (let i = 0; i < view.byteLength; i += 4) {
    word = (Math.imul(word, 1664525) + 1013904223) | 0;
    view.setInt32(i, word ^ (word >>> 15));
  }
  const taken = new Set();
  for (const kind of /** @type {(keyof typeof KIND)[]} */ (Object.keys(KIND))) {
    let place = 0;
    do place = chance.int(0, view.byteLength / PLACE - 1);
    while (taken.has(place));
    taken.add(place);
    at[kind] = place * PLACE + 8 * chance.int(0, (PLACE - SIZE) / 8);
    for (let i = 0; i < SIZE; i++) view.setUint8(at[kind] + i, i < MARK.length ? MARK[i] : 0);
    view.setUint32(at[kind] + 8, KIND[kind], true);
    view.setUint32(at[kind] + 12, SIZE, true);
  }
  fresh = true;
}

/** From the state into the block, and into the copies as each is wont to. Whether somebody speaks or fights is stored only. @param {State} s */
export function store(s) {
  const { player: p, mump: m } = s;
  [p.x, p.y, p.z, p.yaw, p.walked].forEach((v, i) => put(at.block, i, v));
  view.setInt32(at.block + 56, s.hearts, true);
  view.setUint8(at.block + 60, MODES.indexOf(m.mode));
  view.setInt32(at.block + 64, m.shouted, true);
  [m.x, m.z, m.yaw, s.cat.x, s.cat.z].forEach((v, i) => put(at.block, i + 7, v));
  view.setUint8(at.block + 112, +s.items.basket);
  view.setUint8(at.block + 113, +s.items.parcel);
  FLAGS.forEach((name, i) => view.setUint8(at.block + 114 + i, +s.flags[name]));
  view.setUint8(at.block + 129, +(s.talk !== null));
  view.setUint8(at.block + 130, +fighting(s));
  const pose = [p.x, p.y, p.z, p.yaw];
  copy(at.picture, pose);
  copy(at.map, [p.x + 100, p.y, p.z + 100, p.yaw]);
  pose.forEach((v, i) => view.setFloat32(at.radio + 16 + 4 * i, v, true));
  if (fresh || s.frames % 30 === 0) copy(at.footprint, pose);
  if (fresh) copy(at.start, pose);
  fresh = false;
}

/** From the block into the state. @param {State} s */
export function load(s) {
  const { player: p, mump: m } = s;
  [p.x, p.y, p.z, p.yaw, p.walked] = [0, 1, 2, 3, 4].map((i) => get(at.block, i));
  s.hearts = view.getInt32(at.block + 56, true);
  m.mode = MODES[view.getUint8(at.block + 60)];
  m.shouted = view.getInt32(at.block + 64, true);
  [m.x, m.z, m.yaw, s.cat.x, s.cat.z] = [7, 8, 9, 10, 11].map((i) => get(at.block, i));
  s.items.basket = view.getUint8(at.block + 112) > 0;
  s.items.parcel = view.getUint8(at.block + 113) > 0;
  FLAGS.forEach((name, i) => (s.flags[name] = view.getUint8(at.block + 114 + i) > 0));
}

/** Where the block begins, for tests: what a search has to find. */
export const place = () => at.block;

/** @param {number} block @param {number[]} values */
function copy(block, values) {
  values.forEach((v, i) => put(block, i, v));
}

/** The n-th number of a block. @param {number} block @param {number} n @param {number} value */
function put(block, n, value) {
  view.setFloat64(block + 16 + 8 * n, value, true);
}

/** @param {number} block @param {number} n */
function get(block, n) {
  return view.getFloat64(block + 16 + 8 * n, true);
}
