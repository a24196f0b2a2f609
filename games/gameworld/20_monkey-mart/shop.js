// @ts-check
/**
 * The shop's plan: where things stand, what they cost and hold. Pixels, updates, coins. Nothing here changes.
 *
 * Every place to stand on is a mat; the mats lie on a lattice of 150 pixels, which is what the bear walks in half a
 * second.
 */

/** @typedef {'banana'|'corn'} Good */
/** @typedef {{x: number, y: number}} Point */

export const MAT_R = 72;
export const BEAR_R = 22;
export const BEAR_SPEED = 5;
export const START = { x: 565, y: 310 };
export const BOUNDS = { left: 104, top: 128, right: 1228, bottom: 660 };

/** Items that the bear can carry. */
export const BASKET = 5;
/** Updates between two items that are picked or put down. */
export const HANDLING = 6;
/** @type {Record<Good, number>} */
export const PRICE = { banana: 3, corn: 5 };

/** @type {{good: Good, mat: Point, most: number, grow: number}[]} */
export const PLANTS = [
  { good: 'banana', mat: { x: 115, y: 160 }, most: 4, grow: 130 },
  { good: 'banana', mat: { x: 115, y: 310 }, most: 4, grow: 130 },
  { good: 'banana', mat: { x: 115, y: 460 }, most: 4, grow: 130 },
  { good: 'corn', mat: { x: 115, y: 610 }, most: 6, grow: 80 },
];

/** @type {{good: Good, mat: Point, most: number, box: {x: number, y: number, w: number, h: number}}[]} */
export const SHELVES = [
  { good: 'banana', mat: { x: 415, y: 310 }, most: 10, box: { x: 345, y: 206, w: 140, h: 50 } },
  { good: 'corn', mat: { x: 415, y: 610 }, most: 10, box: { x: 345, y: 506, w: 140, h: 50 } },
];

export const TILL = { mat: { x: 865, y: 160 }, box: { x: 795, y: 212, w: 140, h: 46 } };
/** Where the coins lie that customers have paid. */
export const TRAY = { x: 1015, y: 160 };
/** Updates to serve one customer. */
export const SERVING = 24;

/** @type {{id: 'cashier'|'corn'|'helper', label: string, cost: number, mat: Point}[]} */
export const OFFERS = [
  { id: 'cashier', label: 'Cashier', cost: 15, mat: { x: 715, y: 160 } },
  { id: 'corn', label: 'Corn', cost: 20, mat: { x: 265, y: 610 } },
  { id: 'helper', label: '2nd helper', cost: 30, mat: { x: 565, y: 610 } },
];
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
export const WAKING = 80;
export const WIN_AT = 300;

export const DOOR = { x: 1300, y: 460 };
export const INSIDE = { x: 1165, y: 460 };

/** Where the n-th customer at a shelf stands. @param {number} shelf @param {number} n @returns {Point} */
export function shelfSpot(shelf, n) {
  const { box } = SHELVES[shelf];
  return { x: box.x + box.w + 38 + 52 * (n % 3), y: box.y + 24 - 46 * Math.floor(n / 3) };
}

/** Where the n-th customer in the queue stands. @param {number} n @returns {Point} */
export function queueSpot(n) {
  return { x: TILL.box.x + TILL.box.w / 2, y: TILL.box.y + 88 + 54 * n };
}

/** @param {Point} a @param {Point} b */
export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** Somebody stands on a mat. @param {Point} who @param {Point} mat */
export const on = (who, mat) => distance(who, mat) < MAT_R;
