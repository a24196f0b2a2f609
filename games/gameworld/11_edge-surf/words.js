// @ts-check
/** Reef Rider, the screen in words: the surfer, and what lies below it in the picture, the nearest first. */

import { BOOST_TIME, LEFT, LIVES, RIGHT, score, SURFER_R, SURFER_Y } from './rules.js';

const MOST = 45;

/** @type {Record<import('./rules.js').Kind, string>} */
const NAMES = { rock: 'rock', island: 'island', buoy: 'buoy', bolt: 'yellow bolt', shield: 'blue shield', heart: 'heart' };

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const sideways = Math.round(s.vx * 15);
  const drift = Math.abs(sideways) < 2 ? 'straight on' : `to the ${sideways < 0 ? 'left' : 'right'} by about ${Math.abs(sideways)} in 0.25 s`;
  const seen = s.things
    .map((t) => ({ ...t, y: Math.round(t.y - s.distance + SURFER_Y) }))
    .filter((t) => t.y > SURFER_Y - t.r - SURFER_R && t.y - t.r < 720)
    .sort((a, b) => a.y - b.y)
    .slice(0, MOST);
  return [
    `Score: ${score(s)}. Lives: ${s.lives} of ${LIVES}. Boosts: ${s.boosts}. Shields: ${s.shields}.`,
    s.riding ? `The sea scrolls upwards by about ${Math.round(s.pace * 15)} pixels in 0.25 s.` : 'The surfer waits: any arrow key or Space starts the ride.',
    `The surfer (radius ${SURFER_R}) is at x=${Math.round(s.x)}, y=${SURFER_Y} and goes ${drift}. x can be ${LEFT} to ${RIGHT}; y grows downwards.`,
    ...(s.boosting > 0 ? [`Boosting: the bar is ${Math.round((100 * s.boosting) / BOOST_TIME)} % full.`] : []),
    ...(s.safe > 0 ? ['The surfer blinks and cannot be hurt.'] : []),
    'Obstacles are rocks (radius 35), islands (43) and buoys (24). Signs to collect are bolts (22), shields (24) and hearts (22).',
    seen.length ? 'Beside and below the surfer, the nearest first:' : 'Nothing is in sight below the surfer.',
    ...seen.map((t) => `${NAMES[t.kind]} x=${Math.round(t.x)} y=${t.y}`),
  ].join('\n');
}
