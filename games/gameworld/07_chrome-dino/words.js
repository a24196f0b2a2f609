// @ts-check
/** Fennec Dash, the screen in words: the fox, and what stands or flies ahead of it, the nearest first. */

import { FOX_H, FOX_W, FOX_X, GROUND, score } from './rules.js';

const NOSE = FOX_X + FOX_W;

/** @type {Record<import('./rules.js').Kind, string>} */
const NAMES = {
  cactus: 'a cactus',
  pair: 'two cacti side by side',
  tall: 'a tall cactus',
  rock: 'rocks',
  hawk: 'a hawk that flies high',
  lowHawk: 'a hawk that flies low',
};

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const feet = Math.round(s.h);
  const fly = s.v > 0 ? 'rising' : 'falling';
  const where = s.grounded ? 'on the ground' : `in the air, ${feet} above the ground, ${fly} by about ${Math.abs(Math.round(s.v * 15))} in 0.25 s`;
  const seen = s.obstacles.filter((o) => o.x < 1280 && o.x + o.w > FOX_X);
  return [
    `Score: ${score(s)}. Speed: ${s.speed.toFixed(1)}.`,
    s.running ? `The fox runs; everything comes nearer by about ${Math.round(s.speed * 15)} pixels in 0.25 s.` : 'The fox stands and waits: the space bar starts the run.',
    `The fox is ${FOX_W} wide and ${FOX_H} high, x=${FOX_X} to ${NOSE}. It is ${where}.`,
    seen.length ? 'Ahead, the nearest first ("ahead" is counted from its nose; heights are above the ground):' : 'Nothing is in sight ahead.',
    ...seen.map((o) => {
      const x = Math.round(o.x);
      const near = x > NOSE ? `${x - NOSE} ahead` : 'Here';
      return `${near}: ${NAMES[o.kind]}, x=${x} to ${x + o.w}, from ${o.low} to ${o.high} high.`;
    }),
    `The screen is 1280 wide; the ground is at y=${GROUND}.`,
  ].join('\n');
}
