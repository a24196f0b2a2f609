// @ts-check
/** Customers: come in, take what they want from one shelf, queue at the till, pay and go; or lose patience. */

import { stream } from '../../kit/random.js';
import {
  CUSTOMER_SPEED, distance, DOOR, INSIDE, MOST_CUSTOMERS, on, PATIENCE, PRICE, queueSpot, SERVING, shelfSpot, shopOf,
} from './shop.js';

/** @typedef {import('./shop.js').Good} Good */
/** @typedef {{id: number, look: number, x: number, y: number, shelf: number, good: Good, wants: number, has: number,
 *   wait: number, phase: 'enter'|'shelf'|'queue'|'leave'|'angry', hand: number, inside: boolean}} Customer */
/** @typedef {import('./rules.js').State} State */

/** @param {State} s */
export function moveCustomers(s) {
  arrive(s);
  const line = s.customers.filter((c) => c.phase === 'queue');
  for (const c of s.customers) step(s, c, line);
  pay(s, line[0]);
  s.customers = s.customers.filter((c) => c.x < DOOR.x || c.phase === 'enter');
}

/** @param {State} s */
function arrive(s) {
  if (s.nextCustomer > 0) s.nextCustomer -= 1;
  const inside = s.customers.filter((c) => c.phase !== 'leave' && c.phase !== 'angry').length;
  if (s.nextCustomer > 0 || inside >= MOST_CUSTOMERS) return;
  const luck = stream(s.rng, 'arrivals');
  s.nextCustomer = luck.int(70, 130);
  const shelf = luck.chance(0.5) && s.bought.corn ? 1 : 0;
  s.customers.push({
    id: s.frame, look: luck.int(0, 4), x: DOOR.x, y: DOOR.y, shelf, good: shopOf(s.plan).shelves[shelf].good,
    wants: luck.int(1, 3), has: 0, wait: 0, phase: 'enter', hand: 0, inside: false,
  });
}

/** @param {State} s @param {Customer} c @param {Customer[]} line */
function step(s, c, line) {
  if (c.phase === 'leave' || c.phase === 'angry') {
    go(c, c.inside ? INSIDE : DOOR);
    if (distance(c, INSIDE) < 8) c.inside = false;
    return;
  }
  if (c.phase === 'queue') {
    go(c, queueSpot(shopOf(s.plan), line.indexOf(c)));
  } else {
    const others = s.customers.filter((o) => o.shelf === c.shelf && (o.phase === 'enter' || o.phase === 'shelf'));
    const there = go(c, c.inside ? shelfSpot(shopOf(s.plan), c.shelf, others.indexOf(c)) : INSIDE);
    if (!c.inside && there) c.inside = true;
    else if (there) c.phase = 'shelf';
    if (c.phase === 'shelf') take(s, c);
  }
  if (c.phase !== 'enter' && ++c.wait > PATIENCE) {
    c.phase = 'angry';
    s.lost += 1;
    s.hearts -= 1;
    // What was already taken goes back.
    const shelf = s.shelves[c.shelf];
    shelf.stock = Math.min(shopOf(s.plan).shelves[c.shelf].most, shelf.stock + c.has);
  }
}

/** @param {State} s @param {Customer} c */
function take(s, c) {
  if (c.hand > 0) c.hand -= 1;
  else if (c.has === c.wants) {
    c.phase = 'queue';
    c.wait = 0;
  } else if (s.shelves[c.shelf].stock > 0) {
    s.shelves[c.shelf].stock -= 1;
    c.has += 1;
    c.hand = 8;
  }
}

/** The bear, standing still, or the cashier serves the first of the queue. @param {State} s @param {Customer|undefined} first */
function pay(s, first) {
  const shop = shopOf(s.plan);
  const ready = first && distance(first, queueSpot(shop, 0)) < 20 && (s.bought.cashier || (on(s.bear, shop.till.mat) && !s.bear.walk));
  if (!ready) {
    s.serving = 0;
    return;
  }
  if (++s.serving < SERVING) return;
  s.serving = 0;
  const amount = first.has * PRICE[first.good];
  s.pile += amount;
  s.served += 1;
  first.phase = 'leave';
}

/** One step towards a place; true when it is reached. @param {Customer} c @param {import('./shop.js').Point} to */
function go(c, to) {
  const far = distance(c, to);
  if (far <= CUSTOMER_SPEED) {
    [c.x, c.y] = [to.x, to.y];
    return true;
  }
  c.x += ((to.x - c.x) / far) * CUSTOMER_SPEED;
  c.y += ((to.y - c.y) / far) * CUSTOMER_SPEED;
  return false;
}
