// @ts-check
/** Miner's Descent, the rules: ledges rise towards a ceiling of spikes, a miner walks off them downwards. Pixels, frames. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';

export const LEFT = 280;
export const RIGHT = 1000;
/** Tips of the ceiling's spikes. */
export const CEILING = 96;
export const MINER_W = 44;
export const MINER_H = 58;
export const LEDGE_W = 100;
export const LEDGE_THICK = 22;
export const FULL_HP = 10;

const GRAVITY = 0.6;
const FASTEST_FALL = 9.5;
const WALK = 5.5;
const FIRST_RISE = 2.6;
const FASTER = 0.0009;
const SPACING = 150;
/** From the middle of a ledge to the next one's: never straight below, so that walking off to either side is a decision, and never out
 * of reach. */
const APART = [150, 230];
const BELT = 2.2;
const SPIKE_DAMAGE = 4;
const CRUMBLE = 18;
const START_Y = 400;

/** @typedef {'stone'|'spikes'|'left'|'right'|'sand'} Kind */
/** @typedef {{id: number, x: number, y: number, kind: Kind, worn: number, used: boolean}} Ledge `x` is its middle, `y` its top. */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const state = {
    rng,
    x: 640,
    y: START_Y,
    vy: 0,
    facing: 1,
    walking: 0,
    /** Id of the ledge the miner stands on, -1 in the air. */
    on: 0,
    hp: FULL_HP,
    hurt: 0,
    rise: FIRST_RISE,
    depth: 0,
    /** Ledges landed on. */
    landings: 0,
    made: 1,
    frame: 0,
    /** @type {Ledge[]} */
    ledges: [{ id: 0, x: 640, y: START_Y, kind: 'stone', worn: 0, used: true }],
    over: null,
  };
  fill(state);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  if (s.hurt > 0) s.hurt -= 1;
  s.rise += FASTER;
  s.depth += s.rise;
  for (const l of s.ledges) l.y -= s.rise;
  walk(s, input);

  const ledge = s.ledges.find((l) => l.id === s.on);
  if (ledge && over(s.x, ledge.x)) stand(s, ledge);
  else fall(s);

  s.ledges = s.ledges.filter((l) => l.y > 20 && l.worn < CRUMBLE);
  if (!s.ledges.some((l) => l.id === s.on)) s.on = -1;
  fill(s);
  if (s.hp <= 0) finish(s, 'fail', 'The spikes took the last health point.');
  if (s.y - MINER_H < CEILING) finish(s, 'fail', 'The miner was carried into the spikes at the top.');
  if (s.y - MINER_H > 720) finish(s, 'fail', 'The miner fell out of the picture.');
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
function walk(s, input) {
  let wish = input.axis('ArrowLeft', 'ArrowRight');
  if (!wish && input.mouseHeld('left') && Math.abs(input.mouse.x - s.x) > 8) wish = Math.sign(input.mouse.x - s.x);
  s.walking = wish;
  if (wish) s.facing = wish;
  s.x = Math.max(LEFT + MINER_W / 2, Math.min(RIGHT - MINER_W / 2, s.x + wish * WALK));
}

/** @param {State} s @param {Ledge} ledge */
function stand(s, ledge) {
  s.y = ledge.y;
  s.vy = 0;
  if (ledge.kind === 'left' || ledge.kind === 'right') {
    const shift = ledge.kind === 'left' ? -BELT : BELT;
    s.x = Math.max(LEFT + MINER_W / 2, Math.min(RIGHT - MINER_W / 2, s.x + shift));
  }
  if (ledge.kind === 'sand') ledge.worn += 1;
}

/** @param {State} s */
function fall(s) {
  s.on = -1;
  const before = s.y;
  s.vy = Math.min(FASTEST_FALL, s.vy + GRAVITY);
  s.y += s.vy;
  const ledge = s.ledges.find((l) => over(s.x, l.x) && before <= l.y + s.rise + 0.001 && s.y >= l.y);
  if (!ledge) return;
  s.on = ledge.id;
  s.y = ledge.y;
  s.vy = 0;
  s.landings += 1;
  if (ledge.kind === 'spikes') {
    s.hp = Math.max(0, s.hp - SPIKE_DAMAGE);
    s.hurt = 24;
  } else if (!ledge.used) s.hp = Math.min(FULL_HP, s.hp + 1);
  ledge.used = true;
}

/** @param {number} x @param {number} ledgeX */
function over(x, ledgeX) {
  return Math.abs(x - ledgeX) < LEDGE_W / 2 + MINER_W / 2 - 10;
}

/** Adds ledges below the picture. @param {State} s */
function fill(s) {
  const random = stream(s.rng, 'ledges');
  let last = s.ledges[s.ledges.length - 1] ?? { x: 640, y: 640, kind: 'stone' };
  while (last.y < 720 + SPACING) {
    const low = LEFT + LEDGE_W / 2;
    const high = RIGHT - LEDGE_W / 2;
    let x = random.int(low, high);
    while (Math.abs(x - last.x) < APART[0] || Math.abs(x - last.x) > APART[1]) x = random.int(low, high);
    const dice = random.float();
    /** @type {Kind} */
    let kind = dice < 0.46 ? 'stone' : dice < 0.68 ? 'spikes' : dice < 0.79 ? 'left' : dice < 0.9 ? 'right' : 'sand';
    if (kind === 'spikes' && (last.kind === 'spikes' || s.made < 3)) kind = 'stone';
    last = { id: s.made, x, y: last.y + SPACING, kind, worn: 0, used: false };
    s.made += 1;
    s.ledges.push(/** @type {Ledge} */ (last));
  }
}

/** Completed metres of the descent. @param {State} s */
export function metres(s) {
  return Math.floor(s.depth / 50);
}

/** Time since the run began in ms. @param {State} s */
export function lived(s) {
  return Math.round((s.frame * 1000) / 60);
}

/** @param {State} s */
export function observe(s) {
  const ledges = s.ledges.filter((l) => l.y < 720);
  return {
    game_state: {
      score: metres(s),
      level: 1,
      progress: lived(s),
      player: { x: s.x, y: s.y, vy: s.vy, standing: s.on >= 0, hp: s.hp },
      entities: ledges.map((l) => ({ kind: l.kind, x: l.x, y: l.y, width: LEDGE_W, worn: l.worn, under_miner: l.id === s.on })),
    },
    metrics: { hp: s.hp, best_score: metres(s), primary_score: lived(s), landings: s.landings },
    raw: {
      gravity: GRAVITY,
      fastest_fall: FASTEST_FALL,
      walk: WALK,
      rise: s.rise,
      belt: BELT,
      crumble: CRUMBLE,
      reach: LEDGE_W / 2 + MINER_W / 2 - 10,
      left: LEFT + MINER_W / 2,
      right: RIGHT - MINER_W / 2,
      highest: CEILING + MINER_H,
    },
  };
}
