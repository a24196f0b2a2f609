// @ts-check
/** The picture of a dodge maze: floor, zones, saws, coins, keys, doors and the square. A pure function of the state. */

import { CELL, doorsOpen, HALF, LEFT, LIVES, middle, SAW_R, sawsAt, TOP } from './dodge.js';
import { box, COLORS, disc, hud, polygon, sky, text } from './draw.js';
import { coin, hearts } from './stages.js';

/** @typedef {{back: string, floor: [string, string], wall: string, title: string}} Colours */
/** @typedef {import('./dodge.js').Prepared} Prepared */
/** @typedef {import('./dodge.js').State} State */

/** @param {CanvasRenderingContext2D} ctx @param {Prepared} level @param {State} s @param {Colours} colours */
export function paint(ctx, level, s, colours) {
  sky(ctx, colours.back);
  floor(ctx, level, s, colours);
  level.coins.forEach((c, i) => s.coins[i] || coin(ctx, ...middle(c.col, c.row), 15, s.frame));
  level.keys.forEach((c, i) => s.keys[i] || key(ctx, ...middle(c.col, c.row)));
  tracks(ctx, level);
  for (const [x, y] of sawsAt(level, s.frame)) saw(ctx, x, y, s.frame);
  if (s.goingTo) disc(ctx, s.goingTo.x, s.goingTo.y, 7, 'rgba(20,60,160,0.55)');
  square(ctx, s);
  const count = (/** @type {boolean[]} */ list) => `${list.filter(Boolean).length} of ${list.length}`;
  /** @type {[string, string|number][]} */
  const entries = [['Level', level.number], ['Coins', count(s.coins)]];
  if (s.keys.length) entries.push(['Keys', count(s.keys)]);
  hud(ctx, entries);
  text(ctx, level.name, 790, 37, { size: 26, color: colours.title });
  hearts(ctx, 1066, 14, LIVES - s.deaths, LIVES);
}

/** @param {CanvasRenderingContext2D} ctx @param {Prepared} level @param {State} s @param {Colours} colours */
function floor(ctx, level, s, colours) {
  const wall = (/** @type {number} */ x, /** @type {number} */ y) => (level.grid[y]?.[x] ?? '#') === '#';
  /** @type {Record<string, [string, string]>} */
  const zones = { S: ['#a5d6a7', '#98cc9b'], C: ['#a9d3f5', '#9bc8ee'], G: ['#7ddc84', '#6fd177'] };
  level.grid.forEach((line, y) =>
    line.forEach((c, x) => {
      if (c === '#') return;
      const px = LEFT + x * CELL;
      const py = TOP + y * CELL;
      ctx.fillStyle = (zones[c] ?? colours.floor)[(x + y) % 2];
      ctx.fillRect(px, py, CELL, CELL);
      if (c === 'D') door(ctx, px, py, doorsOpen(s));
      ctx.fillStyle = colours.wall;
      if (wall(x, y - 1)) ctx.fillRect(px - 4, py - 4, CELL + 8, 5);
      if (wall(x, y + 1)) ctx.fillRect(px - 4, py + CELL - 1, CELL + 8, 5);
      if (wall(x - 1, y)) ctx.fillRect(px - 4, py - 4, 5, CELL + 8);
      if (wall(x + 1, y)) ctx.fillRect(px + CELL - 1, py - 4, 5, CELL + 8);
    }),
  );
  /** @type {[string, string][]} */
  const labels = [['S', 'START'], ['G', 'GOAL']];
  for (const [c, word] of labels) label(ctx, level, c, word);
  for (const zone of level.checkpoints) {
    const kept = zone.some((z) => s.passed[level.checkpoints.indexOf(zone)] && z);
    const [x, y] = centre(zone);
    flag(ctx, x, y, kept ? '#2f6fed' : '#ffffff');
  }
}

/** @param {{col: number, row: number}[]} zone @returns {[number, number]} */
function centre(zone) {
  const col = zone.reduce((sum, c) => sum + c.col, 0) / zone.length;
  const row = zone.reduce((sum, c) => sum + c.row, 0) / zone.length;
  return middle(col, row);
}

/** @param {CanvasRenderingContext2D} ctx @param {Prepared} level @param {string} letter @param {string} word */
function label(ctx, level, letter, word) {
  /** @type {{col: number, row: number}[]} */
  const zone = [];
  level.grid.forEach((line, row) => line.forEach((c, col) => c === letter && zone.push({ col, row })));
  const [x, y] = centre(zone);
  const wide = new Set(zone.map((z) => z.col)).size * CELL > 80;
  if (wide) text(ctx, word, x, y, { size: 22, color: '#1f5a26' });
  else [...word].forEach((c, i) => text(ctx, c, x, y + (i - (word.length - 1) / 2) * 24, { size: 22, color: '#1f5a26' }));
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {string} color */
function flag(ctx, x, y, color) {
  box(ctx, x - 11, y - 17, 4, 34, '#2b3a55');
  polygon(ctx, [[x - 7, y - 17], [x + 15, y - 9], [x - 7, y - 1]], color, '#2b3a55', 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {boolean} open */
function door(ctx, x, y, open) {
  if (open) {
    box(ctx, x + 2, y + 2, 7, CELL - 4, '#8a5a3b');
    box(ctx, x + CELL - 9, y + 2, 7, CELL - 4, '#8a5a3b');
    return;
  }
  box(ctx, x + 1, y + 1, CELL - 2, CELL - 2, '#8a5a3b', { edge: '#4d2f1c', line: 4 });
  disc(ctx, x + CELL / 2, y + 20, 7, '#f5c518');
  box(ctx, x + CELL / 2 - 3, y + 22, 6, 14, '#f5c518');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function key(ctx, x, y) {
  disc(ctx, x - 9, y, 9, '#ff8a1f', '#6b3300', 3);
  disc(ctx, x - 9, y, 3, '#6b3300');
  box(ctx, x, y - 3, 19, 6, '#ff8a1f', { edge: '#6b3300', line: 2 });
  box(ctx, x + 9, y + 3, 4, 7, '#ff8a1f', { edge: '#6b3300', line: 2 });
  box(ctx, x + 15, y + 3, 4, 7, '#ff8a1f', { edge: '#6b3300', line: 2 });
}

/** Thin lines where saws run. @param {CanvasRenderingContext2D} ctx @param {Prepared} level */
function tracks(ctx, level) {
  ctx.strokeStyle = 'rgba(90, 30, 40, 0.28)';
  ctx.lineWidth = 3;
  for (const s of level.saws) {
    ctx.beginPath();
    if ('loop' in s) {
      for (const [col, row] of s.loop) ctx.lineTo(...middle(col, row));
      ctx.closePath();
    } else {
      const [x, y] = middle(s.around[0], s.around[1]);
      for (const r of s.radii) {
        ctx.moveTo(x + r * CELL, y);
        ctx.arc(x, y, r * CELL, 0, Math.PI * 2);
      }
    }
    ctx.stroke();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} frame */
function saw(ctx, x, y, frame) {
  const teeth = Array.from({ length: 20 }, (_, i) => {
    const angle = (i / 20) * Math.PI * 2 + frame / 7;
    const r = i % 2 ? SAW_R - 3 : SAW_R + 3;
    return [x + Math.cos(angle) * r, y + Math.sin(angle) * r];
  });
  polygon(ctx, teeth, '#c2242f', '#4a0a10', 2.5);
  disc(ctx, x, y, 5, '#ffe3e3', '#4a0a10', 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {State} s */
function square(ctx, s) {
  const { x, y } = s;
  const hurt = s.sinceHit < 30 && s.sinceHit % 10 < 5;
  box(ctx, x - HALF, y - HALF, HALF * 2, HALF * 2, hurt ? '#ffffff' : COLORS.blue, { radius: 6, edge: '#0d1f52', line: 4 });
  for (const side of [-6, 6]) disc(ctx, x + side, y - 2, 3.5, '#ffffff');
  for (const side of [-6, 6]) disc(ctx, x + side, y - 2, 1.7, '#0d1f52');
}
