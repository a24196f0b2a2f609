// @ts-check
/** Ink Runner, the picture: what moves in it. Black ink, red danger, a runner with a blue scarf. */

import { box, disc, hud, polygon } from '../../kit/draw.js';
import { follow } from '../../kit/platform.js';
import { againButton, hearts } from '../../kit/stages.js';
import { crusherBox, CRUSHERS, enter, FLAGS, laserBox, laserOn, LASERS, LIVES, MAP, SAW, sawAt, SAWS, TILE } from './rules.js';
import { exit, flag, INK, paper, RED, tiles } from './scenery.js';

const BLUE = '#2f6fed';
/** Both ends of each saw's way. */
const trackOf = (/** @type {number} */ i) => {
  const way = Array.from({ length: 240 }, (_, frame) => sawAt({ frame }, i));
  return [way.reduce((a, p) => (p.x + p.y < a.x + a.y ? p : a)), way.reduce((a, p) => (p.x + p.y > a.x + a.y ? p : a))];
};

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  enter(s);
  const view = follow(s.hero, MAP);
  paper(ctx, view.x);
  ctx.save();
  ctx.translate(-view.x, 0);
  for (const b of s.blots) blot(ctx, b);
  FLAGS.forEach((f, i) => (f.char === 'X' ? exit(ctx, f, s.frame) : flag(ctx, f, i < s.passed, i + 1, s.frame)));
  SAWS.forEach((_, i) => track(ctx, i));
  LASERS.forEach((_, i) => laser(ctx, s, i));
  CRUSHERS.forEach((_, i) => crusher(ctx, s, i));
  SAWS.forEach((_, i) => saw(ctx, s, i));
  ctx.restore();
  tiles(ctx, view);
  ctx.save();
  ctx.translate(-view.x, 0);
  for (const c of s.crumbles) crumble(ctx, c);
  if (s.blink % 10 < 6) runner(ctx, s.hero, s.frame);
  ctx.restore();
  hud(ctx, [['Checkpoints', `${s.passed} / ${FLAGS.length}`]]);
  hearts(ctx, 290, 14, s.lives, LIVES);
  againButton(ctx, 'Checkpoint');
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} b */
function blot(ctx, b) {
  disc(ctx, b.x, b.y, 15, 'rgba(28,34,51,0.35)');
  for (let i = 0; i < 6; i++) disc(ctx, b.x + Math.cos(i * 1.9) * 25, b.y + Math.sin(i * 1.9) * 20, 5, 'rgba(28,34,51,0.35)');
}

/** Where a saw goes, as a dashed line. @param {CanvasRenderingContext2D} ctx @param {number} i */
function track(ctx, i) {
  ctx.strokeStyle = 'rgba(224,42,60,0.55)';
  ctx.lineWidth = 5;
  ctx.setLineDash([4, 12]);
  ctx.lineCap = 'round';
  ctx.beginPath();
  for (const { x, y } of trackOf(i)) ctx.lineTo(x, y);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.lineCap = 'butt';
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} i */
function saw(ctx, s, i) {
  for (let back = 3; back > 0; back--) {
    const old = sawAt({ frame: s.frame - back * 4 }, i);
    disc(ctx, old.x, old.y, SAW - back * 2, `rgba(224,42,60,${0.24 - back * 0.06})`);
  }
  const { x, y } = sawAt(s, i);
  const points = [];
  for (let k = 0; k < 24; k++) {
    const a = (k / 24) * Math.PI * 2 + s.frame / 6;
    const r = k % 2 ? SAW - 8 : SAW + 3;
    points.push([x + Math.cos(a) * r, y + Math.sin(a) * r]);
  }
  polygon(ctx, points, RED, INK, 3);
  const g = ctx.createRadialGradient(x - 6, y - 6, 2, x, y, SAW - 8);
  g.addColorStop(0, '#ffb3ba');
  g.addColorStop(1, '#b3142a');
  disc(ctx, x, y, SAW - 9, g);
  ctx.strokeStyle = 'rgba(28,34,51,0.65)';
  ctx.lineWidth = 3;
  ctx.beginPath();
  for (let k = 0; k < 4; k++) {
    const a = (k / 4) * Math.PI * 2 + s.frame / 6;
    (ctx.moveTo(x + Math.cos(a) * 8, y + Math.sin(a) * 8), ctx.lineTo(x + Math.cos(a + 0.5) * 17, y + Math.sin(a + 0.5) * 17));
  }
  ctx.stroke();
  disc(ctx, x, y, 8, '#fbf7ea', INK);
  disc(ctx, x, y, 3, INK);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} i */
function crusher(ctx, s, i) {
  const c = crusherBox(s, i);
  // Where it will strike.
  const below = c.y + c.h;
  const warn = ctx.createLinearGradient(0, below, 0, below + 150);
  warn.addColorStop(0, 'rgba(224,42,60,0.3)');
  warn.addColorStop(1, 'rgba(224,42,60,0.04)');
  box(ctx, c.x, below, c.w, 150, warn);
  const steel = ctx.createLinearGradient(c.x + 20, 0, c.x + c.w - 20, 0);
  steel.addColorStop(0, '#5d6780');
  steel.addColorStop(0.4, '#dfe5f1');
  steel.addColorStop(1, '#59637b');
  box(ctx, c.x + 22, -10, c.w - 44, below - 40, steel, { edge: INK });
  for (let y = below - 86; y > 70; y -= 40) box(ctx, c.x + 19, y, c.w - 38, 7, '#6d7892', { edge: INK, line: 2 });
  box(ctx, c.x, below - 60, c.w, 44, '#4b5670', { edge: INK, radius: 5 });
  ctx.save();
  ctx.beginPath();
  ctx.rect(c.x + 4, below - 46, c.w - 8, 16);
  ctx.clip();
  box(ctx, c.x, below - 46, c.w, 16, '#ffd23f');
  for (let k = -1; k < 5; k++) polygon(ctx, [[c.x + k * 20, below - 30], [c.x + k * 20 + 10, below - 30], [c.x + k * 20 + 22, below - 46], [c.x + k * 20 + 12, below - 46]], INK);
  ctx.restore();
  for (let k = 0; k < 4; k++) {
    const x = c.x + k * (c.w / 4);
    polygon(ctx, [[x, below - 18], [x + c.w / 8, below], [x + c.w / 4, below - 18]], RED, INK, 2.5);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} i */
function laser(ctx, s, i) {
  const r = laserBox(i);
  const x = r.x + r.w / 2;
  const on = laserOn(s);
  if (on) {
    for (const [w, fill] of /** @type {[number, string][]} */ ([[46, 'rgba(224,42,60,0.16)'], [26, 'rgba(224,42,60,0.35)'], [12, RED], [4, '#ffe6e8']])) box(ctx, x - w / 2, r.y, w, r.h, fill);
    disc(ctx, x, r.y + r.h - 2, 14, 'rgba(255,120,130,0.7)');
  } else {
    ctx.fillStyle = 'rgba(224,42,60,0.55)';
    for (let y = r.y + 6; y < r.y + r.h; y += 22) ctx.fillRect(x - 2, y, 4, 9);
  }
  box(ctx, x - 26, r.y - 34, 52, 26, '#4b5670', { radius: 6, edge: INK });
  polygon(ctx, [[x - 14, r.y - 8], [x + 14, r.y - 8], [x + 8, r.y + 4], [x - 8, r.y + 4]], INK);
  disc(ctx, x, r.y - 21, 7, on ? '#ff3347' : '#7f8aa3', INK, 2.5);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['crumbles'][number]} c */
function crumble(ctx, c) {
  if (c.gone) {
    ctx.setLineDash([6, 6]);
    ctx.strokeStyle = '#7f8aa3';
    ctx.lineWidth = 2.5;
    ctx.strokeRect(c.x + 3, c.y + 3, TILE - 6, TILE - 6);
    ctx.setLineDash([]);
    return;
  }
  const d = c.worn ? Math.sin(c.worn * 2) * 2 : 0;
  const g = ctx.createLinearGradient(0, c.y, 0, c.y + TILE);
  g.addColorStop(0, '#ffe3ae');
  g.addColorStop(1, '#c9954f');
  box(ctx, c.x + 1 + d, c.y, TILE - 2, TILE, g, { edge: INK });
  ctx.strokeStyle = '#6b4420';
  ctx.lineWidth = 3;
  ctx.beginPath();
  for (const [px, py] of [[10, 2], [20, 18], [14, 30], [26, 46]]) ctx.lineTo(c.x + px + d, c.y + py);
  ctx.moveTo(c.x + 40 + d, c.y + 2);
  ctx.lineTo(c.x + 31 + d, c.y + 22);
  ctx.lineTo(c.x + 42 + d, c.y + 36);
  ctx.stroke();
}

/** Points of the figure: feet, knees, hip, shoulder, hands, elbows, head. Back leg and arm first.
 * @param {import('./rules.js').State['hero']} b @param {number} frame
 * @returns {{legs: number[][][], arms: number[][][], hip: number[], neck: number[], head: number[]}} */
function pose(b, frame) {
  if (b.low) {
    const flat = { hip: [-4, -10], neck: [-14, -17], head: [-18, -24] };
    return { ...flat, legs: [[[8, -5], [22, -3]], [[12, -9], [29, -5]]], arms: [[[-24, -10], [-28, -3]], [[-4, -20], [6, -18]]] };
  }
  if (!b.onGround) {
    const air = { hip: [-1, -24], neck: [3, -42], head: [5, -53] };
    return b.vy < 0
      ? { ...air, legs: [[[-8, -14], [-16, -6]], [[11, -23], [8, -10]]], arms: [[[-9, -37], [-15, -28]], [[13, -45], [19, -55]]] }
      : { ...air, legs: [[[-9, -15], [-13, -3]], [[10, -16], [14, -5]]], arms: [[[-9, -46], [-16, -55]], [[13, -46], [20, -54]]] };
  }
  if (Math.abs(b.vx) > 0.6) {
    const p = b.walk / 3;
    const bob = Math.abs(Math.cos(p)) * 2;
    const leg = (/** @type {number} */ q) => {
      const foot = [Math.sin(q) * 17, -3 - Math.max(0, Math.cos(q)) * 11];
      return [[Math.sin(q) * 9 + 5, -14 - Math.max(0, Math.cos(q)) * 4], foot];
    };
    const arm = (/** @type {number} */ q) => [[Math.sin(q) * 10 + 1, -33], [Math.sin(q) * 15 + 8, -29 - Math.sin(q) * 6]];
    return { hip: [0, -24 - bob], neck: [5, -42 - bob], head: [8, -53 - bob], legs: [leg(p + Math.PI), leg(p)], arms: [arm(p), arm(p + Math.PI)] };
  }
  const breath = Math.sin(frame / 14) * 0.8;
  const legs = [[[-5, -13], [-7, -3]], [[6, -13], [7, -3]]];
  return { hip: [0, -24], neck: [0, -42 + breath], head: [2, -53 + breath], legs, arms: [[[-8, -33], [-7, -24]], [[8, -33], [10, -25 + breath]]] };
}

/** A figure of ink with a scarf, with a pale rim so that it stands out from ink too.
 * @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['hero']} b @param {number} frame */
function runner(ctx, b, frame) {
  ctx.save();
  ctx.translate(b.x + b.w / 2, b.y + b.h);
  ctx.lineCap = ctx.lineJoin = 'round';
  if (b.onGround) {
    ctx.fillStyle = 'rgba(62,48,24,0.4)';
    ctx.beginPath();
    ctx.ellipse(0, 1, b.low ? 30 : 20, 4, 0, 0, 7);
    ctx.fill();
  }
  if (Math.abs(b.vx) > 7) {
    ctx.strokeStyle = 'rgba(28,34,51,0.4)';
    ctx.lineWidth = 3;
    ctx.beginPath();
    for (const y of [-5, -14, -23]) (ctx.moveTo(-Math.sign(b.vx) * 46, y), ctx.lineTo(-Math.sign(b.vx) * (66 + (y % 2) * 12), y));
    ctx.stroke();
  }
  ctx.scale(b.face, 1);
  const { legs, arms, hip, neck, head } = pose(b, frame);
  const figure = (/** @type {string} */ color, /** @type {number} */ more) => {
    ctx.strokeStyle = color;
    const line = (/** @type {number} */ width, /** @type {number[][]} */ ...points) => {
      ctx.lineWidth = width + more;
      ctx.beginPath();
      for (const [x, y] of points) ctx.lineTo(x, y);
      ctx.stroke();
    };
    for (const [knee, foot] of legs) line(7.5, hip, knee, foot, [foot[0] + 5, foot[1]]);
    for (const [elbow, hand] of arms) line(6, neck, elbow, hand);
    line(11, hip, neck);
    disc(ctx, head[0], head[1], 11 + more / 2, color);
  };
  figure('rgba(255,252,240,0.95)', 5);
  figure(INK, 0);
  const [x, y] = neck;
  const wave = Math.sin(frame / 5) * 3;
  const fly = 20 + Math.min(20, Math.abs(b.vx) * 2.6);
  const rise = Math.max(-14, Math.min(14, b.vy)) * 1.1;
  polygon(ctx, [[x, y - 3], [x - fly, y - 6 + wave - rise], [x - fly + 5, y + 5 + wave - rise], [x, y + 5]], BLUE, INK, 2);
  polygon(ctx, [[x, y - 1], [x - fly * 0.7, y + 4 - wave - rise * 0.7], [x - fly * 0.7 + 4, y + 13 - wave - rise * 0.7], [x, y + 6]], '#5b93ff', INK, 2);
  box(ctx, x - 7, y - 5, 15, 9, BLUE, { radius: 4, edge: INK, line: 2 });
  disc(ctx, head[0] + 4.5, head[1] - 2, 3.4, '#ffffff');
  ctx.restore();
}
