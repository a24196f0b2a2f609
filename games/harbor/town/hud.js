// @ts-check
/** Harbour, what lies over the picture: what is said, what is carried, hearts on the pier, and the sticks. */

import { box, disc, polygon, sky, text } from '../../kit/draw.js';
import { fighting } from './creatures.js';
import { SKIN } from './figures.js';
import { present } from './people.js';
import { BUTTON, LEFT, RIGHT } from './sticks.js';

/** @typedef {import('./rules.js').State} State */

/** Where the box of words stands. */
export const BOX = { x: 240, y: 520, w: 800, h: 150 };

/** @param {CanvasRenderingContext2D} ctx @param {State} s */
export function drawHud(ctx, s) {
  if (s.shaken) {
    ctx.fillStyle = `rgba(200,40,60,${(0.4 * s.shaken) / 40})`;
    ctx.fillRect(0, 0, 1280, 720);
  }
  sticks(ctx, s);
  carried(ctx, s);
  if (fighting(s)) for (let i = 0; i < 3; i++) heart(ctx, 560 + i * 80, 52, i < s.hearts ? '#f0566a' : 'rgba(20,20,34,0.6)');
  said(ctx, s);
}

/** @param {CanvasRenderingContext2D} ctx @param {State} s */
function said(ctx, s) {
  const who = present(s).find((o) => o.id === s.talk?.who);
  if (!who || !s.talk) return;
  const line = who.says(s)[s.talk.line] ?? '';
  box(ctx, BOX.x, BOX.y, BOX.w, BOX.h, 'rgba(24,22,40,0.9)', { radius: 18, edge: '#e8c88a', line: 3 });
  const name = who.name.replace(/^(the|a) /, '');
  const x = who.look ? 386 : 268;
  if (who.look) portrait(ctx, 314, 595, who.look);
  text(ctx, name[0].toUpperCase() + name.slice(1), x, 548, { size: 22, color: '#ffd98a', align: 'left' });
  wrap(ctx, line, 998 - x).forEach((words, i) => text(ctx, words, x, 586 + i * 34, { size: 26, color: '#fdf6ea', align: 'left', bold: false }));
  disc(ctx, 1006, 640, 19, '#e8c88a');
  text(ctx, 'A', 1006, 641, { size: 22, color: '#2a2438' });
}

/** Who speaks: often the player's own figure hides them. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y
 * @param {import('./figures.js').Look} look */
function portrait(ctx, x, y, look) {
  const ink = (/** @type {number[]} */ c, k = 1) => `rgb(${c.map((v) => Math.round(v * k)).join(',')})`;
  const skin = look.skin ?? SKIN;
  ctx.save();
  ctx.beginPath();
  ctx.arc(x, y, 58, 0, Math.PI * 2);
  ctx.clip();
  sky(ctx, '#54487a', '#54487a', '#54487a', '#c98a78', '#e0a878');
  box(ctx, x - 46, y + 26, 92, 60, ink(look.coat), { radius: 26 });
  if (look.apron) box(ctx, x - 22, y + 34, 44, 40, ink(look.apron), { radius: 6 });
  box(ctx, x - 11, y + 12, 22, 24, ink(skin, 0.86), { radius: 8 });
  box(ctx, x - 31, y - 40, 62, 46, ink(look.hair), { radius: 24 });
  box(ctx, x - 26, y - 26, 52, 52, ink(skin), { radius: 22 });
  box(ctx, x - 28, y - 34, 56, 17, ink(look.hair), { radius: 9 });
  for (const side of [-1, 1]) disc(ctx, x + side * 11, y - 4, 4, '#28222c');
  ctx.beginPath();
  ctx.arc(x, y + 6, 9, 0.15 * Math.PI, 0.85 * Math.PI);
  ctx.strokeStyle = ink(skin, 0.55);
  ctx.lineWidth = 3;
  ctx.stroke();
  if (look.hat) {
    box(ctx, x - 26, y - 54, 52, 30, ink(look.hat), { radius: 14 });
    box(ctx, x - 42, y - 32, 84, 11, ink(look.hat, 0.86), { radius: 5 });
  }
  ctx.restore();
  ctx.beginPath();
  ctx.arc(x, y, 58, 0, Math.PI * 2);
  ctx.strokeStyle = '#e8c88a';
  ctx.lineWidth = 3;
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {string} line @param {number} most */
function wrap(ctx, line, most) {
  ctx.font = '26px sans-serif';
  /** @type {string[]} */
  const out = [''];
  for (const word of line.split(' ')) {
    const longer = `${out[out.length - 1]} ${word}`.trim();
    if (ctx.measureText(longer).width > most) out.push(word);
    else out[out.length - 1] = longer;
  }
  return out;
}

/** @param {CanvasRenderingContext2D} ctx @param {State} s */
function carried(ctx, s) {
  const what = s.items.basket ? 'a basket of mint' : s.items.parcel ? 'a parcel for the harbour keeper' : '';
  if (!what) return;
  box(ctx, 20, 18, 60 + what.length * 11.5, 46, 'rgba(24,22,40,0.78)', { radius: 14 });
  box(ctx, 34, 30, 24, 22, s.items.basket ? '#b98a4e' : '#c49a62', { radius: 4, edge: '#fff0d0', line: 2 });
  text(ctx, what, 70, 42, { size: 21, color: '#fdf6ea', align: 'left', bold: false });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {string} color */
function heart(ctx, x, y, color) {
  disc(ctx, x - 11, y - 7, 13, color);
  disc(ctx, x + 11, y - 7, 13, color);
  polygon(ctx, [[x - 23, y - 2], [x + 23, y - 2], [x, y + 25]], color);
}

/** @param {CanvasRenderingContext2D} ctx @param {State} s */
function sticks(ctx, s) {
  for (const [c, pull] of /** @type {[typeof LEFT, number[]][]} */ ([[LEFT, s.sticks.left], [RIGHT, s.sticks.right]])) {
    disc(ctx, c.x, c.y, c.r, 'rgba(20,20,36,0.16)', 'rgba(255,255,255,0.22)', 2);
    disc(ctx, c.x + pull[0] * c.r * 0.6, c.y - pull[1] * c.r * 0.6, 26, 'rgba(255,255,255,0.28)');
  }
  disc(ctx, BUTTON.x, BUTTON.y, BUTTON.r, s.sticks.a ? 'rgba(255,220,140,0.6)' : 'rgba(20,20,36,0.2)', 'rgba(255,255,255,0.3)', 2);
  text(ctx, 'A', BUTTON.x, BUTTON.y + 1, { size: 28, color: 'rgba(255,255,255,0.65)' });
}
