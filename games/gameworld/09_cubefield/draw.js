// @ts-check
/** Cube Storm, the picture: seen from behind the ship; the whole world leans over when it steers. */

import { box, COLORS, disc, hud, polygon, text } from '../../kit/draw.js';
import { blend, project, shade } from '../../kit/solid.js';
import { CUBE, LEVEL_FRAMES, speedOf, VIEW } from './rules.js';
import { ship } from './ship.js';

/** Every level has the next of these: sky from top to horizon, sun, mountains, ground, and the colours of the cubes. */
const WORLDS = [
  { sky: '#16296b', mid: '#6f86d6', haze: '#ffd3bd', sun: '#fff3cf', far: '#a892bd', peaks: '#6f6aa8', ground: '#2c4486', lines: '#9fc0ff', cubes: ['#ff4d55', '#ff9430', '#ffd02e', '#ff6fb5', '#f2f6ff'] },
  { sky: '#04262a', mid: '#1d7a68', haze: '#d3f5c4', sun: '#fbffd9', far: '#6fb597', peaks: '#2f7d68', ground: '#12503f', lines: '#7df0b8', cubes: ['#ff5d5d', '#ffd02e', '#f4fff8', '#ff9430', '#c79bff'] },
  { sky: '#210c47', mid: '#a03078', haze: '#ffb27a', sun: '#ffe48a', far: '#b0577f', peaks: '#6e2c6b', ground: '#4a1f5a', lines: '#ff8fd0', cubes: ['#ffd02e', '#4fe3da', '#fff4ec', '#ff7a3c', '#9bf57f'] },
  { sky: '#03061a', mid: '#182a70', haze: '#5d7be0', sun: '#dfe8ff', far: '#2f4699', peaks: '#1a2765', ground: '#0d1438', lines: '#4f78ff', cubes: ['#ffd02e', '#ff6f4a', '#6ff596', '#ff5fa8', '#f4f7ff'] },
];
const HORIZON = 290;
const EYE = { up: 3.3, back: 7.5 };
const FOCAL = 720;
/** The middle of the ship in the picture, about which the world leans. */
const SHIP_Y = HORIZON + (FOCAL * EYE.up) / EYE.back;
const MIST = { near: 40, far: VIEW + 8 };
const BAND = 8;
/** Lines and bands on the ground end where the mist has swallowed them. */
const GROUND_VIEW = 88;

/** @typedef {typeof WORLDS[0]} World */
/** @typedef {import('../../kit/solid.js').Camera} Camera */

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const world = WORLDS[(s.level - 1) % WORLDS.length];
  const cam = { x: s.x, y: EYE.up, z: s.distance - EYE.back, focal: FOCAL, horizon: HORIZON };
  ctx.save();
  ctx.translate(640, SHIP_Y);
  ctx.rotate(-s.side * 0.4);
  ctx.translate(-640, -SHIP_Y);
  heaven(ctx, s, world);
  ground(ctx, s, cam, world);
  const cubes = s.cubes.filter((c) => c.z - cam.z > CUBE / 2 + 0.25);
  const distance = (/** @type {import('./rules.js').Cube} */ c) => Math.hypot(c.x - cam.x, c.z - cam.z);
  cubes.sort((a, b) => distance(b) - distance(a));
  for (const c of cubes) foot(ctx, cam, c, world);
  for (const c of cubes) cube(ctx, cam, c, world);
  ship(ctx, s, cam);
  ctx.restore();
  panels(ctx, s);
}

/** Sky, sun, stars and two rows of mountains. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s
 * @param {World} world */
function heaven(ctx, s, world) {
  const up = ctx.createLinearGradient(0, -120, 0, HORIZON);
  up.addColorStop(0, world.sky);
  up.addColorStop(0.55, world.mid);
  up.addColorStop(1, world.haze);
  ctx.fillStyle = up;
  // Beyond the horizon too: where the leaning edge of the ground is blended, nothing of the picture before may shine through.
  ctx.fillRect(-300, -300, 1880, HORIZON + 320);
  for (let i = 0; i < 60; i++) {
    const y = ((i * 157) % 300) - 110;
    disc(ctx, (i * 449) % 1500 - 110, y, 0.8 + (i % 3) * 0.6, `rgba(255,255,255,${(0.75 * (190 - y)) / 300})`);
  }
  const glow = ctx.createRadialGradient(640, HORIZON, 60, 640, HORIZON, 420);
  glow.addColorStop(0, world.sun + 'cc');
  glow.addColorStop(1, world.sun + '00');
  ctx.fillStyle = glow;
  ctx.fillRect(220, HORIZON - 420, 840, 420);
  disc(ctx, 640, HORIZON - 38, 96, world.sun);
  mountains(ctx, s.x * 1.2, 62, 310, blend(world.far, world.haze, 0.35));
  mountains(ctx, s.x * 2.4 + 90, 38, 190, world.peaks);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} h @param {number} w @param {string} color */
function mountains(ctx, shift, h, w, color) {
  const peak = (/** @type {number} */ i) => h * (0.45 + 0.55 * Math.abs(Math.sin(i * 12.9898)));
  ctx.beginPath();
  ctx.moveTo(-300, HORIZON + 3);
  for (let i = Math.floor((shift - 300) / w); i * w - shift < 1600; i++) {
    const x = i * w - shift;
    ctx.lineTo(x, HORIZON - peak(i));
    ctx.lineTo(x + w * 0.32, HORIZON - peak(i) * 0.62);
    ctx.lineTo(x + w * 0.45, HORIZON - peak(i) * 0.7);
    ctx.lineTo(x + w * 0.7, HORIZON - peak(i + 1) * 0.3);
  }
  ctx.lineTo(1600, HORIZON + 3);
  ctx.fillStyle = color;
  ctx.fill();
}

/** The plain with bands, lines and flecks of dust, which show speed and drift.
 * @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {Camera} cam @param {World} world */
function ground(ctx, s, cam, world) {
  const down = ctx.createLinearGradient(0, HORIZON, 0, 720);
  down.addColorStop(0, world.haze);
  down.addColorStop(0.05, blend(world.haze, world.ground, 0.35));
  down.addColorStop(0.24, world.ground);
  down.addColorStop(1, shade(world.ground, 0.8));
  ctx.fillStyle = down;
  ctx.fillRect(-300, HORIZON, 1880, 800);
  const yAt = (/** @type {number} */ z) => HORIZON + (FOCAL * EYE.up) / Math.max(1.5, z - cam.z);
  for (let k = Math.floor((cam.z + 1.5) / BAND); k * BAND < s.distance + GROUND_VIEW; k++) {
    if (k % 2) continue;
    const far = (k + 1) * BAND;
    ctx.fillStyle = world.lines + byte(0.13 * fade(far - cam.z));
    ctx.fillRect(-300, yAt(far), 1880, yAt(k * BAND) - yAt(far));
  }
  const light = ctx.createLinearGradient(0, HORIZON, 0, 720);
  light.addColorStop(0, world.lines + '00');
  light.addColorStop(0.14, world.lines + '50');
  light.addColorStop(1, world.lines + 'b0');
  ctx.strokeStyle = light;
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let x = Math.ceil((s.x - 72) / 6) * 6; x < s.x + 72; x += 6) {
    const near = project(cam, [x, 0, cam.z + 1.5]);
    const far = project(cam, [x, 0, s.distance + GROUND_VIEW]);
    if (!near || !far) continue;
    ctx.moveTo(near.x, near.y);
    ctx.lineTo(far.x, far.y);
  }
  for (let k = Math.ceil((cam.z + 1.5) / BAND); k * BAND < s.distance + GROUND_VIEW; k++) {
    ctx.moveTo(-300, yAt(k * BAND));
    ctx.lineTo(1580, yAt(k * BAND));
  }
  ctx.stroke();
  flecks(ctx, s, cam, world);
}

/** Streaks on the ground; the faster the ship, the longer. @param {CanvasRenderingContext2D} ctx
 * @param {import('./rules.js').State} s @param {Camera} cam @param {World} world */
function flecks(ctx, s, cam, world) {
  const length = speedOf(s.level) * 1.6;
  for (let k = Math.ceil((cam.z + 2) / 3); k * 3 < cam.z + 42; k++) {
    for (let j = 0; j < 3; j++) {
      const x = s.x + ((((k * 17.3 + j * 23.7 - s.x) % 44) + 44) % 44) - 22;
      const a = project(cam, [x, 0.02, k * 3]);
      const b = project(cam, [x, 0.02, k * 3 + length]);
      if (!a || !b) continue;
      ctx.strokeStyle = world.lines + byte(0.75 * fade((k * 3 - cam.z) * 2));
      ctx.lineWidth = Math.max(1, a.scale * 0.02);
      ctx.beginPath();
      ctx.moveTo(a.x, a.y);
      ctx.lineTo(b.x, b.y);
      ctx.stroke();
    }
  }
}

/** The shadow that a cube throws towards the viewer, since the sun stands in front.
 * @param {CanvasRenderingContext2D} ctx @param {Camera} cam @param {import('./rules.js').Cube} c @param {World} world */
function foot(ctx, cam, c, world) {
  const z = c.z - cam.z;
  if (z > 70) return;
  const h = CUBE / 2;
  const front = Math.max(cam.z + 0.3, c.z - h - 1.9);
  const lean = (c.x - cam.x) * 0.03;
  /** @type {[number, number, number][]} */
  const at = [[c.x - h, 0, c.z + h], [c.x + h, 0, c.z + h], [c.x + h + lean, 0, front], [c.x - h + lean, 0, front]];
  polygon(ctx, flat(cam, at), shade(world.ground, 0.35) + byte(0.6 * fade(z)));
}

/** @param {CanvasRenderingContext2D} ctx @param {Camera} cam @param {import('./rules.js').Cube} c @param {World} world */
function cube(ctx, cam, c, world) {
  const h = CUBE / 2;
  const depth = Math.hypot(c.x - cam.x, c.z - cam.z);
  if (depth > MIST.far) return;
  const mist = Math.max(0, (depth - MIST.near) / (MIST.far - MIST.near));
  const color = (/** @type {string} */ base) => blend(base, world.haze, mist);
  const base = world.cubes[c.tint];
  const [l, r, n, f] = [c.x - h, c.x + h, c.z - h, c.z + h];
  const edge = mist < 0.6 ? color(shade(base, 0.22)) : undefined;
  const line = Math.max(1, Math.min(5, 70 / depth));
  const side = cam.x < l ? l : cam.x > r ? r : null;
  if (side !== null) {
    face(ctx, cam, [[side, 0, n], [side, 0, f], [side, CUBE, f], [side, CUBE, n]], color(shade(base, 0.55)), edge, line);
  }
  face(ctx, cam, [[l, CUBE, n], [r, CUBE, n], [r, CUBE, f], [l, CUBE, f]], color(blend(base, '#ffffff', 0.55)), edge, line);
  face(ctx, cam, [[l, 0, n], [r, 0, n], [r, CUBE, n], [l, CUBE, n]], color(shade(base, 0.86)), edge, line);
  if (depth > 48) return;
  // A lighter plate on the front, bright at its upper edge.
  const i = CUBE * 0.17;
  face(ctx, cam, [[l + i, i, n], [r - i, i, n], [r - i, CUBE - i, n], [l + i, CUBE - i, n]], color(base));
  face(ctx, cam, [[l + i, CUBE - i - 0.18, n], [r - i, CUBE - i - 0.18, n], [r - i, CUBE - i, n], [l + i, CUBE - i, n]], color(blend(base, '#ffffff', 0.5)));
}

/** @param {CanvasRenderingContext2D} ctx @param {Camera} cam @param {[number, number, number][]} points @param {string} fill
 * @param {string} [edge] @param {number} [line] */
function face(ctx, cam, points, fill, edge, line) {
  polygon(ctx, flat(cam, points), fill, edge, line);
}

/** @param {Camera} cam @param {[number, number, number][]} points all in front of the camera */
function flat(cam, points) {
  return points.flatMap((p) => {
    const at = project(cam, p);
    return at ? [[at.x, at.y]] : [];
  });
}

/** 1 near by, 0 in the mist. @param {number} depth */
function fade(depth) {
  return Math.max(0, Math.min(1, 1.1 - depth / 80));
}

/** An opacity in [0, 1] as the last two digits of a colour. @param {number} alpha */
function byte(alpha) {
  return Math.round(255 * Math.max(0, Math.min(1, alpha))).toString(16).padStart(2, '0');
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function panels(ctx, s) {
  hud(ctx, [['Score', s.score], ['Level', s.level]]);
  hud(ctx, [['Speed', Math.round(speedOf(s.level) * 60)]], { align: 'right' });
  if (s.frames < 90) {
    box(ctx, 370, 90, 540, 60, 'rgba(16,20,30,0.84)', { radius: 16 });
    text(ctx, 'Steer left and right, hit no cube', 640, 121, { size: 28, color: COLORS.white });
  }
  const since = s.frames - (s.level - 1) * LEVEL_FRAMES;
  if (s.level > 1 && since < 60 && !s.over) {
    ctx.globalAlpha = Math.min(1, (60 - since) / 20);
    text(ctx, `Level ${s.level}`, 640, 130, { size: 64, color: COLORS.white, outline: COLORS.ink });
    ctx.globalAlpha = 1;
  }
}
