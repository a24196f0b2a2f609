// @ts-check
/** Bramble Lane, the screen in words: the hedgehog, what is near him, and the part of the stage in the picture. */

import { follow, tileAt } from '../../kit/platform.js';
import { enter, FLAG_X, LIVES, MAP, TILE } from './rules.js';

const RIGHT = 1280;
const ROW_COUNT = 15;
/** Most enemies and most blocks that are listed. */
const MOST = 8;
/** A full block looks the same whatever is in it. @type {Record<string, string>} */
const BLOCKS = { '?': '?', '!': '?', B: 'B', u: 'x' };

/** @param {number} v pixels per update */
const per = (v) => Math.abs(Math.round(v * 15));

/** @param {import('./rules.js').State} s */
export function describe(s) {
  enter(s);
  const b = s.hero;
  const view = follow(b, MAP);
  const left = Math.round(b.x - view.x);
  const right = left + b.w;
  const feet = Math.round(b.y + b.h);
  const run = per(b.vx) ? `moves ${b.vx < 0 ? 'left' : 'right'} by about ${per(b.vx)} in 0.25 s` : 'does not move sideways';
  const fly = b.onGround ? 'stands on something' : `is in the air, ${b.vy < 0 ? 'rising' : 'falling'} by about ${per(b.vy)} in 0.25 s`;
  return [
    `Score: ${s.score}. Time: ${Math.ceil(s.left / 60)}. Lives: ${s.lives} of ${LIVES}.`,
    `The screen is 1280 wide and 720 high; y grows downwards. A block is ${TILE} wide and high.`,
    `The hedgehog is ${b.big ? 'big' : 'small'}: x=${left} to ${right}, head at y=${Math.round(b.y)}, feet at y=${feet}. He ${fly} and ${run}.${b.ducking ? ' He ducks.' : ''}`,
    ...(s.mercy ? ['He blinks: enemies cannot hurt him now.'] : []),
    ...creatures(s, view.x, left, right),
    `Ground from left to right (y is its upper side, with the stumps and blocks that stand on it): ${ground(s, view.x).join('; ')}.`,
    ...blocks(s, view.x),
    ...(FLAG_X - view.x < RIGHT ? [`The flag is at x=${FLAG_X - view.x}.`] : []),
    ...picture(s, view.x),
  ].join('\n');
}

/** Enemies and the bun, the nearest first. @param {import('./rules.js').State} s @param {number} view
 * @param {number} left @param {number} right */
function creatures(s, view, left, right) {
  const seen = [
    ...s.enemies.filter((e) => !e.flat).map((e) => ({ ...e, name: e.kind === 'S' ? 'a snail' : 'a green hopper' })),
    ...(s.bun ? [{ ...s.bun, name: 'a bun' }] : []),
  ].filter((e) => e.x - view < RIGHT && e.x + e.w > view && e.y < 720);
  seen.sort((p, q) => Math.abs(p.x - s.hero.x) - Math.abs(q.x - s.hero.x));
  return seen.slice(0, MOST).map((e) => {
    const x = Math.round(e.x - view);
    const far = x >= right ? `${x - right} to his right` : x + e.w <= left ? `${left - x - e.w} to his left` : 'At his place, above or below';
    const air = e.vy ? ', in the air' : '';
    return `${far}: ${e.name}, x=${x} to ${x + e.w}, y=${Math.round(e.y)} to ${Math.round(e.y + e.h)}${air}, moving ${e.vx < 0 ? 'left' : 'right'} by about ${per(e.vx)} in 0.25 s.`;
  });
}

/** The upper side of earth and of what stands on it in the picture, and the holes. @param {import('./rules.js').State} s
 * @param {number} view */
function ground(s, view) {
  const x = (/** @type {number} */ col) => col * TILE - view;
  const first = Math.floor(view / TILE);
  /** @param {number} col @param {number} row */
  const solid = (col, row) => '#T'.includes(tileAt(MAP, col, row)) || s.blocks.some((k) => k.x === col * TILE && k.y === row * TILE);
  /** @param {number} col */
  const top = (col) => {
    let row = ROW_COUNT;
    while (row > 0 && solid(col, row - 1)) row -= 1;
    return row;
  };
  const out = [];
  for (let col = first; x(col) < RIGHT; ) {
    const row = top(col);
    const from = col;
    while (x(col) < RIGHT && top(col) === row) col += 1;
    const wide = `x=${Math.max(0, x(from))} to ${Math.min(RIGHT, x(col))}`;
    out.push(row === ROW_COUNT ? `hole ${wide}` : `${wide} y=${row * TILE}`);
  }
  return out;
}

/** Question blocks, the nearest first. @param {import('./rules.js').State} s @param {number} view */
function blocks(s, view) {
  const full = s.blocks.filter((k) => '?!'.includes(k.kind) && k.x - view < RIGHT && k.x + TILE > view);
  full.sort((p, q) => Math.abs(p.x - s.hero.x) - Math.abs(q.x - s.hero.x));
  const named = full.slice(0, MOST).map((k) => `x=${k.x - view} to ${k.x + TILE - view} with its lower side at y=${k.y + TILE}`);
  return named.length ? [`Question blocks, the nearest first: ${named.join('; ')}.`] : [];
}

/** The picture in squares. @param {import('./rules.js').State} s @param {number} view */
function picture(s, view) {
  const first = Math.floor(view / TILE);
  const last = Math.floor((view + RIGHT - 1) / TILE);
  const rows = MAP.rows.map((line) => [...line.slice(first, last + 1)].map((c) => ('#T|'.includes(c) ? c : '.')));
  /** @param {string} sign @param {number} x @param {number} y */
  const put = (sign, x, y) => {
    const row = rows[Math.floor(y / TILE)];
    const col = Math.floor(x / TILE) - first;
    if (row && col >= 0 && col < row.length) row[col] = sign;
  };
  for (const c of s.coins) if (!c.taken) put('o', c.x, c.y);
  for (const k of s.blocks) put(BLOCKS[k.kind], k.x, k.y);
  for (const e of s.enemies) if (!e.flat) put(e.kind, e.x + e.w / 2, e.y + e.h / 2);
  if (s.bun) put('b', s.bun.x + 18, s.bun.y + 18);
  put('@', s.hero.x + s.hero.w / 2, s.hero.y + s.hero.h - 2);
  return [
    `The picture in squares of ${TILE} pixels, the left edge of the first column at x=${first * TILE - view}, each line with the y of its upper side`,
    '(@ hedgehog, # earth, T stump, ? question block, x empty block, B brick, o gold coin, S snail, H hopper, b bun, | flag, . air):',
    ...rows.map((line, row) => `${String(row * TILE).padStart(3)} ${line.join('')}`),
  ];
}
