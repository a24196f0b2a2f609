// @ts-check
/** Thirteen Days in words: the place, gold and energy, the day, what grows, what is empty, what is in the bag. */

import { CROPS, FARMS, LAST_DAY, NAMES, QUALITIES } from './rules.js';

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const day = Math.min(s.day, LAST_DAY);
  return [
    `You are ${s.place === 'house' ? 'in the house' : 'on the farm'}. You have ${s.gold} gold and ${s.energy}/${FARMS[s.farm].energy} energy.`,
    `It is day ${day} of ${LAST_DAY}; ${LAST_DAY - day} days are left after it. The weather is ${s.rain ? 'rainy' : 'sunny'}.`,
    'Crops in the field:',
    ...growing(s),
    `Empty tilled tiles: ${s.field.filter((t) => t.tilled && !t.plant).length}. Untilled tiles: ${s.field.filter((t) => !t.tilled && !t.stone).length}.`,
    'In the bag:',
    ...bag(s),
    `What happened last: ${s.said}`,
  ].join('\n');
}

/** One line for all crops of a kind that are equally far and equally wet. @param {import('./rules.js').State} s */
function growing(s) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const { plant, wet } of s.field) {
    if (!plant) continue;
    const state = plant.left ? `days to harvest: ${plant.left}, watered today: ${wet ? 'yes' : 'no'}` : 'ready to harvest';
    const line = `${plant.kind} (${state})`;
    found.set(line, (found.get(line) ?? 0) + 1);
  }
  return found.size ? [...found].map(([line, n]) => `- ${n} ${line}`) : ['- none'];
}

/** @param {import('./rules.js').State} s */
export function bag(s) {
  const seeds = NAMES.filter((n) => s.seeds[n]).map((n) => `- ${s.seeds[n]} ${CROPS[n].seed}`);
  const crops = NAMES.flatMap((n) =>
    s.store[n].flatMap((count, q) => {
      const price = Math.floor(CROPS[n].sell * QUALITIES[q].worth);
      return count ? [`- ${count} ${n} (${QUALITIES[q].name}, ${price} gold each)`] : [];
    }),
  );
  return seeds.length + crops.length ? [...seeds, ...crops] : ['- nothing but hoe and watering can'];
}
