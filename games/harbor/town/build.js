// @ts-check
/**
 * Harbour, what the town is built of: each part adds what is seen (faces), what is in the way (solids) and what is stood on
 * (floors). Metres; x is east, y up, z north.
 *
 * @typedef {import('./raster.js').Face} Face
 * @typedef {import('./raster.js').Texture} Texture
 * @typedef {{x0: number, x1: number, y0: number, y1: number, z0: number, z1: number, thin: boolean, gate: string}} Box
 *   `thin`: the camera goes through; `gate`: it is in the way until that flag is set
 * @typedef {{x: number, z: number, r: number, y0: number, y1: number, thin: boolean}} Post
 * @typedef {{x0: number, x1: number, z0: number, z1: number, y: number, rise: number, along: 'x'|'z'}} Floor
 *   `rise`: how much higher the far end lies
 * @typedef {{x: number, y: number, z: number, power: number, room: string}} Lamp
 * @typedef {{name?: string, room?: string, solid?: boolean, thin?: boolean, gate?: string, both?: boolean, decal?: number, glow?: number,
 *   piece?: number, dense?: number}} How  `piece`: metres of the pieces it is cut into; `dense`: texels a metre
 */

import { brick, facade, grain, halo, lampGlass, plain, sign, tiles } from './surfaces.js';

/** Texels a metre of most surfaces. */
const DENSE = 24;
/** Light from the evening sky, and from the sun that has nearly set in the west. */
const SKY = [150, 140, 176];
const SUN = [150, 84, 44];

/** @type {string[]} */
export const NAMES = [''];

/** The number by which a thing is known in a picture. @param {string} name */
export function idOf(name) {
  const found = NAMES.indexOf(name);
  return found >= 0 ? found : NAMES.push(name) - 1;
}

/** A flat face of three or four corners, seen from where they go round against the clock.
 * @param {number[][]} corners @param {number[][]} uv @param {Texture} texture @param {How & {light?: number[]}} how @returns {Face} */
export function face(corners, uv, texture, how = {}) {
  const [a, b, c] = corners;
  const u = b.map((v, i) => v - a[i]);
  const w = c.map((v, i) => v - a[i]);
  const n = [w[1] * u[2] - w[2] * u[1], w[2] * u[0] - w[0] * u[2], w[0] * u[1] - w[1] * u[0]];
  const size = Math.hypot(...n) || 1;
  const normal = n.map((v) => v / size);
  const middle = [0, 1, 2].map((i) => corners.reduce((s, p) => s + p[i], 0) / corners.length);
  const radius = Math.max(...corners.map((p) => Math.hypot(...p.map((v, i) => v - middle[i]))));
  const wide = Math.hypot(...u) || 1;
  const dense = Math.hypot(uv[1][0] - uv[0][0], uv[1][1] - uv[0][1]) / wide;
  return {
    p: corners.flat(), uv: uv.flat(), warm: corners.map(() => how.glow ?? 0), light: how.light ?? lightOn(normal, how.room ?? ''), texture,
    id: idOf(how.name ?? ''), normal, middle, radius, dense, both: how.both ?? false, decal: how.decal ?? 1,
  };
}

/** @param {number[]} n @param {string} room */
export function lightOn(n, room) {
  const up = 0.72 + 0.28 * n[1];
  if (room) return [182, 158, 132].map((v) => v * (0.78 + 0.12 * n[1] + 0.1 * Math.abs(n[0])));
  const sun = Math.max(0, -n[0] * 0.9 - n[2] * 0.25 + n[1] * 0.2);
  return SKY.map((v, i) => v * up * (0.92 + 0.08 * n[2]) + SUN[i] * sun);
}

export class Builder {
  constructor() {
    /** @type {Face[]} */ this.faces = [];
    /** Faces that are there only until a flag is set. @type {Record<string, Face[]>} */ this.gates = {};
    /** @type {Box[]} */ this.boxes = [];
    /** @type {Post[]} */ this.posts = [];
    /** @type {Floor[]} */ this.floors = [];
    /** @type {Lamp[]} */ this.lamps = [];
    /** Glows that always face who looks. @type {{x: number, y: number, z: number, texture: Texture}[]} */ this.glows = [];
    /** Chimneys that smoke. @type {{x: number, y: number, z: number}[]} */ this.fires = [];
    /** @type {Map<Face, string>} */ this.rooms = new Map();
  }

  /** @param {Face} f @param {How} how */
  add(f, how) {
    (how.gate ? (this.gates[how.gate] ??= []) : this.faces).push(f);
    this.rooms.set(f, how.room ?? '');
  }

  /**
   * A rectangle from a corner along two sides, cut into pieces. It is seen from where `right` is to the right.
   * @param {number[]} corner @param {number[]} right @param {number[]} up @param {Texture} texture @param {How & {fit?: boolean}} [how]
   *   `fit`: the texture covers it once
   */
  rect(corner, right, up, texture, how = {}) {
    const wide = Math.hypot(...right);
    const tall = Math.hypot(...up);
    const most = how.fit ? Infinity : (how.piece ?? 2.5);
    const [nx, ny] = [Math.max(1, Math.ceil(wide / most - 1e-6)), Math.max(1, Math.ceil(tall / most - 1e-6))];
    const dense = how.dense ?? DENSE;
    const along = how.fit ? texture.width : wide * dense;
    const down = how.fit ? texture.height : tall * dense;
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const at = (/** @type {number} */ a, /** @type {number} */ b) => corner.map((v, k) => v + (right[k] * a) / nx + (up[k] * b) / ny);
        const uv = (/** @type {number} */ a, /** @type {number} */ b) => [(along * a) / nx, down * (1 - b / ny)];
        this.add(face([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], [uv(i, j), uv(i + 1, j), uv(i + 1, j + 1), uv(i, j + 1)], texture, how), how);
      }
    }
  }

  /** Level ground, to be stood on. @param {number} x0 @param {number} z0 @param {number} x1 @param {number} z1 @param {number} y
   * @param {Texture} texture @param {How} [how] */
  ground(x0, z0, x1, z1, y, texture, how = {}) {
    this.rect([x0, y, z0], [x1 - x0, 0, 0], [0, 0, z1 - z0], texture, how);
    this.floors.push({ x0, x1, z0, z1, y, rise: 0, along: 'x' });
  }

  /** A box. @param {number[]} from @param {number[]} to @param {Texture} side @param {Texture} top @param {How & {bottom?: boolean, fit?: boolean}} [how] */
  box([x0, y0, z0], [x1, y1, z1], side, top, how = {}) {
    const [w, h, d] = [x1 - x0, y1 - y0, z1 - z0];
    this.rect([x0, y0, z0], [w, 0, 0], [0, h, 0], side, how);
    this.rect([x1, y0, z1], [-w, 0, 0], [0, h, 0], side, how);
    this.rect([x0, y0, z1], [0, 0, -d], [0, h, 0], side, how);
    this.rect([x1, y0, z0], [0, 0, d], [0, h, 0], side, how);
    this.rect([x0, y1, z0], [w, 0, 0], [0, 0, d], top, how);
    if (how.bottom) this.rect([x0, y0, z1], [w, 0, 0], [0, 0, -d], top, how);
    if (how.solid ?? true) this.block([x0, y0, z0], [x1, y1, z1], how);
  }

  /** Something in the way that is not drawn. @param {number[]} from @param {number[]} to @param {How} [how] */
  block([x0, y0, z0], [x1, y1, z1], how = {}) {
    this.boxes.push({ x0, x1, y0, y1, z0, z1, thin: how.thin ?? false, gate: how.gate ?? '' });
  }

  /** A round post, with its top. @param {number} x @param {number} z @param {number} r @param {number} y0 @param {number} y1
   * @param {Texture} side @param {Texture} top @param {How & {sides?: number, slim?: number}} [how] `slim`: radius at the top */
  post(x, z, r, y0, y1, side, top, how = {}) {
    const n = how.sides ?? 8;
    const s = how.slim ?? r;
    const at = (/** @type {number} */ i, /** @type {number} */ y, /** @type {number} */ q) => [x + q * Math.cos((i / n) * 2 * Math.PI), y, z + q * Math.sin((i / n) * 2 * Math.PI)];
    const [wide, tall] = [(2 * Math.PI * r * DENSE) / n, (y1 - y0) * DENSE];
    for (let i = 0; i < n; i++) {
      const corners = [at(i, y0, r), at(i + 1, y0, r), at(i + 1, y1, s), at(i, y1, s)];
      this.add(face(corners, [[wide * i, tall], [wide * (i + 1), tall], [wide * (i + 1), 0], [wide * i, 0]], side, how), how);
      this.add(face([[x, y1, z], at(i, y1, s), at(i + 1, y1, s)], [[0, 0], [8, 0], [8, 8]], top, how), how);
    }
    if (how.solid ?? true) this.posts.push({ x, z, r, y0, y1, thin: how.thin ?? false });
  }

  /**
   * A house of storeys of about three metres; which windows are lit is fixed by where they are.
   * @param {number} x0 @param {number} z0 @param {number} x1 @param {number} z1 @param {number} storeys @param {number[]} color
   * @param {{name?: string, roof?: number[]|null, ridge?: 'x'|'z', lit?: number, high?: number, blind?: string}} [how] `blind`: sides without
   *   windows, of s, n, w, e
   */
  house(x0, z0, x1, z1, storeys, color, how = {}) {
    const high = (how.high ?? 3) * storeys;
    const { name, lit = 0.45, blind = '' } = how;
    /** @type {[string, number[], number[]][]} */
    const sides = [['s', [x0, 0, z0], [x1 - x0, 0, 0]], ['n', [x1, 0, z1], [x0 - x1, 0, 0]], ['w', [x0, 0, z1], [0, 0, z0 - z1]], ['e', [x1, 0, z0], [0, 0, z1 - z0]]];
    for (const [side, corner, right] of sides) this.storeys(corner, right, storeys, high / storeys, color, { name, lit: blind.includes(side) ? -1 : lit });
    this.block([x0, 0, z0], [x1, high, z1]);
    if (how.roof === null) this.rect([x0, high, z0], [x1 - x0, 0, 0], [0, 0, z1 - z0], tiles([120, 112, 118]), { name });
    else {
      const ridge = how.ridge ?? (x1 - x0 > z1 - z0 ? 'x' : 'z');
      this.roof(x0, z0, x1, z1, high, ridge, how.roof ?? [150, 82, 70], color, name);
      const part = 0.28 + 0.44 * grain(Math.round(x0), Math.round(z0), 17);
      this.chimney(ridge === 'x' ? x0 + (x1 - x0) * part : (x0 + x1) / 2, ridge === 'x' ? (z0 + z1) / 2 : z0 + (z1 - z0) * part, high + Math.min(x1 - x0, z1 - z0) * 0.42, name);
    }
  }

  /** On a ridge at height y; some smoke. @param {number} x @param {number} z @param {number} y @param {string} [name] */
  chimney(x, z, y, name) {
    this.box([x - 0.4, y - 0.8, z - 0.32], [x + 0.4, y + 0.75, z + 0.32], brick([136, 88, 78]), plain([58, 48, 52]), { name, solid: false, piece: 9 });
    if (grain(Math.round(x), Math.round(z), 23) < 0.5) this.fires.push({ x, y: y + 0.8, z });
  }

  /** A wall with windows. @param {number[]} corner @param {number[]} right @param {number} storeys @param {number} high @param {number[]} color
   * @param {{name?: string, lit?: number}} how */
  storeys(corner, right, storeys, high, color, { name, lit = 0.45 }) {
    const n = Math.max(1, Math.round(Math.hypot(...right) / 3));
    for (let j = 0; j < storeys; j++) {
      for (let i = 0; i < n; i++) {
        const at = corner.map((v, k) => v + (right[k] * i) / n + (k === 1 ? j * high : 0));
        const dice = grain(Math.round(at[0] * 8 + at[1] * 3), Math.round(at[2] * 8 + right[0]), 31);
        const kind = lit < 0 || dice > 0.9 ? 'none' : dice < lit ? 'lit' : 'dark';
        this.rect(at, right.map((v) => v / n), [0, high, 0], facade(color, kind), { name, fit: true });
      }
    }
  }

  /** A pitched roof. @param {number} x0 @param {number} z0 @param {number} x1 @param {number} z1 @param {number} y @param {'x'|'z'} ridge
   * @param {number[]} color @param {number[]} wall @param {string} [name] */
  roof(x0, z0, x1, z1, y, ridge, color, wall, name) {
    const o = 0.35;
    const t = tiles(color);
    const how = { name, piece: 3.2 };
    const top = y + Math.min(x1 - x0, z1 - z0) * 0.42;
    const plaster = facade(wall, 'none');
    if (ridge === 'x') {
      const m = (z0 + z1) / 2;
      this.rect([x0 - o, y - 0.1, z0 - o], [x1 - x0 + 2 * o, 0, 0], [0, top - y + 0.1, m - z0 + o], t, how);
      this.rect([x1 + o, y - 0.1, z1 + o], [x0 - x1 - 2 * o, 0, 0], [0, top - y + 0.1, m - z1 - o], t, how);
      this.add(face([[x0, y, z1], [x0, y, z0], [x0, top, m]], [[0, 40], [64, 40], [32, 0]], plaster, { name }), {});
      this.add(face([[x1, y, z0], [x1, y, z1], [x1, top, m]], [[0, 40], [64, 40], [32, 0]], plaster, { name }), {});
    } else {
      const m = (x0 + x1) / 2;
      this.rect([x0 - o, y - 0.1, z1 + o], [0, 0, z0 - z1 - 2 * o], [m - x0 + o, top - y + 0.1, 0], t, how);
      this.rect([x1 + o, y - 0.1, z0 - o], [0, 0, z1 - z0 + 2 * o], [m - x1 - o, top - y + 0.1, 0], t, how);
      this.add(face([[x0, y, z0], [x1, y, z0], [m, top, z0]], [[0, 40], [64, 40], [32, 0]], plaster, { name }), {});
      this.add(face([[x1, y, z1], [x0, y, z1], [m, top, z1]], [[0, 40], [64, 40], [32, 0]], plaster, { name }), {});
    }
  }

  /** A board with words. @param {number[]} corner lower left @param {number[]} right @param {number} tall @param {string} words @param {string} ink
   * @param {string} paper @param {How & {shine?: boolean}} [how] */
  words(corner, right, tall, words, ink, paper, how = {}) {
    const wide = Math.hypot(...right);
    const texels = wide / tall > 3.4 ? 256 : wide / tall > 1.4 ? 128 : 64;
    const t = sign(words, ink, paper, texels, words.includes('\n') && texels === 64 ? 128 : 64, how.shine ?? true);
    this.rect(corner, right, [0, tall, 0], t, { ...how, fit: true, name: how.name ?? `the sign "${words.replaceAll('\n', ' ')}"` });
  }

  /** Steps that rise along an axis; walked on as a slope. @param {number} x0 @param {number} z0 @param {number} x1 @param {number} z1
   * @param {number} y0 @param {number} y1 @param {Texture} texture @param {How & {along?: 'x'|'z'}} [how] */
  stairs(x0, z0, x1, z1, y0, y1, texture, how = {}) {
    const along = how.along ?? 'z';
    const n = Math.round((y1 - y0) / 0.22);
    for (let i = 0; i < n; i++) {
      const [a, b] = [i / n, (i + 1) / n];
      const h = y0 + (y1 - y0) * b;
      const [from, to] = along === 'z' ? [[x0, 0, z0 + (z1 - z0) * a], [x1, h, z0 + (z1 - z0) * b]] : [[x0 + (x1 - x0) * a, 0, z0], [x0 + (x1 - x0) * b, h, z1]];
      this.box(from, to, texture, texture, { ...how, solid: false });
    }
    this.floors.push({ x0, x1, z0, z1, y: y0, rise: y1 - y0, along });
  }

  /** A street lamp. @param {number} x @param {number} z @param {number[]} [color] @param {string} [name] */
  lamp(x, z, color = [255, 214, 140], name = 'a street lamp') {
    const iron = plain([54, 56, 70]);
    this.post(x, z, 0.16, 0, 0.35, iron, iron, { name });
    this.post(x, z, 0.06, 0.35, 2.9, iron, iron, { name, sides: 5, solid: false });
    this.post(x, z, 0.1, 2.9, 3.35, lampGlass(color), iron, { name, sides: 6, slim: 0.2, solid: false });
    this.post(x, z, 0.26, 3.35, 3.6, iron, iron, { sides: 6, slim: 0.03, solid: false });
    this.light(x, 3, z, 1, '', color);
  }

  /** A string of lights from point to point. @param {number[]} from @param {number[]} to @param {number} [sag] metres that its middle hangs lower */
  garland(from, to, sag = 0.5) {
    const wire = plain([40, 40, 52]);
    const bulbs = [[255, 210, 120], [255, 168, 96], [255, 236, 190], [246, 140, 120]].map((c) => plain(c, true));
    const n = Math.round(Math.hypot(to[0] - from[0], to[2] - from[2]) / 0.9);
    const at = (/** @type {number} */ i) => from.map((v, k) => v + ((to[k] - v) * i) / n - (k === 1 ? sag * 4 * (i / n) * (1 - i / n) : 0));
    const how = { name: 'a string of lights', both: true };
    const uv = [[0, 4], [4, 4], [4, 0], [0, 0]];
    for (let i = 0; i < n; i++) {
      const [a, b] = [at(i), at(i + 1)];
      this.add(face([a, b, [b[0], b[1] + 0.025, b[2]], [a[0], a[1] + 0.025, a[2]]], uv, wire, how), how);
      if (!i) continue;
      for (const [dx, dz] of [[0.05, 0], [0, 0.05]]) {
        const [x, y, z] = a;
        this.add(face([[x, y - 0.14, z], [x + dx, y - 0.06, z + dz], [x, y, z], [x - dx, y - 0.06, z - dz]], uv, bulbs[i % 4], how), how);
      }
    }
  }

  /** Light without a post. @param {number} x @param {number} y @param {number} z @param {number} power @param {string} room @param {number[]} [color] of
   * its glow; none: no glow */
  light(x, y, z, power, room, color) {
    this.lamps.push({ x, y, z, power, room });
    if (color) this.glows.push({ x, y: y + 0.12, z, texture: halo(color, 120) });
  }

  /** Gives every corner the lamp light that falls on it. */
  finish() {
    for (const [f, room] of this.rooms) {
      for (let i = 0; i < f.warm.length; i++) {
        const [x, y, z] = f.p.slice(i * 3, i * 3 + 3);
        for (const l of this.lamps) {
          if (l.room !== room) continue;
          const [dx, dy, dz] = [l.x - x, l.y - y, l.z - z];
          const d = Math.hypot(dx, dy, dz);
          if (d > 11) continue;
          const facing = (dx * f.normal[0] + dy * f.normal[1] + dz * f.normal[2]) / (d || 1);
          f.warm[i] += (l.power * (0.3 + 0.7 * Math.max(f.both ? 0.5 : 0, facing)) * (1 - d / 11)) / (0.75 + (d / 2.4) ** 2);
        }
        f.warm[i] = Math.min(1, f.warm[i]);
      }
    }
    this.rooms.clear();
  }
}
