// @ts-check
/** Turbo Goal, the screen in words: the score, the ball, both cars, the goals and the pads. */

import { motion } from '../../kit/tile-words.js';
import { BALL_R, BAR, CAR_H, CAR_W, FLOOR, LEFT, RIGHT, TOP } from './physics.js';
import { MATCH, PADS } from './rules.js';

/** Updates of a step of 0.2 seconds. */
const STEP = 12;

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const [me, rival] = s.cars;
  const b = s.ball;
  const rolls = motion(b.vx, b.vy, STEP);
  const cheer = ['GOAL FOR YOU!', 'Goal for the rival'][s.scorer] ?? 'Own goal: does not count';
  return [
    `You ${s.goals[0]} : ${s.goals[1]} Rival. The first to score ${MATCH} goals wins.`,
    ...(s.cheer > 0 && !s.over ? [`The screen says: ${cheer}. Soon there is a new kick-off.`] : []),
    'The screen is 1280 wide and 720 high; y grows downwards. Places are of the middle of a thing.',
    `The ball (radius ${BALL_R}) is at x=${Math.round(b.x)}, y=${Math.round(b.y)}${b.y > FLOOR - BALL_R - 2 ? ', on the floor' : ''}. ` +
      (rolls ? `It moves ${rolls} pixels in 0.2 seconds.` : 'It does not move.'),
    `Your blue car: ${car(me)} ${side(me.x, b.x)} Boost: ${Math.floor(me.boost)} of 100.`,
    `The rival's orange car: ${car(rival)} ${side(rival.x, b.x)}`,
    `A car is ${CAR_W} wide and ${CAR_H} high.`,
    `The hall: left wall x=${LEFT}, right wall x=${RIGHT}, ceiling y=${TOP}, floor y=${FLOOR}.`,
    `The blue goal, yours, is the opening in the left wall, the orange goal the one in the right wall, both from y=${BAR} down to the floor.`,
    ...PADS.map((x, i) => `The boost pad on the floor at x=${x} ${s.pads[i] ? 'is dark (empty)' : 'glows (ready)'}.`),
  ].join('\n');
}

/** @param {import('./physics.js').Car} c */
function car(c) {
  const moves = motion(c.vx, c.ground ? 0 : c.vy, STEP);
  return (
    `x=${Math.round(c.x)}, y=${Math.round(c.y)}, ${c.ground ? 'on the floor' : 'in the air'}, pointing ${c.face < 0 ? 'left' : 'right'}` +
    `${c.flame ? ', boosting' : ''}. ${moves ? `It moves ${moves} pixels in 0.2 seconds.` : 'It does not move.'}`
  );
}

/** @param {number} x of a car @param {number} ball */
function side(x, ball) {
  const dx = Math.round(ball - x);
  return dx ? `The ball is ${Math.abs(dx)} to its ${dx < 0 ? 'left' : 'right'}.` : 'The ball has the same x.';
}
