// @ts-check
/** Gap Flyer, the rules: a bird falls, a flap throws it up, pipes come from the right. Pixels and frames. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';

export const BIRD_X = 320;
export const BIRD_R = 22;
export const GROUND = 636;
export const PIPE_W = 96;
export const GAP = 224;

const GRAVITY = 0.5;
const FLAP = -7.2;
const FASTEST_FALL = 11;
const SPEED = 5;
/** Between the left edges of two pipes: one pipe a second. */
const SPACING = 300;
const FIRST_PIPE = 820;
/** Furthest that a gap's middle lies from the one before it, so that it can be reached. */
const MOST_CHANGE = 170;
const HIGHEST = 170;
const LOWEST = 470;

/** @typedef {{x: number, gap: number, passed: boolean}} Pipe */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const state = {
    rng,
    y: 300,
    vy: FLAP,
    distance: 0,
    score: 0,
    flaps: 0,
    sinceFlap: 99,
    /** @type {Pipe[]} */
    pipes: [],
    over: null,
  };
  for (let x = FIRST_PIPE; x < 1280 + SPACING; x += SPACING) addPipe(state, x);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.sinceFlap += 1;
  if (input.pressed('Space')) {
    s.vy = FLAP;
    s.flaps += 1;
    s.sinceFlap = 0;
  }
  s.vy = Math.min(FASTEST_FALL, s.vy + GRAVITY);
  s.y += s.vy;
  s.distance += SPEED;
  for (const p of s.pipes) {
    p.x -= SPEED;
    if (!p.passed && p.x + PIPE_W < BIRD_X - BIRD_R) {
      p.passed = true;
      s.score += 1;
    }
  }
  if (s.pipes[0].x < -PIPE_W - 20) s.pipes.shift();
  const last = s.pipes[s.pipes.length - 1];
  if (last.x <= 1280) addPipe(s, last.x + SPACING);

  if (s.y > GROUND - BIRD_R) {
    s.y = GROUND - BIRD_R;
    finish(s, 'fail', 'The bird fell to the ground.');
  } else if (s.y < BIRD_R) {
    // The top of the sky is soft: a bird that flies into it just stops rising.
    s.y = BIRD_R;
    s.vy = Math.max(0, s.vy);
  }
  if (s.pipes.some((p) => hits(s.y, p))) finish(s, 'fail', 'The bird hit a pipe.');
}

/** @param {State} s @param {number} x */
function addPipe(s, x) {
  const before = s.pipes.length ? s.pipes[s.pipes.length - 1].gap : 320;
  const low = Math.max(HIGHEST, before - MOST_CHANGE);
  const high = Math.min(LOWEST, before + MOST_CHANGE);
  s.pipes.push({ x, gap: stream(s.rng, 'pipes').int(low, high), passed: false });
}

/** The bird's disc touches one of the pipe's two halves. @param {number} y @param {Pipe} p */
function hits(y, p) {
  const dx = BIRD_X - Math.max(p.x, Math.min(BIRD_X, p.x + PIPE_W));
  if (Math.abs(dx) >= BIRD_R) return false;
  const reach = Math.sqrt(BIRD_R * BIRD_R - dx * dx);
  return y - reach < p.gap - GAP / 2 || y + reach > p.gap + GAP / 2;
}

/** @param {State} s */
export function observe(s) {
  const visible = s.pipes.filter((p) => p.x < 1280 && p.x + PIPE_W > 0);
  const pipes = visible.map((p) => ({
    x: p.x,
    width: PIPE_W,
    gap_top: p.gap - GAP / 2,
    gap_bottom: p.gap + GAP / 2,
    passed: p.passed,
  }));
  return {
    game_state: {
      score: s.score,
      level: 1,
      progress: s.score,
      player: { x: BIRD_X, y: s.y, vy: s.vy, radius: BIRD_R },
      entities: pipes,
    },
    metrics: { distance: s.distance, pipes_visible: visible.length, best_score: s.score, flaps: s.flaps },
    raw: { gravity: GRAVITY, flap: FLAP, fastest_fall: FASTEST_FALL, speed: SPEED, ground: GROUND },
  };
}

/** The screen in words. @param {State} s */
export function describe(s) {
  const moving = s.vy < -1 ? 'rising' : s.vy > 1 ? 'falling' : 'level';
  const speed = Math.abs(Math.round(s.vy * 12));
  const lines = [
    `The screen is 1280 wide and 720 high; y grows downwards. The ground is at y=${GROUND}.`,
    `Score: ${s.score}.`,
    `The bird (radius ${BIRD_R}) is at x=${BIRD_X}, y=${Math.round(s.y)}, ${moving}${moving === 'level' ? '' : ` by about ${speed} a step`}.`,
  ];
  for (const p of s.pipes) {
    if (p.x >= 1280 || p.x + PIPE_W < BIRD_X - BIRD_R) continue;
    const where = p.x > BIRD_X + BIRD_R ? `${Math.round(p.x - BIRD_X)} ahead` : 'here';
    lines.push(`A pair of pipes ${where}, x=${Math.round(p.x)} to ${Math.round(p.x + PIPE_W)}: its gap is from y=${p.gap - GAP / 2} to y=${p.gap + GAP / 2}.`);
  }
  return lines.join('\n');
}
