// @ts-check
/**
 * Wound Up, the rules: two sides gather, build, train and fight, each within its own sight. `orders.js` has what can be ordered.
 *
 * @typedef {import('./maps.js').Point} Point
 * @typedef {Point & {id: number, kind: string, ox: number, oy: number, hp: number, cooldown: number, job: string, yard: number,
 *   phase: number, energy: number}} Toy  `ox`, `oy`: where it was a tick ago, for the picture
 * @typedef {{what: string, left: number}} Work
 * @typedef {Point & {id: number, kind: string, yard: number, hp: number, left: number, cooldown: number, energy: number, wound: number,
 *   queue: Work[]}} House  `left`: seconds until it stands; `wound`: seconds for which it works twice as fast
 * @typedef {{id: number, kind: string, x: number, y: number, at: number}} Seen
 * @typedef {ReturnType<typeof side>} Side
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { LEVELS, newBot, think } from './bot.js';
import { An, an, BUILDINGS, RESEARCH, UNITS, worth } from './data.js';
import { ahead, apart, CELL, cellOf, COLUMNS, HIGH, MAPS, PLANS, REACH, ROWS, walled, WIDE } from './maps.js';
import { addHouse, emptiest, home, nearestYard, now, oldest, room, standing } from './sides.js';

/** Updates of a tick, and its length in seconds. */
export const TICK = 6;
const DT = 0.1;
/** Tin and oil of a yard. */
export const TIN = 12000;
const OIL = 6000;
/** Mice for which a yard has tin; up to half as many more bring half as much. */
export const FULL = 16;
/** Seconds in which enemies that are out of sight stay in mind. */
export const MEMORY = 90;
const FIGHTERS = new Set(['home', 'front', 'defend', 'attack', 'raid', 'fight']);

/** @param {number} who @param {string} map */
function side(who, map) {
  return {
    who,
    tin: 100,
    oil: 0,
    /** @type {Toy[]} */
    toys: [],
    /** @type {House[]} */
    houses: [],
    /** Research that is done. @type {string[]} */
    known: [],
    repairs: -1,
    /** When each yard was last seen. */
    looked: PLANS[map].yards.map(() => -1),
    /** Tin of each yard when it was last seen. */
    heaps: PLANS[map].yards.map(() => TIN),
    /** Cells in sight, and cells that have ever been, row by row. */
    sight: Array.from({ length: COLUMNS * ROWS }, () => 0),
    explored: Array.from({ length: COLUMNS * ROWS }, () => 0),
    /** Enemies as last seen, by id. @type {Record<string, Seen>} */
    seenHouses: {},
    /** @type {Record<string, Seen>} */
    seenToys: {},
    /** What happened, newest last. @type {{at: number, said: string}[]} */
    news: [],
    attacked: -999,
    lost: 0,
    killed: 0,
    income: { tin: 0, oil: 0 },
  };
}

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const map = oneOf(options, 'map', MAPS, 'rug');
  const level = oneOf(options, 'bot', ['none', ...Object.keys(LEVELS)], 'hard');
  const s = {
    rng,
    map,
    level,
    age: 0,
    next: 1,
    sides: [side(0, map), side(1, map)],
    /** What is left of each yard. */
    left: PLANS[map].yards.map(() => ({ tin: TIN, oil: OIL })),
    /** @type {import('./bot.js').Bot|null} */
    bot: null,
    /** Shots and bursts for the picture. @type {{x: number, y: number, tx: number, ty: number, age: number, who: number, kind: string}[]} */
    shots: [],
    /** What a person looks at. */
    page: 0,
    shown: '',
    said: '',
    ok: true,
    over: /** @type {{outcome: string, reason: string}|null} */ (null),
  };
  for (const who of [0, 1]) {
    const yard = REACH[who][0];
    const { x, y } = PLANS[map].yards[yard];
    addHouse(s, who, 'chest', yard, { x, y }, 0).energy = 50;
    for (let i = 0; i < 8; i++) addToy(s, who, 'mouse', { x: x + i * 6 - 21, y: y + 34 }, yard).phase = i / 8;
  }
  if (level !== 'none') s.bot = newBot(s);
  look(s);
  return s;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {number} who @param {string} kind @param {Point} at @param {number} yard */
function addToy(s, who, kind, at, yard) {
  /** @type {Toy} */
  const u = { id: s.next++, kind, x: at.x, y: at.y, ox: at.x, oy: at.y, hp: UNITS[kind].hp, cooldown: 0, job: kind === 'mouse' ? 'tin' : 'home', yard, phase: 0, energy: 50 };
  s.sides[who].toys.push(u);
  return u;
}

/** @param {Side} a @param {string} said @param {State} s */
export function tell(s, a, said) {
  if (a.news.at(-1)?.said !== said) a.news.push({ at: now(s), said });
  if (a.news.length > 6) a.news.shift();
}

/** Steps of a research that has steps. @param {Side} a @param {string} id */
const steps = (a, id) => a.known.filter((k) => k.startsWith(`${id}_`)).length;

/** One tick. @param {State} s */
export function tick(s) {
  for (const a of s.sides) economy(s, a);
  for (const a of s.sides) fight(s, a, s.sides[1 - a.who]);
  for (const a of s.sides) bury(s, a);
  if (s.age % 30 === 0) look(s);
  s.shots = s.shots.filter((b) => ++b.age < 4);
  if (s.bot) think(s, s.bot);
  judge(s);
}

/** @param {State} s @param {Side} a */
function economy(s, a) {
  /** @type {Record<string, number>} mice at the tin of each yard */
  const crowd = {};
  for (const u of a.toys) if (u.job === 'tin') crowd[u.yard] = (crowd[u.yard] ?? 0) + 1;
  const chests = new Set(standing(a, 'chest').map((h) => h.yard));
  for (const u of a.toys) {
    if (u.job === 'tin') dig(s, a, u, chests, crowd[u.yard]);
    else if (u.job === 'oil') pump(s, a, u, chests);
  }
  for (const h of a.houses) work(s, a, h);
  const broken = a.houses.find((h) => h.id === a.repairs);
  if (broken && broken.left <= 0 && broken.hp < BUILDINGS[broken.kind].hp && a.tin >= 1 && a.toys.some((u) => u.kind === 'mouse')) {
    broken.hp = Math.min(BUILDINGS[broken.kind].hp, broken.hp + 25 * DT);
    a.tin -= 5 * DT;
  } else a.repairs = -1;
  for (const u of a.toys) if (u.kind === 'conductor') u.energy = Math.min(100, u.energy + DT);
}

/** Goes between chest and heap; `phase` 0 to 1 is the way there and back. @param {State} s @param {Side} a @param {Toy} u
 * @param {Set<number>} chests @param {number} crowd */
function dig(s, a, u, chests, crowd) {
  if (!chests.has(u.yard) || s.left[u.yard].tin <= 0) {
    const open = [...chests].filter((y) => s.left[y].tin > 0);
    if (!open.length) return;
    u.yard = open[0];
  }
  const yard = PLANS[s.map].yards[u.yard];
  shuttle(s, u, yard, yard.heaps[u.id % 8], crowd <= FULL ? 1 : (FULL + Math.min(crowd - FULL, FULL / 2) / 2) / crowd, () => {
    const got = Math.min(5, s.left[u.yard].tin);
    s.left[u.yard].tin -= got;
    a.tin += got;
    a.income.tin += got;
  });
}

/** @param {State} s @param {Side} a @param {Toy} u @param {Set<number>} chests */
function pump(s, a, u, chests) {
  const presses = a.houses.filter((h) => h.kind === 'oil_press' && h.left <= 0 && chests.has(h.yard) && s.left[h.yard].oil > 0);
  const press = presses.find((h) => h.id === u.energy);
  if (!press) {
    const free = presses.find((h) => a.toys.filter((o) => o.job === 'oil' && o.energy === h.id).length < 3);
    if (free) Object.assign(u, { energy: free.id, yard: free.yard });
    else u.job = 'tin';
    return;
  }
  shuttle(s, u, PLANS[s.map].yards[press.yard], press, 1, () => {
    const got = Math.min(4, s.left[press.yard].oil);
    s.left[press.yard].oil -= got;
    a.oil += got;
    a.income.oil += got;
  });
}

/** @param {State} s @param {Toy} u @param {Point} chest @param {Point} heap @param {number} rate @param {() => void} bring */
function shuttle(s, u, chest, heap, rate, bring) {
  if (apart(u, chest) > 110) {
    go(s, u, chest, UNITS.mouse.speed);
    return;
  }
  u.phase += (DT * rate) / 5;
  if (u.phase >= 1) {
    u.phase -= 1;
    bring();
  }
  // A third of the time there, a third at the heap, a third back; a mouse walks from the edge of the chest.
  const part = 0.3 + 0.6 * Math.min(1, Math.min(u.phase, 1 - u.phase) * 3);
  const spread = (u.id % 5) * 3 - 6;
  u.x = chest.x + (heap.x - chest.x) * part + spread;
  u.y = chest.y + (heap.y - chest.y) * part + spread;
}

/** A house is built, trains, researches, and mends what is near. @param {State} s @param {Side} a @param {House} h */
function work(s, a, h) {
  const b = BUILDINGS[h.kind];
  if (h.left > 0) {
    h.left = Math.max(0, h.left - DT);
    h.hp = Math.min(b.hp, h.hp + (0.8 * b.hp * DT) / b.time);
    if (h.left <= 0) tell(s, a, `${An(b.name)} stands in yard ${PLANS[s.map].yards[h.yard].letter}.`);
    return;
  }
  h.wound = Math.max(0, h.wound - DT);
  if (h.kind === 'chest') h.energy = Math.min(100, h.energy + 0.8 * DT);
  if (h.kind === 'post') {
    for (const u of a.toys) if (apart(u, h) < 110) u.hp = Math.min(UNITS[u.kind].hp, u.hp + 3 * DT);
    for (const o of a.houses) if (o.left <= 0 && apart(o, h) < 130) o.hp = Math.min(BUILDINGS[o.kind].hp, o.hp + 8 * DT);
  }
  const job = h.queue[0];
  if (!job) return;
  job.left -= DT * (h.wound > 0 ? 2 : 1) * (h.kind === 'workshop' && a.known.includes('swift_workshop') ? 4 / 3 : 1);
  if (job.left > 0) return;
  h.queue.shift();
  if (UNITS[job.what]) {
    const out = PLANS[s.map].yards[h.yard].x < WIDE / 2 ? 26 : -26;
    const u = addToy(s, a.who, job.what, { x: h.x + out, y: h.y + 6 }, h.yard);
    // A mouse goes to the yard with most room for it.
    if (u.kind === 'mouse') u.yard = emptiest(s, a) ?? h.yard;
  } else {
    a.known.push(job.what);
    tell(s, a, `Research is done: ${RESEARCH[job.what].name}.`);
  }
}

/** Moves a toy one tick towards a place. @param {State} s @param {Toy} u @param {Point} goal @param {number} speed */
function go(s, u, goal, speed) {
  const air = UNITS[u.kind].air;
  const to = air ? goal : ahead(s.map, u, goal);
  const far = apart(u, to);
  if (far < 1) return;
  const step = Math.min(far, speed * DT);
  const x = u.x + ((to.x - u.x) / far) * step;
  const y = u.y + ((to.y - u.y) / far) * step;
  if (air || !walled(s.map, cellOf({ x, y }))) Object.assign(u, { x, y });
  else if (!walled(s.map, cellOf({ x, y: u.y }))) u.x = x;
  else if (!walled(s.map, cellOf({ x: u.x, y }))) u.y = y;
}

/** @param {Side} a @param {Toy} u */
function speedOf(a, u) {
  const faster = (u.kind === 'drummer' && a.known.includes('march') ? 4 / 3 : 1) * (u.kind === 'lantern' && a.known.includes('big_lens') ? 1.5 : 1);
  return UNITS[u.kind].speed * faster;
}

/** @param {Side} a @param {string} kind */
function rangeOf(a, kind) {
  const more = { slinger: ['long_slings', 24], cannon: ['long_barrel', 30], kite: ['long_tails', 24] }[kind];
  return UNITS[kind].range + (more && a.known.includes(/** @type {string} */ (more[0])) ? /** @type {number} */ (more[1]) : 0);
}

/** Where toys wait. @param {State} s @param {Side} a @param {string} job @param {number} yard */
export function rally(s, a, job, yard) {
  const ahead_ = a.who ? -1 : 1;
  const base = PLANS[s.map].yards[job === 'defend' ? yard : home(s, a)];
  if (job === 'front') return { x: WIDE / 2 - ahead_ * 210, y: HIGH / 2 - ahead_ * 20 };
  return { x: base.x + ahead_ * (job === 'defend' ? 60 : 150), y: base.y + (base.y < HIGH / 2 ? 40 : -40) * (job === 'defend' ? 1 : 0) };
}

/** Where an attacker goes: to the nearest building that is known, or to the yard that was not seen for longest.
 * @param {State} s @param {Side} a @param {Toy} u @returns {Point} */
function aim(s, a, u) {
  let best = null;
  let least = Infinity;
  for (const h of Object.values(a.seenHouses)) {
    if (u.job === 'raid' && h.kind !== 'chest') continue;
    const far = apart(u, h) + (h.kind === 'chest' ? -60 : 0);
    if (far < least) [best, least] = [h, far];
  }
  if (best) return best;
  const yards = PLANS[s.map].yards;
  const start = REACH[1 - a.who][0];
  if (a.looked[start] < 0) return yards[start];
  return yards[oldest(s, a)];
}

/** Damage of one hit. @param {Side} a @param {string} kind @param {Side} b @param {string} target */
function hurt(a, kind, b, target) {
  const t = UNITS[target];
  const u = UNITS[kind];
  if (!u) return Math.max(1, BUILDINGS[kind].damage - (t ? t.armor + steps(b, t.air ? 'hulls' : 'plates') : 0));
  const extra = (t ? t.heavy : true) ? u.hard : u.light;
  const armor = t ? t.armor + (target === 'mouse' ? 0 : steps(b, t.air ? 'hulls' : 'plates')) : BUILDINGS[target].armor;
  return Math.max(1, (u.damage + extra) * (1 + 0.1 * steps(a, u.air ? 'wings' : 'blades')) - armor);
}

/** @param {State} s @param {Side} a @param {Side} b */
function fight(s, a, b) {
  const targets = [...b.toys, ...b.houses];
  for (const h of a.houses) {
    const { range, cooldown } = BUILDINGS[h.kind];
    if (!range || h.left > 0) continue;
    h.cooldown -= DT;
    if (h.cooldown > 0) continue;
    const t = nearest(h, b.toys, range, 'both', false);
    if (t) shoot(s, a, b, h, t), (h.cooldown = cooldown);
  }
  for (const u of a.toys) {
    u.ox = u.x;
    u.oy = u.y;
    if (u.job === 'tin' || u.job === 'oil') continue;
    const kind = UNITS[u.kind];
    const speed = speedOf(a, u);
    u.cooldown -= DT;
    if (kind.heal) {
      const hurtOne = a.toys.find((o) => o !== u && o.hp < UNITS[o.kind].hp && !UNITS[o.kind].air && o.kind !== 'mouse' && apart(u, o) < kind.range);
      if (hurtOne) hurtOne.hp = Math.min(UNITS[hurtOne.kind].hp, hurtOne.hp + kind.heal * DT);
    }
    const place = placeOf(s, a, u);
    // Toys that are called back do not stop to fight before they are near.
    const near = u.job === 'attack' || u.job === 'raid' || apart(u, place) < 230;
    if (kind.damage && near && FIGHTERS.has(u.job)) {
      const range = rangeOf(a, u.kind);
      const t = nearest(u, targets, Math.max(range + 20, 150), kind.hits, u.job === 'raid');
      if (t && (u.job !== 'home' || apart(t, place) < 260)) {
        const reach = range + (BUILDINGS[t.kind] ? 20 : 6);
        if (apart(u, t) > reach) go(s, u, t, speed);
        else if (u.cooldown <= 0) shoot(s, a, b, u, t), (u.cooldown = kind.cooldown * (u.kind === 'frog' && a.known.includes('spring_legs') ? 2 / 3 : 1));
        keepApart(s, a, u);
        continue;
      }
    }
    if (u.job === 'scout') {
      if (apart(u, place) < 60) u.job = u.kind === 'mouse' ? 'tin' : 'home';
      else go(s, u, place, speed);
      continue;
    }
    if (apart(u, place) > (u.job === 'attack' ? 30 : 46)) go(s, u, place, kind.heal && u.job === 'attack' ? Math.min(speed, 34) : speed);
    keepApart(s, a, u);
  }
}

/** @param {State} s @param {Side} a @param {Toy} u @returns {Point} */
function placeOf(s, a, u) {
  if (u.job === 'attack' || u.job === 'raid') {
    // Toys that cannot fight stay with the others.
    if (UNITS[u.kind].damage || u.kind === 'conductor') return aim(s, a, u);
    let best = null;
    for (const o of a.toys) if (o.job === 'attack' && UNITS[o.kind].damage && (!best || apart(u, o) < apart(u, best))) best = o;
    return best ?? rally(s, a, 'home', 0);
  }
  if (u.job === 'scout') return PLANS[s.map].yards[u.yard];
  if (u.job === 'fight') return PLANS[s.map].yards[home(s, a)];
  return rally(s, a, u.job, u.yard);
}

/** The target that is nearest; toys that fight and towers come before mice, and those before other houses.
 * @template {Point & {kind: string}} T @param {Point} u @param {T[]} list @param {number} reach @param {string} hits @param {boolean} raids */
function nearest(u, list, reach, hits, raids) {
  let best = null;
  let least = Infinity;
  for (const t of list) {
    const dx = t.x - u.x;
    if (dx > reach || -dx > reach) continue;
    const toy = UNITS[t.kind];
    if (toy?.air && hits === 'ground') continue;
    const far = apart(u, t);
    if (far > reach) continue;
    const first = toy ? t.kind !== 'mouse' && toy.damage > 0 : t.kind === 'tower';
    const rank = far + (raids ? (t.kind === 'mouse' ? -200 : 0) : first ? 0 : toy ? 50 : 120);
    if (rank < least) [best, least] = [t, rank];
  }
  return best;
}

/** @param {State} s @param {Side} a @param {Side} b @param {Toy|House} from @param {Toy|House} to */
function shoot(s, a, b, from, to) {
  const splash = UNITS[from.kind]?.splash ?? 0;
  const struck = splash ? b.toys.filter((t) => t === to || (!UNITS[t.kind].air && apart(t, to) < splash)) : [/** @type {Toy} */ (to)];
  if (splash && !UNITS[to.kind]) struck.push(/** @type {Toy} */ (to));
  const luck = stream(s.rng, 'hits');
  for (const t of new Set(struck)) t.hp -= hurt(a, from.kind, b, t.kind) * luck.float(0.8, 1.2);
  s.shots.push({ x: from.x, y: from.y, tx: to.x, ty: to.y, age: 0, who: a.who, kind: from.kind });
  const asks = UNITS[to.kind] && !['mouse', 'home', 'defend'].includes(/** @type {Toy} */ (to).job) && to.kind !== 'mouse' ? null : to;
  if (asks && now(s) - b.attacked > 15) tell(s, b, `The enemy attacks near yard ${nearestYard(s, to)}.`);
  if (asks) b.attacked = now(s);
}

/** Toys of a side do not stand on each other. @param {State} s @param {Side} a @param {Toy} u */
function keepApart(s, a, u) {
  const air = UNITS[u.kind].air;
  let px = 0;
  let py = 0;
  for (const o of a.toys) {
    const dx = u.x - o.x;
    const dy = u.y - o.y;
    if (dx > 15 || dx < -15 || dy > 15 || dy < -15 || o === u || o.kind === 'mouse' || UNITS[o.kind].air !== air) continue;
    const far = Math.sqrt(dx * dx + dy * dy);
    if (far >= 15) continue;
    px += far > 0.5 ? (dx / far) * (15 - far) : (u.id % 3) - 1;
    py += far > 0.5 ? (dy / far) * (15 - far) : (u.id % 2) * 2 - 1;
  }
  const x = Math.min(WIDE - 8, Math.max(8, u.x + Math.min(3, Math.max(-3, px * 0.3))));
  const y = Math.min(HIGH - 8, Math.max(8, u.y + Math.min(3, Math.max(-3, py * 0.3))));
  if (air || !walled(s.map, cellOf({ x, y }))) Object.assign(u, { x, y });
}

/** Removes what has no health left. @param {State} s @param {Side} a */
function bury(s, a) {
  const b = s.sides[1 - a.who];
  for (const u of a.toys) {
    if (u.hp > 0) continue;
    delete b.seenToys[u.id];
    a.lost += worth(u.kind);
    b.killed += worth(u.kind);
    s.shots.push({ x: u.x, y: u.y, tx: u.x, ty: u.y, age: 0, who: a.who, kind: 'burst' });
  }
  for (const h of a.houses) {
    if (h.hp > 0) continue;
    delete b.seenHouses[h.id];
    tell(s, a, `You have lost ${an(BUILDINGS[h.kind].name)} in yard ${PLANS[s.map].yards[h.yard].letter}.`);
    tell(s, b, `You have broken ${an(BUILDINGS[h.kind].name)} in yard ${PLANS[s.map].yards[h.yard].letter}.`);
    s.shots.push({ x: h.x, y: h.y, tx: h.x, ty: h.y, age: 0, who: a.who, kind: 'crash' });
  }
  if (a.toys.some((u) => u.hp <= 0)) a.toys = a.toys.filter((u) => u.hp > 0);
  if (a.houses.some((h) => h.hp <= 0)) a.houses = a.houses.filter((h) => h.hp > 0);
}

/** What each side sees now, and remembers. @param {State} s */
export function look(s) {
  const yards = PLANS[s.map].yards;
  for (const a of s.sides) {
    const b = s.sides[1 - a.who];
    a.sight.fill(0);
    for (const u of a.toys) reveal(a, u, UNITS[u.kind].sight);
    for (const h of a.houses) reveal(a, h, h.left > 0 ? 70 : BUILDINGS[h.kind].sight);
    const seen = (/** @type {Point} */ p) => a.sight[cellOf(p)] === 1;
    yards.forEach((y, n) => {
      if (!seen(y)) return;
      a.looked[n] = now(s);
      a.heaps[n] = s.left[n].tin;
    });
    for (const [id, h] of Object.entries(a.seenHouses)) if (seen(h)) delete a.seenHouses[id];
    for (const h of b.houses) if (seen(h)) a.seenHouses[h.id] = { id: h.id, kind: h.kind, x: h.x, y: h.y, at: now(s) };
    for (const [id, u] of Object.entries(a.seenToys)) if (now(s) - u.at > MEMORY) delete a.seenToys[id];
    for (const u of b.toys) if (seen(u)) a.seenToys[u.id] = { id: u.id, kind: u.kind, x: u.x, y: u.y, at: now(s) };
  }
}

/** @param {Side} a @param {Point} p @param {number} far */
function reveal(a, p, far) {
  const c0 = Math.max(0, Math.floor((p.x - far) / CELL));
  const c1 = Math.min(COLUMNS - 1, Math.floor((p.x + far) / CELL));
  const r0 = Math.max(0, Math.floor((p.y - far) / CELL));
  const r1 = Math.min(ROWS - 1, Math.floor((p.y + far) / CELL));
  for (let r = r0; r <= r1; r++) {
    for (let c = c0; c <= c1; c++) {
      const dx = c * CELL + 16 - p.x;
      const dy = r * CELL + 16 - p.y;
      if (dx * dx + dy * dy > far * far) continue;
      a.sight[r * COLUMNS + c] = 1;
      a.explored[r * COLUMNS + c] = 1;
    }
  }
}

/** @param {State} s */
function judge(s) {
  const alive = s.sides.map((a) => a.houses.some((h) => h.kind === 'chest'));
  if (!alive[0]) finish(s, 'fail', alive[1] ? 'The last toy chest of the left side is broken.' : 'Both sides have lost their last toy chest.');
  else if (!alive[1]) finish(s, 'win', 'The last toy chest of the right side is broken.');
}
