// @ts-check
/** Rail and Wall, the picture: what moves in it. A runner as bright as a lime, coins, dust and shadows. */

import { box, COLORS, disc, hud, polygon, text } from '../../kit/draw.js';
import { follow, tileAt } from '../../kit/platform.js';
import { againButton, coin, eye } from '../../kit/stages.js';
import { LEVELS } from './levels.js';
import { here, TILE } from './rules.js';
import { city, cracked, goal, level } from './scenery.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const map = here(s).map;
  const view = follow(s.hero, map);
  city(ctx, view.x);
  level(ctx, map, view);
  ctx.save();
  ctx.translate(-view.x, -view.y);
  for (const c of s.cracked) cracked(ctx, c);
  goal(ctx, here(s).flag, s.frame);
  for (const c of s.coins) {
    if (c.taken) continue;
    disc(ctx, c.x, c.y, 30, 'rgba(255,236,130,0.35)');
    coin(ctx, c.x, c.y, 18, s.frame, { face: '#ffe14a', edge: '#5a3b00' });
  }
  shadow(ctx, s);
  if (s.dust.age < 16) for (let i = -3; i <= 3; i++) disc(ctx, s.dust.x + i * (8 + s.dust.age * 2), s.dust.y - 4 - Math.abs(3 - Math.abs(i)) * 3, 9 - s.dust.age / 2.2, '#f5ead6');
  runner(ctx, s.hero, s.frame);
  ctx.restore();
  const taken = s.coins.filter((c) => c.taken).length;
  hud(ctx, [['Level', s.stage], ['Coins', `${taken} / ${s.coins.length}`]]);
  const name = LEVELS[s.stage - 1].name;
  box(ctx, 640 - 30 - name.length * 8, 14, 60 + name.length * 16, 44, 'rgba(16,20,30,0.78)', { radius: 12 });
  text(ctx, name, 640, 37, { size: 24, color: COLORS.white });
  againButton(ctx, 'Start again');
}

/** On the ground below the runner, fainter the higher he is. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function shadow(ctx, s) {
  const b = s.hero;
  const x = b.x + b.w / 2;
  const feet = b.y + b.h;
  let ground = 720;
  for (let row = Math.floor((feet + 2) / TILE); row < 15; row++) {
    if (tileAt(here(s).map, Math.floor(x / TILE), row) !== '#') continue;
    ground = row * TILE;
    break;
  }
  for (const c of s.cracked) if (x >= c.x && x <= c.x + TILE && c.y >= feet - 2 && c.y < ground) ground = c.y;
  const high = ground - feet;
  if (high > 330 || ground >= 720) return;
  ctx.fillStyle = `rgba(10,8,40,${0.5 - high / 800})`;
  ctx.beginPath();
  ctx.ellipse(x, ground + 3, 24 - high / 25, 5, 0, 0, 7);
  ctx.fill();
}

/** An arm or a leg: two parts from a joint, the first at angle `a` and the second at `b` (0 is straight down, forward is
 * positive). Returns its end. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} a
 * @param {number} b @param {number} long @param {string} color @param {number} wide */
function limb(ctx, x, y, a, b, long, color, wide) {
  const kneeX = x + Math.sin(a) * long;
  const kneeY = y + Math.cos(a) * long;
  const endX = kneeX + Math.sin(b) * long;
  const endY = kneeY + Math.cos(b) * long;
  for (const [line, width] of /** @type {[string, number][]} */ ([[COLORS.ink, wide + 4], [color, wide]])) {
    ctx.strokeStyle = line;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(kneeX, kneeY);
    ctx.lineTo(endX, endY);
    ctx.stroke();
  }
  return [endX, endY];
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} turn */
function shoe(ctx, x, y, turn) {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  box(ctx, -6, -5, 18, 10, '#ffffff', { radius: 5, edge: COLORS.ink, line: 2.5 });
  ctx.restore();
}

/** Angles of legs (thigh, shin) and arms (upper, lower), back then front; how far the body leans and is lifted.
 * @param {import('./rules.js').State['hero']} b @param {number} frame
 * @returns {{legs: number[][], arms: number[][], lean: number, hip: number}} */
function pose(b, frame) {
  if (b.smashing) return { legs: [[0.5, -0.4], [0.7, -0.3]], arms: [[-2.7, -2.9], [2.7, 2.9]], lean: 0, hip: 20 };
  if (b.wall) return { legs: [[-0.3, -1.1], [1, -0.9]], arms: [[-1.9, -1.5], [1.1, 2.3]], lean: 0.16, hip: 24 };
  if (!b.onGround) {
    const up = b.vy < 0;
    return up
      ? { legs: [[-0.7, -1.1], [1.2, -0.2]], arms: [[-1, -0.3], [2.2, 2.6]], lean: 0.1, hip: 24 }
      : { legs: [[-0.6, 0], [0.8, 0.3]], arms: [[-2, -2.3], [2, 2.4]], lean: 0.04, hip: 24 };
  }
  if (Math.abs(b.vx) > 0.6) {
    const p = b.walk / 3.1;
    const leg = (/** @type {number} */ q) => [Math.sin(q) * 0.95 + 0.15, Math.sin(q) * 0.95 - 0.1 - Math.max(0, Math.cos(q)) * 1.25];
    const arm = (/** @type {number} */ q) => [Math.sin(q) * 0.9, Math.sin(q) * 0.9 + 1.2];
    return { legs: [leg(p + Math.PI), leg(p)], arms: [arm(p), arm(p + Math.PI)], lean: 0.16, hip: 22 + Math.abs(Math.cos(p)) * 2 };
  }
  const breath = Math.sin(frame / 14) * 0.08;
  return { legs: [[-0.16, -0.1], [0.2, 0.06]], arms: [[-0.35 + breath, 0.1], [0.35 - breath, 0.6]], lean: 0, hip: 23 };
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['hero']} b @param {number} frame */
function runner(ctx, b, frame) {
  ctx.save();
  ctx.translate(b.x + b.w / 2, b.y + b.h);
  ctx.lineCap = ctx.lineJoin = 'round';
  streaks(ctx, b);
  ctx.scale(b.face, 1);
  if (b.low) slide(ctx, b, frame);
  else {
    const { legs, arms, lean, hip } = pose(b, frame);
    ctx.rotate(lean);
    const tall = 62 - hip + (b.onGround ? Math.sin(frame / 10) * 0.7 : Math.min(4, Math.abs(b.vy) * 0.3));
    const arm = (/** @type {number} */ i) => limb(ctx, i ? 1 : -9, -hip - tall * 0.26, arms[i][0], arms[i][1], 10, '#a9d92e', 6);
    const leg = (/** @type {number} */ i) => {
      const [x, y] = limb(ctx, i ? 5 : -5, -hip + 1, legs[i][0], legs[i][1], 11, '#343c77', 8);
      shoe(ctx, x + 2, Math.min(-4, y), b.onGround ? -legs[i][1] * 0.4 : 0.2);
    };
    arm(0);
    leg(0);
    leg(1);
    scarf(ctx, -13, -hip - tall * 0.62, b.vy, frame);
    trunk(ctx, -16, -hip - tall + 2, 32, tall);
    arm(1);
  }
  ctx.restore();
}

/** Head and body in one, with a band and two eyes. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y
 * @param {number} w @param {number} h */
function trunk(ctx, x, y, w, h) {
  const g = ctx.createLinearGradient(x, 0, x + w, 0);
  g.addColorStop(0, '#8fc31f');
  g.addColorStop(0.55, '#c9f443');
  g.addColorStop(1, '#eaff9b');
  box(ctx, x, y, w, h, g, { radius: 14, edge: COLORS.ink });
  box(ctx, x + 1.5, y + 6, w - 3, 7, '#ff3f7f');
  eye(ctx, x + w - 14, y + 19, 6, 1);
  eye(ctx, x + w - 4, y + 19, 6, 1);
}

/** The ends of the band, flying behind. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y
 * @param {number} fall @param {number} frame */
function scarf(ctx, x, y, fall, frame) {
  for (const i of [0, 1]) {
    const wave = Math.sin(frame / 5 + i * 2) * 3 - fall * 1.1;
    polygon(ctx, [[x, y - 4], [x - 24 - i * 7, y - 6 + wave + i * 8], [x - 22 - i * 7, y + 3 + wave + i * 8], [x, y + 4]], i ? '#ff3f7f' : '#c71f5c', COLORS.ink, 2);
  }
}

/** Feet first below something, or crouched. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['hero']} b
 * @param {number} frame */
function slide(ctx, b, frame) {
  scarf(ctx, -18, -20, 0, frame);
  const kick = b.slide > 0;
  for (const i of [0, 1]) {
    const [x, y] = limb(ctx, 8, -11 + i * 2, kick ? 1.3 + i * 0.2 : 0.9, kick ? 1.45 : 1.9 - i * 0.8, 9, '#343c77', 8);
    shoe(ctx, x, Math.min(-4, y), kick ? -0.9 : 0);
  }
  const g = ctx.createLinearGradient(0, -30, 0, -2);
  g.addColorStop(0, '#eaff9b');
  g.addColorStop(1, '#8fc31f');
  box(ctx, -22, -29, 40, 26, g, { radius: 12, edge: COLORS.ink });
  box(ctx, -20.5, -26, 37, 6, '#ff3f7f');
  eye(ctx, 3, -15, 6, 1);
  eye(ctx, 13, -15, 6, 1);
  limb(ctx, -12, -12, -1, -0.6, 8, '#a9d92e', 6);
}

/** White strokes behind whoever is fast. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['hero']} b */
function streaks(ctx, b) {
  ctx.strokeStyle = 'rgba(255,255,255,0.75)';
  ctx.lineWidth = 3.5;
  ctx.beginPath();
  if (b.smashing) for (const x of [-18, 0, 18]) (ctx.moveTo(x, -78), ctx.lineTo(x, -112 + Math.abs(x)));
  else if (Math.abs(b.vx) > 7) {
    const back = -Math.sign(b.vx);
    for (const y of [-8, -20, -b.h + 6]) (ctx.moveTo(back * 34, y), ctx.lineTo(back * (58 + (y & 8) * 2), y));
  }
  ctx.stroke();
}
