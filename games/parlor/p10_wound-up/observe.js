// @ts-check
import { knows, ROLES } from './knows.js';
import { PLANS, REACH } from './maps.js';
import { army, now } from './sides.js';


/** @param {import('./rules.js').State} s */
export function observe(s) {
  const [own, other] = s.sides.map(army);
  // A side that has won leads, whatever is left of its army.
  const margin = Math.max(1, Math.abs(own - other));
  const broken = s.sides.map((a) => !a.houses.some((h) => h.kind === 'chest'));
  const won = s.over?.outcome === 'win';
  return {
    game_state: {
      score: won ? 1 : 0,
      progress: won ? 1 : 0,
      won: won ? 1 : 0,
      map: s.map,
      level: s.level,
      time: Math.floor(now(s)),
      /** Which side has won: 0, 1, or -1. */
      winner: !s.over ? -1 : won ? 0 : broken[1] ? -1 : 1,
      /** Value of the left army beyond the right one's; the winner's is positive. */
      lead: broken[0] === broken[1] ? own - other : broken[1] ? margin : -margin,
      /** By role: what it may know. */
      knows: Object.fromEntries(ROLES.map((r, who) => [r, knows(s, who)])),
      entities: s.sides.flatMap((a) => a.toys.map((u) => ({ side: a.who, kind: u.kind, x: Math.round(u.x), y: Math.round(u.y), hp: Math.round(u.hp) }))),
      said: s.said,
    },
    metrics: {
      army: own,
      enemy_army: other,
      margin: own - other,
      lost: s.sides[0].lost,
      killed: s.sides[0].killed,
      yards: REACH[0].filter((y) => s.sides[0].houses.some((h) => h.kind === 'chest' && h.yard === y)).length,
      seen: PLANS[s.map].yards.filter((_, y) => s.sides[0].looked[y] >= 0).length,
    },
  };
}
