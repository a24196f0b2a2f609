// @ts-check
/**
 * Hiccup Wing, the rules: a bird whose wings flap by themselves is steered through a cave to its nest. Spreading the
 * wings makes it glide and holds the flap back. Pixels and updates. Chance: how the caves are dealt.
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { findTiles, makeBody, moveBody, overlap, tileMap, toward, touching } from '../../kit/platform.js';
import { againClicked } from '../../kit/stages.js';
import { madeOnce } from '../../dealt/stages.js';
import { LEVELS } from './levels.js';

export const TILE = 40;
const W = 34;
const H = 30;
const FLY = 4.6;
const WALK = 3;
const GRAVITY = 0.34;
const FALL = 9;
const GLIDE_FALL = 1.6;
/** Updates from one flap to the next: the wings twitch sooner each time, down to the last number. */
const FLAP_TARGETS = [48, 44, 40, 36, 33, 30];
export const FLAP_MAX = FLAP_TARGETS[0];
const FLAP = 8.4;

const caveOf = madeOnce(([stage, ...plan]) => {
  const map = tileMap(LEVELS[stage - 1].rows(plan), TILE);
  return { map, start: findTiles(map, '@')[0], nest: findTiles(map, 'N')[0] };
});

/** The cave that a state is in. @param {{stage: number, plan: number[]}} s */
export const here = (s) => caveOf([s.stage, ...s.plan]);

/** @param {State} s @returns {(char: string) => import('../../kit/platform.js').Kind} */
const kinds = (s) => (char) => (char === '#' || (char === '^' && s.harmless) ? 'solid' : null);

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const stage = oneOf(options, 'level', [1, 2, 3, 4, 5], 1);
  const harmless = oneOf(options, 'harmless_spikes', [true, false], false);
  return start(stage, harmless, LEVELS[stage - 1].draw(rng));
}

/** @param {number} stage @param {boolean} harmless @param {number[]} plan numbers that make the cave */
function start(stage, harmless, plan) {
  const { start: at } = here({ stage, plan });
  return {
    /** The level that is played; `level` is one more once it is finished. */
    stage,
    level: stage,
    harmless,
    plan,
    bird: { ...makeBody(at.x + 3, at.y + TILE - H, W, H), onGround: true, face: at.x < 640 ? 1 : -1, gliding: false },
    /** Counts up to the target, then the bird flaps. */
    urge: 0,
    flaps: 0,
    sinceFlap: 99,
    deaths: 0,
    frame: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof start>} State */

/** Updates until the urge is full. @param {State} s */
export const targetOf = (s) => FLAP_TARGETS[Math.min(s.flaps, FLAP_TARGETS.length - 1)];

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  if (againClicked(input)) {
    const { deaths, frame } = s;
    Object.assign(s, start(s.stage, s.harmless, s.plan), { deaths, frame });
  }
  s.frame += 1;
  s.sinceFlap = Math.min(99, s.sinceFlap + 1);
  const b = s.bird;
  b.gliding = input.held('ArrowUp');
  const dir = input.axis('ArrowLeft', 'ArrowRight');
  if (dir) b.face = dir;
  const speed = b.onGround ? WALK : FLY;
  b.vx = toward(b.vx, dir * speed, b.onGround ? 0.8 : 0.3);

  // Spread wings cannot flap: the urge waits, nearly full at most.
  s.urge = b.gliding ? Math.min(targetOf(s) - 1, s.urge + 0.25) : s.urge + 1;
  if (s.urge >= targetOf(s)) {
    s.urge = 0;
    s.flaps += 1;
    s.sinceFlap = 0;
    b.vy = -FLAP;
  }
  b.vy = Math.min(b.gliding ? Math.max(GLIDE_FALL, b.vy) : FALL, b.vy + GRAVITY);
  if (b.gliding && b.vy > GLIDE_FALL) b.vy = toward(b.vy, GLIDE_FALL, 1);
  moveBody(b, here(s).map, kinds(s), [], '#');

  const thorns = touching(here(s).map, b, 5).some((t) => t.char === '^');
  const { nest } = here(s);
  if (thorns && !s.harmless) {
    s.deaths += 1;
    finish(s, 'fail', 'The bird flew into thorns.');
  } else if (overlap(b, { x: nest.x, y: nest.y, w: TILE, h: TILE })) {
    s.level = s.stage + 1;
    finish(s, 'win', `The bird is in its nest: level ${s.stage} is finished.`);
  }
}

/** @param {State} s */
export function observe(s) {
  const { x, y, vx, vy, onGround, gliding } = s.bird;
  const { nest, start: begin } = here(s);
  const distance = Math.hypot(nest.x - x, nest.y - y);
  const done = s.level > s.stage ? 1 : Math.max(0, Math.min(0.99, 1 - distance / Math.hypot(nest.x - begin.x, nest.y - begin.y)));
  return {
    game_state: {
      score: s.level - s.stage,
      level: s.level,
      progress: done,
      completion_progress: done,
      player: { x, y, vx, vy, on_ground: onGround, gliding, face: s.bird.face },
    },
    metrics: {
      deaths: s.deaths,
      flap_max: FLAP_MAX,
      flap_target: targetOf(s),
      flaps: s.flaps,
      distance_to_nest: Math.round(distance),
    },
    raw: { tile: TILE, urge: s.urge, nest: [nest.x, nest.y] },
  };
}
