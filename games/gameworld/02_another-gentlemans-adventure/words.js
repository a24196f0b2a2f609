// @ts-check
/** Rooftop Calling Hours in words: the blocks in view as rows of symbols, and where everything that moves is. */

import { follow, tileAt } from '../../kit/platform.js';
import { DOOR, enter, HEARTS, MAP, NEEDED, TILE } from './rules.js';

/** @param {import('./rules.js').State} s */
export function describe(s) {
  enter(s);
  const view = follow(s.hero, MAP);
  const b = s.hero;
  const at = (/** @type {{x: number, y: number, w?: number, h?: number}} */ p) =>
    `x=${Math.round(p.x + (p.w ?? 0) / 2 - view.x)}, y=${Math.round(p.y + (p.h ?? 0) / 2 - view.y)}`;
  const seen = (/** @type {{x: number, w?: number}} */ p) => p.x + (p.w ?? 0) > view.x && p.x < view.x + 1280;
  const nearest = (/** @type {{x: number, y: number}} */ p, /** @type {{x: number, y: number}} */ q) =>
    Math.hypot(p.x - b.x, p.y - b.y) - Math.hypot(q.x - b.x, q.y - b.y);
  const lines = [
    `Coins: ${s.score} of ${NEEDED}. Hearts: ${s.hearts} of ${HEARTS}.${s.mercy ? ' He blinks: nothing can hurt him for a moment.' : ''}`,
    `The gentleman: middle at ${at(b)}, feet at y=${Math.round(b.y + b.h - view.y)}; ${b.onGround ? 'he stands' : b.vy < 0 ? 'in the air, rising' : 'in the air, falling'}${Math.abs(b.vx) > 1 ? ` and moves ${b.vx < 0 ? 'left' : 'right'} by about ${Math.round(Math.abs(b.vx) * 12)} a step` : ''}; he faces ${b.face < 0 ? 'left' : 'right'}.`,
  ];
  for (const e of s.bandits.filter(seen).sort(nearest)) {
    lines.push(`A bandit (34 wide, 58 high): middle at ${at(e)}, turned ${e.vx < 0 ? 'left' : 'right'}${e.hits === 1 ? ', hit once' : ''}.`);
  }
  for (const p of s.bullets.filter((q) => !q.own && seen(q)).sort(nearest)) {
    lines.push(`A red ball at ${at(p)}, flying ${p.vx < 0 ? 'left' : 'right'} by ${Math.round(Math.abs(p.vx) * 12)} a step.`);
  }
  if (seen(DOOR)) lines.push(`The door at ${at(DOOR)} is ${s.score >= NEEDED ? 'open' : 'shut'}.`);
  const first = Math.floor(view.x / TILE);
  lines.push(
    `Blocks of ${TILE} pixels as rows from the top (y=0); the first column begins at x=${first * TILE - view.x}. # roof, = plank, ? question block, u struck block, c crate, o coin, E bandit, @ you, D door:`,
    ...board(s, first),
  );
  return lines.join('\n');
}

/** @param {import('./rules.js').State} s @param {number} first */
function board(s, first) {
  /** @type {string[][]} */
  const rows = MAP.rows.map((_, row) =>
    Array.from({ length: 28 }, (_x, i) => {
      const c = tileAt(MAP, first + i, row, '.');
      return c === '#' || c === '=' ? c : '.';
    }),
  );
  const put = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ sign) => {
    const row = rows[Math.floor(y / TILE)];
    const col = Math.floor(x / TILE) - first;
    if (row && col >= 0 && col < row.length) row[col] = sign;
  };
  for (const y of [10, 60]) put(DOOR.x + DOOR.w / 2, DOOR.y + y, 'D');
  for (const k of s.blocks) put(k.x, k.y, k.struck ? 'u' : '?');
  for (const c of s.crates) put(c.x, c.y, 'c');
  for (const c of s.coins) if (!c.taken) put(c.x, c.y, 'o');
  for (const e of s.bandits) put(e.x + e.w / 2, e.y + e.h - 4, 'E');
  put(s.hero.x + s.hero.w / 2, s.hero.y + s.hero.h - 4, '@');
  return rows.map((r) => r.join(''));
}
