// @ts-check
/**
 * Bramble Lane, the rules: a hedgehog runs through one stage, bumps blocks from below, stomps snails and hoppers,
 * grows by a bun and reaches a flag. Pixels and updates. The seed deals the beginning of the stage.
 */

import { finish } from '../../kit/game.js';
import { findTiles, makeBody, moveBody, overlap, steer, tileAt, tileMap } from '../../kit/platform.js';
import { stream } from '../../kit/random.js';
import { madeOnce } from '../../dealt/stages.js';
import { makePlan, rowsOf } from './levels.js';

export const TILE = 48;
export const LIVES = 3;
export const SECONDS = 90;
const W = 34;
const SMALL = 44;
const BIG = 72;
const DUCKED = 34;
const HOW = { run: 5.4, accel: 0.7, stop: 0.8, gravity: 0.72, jump: 16.2, fall: 14, cut: 0.5, coyote: 6, buffer: 8 };
const BOUNCE = 10;
const MERCY = 90;

/** Points. */
export const POINTS = { coin: 100, block: 200, stomp: 200, bun: 600, brick: 50, flag: 1000 };

const stageOf = madeOnce((plan) => {
  const map = tileMap(rowsOf(plan), TILE);
  return { map, flagX: findTiles(map, '|')[0].x + TILE / 2 };
});

/** The stage that is played. */
export let { map: MAP, flagX: FLAG_X } = stageOf([1, 1, 1, 1, 1, 1]);

/** Makes the stage of a state the one that is played. @param {{plan: number[]}} s */
export function enter({ plan }) {
  ({ map: MAP, flagX: FLAG_X } = stageOf(plan));
}

/** @typedef {{x: number, y: number, w: number, h: number, vx: number, vy: number, onGround: boolean, kind: string,
 *   flat: number, wait: number}} Enemy */
/** @typedef {{x: number, y: number, text: string, age: number}} Note */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const plan = makePlan(stream(rng, 'stage'));
  enter({ plan });
  const at = findTiles(MAP, '@')[0];
  return {
    rng,
    plan,
    hero: heroAtStart(),
    lives: LIVES,
    mercy: 0,
    score: 0,
    coinCount: 0,
    furthest: at.x,
    coins: findTiles(MAP, 'o').map((t) => ({ x: t.x + TILE / 2, y: t.y + TILE / 2, taken: false })),
    blocks: findTiles(MAP, '?!B').map((t) => ({ x: t.x, y: t.y, w: TILE, h: TILE, kind: t.char, bump: 0 })),
    enemies: findTiles(MAP, 'SH').map((t) => enemyAt(t)),
    /** @type {{x: number, y: number, w: number, h: number, vx: number, vy: number, onGround: boolean}|null} */
    bun: null,
    /** @type {Note[]} */
    notes: [],
    left: SECONDS * 60,
    frame: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

function heroAtStart() {
  const at = findTiles(MAP, '@')[0];
  return { ...makeBody(at.x, at.y + TILE - SMALL, W, SMALL), onGround: true, face: 1, walk: 0, big: false, ducking: false };
}

/** @param {{x: number, y: number, char: string}} t @returns {Enemy} */
function enemyAt(t) {
  const h = t.char === 'S' ? 34 : 42;
  return { ...makeBody(t.x, t.y + TILE - h, 40, h), vx: -1.2, kind: t.char, flat: 0, wait: 40 };
}

/** @param {string} char @returns {import('../../kit/platform.js').Kind} */
const kind = (char) => ('#T'.includes(char) ? 'solid' : null);

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  enter(s);
  s.frame += 1;
  s.left -= 1;
  s.mercy = Math.max(0, s.mercy - 1);
  for (const b of s.blocks) b.bump = Math.max(0, b.bump - 1);
  for (const n of s.notes) n.age += 1;
  s.notes = s.notes.filter((n) => n.age < 50);

  const b = s.hero;
  duck(s, b.onGround && input.held('ArrowDown'));
  const dir = b.ducking ? 0 : input.axis('ArrowLeft', 'ArrowRight');
  if (dir) b.face = dir;
  b.walk = dir && b.onGround ? b.walk + 1 : 0;
  steer(b, { dir, jump: input.pressed('ArrowUp'), held: input.held('ArrowUp') }, HOW);
  const rising = b.vy < 0;
  const c = moveBody(b, MAP, kind, near(s, b));
  if (rising && c.up) bump(s);
  b.x = Math.max(0, Math.min(MAP.rows[0].length * TILE - W, b.x));
  s.furthest = Math.max(s.furthest, b.x);

  enemies(s);
  bun(s);
  for (const k of s.coins) {
    if (k.taken || !overlap(b, { x: k.x - 17, y: k.y - 19, w: 34, h: 38 })) continue;
    k.taken = true;
    s.coinCount += 1;
    earn(s, POINTS.coin, k.x, k.y);
  }
  if (b.y > 740) lose(s, 'The hedgehog fell into a hole.');
  else if (s.left <= 0) finish(s, 'fail', 'The time is up.');
  if (b.x + W >= FLAG_X && !s.over) {
    earn(s, POINTS.flag, b.x, b.y);
    finish(s, 'win', 'The flag at the end of the lane is reached.');
  }
}

/** Blocks that a body could meet in this update. @param {State} s @param {{x: number}} b */
function near(s, b) {
  return s.blocks.filter((k) => Math.abs(k.x - b.x) < 2 * TILE);
}

/** A ducked hedgehog is low and stands up only where there is room. @param {State} s @param {boolean} wants */
function duck(s, wants) {
  const b = s.hero;
  const tall = b.big ? BIG : SMALL;
  if (wants === b.ducking) return;
  if (!wants && blocked(s, { x: b.x, y: b.y + b.h - tall, w: W, h: tall })) return;
  resize(b, wants ? DUCKED : tall);
  b.ducking = wants;
}

/** @param {State['hero']} b @param {number} h */
function resize(b, h) {
  b.y += b.h - h;
  b.h = h;
}

/** @param {State} s @param {import('../../kit/platform.js').Rect} r */
function blocked(s, r) {
  for (const x of [r.x + 1, r.x + r.w - 1]) {
    for (let y = r.y + 1; y < r.y + r.h; y += 20) if (kind(tileAt(MAP, Math.floor(x / TILE), Math.floor(y / TILE)))) return true;
  }
  return s.blocks.some((k) => overlap(r, k));
}

/** The block above the head. @param {State} s */
function bump(s) {
  const b = s.hero;
  const middle = b.x + W / 2;
  const above = s.blocks.filter((k) => Math.abs(k.y + TILE - b.y) < 2 && overlap({ x: b.x, y: b.y - 4, w: W, h: 4 }, k));
  above.sort((p, q) => Math.abs(p.x + TILE / 2 - middle) - Math.abs(q.x + TILE / 2 - middle));
  const k = above[0];
  if (!k) return;
  k.bump = 10;
  for (const e of s.enemies) if (!e.flat && overlap(e, { x: k.x, y: k.y - 6, w: TILE, h: 6 })) stomp(s, e);
  if (k.kind === '?') {
    k.kind = 'u';
    s.coinCount += 1;
    earn(s, POINTS.block, k.x + TILE / 2, k.y - 20);
  } else if (k.kind === '!') {
    k.kind = 'u';
    s.bun = { ...makeBody(k.x + 6, k.y - 36, 36, 36), vx: 1.6 };
  } else if (k.kind === 'B' && b.big) {
    s.blocks = s.blocks.filter((o) => o !== k);
    earn(s, POINTS.brick, k.x + TILE / 2, k.y);
  }
}

/** Snails crawl, hoppers crawl and hop; both turn at walls and edges. @param {State} s */
function enemies(s) {
  const b = s.hero;
  for (const e of s.enemies) {
    if (e.flat) {
      e.flat += 1;
      continue;
    }
    if (Math.abs(e.x - b.x) > 1100) continue;
    e.vy = Math.min(14, e.vy + 0.7);
    const vx = e.vx;
    if (e.kind === 'H' && e.onGround && --e.wait <= 0) {
      e.vy = -10;
      e.wait = 70;
    }
    const ahead = Math.floor((e.x + (vx > 0 ? e.w : 0) + vx) / TILE);
    const edge = e.onGround && !kind(tileAt(MAP, ahead, Math.floor((e.y + e.h + 6) / TILE)));
    const c = moveBody(/** @type {any} */ (e), MAP, kind, near(s, e));
    e.vx = c.left || c.right || edge ? -vx : vx;
    if (e.y > 760) e.flat = 99;
    if (!overlap(b, e)) continue;
    if (b.vy > 0.8 && b.y + b.h - e.y < 26) {
      stomp(s, e);
      b.vy = -BOUNCE;
    } else hurt(s);
  }
  s.enemies = s.enemies.filter((e) => e.flat < 30);
}

/** @param {State} s @param {Enemy} e */
function stomp(s, e) {
  e.flat = 1;
  earn(s, POINTS.stomp, e.x + 20, e.y);
}

/** @param {State} s */
function bun(s) {
  const u = s.bun;
  if (!u) return;
  const vx = u.vx;
  u.vy = Math.min(12, u.vy + 0.6);
  const c = moveBody(u, MAP, kind, near(s, u));
  u.vx = c.left || c.right ? -vx : vx;
  const b = s.hero;
  if (overlap(b, u)) {
    s.bun = null;
    earn(s, POINTS.bun, u.x, u.y);
    if (!b.big) {
      b.big = true;
      if (!b.ducking) resize(b, BIG);
    }
  } else if (u.y > 760) s.bun = null;
}

/** @param {State} s */
function hurt(s) {
  const b = s.hero;
  if (s.mercy) return;
  if (!b.big) {
    lose(s, 'The hedgehog was bitten.');
    return;
  }
  b.big = false;
  if (!b.ducking) resize(b, SMALL);
  s.mercy = MERCY;
}

/** A life is lost: back to the beginning of the stage, or the end. @param {State} s @param {string} why */
function lose(s, why) {
  s.lives -= 1;
  if (s.lives <= 0) {
    finish(s, 'fail', `${why} No lives are left.`);
    return;
  }
  s.hero = heroAtStart();
  s.mercy = MERCY;
}

/** @param {State} s @param {number} points @param {number} x @param {number} y */
function earn(s, points, x, y) {
  s.score += points;
  s.notes.push({ x, y, text: `+${points}`, age: 0 });
}

/** @param {State} s */
export function observe(s) {
  enter(s);
  const { x, y, vx, vy, onGround, big, ducking, h } = s.hero;
  const done = Math.min(1, s.furthest / (FLAG_X - W));
  return {
    game_state: {
      score: s.score,
      level: 1,
      progress: done,
      completion_progress: done,
      player: { x, y, h, vx, vy, on_ground: onGround, big, ducking },
      entities: s.enemies.filter((e) => !e.flat).map((e) => ({ kind: e.kind === 'S' ? 'snail' : 'hopper', x: e.x, y: e.y })),
    },
    metrics: {
      coins: s.coinCount,
      lives: s.lives,
      time_left_s: Math.ceil(s.left / 60),
      level_progress_percent: Math.round(done * 1000) / 10,
    },
    raw: {
      tile: TILE,
      coins: s.coins.filter((k) => !k.taken).map((k) => [k.x, k.y]),
      full_blocks: s.blocks.filter((k) => '?!'.includes(k.kind)).map((k) => [k.x, k.y]),
      bun: s.bun ? [s.bun.x, s.bun.y] : null,
    },
  };
}
