// @ts-check
/** Bare Hands, the rules: the land, the bag, digging, placing, making, and what lives there. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { AIR, BLOCKS, FUELS, ITEMS, LETTERS, MAGMA, MOBS, PICKS, PLACED, REACH, RECIPES, SLOTS, SMELTED, STACK, WATER } from './data.js';
import { DEEP, MAPS, WIDE, makeWorld } from './world.js';

/**
 * @typedef {{id: number, kind: string, x: number, y: number, hp: number, rest: number}} Mob
 * @typedef {{x: number, y: number, items: Record<string, number>}} Chest
 * @typedef {ReturnType<typeof create> & {over?: {outcome: string, reason: string}}} State
 */

/** Frames of a day; the last two fifths are night. */
export const DAY = 14400;
const HUNGRY = 1800;
export const FULL = 20;

/** @param {{map?: string | number}} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const map = oneOf(options, 'map', Object.keys(MAPS), 'meadow');
  const { rows, tops } = makeWorld(rng, map);
  const x = WIDE / 2;
  const s = {
    rng,
    map,
    rows,
    tops,
    x,
    y: tops[x] - 1,
    start: { x, y: tops[x] - 1 },
    face: 1,
    cling: false,
    tick: 0,
    health: FULL,
    hunger: FULL,
    /** @type {Record<string, number>} */ bag: {},
    /** @type {string[]} */ made: [],
    /** @type {Chest[]} */ chests: [],
    /** @type {Mob[]} */ mobs: [],
    nextMob: 1,
    /** @type {{x: number, y: number, left: number, all: number} | null} */ dig: null,
    walked: 0,
    cursor: 0,
    held: '',
    /** @type {{spent: number} | null} */ program: null,
    busy: false,
    /** @type {{what: string, age: number}[]} */ news: [],
    said: 'You stand in a clearing with empty hands.',
    hurt: 0,
  };
  const draw = stream(rng, 'mobs');
  for (let n = 0; n < 12; n++) {
    const at = draw.int(20, WIDE - 21);
    s.mobs.push({ id: s.nextMob++, kind: 'grazer', x: at, y: surface(s, at) - 1, hp: MOBS.grazer.hp, rest: draw.int(0, 60) });
  }
  return s;
}

/** @param {{rows: string[]}} s @param {number} x @param {number} y */
export function at(s, x, y) {
  if (x < 0 || x >= WIDE || y >= DEEP) return 'b';
  return y < 0 ? AIR : s.rows[y][x];
}

/** @param {{rows: string[]}} s @param {number} x @param {number} y */
export function solid(s, x, y) {
  const block = BLOCKS[at(s, x, y)];
  return !!block && !block.open;
}

/** @param {{rows: string[]}} s @param {number} x @param {number} y @param {string} letter */
export function put(s, x, y, letter) {
  const row = s.rows[y];
  s.rows[y] = row.slice(0, x) + letter + row.slice(x + 1);
}

/** The row of the highest solid block. @param {{rows: string[]}} s @param {number} x */
export function surface(s, x) {
  for (let y = 0; y < DEEP; y++) if (solid(s, x, y)) return y;
  return DEEP - 1;
}

/** Whether somebody who may hold on to walls stays in this place. @param {{rows: string[]}} s @param {number} x @param {number} y */
export function rests(s, x, y) {
  return solid(s, x, y + 1) || at(s, x, y) === WATER || at(s, x, y + 1) === WATER || wall(s, x, y);
}

/** Whether there is a wall on either side. @param {{rows: string[]}} s @param {number} x @param {number} y */
export function wall(s, x, y) {
  return solid(s, x - 1, y) || solid(s, x + 1, y);
}

/** @param {State} s */
export function pickLevel(s) {
  return PICKS.findLastIndex((pick, level) => level === 0 || s.bag[pick] > 0);
}

/** Frames that digging a block takes; Infinity: it is not possible. @param {State} s @param {string} letter */
export function digFrames(s, letter) {
  const block = BLOCKS[letter];
  const level = pickLevel(s);
  if (!block || block.level > level) return Infinity;
  return block.stony ? Math.ceil(block.hard / (1 + level)) : block.hard;
}

/** Whether a block can be touched: it is near, and one of its sides is open. @param {State} s @param {number} x @param {number} y */
export function inReach(s, x, y, fromX = s.x, fromY = s.y) {
  if (Math.max(Math.abs(x - fromX), Math.abs(y - fromY)) > REACH) return false;
  if (Math.abs(x - fromX) + Math.abs(y - fromY) <= 1) return true;
  return !solid(s, x, y) || [[1, 0], [-1, 0], [0, 1], [0, -1]].some(([dx, dy]) => !solid(s, x + dx, y + dy));
}

/** @param {Record<string, number>} bag */
export function slots(bag) {
  return Object.values(bag).reduce((sum, count) => sum + Math.ceil(count / STACK), 0);
}

/** @param {State} s @param {string} item @param {number} count */
export function gain(s, item, count) {
  const bag = { ...s.bag, [item]: (s.bag[item] ?? 0) + count };
  if (slots(bag) > SLOTS) return tell(s, `The bag is full: ${item} is lost.`);
  s.bag = bag;
  if (!s.made.includes(item)) s.made.push(item);
  s.news.push({ what: `+${count} ${item}`, age: 0 });
}

/** @param {State} s @param {string} item @param {number} count */
export function lose(s, item, count) {
  s.bag[item] -= count;
  if (s.bag[item] <= 0) delete s.bag[item];
}

/** @param {State} s @param {string} what */
export function tell(s, what) {
  s.said = what;
}

/** Takes a block out of the world into the bag. @param {State} s @param {number} x @param {number} y */
export function take(s, x, y) {
  const block = BLOCKS[at(s, x, y)];
  put(s, x, y, AIR);
  if (block.name === 'chest') {
    const chest = s.chests.find((c) => c.x === x && c.y === y);
    for (const [item, count] of Object.entries(chest?.items ?? {})) gain(s, item, count);
    s.chests = s.chests.filter((c) => c !== chest);
  }
  const flint = block.name === 'gravel' && stream(s.rng, 'flint').chance(0.3);
  if (block.drop) gain(s, flint ? 'flint' : block.drop, 1);
}

/** Whether a block can be put there. @param {State} s @param {number} x @param {number} y */
export function isFree(s, x, y) {
  const here = at(s, x, y);
  const open = (here === AIR || here === WATER) && x > 0 && x < WIDE - 1 && y > 0 && !(x === s.x && y === s.y);
  return open && !s.mobs.some((m) => m.x === x && m.y === y) && [[1, 0], [-1, 0], [0, 1], [0, -1]].some(([dx, dy]) => solid(s, x + dx, y + dy));
}

/** Puts an item down as a block. @param {State} s @param {string} item @param {number} x @param {number} y */
export function place(s, item, x, y) {
  lose(s, item, 1);
  put(s, x, y, LETTERS[item]);
  if (item === 'chest') s.chests.push({ x, y, items: {} });
}

/** Whether a block of this name stands near the player. @param {State} s @param {string} name */
export function isNear(s, name) {
  for (let y = s.y - 4; y <= s.y + 4; y++) for (let x = s.x - 4; x <= s.x + 4; x++) if (BLOCKS[at(s, x, y)]?.name === name) return true;
  return false;
}

/** What is missing for a recipe, in words; empty if nothing is. @param {State} s @param {string} item @param {number} [times] */
export function missing(s, item, times = 1) {
  const lacks = Object.entries(RECIPES[item].of).flatMap(([part, count]) => {
    const lack = count * times - (s.bag[part] ?? 0);
    return lack > 0 ? [`${lack} more ${part}`] : [];
  });
  return lacks.join(', ');
}

/** @param {State} s @param {string} item */
export function craft(s, item) {
  for (const [part, count] of Object.entries(RECIPES[item].of)) lose(s, part, count);
  gain(s, item, RECIPES[item].makes);
}

/** Smelts one thing; `fuel` is paid with the first of every few. @param {State} s @param {string} item */
export function smelt(s, item) {
  lose(s, item, 1);
  gain(s, SMELTED[item], 1);
}

/** The fuel that a person's kiln burns: the first that there is. @param {State} s */
export function anyFuel(s) {
  return Object.keys(FUELS).find((f) => s.bag[f] > 0);
}

/** Strikes a creature. @param {State} s @param {Mob} mob */
export function strike(s, mob) {
  mob.hp -= s.bag.gilded_blade ? 3 : 1;
  mob.rest = 10;
  if (mob.hp > 0) return;
  s.mobs = s.mobs.filter((m) => m !== mob);
  for (const [item, count] of Object.entries(MOBS[mob.kind].drops)) gain(s, item, count);
}

/** @param {State} s */
export function isNight(s) {
  return s.tick % DAY >= DAY * 0.6;
}

/** What happens by itself in one frame. @param {State} s */
export function pass(s) {
  s.tick += 1;
  if (s.made.includes('echo_gate')) return finish(s, 'win', 'The echo gate is open: you made everything from bare hands.');
  s.hurt = Math.max(0, s.hurt - 1);
  for (const n of s.news) n.age += 1;
  s.news = s.news.filter((n) => n.age < 90).slice(-5);
  if (s.tick % HUNGRY === 0) s.hunger = Math.max(0, s.hunger - 1);
  if (s.hunger <= 12 && s.bag.meat) {
    lose(s, 'meat', 1);
    s.hunger = Math.min(FULL, s.hunger + 8);
  }
  if (s.tick % 180 === 0 && s.hunger >= 8) s.health = Math.min(FULL, s.health + 1);
  if (s.tick % 600 === 0 && s.hunger === 0 && s.health > 1) s.health -= 1;
  if (s.tick % 20 === 0 && [at(s, s.x, s.y), at(s, s.x, s.y + 1)].includes(MAGMA)) wound(s, 4, 'The magma burns you.');
  if (!rests(s, s.x, s.y) || (!s.cling && !solid(s, s.x, s.y + 1) && at(s, s.x, s.y) !== WATER && at(s, s.x, s.y + 1) !== WATER)) {
    if (s.tick % 3 === 0) s.y += 1;
  } else if (solid(s, s.x, s.y + 1)) s.cling = false;
  for (const mob of s.mobs) stir(s, mob);
  visitors(s);
}

/** @param {State} s @param {number} points @param {string} why */
function wound(s, points, why) {
  s.health -= points;
  s.hurt = 20;
  tell(s, why);
  if (s.health > 0) return;
  Object.assign(s, { ...s.start, health: FULL, hunger: FULL, cling: false, dig: null });
  tell(s, 'You fainted and woke up in the clearing.');
}

/** Moves a creature. @param {State} s @param {Mob} mob */
function stir(s, mob) {
  if (!solid(s, mob.x, mob.y + 1) && at(s, mob.x, mob.y + 1) !== WATER) {
    if (s.tick % 3 === 0) mob.y += 1;
    return;
  }
  mob.rest -= 1;
  if (mob.rest > 0) return;
  const draw = stream(s.rng, 'stir');
  const hunts = mob.kind === 'prowler' && Math.abs(mob.x - s.x) < 12 && Math.abs(mob.y - s.y) < 6;
  mob.rest = hunts ? 16 : draw.int(40, 160);
  if (hunts && Math.abs(mob.x - s.x) <= 1 && Math.abs(mob.y - s.y) <= 1) {
    mob.rest = 60;
    return wound(s, 2, 'A prowler bites you.');
  }
  const way = hunts ? Math.sign(s.x - mob.x) : draw.pick([-1, 1]);
  for (const dy of [0, -1, 1]) {
    if (!solid(s, mob.x + way, mob.y + dy) && solid(s, mob.x + way, mob.y + dy + 1)) {
      mob.x += way;
      mob.y += dy;
      return;
    }
  }
}

/** Prowlers come at night and go at dawn; grazers come back by day. @param {State} s */
function visitors(s) {
  if (s.tick % 240 !== 0) return;
  const draw = stream(s.rng, 'visitors');
  const x = Math.max(4, Math.min(WIDE - 5, s.x + draw.pick([-1, 1]) * draw.int(14, 22)));
  const count = (/** @type {string} */ kind) => s.mobs.filter((m) => m.kind === kind).length;
  if (!isNight(s)) s.mobs = s.mobs.filter((m) => m.kind !== 'prowler');
  const kind = isNight(s) ? 'prowler' : 'grazer';
  if (count(kind) < (isNight(s) ? 2 : 8) && draw.chance(0.5)) {
    s.mobs.push({ id: s.nextMob++, kind, x, y: surface(s, x) - 1, hp: MOBS[kind].hp, rest: 60 });
  }
}

/** Where the player is. @param {State} s */
export function biome(s) {
  const near = (/** @type {string[]} */ letters) => {
    for (let y = s.y - 6; y <= s.y + 6; y++) for (let x = s.x - 8; x <= s.x + 8; x++) if (letters.includes(at(s, x, y))) return true;
    return false;
  };
  if (s.y > surface(s, s.x) + 2) return s.y > 58 ? 'the depths' : 'underground';
  if (near(['r', 'w'])) return 'shore';
  return near(['l', 'f']) ? 'forest' : s.map;
}

/** Items of the bag in the order of all items. @param {Record<string, number>} bag */
export function listed(bag) {
  return ITEMS.filter((i) => bag[i] > 0).map((i) => /** @type {[string, number]} */ ([i, bag[i]]));
}

/** Items of the bag that can be placed. @param {State} s */
export function placeable(s) {
  return PLACED.filter((i) => s.bag[i] > 0);
}
