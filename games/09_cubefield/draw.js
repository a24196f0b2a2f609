// @ts-check
/** Cube Storm, the picture: seen from behind the ship; the whole world leans over when it steers. */

import { box, COLORS, hud, polygon, text } from '../kit/draw.js';
import { blend, project, Scene } from '../kit/solid.js';
import { CUBE, VIEW } from './rules.js';

/** Sky, haze, ground, lines, and the five cube colours of each level. */
const WORLDS = [
  { sky: '#2b4d8f', haze: '#cfe3ff', ground: '#9fb8d8', lines: '#7f9bc0', cubes: ['#e5484d', '#f2802b', '#f5c518', '#c2255c', '#8250df'] },
  { sky: '#123b2c', haze: '#c9f2d6', ground: '#8cc3a0', lines: '#6aa783', cubes: ['#2f6fed', '#8250df', '#e85aad', '#e5484d', '#1b2330'] },
  { sky: '#42204f', haze: '#ffd9c4', ground: '#d6a58f', lines: '#b98670', cubes: ['#12a5a0', '#2f6fed', '#3aa655', '#0b6e6a', '#4a2b8f'] },
  { sky: '#0b1026', haze: '#3b4a8a', ground: '#232c58', lines: '#4a5aa8', cubes: ['#ffd43b', '#ff7a59', '#7cf29c', '#ff5fa2', '#ffffff'] },
];
const HORIZON = 290;
const EYE = { up: 3.3, back: 7.5 };

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const world = WORLDS[(s.level - 1) % WORLDS.length];
  const lean = -s.side * 0.55;
  ctx.save();
  ctx.translate(640, HORIZON + 120);
  ctx.rotate(lean);
  ctx.translate(-640, -HORIZON - 120);
  backdrop(ctx, world);
  const cam = { x: s.x, y: EYE.up, z: s.distance - EYE.back, focal: 720, horizon: HORIZON };
  lines(ctx, s, cam, world.lines);
  const scene = new Scene(cam, { color: world.haze, near: 45, far: VIEW + 8 });
  for (const c of s.cubes) {
    if (c.z < s.distance - EYE.back + 3) continue;
    const color = world.cubes[c.tint];
    const edge = c.z - s.distance < 40 ? blend(color, '#10131a', 0.65) : undefined;
    scene.box([c.x - CUBE / 2, 0, c.z - CUBE / 2], [CUBE, CUBE, CUBE], color, { edge, line: 2 });
  }
  scene.paint(ctx);
  ctx.restore();
  ship(ctx, s);
  hud(ctx, [['Score', s.score], ['Level', s.level]]);
  hud(ctx, [['Speed', Math.round((0.6 + 0.1 * (s.level - 1)) * 60)]], { align: 'right' });
  if (s.frames < 90) {
    box(ctx, 390, 120, 500, 54, 'rgba(16,20,30,0.78)', { radius: 14 });
    text(ctx, 'Steer left and right, hit no cube', 640, 148, { size: 26, color: COLORS.white });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {typeof WORLDS[0]} world */
function backdrop(ctx, world) {
  const up = ctx.createLinearGradient(0, -220, 0, HORIZON);
  up.addColorStop(0, world.sky);
  up.addColorStop(1, world.haze);
  ctx.fillStyle = up;
  // Beyond the horizon too: where the leaning edge of the ground is blended, nothing of the picture before may shine through.
  ctx.fillRect(-400, -400, 2080, HORIZON + 500);
  const down = ctx.createLinearGradient(0, HORIZON, 0, 720);
  down.addColorStop(0, world.haze);
  down.addColorStop(0.22, world.ground);
  down.addColorStop(1, world.ground);
  ctx.fillStyle = down;
  ctx.fillRect(-400, HORIZON, 2080, 1000);
}

/** Lines on the ground, along and across, which show speed and drift.
 * @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {any} cam @param {string} color */
function lines(ctx, s, cam, color) {
  ctx.strokeStyle = color;
  ctx.lineWidth = 2;
  ctx.beginPath();
  const near = cam.z + 1.5;
  for (let x = Math.ceil((s.x - 60) / 6) * 6; x < s.x + 60; x += 6) {
    const a = project(cam, [x, 0, near]);
    const b = project(cam, [x, 0, s.distance + 60]);
    if (!a || !b) continue;
    ctx.moveTo(a.x, a.y);
    ctx.lineTo(b.x, b.y);
  }
  for (let z = Math.ceil(near / 8) * 8; z < s.distance + 60; z += 8) {
    const a = project(cam, [s.x, 0, z]);
    if (!a) continue;
    ctx.moveTo(-400, a.y);
    ctx.lineTo(1680, a.y);
  }
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function ship(ctx, s) {
  // The place of the ship in the camera: EYE.back ahead, on the ground.
  const y = HORIZON + (720 * EYE.up) / EYE.back;
  ctx.save();
  ctx.translate(640, y - 14);
  ctx.fillStyle = 'rgba(0,0,0,0.3)';
  ctx.beginPath();
  ctx.ellipse(0, 22, 58, 12, 0, 0, 7);
  ctx.fill();
  ctx.rotate(s.side * 0.9);
  const flame = 14 + (s.frames % 6) * 3;
  polygon(ctx, [[-20, 14], [-12, 14 + flame], [-4, 14]], '#ff9f1c');
  polygon(ctx, [[4, 14], [12, 14 + flame], [20, 14]], '#ff9f1c');
  polygon(ctx, [[0, -46], [56, 18], [0, 4]], '#e7edf7', COLORS.ink, 3);
  polygon(ctx, [[0, -46], [-56, 18], [0, 4]], '#ffffff', COLORS.ink, 3);
  polygon(ctx, [[0, -40], [13, 6], [0, 14], [-13, 6]], '#2f6fed', COLORS.ink, 3);
  ctx.restore();
}
