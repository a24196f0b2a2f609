// @ts-check
/** The Bear's Corner Shop in words: everything stands in the picture, so everything is told, places as pixels. */

import { offered, open } from './rules.js';
import { BASKET, HEARTS, on, PATIENCE, PRICE, shopOf } from './shop.js';

/** @typedef {import('./shop.js').Point} Point */

/** @param {Point} p */
const at = (p) => `(${Math.round(p.x)}, ${Math.round(p.y)})`;
/** @param {string[]} goods */
const count = (goods) => {
  const bananas = goods.filter((g) => g === 'banana').length;
  const parts = [bananas && `${bananas} banana`, goods.length - bananas && `${goods.length - bananas} corn`].filter(Boolean);
  return parts.join(', ') || 'nothing';
};

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const b = s.bear;
  const shop = shopOf(s.plan);
  const lines = [
    'Places are (x, y) in a picture 1280 wide and 720 high; y grows downwards. Mats are circles of about 70 pixels.',
    `Coins earned: ${s.earned}. Purse: ${s.money}. Hearts: ${s.hearts} of ${HEARTS}.`,
    `You, the bear: ${at(b)}${under(s)}. Basket ${b.basket.length} of ${BASKET}: ${count(b.basket)}.`,
  ];
  shop.plants.forEach((p, i) => {
    if (open(s, p.good)) lines.push(`${p.good === 'corn' ? 'Corn field' : 'Banana tree'}, mat ${at(p.mat)}: ${s.plants[i].fruit} of ${p.most} ripe.`);
  });
  shop.shelves.forEach((p, i) => {
    const { x, y, w, h } = p.box;
    const what = open(s, p.good) ? `mat ${at(p.mat)}: ${s.shelves[i].stock} of ${p.most}, price ${PRICE[p.good]}` : 'closed';
    lines.push(`${p.good === 'corn' ? 'Corn' : 'Banana'} shelf (in the way from x=${x} to ${x + w}, y=${y} to ${y + h}), ${what}.`);
  });
  const { x, y, w, h } = shop.till.box;
  const queue = s.customers.filter((c) => c.phase === 'queue').length;
  lines.push(
    `Till (in the way from x=${x} to ${x + w}, y=${y} to ${y + h}), mat to serve ${at(shop.till.mat)}: ${queue} in the queue${s.bought.cashier ? '; the cashier serves' : ''}.`,
    `Coin mat ${at(shop.tray)}: ${s.pile} coins to pick up.`,
  );
  for (const h of s.helpers) {
    lines.push(`Helper for ${h.good}, at ${at(h)}: ${h.asleep ? 'asleep (Z Z Z)' : 'awake'}, carries ${count(h.basket)}.`);
  }
  for (const o of shop.offers.filter((p) => offered(s, p.id))) {
    lines.push(`Offer: ${o.id === 'corn' ? 'corn field and shelf' : o.label.toLowerCase()}, ${o.cost} coins, stand at ${at(o.mat)}${s.money >= o.cost ? ' (you have enough)' : ''}.`);
  }
  lines.push(s.customers.length ? 'Customers:' : 'No customer is in the shop.', ...s.customers.map(customer));
  return lines.join('\n');
}

/** The mat on which the bear stands. @param {import('./rules.js').State} s */
function under(s) {
  const shop = shopOf(s.plan);
  const places = [
    ...shop.plants.filter((p) => open(s, p.good)).map((p) => ({ name: p.good === 'corn' ? 'the corn field' : 'a banana tree', mat: p.mat })),
    ...shop.shelves.filter((p) => open(s, p.good)).map((p) => ({ name: `the ${p.good} shelf`, mat: p.mat })),
    { name: 'the till', mat: shop.till.mat },
  ];
  const here = places.find((p) => on(s.bear, p.mat));
  return here ? `, on the mat of ${here.name}` : '';
}

/** @param {import('./customers.js').Customer} c */
function customer(c) {
  const doing = {
    enter: `comes in, wants ${c.wants} ${c.good}`,
    shelf: `waits at the shelf for ${c.wants - c.has} more ${c.good}, has ${c.has}`,
    queue: `queues at the till with ${c.has} ${c.good}`,
    leave: 'has paid and leaves',
    angry: 'leaves in anger',
  }[c.phase];
  const waits = c.phase === 'shelf' || c.phase === 'queue';
  const left = Math.max(0, Math.round((1 - c.wait / PATIENCE) * 4)) * 25;
  return `- at ${at(c)}: ${doing}${waits ? `; patience left about ${left} %` : ''}.`;
}
