// @ts-check
/** Bare Hands in words: place, time, what is near, health, the bag, chests. */

import { BLOCKS, PICKS, SLOTS } from './data.js';
import { DAY, FULL, at, biome, isNight, listed, pickLevel, slots } from './rules.js';

/** Blocks around the player that the words tell. */
const SIGHT = [12, 8];

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const best = PICKS[pickLevel(s)] || 'bare hands';
  const near = seen(s);
  const mobs = s.mobs.filter((m) => Math.abs(m.x - s.x) <= SIGHT[0] && Math.abs(m.y - s.y) <= SIGHT[1]);
  return [
    `Biome: ${biome(s)}.`,
    `Time: ${isNight(s) ? 'night' : 'day'} ${Math.floor(s.tick / DAY) + 1}.`,
    `Position: x=${s.x} (right is more), y=${s.y} (down is more).`,
    `Health: ${s.health}/${FULL}. Hunger: ${s.hunger}/${FULL}.`,
    `Equipment: ${best}${s.bag.gilded_blade ? ', gilded_blade' : ''}.`,
    `Inventory (${slots(s.bag)}/${SLOTS}): ${listed(s.bag).map(([item, count]) => `${count} ${item}`).join(', ') || 'nothing'}.`,
    `Made or found until now: ${s.made.join(', ') || 'nothing'}.`,
    `Nearby blocks (at most ${SIGHT[0]} to the sides, ${SIGHT[1]} up and down):`,
    ...near.map(({ name, count, x, y }) => `- ${name}: ${count}, the nearest at x=${x}, y=${y}`),
    `Nearby creatures: ${mobs.map((m) => `${m.kind} at x=${m.x}, y=${m.y}`).join('; ') || 'none'}.`,
    `Chests: ${s.chests.map((c) => `at x=${c.x}, y=${c.y}: ${listed(c.items).map(([i, n]) => `${n} ${i}`).join(', ') || 'empty'}`).join('; ') || 'none'}.`,
    `What happened last: ${s.said}`,
  ].join('\n').slice(0, 2900);
}

/** Kinds of blocks nearby, each with its number and nearest place. @param {import('./rules.js').State} s */
function seen(s) {
  /** @type {Map<string, {name: string, count: number, x: number, y: number, far: number}>} */
  const found = new Map();
  for (let y = s.y - SIGHT[1]; y <= s.y + SIGHT[1]; y++) {
    for (let x = s.x - SIGHT[0]; x <= s.x + SIGHT[0]; x++) {
      const block = BLOCKS[at(s, x, y)];
      if (!block) continue;
      const far = Math.abs(x - s.x) + Math.abs(y - s.y);
      const known = found.get(block.name);
      if (!known) found.set(block.name, { name: block.name, count: 1, x, y, far });
      else {
        known.count += 1;
        if (far < known.far) Object.assign(known, { x, y, far });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1));
}
