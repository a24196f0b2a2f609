// @ts-check
/**
 * The rival's driver. It sees the ball a little late, tries to stay between the ball and its own (right) goal, and
 * drives through the ball towards the left goal. At each kick-off chance gives it one of three tempers.
 */

import { BAR, FLOOR, RIGHT } from './physics.js';

/** @typedef {import('./physics.js').Car} Car */
/** @typedef {import('./physics.js').Ball} Ball */

/** How many updates late it sees the ball. */
export const LATE = 6;
export const TEMPERS = /** @type {const} */ (['keeper', 'steady', 'eager']);
/** Where each waits for the ball to come. */
const POST = { keeper: RIGHT - 110, steady: RIGHT - 190, eager: RIGHT - 300 };
/** How far left each goes after the ball. */
const REACH = { keeper: 780, steady: 600, eager: 420 };

/** @param {Car} me @param {Ball} ball as it was a moment ago @param {typeof TEMPERS[number]} temper
 * @param {number} calm updates since the ball was last on the rival's side @returns {import('./physics.js').Wish} */
export function think(me, ball, temper, calm) {
  // Who only waits is attacked in the end.
  const reach = calm > 300 ? 120 : REACH[temper];
  const ahead = me.x - ball.x;
  const low = ball.y > FLOOR - 120;
  const near = Math.abs(ahead) < 150;
  if (ahead > 20) {
    // A high ball on its way to the goal: wait for it there.
    if (ball.vx > 3 && ball.y < 490) {
      return { dir: walkTo(me, RIGHT - 100), jump: ahead < 190 && ball.y > BAR - 90 && ball.y < FLOOR - 90, boost: false };
    }
    // The ball is on the far side: attack it, unless it is none of this driver's business yet.
    if (ball.x < reach - 60 || me.x < reach) return { dir: walkTo(me, POST[temper]), jump: false, boost: false };
    const rising = !low && near && ball.y > BAR - 120 && ball.y < FLOOR - 110;
    return { dir: -1, jump: rising, boost: temper === 'eager' && low && ahead > 260 };
  }
  // The ball is behind: back to the goal, over a low ball, and away from under one that comes down.
  if (low && ahead > -190 && ahead < -60 && me.vx - ball.vx > 2) return { dir: 1, jump: true, boost: false };
  return { dir: 1, jump: false, boost: ahead < -60 && ball.vx > 3 };
}

/** @param {Car} me @param {number} x */
function walkTo(me, x) {
  return Math.abs(me.x - x) < 24 ? 0 : Math.sign(x - me.x);
}
