// @ts-check
import { defineProbe } from '../parts/probe.js';

const COLORS = ['red', 'blue', 'green', 'white'];
const THINGS = ['lamp', 'chair', 'kettle', 'scarf', 'basket'];

/** A wish with eight offers; the reward of one is the share of the wish's three parts that it meets. */
defineProbe('shop', (drawn, count) => {
  return Array.from({ length: count }, () => {
    const offers = Array.from({ length: 8 }, () => ({ color: drawn.pick(COLORS), thing: drawn.pick(THINGS), price: drawn.int(5, 60) }));
    const wish = drawn.pick(offers);
    const most = wish.price + drawn.int(0, 10);
    const met = (/** @type {any} */ o) => (Number(o.color === wish.color) + Number(o.thing === wish.thing) + Number(o.price <= most)) / 3;
    const told = offers.map((o, n) => `${n + 1}. ${o.color} ${o.thing}, ${o.price} dollars`).join('\n');
    return {
      told: `Buy a ${wish.color} ${wish.thing} for at most ${most} dollars. Answer with the number of an offer.\n${told}`,
      rewards: Object.fromEntries(offers.map((o, n) => [String(n + 1), met(o)])),
    };
  });
});
