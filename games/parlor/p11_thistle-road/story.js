// @ts-check
/** The Thistle Road, the story: what people say and do, what follows from it, and where it waits for the player. */

import { startDuel } from './battle.js';
import { give, happen, has, say, take } from './journal.js';
import { creature, ITEMS, KINDS, nameOf, restore } from './kinds.js';
import { BACK, cell, find, heightOf, isThing, land, look, place, STEPS, thingAt, widthOf } from './land.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {import('./land.js').Thing} Thing */

/** Reward for the delivery, in coins. */
const REWARD = 150;
const NO = 'Nothing';

/** The player speaks to somebody, or looks at something. @param {State} s @param {Thing} thing @param {string} letter */
export function meet(s, thing, letter) {
  const key = `${s.map} ${letter}`;
  const { names } = land(s);
  const { name, says = [], again = says } = thing;
  const plain = (/** @type {string[]} */ pages, /** @type {object} */ more = {}) => say(s, name, pages, more);
  switch (thing.event) {
    case 'mother':
      if (!s.party.length) return plain([`Off on your own? ${names.warden} keeps watch where the road leaves the village. Be home for supper!`]);
      return plain(['Sit down for a moment, all of you.', 'There. Your creatures are well again.'], { then: 'rest' });
    case 'hall':
      return wardenSays(s, plain);
    case 'rival':
      if (!s.party.length) return plain(['You first. I am not in a hurry.']);
      return plain([has(s, 'duel') ? 'Next time I win. I am already training.' : 'Going? Not without a fight.']);
    case 'basket':
      return basket(s, thing, plain);
    case 'aunt':
      if (has(s, 'map')) return plain(['Is the map any use? Look at it with SELECT.']);
      if (!s.party.length) return plain(['A map? Not for somebody who walks alone. Come back with a companion.']);
      return plain(['So you mean to walk the road. Then take my map of it!', 'You got the Route Map. Press SELECT to look at it.'], { then: 'map' });
    case 'gift':
      if (s.done.includes(key)) return plain(again);
      s.done.push(key);
      give(s, 'Balm');
      return plain([...says, 'You got a Balm.']);
    case 'gate':
      if (!has(s, 'delivery')) return plain(says);
      s.gone.push(key);
      return plain(['The parcel has arrived, I hear. The gate is open. Mind the grass!']);
    case 'rest':
      if (!s.party.length) return plain(['Our beds are for creatures and their companions. You seem to have none.']);
      return plain(['Welcome. Let them sleep a while.', 'Your creatures are well again.'], { then: 'rest' });
    case 'store':
      return store(s, plain);
    case 'pouch':
      s.gone.push(key);
      give(s, thing.item ?? 'Balm');
      return say(s, '', [`You found a ${thing.item}.`]);
    case 'trainer':
    case 'leader':
      if (s.done.includes(`duel ${thing.duel}`)) return plain(thing.event === 'leader' ? again : ['That was a good fight.']);
      if (!s.party.length) return plain(['Come back with a companion.']);
      return plain(says, { then: `fight ${thing.duel}` });
    default:
      return plain(says);
  }
}

/** @param {State} s @param {(pages: string[], more?: object) => void} plain */
function wardenSays(s, plain) {
  const { names } = land(s);
  if (!s.party.length) return plain(['Three baskets, three young creatures. Look into each, and take the one that you like.']);
  if (has(s, 'parcel') && !has(s, 'delivery')) {
    return plain([
      `The ${names.parcel}! I have been waiting for it. Thank you.`,
      `Take these ${REWARD} coins. The store in ${names.town} sells bells: ring one near a wild creature, and it may join you.`,
      `The gate of ${names.town} will be open now. Beyond the wood lies ${names.city}. See whether ${names.leader} of the ${names.hall} finds you worthy.`,
    ], { then: 'delivery' });
  }
  if (has(s, 'delivery')) return plain([`Have you befriended anybody yet? And ${names.leader} waits in ${names.city}.`]);
  return plain([`A parcel for me should be in the store of ${names.town}, at the other end of the road. Would you fetch it?`]);
}

/** @param {State} s @param {Thing} thing @param {(pages: string[], more?: object) => void} plain */
function basket(s, thing, plain) {
  const index = thing.index ?? 0;
  const { title, type } = KINDS[land(s).starters[index]];
  if (s.party.length) return plain([s.done.includes(`basket ${index}`) ? 'It is empty.' : 'It sleeps. One companion is enough to begin with.']);
  if (!has(s, 'warden')) return plain(['Something stirs inside. Better to ask the warden first.']);
  return plain([`${'AEIOU'.includes(title[0]) ? 'An' : 'A'} ${title}, a creature of the type ${type}. Do you take it with you?`], { options: ['Yes', 'No'], then: 'basket', index });
}

/** @param {State} s @param {(pages: string[], more?: object) => void} plain */
function store(s, plain) {
  const { names } = land(s);
  if (!s.party.length) return plain(['You have come without a companion? The grass is dangerous.']);
  if (!has(s, 'parcel')) {
    return plain([`You come from ${names.village}? Then take this to ${names.warden}, please. It has been lying here for weeks.`, `You got the ${names.parcel}.`], { then: 'parcel' });
  }
  if (!has(s, 'delivery')) return plain([`Please take the ${names.parcel} to ${names.warden} first.`]);
  return plain([`What would you like? You have ${s.coins} coins.`], { options: [...wares(), NO], then: 'buy' });
}

const wares = () => Object.entries(ITEMS).map(([item, { price }]) => `${item}, ${price} coins`);

/** What follows a talk. @param {State} s @param {string} what @param {number} index @param {number} chosen  option, from 0 */
export function after(s, what, index, chosen) {
  const { names } = land(s);
  if (what === 'rest') {
    restore(s.party);
    s.bed = { map: s.map, x: s.x, y: s.y };
  } else if (what === 'warden') {
    happen(s, 'warden');
    const [x, y] = find(s, 'hall', 'W');
    enter(s, 'hall', [x, y + 1]);
    s.facing = 'up';
    say(s, names.warden, ['Here we are. Three baskets, three young creatures. Look into each, and take the one that you like.', `${names.rival} may choose after you.`]);
  } else if (what === 'basket' && chosen === 0) {
    const kind = land(s).starters[index];
    s.party.push(creature(kind, 5));
    s.done.push(`basket ${index}`);
    happen(s, 'companion');
    say(s, names.rival, [`${KINDS[kind].title} it is? Then I take ${KINDS[land(s).answers[kind]].title}. It does not like yours at all.`]);
  } else if (what === 'map') happen(s, 'map');
  else if (what === 'parcel') {
    give(s, names.parcel);
    happen(s, 'parcel');
  } else if (what === 'delivery') {
    take(s, names.parcel);
    s.coins += REWARD;
    happen(s, 'delivery');
  } else if (what === 'buy') buy(s, chosen);
  else if (what.startsWith('fight ')) startDuel(s, what.slice(6));
  else if (what === 'wake') wake(s);
  else if (what.startsWith('won ')) won(s, what.slice(4));
  else if (what === 'duel') {
    happen(s, 'duel');
    restore(s.party);
  }
}

/** @param {State} s @param {number} chosen */
function buy(s, chosen) {
  const item = Object.keys(ITEMS)[chosen];
  if (!item) return;
  const { price } = ITEMS[/** @type {keyof ITEMS} */ (item)];
  const again = { options: [...wares(), NO], then: 'buy' };
  const keeper = 'Storekeeper';
  if (s.coins < price) return say(s, keeper, [`That costs ${price} coins, and you have ${s.coins}. Anything else?`], again);
  s.coins -= price;
  give(s, item);
  if (item === 'Bell') happen(s, 'bell');
  if (!s.over) say(s, keeper, [`One ${item}, thank you. You have ${s.coins} coins left. Anything else?`], again);
}

/** The battle against a trainer is won; what happens then. @param {State} s @param {string} duel */
function won(s, duel) {
  if (duel === 'leader') happen(s, 'leader');
}

/** All creatures fainted. @param {State} s */
function wake(s) {
  restore(s.party);
  enter(s, s.bed.map, [s.bed.x, s.bed.y]);
}

/** @param {State} s @param {string} map @param {[number, number]} at */
export function enter(s, map, at) {
  s.map = map;
  s.moved = false;
  [s.x, s.y] = at;
  look(s);
  onArrival(s);
}

/** @param {State} s */
export function onArrival(s) {
  if (s.map === 'village') happen(s, 'home');
  if (s.map === 'town') happen(s, 'town');
  if (s.map === 'city') happen(s, 'city');
}

/** After a step on a place. Returns whether the story has begun something. @param {State} s @param {string} here */
export function onStep(s, here) {
  const { names } = land(s);
  const { zone } = place(s);
  if (here === 'z' && zone === 'warden' && !s.party.length) {
    if (!has(s, 'warden')) {
      say(s, names.warden, ['Stop! Nobody walks there alone. There are wild creatures in the grass.', 'You need a companion. Come with me to my hall.'], { then: 'warden' });
    } else {
      turnBack(s);
      say(s, names.warden, ['Not without a companion. The baskets are in my hall.']);
    }
    return true;
  }
  if (here === 'z' && zone === 'duel' && s.party.length && !has(s, 'duel')) {
    say(s, names.rival, [`Wait! Before you go: my new friend against your ${nameOf(s.party[0])}. Now!`], { then: 'fight rival' });
    return true;
  }
  return watched(s);
}

/** @param {State} s */
function turnBack(s) {
  const [dx, dy] = STEPS[BACK[s.facing]];
  s.moved = false;
  s.x += dx;
  s.y += dy;
  s.facing = BACK[s.facing];
}

/** Trainers who see the player challenge. @param {State} s */
function watched(s) {
  const p = place(s);
  for (let y = 0; y < heightOf(p); y++) {
    for (let x = 0; x < widthOf(p); x++) {
      if (!isThing(cell(s, x, y))) continue;
      const thing = thingAt(s, x, y);
      if (!thing?.sight || s.done.includes(`duel ${thing.duel}`) || !seesPlayer(s, thing, x, y)) continue;
      meet(s, thing, cell(s, x, y));
      return true;
    }
  }
  return false;
}

/** @param {State} s @param {Thing} thing @param {number} x @param {number} y */
function seesPlayer(s, thing, x, y) {
  const [dx, dy] = STEPS[facingOf(s, thing)];
  for (let n = 1; n <= (thing.sight ?? 0); n++) {
    const [a, b] = [x + n * dx, y + n * dy];
    if (a === s.x && b === s.y) return true;
    if (!'.:",=z'.includes(cell(s, a, b) || '#')) return false;
  }
  return false;
}

/** Where somebody looks; mirrored with the map. @param {State} s @param {Thing} thing */
export function facingOf(s, thing) {
  const way = thing.facing ?? 'down';
  const turned = s.mirrored.includes(place(s).kind === 'indoor' ? s.map : 'open');
  return turned && (way === 'left' || way === 'right') ? BACK[way] : way;
}
