// @ts-check
/** Turbo Goal, the rules: kick-off, play, goals, the end of the match. The left side is the player's. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { BALL_R, BAR, bump, drive, fly, FULL, hit, LEFT, makeCar, RIGHT } from './physics.js';
import { LATE, TEMPERS, think } from './rival.js';

export const MATCH = 6;
/** Updates that a goal is celebrated before the next kick-off. */
export const CHEER = 36;
export const PADS = [400, 880];
const PAD_GIVES = 45;
const PAD_RESTS = 240;
/** The rival is a little slower than the player. */
const RIVAL_SPEED = 0.84;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const state = {
    rng,
    people: oneOf(options, 'player', [1, 2], 1),
    frame: 0,
    goals: [0, 0],
    cheer: 0,
    /** Who scored last: 0 player, 1 rival, -1 nobody (an own goal). */
    scorer: -1,
    /** @type {import('./physics.js').Car[]} */
    cars: [],
    ball: { x: 640, y: 300, vx: 0, vy: 0, turn: 0 },
    /** Where the ball was in the last updates; the rival sees the oldest. @type {number[][]} */
    seen: [],
    /** @type {typeof TEMPERS[number]} */
    temper: 'steady',
    /** Updates until each boost pad is back. */
    pads: PADS.map(() => 0),
    calm: 0,
    /** Updates since the player last did something. */
    idle: 99,
    touches: 0,
    /** Who touched the ball last: 0 player, 1 rival. */
    last: -1,
    over: null,
  };
  kickOff(state);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s */
function kickOff(s) {
  const luck = stream(s.rng, 'kickoff');
  s.cars = [makeCar(300, 1), makeCar(980, -1, RIVAL_SPEED)];
  s.ball = { x: 640 + luck.int(-60, 60), y: luck.int(220, 480), vx: luck.float(-1.5, 1.5), vy: 0, turn: 0 };
  s.temper = luck.pick(TEMPERS);
  s.seen = [];
  s.last = -1;
  s.calm = 0;
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  if (s.cheer > 0) {
    s.cheer -= 1;
    fly(s.ball);
    if (s.cheer === 0) kickOff(s);
    return;
  }
  const [me, rival] = s.cars;
  const b = s.ball;
  s.calm = b.x > 700 ? 0 : s.calm + 1;
  s.seen.push([b.x, b.y, b.vx]);
  if (s.seen.length > LATE) s.seen.shift();
  const wish = wishOf(input, me);
  s.idle = wish.dir || wish.jump || wish.boost ? 0 : s.idle + 1;
  drive(me, wish);
  const [x, y, vx] = s.seen[0];
  drive(rival, s.people === 2 ? second(input) : think(rival, { x, y, vx, vy: 0, turn: 0 }, s.temper, s.calm));
  bump(me, rival);
  fly(b);
  if (hit(me, b)) {
    s.touches += 1;
    // A ball that comes off a car that nobody drives is still the rival's.
    if (Math.hypot(me.vx, me.vy) > 2 && s.idle < 30) s.last = 0;
  }
  if (hit(rival, b, 1)) s.last = 1;
  PADS.forEach((at, i) => {
    if (s.pads[i] > 0) s.pads[i] -= 1;
    for (const c of s.cars) {
      if (s.pads[i] > 0 || !c.ground || Math.abs(c.x - at) > 60 || c.boost > FULL - 10) continue;
      c.boost = Math.min(FULL, c.boost + PAD_GIVES);
      s.pads[i] = PAD_RESTS;
    }
  });
  if (b.x > RIGHT + BALL_R / 2) goal(s, 0);
  else if (b.x < LEFT - BALL_R / 2) goal(s, 1);
}

/** Keys, or a held mouse button: drives towards the pointer, and jumps if that is high up.
 * @param {import('../../kit/input.js').Input} input @param {import('./physics.js').Car} me */
function wishOf(input, me) {
  const wish = { dir: input.axis('a', 'd'), jump: input.pressed('w'), boost: input.held('Space') };
  if (input.mouseHeld()) {
    const dx = input.mouse.x - me.x;
    if (Math.abs(dx) > 20) wish.dir = Math.sign(dx);
    if (input.clicked() && input.mouse.y < me.y - 150) wish.jump = true;
  }
  return wish;
}

/** The second person's keys, in `?player=2`. @param {import('../../kit/input.js').Input} input */
function second(input) {
  return { dir: input.axis('ArrowLeft', 'ArrowRight'), jump: input.pressed('ArrowUp'), boost: input.held('ArrowDown') };
}

/** @param {State} s @param {0|1} who */
function goal(s, who) {
  s.cheer = CHEER;
  // An own goal counts for nobody.
  s.scorer = s.last === who ? who : -1;
  if (s.scorer < 0) return;
  s.goals[who] += 1;
  if (s.goals[who] < MATCH) return;
  if (who === 0) finish(s, 'win', `The match is won ${s.goals[0]} : ${s.goals[1]}.`);
  else finish(s, 'fail', `The match is lost ${s.goals[0]} : ${s.goals[1]}.`);
}

/** @param {State} s */
export function observe(s) {
  const [me, rival] = s.cars;
  const car = (/** @type {import('./physics.js').Car} */ c) => {
    const { x, y, vx, vy, face, ground, boost } = c;
    return { x, y, vx, vy, face, on_ground: ground, boost };
  };
  return {
    game_state: {
      score: s.goals[0],
      level: 1,
      progress: s.goals[0],
      player: car(me),
      rival: { ...car(rival), temper: s.temper },
      ball: { ...s.ball },
      entities: PADS.map((x, i) => ({ kind: 'boost pad', x, ready: s.pads[i] === 0 })),
      cheering: s.cheer > 0,
    },
    metrics: {
      primary_score: s.goals[0],
      goals_against: s.goals[1],
      distance_to_goal: Math.max(0, RIGHT - s.ball.x),
      player_boost: me.boost,
      player_gas: me.gas,
      touches: s.touches,
    },
    raw: { left: LEFT, right: RIGHT, bar: BAR, match: MATCH },
  };
}
