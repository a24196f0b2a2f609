// @ts-check
/** Burrow Feast, the rules: a hamster runs through tunnels, eats crumbs, and slimes hunt it. Pixels and frames. */

import { finish } from '../../kit/game.js';
import { changes } from '../../dealt/stages.js';
import { stream } from '../../kit/random.js';
import { BACK, BERRIES, COLUMNS, crumbPlaces, MAZES, NEST, open, ROWS, STARTS, WAYS } from './maze.js';

/** Pixels from crossing to crossing. */
export const PITCH = 84;
export const LEFT = 640 - ((COLUMNS - 1) * PITCH) / 2;
export const TOP = 134;
/** The hamster runs from crossing to crossing in 12 frames: one step of 200 ms. */
const RUN = 7;
const HUNT = 5.6;
const FLEE = 3.5;
const SCARED = 360;
const TOUCH = 36;
export const LIVES = 3;
const CRUMB = 10;
const BERRY = 50;
const SLIME = 200;
const CHERRY = 100;
const CHERRY_EVERY = 360;
const CHERRY_LASTS = 600;
const KINDS = ['hunter', 'ambusher', 'wanderer'];
/** @type {Record<string, string>} */
const KEYS = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

/** A runner is at a crossing, or `off` pixels from it on the way to the next.
 * @typedef {{col: number, row: number, way: string, off: number}} Runner */
/** @typedef {Runner & {kind: string, asleep: number, scared: number}} Slime */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const [place, burrow] = changes(rng, 'start', [STARTS.length, MAZES.length]);
  const start = STARTS[place];
  const state = {
    rng,
    /** The crossing where the hamster begins. */
    start,
    /** The first burrow; the next stands on its head. */
    burrow,
    frame: 0,
    score: 0,
    level: 1,
    lives: LIVES,
    chain: 0,
    you: { col: start[0], row: start[1], way: 'left', off: 0, going: false },
    wanted: '',
    /** @type {Slime[]} */
    slimes: [],
    /** Places of crumbs, `x,y` in half tunnels. @type {string[]} */
    crumbs: [],
    /** @type {string[]} */
    berries: [],
    /** @type {{col: number, row: number, left: number} | null} */
    cherry: null,
    sinceCaught: 999,
    /** Points shown for a moment where they were made. @type {{x: number, y: number, points: number, age: number} | null} */
    bonus: null,
    over: null,
  };
  fill(state);
  places(state);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {{level: number, burrow: number}} s */
export const mazeIndex = (s) => s.burrow ^ ((s.level - 1) % 2);
/** @param {{level: number, burrow: number}} s */
export const mazeOf = (s) => MAZES[mazeIndex(s)];

/** New crumbs for a new burrow. @param {State} s */
function fill(s) {
  const start = `${s.start[0] * 2},${s.start[1] * 2}`;
  s.berries = BERRIES.map(([c, r]) => `${c * 2},${r * 2}`);
  s.crumbs = crumbPlaces(mazeOf(s)).map(String).filter((p) => p !== start && !s.berries.includes(p));
}

/** Everybody back to where they begin. @param {State} s */
function places(s) {
  s.you = { col: s.start[0], row: s.start[1], way: 'left', off: 0, going: false };
  s.wanted = '';
  s.slimes = NEST.map(([col, row], i) => ({ kind: KINDS[i], col, row, way: 'up', off: 0, asleep: 30 + 90 * i, scared: 0 }));
}

/** Where a runner is on the canvas. @param {Runner} r @returns {[number, number]} */
export function at(r) {
  const [dx, dy] = WAYS[r.way];
  return [LEFT + r.col * PITCH + dx * r.off, TOP + r.row * PITCH + dy * r.off];
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  s.sinceCaught += 1;
  if (s.bonus && ++s.bonus.age > 45) s.bonus = null;
  for (const [key, way] of Object.entries(KEYS)) if (input.held(key)) s.wanted = way;
  const click = input.clicked('left');
  if (click) s.wanted = towards(s, click);
  run(s);
  eat(s);
  for (const slime of s.slimes) move(s, slime);
  meet(s);
  cherries(s);
  if (!s.crumbs.length && !s.berries.length) {
    s.level += 1;
    fill(s);
    places(s);
  }
}

/** @param {State} s @param {{x: number, y: number}} p */
function towards(s, p) {
  const [x, y] = at(s.you);
  if (Math.abs(p.x - x) > Math.abs(p.y - y)) return p.x < x ? 'left' : 'right';
  return p.y < y ? 'up' : 'down';
}

/** Turns are made at crossings, turning back anywhere. @param {State} s */
function run(s) {
  const { you } = s;
  if (you.off && s.wanted === BACK[you.way]) {
    const [dx, dy] = WAYS[you.way];
    Object.assign(you, { col: you.col + dx, row: you.row + dy, off: PITCH - you.off, way: s.wanted });
  }
  if (!you.off) {
    if (s.wanted && open(mazeOf(s), you.col, you.row, s.wanted)) {
      you.way = s.wanted;
      you.going = true;
    }
    if (you.going && !open(mazeOf(s), you.col, you.row, you.way)) you.going = false;
    if (!you.going) return;
  }
  you.off += RUN;
  if (you.off >= PITCH) arrive(you);
}

/** @param {Runner} r */
function arrive(r) {
  const [dx, dy] = WAYS[r.way];
  r.col += dx;
  r.row += dy;
  r.off -= PITCH;
}

/** @param {State} s */
function eat(s) {
  const { you } = s;
  const [dx, dy] = WAYS[you.way];
  const part = Math.round((you.off * 2) / PITCH);
  const here = `${you.col * 2 + dx * part},${you.row * 2 + dy * part}`;
  if (s.crumbs.includes(here)) {
    s.crumbs = s.crumbs.filter((p) => p !== here);
    s.score += CRUMB;
  }
  if (s.berries.includes(here)) {
    s.berries = s.berries.filter((p) => p !== here);
    s.score += BERRY;
    s.chain = 0;
    for (const slime of s.slimes) slime.scared = SCARED;
  }
  if (s.cherry && here === `${s.cherry.col * 2},${s.cherry.row * 2}`) {
    s.cherry = null;
    win(s, CHERRY);
  }
}

/** @param {State} s @param {number} points */
function win(s, points) {
  const [x, y] = at(s.you);
  s.score += points;
  s.bonus = { x, y, points, age: 0 };
}

/** @param {State} s @param {Slime} slime */
function move(s, slime) {
  if (slime.scared) slime.scared -= 1;
  if (slime.asleep) {
    slime.asleep -= 1;
    return;
  }
  if (!slime.off) slime.way = choose(s, slime);
  slime.off += slime.scared ? FLEE : HUNT;
  if (slime.off < PITCH) return;
  arrive(slime);
  const rest = slime.off;
  slime.off = 0;
  slime.way = choose(s, slime);
  slime.off = rest;
}

/** The way on from a crossing: never straight back, at best nearer to its aim. @param {State} s @param {Slime} slime */
function choose(s, slime) {
  const ways = Object.keys(WAYS).filter((w) => open(mazeOf(s), slime.col, slime.row, w) && w !== BACK[slime.way]);
  if (!ways.length) return BACK[slime.way];
  const dice = stream(s.rng, slime.kind);
  if (slime.scared || dice.chance(slime.kind === 'wanderer' ? 0.7 : 0.15)) return dice.pick(ways);
  const [dx, dy] = WAYS[s.you.way];
  const ahead = slime.kind === 'ambusher' ? 3 : 0;
  const aim = [s.you.col + dx * ahead, s.you.row + dy * ahead];
  const far = (/** @type {string} */ w) =>
    Math.hypot(slime.col + WAYS[w][0] - aim[0], slime.row + WAYS[w][1] - aim[1]);
  return ways.reduce((a, b) => (far(b) < far(a) - 1e-9 ? b : a));
}

/** @param {State} s */
function meet(s) {
  const [x, y] = at(s.you);
  for (const slime of s.slimes) {
    const [sx, sy] = at(slime);
    if (Math.hypot(sx - x, sy - y) > TOUCH) continue;
    // One that was just sent home may wake up where the hamster stands.
    if (slime.asleep && !slime.scared) continue;
    if (slime.scared) {
      win(s, SLIME * 2 ** s.chain);
      s.chain += 1;
      Object.assign(slime, { col: NEST[0][0], row: NEST[0][1], off: 0, way: 'up', asleep: 150, scared: 0 });
      continue;
    }
    s.lives -= 1;
    s.sinceCaught = 0;
    if (s.lives === 0) return finish(s, 'fail', 'The slimes have caught you three times.');
    return places(s);
  }
}

/** @param {State} s */
function cherries(s) {
  if (s.cherry && --s.cherry.left === 0) s.cherry = null;
  if (s.cherry || s.frame % CHERRY_EVERY) return;
  const dice = stream(s.rng, 'cherries');
  s.cherry = { col: dice.int(0, COLUMNS - 1), row: dice.int(0, ROWS - 1), left: CHERRY_LASTS };
}

/** @param {State} s */
export function observe(s) {
  const crumbs = new Set(s.crumbs);
  const berries = new Set(s.berries);
  const seen = (/** @type {string} */ c, /** @type {string} */ p) =>
    c === ' ' ? '#' : crumbs.has(p) ? '.' : berries.has(p) ? 'o' : ' ';
  return {
    game_state: {
      score: s.score,
      level: s.level,
      progress: s.score,
      player: { column: s.you.col, row: s.you.row, direction: s.you.way, off: s.you.off, moving: s.you.going },
      board: mazeOf(s).map((line, y) => [...line].map((c, x) => seen(c, `${x},${y}`)).join('')),
      entities: s.slimes.map((g) => ({
        kind: g.kind, column: g.col, row: g.row, direction: g.way, off: g.off, scared: g.scared, asleep: g.asleep,
      })),
    },
    metrics: {
      primary_score: s.score,
      high_score: s.score,
      lives: s.lives,
      deaths: LIVES - s.lives,
      maze_index: mazeIndex(s),
      crumbs_left: s.crumbs.length + s.berries.length,
    },
    raw: { cherry: s.cherry, chain: s.chain, wanted: s.wanted, pitch: PITCH },
  };
}
