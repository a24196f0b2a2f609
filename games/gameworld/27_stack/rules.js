// @ts-check
/** Steady Tower, the rules: a slab slides over the tower; what hangs over the edge when it is dropped is cut off. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';

export const SLAB = 34;
export const FIRST = 260;
export const CENTRE = 640;
/** How far the middle of a slab slides to either side of the screen's middle. */
export const REACH = 190;
const SLOW = 5;
const FAST = 6.6;
/** A drop this close to flush counts as flush and cuts nothing. */
export const FLUSH = 15;
/** Flush drops in a row after which the slab grows a little again. */
const MEND_AFTER = 2;
const MEND = 22;

/** @typedef {{x: number, w: number, hue: number}} Slab  Middle, width and colour in degrees. */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const state = {
    rng,
    /** From the ground up; the first is the base and does not count. @type {Slab[]} */
    tower: [{ x: CENTRE, w: FIRST, hue: 205 }],
    slider: { x: CENTRE - REACH, w: FIRST, hue: 215, way: 1, speed: SLOW },
    score: 0,
    flush: 0,
    /** What was cut off last, falling. @type {{x: number, w: number, y: number, vy: number, hue: number} | null} */
    chip: null,
    sinceDrop: 99,
    lastFlush: false,
    over: null,
  };
  state.slider = nextSlab(state, FIRST);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.sinceDrop += 1;
  if (s.chip) {
    s.chip.vy += 0.6;
    s.chip.y += s.chip.vy;
    if (s.chip.y > 760) s.chip = null;
  }
  if (input.pressed('Space') || input.clicked('left')) {
    drop(s);
    if (s.over) return;
  }
  const it = s.slider;
  it.x += it.way * it.speed;
  if (Math.abs(it.x - CENTRE) > REACH) {
    it.x = CENTRE + it.way * REACH;
    it.way = -it.way;
  }
}

/** @param {State} s */
function drop(s) {
  const below = s.tower[s.tower.length - 1];
  const { x, w, hue } = s.slider;
  s.sinceDrop = 0;
  s.lastFlush = Math.abs(x - below.x) <= FLUSH;
  if (s.lastFlush) {
    s.flush += 1;
    const width = s.flush >= MEND_AFTER ? Math.min(FIRST, below.w + MEND) : below.w;
    s.tower.push({ x: below.x, w: width, hue });
    s.chip = null;
  } else {
    s.flush = 0;
    const left = Math.max(x - w / 2, below.x - below.w / 2);
    const right = Math.min(x + w / 2, below.x + below.w / 2);
    if (right - left < 1) {
      s.chip = { x, w, y: 0, vy: 0, hue };
      return finish(s, 'fail', 'The slab missed the tower.');
    }
    s.tower.push({ x: (left + right) / 2, w: right - left, hue });
    const cut = w - (right - left);
    s.chip = { x: x > below.x ? right + cut / 2 : left - cut / 2, w: cut, y: 0, vy: 0, hue };
  }
  s.score += 1;
  s.slider = nextSlab(s, s.tower[s.tower.length - 1].w);
}

/** The next slab comes from either side, from nearer or further away, a little faster the higher the tower. @param {any} s @param {number} w */
function nextSlab(s, w) {
  const way = stream(s.rng, 'sides').chance(0.5) ? 1 : -1;
  const jitter = stream(s.rng, 'speeds').float(0, 1.2);
  const speed = Math.min(FAST, SLOW + 0.03 * s.score + jitter);
  const far = REACH * stream(s.rng, 'far').float(0.4, 1);
  return { x: CENTRE - way * far, w, hue: (215 + 14 * s.tower.length) % 360, way, speed };
}

/** @param {State} s */
export function observe(s) {
  const top = s.tower[s.tower.length - 1];
  return {
    game_state: {
      score: s.score,
      level: 1,
      progress: s.score,
      player: { x: s.slider.x, width: s.slider.w, direction: s.slider.way, speed: s.slider.speed },
      entities: [{ kind: 'top', x: top.x, width: top.w }],
    },
    metrics: { blocks_count: s.score, deaths: s.over ? 1 : 0, flush_in_a_row: s.flush },
    raw: { centre: CENTRE, reach: REACH, flush: FLUSH },
  };
}
