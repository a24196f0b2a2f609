// @ts-check
/** The Bear's Corner Shop, the rules: pick, stock, serve, invest. Everything happens by standing on mats. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';
import { moveCustomers } from './customers.js';
import {
  AWAKE, BASKET, BEAR_R, BEAR_SPEED, BOUNDS, BUYING, distance, HANDLING, HEARTS, HELPER_SPEED, makePlan, MAT_R, on, shopOf,
  WAKING, WIN_AT,
} from './shop.js';

/** @typedef {import('./shop.js').Good} Good */
/** @typedef {import('./shop.js').Point} Point */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const plan = makePlan(stream(rng, 'plan'));
  const { start, helper, plants, shelves } = shopOf(plan);
  return {
    rng,
    plan,
    frame: 0,
    bear: {
      ...start, dx: 0, dy: 1, walk: 0, hand: 0, /** @type {Good[]} */ basket: [],
      goal: /** @type {Point|null} */ (null),
    },
    /** The first is there from the start, asleep; the second comes when it is hired. */
    helpers: [newHelper('banana', helper)],
    plants: plants.map((p) => ({ fruit: p.most, growing: 0 })),
    shelves: shelves.map((_, i) => ({ stock: i ? 0 : 3 })),
    bought: { cashier: false, corn: false, helper: false },
    standing: 0,
    serving: 0,
    /** @type {import('./customers.js').Customer[]} */
    customers: [],
    nextCustomer: stream(rng, 'arrivals').int(20, 50),
    served: 0,
    lost: 0,
    hearts: HEARTS,
    /** Coins that customers have paid and nobody has picked up yet. */
    pile: 0,
    money: 0,
    earned: 0,
    /** Coins that fly up from the tray, for the picture. @type {{x: number, y: number, age: number, amount: number}[]} */
    floats: [],
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  walk(s, input);
  grow(s);
  handle(s, s.bear, BASKET);
  for (const h of s.helpers) help(s, h);
  collect(s);
  invest(s);
  moveCustomers(s);
  for (const f of s.floats) f.age += 1;
  s.floats = s.floats.filter((f) => f.age < 60);
  if (s.hearts <= 0) finish(s, 'fail', 'Too many customers left in anger.');
  if (s.earned >= WIN_AT) finish(s, 'win', `The shop has earned ${WIN_AT} coins.`);
}

/** The corn field and its shelf are there. @param {State} s @param {Good} good */
export const open = (s, good) => good === 'banana' || s.bought.corn;

/** Arrows walk; a click names a place to walk to until an arrow is pressed. @param {State} s
 * @param {import('../../kit/input.js').Input} input */
function walk(s, input) {
  const b = s.bear;
  let dx = input.axis('ArrowLeft', 'ArrowRight');
  let dy = input.axis('ArrowUp', 'ArrowDown');
  const click = input.clicked();
  if (click) b.goal = click;
  if (dx || dy) b.goal = null;
  let speed = BEAR_SPEED;
  if (b.goal) {
    const far = distance(b, b.goal);
    speed = Math.min(BEAR_SPEED, far);
    dx = far ? (b.goal.x - b.x) / far : 0;
    dy = far ? (b.goal.y - b.y) / far : 0;
  } else if (dx && dy) speed *= Math.SQRT1_2;
  const from = { x: b.x, y: b.y };
  b.x = clamp(b.x + dx * speed, BOUNDS.left, BOUNDS.right);
  if (blocked(s)) b.x = from.x;
  b.y = clamp(b.y + dy * speed, BOUNDS.top, BOUNDS.bottom);
  if (blocked(s)) b.y = from.y;
  const moved = distance(from, b) > 0.05;
  if (b.goal && !moved) b.goal = null;
  b.walk = moved ? b.walk + 1 : 0;
  if (dx || dy) [b.dx, b.dy] = [dx, dy];
}

/** @param {number} v @param {number} low @param {number} high */
const clamp = (v, low, high) => Math.max(low, Math.min(high, v));

/** The bear would stand in a shelf or in the till. @param {State} s */
function blocked({ bear: b, plan }) {
  const { shelves, till } = shopOf(plan);
  return [...shelves, till].some(({ box }) => {
    const x = b.x - clamp(b.x, box.x, box.x + box.w);
    const y = b.y - clamp(b.y, box.y, box.y + box.h);
    return x * x + y * y < BEAR_R * BEAR_R;
  });
}

/** @param {State} s */
function grow(s) {
  const { plants } = shopOf(s.plan);
  s.plants.forEach((p, i) => {
    if (p.fruit >= plants[i].most || !open(s, plants[i].good)) p.growing = 0;
    else if (++p.growing >= plants[i].grow) {
      p.fruit += 1;
      p.growing = 0;
    }
  });
}

/** Picks from a plant or fills a shelf, one item at a time. @param {State} s
 * @param {Point & {hand: number, basket: Good[]}} who @param {number} most */
function handle(s, who, most) {
  if (who.hand > 0) {
    who.hand -= 1;
    return;
  }
  const { plants, shelves } = shopOf(s.plan);
  const plant = plants.findIndex((p, i) => on(who, p.mat) && s.plants[i].fruit > 0 && open(s, p.good));
  if (plant >= 0 && who.basket.length < most) {
    s.plants[plant].fruit -= 1;
    who.basket.push(plants[plant].good);
    who.hand = HANDLING;
  }
  shelves.forEach((shelf, i) => {
    const at = who.basket.lastIndexOf(shelf.good);
    if (!on(who, shelf.mat) || at < 0 || s.shelves[i].stock >= shelf.most) return;
    who.basket.splice(at, 1);
    s.shelves[i].stock += 1;
    who.hand = HANDLING;
  });
}

/** @param {Good} good @param {Point} at */
function newHelper(good, at) {
  return { ...at, good, hand: 0, asleep: true, awake: 0, /** @type {Good[]} */ basket: [] };
}

/** The coins in the tray go into the purse of a bear that walks over them. @param {State} s */
function collect(s) {
  const { tray } = shopOf(s.plan);
  if (!s.pile || !on(s.bear, tray)) return;
  s.floats.push({ x: tray.x, y: tray.y - 40, age: 0, amount: s.pile });
  s.money += s.pile;
  s.earned += s.pile;
  s.pile = 0;
}

/** A helper carries three things at a time from the fullest of its plants to the shelf, until it falls asleep; it
 * works on when the bear comes near. @param {State} s @param {State['helpers'][number]} h */
function help(s, h) {
  if (h.asleep) {
    if (distance(h, s.bear) > WAKING) return;
    h.asleep = false;
    h.awake = AWAKE;
  }
  h.awake -= 1;
  if (h.awake <= 0) {
    h.asleep = true;
    return;
  }
  const { plants, shelves } = shopOf(s.plan);
  const { mat } = shelves[shelves.findIndex((p) => p.good === h.good)];
  const trees = plants.map((p, i) => ({ ...p, fruit: s.plants[i].fruit })).filter((p) => p.good === h.good);
  const here = trees.find((t) => on(h, t.mat) && t.fruit > 0);
  const fullest = here ?? trees.reduce((a, b) => (b.fruit > a.fruit ? b : a));
  const full = h.basket.length >= 3 || (h.basket.length > 0 && !here && on(h, mat));
  const to = full ? mat : fullest.mat;
  const far = distance(h, to);
  if (far > 30) {
    h.x += ((to.x - h.x) / far) * HELPER_SPEED;
    h.y += ((to.y - h.y) / far) * HELPER_SPEED;
  }
  handle(s, h, 3);
}

/** It can be bought: the second helper only when there is corn to carry. @param {State} s @param {keyof State['bought']} id */
export const offered = (s, id) => !s.bought[id] && (id !== 'helper' || s.bought.corn);

/** Standing on an offer with enough money buys it. @param {State} s */
function invest(s) {
  const offer = shopOf(s.plan).offers.find((o) => offered(s, o.id) && on(s.bear, o.mat) && s.money >= o.cost);
  s.standing = offer ? s.standing + 1 : 0;
  if (!offer || s.standing < BUYING) return;
  s.standing = 0;
  s.money -= offer.cost;
  s.bought[offer.id] = true;
  if (offer.id === 'helper') s.helpers.push({ ...newHelper('corn', { x: 265, y: 560 }), asleep: false, awake: AWAKE });
}

/** @param {State} s */
export function observe(s) {
  const { x, y, basket } = s.bear;
  const { plants, shelves, till, tray, offers } = shopOf(s.plan);
  return {
    game_state: {
      score: s.earned,
      level: 1,
      progress: s.earned,
      money: s.money,
      money_total_earned: s.earned,
      money_scan_status: 'ok',
      hearts: s.hearts,
      player: { x, y, basket, basket_size: BASKET },
      plants: plants.map(({ good, mat }, i) => ({ good, ...mat, fruit: s.plants[i].fruit, open: open(s, good) })),
      shelves: shelves.map(({ good, mat, most }, i) => {
        return { good, ...mat, stock: s.shelves[i].stock, most, open: open(s, good) };
      }),
      till: { ...till.mat, waiting: s.customers.filter((c) => c.phase === 'queue').length },
      tray: { ...tray, coins: s.pile },
      helpers: s.helpers.map(({ x, y, good, asleep, basket }) => ({ x, y, good, asleep, carries: basket.length })),
      offers: offers.map((o) => ({ id: o.id, ...o.mat, cost: o.cost, bought: s.bought[o.id], offered: offered(s, o.id) })),
      entities: s.customers.map((c) => ({ x: c.x, y: c.y, good: c.good, wants: c.wants, has: c.has, phase: c.phase })),
    },
    metrics: { primary_score: s.earned, served: s.served, lost: s.lost },
    raw: { mat_radius: MAT_R, speed: BEAR_SPEED, counters: [...shelves, till].map(({ box }) => [box.x + box.w / 2, box.y + box.h / 2]) },
  };
}
