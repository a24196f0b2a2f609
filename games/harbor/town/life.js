// @ts-check
/**
 * Harbour, what stirs by itself: the sea and the sun on it, boats, gulls, smoke, the fountain, fireflies. Nobody can touch
 * it and nothing depends on it; all of it follows from the count of frames.
 */

import { face, idOf } from './build.js';
import { grain, halo, plain } from './surfaces.js';
import { FACES, FIRES } from './town.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {import('./raster.js').Face} Face */
/** @typedef {import('./raster.js').Camera} Camera */

const SEA = FACES.filter((f) => f.id === idOf('the sea'));
const SEA_UV = SEA.map((f) => [...f.uv]);
const SEA_WARM = SEA.map((f) => [...f.warm]);
const BOATS = FACES.filter((f) => f.id === idOf('a boat'));
const BOATS_P = BOATS.map((f) => [...f.p]);
/** Bearing of the sun (radians), and how wide its path on the water is to each side. */
const SUN = (262 * Math.PI) / 180;
const PATH = 0.3;

const FEATHERS = plain([232, 228, 232]);
const TIPS = plain([120, 118, 136]);
const SMOKE = halo([196, 176, 190], 96);
const FIREFLY = halo([226, 255, 150], 250);
const DROP = plain([206, 224, 244, 170]);
const SQUARE = [[0, 64], [64, 64], [64, 0], [0, 0]];

/** Moves what stands in the town as faces: the water, and the boats on it. @param {State} s @param {Camera} camera */
export function stir(s, camera) {
  const shift = (s.frames * 0.12) % 64;
  for (const [i, f] of SEA.entries()) {
    for (let k = 0; k < f.warm.length; k++) {
      f.uv[k * 2] = SEA_UV[i][k * 2] + shift;
      const [dx, dz] = [f.p[k * 3] - camera.x, f.p[k * 3 + 2] - camera.z];
      const off = Math.atan2(Math.sin(Math.atan2(dx, dz) - SUN), Math.cos(Math.atan2(dx, dz) - SUN)) / PATH;
      f.warm[k] = SEA_WARM[i][k] + 1.2 * Math.exp(-off * off) * Math.min(1, Math.hypot(dx, dz) / 30);
    }
  }
  for (const [i, f] of BOATS.entries()) {
    // Each boat has its own beat; it lies where no other one is.
    const beat = Math.round(f.middle[0] / 10);
    const [up, roll] = [Math.sin(s.frames * 0.03 + beat * 2) * 0.05, Math.sin(s.frames * 0.021 + beat) * 0.03];
    for (let k = 0; k < f.p.length; k += 3) f.p[k + 1] = BOATS_P[i][k + 1] + up + roll * (BOATS_P[i][k + 2] - 5);
  }
}

/** All that is in the air. @param {State} s @param {Camera} camera @returns {Face[]} */
export function life(s, camera) {
  /** @type {Face[]} */
  const out = [];
  for (let i = 0; i < 6; i++) out.push(...gull(s.frames, i));
  const [rx, rz] = [Math.cos(camera.yaw), -Math.sin(camera.yaw)];
  const spot = (/** @type {number[]} */ [x, y, z], /** @type {number} */ r, /** @type {import('./raster.js').Texture} */ texture, name = '') => {
    const corner = (/** @type {number} */ u, /** @type {number} */ v) => [x + rx * u * r, y + v * r, z + rz * u * r];
    out.push(face([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], SQUARE, texture, { both: true, light: [256, 256, 256], name }));
  };
  for (const [i, at] of FIRES.entries()) {
    for (let k = 0; k < 4; k++) {
      const age = (s.frames / 260 + k / 4 + grain(i, 0, 5)) % 1;
      spot([at.x + age * 1.6 + Math.sin(age * 7 + i) * 0.2, at.y + age * 3, at.z + age * 0.5], 0.3 + age * 0.9 * Math.min(1, (1 - age) * 3), SMOKE);
    }
  }
  for (let i = 0; i < 7; i++) {
    const t = s.frames * 0.011 + i * 2.4;
    if (Math.sin(t * 3.1) < -0.3) continue;
    spot([14.4 + Math.sin(t) * 3.4, 0.9 + 0.5 * Math.sin(t * 1.7 + i), 29 + Math.cos(t * 0.8 + i) * 2.6], 0.1, FIREFLY);
  }
  for (let i = 0; i < 12; i++) {
    const age = (s.frames / 42 + i / 12) % 1;
    const a = i * 2.4;
    const out2 = 0.3 + age * 0.62;
    spot([31 + Math.cos(a) * out2, 1.5 + 1.9 * age - 2.85 * age * age, 26.8 + Math.sin(a) * out2], 0.035, DROP);
  }
  return out;
}

/** One of the gulls that circle over the harbour. @param {number} frames @param {number} i @returns {Face[]} */
function gull(frames, i) {
  const a = (frames * 0.006 * (i % 2 ? 1 : -1)) / (1 + 0.2 * i) + i * 2.1;
  const r = 7 + 2.4 * i;
  const [x, y, z] = [30 + 4 * (i % 3) + r * Math.cos(a), 5.2 + 0.9 * i + Math.sin(frames * 0.01 + i), -4 + r * 0.7 * Math.sin(a)];
  const yaw = i % 2 ? -a : Math.PI - a;
  const [ax, az] = [Math.sin(yaw), Math.cos(yaw)];
  // It glides, and beats its wings now and then.
  const beat = Math.sin(frames * 0.013 + i * 3) > 0.2 ? Math.sin(frames * 0.22 + i) * 0.34 : 0.12;
  const at = (/** @type {number} */ side, /** @type {number} */ up, /** @type {number} */ ahead) => [x + az * side + ax * ahead, y + up, z - ax * side + az * ahead];
  const how = { both: true, name: 'a gull', light: [236, 220, 226] };
  const uv = [[0, 4], [4, 4], [4, 0], [0, 0]];
  const faces = [face([at(0, -0.07, -0.42), at(0.09, 0, 0), at(0, 0.02, 0.4), at(-0.09, 0, 0)], uv, FEATHERS, how)];
  for (const side of [-1, 1]) {
    faces.push(face([at(0, 0, -0.14), at(side * 0.45, beat * 0.7, -0.12), at(side * 0.45, beat * 0.7, 0.14), at(0, 0, 0.2)], uv, FEATHERS, how));
    faces.push(face([at(side * 0.45, beat * 0.7, -0.12), at(side * 0.85, beat, -0.16), at(side * 0.45, beat * 0.7, 0.14)], uv, TIPS, how));
  }
  return faces;
}
