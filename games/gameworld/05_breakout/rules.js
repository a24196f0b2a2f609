// @ts-check
/** Brick Yard, the rules: a paddle keeps a fast ball in the court until every brick is broken. Pixels and frames. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { LEVELS } from './levels.js';

export const LEFT = 172;
export const RIGHT = 1108;
export const TOP = 84;
export const PADDLE_Y = 640;
export const PADDLE_W = 150;
export const BALL_R = 13;
export const BRICK = { w: 104, h: 44, top: 150 };
const BRICK_SIZE = { width: BRICK.w, height: BRICK.h };
const PADDLE_SPEED = 9;
const BALL_SPEED = 15;
/** Furthest that the ball leaves the paddle from the vertical, in radians. */
const WIDEST = 1.05;

/** @typedef {{column: number, row: number, hits: number}} Brick */

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const level = oneOf(options, 'level', [1, 2, 3, 4, 5], 1);
  /** @type {Brick[]} */
  const bricks = [];
  LEVELS[level - 1].forEach((line, row) =>
    [...line].forEach((c, column) => c !== '.' && bricks.push({ column, row, hits: Number(c) })),
  );
  const side = stream(rng, 'serve').chance(0.5) ? 1 : -1;
  const angle = stream(rng, 'serve').float(0.5, 0.75) * side;
  return {
    rng,
    level,
    paddle: 640,
    ball: { x: 640, y: 470, vx: BALL_SPEED * Math.sin(angle), vy: BALL_SPEED * Math.cos(angle) },
    bricks,
    total: bricks.reduce((n, b) => n + b.hits, 0),
    broken: 0,
    /** Recent places of the ball, for its trail. @type {number[][]} */
    trail: [],
    flash: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** Left and top edge of a brick. @param {Brick} b @returns {[number, number]} */
export const place = (b) => [LEFT + b.column * BRICK.w, BRICK.top + b.row * (BRICK.h + 8)];

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  const half = PADDLE_W / 2;
  const to = s.paddle + PADDLE_SPEED * input.axis('ArrowLeft', 'ArrowRight');
  s.paddle = Math.max(LEFT + half, Math.min(RIGHT - half, to));
  s.flash = Math.max(0, s.flash - 1);
  s.trail.push([s.ball.x, s.ball.y]);
  if (s.trail.length > 7) s.trail.shift();
  // Two half steps, so that a fast ball cannot jump over a brick's corner.
  for (let i = 0; i < 2 && !s.over; i++) move(s);
}

/** @param {State} s */
function move(s) {
  const b = s.ball;
  b.x += b.vx / 2;
  strike(s, 'vx');
  b.y += b.vy / 2;
  strike(s, 'vy');
  if (s.over) return;
  if (b.x < LEFT + BALL_R || b.x > RIGHT - BALL_R) {
    b.vx = Math.abs(b.vx) * (b.x < 640 ? 1 : -1);
    b.x = Math.max(LEFT + BALL_R, Math.min(RIGHT - BALL_R, b.x));
  }
  if (b.y < TOP + BALL_R) {
    b.vy = Math.abs(b.vy);
    b.y = TOP + BALL_R;
  }
  const off = (b.x - s.paddle) / (PADDLE_W / 2 + BALL_R);
  if (b.vy > 0 && b.y > PADDLE_Y - BALL_R && b.y < PADDLE_Y + 24 && Math.abs(off) <= 1) {
    const angle = off * WIDEST;
    b.vx = BALL_SPEED * Math.sin(angle);
    b.vy = -BALL_SPEED * Math.cos(angle);
    b.y = PADDLE_Y - BALL_R;
    s.flash = 8;
  }
  if (b.y > 740) finish(s, 'fail', 'The ball was lost.');
}

/** Breaks what the ball touches and turns its speed along one axis. @param {State} s @param {'vx' | 'vy'} axis */
function strike(s, axis) {
  const b = s.ball;
  for (const brick of s.bricks) {
    const [x, y] = place(brick);
    const dx = b.x - Math.max(x, Math.min(b.x, x + BRICK.w));
    const dy = b.y - Math.max(y, Math.min(b.y, y + BRICK.h));
    if (dx * dx + dy * dy > BALL_R * BALL_R) continue;
    if (axis === 'vx') b.x -= b.vx / 2;
    else b.y -= b.vy / 2;
    b[axis] = -b[axis];
    brick.hits -= 1;
    s.broken += 1;
    if (!brick.hits) s.bricks.splice(s.bricks.indexOf(brick), 1);
    if (!s.bricks.length) finish(s, 'win', 'The yard is clear.');
    return;
  }
}

/** @param {State} s */
export function observe(s) {
  const part = s.broken / s.total;
  return {
    game_state: {
      score: s.broken * 10,
      level: s.level,
      progress: part,
      completion_progress: part,
      player: { x: s.paddle, y: PADDLE_Y, width: PADDLE_W },
      entities: [
        { kind: 'ball', ...s.ball },
        ...s.bricks.map((b) => ({ kind: 'brick', left: place(b)[0], top: place(b)[1], ...BRICK_SIZE, hits: b.hits })),
      ],
    },
    metrics: {
      bricks_remaining: s.bricks.length,
      bricks_total: LEVELS[s.level - 1].join('').replaceAll('.', '').length,
      lives: s.over?.outcome === 'fail' ? 0 : 1,
    },
    raw: { left: LEFT, right: RIGHT, top: TOP, ball_radius: BALL_R, paddle_speed: PADDLE_SPEED },
  };
}

/** The screen in words. @param {State} s */
export function describe(s) {
  const { x, y, vx, vy } = s.ball;
  const px = Math.round;
  const half = PADDLE_W / 2;
  const side = Math.abs(px(vx * 12)) < 1 ? 'straight' : `${vx < 0 ? 'left' : 'right'} by ${Math.abs(px(vx * 12))} and`;
  const bricks = s.bricks.map((b) => {
    const [left, top] = place(b);
    const twice = b.hits > 1 ? ' with a 2 on it' : '';
    return `A brick${twice}: x=${left} to ${left + BRICK.w}, y=${top} to ${top + BRICK.h}.`;
  });
  return [
    `Level ${s.level}. Bricks left: ${s.bricks.length}. Score: ${s.broken * 10}.`,
    `The ball (radius ${BALL_R}) is at x=${px(x)}, y=${px(y)} and flies ${side} ${vy < 0 ? 'up' : 'down'} by ${Math.abs(px(vy * 12))} in 0.2 s.`,
    `The paddle reaches from x=${px(s.paddle - half)} to ${px(s.paddle + half)}, its middle is at x=${px(s.paddle)}; its upper side is at y=${PADDLE_Y}.`,
    `The screen is 1280 wide and 720 high; y grows downwards. The walls of the court are at x=${LEFT}, x=${RIGHT} and y=${TOP}; it is open below.`,
    ...bricks,
  ].join('\n');
}
