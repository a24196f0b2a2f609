// @ts-check
/** Harbour, a picture of the town: everything there is, seen from a camera. */

import { cameraOf } from './body.js';
import { face } from './build.js';
import { lookOf } from './creatures.js';
import { balloon, cat, mump, parcel, person } from './figures.js';
import { life, stir } from './life.js';
import { present } from './people.js';
import { Picture } from './raster.js';
import { fillSky } from './sky.js';
import { FACES, GATES, GLOWS } from './town.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {import('./raster.js').Face} Face */

const WIDTH = 640;
const HEIGHT = 360;
const picture = new Picture(WIDTH, HEIGHT);
const sheet = new OffscreenCanvas(WIDTH, HEIGHT);
const sheetCtx = /** @type {OffscreenCanvasRenderingContext2D} */ (sheet.getContext('2d', { alpha: false, willReadFrequently: true }));
const image = new ImageData(WIDTH, HEIGHT);
const pixels = new Uint32Array(image.data.buffer);
/** Metres from the camera from which on the figure is drawn. */
const SHOWN = 1.3;
const YOU = { coat: [240, 190, 64], legs: [64, 84, 124], hair: [96, 58, 44], hat: [226, 96, 72], pack: [70, 128, 148] };

/** Draws the town onto the whole canvas. @param {CanvasRenderingContext2D} ctx @param {State} s @param {number} turn degrees to the right of straight on */
export function drawTown(ctx, s, turn) {
  render(picture, s, turn);
  fillSky(picture);
  pixels.set(picture.color);
  sheetCtx.putImageData(image, 0, 0);
  ctx.imageSmoothingEnabled = true;
  ctx.drawImage(sheet, 0, 0, 1280, 720);
}

/** All but the sky. @param {Picture} on @param {State} s @param {number} turn */
export function render(on, s, turn) {
  const camera = cameraOf(s, turn);
  stir(s, camera);
  on.begin(camera, camera.back > SHOWN ? s.player : null);
  const gates = Object.entries(GATES).filter(([flag]) => !s.flags[flag]).map(([, list]) => list);
  on.faces([FACES, ...gates, moving(s, camera.back), life(s, camera), glows(camera, s.frames)]);
}

/** @param {State} s @param {number} back @returns {Face[]} */
function moving(s, back) {
  /** @type {Face[]} */
  const out = [];
  if (back > SHOWN) out.push(...person(s.player, '', YOU, s.player.walked, s.raised / 16));
  for (const o of present(s)) {
    if (o.look) out.push(...person({ x: o.x, y: o.y, z: o.z, yaw: o.yaw + Math.sin(s.frames * 0.02 + o.x) * 6 }, o.seen ?? '', o.look, 0, s.talk?.who === o.id ? 0.5 : 0));
    else if (o.id === 'parcel') out.push(...parcel(o));
  }
  out.push(...cat({ ...s.cat, y: 0, yaw: s.cat.way > 0 ? 0 : 180 }, s.cat.walked));
  if (s.quest === 'm3') out.push(...balloon({ x: 13.9, y: 0, z: 27.3 }));
  const m = s.mump;
  if (m.mode !== 'gone') out.push(...mump({ x: m.x, y: 0, z: m.z, yaw: m.yaw }, lookOf(m)));
  return out;
}

/** Glows of lamps, each turned to who looks; the lighthouse's comes and goes. @param {import('./raster.js').Camera} c @param {number} frames @returns {Face[]} */
function glows(c, frames) {
  const flash = 3 + 9 * Math.max(0, Math.cos(frames * 0.025)) ** 6;
  const [rx, rz] = [Math.cos(c.yaw), -Math.sin(c.yaw)];
  return GLOWS.filter((g) => Math.hypot(g.x - c.x, g.y - c.y, g.z - c.z) > 2.4).map(({ x, y, z, texture }) => {
    const r = Math.hypot(x - c.x, z - c.z) > 60 ? flash : 1.15;
    const corner = (/** @type {number} */ u, /** @type {number} */ v) => [x + rx * u * r, y + v * r, z + rz * u * r];
    return face([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], [[0, 64], [64, 64], [64, 0], [0, 0]], texture, { both: true, light: [256, 256, 256], decal: 1.06 });
  });
}
