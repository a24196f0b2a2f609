// @ts-check
/** Crate Escape, the screen in words: the crate, and what comes towards it, the nearest first. */

import { SCREEN_X } from './draw.js';
import { BASE, coinY, completed, HEADROOM, SIDE, surface, TILE } from './rules.js';

const RIGHT = 1280;
const MOST = 16;
const FRONT = SCREEN_X + SIDE;

/** @typedef {{x: number, say: string}} Thing  `x`: its left edge on the screen */

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const column = Math.floor(s.x / TILE);
  const under = surface(s, column);
  const fly = s.vy < 0 ? 'rising' : 'falling';
  const how = s.grounded ? 'slides on the ground' : `is in the air, ${fly} by about ${Math.abs(Math.round(s.vy * 12))} in 0.2 s`;
  const things = [...ground(s, column), ...marks(s, column), ...gate(s)].sort((a, b) => a.x - b.x).slice(0, MOST);
  return [
    `Stage ${s.level}. Coins: ${s.taken.length}. Behind the crate: ${Math.floor(completed(s) * 100)} % of the stage.`,
    `The screen is 1280 wide and 720 high; y grows downwards. A tile is ${TILE} pixels. Everything moves left by ${Math.round(s.speed * 12)} in 0.2 s.`,
    `The crate reaches from x=${SCREEN_X} to ${FRONT}; its lower side is at y=${Math.round(s.y)}, its upper side at y=${Math.round(s.y) - SIDE}. It ${how}.`,
    under > 720 ? 'Under its left edge is a hole.' : `The ground under its left edge is at y=${under}.`,
    'What comes, the nearest first ("ahead" is counted from the right side of the crate):',
    ...(things.length ? things.map((t) => `${distance(t.x)}: ${t.say}`) : ['Nothing but free ground.']),
  ].join('\n');
}

/** @param {number} x */
const distance = (x) => (x > FRONT ? `${Math.round(x - FRONT)} ahead` : 'Here');

/** Holes and changes of the ground's height. @param {import('./rules.js').State} s @param {number} from */
function ground(s, from) {
  const left = (/** @type {number} */ c) => Math.round(c * TILE - s.x + SCREEN_X);
  /** @type {Thing[]} */
  const out = [];
  for (let c = from; left(c) < RIGHT; c++) {
    const before = surface(s, c - 1);
    const here = surface(s, c);
    if (here > 720) {
      if (before > 720 && c > from) continue;
      let end = c + 1;
      while (left(end) < RIGHT && surface(s, end) > 720) end += 1;
      const seen = left(end) < RIGHT;
      const to = seen ? `x=${left(end)}; behind it the ground is at y=${surface(s, end)}` : 'the right edge of the picture';
      out.push({ x: left(c), say: `a hole from x=${left(c)} to ${to}.` });
    } else if (c > from && before < 720 && here !== before) {
      const tiles = Math.abs(here - before) / TILE;
      out.push({ x: left(c), say: `a step ${here < before ? 'up' : 'down'} of ${tiles} tile${tiles > 1 ? 's' : ''} at x=${left(c)}, to ground at y=${here}.` });
    }
  }
  return out;
}

/** Spikes, springs and coins, as wide as they are drawn. @param {import('./rules.js').State} s @param {number} from */
function marks(s, from) {
  /** @type {Thing[]} */
  const out = [];
  for (let c = from; c * TILE - s.x + SCREEN_X < RIGHT; c++) {
    const x = Math.round(c * TILE - s.x + SCREEN_X);
    const y = surface(s, c);
    const coin = Math.round(coinY(s, c));
    if (s.marks[c] === '^') out.push({ x: x + 4, say: `spikes on the ground, x=${x + 4} to ${x + 56}, tips at y=${y - 46}.` });
    if (s.marks[c] === 'v') out.push({ x: x - 13, say: `hanging spikes, x=${x - 13} to ${x + 73}, tips at y=${y - HEADROOM}: slide under them.` });
    if (s.marks[c] === 's') out.push({ x: x + 4, say: `a green spring plate, x=${x + 4} to ${x + 56}, on ground at y=${y}.` });
    if (s.marks[c] === '*' && !s.taken.includes(c)) out.push({ x: x + 13, say: `a coin at x=${x + TILE / 2}, y=${coin}.` });
  }
  return out;
}

/** @param {import('./rules.js').State} s @returns {Thing[]} */
function gate(s) {
  const x = Math.round(s.length + SIDE - s.x + SCREEN_X);
  return x < RIGHT ? [{ x, say: `the gate at x=${x}, on ground at y=${BASE}.` }] : [];
}
