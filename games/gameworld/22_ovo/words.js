// @ts-check
/** Rail and Wall, the screen in words: the runner, what is to be reached, and the part of the level in the picture. */

import { follow } from '../../kit/platform.js';
import { motion, tileLines } from '../../kit/tile-words.js';
import { LEVELS } from './levels.js';
import { here, TILE } from './rules.js';

/** Updates of a quarter of a second. */
const STEP = 15;

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const map = here(s).map;
  const view = follow(s.hero, map);
  const b = s.hero;
  const coins = s.coins.filter((c) => !c.taken);
  const flag = here(s).flag;
  const seen = (/** @type {number} */ x) => x > view.x && x < view.x + 1280;
  const marks = [
    ...s.cracked.map((c) => ({ x: c.x, y: c.y, symbol: 'b' })),
    ...coins.map((c) => ({ x: c.x, y: c.y, symbol: 'o' })),
    { x: flag.x, y: flag.y - TILE, symbol: 'F' },
    { x: flag.x, y: flag.y, symbol: 'F' },
    { x: b.x + b.w / 2, y: b.y + 4, symbol: 'R' },
    { x: b.x + b.w / 2, y: b.y + b.h - 4, symbol: 'R' },
  ];
  const { lines, left } = tileLines(map, view, marks, (char) => ('#^'.includes(char) ? char : '.'));
  const near = coins
    .filter((c) => seen(c.x))
    .sort((p, q) => Math.hypot(p.x - b.x, p.y - b.y) - Math.hypot(q.x - b.x, q.y - b.y))
    .map((c) => `x=${c.x - view.x}, y=${c.y - view.y}`);
  const moves = motion(b.vx, b.vy * (b.onGround ? 0 : 1), STEP);
  return [
    `Level ${s.stage}, "${LEVELS[s.stage - 1].name}". Coins: ${s.coins.length - coins.length} / ${s.coins.length}.`,
    'The screen is 1280 wide and 720 high; y grows downwards. The picture follows the runner. A block is 48 pixels.',
    `The runner ${doing(b)}, facing ${b.face < 0 ? 'left' : 'right'}: x=${Math.round(b.x - view.x)} to ${Math.round(b.x + b.w - view.x)}, ` +
      `head at y=${Math.round(b.y - view.y)}, feet at y=${Math.round(b.y + b.h - view.y)}.`,
    moves ? `It moves ${moves} pixels in 0.25 seconds.` : 'It does not move.',
    seen(flag.x + TILE / 2)
      ? `The flag FINISH stands at x=${flag.x - view.x} to ${flag.x - view.x + TILE}, y=${flag.y + TILE - view.y}.`
      : 'The flag FINISH is not in the picture.',
    near.length ? `Coins in the picture, the nearest first: ${near.join('; ')}.` : 'No coin is in the picture.',
    `The picture in blocks; each row begins with the y of its upper edge, and column 0 begins at x=${left}:`,
    ...lines,
    '# concrete, b cracked floor, ^ spikes, o coin, F flag, R runner, . air',
  ].join('\n');
}

/** @param {import('./rules.js').State['hero']} b */
function doing(b) {
  if (b.smashing) return 'smashes straight down';
  if (!b.onGround) return b.wall ? `is in the air and touches a wall on its ${b.wall < 0 ? 'left' : 'right'}` : 'is in the air';
  if (b.low) return b.slide ? 'slides' : 'crouches';
  return Math.abs(b.vx) > 0.6 ? 'runs' : 'stands';
}
