// @ts-check
/** Six Sides, the rules: blocks fall from six directions onto a hexagon that can be turned; equal colours vanish. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';

export const HEX = 74;
export const LAYER = 36;
export const HIGHEST = 5;
/** Distance from the middle at which blocks appear. */
export const FAR = 350;
const HURRY = 3;
/** `fall`: pixels a frame. `every`: frames between blocks. `colors`: how many there are. */
export const LEVELS = [
  { fall: 2.6, every: 62, colors: 4 },
  { fall: 2.8, every: 58, colors: 4 },
  { fall: 3, every: 54, colors: 5 },
  { fall: 3.2, every: 50, colors: 5 },
  { fall: 3.4, every: 46, colors: 5 },
];

/** Everything gets faster by this share of the first speed each second, up to the most. */
const FASTER = 0.02;
const FASTEST = 2;

/** How much faster than at first. @param {State} s */
export const speed = (s) => Math.min(FASTEST, 1 + (FASTER * s.frames) / 60);

/** Points of a group of n blocks that vanish together. @param {number} n */
export const points = (n) => 10 * n * n;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  return {
    rng,
    level: oneOf(options, 'level', [1, 2, 3, 4, 5], 1),
    /** Sixths of a turn clockwise; sides move with it. */
    turned: 0,
    /** Where the picture is on its way there. */
    shown: 0,
    /** Colours on each side of the hexagon, from the inside out. @type {number[][]} */
    sides: [[], [], [], [], [], []],
    /** @type {{lane: number, color: number, at: number}[]} */
    falling: [],
    /** Colours that each direction has sent so far. @type {number[][]} */
    sent: [[], [], [], [], [], []],
    wait: 20,
    score: 0,
    vanished: 0,
    landed: 0,
    frames: 0,
    /** The last group, for the picture. */
    praise: 0,
    sincePraise: 99,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** The hexagon's side that lies under a lane now. @param {State} s @param {number} lane */
export const sideUnder = (s, lane) => (((lane - s.turned) % 6) + 6) % 6;

/** Distance from the middle at which a block on this side comes to rest. @param {State} s @param {number} side */
const restAt = (s, side) => HEX + LAYER * (s.sides[side].length + 0.5);

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frames += 1;
  s.sincePraise += 1;
  if (input.pressed('ArrowLeft')) s.turned -= 1;
  if (input.pressed('ArrowRight')) s.turned += 1;
  s.shown += (s.turned - s.shown) * 0.35;
  if (Math.abs(s.turned - s.shown) < 0.01) s.shown = s.turned;
  const pace = speed(s) * (input.held('ArrowDown') ? HURRY : 1);
  const { fall, every } = LEVELS[s.level - 1];
  s.wait -= pace;
  if (s.wait <= 0) {
    s.wait += every;
    send(s);
  }
  for (const b of s.falling) b.at -= fall * pace;
  for (const b of [...s.falling]) {
    const side = sideUnder(s, b.lane);
    if (b.at > restAt(s, side)) continue;
    s.falling.splice(s.falling.indexOf(b), 1);
    s.sides[side].push(b.color);
    s.landed += 1;
    clear(s, side, s.sides[side].length - 1);
    if (s.sides.some((c) => c.length > HIGHEST)) return finish(s, 'fail', 'A side is too high.');
  }
}

/** A new block, of one of the colours of which nothing vanishes by waiting. @param {State} s */
function send(s) {
  const draw = stream(s.rng, 'blocks');
  const lane = draw.int(0, 5);
  const colors = [...Array(LEVELS[s.level - 1].colors).keys()];
  const color = draw.pick(colors.filter((c) => (colors.length > 4 ? !touched(s, lane, c) : !completed(s, lane, c))));
  s.sent[lane].push(color);
  s.falling.push({ lane, color, at: FAR });
}

/** Whether a block would touch one of its colour if the hexagon were never turned. @param {State} s @param {number} lane @param {number} color */
function touched(s, lane, color) {
  const height = s.sent[lane].length;
  return [s.sent[lane][height - 1], s.sent[(lane + 1) % 6][height], s.sent[(lane + 5) % 6][height]].includes(color);
}

/** Whether a block would complete a group if the hexagon were not turned from now on: of four colours, what vanishes takes
 * a turn that is meant for it. @param {State} s @param {number} lane @param {number} color */
function completed(s, lane, color) {
  const columns = s.sides.map((_, to) => [
    ...s.sides[sideUnder(s, to)],
    ...s.falling.filter((b) => b.lane === to).map((b) => b.color),
  ]);
  columns[lane].push(color);
  return group(columns, lane, columns[lane].length - 1).length >= 3;
}

/** Blocks of the same colour that touch, starting from one. @param {number[][]} sides @param {number} side @param {number} height @returns {[number, number][]} */
export function group(sides, side, height) {
  const color = sides[side][height];
  /** @type {[number, number][]} */
  const found = [[side, height]];
  for (let i = 0; i < found.length; i++) {
    const [c, h] = found[i];
    for (const [nc, nh] of [[c, h - 1], [c, h + 1], [(c + 1) % 6, h], [(c + 5) % 6, h]]) {
      if (sides[nc][nh] === color && !found.some(([x, y]) => x === nc && y === nh)) found.push([nc, nh]);
    }
  }
  return found;
}

/** Three or more of a colour vanish; what then falls together may vanish too. @param {State} s @param {number} side @param {number} height */
function clear(s, side, height) {
  let found = group(s.sides, side, height);
  while (found.length >= 3) {
    for (const [c, h] of [...found].sort((a, b) => b[1] - a[1])) s.sides[c].splice(h, 1);
    s.score += points(found.length);
    s.vanished += found.length;
    s.praise = points(found.length);
    s.sincePraise = 0;
    found = [];
    for (let c = 0; c < 6 && found.length < 3; c++) {
      for (let h = 0; h < s.sides[c].length && found.length < 3; h++) found = group(s.sides, c, h);
    }
  }
}

/** @param {State} s */
export function observe(s) {
  const heights = s.sides.map((c) => c.length);
  const settled = heights.reduce((a, b) => a + b, 0);
  const target = 250 + 250 * s.level;
  const part = Math.min(1, s.score / target);
  return {
    game_state: {
      score: s.score,
      level: s.level,
      progress: part,
      completion_progress: part,
      player: { turned: ((s.turned % 6) + 6) % 6 },
      environment: {
        settled_blocks: settled,
        highest_column_height: Math.max(...heights),
        active_blocks: s.falling.length,
      },
      board: s.sides.map((c) => [...c]),
      entities: s.falling.map((b) => ({ lane: b.lane, color: b.color, distance: b.at })),
    },
    metrics: { score: s.score, distance: s.landed, best_score: s.score, difficulty: s.level, vanished: s.vanished },
    raw: { wait: s.wait, fall: LEVELS[s.level - 1].fall * speed(s), hex: HEX, layer: LAYER },
  };
}

const COLOURS = ['red', 'blue', 'yellow', 'green', 'violet'];
const DIRECTIONS = ['above', 'the upper right', 'the lower right', 'below', 'the lower left', 'the upper left'];

/** The screen in words. @param {State} s */
export function describe(s) {
  const pace = LEVELS[s.level - 1].fall * speed(s);
  const lines = [
    `Level ${s.level}. Score: ${s.score}. Speed: ${speed(s).toFixed(1)} times the first one.`,
    `The six sides as they lie now, clockwise, and the blocks on each from the inside out (a side with more than ${HIGHEST} ends the game):`,
  ];
  for (let lane = 0; lane < 6; lane++) {
    const own = s.sides[sideUnder(s, lane)];
    lines.push(`- towards ${DIRECTIONS[lane]}: ${own.map((c) => COLOURS[c]).join(', ') || 'empty'}`);
  }
  const falling = s.falling
    .map((b) => ({ b, way: Math.max(0, b.at - restAt(s, sideUnder(s, b.lane))) }))
    .sort((p, q) => p.way - q.way);
  if (falling.length) lines.push('Falling blocks, the one that lands first first:');
  else lines.push('No block is falling at the moment.');
  for (const { b, way } of falling) {
    lines.push(
      `- ${COLOURS[b.color]}, from ${DIRECTIONS[b.lane]}, ${Math.round(way)} pixels above what it will land on there: about ${(way / pace / 15).toFixed(1)} steps of a quarter second.`,
    );
  }
  if (s.sincePraise < 40) lines.push(`A group has just vanished: +${s.praise}.`);
  lines.push('One press of the right arrow moves every side on to the next direction in this list, the last one to the first; the left arrow does the opposite.');
  return lines.join('\n');
}
