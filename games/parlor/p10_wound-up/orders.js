// @ts-check
/** Wound Up, the orders: what each does, and why it cannot be carried out. */

import { An, an, BUILDINGS, ORDERS, RESEARCH, UNITS } from './data.js';
import { apart, PLANS, REACH } from './maps.js';
import { addHouse, emptiest, home, nearestYard, oldest, room, standing, used } from './sides.js';

/** @typedef {import('./rules.js').State} State @typedef {import('./rules.js').Side} Side @typedef {import('./rules.js').Toy} Toy */
/** @typedef {{ok: boolean, said: string}} Answer */

const BY_ID = new Map(ORDERS.map((o) => [o.id, o]));
/** Most that a building has before it. */
const QUEUE = 3;
const WINDING = 50;

/** @param {string} said @returns {Answer} */
const yes = (said) => ({ ok: true, said });
/** @param {string} said @returns {Answer} */
const no = (said) => ({ ok: false, said });

/** Why a side cannot pay; empty if it can. @param {Side} a @param {[number, number]} cost */
function short([tin, oil], /** @type {Side} */ a) {
  const lack = [a.tin < tin ? `${tin} tin` : '', a.oil < oil ? `${oil} oil` : ''].filter(Boolean);
  return lack.length ? `That costs ${lack.join(' and ')}; you have ${Math.floor(a.tin)} tin and ${Math.floor(a.oil)} oil.` : '';
}

/** @param {Side} a @param {[number, number]} cost */
function pay(a, [tin, oil]) {
  a.tin -= tin;
  a.oil -= oil;
}

/** Carries an order out. @param {State} s @param {number} who @param {string} id @returns {Answer} */
export function order(s, who, id) {
  const o = BY_ID.get(id);
  if (!o) throw new Error(`there is no order ${id}`);
  const a = s.sides[who];
  if (o.kind === 'train') return train(a, o.what);
  if (o.kind === 'build') return build(s, a, o.what);
  if (o.kind === 'research') return research(a, o.what);
  return COMMAND[o.what](s, a);
}

/** @param {Side} a @param {string} kind @returns {Answer} */
function train(a, kind) {
  const u = UNITS[kind];
  const at = standing(a, u.at);
  if (!at.length) return no(`${An(u.name)} needs ${an(BUILDINGS[u.at].name)}.`);
  if (u.needs && !standing(a, u.needs).length) return no(`${An(u.name)} needs ${an(BUILDINGS[u.needs].name)}.`);
  const lack = short(u.cost, a);
  if (lack) return no(lack);
  if (used(a) + u.room > room(a)) return no(`There is no room: ${used(a)} of ${room(a)} in use, ${an(u.name)} takes ${u.room}.`);
  const house = at.reduce((x, y) => (y.queue.length < x.queue.length ? y : x));
  if (house.queue.length >= QUEUE) return no(`Each ${BUILDINGS[u.at].name} has ${QUEUE} toys before it.`);
  pay(a, u.cost);
  house.queue.push({ what: kind, left: u.time });
  return yes(`${An(u.name)} is being made.`);
}

/** @param {State} s @param {Side} a @param {string} kind @returns {Answer} */
function build(s, a, kind) {
  const b = BUILDINGS[kind];
  if (b.needs && !standing(a, b.needs).length) return no(`${An(b.name)} needs ${an(BUILDINGS[b.needs].name)}.`);
  if (!a.toys.some((u) => u.kind === 'mouse')) return no('There is no mouse to build.');
  const lack = short(b.cost, a);
  if (lack) return no(lack);
  const place = placeFor(s, a, kind);
  if (!place) return no(`There is no place for ${an(b.name)}.`);
  pay(a, b.cost);
  addHouse(s, a.who, kind, place.yard, place.at, b.time);
  return yes(`${An(b.name)} is being built in yard ${PLANS[s.map].yards[place.yard].letter}.`);
}

/** @param {State} s @param {Side} a @param {string} kind */
function placeFor(s, a, kind) {
  const { yards } = PLANS[s.map];
  const taken = (/** @type {{x: number, y: number}} */ p) => s.sides.some((b) => b.houses.some((h) => h.x === p.x && h.y === p.y));
  if (kind === 'chest') {
    // Sides learn by the refusal alone whether an enemy chest stands there.
    const yard = REACH[a.who].find((y) => !taken(yards[y]));
    return yard === undefined ? null : { yard, at: { x: yards[yard].x, y: yards[yard].y } };
  }
  const own = standing(a, 'chest').map((h) => h.yard);
  const of = (/** @type {string} */ what, /** @type {number} */ y) => a.houses.filter((h) => h.kind === what && h.yard === y).length;
  if (kind === 'oil_press') own.sort((x, y) => of(kind, x) - of(kind, y));
  // Towers and posts are spread over the yards; the rest stands in the first yard with a free place.
  if (kind === 'tower' || kind === 'post') own.sort((x, y) => of(kind, x) - of(kind, y));
  for (const yard of own) {
    const { drums, front, slots } = yards[yard];
    const list = kind === 'oil_press' ? drums : kind === 'tower' || kind === 'post' ? front : slots;
    const at = list.find((p) => !taken(p));
    if (at) return { yard, at: { x: at.x, y: at.y } };
  }
  return null;
}

/** @param {Side} a @param {string} what @returns {Answer} */
function research(a, what) {
  const r = RESEARCH[what];
  const at = standing(a, r.at);
  if (!at.length) return no(`Research of ${r.name} needs ${an(BUILDINGS[r.at].name)}.`);
  if (a.known.includes(what) || a.houses.some((h) => h.queue.some((w) => w.what === what))) return no(`${r.name}: done already, or on its way.`);
  if (r.needs && !a.known.includes(r.needs)) return no(`${r.name} comes after ${RESEARCH[r.needs].name}.`);
  const house = at.find((h) => !h.queue.length);
  if (!house) return no(`Each ${BUILDINGS[r.at].name} is busy.`);
  const lack = short(r.cost, a);
  if (lack) return no(lack);
  pay(a, r.cost);
  house.queue.push({ what, left: r.time });
  return yes(`Research has begun: ${r.name}.`);
}

/** Toys of the army. @param {Side} a */
const fighters = (a) => a.toys.filter((u) => u.kind !== 'mouse' && u.kind !== 'lantern' && u.job !== 'scout');

/** @param {Toy[]} list @param {string} job @param {string} said @param {number} [yard] @returns {Answer} */
function send(list, job, said, yard) {
  if (!list.length) return no('There is no toy that could do that.');
  for (const u of list) {
    u.job = job;
    if (yard !== undefined) u.yard = yard;
  }
  return yes(`${said} (${list.length} toys).`);
}

/** @param {string} kind */
const scout = (kind) => (/** @type {State} */ s, /** @type {Side} */ a) => {
  const u = a.toys.find((t) => t.kind === kind && (kind === 'mouse' ? t.job === 'tin' : t.job === 'home'));
  if (!u) return no(`There is no ${UNITS[kind].name} at hand.`);
  u.yard = oldest(s, a);
  u.job = 'scout';
  return yes(`${An(UNITS[kind].name)} goes to look at yard ${PLANS[s.map].yards[u.yard].letter}.`);
};

/** @param {string[]} kinds @param {(h: import('./rules.js').House) => boolean} busy */
const wind = (kinds, busy) => (/** @type {State} */ _, /** @type {Side} */ a) => {
  const from = standing(a, 'chest').reduce((/** @type {import('./rules.js').House|null} */ x, y) => (!x || y.energy > x.energy ? y : x), null);
  const to = a.houses.find((h) => kinds.includes(h.kind) && h.queue.length && busy(h) && h.wound <= 0);
  if (!to) return no('There is no building at work that could be wound up.');
  if (!from || from.energy < WINDING) return no(`That costs ${WINDING} winding; your toy chests have ${Math.floor(from?.energy ?? 0)}.`);
  from.energy -= WINDING;
  to.wound = 20;
  return yes(`${An(BUILDINGS[to.kind].name)} works twice as fast for 20 seconds.`);
};

const trains = (/** @type {import('./rules.js').House} */ h) => !!UNITS[h.queue[0].what];

/** @type {Record<string, (s: State, a: Side) => Answer>} */
const COMMAND = {
  attack: (_, a) => send(fighters(a), 'attack', 'The army attacks'),
  attack_half: (_, a) => send(fighters(a).filter((__, i) => i % 2 === 0), 'attack', 'Half of the army attacks'),
  attack_ground: (_, a) => send(fighters(a).filter((u) => !UNITS[u.kind].air), 'attack', 'The toys that walk attack'),
  attack_air: (_, a) => send(fighters(a).filter((u) => UNITS[u.kind].air), 'attack', 'The flying toys attack'),
  raid_mice: (_, a) => send(fighters(a).filter((u) => u.kind === 'top' || u.kind === 'kite'), 'raid', 'Raiders go for the mice of the enemy'),
  retreat: (_, a) => send(fighters(a), 'home', 'The army goes home'),
  retreat_wounded: (_, a) => send(fighters(a).filter((u) => u.job !== 'home' && u.hp < 0.4 * UNITS[u.kind].hp), 'home', 'Damaged toys go home'),
  defend_home: (s, a) => send(fighters(a), 'defend', 'The army defends your first toy chest', home(s, a)),
  defend_outpost: (s, a) => send(fighters(a), 'defend', 'The army defends your newest toy chest', standing(a, 'chest').at(-1)?.yard ?? home(s, a)),
  gather_front: (_, a) => send(fighters(a), 'front', 'The army gathers on the way to the enemy'),
  scout_mouse: scout('mouse'),
  scout_drummer: scout('drummer'),
  scout_lantern: scout('lantern'),
  scout_kite: scout('kite'),
  recall_scouts(_, a) {
    const list = a.toys.filter((u) => u.job === 'scout');
    for (const u of list) u.job = u.kind === 'mouse' ? 'tin' : 'home';
    return list.length ? yes(`Scouts come home (${list.length}).`) : no('There is no scout.');
  },
  mice_to_oil(s, a) {
    const chests = standing(a, 'chest').map((h) => h.yard);
    const free = standing(a, 'oil_press').filter((h) => chests.includes(h.yard) && s.left[h.yard].oil > 0).length * 3 - a.toys.filter((u) => u.job === 'oil').length;
    const list = a.toys.filter((u) => u.job === 'tin').slice(0, Math.min(3, free));
    if (!list.length) return no(free > 0 ? 'There is no mouse at the tin.' : 'Each oil press has three mice, or there is none.');
    for (const u of list) Object.assign(u, { job: 'oil', energy: -1 });
    return yes(`${list.length} mice go to the oil.`);
  },
  mice_to_tin(s, a) {
    const list = a.toys.filter((u) => u.job === 'oil').slice(0, 3);
    if (!list.length) return no('There is no mouse at the oil.');
    for (const u of list) Object.assign(u, { job: 'tin', yard: emptiest(s, a) ?? u.yard });
    return yes(`${list.length} mice go to the tin.`);
  },
  spread_mice(s, a) {
    const yards = standing(a, 'chest').map((h) => h.yard);
    const at = (/** @type {number} */ y) => a.toys.filter((u) => u.job === 'tin' && u.yard === y);
    const to = emptiest(s, a);
    const most = yards.reduce((x, y) => (at(y).length > at(x).length ? y : x), yards[0]);
    if (to === undefined || most === to) return no('There is no second yard with tin.');
    const list = at(most).slice(0, Math.floor((at(most).length - at(to).length) / 2));
    for (const u of list) u.yard = to;
    return list.length ? yes(`${list.length} mice go to yard ${PLANS[s.map].yards[to].letter}.`) : no('Your yards have as many mice.');
  },
  mice_fight(_, a) {
    return send(a.toys.filter((u) => u.kind === 'mouse' && u.job !== 'fight'), 'fight', 'The mice fight');
  },
  mice_work(s, a) {
    const list = a.toys.filter((u) => u.job === 'fight');
    for (const u of list) Object.assign(u, { job: 'tin', yard: emptiest(s, a) ?? u.yard });
    return list.length ? yes(`The mice work again (${list.length}).`) : no('There is no fighting mouse.');
  },
  repair(s, a) {
    const worst = a.houses.filter((h) => h.left <= 0 && h.hp < BUILDINGS[h.kind].hp).sort((x, y) => x.hp / BUILDINGS[x.kind].hp - y.hp / BUILDINGS[y.kind].hp)[0];
    if (!worst) return no('There is no damaged building.');
    if (!a.toys.some((u) => u.kind === 'mouse')) return no('There is no mouse to repair it.');
    a.repairs = worst.id;
    return yes(`The ${BUILDINGS[worst.kind].name} near yard ${nearestYard(s, worst)} is being repaired.`);
  },
  wind_chest: wind(['chest'], trains),
  wind_workshop: wind(['workshop'], trains),
  wind_machines: wind(['foundry', 'loft'], trains),
  wind_research: wind(Object.keys(BUILDINGS), (h) => !trains(h)),
  spark(s, a) {
    if (!a.known.includes('spark')) return no('Spark has not been researched.');
    const b = s.sides[1 - a.who];
    /** @type {{u: Toy, t: Toy, crowd: Toy[]}|null} */
    let best = null;
    for (const u of a.toys) {
      if (u.kind !== 'conductor' || u.energy < 60) continue;
      for (const t of b.toys) {
        if (apart(u, t) > 180) continue;
        const crowd = b.toys.filter((o) => apart(o, t) < 40);
        if (!best || crowd.length > best.crowd.length) best = { u, t, crowd };
      }
    }
    if (!best) return no('No conductor with 60 energy has an enemy in reach.');
    best.u.energy -= 60;
    for (const o of best.crowd) o.hp -= 70;
    s.shots.push({ x: best.u.x, y: best.u.y, tx: best.t.x, ty: best.t.y, age: 0, who: a.who, kind: 'spark' });
    return yes(`A spark strikes ${best.crowd.length} toys.`);
  },
  empty: () => yes('Nothing is done.'),
};

