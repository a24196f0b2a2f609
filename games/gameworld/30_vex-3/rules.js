// @ts-check
/**
 * Ink Runner, the rules: a stick figure runs, jumps and slides through one act full of traps; flags are checkpoints.
 * Pixels and updates. The seed deals the walls at the beginning of the act.
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { findTiles, makeBody, moveBody, overlap, steer, tileAt, tileMap, toward, touching } from '../../kit/platform.js';
import { againClicked } from '../../kit/stages.js';
import { madeOnce } from '../../dealt/stages.js';
import { makePlan, rowsOf } from './levels.js';

export const TILE = 48;
export const LIVES = 5;
const W = 26;
const TALL = 60;
const LOW = 30;
const HOW = { run: 6, accel: 1, stop: 1.4, gravity: 0.75, jump: 15, fall: 14, cut: 0.5, coyote: 6, buffer: 8 };
const SLIDE = 8.5;
const CRUMBLE = 22;
const REBUILD = 150;
export const SAW = 27;
/** A crusher waits up, falls, waits down, rises. */
const CRUSH = { period: 150, fall: 12, down: 34, rise: 60, depth: 4.2 };
const LASER = { period: 110, on: 50 };

const actOf = madeOnce((plan) => {
  const map = tileMap(rowsOf(plan), TILE);
  // In the order of the way, which goes left if it begins on the right.
  const way = findTiles(map, '@')[0].x < findTiles(map, 'X')[0].x ? 1 : -1;
  const at = (/** @type {string} */ chars) => findTiles(map, chars).sort((a, b) => way * (a.x - b.x));
  return { map, way, start: at('@')[0], flags: at('PX'), saws: at('SM'), crushers: at('Z'), lasers: at('L'), crumbles: at('f') };
});

/** The act that is played. */
export let { map: MAP, way: WAY, start: START, flags: FLAGS, saws: SAWS, crushers: CRUSHERS, lasers: LASERS, crumbles: CRUMBLES } = actOf([1, 1, 1, 1, 1, 1, 0, 0, 0]);

/** Makes the act of a state the one that is played. @param {{plan: number[]}} s */
export function enter({ plan }) {
  ({ map: MAP, way: WAY, start: START, flags: FLAGS, saws: SAWS, crushers: CRUSHERS, lasers: LASERS, crumbles: CRUMBLES } = actOf(plan));
}

/** @param {string} char @returns {import('../../kit/platform.js').Kind} */
const kind = (char) => (char === '#' ? 'solid' : null);

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const plan = makePlan(rng);
  enter({ plan });
  return {
    rng,
    plan,
    level: oneOf(options, 'level', [1], 1),
    hero: heroAt(START),
    lives: LIVES,
    deaths: 0,
    passed: 0,
    crumbles: CRUMBLES.map((t) => ({ x: t.x, y: t.y, w: TILE, h: TILE, worn: 0, gone: 0 })),
    /** Marks of ink where the runner was lost. @type {{x: number, y: number}[]} */
    blots: [],
    blink: 0,
    frame: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {{x: number, y: number}} t */
function heroAt(t) {
  return { ...makeBody(t.x + 11, t.y + TILE - TALL, W, TALL), onGround: true, face: WAY, walk: 0, low: false, slide: 0 };
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  enter(s);
  s.frame += 1;
  s.blink = Math.max(0, s.blink - 1);
  if (againClicked(input)) back(s);
  const b = s.hero;
  crouch(s, b.onGround && input.held('ArrowDown'));
  const dir = input.axis('ArrowLeft', 'ArrowRight');
  if (dir) b.face = dir;
  // Going down while running is a slide: a burst that fades.
  b.slide = b.low ? Math.max(0, b.slide - 1) : 0;
  const run = b.low ? (b.slide ? SLIDE : 3.4) : HOW.run;
  if (b.low && dir) b.vx = toward(b.vx, dir * run, 3);
  b.walk = dir && b.onGround ? b.walk + 1 : 0;
  const jump = input.pressed('ArrowUp') && !b.low;
  steer(b, { dir, jump, held: input.held('ArrowUp') }, { ...HOW, run });
  if (!b.onGround && input.held('ArrowDown')) b.vy = Math.min(HOW.fall, b.vy + 1);
  moveBody(b, MAP, kind, s.crumbles.filter((c) => !c.gone));
  b.x = Math.max(0, Math.min(MAP.rows[0].length * TILE - W, b.x));
  wear(s);
  traps(s);
  if (s.over) return;
  for (let i = s.passed; i < FLAGS.length; i++) {
    const f = FLAGS[i];
    if (overlap(b, { x: f.x + 8, y: f.y - TILE, w: TILE - 16, h: 2 * TILE })) s.passed = i + 1;
  }
  if (s.passed === FLAGS.length) finish(s, 'win', 'The runner left the act through its exit.');
}

/** Low while the key is held, and as long as there is no room to stand. @param {State} s @param {boolean} wants */
function crouch(s, wants) {
  const b = s.hero;
  if (wants === b.low) return;
  if (!wants) {
    const head = Math.floor((b.y + b.h - TALL + 1) / TILE);
    const cols = [b.x + 1, b.x + W - 1].map((x) => Math.floor(x / TILE));
    if (b.onGround && cols.some((c) => kind(tileAt(MAP, c, head)))) return;
  }
  const h = wants ? LOW : TALL;
  b.y += b.h - h;
  b.h = h;
  b.low = wants;
  b.slide = wants ? 20 : 0;
}

/** Crumbling blocks break under a runner and come back. @param {State} s */
function wear(s) {
  const b = s.hero;
  for (const c of s.crumbles) {
    if (c.gone) {
      c.gone -= 1;
      if (c.gone === 0 && overlap(b, c)) c.gone = 1;
    } else if (c.worn || (b.onGround && overlap({ x: b.x, y: b.y + b.h, w: W, h: 3 }, c))) {
      c.worn += 1;
      if (c.worn >= CRUMBLE) {
        c.worn = 0;
        c.gone = REBUILD;
      }
    }
  }
}

/** Middle of a saw now. @param {{frame: number}} s @param {number} i */
export function sawAt(s, i) {
  const t = SAWS[i];
  const x = t.x + TILE / 2;
  const y = t.y + TILE / 2;
  if (t.char === 'S') return { x: x + WAY * 110 * Math.sin(s.frame / 34), y: y + 10 };
  return { x, y: y - 70 + 84 * Math.sin(s.frame / 26 + i) };
}

/** How far a crusher is out, in pixels. @param {{frame: number}} s @param {number} i */
function reach(s, i) {
  const t = (s.frame + i * 70) % CRUSH.period;
  const most = CRUSH.depth * TILE;
  if (t < CRUSH.fall) return most * (t / CRUSH.fall) ** 2;
  if (t < CRUSH.down) return most;
  if (t < CRUSH.rise) return most * (1 - (t - CRUSH.down) / (CRUSH.rise - CRUSH.down));
  return 0;
}

/** @param {{frame: number}} s @param {number} i */
export function crusherBox(s, i) {
  const t = CRUSHERS[i];
  return { x: t.x - 8, y: t.y - 3 * TILE, w: TILE + 16, h: 3 * TILE + 20 + reach(s, i) };
}

/** @param {{frame: number}} s */
export const laserOn = (s) => s.frame % LASER.period < LASER.on;

/** @param {number} i */
export function laserBox(i) {
  const t = LASERS[i];
  return { x: t.x + 18, y: t.y - 3 * TILE, w: 12, h: 4 * TILE };
}

/** @param {State} s */
function traps(s) {
  const b = s.hero;
  if (b.y > 740) return die(s);
  const pricks = touching(MAP, b).some(({ char, col, row }) => {
    return char === '^' && overlap(b, { x: col * TILE + 6, y: row * TILE + 18, w: TILE - 12, h: 28 });
  });
  if (pricks) return die(s);
  for (let i = 0; i < SAWS.length; i++) {
    const { x, y } = sawAt(s, i);
    const dx = x - Math.max(b.x, Math.min(x, b.x + W));
    const dy = y - Math.max(b.y, Math.min(y, b.y + b.h));
    if (dx * dx + dy * dy < (SAW - 3) ** 2) return die(s);
  }
  if (CRUSHERS.some((_, i) => overlap(b, crusherBox(s, i)))) return die(s);
  if (laserOn(s) && LASERS.some((_, i) => overlap(b, laserBox(i)))) die(s);
}

/** A death: back to the last checkpoint, or the end. @param {State} s */
function die(s) {
  s.deaths += 1;
  s.lives -= 1;
  s.blots.push({ x: s.hero.x + W / 2, y: Math.min(700, s.hero.y + s.hero.h / 2) });
  if (s.lives <= 0) finish(s, 'fail', 'The ink is used up: five lives were lost.');
  else back(s);
}

/** @param {State} s */
function back(s) {
  s.hero = heroAt(s.passed ? FLAGS[s.passed - 1] : START);
  s.blink = 40;
}

/** @param {State} s */
export function observe(s) {
  enter(s);
  const { x, y, vx, vy, onGround, low } = s.hero;
  const exit = FLAGS[FLAGS.length - 1];
  return {
    game_state: {
      score: s.passed,
      level: s.level,
      progress: s.passed / FLAGS.length,
      completion_progress: s.passed / FLAGS.length,
      player: { x, y, vx, vy, on_ground: onGround, low },
      entities: SAWS.map((_, i) => ({ kind: 'saw', ...sawAt(s, i) })),
    },
    metrics: {
      checkpoints_passed: s.passed,
      checkpoints_total: FLAGS.length,
      deaths: s.deaths,
      lives: s.lives,
      distance_to_goal: Math.round(Math.hypot(exit.x - x, exit.y - y)),
      total_levels: 1,
    },
    raw: { tile: TILE, laser: laserOn(s), crumbled: s.crumbles.map((c) => c.gone > 0), crushers: CRUSHERS.map((_, i) => reach(s, i)) },
  };
}
