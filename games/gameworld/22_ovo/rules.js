// @ts-check
/**
 * Rail and Wall, the rules: a free runner runs, jumps off walls, slides under things and smashes through cracked
 * floors. Pixels and updates. Chance: how the levels are dealt.
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { findTiles, makeBody, moveBody, overlap, steer, tileAt, tileMap, touching } from '../../kit/platform.js';
import { againClicked } from '../../kit/stages.js';
import { madeOnce } from '../../dealt/stages.js';
import { LEVELS } from './levels.js';

export const TILE = 48;
const W = 32;
const TALL = 62;
const LOW = 30;
const HOW = { run: 6.4, accel: 0.8, stop: 1.1, gravity: 0.75, jump: 15.2, fall: 13, cut: 0.5, coyote: 6, buffer: 8 };
const SLIDE = 9.5;
const SLIDE_TIME = 24;
const CRAWL = 3.2;
/** Sliding down a wall. */
const GRIP = 2.6;
const KICK = { side: 7.6, up: 13.6, locked: 12 };
const SMASH = 19;

const levelOf = madeOnce(([stage, ...plan]) => {
  const map = tileMap(LEVELS[stage - 1].rows(plan), TILE);
  return { map, start: findTiles(map, '@')[0], flag: findTiles(map, 'F')[0] };
});

/** The level that a state is in. @param {{stage: number, plan: number[]}} s */
export const here = (s) => levelOf([s.stage, ...s.plan]);

/** @param {string} char @returns {import('../../kit/platform.js').Kind} */
const kind = (char) => (char === '#' ? 'solid' : null);

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const stage = oneOf(options, 'level', [1, 2, 3], 1);
  return start(stage, LEVELS[stage - 1].draw(rng));
}

/** @param {number} stage @param {number[]} plan numbers that make the level */
function start(stage, plan) {
  const { map, start: at, flag } = here({ stage, plan });
  return {
    /** The level that is played; `level` is one more once it is finished. */
    stage,
    plan,
    level: stage,
    hero: {
      ...makeBody(at.x, at.y + TILE - TALL, W, TALL),
      onGround: true, face: flag.x > at.x ? 1 : -1, walk: 0, low: false, slide: 0, wall: 0, grace: 0, locked: 0, smashing: false,
    },
    coins: findTiles(map, 'o').map((t) => ({ x: t.x + TILE / 2, y: t.y + TILE / 2, taken: false })),
    cracked: findTiles(map, 'b').map((t) => ({ x: t.x, y: t.y, w: TILE, h: TILE })),
    /** Where a smash hit the ground, for the dust. */
    dust: { x: 0, y: 0, age: 99 },
    frame: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof start>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  if (againClicked(input)) {
    const { frame } = s;
    Object.assign(s, start(s.stage, s.plan), { frame });
  }
  s.frame += 1;
  s.dust.age = Math.min(99, s.dust.age + 1);
  const b = s.hero;
  const down = input.held('ArrowDown');
  low(s, b.onGround && down);
  if (!b.onGround && input.pressed('ArrowDown')) b.smashing = true;
  b.locked = Math.max(0, b.locked - 1);
  b.slide = b.low ? Math.max(0, b.slide - 1) : 0;
  const dir = b.locked || b.smashing ? 0 : input.axis('ArrowLeft', 'ArrowRight');
  if (dir) b.face = dir;
  b.walk = dir && b.onGround ? b.walk + 1 : 0;

  const up = input.pressed('ArrowUp');
  if (up && !b.onGround && !b.coyote && b.grace) kick(b);
  else {
    if (b.slide) b.vx = b.face * SLIDE;
    const run = b.slide ? SLIDE : b.low ? CRAWL : HOW.run;
    const how = { ...HOW, run, stop: b.locked ? 0 : b.slide ? 0.3 : HOW.stop };
    steer(b, { dir, jump: up && !b.low, held: input.held('ArrowUp') || b.locked > 0 }, how);
  }
  if (b.smashing) {
    b.vx = 0;
    b.vy = SMASH;
  } else if (b.wall && dir === b.wall) b.vy = Math.min(b.vy, GRIP);
  const map = here(s).map;
  const c = moveBody(b, map, kind, s.cracked, '#');
  if (b.smashing && b.onGround) land(s, c.box);
  b.wall = b.onGround ? 0 : wallAt(map, b);
  b.grace = b.wall ? 7 : Math.max(0, b.grace - 1);
  if (b.wall) b.face = -b.wall;
  things(s);
}

/** Off a wall, away from it. @param {State['hero']} b */
function kick(b) {
  b.face = b.wall ? -b.wall : b.face;
  b.vx = b.face * KICK.side;
  b.vy = -KICK.up;
  b.locked = KICK.locked;
  b.grace = b.wall = b.buffer = 0;
  b.smashing = false;
}

/** Low while the key is held, and as long as there is no room to stand. @param {State} s @param {boolean} wants */
function low(s, wants) {
  const b = s.hero;
  if (wants === b.low) return;
  if (!wants) {
    const head = Math.floor((b.y + b.h - TALL + 1) / TILE);
    const cols = [b.x + 1, b.x + W - 1].map((x) => Math.floor(x / TILE));
    if (b.onGround && cols.some((c) => kind(tileAt(here(s).map, c, head)))) return;
  }
  const h = wants ? LOW : TALL;
  b.y += b.h - h;
  b.h = h;
  b.low = wants;
  b.slide = wants && Math.abs(b.vx) > 2 ? SLIDE_TIME : 0;
}

/** The end of a smash: cracked floor breaks, with what is cracked beside it. @param {State} s @param {number} index */
function land(s, index) {
  const b = s.hero;
  s.dust = { x: b.x + W / 2, y: b.y + b.h, age: 0 };
  if (index < 0) {
    b.smashing = false;
    return;
  }
  const y = s.cracked[index].y;
  s.cracked = s.cracked.filter((c) => c.y !== y || Math.abs(c.x + TILE / 2 - b.x - W / 2) > 1.5 * TILE);
  b.onGround = false;
}

/** The side of a wall that the body touches in the air: -1, 0, 1. @param {import('../../kit/platform.js').TileMap} map
 * @param {State['hero']} b */
function wallAt(map, b) {
  const rows = [b.y + 12, b.y + b.h - 8].map((y) => Math.floor(y / TILE));
  for (const side of [1, -1]) {
    const col = Math.floor((side > 0 ? b.x + W + 2 : b.x - 2) / TILE);
    if (rows.every((r) => tileAt(map, col, r, '#') === '#')) return side;
  }
  return 0;
}

/** Coins, spikes, the finish. @param {State} s */
function things(s) {
  const b = s.hero;
  const { map, flag } = here(s);
  for (const c of s.coins) if (!c.taken && overlap(b, { x: c.x - 18, y: c.y - 18, w: 36, h: 36 })) c.taken = true;
  const spiked = touching(map, b).some(
    ({ char, col, row }) => char === '^' && overlap(b, { x: col * TILE + 6, y: row * TILE + 20, w: TILE - 12, h: 28 }),
  );
  if (spiked) finish(s, 'fail', 'The runner fell on spikes.');
  else if (b.y > 740) finish(s, 'fail', 'The runner fell out of the level.');
  else if (overlap(b, { x: flag.x, y: flag.y - TILE, w: TILE, h: 2 * TILE })) {
    s.level = s.stage + 1;
    finish(s, 'win', `Level ${s.stage} is finished.`);
  }
}

/** @param {State} s */
export function observe(s) {
  const { x, y, vx, vy, onGround, low: isLow, wall, smashing } = s.hero;
  const { flag: goal, start: begin } = here(s);
  const taken = s.coins.filter((c) => c.taken).length;
  const distance = Math.round(Math.hypot(goal.x - x, goal.y - y));
  const whole = Math.hypot(goal.x - begin.x, goal.y - begin.y);
  const done = s.level > s.stage ? 1 : Math.max(0, Math.min(0.99, 1 - distance / whole));
  return {
    game_state: {
      score: taken,
      level: s.level,
      progress: done,
      completion_progress: done,
      player: { x, y, vx, vy, on_ground: onGround, low: isLow, wall, smashing },
      coins: { collected_level: taken, remaining_level: s.coins.length - taken, total_level: s.coins.length },
    },
    metrics: { coins: taken, primary_score: taken, coins_total: s.coins.length, distance_to_goal: distance, level_number: s.level },
    raw: { tile: TILE, goal: [goal.x, goal.y], cracked: s.cracked.length, coins: s.coins.filter((c) => !c.taken).map((c) => [c.x, c.y]) },
  };
}
