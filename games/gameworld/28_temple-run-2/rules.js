// @ts-check
/** Ruin Runner, the rules: run, change lanes, turn at corners, jump, slide, and do not stumble twice. */

import { finish } from '../../kit/game.js';
import { DEPTH, LANE, nextStretch } from './track.js';

const FIRST_SPEED = 0.2;
const MOST_FASTER = 0.1;
const FRAMES_TO_FULL = 2400;
const POINTS = 14;
const COIN_POINTS = 20;
export const AIR = 42;
const JUMP_HEIGHT = 2.6;
const GRAVITY = (8 * JUMP_HEIGHT) / (AIR * AIR);
const JUMP = (GRAVITY * AIR) / 2;
export const SLIDE = 42;
const SIDE_STEP = 0.22;
/** A corner can be ordered so many frames before it is reached. */
const TURN_FRAMES = 45;
/** A second stumble within so many frames is the end. */
export const STUMBLE_FRAMES = 420;
export const CHARM_COINS = 25;
const SAFE_FRAMES = 60;
/** So far behind the middle of a corner the path ends. */
const LEDGE = 2;

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const first = nextStretch(rng, null, 12);
  const second = nextStretch(rng, first, 13);
  return {
    rng,
    started: false,
    frames: 0,
    distance: 0,
    score: 0,
    coins: 0,
    charm: 0,
    stumbles: 0,
    sinceStumble: 9999,
    resurrects: 0,
    deaths: 0,
    safe: 0,
    /** Stretches: the one behind, this one, the next two. @type {(import('./track.js').Stretch|null)[]} */
    path: [null, first, second, nextStretch(rng, second, 13)],
    along: 0,
    lane: 0,
    x: 0,
    y: 0,
    vy: 0,
    slide: 0,
    /** The order for the next corner: -1, 0, 1. */
    order: 0,
    yaw: 0,
    drag: null,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create> & {drag: {x: number, y: number}|null}} State */

/** @param {State} s @returns {import('./track.js').Stretch} the stretch the runner is on */
export function here(s) {
  return /** @type {any} */ (s.path[1]);
}

/** @param {State} s */
export function speedOf(s) {
  const full = FIRST_SPEED + MOST_FASTER * Math.min(1, s.frames / FRAMES_TO_FULL);
  return s.sinceStumble < 30 ? full * 0.6 : full;
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  const want = wishes(s, input);
  if (!s.started) {
    if (want.start) s.started = true;
    return;
  }
  s.frames += 1;
  s.sinceStumble += 1;
  s.safe = Math.max(0, s.safe - 1);
  const speed = speedOf(s);
  if (want.side) sideways(s, want.side, speed);
  if (want.jump && s.y === 0) {
    s.vy = JUMP;
    s.slide = 0;
  }
  if (want.slide) {
    s.slide = SLIDE;
    if (s.y > 0) s.vy = Math.min(s.vy, -0.3);
  }
  move(s, speed);
  corner(s);
  const hit = obstacle(s);
  if (hit) crash(s, hit);
  collect(s);
  s.score = Math.floor(s.distance * POINTS) + s.coins * COIN_POINTS;
}

/** Keys, a click (start or jump) and swipes of the held mouse. @param {State} s @param {import('../../kit/input.js').Input} input */
function wishes(s, input) {
  const want = {
    start: input.pressed('Space') || !!input.clicked(),
    side: input.pressed('a') ? -1 : input.pressed('d') ? 1 : 0,
    jump: input.pressed('w'),
    slide: input.pressed('s'),
  };
  const click = input.clicked();
  if (click) s.drag = { x: click.x, y: click.y };
  const lift = input.lifts[0];
  if (lift && s.drag) {
    const dx = lift.x - s.drag.x;
    const dy = lift.y - s.drag.y;
    if (Math.max(Math.abs(dx), Math.abs(dy)) < 40) want.jump = true;
    else if (Math.abs(dx) > Math.abs(dy)) want.side = Math.sign(dx);
    else if (dy < 0) want.jump = true;
    else want.slide = true;
    s.drag = null;
  }
  return want;
}

/** Near a corner the order to turn, elsewhere a change of lanes. @param {State} s @param {number} side @param {number} speed */
function sideways(s, side, speed) {
  const t = here(s);
  if (side === t.turn && s.along > t.length - TURN_FRAMES * speed) {
    s.order = side;
  } else if (Math.abs(s.lane + side) > 1) {
    stumble(s);
  } else {
    s.lane += side;
  }
}

/** @param {State} s */
function stumble(s) {
  s.stumbles += 1;
  if (s.sinceStumble < STUMBLE_FRAMES) {
    s.deaths = 1;
    finish(s, 'fail', 'You stumbled twice, and the stone guardian caught you.');
  }
  s.sinceStumble = 0;
}

/** @param {State} s @param {number} speed */
function move(s, speed) {
  s.along += speed;
  s.distance += speed;
  const to = s.lane * LANE;
  s.x += Math.max(-SIDE_STEP, Math.min(SIDE_STEP, to - s.x));
  if (s.y > 0 || s.vy > 0) {
    s.y += s.vy;
    s.vy -= GRAVITY;
    if (s.y <= 0) {
      s.y = 0;
      s.vy = 0;
    }
  }
  if (s.slide > 0 && s.y === 0) s.slide -= 1;
  s.yaw += ((here(s).heading * Math.PI) / 2 - s.yaw) * 0.17;
}

/** @param {State} s */
function corner(s) {
  const t = here(s);
  if (s.along < t.length) return;
  if (!s.order && s.along > t.length + LEDGE) {
    crash(s, 'You missed the corner and ran into the wall.');
    if (!s.over) s.order = t.turn;
  }
  if (!s.order) return;
  const beyond = s.along - t.length;
  s.along = s.x * t.turn;
  s.x = -beyond * t.turn;
  s.lane = 0;
  s.order = 0;
  s.path.shift();
  const last = s.path[s.path.length - 1];
  s.path.push(nextStretch(s.rng, last, (FIRST_SPEED + MOST_FASTER * Math.min(1, (s.frames + 400) / FRAMES_TO_FULL)) * 60));
}

/** What the runner hits right now, as a sentence, or ''. @param {State} s */
function obstacle(s) {
  for (const o of here(s).items) {
    const away = Math.abs(s.along - o.at) - DEPTH[o.kind] / 2;
    if (o.kind === 'gap') {
      if (away < 0 && s.y === 0) return 'You fell into a gap of the path.';
    } else if (away < 0.3 && o.lanes.some((l) => Math.abs(s.x - l * LANE) < 1.3)) {
      if (o.kind === 'log' && s.y < 0.8) return 'You ran into a log.';
      if (o.kind === 'beam' && !(s.slide > 0 && s.y < 0.5)) return 'You ran into a beam.';
      if (o.kind === 'block') return 'You ran into a block of stone.';
    }
  }
  return '';
}

/** @param {State} s @param {string} reason */
function crash(s, reason) {
  if (s.safe > 0) return;
  if (s.charm >= CHARM_COINS) {
    s.charm = 0;
    s.resurrects += 1;
    s.safe = SAFE_FRAMES;
    return;
  }
  s.deaths = 1;
  finish(s, 'fail', reason);
}

/** @param {State} s */
function collect(s) {
  for (const c of here(s).coins) {
    if (c.taken || Math.abs(c.at - s.along) > 0.8 || Math.abs(c.lane * LANE - s.x) > 1 || s.y > 1.8) continue;
    c.taken = true;
    s.coins += 1;
    s.charm = Math.min(CHARM_COINS, s.charm + 1);
  }
}

/** @param {State} s */
export function observe(s) {
  const t = here(s);
  const ahead = t.items.filter((o) => o.at > s.along - 2);
  return {
    status: /** @type {'ready'|'playing'} */ (s.started ? 'playing' : 'ready'),
    game_state: {
      score: s.score,
      distance: s.distance,
      progress: s.score,
      player: { lane: s.lane, x: s.x, y: s.y, vy: s.vy, sliding: s.slide, order: s.order },
      entities: ahead.map((o) => ({ kind: o.kind, ahead: o.at - s.along, lanes: o.lanes, depth: DEPTH[o.kind] })),
    },
    metrics: {
      score: s.score,
      distance: s.distance,
      coins: s.coins,
      stumbles_this_run: s.stumbles,
      resurrects_this_run: s.resurrects,
      deaths: s.deaths,
    },
    raw: {
      started: s.started,
      frames: s.frames,
      speed: speedOf(s),
      charm: s.charm,
      corner: { ahead: t.length - s.along, turn: t.turn, zone: TURN_FRAMES * speedOf(s) },
    },
  };
}
