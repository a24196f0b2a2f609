// @ts-check
/** Moonshaft Surveyor in words: the blocks in view as rows of symbols, and where everything that moves is. */

import { follow, tileAt } from '../../kit/platform.js';
import { FUEL, LIVES, mapOf, needOf, rocketOf, TILE } from './rules.js';

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const map = mapOf(s);
  const view = follow(s.hero, map);
  const b = s.hero;
  const ready = s.score >= needOf(s);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => `x=${Math.round(x - view.x)}, y=${Math.round(y - view.y)}`;
  const moves = [
    Math.abs(b.vx) > 0.8 && `${b.vx < 0 ? 'left' : 'right'} by about ${Math.round(Math.abs(b.vx) * 12)} a step`,
    !b.onGround && !b.climbing && Math.abs(b.vy) > 0.8 && `${b.vy < 0 ? 'up' : 'down'} by about ${Math.round(Math.abs(b.vy) * 12)} a step`,
  ].filter(Boolean);
  const lines = [
    `Level ${s.level}. Coins: ${s.score}; the rocket needs ${needOf(s)}${ready ? ' and is READY' : ''}. Lives: ${s.lives} of ${LIVES}. Fuel: ${Math.round((b.fuel / FUEL) * 100)} %.`,
    `The explorer: middle at ${at(b.x + b.w / 2, b.y + b.h / 2)}, feet at y=${Math.round(b.y + b.h - view.y)}; ${b.climbing ? 'on a ladder' : b.onGround ? 'standing' : 'in the air'}${moves.length ? `, moving ${moves.join(' and ')}` : ''}${s.mercy ? '; blinks, nothing can hurt him for a moment' : ''}.`,
  ];
  const seen = s.foes.filter((f) => f.x + f.w > view.x && f.x < view.x + 1280);
  seen.sort((p, q) => Math.hypot(p.x - b.x, p.y - b.y) - Math.hypot(q.x - b.x, q.y - b.y));
  for (const f of seen) {
    lines.push(`A ${f.kind === 'C' ? 'crawler' : 'flying drone'} (40 wide, 32 high): middle at ${at(f.x + 20, f.y + 16)}, moving ${f.vx < 0 ? 'left' : 'right'} by about ${Math.round(Math.abs(f.vx) * 12)} a step.`);
  }
  const first = Math.floor(view.x / TILE);
  lines.push(
    `Blocks of ${TILE} pixels as rows from the top; the first column begins at x=${first * TILE - view.x}, the first row at y=${-view.y}. # rock, = girder, H ladder, ^ spikes, ~ acid, o coin, f fuel can, C crawler, D drone, X rocket, @ you:`,
    ...board(s, first),
  );
  return lines.join('\n');
}

/** @param {import('./rules.js').State} s @param {number} first */
function board(s, first) {
  const map = mapOf(s);
  const rows = map.rows.map((row, y) =>
    Array.from({ length: Math.min(30, row.length - first) }, (_x, i) => {
      const c = tileAt(map, first + i, y, '.');
      return '#=H^~'.includes(c) ? c : '.';
    }),
  );
  const put = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ sign) => {
    const row = rows[Math.floor(y / TILE)];
    const col = Math.floor(x / TILE) - first;
    if (row && col >= 0 && col < row.length) row[col] = sign;
  };
  const r = rocketOf(s);
  for (const up of [0, TILE]) put(r.x, r.y - up, 'X');
  for (const c of s.coins) if (!c.taken) put(c.x, c.y, 'o');
  for (const c of s.cans) if (!c.taken) put(c.x, c.y, 'f');
  for (const f of s.foes) put(f.x + 20, f.y + 16, f.kind);
  put(s.hero.x + s.hero.w / 2, s.hero.y + s.hero.h - 4, '@');
  return rows.map((r2) => r2.join(''));
}
