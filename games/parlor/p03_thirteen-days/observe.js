// @ts-check
import { FARMS, GOLD, NAMES } from './rules.js';

/** @param {import('./rules.js').State} s */
export function observe(s) {
  const crops = s.field.flatMap(({ plant, wet }) => (plant ? [{ kind: plant.kind, left: plant.left, wet }] : []));
  return {
    game_state: {
      score: s.gold - GOLD,
      gold: s.gold,
      energy: s.energy,
      day_energy: FARMS[s.farm].energy,
      day: s.day,
      place: s.place,
      rain: s.rain,
      progress: s.day,
      entities: crops,
      stones: s.field.flatMap(({ stone }, i) => (stone ? [i] : [])),
      tilled: s.field.filter((t) => t.tilled && !t.plant).length,
      seeds: s.seeds,
      store: Object.fromEntries(NAMES.map((n) => [n, s.store[n].reduce((a, b) => a + b, 0)])),
      said: s.said,
    },
    metrics: { harvested: s.harvested, crops: crops.length },
  };
}
