// @ts-check
/** Ink Runner, the screen in words: the figure, the traps in the picture from the nearest on, and the blocks. */

import { follow } from '../../kit/platform.js';
import { motion, tileLines } from '../../kit/tile-words.js';
import { crusherBox, CRUSHERS, enter, FLAGS, laserBox, laserOn, LASERS, LIVES, MAP, SAW, sawAt, SAWS, TILE } from './rules.js';

/** Updates of a step of 0.2 seconds. */
const STEP = 12;
/** How far each saw goes to the left, right, top and bottom: its dashed line. */
const trackOf = (/** @type {number} */ i) => {
  const way = Array.from({ length: 240 }, (_, frame) => sawAt({ frame }, i));
  const [xs, ys] = [way.map((p) => p.x), way.map((p) => p.y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
};

/** @param {import('./rules.js').State} s */
export function describe(s) {
  enter(s);
  const b = s.hero;
  const view = follow(b, MAP);
  const seen = (/** @type {number} */ x) => x > view.x - 20 && x < view.x + 1300;
  const X = (/** @type {number} */ x) => Math.round(x - view.x);
  const flags = FLAGS.map((f, i) => ({ x: f.x, y: f.y, text: flag(s, i, X(f.x)) })).filter((f) => seen(f.x + TILE / 2));
  const traps = [...saws(s, X), ...crushers(s, X), ...lasers(s, X)]
    .filter((t) => seen(t.x))
    .sort((p, q) => Math.abs(p.x - b.x) - Math.abs(q.x - b.x));
  const marks = [
    ...s.crumbles.map((c) => ({ x: c.x, y: c.y, symbol: c.gone ? '_' : c.worn ? 'w' : 'f' })),
    ...FLAGS.flatMap((f) => [f.y - TILE, f.y].map((y) => ({ x: f.x, y, symbol: f.char === 'X' ? 'E' : 'P' }))),
    { x: b.x + b.w / 2, y: b.y + 4, symbol: 'R' },
    { x: b.x + b.w / 2, y: b.y + b.h - 4, symbol: 'R' },
  ];
  const { lines, left } = tileLines(MAP, view, marks, (char) => ('#^'.includes(char) ? char : '.'));
  const moves = motion(b.vx, b.onGround ? 0 : b.vy, STEP);
  const broken = s.crumbles.some((c) => c.gone || c.worn);
  const sandy = `, f sandy block with cracks${broken ? ', w sandy block that is crumbling, _ gap that a crumbled block left' : ''}`;
  return [
    `Checkpoints: ${s.passed} / ${FLAGS.length}. Hearts: ${s.lives} of ${LIVES}.`,
    'The screen is 1280 wide and 720 high; y grows downwards. The picture follows the figure. A block is 48 pixels.',
    `The figure ${doing(b)}, facing ${b.face < 0 ? 'left' : 'right'}: x=${X(b.x)} to ${X(b.x + b.w)}, head at y=${Math.round(b.y)}, feet at y=${Math.round(b.y + b.h)}.`,
    moves ? `It moves ${moves} pixels in 0.2 seconds.` : 'It does not move.',
    ...(s.blink ? ['It blinks: it was just brought back to a checkpoint.'] : []),
    ...flags.map((f) => f.text),
    traps.length ? 'Traps in the picture, besides spikes, the nearest first:' : 'Besides spikes there is no trap in the picture.',
    ...traps.map((t) => `- ${t.text}`),
    `The picture in blocks; each row begins with the y of its upper edge, and column 0 begins at x=${left}:`,
    ...lines,
    `# block, ^ spikes, P flag, E exit, R figure${s.crumbles.some((c) => seen(c.x)) ? sandy : ''}, . air`,
  ].join('\n');
}

/** @param {import('./rules.js').State['hero']} b */
function doing(b) {
  if (!b.onGround) return 'is in the air';
  if (b.low) return Math.abs(b.vx) > 0.6 ? (Math.abs(b.vx) > 4 ? 'slides' : 'crawls') : 'crouches';
  return Math.abs(b.vx) > 0.6 ? 'runs' : 'stands';
}

/** @param {import('./rules.js').State} s @param {number} i @param {number} x */
function flag(s, i, x) {
  const ground = FLAGS[i].y + TILE;
  if (FLAGS[i].char === 'X') return `The exit door is at x=${x} to ${x + TILE}, on the ground at y=${ground}.`;
  return `Flag ${i + 1} is at x=${x + 24}, on the ground at y=${ground}; it is ${i < s.passed ? 'green (passed)' : 'yellow (not yet passed)'}.`;
}

/** @typedef {{x: number, text: string}} Trap  `x` on the map */

/** @param {import('./rules.js').State} s @param {(x: number) => number} X @returns {Trap[]} */
function saws(s, X) {
  return SAWS.map((_, i) => {
    const at = sawAt(s, i);
    const next = sawAt({ frame: s.frame + 1 }, i);
    const t = trackOf(i);
    const flat = t.right - t.left > 1;
    const way = flat ? `x=${X(t.left)} and x=${X(t.right)}` : `y=${Math.round(t.top)} and y=${Math.round(t.bottom)}`;
    const moves = motion(next.x - at.x, next.y - at.y, STEP);
    const text = `a saw (radius ${SAW}) with its middle at x=${X(at.x)}, y=${Math.round(at.y)}, ${moves ? `moving ${moves} in 0.2 seconds` : 'about to turn back'}; it goes to and fro between ${way}`;
    return { x: at.x, text };
  });
}

/** @param {import('./rules.js').State} s @param {(x: number) => number} X @returns {Trap[]} */
function crushers(s, X) {
  return CRUSHERS.map((_, i) => {
    const r = crusherBox(s, i);
    const next = crusherBox({ frame: s.frame + 1 }, i);
    const teeth = r.y + r.h;
    const lowest = Math.max(...Array.from({ length: 150 }, (_, frame) => crusherBox({ frame }, i).h)) + r.y;
    const does = next.h > r.h ? 'falling' : next.h < r.h ? 'rising' : teeth > lowest - 1 ? 'waiting at the bottom' : 'waiting at the top';
    return { x: r.x + r.w / 2, text: `a crusher at x=${X(r.x)} to ${X(r.x + r.w)}, its teeth at y=${Math.round(teeth)}, ${does}` };
  });
}

/** @param {import('./rules.js').State} s @param {(x: number) => number} X @returns {Trap[]} */
function lasers(s, X) {
  return LASERS.map((_, i) => {
    const r = laserBox(i);
    return { x: r.x, text: `a laser beam at x=${X(r.x)} to ${X(r.x + r.w)}, from y=${r.y} to y=${r.y + r.h}, ${laserOn(s) ? 'lit (deadly)' : 'not lit'}` };
  });
}
