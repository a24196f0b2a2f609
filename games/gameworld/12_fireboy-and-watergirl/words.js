// @ts-check
/** Ember and Drop in words: the temple as rows of symbols, and where figures, gems and things that move are. */

import { barred, count, doorOf, doorOpen, FIGURES, mapOf, powered, TILE } from './rules.js';

const LEGEND =
  '# stone, L lava, W water, G ooze, r red gem, b blue gem, p plate, l lever, g gate that bars the way, = lift, x box, E Ember, D Drop, f door of Ember, w door of Drop';
/** @type {Record<string, string>} */
const COLOURS = { 1: 'yellow', 2: 'violet', 3: 'pink', 5: 'green', 6: 'white' };

/** @param {import('./rules.js').State} s @param {string} role */
export function describe(s, role) {
  const cell = (/** @type {{x: number, y: number}} */ p) => `column ${Math.floor(p.x / TILE)}, row ${Math.floor(p.y / TILE)}`;
  const lines = [`Level ${s.level}. The picture has 32 columns and 18 rows of cells of ${TILE} pixels, counted from 0 at the top left.`];
  const order = role === 'watergirl' ? [1, 0] : [0, 1];
  for (const i of order) {
    const b = s.players[i];
    const { collected, total } = count(s, i);
    const moving = !b.onGround ? (b.vy < 0 ? 'rising' : 'falling') : Math.abs(b.vx) > 1 ? `running ${b.vx < 0 ? 'left' : 'right'}` : 'standing';
    lines.push(
      `${FIGURES[i].name}${FIGURES[i].id === role ? ' (you)' : ''}: ${cell({ x: b.x + b.w / 2, y: b.y + b.h - 2 })} (middle at x=${Math.round(b.x + b.w / 2)}, feet at y=${Math.round(b.y + b.h)}), ${moving}${b.home ? ', in the unlocked door' : ''}. Gems ${collected} of ${total}; the door at ${cell(doorOf(s, i))} is ${doorOpen(s, i) ? 'unlocked' : 'locked'}.`,
    );
  }
  for (const p of s.plates) lines.push(`${name(p.code)} plate at ${cell(p)}: ${p.down ? 'pressed' : 'up'}.`);
  for (const l of s.levers) lines.push(`${name(l.code)} lever at ${cell(l)}: ${l.on ? 'switched' : 'not touched yet'}.`);
  for (const g of s.gates) {
    const state = g.open >= 1 ? 'open' : g.open <= 0 ? 'shut' : powered(s, g.code) ? 'opening' : 'closing';
    lines.push(`${name(g.code)} gate, ${cell(g)} to ${cell({ x: g.x + g.w - 1, y: g.y + g.h - 1 })}: ${state}.`);
  }
  for (const l of s.lifts) {
    const state = l.y === l.low ? 'down' : l.y === l.high ? 'up' : 'moving';
    lines.push(`${name(l.plate)} lift, columns ${l.x / TILE} to ${(l.x + l.w) / TILE - 1}: ${state}, its top at y=${Math.round(l.y)}.`);
  }
  for (const k of s.crates) lines.push(`Box at ${cell({ x: k.x + k.w / 2, y: k.y + k.h / 2 })} (x=${Math.round(k.x)} to ${Math.round(k.x + k.w)}).`);
  lines.push(`${LEGEND}:`, ...board(s));
  return lines.join('\n');
}

/** @param {string} code */
const name = (code) => COLOURS[code][0].toUpperCase() + COLOURS[code].slice(1);

/** @param {import('./rules.js').State} s */
function board(s) {
  const rows = mapOf(s).rows.map((row) => [...row].map((c) => ('#LWG'.includes(c) ? c : '.')));
  const put = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ sign) => {
    const row = rows[Math.floor(y / TILE)];
    const col = Math.floor(x / TILE);
    if (row && col >= 0 && col < row.length) row[col] = sign;
  };
  FIGURES.forEach((f, i) => put(doorOf(s, i).x, doorOf(s, i).y, f.door));
  for (const p of s.plates) put(p.x, p.y, 'p');
  for (const l of s.levers) put(l.x, l.y, 'l');
  for (const g of s.gates) {
    const r = barred(g);
    for (let x = g.x; x < g.x + g.w; x += TILE) {
      for (let y = g.y; y < g.y + g.h; y += TILE) {
        if (x + TILE / 2 < r.x + r.w && y + TILE / 2 < r.y + r.h) put(x, y, 'g');
        else if (g.lying) put(x, y, '.');
      }
    }
  }
  for (const l of s.lifts) for (let x = l.x; x < l.x + l.w; x += TILE) put(x, Math.min(l.y, l.low - 1), '=');
  for (const g of s.gems) if (!g.taken) put(g.x, g.y, g.kind);
  for (const k of s.crates) put(k.x + k.w / 2, k.y + k.h / 2, 'x');
  s.players.forEach((b, i) => put(b.x + b.w / 2, b.y + b.h - 2, i ? 'D' : 'E'));
  return rows.map((r) => r.join(''));
}
