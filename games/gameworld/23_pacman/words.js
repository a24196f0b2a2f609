// @ts-check
/** Burrow Feast, the screen in words: the burrow as a map with everybody on it, then who is where and how it runs. */

import { BACK, open, WAYS } from './maze.js';
import { LEFT, LIVES, mazeOf, PITCH, TOP } from './rules.js';

/** @type {Record<string, [string, string]>} */
const COAT = { hunter: ['red', 'R'], ambusher: ['pink', 'P'], wanderer: ['teal', 'T'] };
/** Shorter than this a slime stays pale: it blinks. */
const BLINKS = 90;

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const you = place(s.you);
  const far = (/** @type {import('./rules.js').Runner} */ r) => Math.hypot(place(r)[0] - you[0], place(r)[1] - you[1]);
  const slimes = [...s.slimes].sort((a, b) => far(a) - far(b));
  const maze = mazeOf(s);
  const ways = s.you.off ? [s.you.way, BACK[s.you.way]] : Object.keys(WAYS).filter((w) => open(maze, s.you.col, s.you.row, w));
  return [
    `Score: ${s.score}. Burrow: ${s.level}. Hearts: ${s.lives} of ${LIVES}. Left to eat: ${s.crumbs.length} crumbs, ${s.berries.length} berries.`,
    'Map of the burrow. Crossings lie at even columns and rows; from one to the next it is 2 cells. Columns 0 to 24, rows 0 to 12:',
    `   ${Array.from({ length: 25 }, (_, i) => i % 10).join('')}`,
    ...board(s).map((line, i) => `${String(i).padStart(2)} ${line.join('')}`),
    '. crumb, o berry, c cherries, # earth, space: tunnel that is eaten empty, H hamster, R P T red, pink and teal slime, ' +
      's pale slime, z sleeping slime. A letter hides what lies under it.',
    `Column 0, row 0 is at x=${LEFT}, y=${TOP} on the screen; a cell is ${PITCH / 2} pixels.`,
    `The hamster is at ${where(you)}, ${s.you.going ? `running ${s.you.way}` : `standing, facing ${s.you.way}`}. ` +
      `From there it can run ${ways.join(', ')}.`,
    'Slimes, the nearest first:',
    ...slimes.map((g) => `- ${slime(g)} at ${where(place(g))}`),
    ...(s.cherry ? [`Cherries lie at ${where([s.cherry.col * 2, s.cherry.row * 2])}.`] : []),
  ].join('\n');
}

/** In cells of the map. @param {import('./rules.js').Runner} r @returns {[number, number]} */
function place(r) {
  const [dx, dy] = WAYS[r.way];
  const off = (r.off * 2) / PITCH;
  return [r.col * 2 + dx * off, r.row * 2 + dy * off];
}

/** @param {[number, number]} at */
function where([x, y]) {
  return `column ${Math.round(x * 10) / 10}, row ${Math.round(y * 10) / 10}`;
}

/** @param {import('./rules.js').State} s */
function board(s) {
  const crumbs = new Set(s.crumbs);
  const berries = new Set(s.berries);
  /** @type {string[][]} */
  const grid = mazeOf(s).map((line, y) =>
    [...line].map((c, x) => (c === ' ' ? '#' : crumbs.has(`${x},${y}`) ? '.' : berries.has(`${x},${y}`) ? 'o' : ' ')),
  );
  const put = (/** @type {[number, number]} */ [x, y], /** @type {string} */ symbol) => (grid[Math.round(y)][Math.round(x)] = symbol);
  if (s.cherry) put([s.cherry.col * 2, s.cherry.row * 2], 'c');
  // The dangerous ones over the others.
  for (const g of s.slimes) if (g.asleep) put(place(g), 'z');
  for (const g of s.slimes) if (!g.asleep && g.scared) put(place(g), 's');
  for (const g of s.slimes) if (!g.asleep && !g.scared) put(place(g), COAT[g.kind][1]);
  put(place(s.you), 'H');
  return grid;
}

/** @param {import('./rules.js').Slime} g */
function slime(g) {
  const coat = g.scared ? (g.scared < BLINKS ? 'pale, blinking' : 'pale') : COAT[g.kind][0];
  return g.asleep ? `${coat}, asleep,` : `${coat}, looking ${g.way},`;
}
