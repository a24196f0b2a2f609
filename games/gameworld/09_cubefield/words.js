// @ts-check
/** Cube Storm, the screen in words: the plain seen from the ship, the cubes that it could meet, the nearest first. */

import { CUBE, SHIP_L, SHIP_W, speedOf } from './rules.js';

/** Further away the mist makes cubes hard to tell. */
const CLEAR = 72;
const MOST = 30;

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const drift = s.side * 12;
  const side = Math.abs(drift) < 0.05 ? 'It flies straight on.' : `It drifts to the ${drift < 0 ? 'left' : 'right'} by about ${Math.abs(drift).toFixed(1)} in 0.2 s.`;
  const cubes = s.cubes
    .map((c) => ({ x: c.x - s.x, ahead: c.z - s.distance }))
    // What the ship could still reach by steering; all of it lies well inside the picture.
    .filter((c) => c.ahead > -(CUBE + SHIP_L) / 2 && c.ahead < CLEAR && Math.abs(c.x) < 3 + 0.65 * Math.max(0, c.ahead))
    .sort((a, b) => a.ahead - b.ahead)
    .slice(0, MOST);
  return [
    `Score: ${s.score}. Level: ${s.level}. Speed: ${Math.round(speedOf(s.level) * 60)}.`,
    `The ship flies forward by ${(speedOf(s.level) * 12).toFixed(1)} units in 0.2 s. ${side}`,
    `A cube is ${CUBE} units wide and long, the ship ${SHIP_W} wide and ${SHIP_L} long. Distances are in units, from the middle of the ship to the middle of a cube.`,
    `So a cube lies in the way where it is less than ${((CUBE + SHIP_W) / 2).toFixed(2)} to the left or right.`,
    cubes.length ? 'Cubes ahead that the ship could meet, the nearest first:' : 'No cube ahead that the ship could meet is in sight.',
    ...cubes.map((c) => `${c.ahead < (CUBE + SHIP_L) / 2 ? 'beside' : `${Math.round(c.ahead)} ahead`}, ${Math.abs(c.x).toFixed(1)} ${c.x < 0 ? 'left' : 'right'}`),
  ].join('\n');
}
