// @ts-check
import { WANTED } from './data.js';
import { LINES } from './play.js';
import { biome, listed } from './rules.js';

/** @param {import('./rules.js').State} s */
export function observe(s) {
  const made = Object.fromEntries(WANTED.map((item) => [item, s.made.includes(item) ? 100 : 0]));
  return {
    game_state: {
      score: WANTED.filter((item) => made[item]).length,
      made,
      player: { x: s.x, y: s.y, health: s.health, hunger: s.hunger },
      bag: Object.fromEntries(listed(s.bag)),
      biome: biome(s),
      recipe: LINES[s.cursor],
      held: s.held,
      said: s.said,
      entities: s.mobs.map((m) => ({ kind: m.kind, x: m.x, y: m.y })),
      blocks: digest(s.rows),
    },
    metrics: { items: s.made.length },
  };
}

/** A short number of the whole land, so that every change of a block is one of the state. @param {string[]} rows */
function digest(rows) {
  let hash = 0;
  for (const row of rows) for (let i = 0; i < row.length; i++) hash = (Math.imul(hash, 31) + row.charCodeAt(i)) | 0;
  return hash;
}
