// @ts-check
/**
 * Ember and Drop, the rules: two figures run, jump and collect; each stands safely in its own element only; plates,
 * levers, gates, lifts and boxes to push make them need each other. Pixels and updates. Chance: the hall of the first
 * level, and the sides and starts of the others.
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { findTiles, makeBody, moveBody, overlap, steer, tileAt, tileMap, toward } from '../../kit/platform.js';
import { stream } from '../../kit/random.js';
import { madeOnce } from '../../dealt/stages.js';
import { LEVELS, makeChanges, makePlan, withHall, withStarts } from './levels.js';

export const TILE = 40;
const W = 26;
const H = 34;
const HOW = { run: 6, accel: 1.5, stop: 2, gravity: 0.8, jump: 15, fall: 13, coyote: 4, buffer: 8 };
const GATE_SPEED = 1 / 15;
const LIFT_SPEED = 4;
const GEM_R = 15;
/** Boxes: their side, a little less than a cell, and how fast they are pushed. */
export const BOX = 38;
const PUSH = 3;

/** Which plate or lever moves which gate. */
const GATES = { A: '1', B: '2', C: '3', M: '5', N: '6' };

/** The two figures; the identifiers are those of the roles. */
export const FIGURES = /** @type {const} */ ([
  {
    id: 'fireboy', name: 'Ember', start: '@', gem: 'r', door: 'f', deadly: 'WG',
    left: 'ArrowLeft', right: 'ArrowRight', up: 'ArrowUp',
  },
  {
    id: 'watergirl', name: 'Drop', start: '&', gem: 'b', door: 'w', deadly: 'LG',
    left: 'a', right: 'd', up: 'w',
  },
]);
/** @type {Record<string, string>} */
const POOLS = { L: 'lava', W: 'water', G: 'ooze' };

const levelOf = madeOnce(([level, ...plan]) => tileMap(level === 1 ? withHall(plan) : withStarts(level, plan), TILE));

/** The map of a level. @param {{level: number, plan: number[]}} s */
export const mapOf = (s) => levelOf([s.level, ...s.plan]);

/** @param {string} char @returns {import('../../kit/platform.js').Kind} */
const kind = (char) => ('#LWG'.includes(char) ? 'solid' : null);

/** @typedef {{x: number, y: number, w: number, h: number, code: string, lying: boolean, open: number}} Gate */
/** @typedef {import('../../kit/platform.js').Rect & {oneway?: boolean}} Rect */
/** @typedef {{x: number, y: number, w: number, plate: string, low: number, high: number}} Lift */

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const level = oneOf(options, 'level', [1, 2, 3, 4], 1);
  const plan = level === 1 ? makePlan(stream(rng, 'hall')) : makeChanges(rng, level);
  const map = mapOf({ level, plan });
  const find = (/** @type {string} */ chars) => findTiles(map, chars);
  const players = FIGURES.map((f) => {
    const at = find(f.start)[0];
    const body = makeBody(at.x + (TILE - W) / 2, at.y + TILE - H, W, H);
    return { ...body, onGround: true, face: at.x < 640 ? 1 : -1, ride: -1, on: -1, dead: false, home: false, walk: 0 };
  });
  return {
    level,
    plan,
    players,
    gems: find('rb').map((t) => ({ x: t.x + TILE / 2, y: t.y + TILE / 2, kind: t.char, taken: false })),
    plates: find('123').map((t) => ({ x: t.x, y: t.y, code: t.char, down: false })),
    levers: find('56').map((t) => ({ x: t.x, y: t.y, code: t.char, on: false })),
    gates: Object.keys(GATES).flatMap((char) => gateOf(find(char), GATES[/** @type {keyof typeof GATES} */ (char)])),
    lifts: Object.entries(LEVELS[level - 1].lifts).map(([char, { plate, rise }]) => liftOf(find(char), plate, rise)),
    crates: find('x').map((t) => ({ ...makeBody(t.x + 1, t.y + TILE - BOX, BOX, BOX), onGround: true, ride: -1 })),
    frame: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {{x: number, y: number}[]} cells @param {string} code @returns {Gate[]} */
function gateOf(cells, code) {
  if (!cells.length) return [];
  const last = cells[cells.length - 1];
  const lying = cells.length > 1 && last.y === cells[0].y;
  const { x, y } = cells[0];
  return [{ x, y, w: last.x - x + TILE, h: last.y - y + TILE, code, lying, open: 0 }];
}

/** @param {{x: number, y: number}[]} cells @param {string} plate @param {number} rise @returns {Lift} */
function liftOf(cells, plate, rise) {
  const low = cells[0].y + TILE;
  return { x: cells[0].x, y: low, w: cells.length * TILE, plate, low, high: low - rise * TILE };
}

/** The part of a gate that still bars the way. @param {Gate} g */
export function barred(g, open = g.open) {
  return g.lying ? { x: g.x, y: g.y, w: g.w * (1 - open), h: g.h } : { x: g.x, y: g.y, w: g.w, h: g.h * (1 - open) };
}

/** @param {State} s @param {string} code */
export function powered(s, code) {
  return s.plates.some((p) => p.code === code && p.down) || s.levers.some((l) => l.code === code && l.on);
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  for (const p of s.plates) {
    const pad = { x: p.x + 2, y: p.y + TILE - 10, w: TILE - 4, h: 10 };
    p.down = [...s.players, ...s.crates].some((b) => overlap(b, pad));
  }
  for (const l of s.levers) l.on ||= s.players.some((b) => overlap(b, { x: l.x + 6, y: l.y, w: TILE - 12, h: TILE }));
  for (const g of s.gates) {
    const next = toward(g.open, powered(s, g.code) ? 1 : 0, GATE_SPEED);
    // A gate never closes on somebody.
    if (next > g.open || ![...s.players, ...s.crates].some((b) => overlap(b, barred(g, next)))) g.open = next;
  }
  s.lifts.forEach((l, i) => {
    const before = l.y;
    l.y = toward(l.y, powered(s, l.plate) ? l.high : l.low, LIFT_SPEED);
    for (const k of s.crates) if (k.ride === i) k.y += l.y - before;
    for (const b of s.players) if (b.ride === i || s.crates[b.on]?.ride === i) b.y += l.y - before;
  });
  /** @type {Rect[]} */
  const fixed = [
    ...s.lifts.map((l) => ({ x: l.x, y: l.y, w: l.w, h: 14, oneway: true })),
    ...s.gates.map((g) => barred(g)).filter((r) => r.w > 0 && r.h > 0),
  ];
  const pushes = s.crates.map(() => 0);
  FIGURES.forEach((f, i) => move(s, i, input, fixed, pushes));
  s.crates.forEach((k, n) => slide(s, n, pushes[n], fixed));
  FIGURES.forEach((f, i) => {
    const b = s.players[i];
    for (const g of s.gems) {
      const near = { x: g.x - GEM_R, y: g.y - GEM_R, w: 2 * GEM_R, h: 2 * GEM_R };
      if (g.kind === f.gem && !g.taken && overlap(b, near)) g.taken = true;
    }
    // Only the middle counts: a toe over the edge is forgiven.
    const [pool, edge] = [-7, 7].map((d) => under(s, b.x + W / 2 + d, b.y + H + 2));
    if (b.onGround && f.deadly.includes(pool) && f.deadly.includes(edge)) {
      b.dead = true;
      finish(s, 'fail', `${f.name} stepped into the ${POOLS[pool]}.`);
    }
    b.home = atDoor(s, i);
  });
  if (s.players.every((b) => b.home)) finish(s, 'win', 'Both are home with all their gems.');
}

/** The character of the cell at a pixel. @param {State} s @param {number} x @param {number} y */
const under = (s, x, y) => tileAt(mapOf(s), Math.floor(x / TILE), Math.floor(y / TILE));

/** @param {State} s @param {number} i @param {import('../../kit/input.js').Input} input @param {Rect[]} fixed lifts, then
 * gates @param {number[]} pushes of each box, counted here: -1 to the left, 1 to the right */
function move(s, i, input, fixed, pushes) {
  const f = FIGURES[i];
  const b = s.players[i];
  const dir = input.axis(f.left, f.right);
  if (dir) b.face = dir;
  b.walk = dir && b.onGround ? b.walk + 1 : 0;
  steer(b, { dir, jump: input.pressed(f.up), held: input.held(f.up) }, HOW);
  const c = moveBody(b, mapOf(s), kind, [...fixed, ...s.crates], '#');
  b.ride = c.box >= 0 && c.box < s.lifts.length ? c.box : -1;
  b.on = c.box >= fixed.length ? c.box - fixed.length : -1;
  s.crates.forEach((k, n) => {
    const gap = dir > 0 ? k.x - b.x - W : b.x - k.x - BOX;
    if (dir && b.onGround && gap > -2 && gap < 2 && b.y + H > k.y + 8 && b.y < k.y + BOX) pushes[n] += dir;
  });
}

/** A box goes where it is pushed, falls where nothing holds it, and takes along who stands on it. @param {State} s
 * @param {number} n @param {number} push @param {Rect[]} fixed */
function slide(s, n, push, fixed) {
  const k = s.crates[n];
  const from = k.x;
  k.vx = Math.sign(push) * PUSH;
  k.vy = Math.min(HOW.fall, k.vy + HOW.gravity);
  const others = s.crates.filter((o) => o !== k);
  const c = moveBody(k, mapOf(s), kind, [...fixed, ...others, ...s.players], '#');
  k.ride = c.box >= 0 && c.box < s.lifts.length ? c.box : -1;
  if (k.x === from) return;
  for (const b of s.players) {
    if (b.on !== n) continue;
    const rider = { ...b, vx: k.x - from, vy: 0 };
    moveBody(rider, mapOf(s), kind, fixed, '#');
    b.x = rider.x;
  }
}

/** Gems of one figure. @param {State} s @param {number} i */
export function count(s, i) {
  const own = s.gems.filter((g) => g.kind === FIGURES[i].gem);
  return { collected: own.filter((g) => g.taken).length, total: own.length };
}

/** A door opens when all gems of its colour are taken. @param {State} s @param {number} i */
export function doorOpen(s, i) {
  const { collected, total } = count(s, i);
  return collected === total;
}

/** @param {State} s @param {number} i */
export function doorOf(s, i) {
  return findTiles(mapOf(s), FIGURES[i].door)[0];
}

/** @param {State} s @param {number} i */
function atDoor(s, i) {
  const d = doorOf(s, i);
  const b = s.players[i];
  return doorOpen(s, i) && Math.abs(b.x + W / 2 - d.x - TILE / 2) < 26 && Math.abs(b.y + H - d.y - TILE) < 4;
}

/** @param {State} s */
export function observe(s) {
  const counts = FIGURES.map((_, i) => count(s, i));
  const coins = counts[0].collected + counts[1].collected;
  const all = counts[0].total + counts[1].total;
  const homes = s.players.filter((b) => b.home).length;
  const done = (coins + homes) / (all + 2);
  const figure = (/** @type {number} */ i) => {
    const { x, y, vx, vy, onGround, dead, home } = s.players[i];
    return { x, y, vx, vy, on_ground: onGround, dead, home };
  };
  return {
    game_state: {
      score: coins,
      level: s.level,
      progress: done,
      completion_progress: done,
      player: { fireboy: figure(0), watergirl: figure(1) },
      diamonds: { fireboy: counts[0], watergirl: counts[1] },
      entities: s.gems,
      gates: s.gates.map((g) => ({ ...barred(g), open: g.open })),
      lifts: s.lifts.map((l) => ({ x: l.x, y: l.y, w: l.w })),
      boxes: s.crates.map((k) => ({ x: k.x, y: k.y })),
      plates: s.plates,
      levers: s.levers,
    },
    metrics: { coins, coins_total: all, homes },
    raw: { rows: mapOf(s).rows, tile: TILE },
  };
}
