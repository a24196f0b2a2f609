// @ts-check
/** Pulse Jumper, the picture: a neon hall that breathes with the beat. */

import { bar, box, COLORS, disc, hud, polygon, text } from '../../kit/draw.js';
import { LEVELS } from './levels.js';
import * as r from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {r.State} s */
export function draw(ctx, s) {
  const beat = 1 - (s.frame % (2 * r.HALF_BEAT)) / (2 * r.HALF_BEAT);
  const hue = s.color;
  const g = ctx.createLinearGradient(0, 0, 0, 720);
  g.addColorStop(0, `hsl(${hue} 65% ${20 + 4 * beat}%)`);
  g.addColorStop(1, `hsl(${hue + 35} 60% ${34 + 5 * beat}%)`);
  ctx.fillStyle = g;
  ctx.fillRect(0, 0, 1280, 720);
  tiles(ctx, s.x * 0.25, hue, beat);
  band(ctx, s.x, r.FLOOR, 720, hue, !s.up);
  band(ctx, s.x, 0, r.CEILING, hue, s.up);
  for (const t of s.things) {
    const x = t.x - s.x + r.SCREEN_X;
    if (x > -140 && x < 1340) thing(ctx, t, x, beat);
  }
  const end = s.length - s.x + r.SCREEN_X + r.SIDE;
  if (end < 1340) finishLine(ctx, end);
  cube(ctx, s);
  hud(ctx, [['Level', s.level], ['Score', s.cleared * r.WORTH]]);
  bar(ctx, 420, 20, 440, 32, r.progress(s), `hsl(${hue} 90% 65%)`);
  text(ctx, `${Math.floor(r.progress(s) * 100)} %`, 915, 37, { size: 26, color: COLORS.white, outline: COLORS.ink });
  text(ctx, LEVELS[s.level - 1].name, 1256, 37, { size: 24, color: COLORS.white, align: 'right', outline: COLORS.ink });
}

/** Large squares far behind. @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} hue @param {number} beat */
function tiles(ctx, shift, hue, beat) {
  const first = Math.floor(shift / 160);
  for (let i = first; i <= first + 9; i++) {
    for (let j = 0; j < 3; j++) {
      const n = (((i * 5 + j * 3) % 7) + 7) % 7;
      const light = 26 + n * 2 + (n === 3 ? 14 * beat : 0);
      box(ctx, i * 160 - shift + 4, 166 + j * 146, 152, 138, `hsl(${hue + 15} 55% ${light}%)`, { radius: 12 });
      box(ctx, i * 160 - shift + 14, 174 + j * 146, 132, 4, `hsla(${hue + 15} 80% 80% / ${0.1 + 0.12 * (n === 3 ? beat : 0)})`);
    }
  }
  // Light from the hall's floor and ceiling.
  for (const [from, to] of [[r.FLOOR, r.FLOOR - 190], [r.CEILING, r.CEILING + 190]]) {
    const g = ctx.createLinearGradient(0, from, 0, to);
    g.addColorStop(0, `hsla(${hue + 50} 95% 62% / ${0.45 + 0.15 * beat})`);
    g.addColorStop(1, `hsla(${hue + 50} 95% 62% / 0)`);
    box(ctx, 0, Math.min(from, to), 1280, 190, g);
  }
}

/** The ground or the ceiling; the one that the cube runs on has a bright edge.
 * @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} top @param {number} bottom @param {number} hue @param {boolean} mine */
function band(ctx, x, top, bottom, hue, mine) {
  box(ctx, 0, top, 1280, bottom - top, `hsl(${hue} 60% 13%)`);
  for (let at = -(x % 105); at < 1280; at += 105) box(ctx, at, top, 2, bottom - top, 'rgba(255,255,255,0.10)');
  const edge = top === 0 ? bottom - 6 : top;
  box(ctx, 0, edge, 1280, 6, mine ? '#ffffff' : 'rgba(255,255,255,0.35)');
}

/** @param {CanvasRenderingContext2D} ctx @param {r.Thing} t @param {number} x @param {number} beat */
function thing(ctx, t, x, beat) {
  const y = t.up ? r.CEILING : r.FLOOR;
  const out = t.up ? 1 : -1;
  switch (t.kind) {
    case 'spike':
      polygon(ctx, [[x - 9, y], [x + t.w / 2, y + out * (r.SPIKE_H + 14)], [x + t.w + 9, y]], 'rgba(255, 70, 110, 0.3)');
      polygon(ctx, [[x + 1, y], [x + t.w / 2, y + out * r.SPIKE_H], [x + t.w - 1, y]], '#10131f', '#ffffff', 4);
      polygon(ctx, [[x + 14, y + out * 6], [x + t.w / 2, y + out * (r.SPIKE_H - 22)], [x + t.w - 14, y + out * 6]], '#ff466e');
      break;
    case 'block':
      box(ctx, x - 9, (t.up ? y : y - r.BLOCK_H) - 9, t.w + 18, r.BLOCK_H + 18, 'rgba(125,252,255,0.18)', { radius: 10 });
      box(ctx, x, t.up ? y : y - r.BLOCK_H, t.w, r.BLOCK_H, '#10131f', { radius: 4, edge: '#7dfcff', line: 4 });
      box(ctx, x + 14, (t.up ? y : y - r.BLOCK_H) + 14, t.w - 28, r.BLOCK_H - 28, 'rgba(125,252,255,0.28)');
      break;
    case 'orb':
      disc(ctx, x + r.ORB_R, y + out * r.ORB_Y, r.ORB_R + 8 + 5 * beat, 'rgba(255,70,90,0.30)');
      disc(ctx, x + r.ORB_R, y + out * r.ORB_Y, r.ORB_R, '#ff3b55', '#ffffff', 4);
      text(ctx, '!', x + r.ORB_R, y + out * r.ORB_Y + 1, { size: 30, color: COLORS.white });
      break;
    case 'gate': {
      box(ctx, x - 6, r.CEILING, 32, r.FLOOR - r.CEILING, 'rgba(255,226,70,0.22)');
      for (const dx of [-8, 24]) box(ctx, x + dx, r.CEILING, 6, r.FLOOR - r.CEILING, '#ffe246');
      const to = t.up ? 1 : -1;
      for (const y0 of [250, 330, 410, 490]) {
        polygon(ctx, [[x - 4, y0], [x + 10, y0 + to * 24], [x + 24, y0]], '#ffe246', COLORS.ink, 2);
      }
      break;
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x */
function finishLine(ctx, x) {
  for (let i = 0; i < 22; i++) {
    for (const j of [0, 1]) box(ctx, x + j * 20, r.CEILING + i * 20, 20, 20, (i + j) % 2 ? COLORS.ink : COLORS.white);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {r.State} s */
function cube(ctx, s) {
  const middle = s.h + r.SIDE / 2;
  const y = s.up ? r.CEILING + middle : r.FLOOR - middle;
  ctx.save();
  disc(ctx, r.SCREEN_X + r.SIDE / 2, y, r.SIDE * 0.95, 'rgba(255, 226, 70, 0.18)');
  for (let i = 1; i <= 3; i++) {
    box(ctx, r.SCREEN_X - i * 24 - 4, y - 6 + i, 16, 12 - 2 * i, `rgba(255,255,255,${0.5 - i * 0.13})`);
  }
  ctx.translate(r.SCREEN_X + r.SIDE / 2, y);
  if (s.up) ctx.scale(1, -1);
  ctx.rotate(s.angle);
  const a = r.SIDE / 2;
  box(ctx, -a, -a, r.SIDE, r.SIDE, '#ffe246', { radius: 6, edge: COLORS.ink, line: 4 });
  box(ctx, -a + 9, -a + 10, 11, 11, '#18c3e8', { edge: COLORS.ink, line: 3 });
  box(ctx, 4, -a + 10, 11, 11, '#18c3e8', { edge: COLORS.ink, line: 3 });
  box(ctx, -a + 9, 6, 30, 9, '#18c3e8', { edge: COLORS.ink, line: 3 });
  ctx.restore();
}
