// @ts-check
/** Harbour, who moves: people, the cat and the mump, made of a few many-sided pieces each. */

import { face, lightOn } from './build.js';
import { plain, shadow, stripes } from './surfaces.js';
import { LAMPS, roomAt } from './town.js';

/** @typedef {import('./raster.js').Face} Face */
/** @typedef {{coat: number[], legs: number[], hair: number[], skin?: number[], hat?: number[], apron?: number[], pack?: number[], size?: number}} Look */

export const SKIN = [236, 190, 156];

/** Where a figure stands and what it is called. */
class Figure {
  /** @param {{x: number, y: number, z: number, yaw: number}} at @param {string} name @param {number} size */
  constructor(at, name, size) {
    this.at = at;
    this.name = name;
    this.size = size;
    const a = (at.yaw * Math.PI) / 180;
    this.sin = Math.sin(a);
    this.cos = Math.cos(a);
    this.room = roomAt(at.x, at.y + 1, at.z);
    this.warm = 0.1;
    for (const l of LAMPS) {
      const d = Math.hypot(l.x - at.x, l.y - at.y - 1, l.z - at.z);
      if (l.room === this.room && d < 11) this.warm += (l.power * 0.6 * (1 - d / 11)) / (0.75 + (d / 2.4) ** 2);
    }
    this.warm = Math.min(0.85, this.warm);
    /** @type {Face[]} */ this.faces = [];
  }

  /** A point of the figure (right, up, ahead) in the town. @param {number[]} p */
  place([u, v, w]) {
    const k = this.size;
    return [this.at.x + k * (u * this.cos + w * this.sin), this.at.y + k * v, this.at.z + k * (w * this.cos - u * this.sin)];
  }

  /** A piece with n sides around a line from low to high. @param {number} n @param {number[]} low @param {number} r0 @param {number[]} high @param {number} r1
   * @param {number[]} color @param {{flat?: number, top?: boolean, texture?: import('./raster.js').Texture}} [how] `flat`: how deep it is for its width */
  piece(n, low, r0, high, r1, color, { flat = 1, top = true, texture = plain(color) } = {}) {
    const ring = (/** @type {number[]} */ m, /** @type {number} */ r, /** @type {number} */ i) => {
      const a = ((i + 0.5) / n) * 2 * Math.PI;
      return this.place([m[0] + r * Math.cos(a), m[1], m[2] + r * flat * Math.sin(a)]);
    };
    for (let i = 0; i < n; i++) {
      this.add([ring(low, r0, i), ring(low, r0, i + 1), ring(high, r1, i + 1), ring(high, r1, i)], [[i * 8, 8], [i * 8 + 8, 8], [i * 8 + 8, 0], [i * 8, 0]], texture);
      if (top && r1 > 0.02) this.add([this.place(high), ring(high, r1, i), ring(high, r1, i + 1)], [[0, 0], [4, 0], [4, 4]], texture);
    }
  }

  /** @param {number[][]} corners @param {number[][]} uv @param {import('./raster.js').Texture} texture */
  add(corners, uv, texture) {
    const f = face(corners, uv, texture, { name: this.name, glow: this.warm, both: true });
    f.light = lightOn(f.normal, this.room);
    this.faces.push(f);
  }

  /** A dark spot on the ground. @param {number} r */
  blob(r) {
    const { x, y, z } = this.at;
    const h = y + 0.03;
    this.faces.push(face([[x - r, h, z - r], [x + r, h, z - r], [x + r, h, z + r], [x - r, h, z + r]], [[0, 32], [32, 32], [32, 0], [0, 0]], shadow, { light: [256, 256, 256], decal: 1.01 }));
  }
}

/**
 * A person. @param {{x: number, y: number, z: number, yaw: number}} at @param {string} name @param {Look} look
 * @param {number} stride metres walked: the legs follow @param {number} [raise] 0 to 1: an arm goes up @returns {Face[]}
 */
export function person(at, name, look, stride, raise = 0) {
  const f = new Figure(at, name, look.size ?? 1);
  const skin = look.skin ?? SKIN;
  const swing = Math.sin(stride * 4.2) * 0.26;
  for (const side of [-1, 1]) {
    const foot = swing * side;
    f.piece(4, [side * 0.12, 0, foot], 0.1, [side * 0.11, 0.72, 0], 0.12, look.legs);
    f.piece(4, [side * 0.12, 0, foot + 0.06], 0.13, [side * 0.12, 0.1, foot + 0.04], 0.11, [58, 48, 52]);
    const up = side > 0 ? raise : 0;
    const hand = [side * (0.37 - 0.1 * up), 0.72 + 0.75 * up, -foot * 0.9 + 0.3 * up];
    f.piece(4, hand, 0.07, [side * 0.27, 1.26, 0], 0.1, look.coat, { top: false });
    f.piece(4, [hand[0], hand[1] - 0.07, hand[2]], 0.07, [hand[0], hand[1] + 0.03, hand[2]], 0.06, skin);
  }
  f.piece(8, [0, 0.5, 0], 0.34, [0, 1, 0], 0.27, look.coat, { flat: 0.75, top: false });
  f.piece(8, [0, 1, 0], 0.27, [0, 1.32, 0], 0.24, look.coat, { flat: 0.75 });
  if (look.apron) f.piece(4, [0, 0.5, 0.12], 0.27, [0, 1.12, 0.1], 0.21, look.apron, { flat: 0.8 });
  if (look.pack) {
    f.piece(4, [0, 0.78, -0.24], 0.26, [0, 1.28, -0.22], 0.23, look.pack, { flat: 0.75 });
    f.piece(4, [0, 0.8, -0.36], 0.17, [0, 1.02, -0.36], 0.16, look.pack.map((v) => v * 0.74), { flat: 0.5 });
    f.piece(4, [0, 1.27, -0.24], 0.25, [0, 1.37, -0.24], 0.23, [124, 84, 62], { flat: 0.6 });
  }
  f.piece(6, [0, 1.3, 0], 0.09, [0, 1.4, 0], 0.09, skin);
  f.piece(8, [0, 1.36, 0], 0.15, [0, 1.5, 0], 0.19, skin, { top: false });
  f.piece(8, [0, 1.5, 0], 0.19, [0, 1.68, 0], 0.13, skin);
  f.piece(8, [0, 1.52, -0.04], 0.2, [0, 1.74, -0.02], 0.13, look.hair);
  for (const side of [-1, 1]) f.piece(4, [side * 0.07, 1.5, 0.165], 0.024, [side * 0.07, 1.56, 0.165], 0.024, [40, 34, 44], { flat: 0.8 });
  if (look.hat) {
    f.piece(8, [0, 1.66, 0], 0.3, [0, 1.7, 0], 0.28, look.hat);
    f.piece(8, [0, 1.69, 0], 0.2, [0, 1.86, 0], 0.15, look.hat);
  }
  f.blob(0.42 * f.size);
  return f.faces;
}

/** @param {{x: number, y: number, z: number, yaw: number}} at @param {number} stride @returns {Face[]} */
export function cat(at, stride) {
  const f = new Figure(at, 'a grey cat', 1);
  const fur = [122, 118, 128];
  const swing = Math.sin(stride * 9) * 0.08;
  for (const [u, w, k] of [[-0.08, 0.16, 1], [0.08, 0.16, -1], [-0.08, -0.16, -1], [0.08, -0.16, 1]]) f.piece(4, [u, 0, w + swing * k], 0.035, [u, 0.2, w], 0.05, fur);
  f.piece(6, [0, 0.16, 0], 0.13, [0, 0.34, 0], 0.12, fur, { flat: 2 });
  f.piece(6, [0, 0.28, 0.27], 0.1, [0, 0.44, 0.27], 0.09, fur);
  for (const u of [-0.06, 0.06]) f.piece(4, [u, 0.44, 0.27], 0.04, [u, 0.52, 0.27], 0.005, [90, 84, 96]);
  f.piece(4, [0, 0.3, -0.26], 0.03, [0.05, 0.62, -0.34], 0.02, fur);
  f.blob(0.3);
  return f.faces;
}

/** The mump: a round thing from the sea, with horns. @param {{x: number, y: number, z: number, yaw: number}} at @param {{puff: number, hop: number,
 * shut: boolean, red: boolean}} look @returns {Face[]} */
export function mump(at, { puff, hop, shut, red }) {
  const f = new Figure({ ...at, y: at.y + hop }, 'the mump', 1 + 0.3 * puff);
  const skin = red ? [206, 92, 112] : [64, 150, 150];
  const spots = stripes(skin, skin.map((v) => v * 0.78));
  f.piece(10, [0, 0, 0], 0.42, [0, 0.35, 0], 0.62, skin, { top: false, texture: spots });
  f.piece(10, [0, 0.35, 0], 0.62, [0, 0.8, 0], 0.5, skin, { top: false, texture: spots });
  f.piece(10, [0, 0.8, 0], 0.5, [0, 1.05, 0], 0.2, skin, { texture: spots });
  f.piece(8, [0, 0.2, 0.34], 0.3, [0, 0.55, 0.36], 0.26, [232, 214, 176], { flat: 0.8 });
  for (const side of [-1, 1]) {
    f.piece(6, [side * 0.22, 0.66, 0.42], 0.11, [side * 0.22, 0.86, 0.38], 0.1, shut ? skin : [250, 244, 200]);
    if (!shut) f.piece(4, [side * 0.21, 0.71, 0.5], 0.05, [side * 0.21, 0.81, 0.48], 0.05, [24, 20, 34]);
    f.piece(5, [side * 0.3, 0.95, 0], 0.09, [side * 0.42, 1.35, 0.06], 0.01, [240, 226, 190]);
    f.piece(5, [side * 0.6, 0.2, 0.1], 0.16, [side * 0.8, 0.06, 0.2], 0.06, skin);
  }
  f.blob(0.7);
  return f.faces;
}

/** Something that lies there: a parcel. @param {{x: number, y: number, z: number}} at @returns {Face[]} */
export function parcel(at) {
  const f = new Figure({ ...at, yaw: 20 }, 'a parcel', 1);
  f.piece(4, [0, 0, 0], 0.34, [0, 0.34, 0], 0.34, [196, 152, 98]);
  f.piece(4, [0, 0.342, 0], 0.1, [0, 0.36, 0], 0.1, [206, 60, 60]);
  f.blob(0.4);
  return f.faces;
}

/** A cat-sized balloon on a string. @param {{x: number, y: number, z: number}} at @returns {Face[]} */
export function balloon(at) {
  const f = new Figure({ ...at, yaw: 0 }, 'a red balloon', 1);
  f.piece(4, [0, 0.3, 0], 0.01, [0, 1.5, 0], 0.01, [230, 226, 220]);
  f.piece(8, [0, 1.5, 0], 0.06, [0, 1.75, 0], 0.22, [226, 60, 66], { top: false });
  f.piece(8, [0, 1.75, 0], 0.22, [0, 2.02, 0], 0.08, [236, 84, 88]);
  return f.faces;
}
