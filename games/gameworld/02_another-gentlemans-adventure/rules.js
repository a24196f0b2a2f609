// @ts-check
/**
 * Rooftop Calling Hours, the rules: a gentleman runs and jumps over roofs; coins lie about and in question blocks that
 * are struck from below; bandits are jumped on, or his umbrella, which fires by itself, drives them away; coins open the
 * door at the end. Pixels and updates. Chance: the walls at the beginning, and when the bandits shoot.
 */

import { finish } from '../../kit/game.js';
import { findTiles, makeBody, moveBody, overlap, steer, tileAt, tileMap } from '../../kit/platform.js';
import { stream } from '../../kit/random.js';
import { madeOnce } from '../../dealt/stages.js';
import { makePlan, rowsOf } from './levels.js';

export const TILE = 48;
export const HEARTS = 3;
export const NEEDED = 5;
const W = 30;
const H = 62;
const HOW = { run: 6, accel: 1.2, stop: 1.6, gravity: 0.7, jump: 14.6, fall: 13, cut: 0.45, coyote: 5, buffer: 8 };

const RELOAD = 22;
/** How far ahead the umbrella sees something to shoot at. */
const RANGE = 430;
const SHOT = 13;
const BANDIT_SHOT = 4.5;
const BANDIT_W = 34;
const BANDIT_H = 58;
const BANDIT_SIGHT = 620;
/** So far below a bandit's hat may his feet be to land on it, and so fast he bounces off. */
const STOMP = 28;
const BOUNCE = 9;
/** Updates without a second hurt after one. */
const MERCY = 75;

const wayOf = madeOnce((plan) => {
  const map = tileMap(rowsOf(plan), TILE);
  const [X] = findTiles(map, 'X');
  return { map, door: { x: X.x + 6, y: X.y - TILE, w: TILE - 12, h: 2 * TILE } };
});

/** The way that is walked. */
export let { map: MAP, door: DOOR } = wayOf([1, 1, 1, 1, 1, 1, 0, 0, 0]);

/** Makes the way of a state the one that is walked. @param {{plan: number[]}} s */
export function enter({ plan }) {
  ({ map: MAP, door: DOOR } = wayOf(plan));
}

/** @param {string} char @returns {import('../../kit/platform.js').Kind} */
const kind = (char) => (char === '#' || char === '?' ? 'solid' : char === '=' ? 'oneway' : null);

/** @typedef {{x: number, y: number, w: number, h: number, vx: number, own: boolean}} Bullet */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const plan = makePlan(rng);
  enter({ plan });
  const at = findTiles(MAP, '@')[0];
  const chance = stream(rng, 'bandits');
  const onRight = at.x > (MAP.rows[0].length * TILE) / 2;
  return {
    rng,
    plan,
    hero: { ...makeBody(at.x, at.y + TILE - H, W, H), onGround: true, face: onRight ? -1 : 1, walk: 0 },
    hearts: HEARTS,
    mercy: 0,
    reload: 0,
    flash: 0,
    coins: findTiles(MAP, 'o').map((t) => ({ x: t.x + TILE / 2, y: t.y + TILE / 2, taken: false })),
    /** `since`: updates since it was struck. */
    blocks: findTiles(MAP, '?').map((t) => ({ x: t.x, y: t.y, struck: false, since: 99 })),
    crates: findTiles(MAP, 'c').map((t) => ({ x: t.x, y: t.y, w: TILE, h: TILE, hits: 2 })),
    bandits: findTiles(MAP, 'E').map((t) => ({
      x: t.x,
      y: t.y + TILE - BANDIT_H,
      w: BANDIT_W,
      h: BANDIT_H,
      home: t.x,
      vx: chance.chance(0.5) ? 1 : -1,
      hits: 2,
      wait: chance.int(50, 130),
      hurt: 0,
    })),
    /** @type {Bullet[]} */
    bullets: [],
    score: 0,
    shot: 0,
    stomped: 0,
    /** Bandits that were jumped on, for the picture. @type {{x: number, y: number, since: number}[]} */
    flat: [],
    frame: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  enter(s);
  s.frame += 1;
  s.mercy = Math.max(0, s.mercy - 1);
  s.flash = Math.max(0, s.flash - 1);
  const b = s.hero;
  const dir = input.axis('ArrowLeft', 'ArrowRight');
  if (dir) b.face = dir;
  b.walk = dir && b.onGround ? b.walk + 1 : 0;
  steer(b, { dir, jump: input.pressed('ArrowUp'), held: input.held('ArrowUp') }, HOW);
  strike(s, moveBody(b, MAP, kind, s.crates).tiles);
  b.x = Math.max(0, Math.min(MAP.rows[0].length * TILE - W, b.x));

  shoot(s);
  bandits(s);
  fly(s);
  collect(s);
  if (b.y > 720) finish(s, 'fail', 'The gentleman fell between two houses.');
  if (s.score >= NEEDED && overlap(b, DOOR)) finish(s, 'win', 'Five coins in hand, and the door is open.');
}

/** A question block that his hat meets from below gives its coin. @param {State} s
 * @param {import('../../kit/platform.js').Contacts['tiles']} tiles */
function strike(s, tiles) {
  for (const k of s.blocks) {
    k.since = Math.min(99, k.since + 1);
    if (k.struck || !tiles.some((t) => t.side === 'up' && t.col * TILE === k.x && t.row * TILE === k.y)) continue;
    k.struck = true;
    k.since = 0;
    s.score += 1;
  }
}

/** The umbrella fires by itself when something is ahead at its height. @param {State} s */
function shoot(s) {
  s.reload = Math.max(0, s.reload - 1);
  if (s.reload) return;
  const b = s.hero;
  const y = b.y + 26;
  const lane = { x: b.face > 0 ? b.x + W : b.x - RANGE, y: y - 3, w: RANGE, h: 6 };
  if (![...s.bandits, ...s.crates].some((t) => overlap(lane, t))) return;
  s.bullets.push({ x: b.x + W / 2 + b.face * 30 - 8, y: y - 4, w: 16, h: 8, vx: b.face * SHOT, own: true });
  s.reload = RELOAD;
  s.flash = 6;
}

/** Bandits walk to and fro and fire at somebody at their height; jumped on, they are gone. @param {State} s */
function bandits(s) {
  const b = s.hero;
  for (const f of s.flat) f.since += 1;
  s.flat = s.flat.filter((f) => f.since < 30);
  for (const e of s.bandits) {
    e.hurt = Math.max(0, e.hurt - 1);
    const level = b.y + H > e.y && b.y < e.y + e.h;
    const sees = level && Math.abs(b.x - e.x) < BANDIT_SIGHT;
    if (sees) {
      e.vx = b.x < e.x ? -1 : 1;
      e.wait -= 1;
      if (e.wait <= 0) {
        s.bullets.push({ x: e.x + e.w / 2 + e.vx * 24 - 7, y: e.y + 24, w: 14, h: 14, vx: e.vx * BANDIT_SHOT, own: false });
        e.wait = stream(s.rng, 'bandits').int(80, 150);
      }
    } else {
      e.x += e.vx * 0.8;
      const edge = tileAt(MAP, Math.floor((e.x + (e.vx > 0 ? e.w : 0)) / TILE), Math.floor((e.y + e.h + 4) / TILE)) !== '#';
      if (edge || Math.abs(e.x - e.home) > 70) {
        e.x -= e.vx * 0.8;
        e.vx = -e.vx;
      }
    }
    if (!overlap(b, e)) continue;
    if (b.vy > 0 && b.y + H - e.y < STOMP) {
      e.hits = 0;
      b.vy = -BOUNCE;
      s.stomped += 1;
      s.flat.push({ x: e.x, y: e.y + e.h, since: 0 });
    } else hurt(s);
  }
  s.bandits = s.bandits.filter((e) => e.hits > 0);
}

/** @param {State} s */
function fly(s) {
  for (const p of s.bullets) {
    p.x += p.vx;
    let gone = Math.abs(p.x - s.hero.x) > 900;
    gone ||= tileAt(MAP, Math.floor((p.x + p.w / 2) / TILE), Math.floor((p.y + p.h / 2) / TILE)).match(/[#?]/) !== null;
    if (!gone && p.own) {
      const target = s.bandits.find((e) => overlap(p, e)) ?? s.crates.find((c) => overlap(p, c));
      if (target) {
        gone = true;
        target.hits -= 1;
        if ('hurt' in target) target.hurt = 10;
        if (target.hits <= 0) s.shot += 1;
      }
    } else if (!gone) {
      gone = s.crates.some((c) => overlap(p, c));
      if (!gone && overlap(p, s.hero)) {
        gone = true;
        hurt(s);
      }
    }
    if (gone) p.w = 0;
  }
  s.bullets = s.bullets.filter((p) => p.w > 0);
  s.bandits = s.bandits.filter((e) => e.hits > 0);
  s.crates = s.crates.filter((c) => c.hits > 0);
}

/** @param {State} s */
function collect(s) {
  for (const c of s.coins) {
    if (c.taken || !overlap(s.hero, { x: c.x - 16, y: c.y - 16, w: 32, h: 32 })) continue;
    c.taken = true;
    s.score += 1;
  }
}

/** @param {State} s */
function hurt(s) {
  if (s.mercy) return;
  s.hearts -= 1;
  s.mercy = MERCY;
  if (s.hearts <= 0) finish(s, 'fail', 'The bandits took the last heart.');
}

/** Coins in the level, those in blocks too. @param {State} s */
const total = (s) => s.coins.length + s.blocks.length;

/** @param {State} s */
export function observe(s) {
  enter(s);
  const { x, y, vx, vy, onGround, face } = s.hero;
  return {
    game_state: {
      score: s.score,
      level: 1,
      progress: s.score / total(s),
      completion_progress: s.score / total(s),
      player: { x, y, vx, vy, on_ground: onGround, face, hearts: s.hearts },
      entities: s.bandits.map((e) => ({ kind: 'bandit', x: e.x, y: e.y, hits: e.hits })),
    },
    metrics: {
      coins: s.score,
      coins_total: total(s),
      session_coins_collected: s.score,
      hearts: s.hearts,
      targets_shot: s.shot,
      bandits_stomped: s.stomped,
    },
    raw: {
      tile: TILE,
      coins: s.coins.filter((c) => !c.taken).map((c) => [c.x, c.y]),
      blocks: s.blocks.filter((k) => !k.struck).map((k) => [k.x, k.y]),
      bullets: s.bullets.map((p) => [p.x, p.y, p.vx]),
      crates: s.crates.length,
      mercy: s.mercy,
    },
  };
}
