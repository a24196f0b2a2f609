// @ts-check
/**
 * Moonshaft Surveyor, the rules: an explorer with a jetpack runs, jumps, climbs and flies through moon caves, gathers
 * crystal coins and fuel, jumps on machines and then starts the rocket. Pixels and updates. Chance: the side of the
 * start, and where the explorer and the drones begin.
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { findTiles, makeBody, moveBody, overlap, tileAt, tileMap, toward, touching } from '../../kit/platform.js';
import { changes, facing, madeOnce } from '../../dealt/stages.js';
import { LEVELS } from './levels.js';

export const TILE = 45;
export const LIVES = 3;
const W = 30;
const H = 48;
const RUN = 6;
const GRAVITY = 0.5;
const JUMP = 11.6;
const HOP = 7.5;
const FALL = 11;
const CLIMB = 4.5;
export const FUEL = 66;
const THRUST = 1.05;
const RISE = 7;
const MERCY = 90;
/** So far below a machine's top may the feet be to land on it, and so fast the explorer bounces off. */
const STOMP = 22;
const BOUNCE = 8;

/** The explorer starts up to this number of steps further on. */
const STARTS = 12;
const START_STEP = 7;
/** Drones have been flying for up to this number of updates. */
const FLIGHT = 60;

const levelOf = madeOnce(([level, turned]) => {
  const map = tileMap(facing(turned, LEVELS[level - 1].rows), TILE);
  return { map, start: findTiles(map, '@')[0], rocket: findTiles(map, 'X')[0] };
});

/** @param {{level: number, plan: number[]}} s */
const here = (s) => levelOf([s.level, s.plan[0]]);
/** The map of a level. @param {State} s */
export const mapOf = (s) => here(s).map;
/** @param {State} s */
export const needOf = (s) => LEVELS[s.level - 1].need;
/** @param {State} s */
export const rocketOf = (s) => here(s).rocket;

/** @param {string} char @returns {import('../../kit/platform.js').Kind} */
const kind = (char) => (char === '#' ? 'solid' : char === '=' ? 'oneway' : null);

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const level = oneOf(options, 'level', [1, 2, 3, 4, 5], 1);
  return start(level, changes(rng, `level ${level}`, [2, STARTS, FLIGHT]));
}

/** @param {number} level @param {number[]} plan 1 if the level is turned, steps to the start, updates of the drones */
function start(level, plan) {
  const { map, start: at } = here({ level, plan });
  const [turned, steps, since] = plan;
  const side = turned ? -1 : 1;
  return {
    level,
    plan,
    hero: {
      ...makeBody(at.x + (TILE - W) / 2 + side * steps * START_STEP, at.y + TILE - H, W, H),
      onGround: true, face: side, walk: 0, climbing: false, flying: false, fuel: FUEL,
    },
    lives: LIVES,
    deaths: 0,
    mercy: 0,
    score: 0,
    coins: findTiles(map, 'o').map((t) => ({ x: t.x + TILE / 2, y: t.y + TILE / 2, taken: false })),
    cans: findTiles(map, 'f').map((t) => ({ x: t.x + TILE / 2, y: t.y + TILE / 2, taken: false })),
    foes: findTiles(map, 'CD').map((t) => ({
      kind: t.char, x: t.x + 2, y: t.y + (t.char === 'C' ? TILE - 32 : 0), w: 40, h: 32, home: t.x, high: t.y, vx: -1.4 * side,
    })),
    stomped: 0,
    /** Machines that were jumped on, for the picture. @type {{x: number, y: number, since: number}[]} */
    wrecks: [],
    frame: since,
    over: null,
  };
}

/** @typedef {ReturnType<typeof start>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  if (input.pressed('r')) restart(s);
  s.frame += 1;
  s.mercy = Math.max(0, s.mercy - 1);
  move(s, input);
  foes(s);
  const b = s.hero;
  for (const c of s.coins) {
    if (c.taken || !overlap(b, { x: c.x - 18, y: c.y - 18, w: 36, h: 36 })) continue;
    c.taken = true;
    s.score += 1;
  }
  for (const c of s.cans) {
    if (c.taken || b.fuel >= FUEL || !overlap(b, { x: c.x - 18, y: c.y - 20, w: 36, h: 42 })) continue;
    c.taken = true;
    b.fuel = FUEL;
  }
  const map = mapOf(s);
  if (b.y > map.rows.length * TILE) die(s, 'The explorer fell into the depth.');
  else if (touching(map, b, 8).some((t) => '^~'.includes(t.char))) die(s, 'The explorer was hurt by the cave.');
  if (!s.over && s.score >= needOf(s) && overlap(b, dock(s))) finish(s, 'win', 'The rocket takes off with all its coins.');
}

/** Running, jumping, climbing, flying. @param {State} s @param {import('../../kit/input.js').Input} input */
function move(s, input) {
  const b = s.hero;
  const map = mapOf(s);
  const held = (/** @type {string[]} */ ...keys) => keys.some((k) => input.held(k));
  const dir = (held('ArrowRight', 'd') ? 1 : 0) - (held('ArrowLeft', 'a') ? 1 : 0);
  const lift = (held('ArrowDown', 's') ? 1 : 0) - (held('ArrowUp', 'w') ? 1 : 0);
  if (dir) b.face = dir;
  b.walk = (dir && b.onGround) || (b.climbing && lift) ? b.walk + 1 : 0;

  const ladder = ladderAt(map, b, lift);
  if (ladder === null || input.pressed('Space') || held('Shift')) b.climbing = false;
  else if (lift < 0 || (lift > 0 && !b.climbing)) b.climbing = true;
  if (b.climbing && ladder !== null) {
    b.vx = dir * 3;
    b.vy = lift * CLIMB;
    if (lift && !dir) b.x = toward(b.x, ladder + (TILE - W) / 2, 4);
    b.drop = lift > 0 ? 2 : 0;
    b.flying = false;
    b.coyote = 6;
    moveBody(b, map, kind, [], '#');
    if (b.onGround && lift >= 0) b.climbing = false;
    return;
  }
  // In the air a direction is kept, so that a jump needs no second key.
  if (dir) b.vx = toward(b.vx, dir * RUN, b.onGround ? 1.2 : 0.6);
  else b.vx = toward(b.vx, 0, b.onGround ? 1.4 : 0.04);
  b.coyote = b.onGround ? 6 : Math.max(0, (b.coyote ?? 0) - 1);
  b.buffer = input.pressed('Space') ? 8 : Math.max(0, (b.buffer ?? 0) - 1);
  if (b.coyote && b.buffer) {
    b.vy = -JUMP;
    b.coyote = b.buffer = 0;
  } else if (b.coyote && input.pressed('ArrowUp', 'w')) {
    b.vy = -HOP;
    b.coyote = 0;
  }
  b.flying = held('Shift') && b.fuel > 0;
  if (b.flying) {
    b.fuel -= 1;
    b.vy = Math.max(Math.min(b.vy, -RISE), b.vy - THRUST);
  } else b.vy = Math.min(FALL, b.vy + GRAVITY + (lift > 0 ? 0.5 : 0));
  if (b.onGround && lift > 0) b.drop = 6;
  moveBody(b, map, kind, [], '#');
}

/** The left edge of a ladder at the explorer, or below the feet for climbing down. @param {import('../../kit/platform.js').TileMap} map
 * @param {State['hero']} b @param {number} lift @returns {number|null} */
function ladderAt(map, b, lift) {
  const col = Math.floor((b.x + W / 2) / TILE);
  const at = (/** @type {number} */ y) => tileAt(map, col, Math.floor(y / TILE)) === 'H';
  if (at(b.y + H - 2) || (at(b.y + H / 2) && lift >= 0) || (lift > 0 && at(b.y + H + 4))) return col * TILE;
  return null;
}

/** Crawlers walk on the ground, drones fly to and fro; who lands on one breaks it. @param {State} s */
function foes(s) {
  const map = mapOf(s);
  const b = s.hero;
  for (const w of s.wrecks) w.since += 1;
  s.wrecks = s.wrecks.filter((w) => w.since < 30);
  for (const f of s.foes) {
    f.x += f.vx;
    if (f.kind === 'D') f.y = f.high + Math.sin((s.frame + f.home) / 24) * 26;
    const front = Math.floor((f.x + (f.vx > 0 ? f.w : 0)) / TILE);
    const wall = tileAt(map, front, Math.floor((f.y + 10) / TILE), '#') === '#';
    const edge = f.kind === 'C' && tileAt(map, front, Math.floor((f.y + f.h + 5) / TILE)) !== '#';
    if (wall || edge || Math.abs(f.x - f.home) > (f.kind === 'D' ? 150 : 110)) {
      f.x -= f.vx;
      f.vx = -f.vx;
    }
    if (!overlap({ x: f.x + 5, y: f.y + 5, w: f.w - 10, h: f.h - 8 }, s.hero)) continue;
    if (b.vy > 1 && b.y + H - f.y < STOMP) {
      f.w = 0;
      b.vy = -BOUNCE;
      s.stomped += 1;
      s.wrecks.push({ x: f.x + 20, y: f.y + 20, since: 0 });
    } else die(s, 'A machine of the cave caught the explorer.');
  }
  s.foes = s.foes.filter((f) => f.w > 0);
}

/** @param {State} s @param {string} why */
function die(s, why) {
  if (s.mercy || s.over) return;
  s.deaths += 1;
  s.lives -= 1;
  if (s.lives <= 0) finish(s, 'fail', `${why} No lives are left.`);
  else {
    s.hero = start(s.level, s.plan).hero;
    s.mercy = MERCY;
  }
}

/** The level from its beginning, the coins too; lives that were lost stay lost. @param {State} s */
function restart(s) {
  const { lives, deaths, frame } = s;
  Object.assign(s, start(s.level, s.plan), { lives, deaths, frame });
}

/** Where the rocket is entered. @param {State} s */
export function dock(s) {
  const r = rocketOf(s);
  return { x: r.x + 6, y: r.y - TILE, w: TILE - 12, h: 2 * TILE };
}

/** @param {State} s */
export function observe(s) {
  const { x, y, vx, vy, onGround, climbing, fuel } = s.hero;
  const r = rocketOf(s);
  return {
    game_state: {
      score: s.score,
      level: s.level,
      progress: s.score / s.coins.length,
      completion_progress: s.score / s.coins.length,
      player: { x, y, vx, vy, on_ground: onGround, climbing, fuel },
      entities: s.foes.map((f) => ({ kind: f.kind === 'C' ? 'crawler' : 'drone', x: f.x, y: f.y })),
    },
    metrics: {
      coins: s.score,
      coins_total: s.coins.length,
      lives: s.lives,
      deaths: s.deaths,
      stomped: s.stomped,
      distance_to_goal: Math.round(Math.hypot(r.x - x, r.y - y)),
    },
    raw: {
      tile: TILE,
      needed: needOf(s),
      coins: s.coins.filter((c) => !c.taken).map((c) => [c.x, c.y]),
      cans: s.cans.filter((c) => !c.taken).map((c) => [c.x, c.y]),
      mercy: s.mercy,
    },
  };
}
