// @ts-check
/** Draws Iron Bell: the yard under the bell, two fighters by their poses, and how far their moves are. */

import { bar, box, COLORS, disc, polygon, sky, text } from '../../kit/draw.js';
import { FULL_BAR, FULL_STUN, HEALTH, moveOf, phase, titleOf } from './fighters.js';
import { LADDER } from './moves.js';
import { view } from './observe.js';

/** @typedef {CanvasRenderingContext2D} Ctx */
/** @typedef {import('./rules.js').Fighter} Fighter */
const FLOOR = 600;
const SIZE = 1.15;
/** @type {Record<string, {skin: string, cloth: string[], trim: string, thick: number, head: number}>} */
const LOOKS = {
  mason: { skin: '#d9a071', cloth: ['#b4532f', '#4c6a8f'], trim: '#3b2a22', thick: 22, head: 23 },
  sedge: { skin: '#c98d63', cloth: ['#2f8f73', '#8a5aa8'], trim: '#213a35', thick: 17, head: 20 },
};

/** @param {Ctx} ctx @param {any} s */
export function draw(ctx, s) {
  backdrop(ctx, s);
  for (const i of s.fighters[0].act === 'hurt' ? [0, 1] : [1, 0]) figure(ctx, s.fighters[i], i, s.clock);
  for (const shot of s.shots) projectile(ctx, s, shot);
  for (const p of s.sparks) spark(ctx, p);
  s.fighters.forEach((/** @type {Fighter} */ f, /** @type {number} */ i) => panel(ctx, s, f, i));
  const seconds = Math.ceil(s.clock / 60);
  disc(ctx, 640, 58, 40, '#1b2330', '#e0b44c', 4);
  text(ctx, seconds, 640, 60, { size: 36, color: seconds <= 10 ? '#ff8d6b' : '#fff6dc' });
  const label = s.mode === 'ladder' ? `Stage ${s.stage} of ${LADDER.length} · Round ${s.round}` : `Round ${s.round}`;
  text(ctx, label, 640, 122, { size: 22, color: '#fff6dc', outline: '#1b2330' });
  if (s.said) text(ctx, s.said, 640, s.pause ? 260 : 690, { size: s.pause ? 46 : 20, color: '#fff6dc', outline: '#1b2330' });
}

/** @param {Ctx} ctx @param {any} s */
function backdrop(ctx, s) {
  sky(ctx, '#27324d', '#a0586a', '#f0a868');
  disc(ctx, 980, 330, 70, '#ffd98a');
  polygon(ctx, [[0, 470], [160, 330], [300, 420], [470, 300], [640, 430], [820, 340], [1000, 440], [1140, 350], [1280, 450], [1280, 720], [0, 720]], '#5a3b57');
  // The frame with the iron bell.
  for (const x of [470, 790]) box(ctx, x, 190, 20, 400, '#3d2a33');
  box(ctx, 440, 176, 400, 24, '#4b3440', { radius: 6 });
  box(ctx, 632, 196, 16, 26, '#2b2028');
  const swing = s.pause ? Math.sin(s.pause / 4) * 10 : 0;
  polygon(ctx, [[600 + swing, 330], [612 + swing / 2, 250], [632, 220], [648, 220], [668 + swing / 2, 250], [680 + swing, 330]], '#39404f', '#222733', 4);
  box(ctx, 592 + swing, 326, 96, 14, '#4b5366', { radius: 6 });
  disc(ctx, 640 + swing * 1.4, 350, 11, '#222733');
  box(ctx, 0, 585, 1280, 135, '#6f5a4c');
  box(ctx, 0, 585, 1280, 8, '#8d7462');
  for (let k = 0; k < 9; k++) {
    ctx.strokeStyle = '#5c4a3f';
    ctx.lineWidth = 3;
    ctx.beginPath();
    ctx.moveTo(640 + (k - 4) * 150, 593);
    ctx.lineTo(640 + (k - 4) * 250, 720);
    ctx.stroke();
  }
}

/** A limb of two parts. @param {Ctx} ctx @param {number[][]} points @param {string} color @param {number} width */
function limb(ctx, points, color, width) {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.lineCap = ctx.lineJoin = 'round';
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.stroke();
}

/**
 * Where hips, chest, hands and feet are, for a fighter that faces right with its feet at 0, 0; up is negative.
 * @param {Fighter} f @param {number} clock
 */
function pose(f, clock) {
  const p = { lean: 0, low: 0, head: 0, hand: [34, -104], off: [22, -92], foot: [24, 0], rear: [-26, 0] };
  const m = moveOf(f);
  const at = phase(f);
  const bob = Math.sin(clock / 9) * 2;
  if (m) {
    const out = at === 'strike' ? 1 : at === 'windup' ? -0.5 : 0.3;
    const reach = 40 + Math.min(70, m.reach || 40);
    const kick = /kick|special_[24]/.test(f.act) || (f.act === 'super' && f.kind === 'sedge');
    if (f.act === 'low_pair' || (f.kind === 'mason' && f.act === 'special_2')) Object.assign(p, { hand: [20 + 40 * out, -100], off: [18 + 40 * out, -80], lean: 14 * out });
    else if (m.shot) Object.assign(p, { hand: [20 + 55 * out, -90], off: [10 + 50 * out, -76], lean: 8 * out });
    else if (m.rise) Object.assign(p, { hand: [26, -110 - 55 * out], foot: f.kind === 'sedge' ? [40, -50 - 40 * out] : [20, 0], lean: -6 });
    else if (kick && m.height === 'low') Object.assign(p, { foot: [20 + reach * out, -8], low: 34, lean: -18 * out });
    else if (kick) Object.assign(p, { foot: [20 + reach * out, -70 - (m.height === 'high' ? 30 : 0) * out], lean: -20 * out });
    else if (f.act === 'medium_pair') Object.assign(p, { hand: [30 + 50 * out, -96 + 20 * out], off: [24 + 48 * out, -150 + 70 * Math.max(0, out)], lean: 16 * out });
    else if (f.act === 'high_pair') Object.assign(p, { hand: [-30 + 90 * (out + 0.5), -100], foot: [30 + 30 * out, 0], lean: 24 * out, low: 10 });
    else Object.assign(p, { hand: [20 + reach * out, m.height === 'high' ? -112 - 14 * out : -100], lean: 12 * out });
  } else if (f.act === 'jump') Object.assign(p, { foot: [18, -26], rear: [-14, -34], hand: [30, -120] });
  else if (f.act === 'hurt') Object.assign(p, { lean: -24, hand: [-4, -96], off: [10, -70], head: -8 });
  else if (f.act === 'guard') Object.assign(p, { hand: [26, -124], off: [24, -100], lean: -8, low: 6 });
  else if (f.act === 'dizzy') Object.assign(p, { hand: [-18, -66], off: [20, -62], lean: Math.sin(clock / 7) * 10, low: 10 });
  else if (f.act === 'land') Object.assign(p, { low: 22 });
  else if (f.vx) Object.assign(p, { foot: [24 + Math.sin(clock / 3) * 16, 0], rear: [-26 - Math.sin(clock / 3) * 16, 0] });
  if (f.low) p.low += 30;
  p.low += f.act === 'stand' ? bob : 0;
  if (f.act === 'stand' && f.back) Object.assign(p, { hand: [24, -120], off: [22, -98] });
  return p;
}

/** @param {Ctx} ctx @param {Fighter} f @param {number} i @param {number} clock */
function figure(ctx, f, i, clock) {
  const look = LOOKS[f.kind];
  const cloth = look.cloth[i];
  ctx.save();
  ctx.fillStyle = 'rgba(20,12,10,0.35)';
  ctx.beginPath();
  ctx.ellipse(f.x, FLOOR + 2, 50, 10, 0, 0, Math.PI * 2);
  ctx.fill();
  ctx.translate(f.x, FLOOR - f.y);
  ctx.scale(f.side * SIZE, SIZE);
  if (f.act === 'down') {
    ctx.translate(30, -14);
    ctx.rotate(-Math.PI / 2);
  }
  if (f.safe && f.act !== 'down') ctx.globalAlpha = 0.7;
  const p = pose(f, clock);
  const hip = [0, -62 + p.low];
  const chest = [p.lean, -112 + p.low];
  const knee = (/** @type {number[]} */ foot, /** @type {number} */ k) => [(hip[0] + foot[0]) / 2 + k, (hip[1] + foot[1]) / 2];
  limb(ctx, [hip, knee(p.rear, 6), p.rear], look.trim, look.thick);
  limb(ctx, [chest, [(chest[0] + p.off[0]) / 2 - 6, (chest[1] + p.off[1]) / 2 + 12], p.off], look.skin, look.thick - 5);
  limb(ctx, [hip, chest], cloth, look.thick * 2);
  limb(ctx, [hip, knee(p.foot, 10), p.foot], look.trim, look.thick);
  disc(ctx, chest[0] + 5 + p.head, chest[1] - 36, look.head, look.skin, '#2a1c18', 2);
  if (f.kind === 'mason') {
    box(ctx, chest[0] - 20 + p.head, chest[1] - 60, 48, 16, cloth, { radius: 7 });
    box(ctx, chest[0] + 2 + p.head, chest[1] - 24, 20, 10, '#3b2a22', { radius: 5 });
  } else {
    polygon(ctx, [[chest[0] - 14, chest[1] - 52], [chest[0] + 22, chest[1] - 54], [chest[0] - 46 - Math.sin(clock / 8) * 6, chest[1] - 20]], '#2a1c18');
    limb(ctx, [[hip[0] - 8, hip[1]], [hip[0] - 34, hip[1] + 20 + Math.sin(clock / 6) * 5]], cloth, 8);
  }
  disc(ctx, chest[0] + 15 + p.head, chest[1] - 38, 3, '#1b1512');
  limb(ctx, [chest, [(chest[0] + p.hand[0]) / 2, (chest[1] + p.hand[1]) / 2 + 12], p.hand], look.skin, look.thick - 4);
  disc(ctx, p.hand[0], p.hand[1], look.thick * 0.55, look.trim);
  ctx.restore();
  if (f.act === 'dizzy') for (let k = 0; k < 3; k++) disc(ctx, f.x + Math.cos(clock / 6 + k * 2.1) * 34, FLOOR - 180 + Math.sin(clock / 6 + k * 2.1) * 8, 6, COLORS.yellow);
  timing(ctx, f);
}

/** The name of the move and how far it is: winding up, striking, recovering. @param {Ctx} ctx @param {Fighter} f */
function timing(ctx, f) {
  const m = moveOf(f);
  const y = FLOOR - Math.max(0, f.y) - 226;
  if (!m) {
    const { frames_left } = view(f);
    if (f.length && frames_left) {
      box(ctx, f.x - 52, y + 14, 104, 10, '#1b2330', { radius: 4 });
      box(ctx, f.x - 50, y + 16, Math.min(100, frames_left * 2), 6, '#8a94a6', { radius: 3 });
    }
    return;
  }
  text(ctx, m.title, f.x, y, { size: 18, color: '#fff6dc', outline: '#1b2330' });
  const whole = m.windup + m.strike + m.recover;
  const unit = 120 / whole;
  let x = f.x - 60;
  box(ctx, x - 2, y + 12, 124, 14, '#1b2330', { radius: 4 });
  for (const [length, color] of /** @type {[number, string][]} */ ([[m.windup, COLORS.yellow], [m.strike, COLORS.red], [m.recover, COLORS.blue]])) {
    box(ctx, x, y + 14, length * unit, 10, color);
    x += length * unit;
  }
  const now = f.x - 60 + Math.max(0, Math.min(whole, f.t)) * unit;
  box(ctx, now - 2, y + 9, 4, 20, '#ffffff');
}

/** @param {Ctx} ctx @param {any} s @param {any} shot */
function projectile(ctx, s, shot) {
  const y = FLOOR - shot.y - 10;
  if (s.fighters[shot.owner].kind === 'mason') {
    polygon(ctx, [[-17, -6], [-6, -16], [10, -14], [18, 2], [8, 15], [-12, 12]].map(([x, v]) => [shot.x + x, y + v]), '#9a9189', '#4c4642');
  } else {
    const w = Math.sign(shot.vx);
    polygon(ctx, [[-26, -3], [8, -6], [24, 0], [8, 6], [-26, 3]].map(([x, v]) => [shot.x + x * w, y + v]), '#cfe08a', '#4d6b2c');
  }
}

/** @param {Ctx} ctx @param {any} p */
function spark(ctx, p) {
  const color = p.kind === 'hit' ? '#ffd25e' : p.kind === 'sharp' ? '#9ff0ff' : '#d5dbe6';
  const r = p.kind === 'guard' ? 20 : 34;
  const points = [];
  for (let k = 0; k < 16; k++) {
    const d = (k % 2 ? 0.4 : 1) * r * (0.5 + p.left / 14);
    points.push([p.x + Math.cos((k * Math.PI) / 8) * d, FLOOR - p.y + Math.sin((k * Math.PI) / 8) * d]);
  }
  polygon(ctx, points, color, '#ffffff', 2);
}

/** @param {Ctx} ctx @param {any} s @param {Fighter} f @param {number} i */
function panel(ctx, s, f, i) {
  const x = i ? 706 : 24;
  bar(ctx, x, 22, 550, 34, f.health / HEALTH, f.health > 50 ? COLORS.green : COLORS.red);
  text(ctx, `${titleOf(s, i)}  ${f.health}`, i ? x + 536 : x + 14, 40, { size: 22, color: '#ffffff', align: i ? 'right' : 'left' });
  bar(ctx, i ? x + 250 : x, 62, 300, 22, f.bar / FULL_BAR, f.bar >= FULL_BAR ? COLORS.pink : COLORS.blue);
  text(ctx, f.bar >= FULL_BAR ? 'SUPER' : `super ${Math.floor(f.bar)}`, i ? x + 400 : x + 150, 74, { size: 18, color: '#ffffff' });
  bar(ctx, i ? x + 80 : x + 310, 62, 160, 22, f.stun / FULL_STUN, COLORS.orange);
  text(ctx, `stun ${Math.floor(f.stun)}`, i ? x + 160 : x + 390, 74, { size: 18, color: '#ffffff' });
  for (let k = 0; k < 2; k++) disc(ctx, i ? x + 54 - k * 30 : x + 496 + k * 30, 73, 10, k < f.wins ? COLORS.yellow : '#1b2330', '#e0b44c', 2);
}
