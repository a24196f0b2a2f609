// @ts-check
/** Ruin Runner, the picture: a stone path high above the forest, seen from behind the runner. */

import { bar, box, COLORS, disc, hud, polygon, text } from '../../kit/draw.js';
import { Scene } from '../../kit/solid.js';
import { guardian, runner } from './figures.js';
import { CHARM_COINS, STUMBLE_FRAMES, here } from './rules.js';
import { DEPTH, forward, HALF, LANE, place } from './track.js';

/** @typedef {import('./track.js').Stretch} Stretch */

const MIST = { color: '#bfe3d2', near: 42, far: 84 };
const HORIZON = 250;

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const t = here(s);
  const [px, pz] = place(t, s.along, s.x);
  const [cx, cz] = place(t, s.along, s.x * 0.7);
  const back = 7.7;
  const cam = {
    x: cx - Math.sin(s.yaw) * back,
    y: 4.3 + s.y * 0.2,
    z: cz - Math.cos(s.yaw) * back,
    yaw: s.yaw,
    focal: 760,
    horizon: HORIZON,
  };
  backdrop(ctx, s.yaw);
  const floor = new Scene(cam, MIST);
  const things = new Scene(cam, MIST);
  for (const p of s.path) {
    if (!p) continue;
    paving(floor, p);
    // What is behind the runner would only hide him.
    items(things, p, p === t ? s.along + 0.3 : p === s.path[0] ? 1e9 : -1e9);
  }
  floor.paint(ctx);
  if (s.sinceStumble < STUMBLE_FRAMES) {
    const near = s.sinceStumble < 240 ? 3.4 : 3.4 + (s.sinceStumble - 240) / 40;
    const side = s.x < -0.5 ? 1.3 : -1.3;
    const gx = px - Math.sin(s.yaw) * near + Math.cos(s.yaw) * side;
    const gz = pz - Math.cos(s.yaw) * near - Math.sin(s.yaw) * side;
    things.sprite([gx, 0, gz], (c, x, y, k) => guardian(c, x, y, k, s.frames));
  }
  things.sprite([px, s.y, pz], (c, x, y, k) => runner(c, x, y, k, s), -0.6);
  things.paint(ctx);
  panels(ctx, s);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} yaw */
function backdrop(ctx, yaw) {
  const g = ctx.createLinearGradient(0, 0, 0, 720);
  g.addColorStop(0, '#3f86c9');
  g.addColorStop(0.3, '#bfe3f0');
  g.addColorStop(0.36, '#bfe3d2');
  g.addColorStop(0.6, '#5f9f80');
  g.addColorStop(1, '#2d5f4d');
  ctx.fillStyle = g;
  ctx.fillRect(0, 0, 1280, 720);
  const shift = (((-yaw * 760) % 640) + 640) % 640;
  for (let i = -1; i < 3; i++) {
    const x = i * 640 + shift;
    polygon(ctx, [[x - 60, HORIZON + 12], [x + 140, HORIZON - 80], [x + 330, HORIZON + 12]], '#7fb3a8');
    polygon(ctx, [[x + 210, HORIZON + 12], [x + 430, HORIZON - 120], [x + 640, HORIZON + 12]], '#92c2b8');
  }
}

/** The floor of a stretch with its gaps, and the sides of the causeway. @param {Scene} scene @param {Stretch} t */
function paving(scene, t) {
  const gaps = t.items.filter((o) => o.kind === 'gap').map((o) => [o.at - DEPTH.gap / 2, o.at + DEPTH.gap / 2]);
  let from = t.heading === 0 && t.x === 0 && t.z === 0 ? -14 : HALF;
  const end = t.length + HALF;
  let n = 0;
  while (from < end - 0.01) {
    const gap = gaps.find(([a]) => a >= from);
    const to = Math.min(from + 4, gap ? gap[0] : end, end);
    slab(scene, t, from, to, n++);
    from = gap && to === gap[0] ? gap[1] : to;
  }
}

/** @param {Scene} scene @param {Stretch} t @param {number} a @param {number} b @param {number} n */
function slab(scene, t, a, b, n) {
  /** @param {number} along @param {number} side @param {number} y @returns {[number, number, number]} */
  const p = (along, side, y) => {
    const [x, z] = place(t, along, side);
    return [x, y, z];
  };
  const under = { bias: 30 };
  for (const side of [-HALF, HALF]) {
    scene.face([p(a, side, 0), p(b, side, 0), p(b, side, -2.4), p(a, side, -2.4)], '#5d5848', under);
  }
  for (const along of [a, b]) {
    scene.face([p(along, -HALF, 0), p(along, HALF, 0), p(along, HALF, -2.4), p(along, -HALF, -2.4)], '#4b4739', under);
  }
  [-1, 0, 1].forEach((lane) => {
    const color = (n + lane) % 2 ? '#c9b98f' : '#b9a87c';
    const l = lane * LANE - LANE / 2;
    scene.face([p(a, l, 0), p(b, l, 0), p(b, l + LANE, 0), p(a, l + LANE, 0)], color, { edge: '#8d7f5c', line: 2 });
  });
  if (b > HALF + 1 && a < t.length - HALF - 1) {
    for (const side of [-HALF, HALF]) {
      scene.face([p(a, side, 0), p(b, side, 0), p(b, side * 0.93, 0.02), p(a, side * 0.93, 0.02)], '#5f8f4a', { bias: -0.5 });
    }
  }
}

/** @param {Scene} scene @param {Stretch} t @param {number} passed beams before this place are left out */
function items(scene, t, passed) {
  for (const o of t.items) {
    if (o.kind === 'beam' && o.at < passed) continue;
    const d = DEPTH[o.kind];
    if (o.kind === 'log') solid(scene, t, o.at - d / 2, -HALF, d, 2 * HALF, 0, 0.85, '#a8683a', '#4b2a12');
    if (o.kind === 'beam') {
      for (const side of [-HALF, HALF - 0.5]) solid(scene, t, o.at - d / 2, side, d, 0.5, 0, 3.1, '#8c8fa3', '#3c3f52');
      // In pieces, so that the order from far to near is right.
      for (const lane of [-1, 0, 1]) solid(scene, t, o.at - d / 2, lane * LANE - 1, d, 2, 1.25, 1.5, '#d04a3c', '#6b1a14');
    }
    if (o.kind === 'block') {
      for (const lane of o.lanes) solid(scene, t, o.at - d / 2, lane * LANE - 0.9, d, 1.8, 0, 2.6, '#6f7690', '#2c3144');
    }
  }
  for (const c of t.coins) {
    if (c.taken) continue;
    const [x, z] = place(t, c.at, c.lane * LANE);
    scene.sprite([x, 0.7, z], (ctx, sx, sy, k) => {
      disc(ctx, sx, sy, 0.34 * k, '#ffd43b', '#8a5a00', Math.max(1, 0.06 * k));
      disc(ctx, sx, sy, 0.17 * k, '#fff1b0');
    });
  }
  sign(scene, t);
}

/** The wall behind a corner, with the arrow that says where the path goes on. @param {Scene} scene @param {Stretch} t */
function sign(scene, t) {
  const at = t.length + HALF;
  solid(scene, t, at, -HALF, 0.8, 2 * HALF, 0, 2.4, '#8f7d5a', '#4d4025');
  /** @param {number} side @param {number} y @returns {[number, number, number]} */
  const p = (side, y) => {
    const [x, z] = place(t, at - 0.05, side * t.turn);
    return [x, y, z];
  };
  const arrow = [p(2.4, 1.25), p(0.9, 2.2), p(0.9, 1.6), p(-2.2, 1.6), p(-2.2, 0.9), p(0.9, 0.9), p(0.9, 0.3)];
  const [fx, fz] = forward(t.heading);
  const c = scene.camera;
  const [mx, mz] = place(t, at, 0);
  if ((mx - c.x) * fx + (mz - c.z) * fz > 0) scene.face(arrow, '#ffe066', { edge: '#4d4025', line: 4, bias: -1.2 });
}

/** A box in the coordinates of a stretch. @param {Scene} scene @param {Stretch} t @param {number} along @param {number} side
 * @param {number} d @param {number} w @param {number} y @param {number} h @param {string} color @param {string} edge */
function solid(scene, t, along, side, d, w, y, h, color, edge) {
  const [x1, z1] = place(t, along, side);
  const [x2, z2] = place(t, along + d, side + w);
  scene.box([Math.min(x1, x2), y, Math.min(z1, z2)], [Math.abs(x1 - x2), h, Math.abs(z1 - z2)], color, { edge, line: 3 });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function panels(ctx, s) {
  hud(ctx, [['Score', s.score], ['Coins', s.coins]]);
  box(ctx, 1004, 14, 260, 44, 'rgba(16,20,30,0.78)', { radius: 12 });
  text(ctx, 'Charm', 1020, 37, { size: 19, color: '#c9d3e6', align: 'left', bold: false });
  bar(ctx, 1096, 26, 154, 20, s.charm / CHARM_COINS, s.charm >= CHARM_COINS ? '#7cf29c' : '#ffd43b');
  if (s.sinceStumble < STUMBLE_FRAMES) {
    box(ctx, 430, 14, 420, 44, 'rgba(180,35,42,0.92)', { radius: 12 });
    text(ctx, 'Stumbled: the guardian is close!', 640, 37, { size: 22, color: COLORS.white });
  }
  if (s.safe > 0) text(ctx, 'Saved by the charm!', 640, 120, { size: 40, color: '#7cf29c', outline: COLORS.ink });
  if (!s.started) {
    box(ctx, 310, 100, 660, 158, 'rgba(16,20,30,0.85)', { radius: 18 });
    text(ctx, 'Press Space to run', 640, 148, { size: 36, color: COLORS.white });
    text(ctx, 'A / D: lanes and corners', 640, 196, { size: 24, color: '#ffe066', bold: false });
    text(ctx, 'W: jump over logs and holes     S: slide below beams', 640, 232, { size: 22, color: '#ffe066', bold: false });
  }
}
