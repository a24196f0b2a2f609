// @ts-check
/** Bare Hands, the commands: the eight primitives, and what a program asks about the world. */

import { BLOCKS, FUELS, ITEMS, LETTERS, MOBS, PLACED, RADIUS, RECIPES, SLOTS, SMELTED } from './data.js';
import { STEP, findWay } from './path.js';
import { BLADE_FRAMES, FRAMES_PER_THING } from './play.js';
import { at, biome, craft, digFrames, gain, inReach, isFree, isNight, listed, lose, missing, place, slots, smelt, solid, strike, take, tell } from './rules.js';
import { DEEP, WIDE } from './world.js';

/**
 * @typedef {import('./rules.js').State} State
 * @typedef {{ok: boolean, feedback: string}} Answer
 * @typedef {Generator<string[], Answer, void>} Work
 */

/** Frames that one program may take: two minutes. */
export const LIMIT = 7200;
const LATE = 'the two minutes of this program are over';
/** @type {Record<string, [number, number]>} */
const WAYS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** @param {State} s @param {boolean} ok @param {string} feedback @returns {Answer} */
function answer(s, ok, feedback) {
  tell(s, feedback);
  return { ok, feedback };
}

/** @param {State} s */
const isLate = (s) => !!s.program && s.program.spent >= LIMIT;

/** Lets frames pass. @param {State} s @param {number} count @returns {Generator<string[], void, void>} */
function* wait(s, count) {
  for (let n = 0; n < count && !isLate(s); n++) {
    if (s.program) s.program.spent += 1;
    yield [];
  }
}

/** @param {unknown} value @param {number} most */
function whole(value, most) {
  const number = Math.floor(Number(value));
  return number >= 1 ? Math.min(number, most) : 1;
}

/** @param {unknown} value */
const word = (value) => (typeof value === 'string' ? value.slice(0, 40) : '');

/** The value of a key of a table; undefined for everything else, such as `constructor`. @template T
 * @param {Record<string, T>} table @param {string} key @returns {T | undefined} */
const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);

/** Digs out a block that is in reach; false if time is over. @param {State} s @param {number} x @param {number} y
 * @returns {Generator<string[], boolean, void>} */
function* dig(s, x, y) {
  const all = digFrames(s, at(s, x, y));
  if (all === Infinity || !inReach(s, x, y)) return false;
  s.face = Math.sign(x - s.x) || s.face;
  s.dig = { x, y, left: all, all };
  while (s.dig && s.dig.left > 0 && !isLate(s)) {
    s.dig.left -= 2;
    yield* wait(s, 1);
  }
  const done = !!s.dig && !isLate(s);
  s.dig = null;
  if (done) take(s, x, y);
  return done;
}

/** Goes a way; false if it could not. @param {State} s @param {{x: number, y: number}[]} way
 * @returns {Generator<string[], boolean, void>} */
function* follow(s, way) {
  for (const to of way) {
    const enter = { x: to.x, y: to.x !== s.x && to.y > s.y ? s.y : to.y };
    if (Math.abs(enter.x - s.x) > 1 || Math.abs(enter.y - s.y) > 1 || isLate(s)) return false;
    if (solid(s, enter.x, enter.y) && !(yield* dig(s, enter.x, enter.y))) return false;
    s.face = Math.sign(enter.x - s.x) || s.face;
    s.cling = true;
    yield* wait(s, STEP - 1);
    Object.assign(s, enter);
    s.cling = true;
    s.walked += 1;
    for (let n = 0; n < 1 || (s.y < to.y && n < 240 && !isLate(s)); n++) yield* wait(s, 1);
  }
  return true;
}

/** Goes next to the nearest block of a name; false if there is none, or no way. @param {State} s @param {string} name
 * @returns {Generator<string[], boolean, void>} */
function* goNear(s, name) {
  const way = findWay(s, (x, y) => touches(s, x, y, (letter) => BLOCKS[letter]?.name === name), RADIUS);
  return !!way && (yield* follow(s, way));
}

/** Whether something that fits is in reach of a place. @param {State} s @param {number} x @param {number} y
 * @param {(letter: string) => boolean} fits */
function touches(s, x, y, fits) {
  return !!nearest(s, x, y, fits);
}

/** The nearest thing that fits and is in reach of a place. @param {State} s @param {number} x @param {number} y
 * @param {(letter: string) => boolean} fits */
function nearest(s, x, y, fits) {
  let best = null;
  let least = Infinity;
  for (let dy = -3; dy <= 3; dy++) {
    for (let dx = -3; dx <= 3; dx++) {
      const far = Math.abs(dx) + Math.abs(dy);
      if (far < least && fits(at(s, x + dx, y + dy)) && inReach(s, x + dx, y + dy, x, y)) {
        [best, least] = [{ x: x + dx, y: y + dy }, far];
      }
    }
  }
  return best;
}

/** @param {State} s @param {string} name */
function count(s, name) {
  let found = 0;
  for (let y = Math.max(0, s.y - RADIUS); y <= Math.min(DEEP - 1, s.y + RADIUS); y++) {
    for (let x = Math.max(0, s.x - RADIUS); x <= Math.min(WIDE - 1, s.x + RADIUS); x++) found += Number(BLOCKS[at(s, x, y)]?.name === name);
  }
  return found;
}

/** The name of a block by its name or by what it gives. @param {string} name */
function blockName(name) {
  return own({ ember: 'ember_ore', crystal: 'crystal_ore', flint: 'gravel', rubble: 'stone' }, name) ?? name;
}

/** @param {State} s @param {any} args @returns {Work} */
function* explore(s, args) {
  const given = own(WAYS, word(args?.direction));
  if (!given) return answer(s, false, `there is no direction '${word(args?.direction)}'; choose left, right, up or down`);
  const [dx, dy] = given;
  const [end, from] = [s.tick + 60 * whole(args?.seconds, 30), { x: s.x, y: s.y }];
  while (s.tick < end && !isLate(s)) {
    const [x0, y0] = [s.x, s.y];
    const way = findWay(s, (x, y) => (x - x0) * dx + (y - y0) * dy >= 4, 12);
    if (!way || !(yield* follow(s, way))) break;
  }
  const moved = Math.abs(s.x - from.x) + Math.abs(s.y - from.y);
  if (!moved) yield* wait(s, 1);
  const where = `you are at x=${s.x}, y=${s.y}`;
  return answer(s, moved > 0, moved ? `${where}.` : `${isLate(s) ? LATE : 'there is no way on in this direction'}; ${where}.`);
}

/** @param {State} s @param {any} args @returns {Work} */
function* mine(s, args) {
  const name = blockName(word(args?.name));
  const [letter, wanted] = [own(LETTERS, name), whole(args?.count, 64)];
  if (!letter || BLOCKS[letter].hard === Infinity) return answer(s, false, `'${word(args?.name)}' is no block that can be mined.`);
  let mined = 0;
  let why = '';
  while (mined < wanted && !why) {
    if (digFrames(s, letter) === Infinity) why = `${name} needs a better pick`;
    else if (!count(s, name)) why = `there is no ${name} within ${RADIUS} blocks`;
    else {
      const fits = (/** @type {string} */ l) => l === letter;
      const way = findWay(s, (x, y) => touches(s, x, y, fits), RADIUS);
      const there = way && (yield* follow(s, way));
      const spot = there ? nearest(s, s.x, s.y, fits) : null;
      if (!way) why = `no ${name} within ${RADIUS} blocks can be reached`;
      else if (spot && (yield* dig(s, spot.x, spot.y))) mined += 1;
      else why = isLate(s) ? LATE : 'something came between';
    }
  }
  if (!mined) yield* wait(s, 1);
  return answer(s, mined === wanted, why ? `mined ${mined} of ${wanted} ${name}: ${why}.` : `mined ${mined} ${name}.`);
}

/** @param {State} s @param {any} args @returns {Work} */
function* make(s, args) {
  const name = word(args?.name);
  const times = whole(args?.count, 64);
  if (!Object.hasOwn(RECIPES, name)) return answer(s, false, `there is no recipe for '${name}'; there are ${Object.keys(RECIPES).join(', ')}.`);
  const lack = missing(s, name, times);
  const bench = RECIPES[name].at;
  if (lack) return answer(s, false, `making ${times} × ${name} needs ${lack}.`);
  if (bench && !(yield* goNear(s, bench))) return answer(s, false, `${name} needs a ${bench} within ${RADIUS} blocks; place one.`);
  for (let n = 0; n < times; n++) {
    craft(s, name);
    yield* wait(s, FRAMES_PER_THING / 2);
  }
  return answer(s, true, `made ${times * RECIPES[name].makes} ${name}.`);
}

/** @param {State} s @param {any} args @returns {Work} */
function* put(s, args) {
  const name = word(args?.name);
  if (!PLACED.includes(name)) return answer(s, false, `'${name}' cannot be placed; what can be is ${PLACED.join(', ')}.`);
  if (!s.bag[name]) return answer(s, false, `you have no ${name}.`);
  const [x, y] = [Number(args?.x), Number(args?.y)];
  const given = Number.isInteger(x) && Number.isInteger(y);
  if (given) {
    if (!isFree(s, x, y) && !(x === s.x && y === s.y)) return answer(s, false, `nothing can be placed at x=${x}, y=${y}: it is not free, or has no block beside it.`);
    const way = findWay(s, (px, py) => Math.max(Math.abs(px - x), Math.abs(py - y)) <= 3 && !(px === x && py === y), RADIUS);
    if (!way || !(yield* follow(s, way))) return answer(s, false, `there is no way to x=${x}, y=${y}.`);
  }
  yield* wait(s, 4);
  const spot = given ? { x, y } : spots(s).find((p) => isFree(s, p.x, p.y));
  if (!spot || !isFree(s, spot.x, spot.y)) return answer(s, false, `there is no free place for ${name} here; go elsewhere.`);
  place(s, name, spot.x, spot.y);
  return answer(s, true, `placed ${name} at x=${spot.x}, y=${spot.y}.`);
}

/** Places around the player, the usual ones first. @param {State} s */
function spots(s) {
  const around = [];
  for (let dy = 0; dy >= -3; dy--) for (const dx of [s.face, -s.face, 2 * s.face, -2 * s.face, 0]) around.push({ x: s.x + dx, y: s.y + dy });
  return around;
}

/** @param {State} s @param {any} args @returns {Work} */
function* heat(s, args) {
  const [name, fuel, times] = [word(args?.name), word(args?.fuel), whole(args?.count, 64)];
  if (!Object.hasOwn(SMELTED, name)) return answer(s, false, `'${name}' cannot be smelted; what can be is ${Object.keys(SMELTED).join(', ')}.`);
  if (!Object.hasOwn(FUELS, fuel)) return answer(s, false, `'${fuel}' is no fuel; fuels are ${Object.keys(FUELS).join(', ')}.`);
  const needs = Math.ceil(times / FUELS[fuel]);
  if ((s.bag[name] ?? 0) < times) return answer(s, false, `you have ${s.bag[name] ?? 0} ${name}, not ${times}.`);
  if ((s.bag[fuel] ?? 0) < needs) return answer(s, false, `you have ${s.bag[fuel] ?? 0} ${fuel}; ${times} × ${name} needs ${needs}.`);
  if (!(yield* goNear(s, 'kiln'))) return answer(s, false, `smelting needs a kiln within ${RADIUS} blocks; place one.`);
  lose(s, fuel, needs);
  for (let n = 0; n < times; n++) {
    yield* wait(s, FRAMES_PER_THING);
    smelt(s, name);
  }
  return answer(s, true, `smelted ${times} ${SMELTED[name]}.`);
}

/** @param {State} s @param {any} args @returns {Work} */
function* kill(s, args) {
  const name = word(args?.name);
  if (!Object.hasOwn(MOBS, name)) return answer(s, false, `there is no creature '${name}'; there are ${Object.keys(MOBS).join(', ')}.`);
  const end = s.tick + 60 * whole(args?.seconds, 60);
  const near = () => {
    const of = s.mobs.filter((m) => m.kind === name && Math.abs(m.x - s.x) <= RADIUS && Math.abs(m.y - s.y) <= RADIUS);
    return of.sort((a, b) => Math.abs(a.x - s.x) + Math.abs(a.y - s.y) - Math.abs(b.x - s.x) - Math.abs(b.y - s.y) || a.id - b.id)[0];
  };
  const first = near();
  if (!first) return answer(s, false, `there is no ${name} within ${RADIUS} blocks.`);
  for (let mob = first; s.tick < end && !isLate(s); mob = s.mobs.find((m) => m.id === first.id) ?? mob) {
    if (!s.mobs.includes(mob)) return answer(s, true, `killed a ${name}; you took what it left.`);
    if (Math.abs(mob.x - s.x) <= 2 && Math.abs(mob.y - s.y) <= 2) {
      s.face = Math.sign(mob.x - s.x) || s.face;
      strike(s, mob);
      yield* wait(s, BLADE_FRAMES);
      continue;
    }
    const { x: mx, y: my } = mob;
    const way = findWay(s, (x, y) => Math.abs(x - mx) <= 1 && Math.abs(y - my) <= 1, RADIUS + 4);
    if (!way || !(yield* follow(s, way.slice(0, 6)))) return answer(s, false, `the ${name} cannot be reached.`);
  }
  return answer(s, false, `the ${name} got away.`);
}

/** Moves items between bag and chest. @param {State} s @param {any} args @param {boolean} deposit @returns {Work} */
function* trade(s, args, deposit) {
  const [item, many] = [word(args?.name), whole(args?.count, 999)];
  if (!ITEMS.includes(item)) return answer(s, false, `there is no item '${item}'.`);
  const [x, y] = [Number(args?.x), Number(args?.y)];
  const given = Number.isInteger(x) && Number.isInteger(y);
  const fits = (/** @type {number} */ cx, /** @type {number} */ cy) => Math.max(Math.abs(cx - x), Math.abs(cy - y)) <= 3;
  if (given && !s.chests.some((c) => c.x === x && c.y === y)) return answer(s, false, `there is no chest at x=${x}, y=${y}.`);
  const way = given ? findWay(s, fits, RADIUS) : null;
  if (given ? !way || !(yield* follow(s, way)) : !(yield* goNear(s, 'chest'))) return answer(s, false, `no chest within ${RADIUS} blocks can be reached.`);
  yield* wait(s, 6);
  const chest = s.chests.find((c) => (given ? c.x === x && c.y === y : Math.max(Math.abs(c.x - s.x), Math.abs(c.y - s.y)) <= 3));
  if (!chest) return answer(s, false, 'the chest is gone.');
  const has = (deposit ? s.bag : chest.items)[item] ?? 0;
  if (has < many) return answer(s, false, `${deposit ? 'you have' : 'the chest has'} ${has} ${item}, not ${many}.`);
  if (deposit) {
    lose(s, item, many);
    chest.items[item] = (chest.items[item] ?? 0) + many;
  } else {
    chest.items[item] = has - many;
    if (!chest.items[item]) delete chest.items[item];
    gain(s, item, many);
  }
  return answer(s, true, `${deposit ? 'put' : 'took'} ${many} ${item} ${deposit ? 'into' : 'out of'} the chest at x=${chest.x}, y=${chest.y}.`);
}

/** What a program can know of itself. @param {State} s @returns {Answer} */
function look(s) {
  const far = (/** @type {{x: number, y: number}} */ p) => Math.abs(p.x - s.x) + Math.abs(p.y - s.y);
  const chests = [...s.chests].sort((a, b) => far(a) - far(b));
  const seen = {
    position: { x: s.x, y: s.y },
    inventory: Object.fromEntries(listed(s.bag)),
    slots: [slots(s.bag), SLOTS],
    health: s.health,
    hunger: s.hunger,
    biome: biome(s),
    night: isNight(s),
    seconds: s.program ? s.program.spent / 60 : 0,
    chests: chests.slice(0, 16).map((c) => ({ position: { x: c.x, y: c.y }, items: c.items })),
    mobs: s.mobs.filter((m) => Math.abs(m.x - s.x) <= RADIUS && Math.abs(m.y - s.y) <= RADIUS).map((m) => ({ name: m.kind, position: { x: m.x, y: m.y } })),
  };
  return { ok: true, feedback: JSON.stringify(seen) };
}

/** Places of blocks of a name, the nearest first. @param {State} s @param {any} args @returns {Answer} */
function find(s, args) {
  const letter = own(LETTERS, blockName(word(args?.name)));
  const radius = whole(args?.radius, RADIUS);
  const found = [];
  for (let y = s.y - radius; y <= s.y + radius; y++) for (let x = s.x - radius; x <= s.x + radius; x++) if (letter && at(s, x, y) === letter) found.push({ x, y });
  const far = (/** @type {{x: number, y: number}} */ p) => Math.abs(p.x - s.x) + Math.abs(p.y - s.y);
  found.sort((a, b) => far(a) - far(b) || a.y - b.y || a.x - b.x);
  return { ok: true, feedback: JSON.stringify(found.slice(0, whole(args?.count, 64))) };
}

/** @param {State} s @param {any} args @returns {Answer} */
function block(s, args) {
  const [x, y] = [Math.floor(Number(args?.x)), Math.floor(Number(args?.y))];
  const near = Math.abs(x - s.x) <= RADIUS && Math.abs(y - s.y) <= RADIUS;
  return { ok: true, feedback: JSON.stringify(near ? (BLOCKS[at(s, x, y)]?.name ?? 'air') : null) };
}

/** Begins a program, given its code, and ends it without. @param {State} s @param {any} args @returns {Work} */
function* program(s, args) {
  s.program = args?.code ? { spent: 0 } : null;
  yield [];
  return { ok: true, feedback: '' };
}

/** Keeps keys and mouse away until a command has ended. @param {(s: State, args: any) => Work} command
 * @returns {(s: State, args: any) => Work} */
function alone(command) {
  return function* (s, args) {
    s.busy = true;
    const said = yield* command(s, args);
    s.busy = false;
    return said;
  };
}

/** @type {Record<string, (s: State, args: any) => Answer | Work>} */
export const commands = {
  ...{ look, find, block, program },
  ...{ explore: alone(explore), mine: alone(mine), craft: alone(make), place: alone(put), smelt: alone(heat), kill: alone(kill) },
  take: alone((s, args) => trade(s, args, false)),
  deposit: alone((s, args) => trade(s, args, true)),
};
