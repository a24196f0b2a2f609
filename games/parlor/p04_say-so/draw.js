// @ts-check
/** Say So, the picture: the board on the left, the sentences that hold and the moves on the right. */

import { box, disc, polygon, sky, text } from '../../kit/draw.js';
import { rulesOf } from './board.js';

const CELL = 58;
const LEFT = 20;
const TOP = 56;
/** Ink and ground of a word tile by what kind of word it is. @type {Record<string, [string, string]>} */
const WORDS = { noun: ['#f2e9dc', '#3a3f55'], is: ['#ffffff', '#14161f'], property: ['#23201c', '#f0b94d'] };
const PROPERTIES = ['YOU', 'STOP', 'PUSH', 'WIN', 'SINK'];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#1c1a2b', '#141221');
  const { board } = s;
  box(ctx, LEFT - 6, TOP - 6, board.width * CELL + 12, board.height * CELL + 12, '#26243a', { radius: 12 });
  for (let x = 0; x < board.width; x++) {
    for (let y = 0; y < board.height; y++) {
      if ((x + y) % 2) box(ctx, LEFT + x * CELL, TOP + y * CELL, CELL, CELL, '#2b2941');
    }
  }
  const rules = rulesOf(board);
  const lit = new Set(litWords(board));
  for (const t of board.tiles) if (!t.word) thing(ctx, t.name, LEFT + t.x * CELL, TOP + t.y * CELL);
  for (const t of board.tiles) if (t.word) word(ctx, t, lit.has(t));
  text(ctx, 'Say So', LEFT, 30, { size: 32, color: '#f0b94d', align: 'left' });
  text(ctx, 'Push the words. What they say is the law.', LEFT + 150, 32, { size: 20, color: '#b9b4d6', align: 'left', bold: false });
  panel(ctx, rules.map((r) => [r.noun, r.is]), s.moves);
}

/** The word tiles that are part of a sentence. @param {import('./board.js').Board} board */
function litWords(board) {
  const words = board.tiles.filter((t) => t.word);
  /** @param {number} x @param {number} y */
  const find = (x, y) => words.find((t) => t.x === x && t.y === y);
  return words.flatMap((t) => {
    return [[1, 0], [0, 1]].flatMap(([dx, dy]) => {
      const [is, end] = [find(t.x + dx, t.y + dy), find(t.x + 2 * dx, t.y + 2 * dy)];
      const noun = t.name !== 'IS' && !PROPERTIES.includes(t.name);
      return noun && is?.name === 'IS' && end && end.name !== 'IS' ? [t, is, end] : [];
    });
  });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./board.js').Tile} t @param {boolean} lit */
function word(ctx, t, lit) {
  const kind = t.name === 'IS' ? 'is' : PROPERTIES.includes(t.name) ? 'property' : 'noun';
  const [ink, ground] = WORDS[kind];
  const [x, y] = [LEFT + t.x * CELL, TOP + t.y * CELL];
  box(ctx, x + 3, y + 10, CELL - 6, CELL - 20, ground, { radius: 8, edge: lit ? '#7cf5c0' : '#5a5674', line: lit ? 4 : 2 });
  ctx.save();
  ctx.translate(x + CELL / 2, y + CELL / 2 + 1);
  ctx.scale(Math.min(1, 2.7 / t.name.length), 1); // long words are condensed, never smaller
  text(ctx, t.name, 0, 0, { size: 21, color: ink });
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {string} name @param {number} x @param {number} y */
function thing(ctx, name, x, y) {
  const [cx, cy] = [x + CELL / 2, y + CELL / 2];
  if (name === 'MOTH') {
    polygon(ctx, [[cx, cy + 4], [x + 4, y + 8], [x + 8, y + 44]], '#e9dff5', '#8a77b8', 2);
    polygon(ctx, [[cx, cy + 4], [x + CELL - 4, y + 8], [x + CELL - 8, y + 44]], '#e9dff5', '#8a77b8', 2);
    disc(ctx, cx, cy + 2, 8, '#6a5796');
    disc(ctx, cx, cy - 8, 6, '#4b3b73');
  } else if (name === 'CRAB') {
    disc(ctx, cx, cy + 6, 17, '#e2583e', '#8f2f1f');
    for (const d of [-1, 1]) {
      disc(ctx, cx + d * 20, cy - 10, 8, '#e2583e', '#8f2f1f', 2);
      disc(ctx, cx + d * 7, cy - 4, 4, '#ffffff');
      disc(ctx, cx + d * 7, cy - 4, 2, '#14161f');
    }
  } else if (name === 'WALL') {
    box(ctx, x + 1, y + 1, CELL - 2, CELL - 2, '#6d7a94', { radius: 4 });
    for (const [bx, by, w] of [[4, 6, 22], [30, 6, 24], [4, 24, 12], [20, 24, 24], [4, 42, 22], [30, 42, 24]]) {
      box(ctx, x + bx, y + by, w, 12, '#8b99b5', { radius: 2 });
    }
  } else if (name === 'HEDGE') {
    box(ctx, x + 1, y + 1, CELL - 2, CELL - 2, '#2f6b3c', { radius: 12 });
    for (const [bx, by, r] of [[14, 16, 9], [38, 14, 10], [24, 32, 11], [44, 40, 9], [12, 44, 8]]) disc(ctx, x + bx, y + by, r, '#43904f');
  } else if (name === 'ROCK') {
    polygon(ctx, [[x + 8, y + 44], [x + 12, y + 20], [x + 28, y + 9], [x + 46, y + 18], [x + 51, y + 42], [x + 30, y + 50]], '#a98d6d', '#6d563d');
    polygon(ctx, [[x + 20, y + 24], [x + 30, y + 18], [x + 38, y + 26], [x + 28, y + 32]], '#c4aa88');
  } else if (name === 'LAMP') {
    disc(ctx, cx, cy - 6, 22, 'rgba(255,222,120,0.25)');
    disc(ctx, cx, cy - 6, 14, '#ffd964', '#b98a1c');
    box(ctx, cx - 7, cy + 10, 14, 12, '#8d93a8', { radius: 3 });
  } else if (name === 'BELL') {
    polygon(ctx, [[cx - 18, cy + 14], [cx - 10, cy - 16], [cx + 10, cy - 16], [cx + 18, cy + 14]], '#e8b23c', '#8a6412');
    disc(ctx, cx, cy + 19, 6, '#8a6412');
    disc(ctx, cx, cy - 18, 5, '#8a6412');
  } else {
    disc(ctx, cx, cy, 24, '#4d5a78', '#8b99b5', 5);
    disc(ctx, cx, cy, 15, '#0c1020');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {string[][]} rules @param {number} moves */
function panel(ctx, rules, moves) {
  const x = 1020;
  box(ctx, x, 50, 244, 520, '#201e31', { radius: 16, edge: '#4a4668' });
  text(ctx, 'Rules now', x + 122, 82, { size: 24, color: '#b9b4d6' });
  rules.slice(0, 10).forEach(([noun, is], i) => {
    text(ctx, `${noun} IS ${is}`, x + 122, 124 + i * 40, { size: 22, color: is === 'WIN' ? '#7cf5c0' : '#ffffff' });
  });
  if (!rules.length) text(ctx, 'none', x + 122, 124, { size: 22, color: '#8a86a6', bold: false });
  box(ctx, x, 590, 244, 104, '#201e31', { radius: 16, edge: '#4a4668' });
  text(ctx, 'Moves', x + 122, 620, { size: 22, color: '#b9b4d6', bold: false });
  text(ctx, moves, x + 122, 662, { size: 40, color: '#ffffff' });
}
