// @ts-check
/** Fennec Dash, the picture: a desert whose sky turns from morning to dusk as the run gets longer. */

import { box, COLORS, disc, hud, polygon, sky, text } from '../kit/draw.js';
import { FOX_H, FOX_W, FOX_X, GROUND, score } from './rules.js';

const SKIES = [
  ['#8fd3f4', '#d9f1fb', '#fdf3d8'],
  ['#5fb3e6', '#bfe3f2', '#fbe6b5'],
  ['#f2a65a', '#fbd58f', '#ffe9bf'],
  ['#7a5aa6', '#e98a8a', '#ffcf94'],
];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const hour = Math.min(SKIES.length - 1, Math.floor(score(s) / 250));
  sky(ctx, ...SKIES[hour]);
  disc(ctx, 1030, 150 + hour * 60, 60, hour < 2 ? '#fff3b8' : '#ffb35c');
  dunes(ctx, s.distance * 0.1, 470, 520, '#e3b878');
  dunes(ctx, s.distance * 0.25, 530, 380, '#d7a05c');
  ground(ctx, s.distance);
  for (const o of s.obstacles) obstacle(ctx, o, s.frame);
  fennec(ctx, s);
  hud(ctx, [['Score', score(s)], ['Speed', s.speed.toFixed(1)]]);
  if (!s.running && !s.over) {
    box(ctx, 350, 190, 580, 120, 'rgba(27,35,48,0.86)', { radius: 20 });
    text(ctx, 'Press Space to start running', 640, 232, { size: 32, color: COLORS.white });
    text(ctx, 'then Space to jump', 640, 278, { size: 26, color: '#ffd27a' });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} y @param {number} w @param {string} color */
function dunes(ctx, shift, y, w, color) {
  ctx.fillStyle = color;
  ctx.beginPath();
  const off = shift % w;
  for (let x = -w - off; x < 1280 + w; x += w) {
    ctx.moveTo(x - w * 0.3, 720);
    ctx.quadraticCurveTo(x + w * 0.3, y - 80, x + w * 0.55, y);
    ctx.quadraticCurveTo(x + w * 0.9, y + 60, x + w * 1.3, 720);
  }
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} distance */
function ground(ctx, distance) {
  box(ctx, 0, GROUND - 6, 1280, 136, '#c98b45');
  box(ctx, 0, GROUND - 6, 1280, 8, '#7a4a1f');
  for (let i = 0; i < 16; i++) {
    const x = ((i * 97 - distance) % 1400 + 1400) % 1400 - 60;
    box(ctx, x, GROUND + 24 + (i % 5) * 20, 26 + (i % 3) * 14, 5, '#a86d2e', { radius: 2 });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Obstacle} o @param {number} frame */
function obstacle(ctx, o, frame) {
  const top = GROUND - o.high;
  if (o.kind === 'hawk' || o.kind === 'lowHawk') return hawk(ctx, o.x, GROUND - (o.low + o.high) / 2, frame);
  if (o.kind === 'rock') {
    polygon(ctx, [[o.x, GROUND], [o.x + 14, top + 14], [o.x + 40, top], [o.x + 62, top + 16], [o.x + 84, top + 12], [o.x + 96, GROUND]], '#8d7b74', COLORS.ink, 4);
    polygon(ctx, [[o.x + 20, GROUND - 8], [o.x + 40, top + 8], [o.x + 48, GROUND - 8]], '#b5a59c');
    return undefined;
  }
  const stems = o.kind === 'pair' ? [o.x, o.x + 42] : [o.x];
  for (const x of stems) cactus(ctx, x + (o.kind === 'tall' ? 2 : 0), top, GROUND - top);
  return undefined;
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} top @param {number} h */
function cactus(ctx, x, top, h) {
  const style = { radius: 8, edge: '#123d1b', line: 4 };
  box(ctx, x + 1, top + h * 0.28, 13, h * 0.34, '#37964a', style);
  box(ctx, x + 30, top + h * 0.16, 13, h * 0.36, '#37964a', style);
  box(ctx, x + 4, top + h * 0.5, 36, 12, '#37964a', style);
  box(ctx, x + 13, top, 18, h, '#37964a', style);
  box(ctx, x + 20, top + 10, 4, h - 22, '#6cc47a');
  disc(ctx, x + 22, top, 6, '#f2668b', '#7d1f3a', 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} frame */
function hawk(ctx, x, y, frame) {
  const up = Math.floor(frame / 9) % 2 ? 30 : -20;
  polygon(ctx, [[x + 30, y], [x + 46, y - up], [x + 58, y]], '#5b3a29', COLORS.ink, 3);
  ctx.beginPath();
  ctx.ellipse(x + 40, y, 32, 14, 0, 0, 7);
  ctx.fillStyle = '#7d4f36';
  ctx.fill();
  ctx.strokeStyle = COLORS.ink;
  ctx.lineWidth = 3;
  ctx.stroke();
  polygon(ctx, [[x + 12, y - 6], [x - 4, y + 3], [x + 13, y + 6]], COLORS.yellow, COLORS.ink, 3);
  disc(ctx, x + 19, y - 4, 4, COLORS.white, COLORS.ink, 2);
  polygon(ctx, [[x + 36, y], [x + 64, y - up * 1.3], [x + 62, y + 2]], '#9a6a4c', COLORS.ink, 3);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function fennec(ctx, s) {
  const swing = !s.running ? 0 : s.grounded ? [9, -9][Math.floor(s.frame / 5) % 2] : 14;
  ctx.save();
  ctx.translate(FOX_X, GROUND - s.h - FOX_H);
  const edge = '#5a2f12';
  polygon(ctx, [[8, 26], [-26, 8 - swing / 2], [-30, 26], [6, 40]], '#f0b45f', edge, 3);
  polygon(ctx, [[-20, 11 - swing / 2], [-30, 26], [-14, 22]], '#3b2414');
  for (const [x, d] of [[14, swing], [24, -swing], [48, swing], [57, -swing]]) {
    polygon(ctx, [[x, 40], [x + 9, 40], [x + 8 + d, FOX_H], [x + d, FOX_H]], '#d98e3a', edge, 2);
  }
  box(ctx, 6, 20, 58, 26, '#f3bd6c', { radius: 13, edge, line: 3 });
  polygon(ctx, [[52, 10], [50, -30], [66, 2]], '#f3bd6c', edge, 3);
  polygon(ctx, [[64, 6], [76, -28], [78, 8]], '#f3bd6c', edge, 3);
  polygon(ctx, [[66, 2], [74, -18], [75, 4]], '#f7cfc0');
  disc(ctx, 64, 16, 16, '#f3bd6c', edge, 3);
  polygon(ctx, [[72, 10], [FOX_W + 14, 20], [70, 28]], '#fff1d6', edge, 3);
  disc(ctx, FOX_W + 13, 20, 4, COLORS.ink);
  disc(ctx, 68, 12, 4, COLORS.ink);
  ctx.restore();
}
