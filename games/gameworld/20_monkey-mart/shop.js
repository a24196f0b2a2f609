// @ts-check
/**
 * The shop's plan: where things stand, what they cost and hold. Pixels, updates, coins. The seed deals where the mats
 * lie.
 *
 * Every place to stand on is a mat; the mats lie on a lattice of 150 pixels, which is what the bear walks in half a
 * second.
 */

import { madeOnce } from '../../dealt/stages.js';

/** @typedef {'banana'|'corn'} Good */
/** @typedef {{x: number, y: number}} Point */

export const MAT_R = 72;
export const BEAR_R = 22;
export const BEAR_SPEED = 5;
export const BOUNDS = { left: 104, top: 128, right: 1228, bottom: 660 };

/** Items that the bear can carry. */
export const BASKET = 5;
/** Updates between two items that are picked or put down. */
export const HANDLING = 6;
/** @type {Record<Good, number>} */
export const PRICE = { banana: 3, corn: 5 };

const ROWS = [160, 310, 460, 610];
/** Where shelves can stand: a bananas' shelf at the first four. @type {Point[]} */
const SHELF_MATS = [415, 565].flatMap((x) => [310, 460].map((y) => ({ x, y }))).concat([{ x: 415, y: 610 }, { x: 565, y: 610 }]);
/** @type {Point[]} */
const TILL_MATS = [[715, 160], [865, 160], [1015, 160], [865, 310], [1015, 310], [865, 460]].map(([x, y]) => ({ x, y }));

/** Draws where things stand: the corn field's row, both shelves, the till, the side of the coins, the bear, its helper.
 * @param {import('../../kit/random.js').Stream} r */
export const makePlan = (r) => [
  r.int(0, 3), r.int(0, 3), r.int(1, 5), r.int(0, TILL_MATS.length - 1), r.pick([-150, 150]), r.pick([565, 715]), r.int(1, 2), r.int(0, 2),
];

/** The shop of a plan. */
export const shopOf = madeOnce(([corn, bananas, next, till, side, x, row, nap]) => {
  const counter = TILL_MATS[till];
  /** @type {{good: Good, mat: Point, most: number, grow: number}[]} */
  const plants = ROWS.map((y, i) => (i === corn ? { good: 'corn', mat: { x: 115, y }, most: 6, grow: 80 } : { good: 'banana', mat: { x: 115, y }, most: 4, grow: 130 }));
  return {
    start: { x, y: ROWS[row] },
    helper: { x: 265, y: 235 + 150 * nap },
    plants,
    shelves: [shelf('banana', SHELF_MATS[bananas]), shelf('corn', SHELF_MATS[(bananas + next) % SHELF_MATS.length])],
    till: { mat: counter, box: { x: counter.x - 70, y: counter.y + 52, w: 140, h: 46 } },
    /** Where the coins lie that customers have paid. */
    tray: { x: counter.x + side, y: counter.y },
    offers: [
      offer('cashier', 'Cashier', 15, { x: counter.x - side, y: counter.y }), offer('corn', 'Corn', 20, { x: 265, y: ROWS[corn] }),
      offer('helper', '2nd helper', 30, { x: 715, y: 610 }),
    ],
  };
});

/** @typedef {ReturnType<typeof shopOf>} Shop */

/** @param {Good} good @param {Point} mat */
const shelf = (good, mat) => ({ good, mat, most: 10, box: { x: mat.x - 70, y: mat.y - 104, w: 140, h: 50 } });

/** @param {'cashier'|'corn'|'helper'} id @param {string} label @param {number} cost @param {Point} mat */
const offer = (id, label, cost, mat) => ({ id, label, cost, mat });

/** Updates to serve one customer. */
export const SERVING = 24;

/** Updates that the bear stands on an offer before it is bought. */
export const BUYING = 12;

export const HEARTS = 5;
/** Updates that a customer waits at a shelf or at the till before leaving in anger. */
export const PATIENCE = 22 * 60;
export const MOST_CUSTOMERS = 6;
export const CUSTOMER_SPEED = 4.5;
export const HELPER_SPEED = 3;
/** Updates that a helper works before it falls asleep, and how near the bear wakes it. */
export const AWAKE = 20 * 60;
export const WAKING = 110;
export const WIN_AT = 300;

export const DOOR = { x: 1300, y: 460 };
export const INSIDE = { x: 1165, y: 460 };

/** Where the n-th customer at a shelf stands. @param {Shop} shop @param {number} shelf @param {number} n @returns {Point} */
export function shelfSpot({ shelves }, shelf, n) {
  const { box } = shelves[shelf];
  return { x: box.x + box.w + 38 + 52 * (n % 3), y: box.y + 24 - 46 * Math.floor(n / 3) };
}

/** Where the n-th customer in the queue stands. @param {Shop} shop @param {number} n @returns {Point} */
export function queueSpot({ till }, n) {
  return { x: till.box.x + till.box.w / 2 + (till.mat.x < 900 ? 54 : -54) * n, y: till.box.y + 88 };
}

/** @param {Point} a @param {Point} b */
export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** Somebody stands on a mat. @param {Point} who @param {Point} mat */
export const on = (who, mat) => distance(who, mat) < MAT_R;
