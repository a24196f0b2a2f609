// @ts-check
/** Pulse Jumper, the screen in words: the cube, and what comes towards it, the nearest first. */

import { LEVELS } from './levels.js';
import * as r from './rules.js';

const RIGHT = 1280;
const MOST = 16;
const FRONT = r.SCREEN_X + r.SIDE;

/** @param {r.State} s */
export function describe(s) {
  const side = s.up ? 'ceiling' : 'floor';
  const way = s.v > 0 ? 'away from it' : 'back to it';
  const h = Math.round(s.h);
  const how = s.grounded
    ? h ? `runs on a block, ${h} from the ${side}` : `runs on the ${side}`
    : `is in the air, ${h} from the ${side}, and moves ${way} by about ${Math.abs(Math.round(s.v * 15))} in 0.25 s`;
  const on = (/** @type {r.Thing} */ t) => Math.round(t.x - s.x + r.SCREEN_X);
  const seen = s.things.filter((t) => on(t) < RIGHT && on(t) + t.w > r.SCREEN_X && !t.done).sort((a, b) => a.x - b.x);
  const end = Math.round(s.length - s.x) + FRONT;
  return [
    `Level ${s.level}, ${LEVELS[s.level - 1].name}. Score: ${s.cleared * r.WORTH}. Done: ${Math.floor(r.progress(s) * 100)} % of the track.`,
    `The screen is 1280 wide and 720 high; y grows downwards. The floor is at y=${r.FLOOR}, the ceiling at y=${r.CEILING}. Everything comes nearer by ${Math.round(s.speed * 15)} pixels in 0.25 s.`,
    `Gravity pulls to the ${side}. The cube (x=${r.SCREEN_X} to ${FRONT}, ${r.SIDE} high) ${how}.`,
    'What comes, the nearest first ("ahead" is counted from the front of the cube):',
    ...(seen.length ? seen.slice(0, MOST).map((t) => `${ahead(on(t))}: ${thing(t, on(t))}`) : ['Nothing is in sight.']),
    ...(end < RIGHT ? [`${ahead(end)}: the end of the track at x=${end}.`] : []),
  ].join('\n');
}

/** @param {number} x */
const ahead = (x) => (x > FRONT ? `${x - FRONT} ahead` : 'Here');

/** @param {r.Thing} t @param {number} x its left edge on the screen */
function thing(t, x) {
  const wide = `x=${x} to ${x + t.w}`;
  const on = t.up ? 'hanging from the ceiling' : 'on the floor';
  switch (t.kind) {
    case 'spike':
      return `a spike ${on}, ${wide}, ${r.SPIKE_H} high.`;
    case 'block':
      return `a block ${on}, ${wide}, ${r.BLOCK_H} high.`;
    case 'orb':
      return `a red orb, ${wide}, its middle ${r.ORB_Y} from the ${t.up ? 'ceiling' : 'floor'}, radius ${r.ORB_R}.`;
    case 'gate':
      return `a yellow gate at x=${x}, its arrows point ${t.up ? 'down: gravity will pull to the floor' : 'up: gravity will pull to the ceiling'}.`;
  }
}
