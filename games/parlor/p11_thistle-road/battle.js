// @ts-check
/**
 * The Thistle Road, battles: turn by turn, one creature on each side.
 *
 * @typedef {import('./kinds.js').Creature} Creature
 * @typedef {{what: 'move', index: number} | {what: 'item', item: string, index: number} | {what: 'switch', index: number} | {what: 'run'}} Deed
 * @typedef {{duel: string, trainer: string, foes: Creature[], foe: number, mine: number, shift: {mine: Record<string, number>, foe: Record<string, number>},
 *   must: boolean, runs: number, page: 'main'|'moves'|'bag'|'team', cursor: number, told: string[], since: number, hit: ''|'mine'|'foe', flash: number}} Battle
 *   shift: how far attack and guard are raised or lowered; must: a creature has to be sent; since: lines of earlier turns
 * @typedef {import('./rules.js').State} State
 */

import { stream } from '../../kit/random.js';
import { balm, happen, say, take } from './journal.js';
import { creature, factor, fullOf, kindOf, learn, MOVES, nameOf, nextLevel, statOf } from './kinds.js';
import { land, place } from './land.js';

export const MOST_PARTY = 6;
const FLASH = 10;
const POISON = 2;

/** @param {State} s @param {string} kind @param {number} level */
export function startWild(s, kind, level) {
  begin(s, '', '', [creature(kind, level)]);
}

/** @param {State} s @param {string} id */
export function startDuel(s, id) {
  const { duels, answers, names, starters } = land(s);
  const chosen = starters[s.done.flatMap((d) => (d.startsWith('basket ') ? [Number(d.slice(7))] : []))[0] ?? 0];
  const team = id === 'rival' ? [creature(answers[chosen], 5)] : duels[id].team.map(([kind, level]) => creature(kind, level));
  const trainer = id === 'rival' ? names.rival : (Object.values(place(s).objects).find((o) => o.duel === id)?.name ?? '');
  begin(s, id, trainer, team);
}

/** @param {State} s @param {string} duel @param {string} trainer @param {Creature[]} foes */
function begin(s, duel, trainer, foes) {
  const mine = s.party.findIndex((c) => c.hp > 0);
  const first = nameOf(foes[0]);
  s.battle = {
    duel, trainer, foes, foe: 0, mine, shift: { mine: { attack: 0, guard: 0 }, foe: { attack: 0, guard: 0 } }, must: false, runs: 0,
    page: 'main', cursor: 0,
    told: [duel ? `${trainer} sends ${first}.` : `A wild ${first} appears.`, `Go, ${nameOf(s.party[mine])}!`],
    since: 0, hit: '', flash: 0,
  };
  s.next = '';
}

/** @param {State} s */
const fight = (s) => /** @type {Battle} */ (s.battle);
/** @param {State} s */
export const mineOf = (s) => s.party[fight(s).mine];
/** @param {State} s */
export const foeOf = (s) => fight(s).foes[fight(s).foe];

/** Why a deed is not possible, or ''. @param {State} s @param {Deed} deed */
export function obstacle(s, deed) {
  const b = fight(s);
  if (deed.what === 'switch') {
    const c = s.party[deed.index];
    if (!c) return 'There is no such creature in your party.';
    if (!c.hp) return `${nameOf(c)} has fainted.`;
    return deed.index === b.mine ? `${nameOf(c)} is fighting already.` : '';
  }
  if (b.must) return `${nameOf(mineOf(s))} has fainted; send another creature first.`;
  if (deed.what === 'run') return b.duel ? 'You cannot run from a trainer.' : '';
  if (deed.what === 'move') {
    const { moves } = mineOf(s);
    const move = moves[deed.index];
    if (!move) return 'There is no such move.';
    return !move.left && moves.some((m) => m.left) ? `${MOVES[move.id].title} has no uses left.` : '';
  }
  if (!s.bag[deed.item]) return `There is no ${deed.item} in your bag.`;
  if (deed.item === 'Bell') {
    if (b.duel) return 'A bell does not work on the companion of somebody else.';
    return s.party.length === MOST_PARTY ? 'Your party is full.' : '';
  }
  if (deed.item !== 'Balm') return `${deed.item} is of no use in a battle.`;
  const c = s.party[deed.index];
  if (!c) return 'There is no such creature in your party.';
  return !c.hp ? `${nameOf(c)} has fainted; only a rest helps.` : c.hp === fullOf(c) && !c.poison ? `${nameOf(c)} needs no Balm.` : '';
}

/** Plays one turn, if the deed is possible. Returns the obstacle, or ''. @param {State} s @param {Deed} deed */
export function turn(s, deed) {
  const why = obstacle(s, deed);
  if (why) return why;
  const b = fight(s);
  b.since = b.told.length;
  b.page = 'main';
  b.cursor = 0;
  if (deed.what === 'switch') {
    const free = b.must;
    b.mine = deed.index;
    b.must = false;
    b.shift.mine = { attack: 0, guard: 0 };
    b.told.push(`Go, ${nameOf(mineOf(s))}!`);
    if (!free) foeActs(s);
  } else if (deed.what === 'run') run(s);
  else if (deed.what === 'item') useItem(s, deed.item, deed.index);
  else exchange(s, deed.index);
  if (s.battle) settle(s);
  return '';
}

/** Both use a move, the faster one first. @param {State} s @param {number} index */
function exchange(s, index) {
  const mine = mineOf(s);
  const slot = mine.moves.some((m) => m.left) ? mine.moves[index] : { id: 'flail', left: 1 };
  const ahead = statOf(mine, 'speed') - statOf(foeOf(s), 'speed');
  const first = ahead > 0 || (ahead === 0 && stream(s.rng, 'speed').chance(0.5));
  if (!first) foeActs(s);
  if (mine.hp) {
    slot.left -= 1;
    use(s, 'mine', slot.id);
  }
  if (first && foeOf(s).hp) foeActs(s);
}

/** @param {State} s */
function foeActs(s) {
  const foe = foeOf(s);
  const mine = mineOf(s);
  const open = foe.moves.filter((m) => m.left);
  const draw = stream(s.rng, 'foe');
  const able = open.filter((m) => MOVES[m.id].power);
  const best = able.reduce((a, m) => (worth(foe, mine, m.id) > worth(foe, mine, a.id) ? m : a), able[0]);
  const slot = best && draw.chance(fight(s).duel ? 0.7 : 0.4) ? best : open.length ? draw.pick(open) : { id: 'flail', left: 1 };
  slot.left -= 1;
  use(s, 'foe', slot.id);
}

/** @param {Creature} by @param {Creature} on @param {string} id */
const worth = (by, on, id) => MOVES[id].power * MOVES[id].accuracy * factor(MOVES[id].type, kindOf(on).type) * (MOVES[id].type === kindOf(by).type ? 1.25 : 1);

/** @param {number} stage */
const scaled = (stage) => (stage >= 0 ? (4 + stage) / 4 : 4 / (4 - stage));

/** @param {State} s @param {'mine'|'foe'} side @param {string} id */
function use(s, side, id) {
  const b = fight(s);
  const other = side === 'mine' ? 'foe' : 'mine';
  const [by, on] = side === 'mine' ? [mineOf(s), foeOf(s)] : [foeOf(s), mineOf(s)];
  const whose = (/** @type {'mine'|'foe'} */ w) => (w === 'mine' ? nameOf(mineOf(s)) : `${b.duel ? 'Their' : 'The wild'} ${nameOf(foeOf(s))}`);
  const move = MOVES[id];
  const luck = stream(s.rng, 'battle');
  const hits = luck.int(1, 100) <= move.accuracy;
  const spread = luck.float(0.85, 1);
  if (!hits) return void b.told.push(`${whose(side)} uses ${move.title}, and misses.`);
  const shifted = move.lowers ?? move.raises;
  if (shifted) {
    const target = move.lowers ? other : side;
    const by1 = move.lowers ? -1 : 1;
    const before = b.shift[target][shifted];
    b.shift[target][shifted] = Math.max(-4, Math.min(4, before + by1));
    const change = before === b.shift[target][shifted] ? 'cannot change any further' : by1 > 0 ? 'rises' : 'falls';
    const what = target === side ? `Its ${shifted}` : `The ${shifted} of ${whose(target).replace(/^T/, 't')}`;
    return void b.told.push(`${whose(side)} uses ${move.title}. ${what} ${change}.`);
  }
  const times = factor(move.type, kindOf(on).type);
  const ratio = (statOf(by, 'attack') * scaled(b.shift[side].attack)) / (statOf(on, 'guard') * scaled(b.shift[other].guard));
  const own = move.type === kindOf(by).type ? 1.25 : 1;
  const damage = Math.min(on.hp, 1 + Math.floor(move.power * ratio * (0.5 + by.level / 20) * times * own * spread));
  on.hp -= damage;
  b.hit = other;
  b.flash = FLASH;
  b.told.push(`${whose(side)} uses ${move.title}: ${damage} damage.${times > 1 ? ' It is very effective.' : times < 1 ? ' It is not very effective.' : ''}`);
  if (move.poison && on.hp && !on.poison && luck.int(1, 100) <= move.poison) {
    on.poison = true;
    b.told.push(`${whose(other)} is poisoned.`);
  }
}

/** @param {State} s */
function run(s) {
  const b = fight(s);
  b.runs += 1;
  const chance = 0.5 + 0.15 * b.runs + (statOf(mineOf(s), 'speed') - statOf(foeOf(s), 'speed')) / 40;
  if (stream(s.rng, 'run').chance(chance)) return end(s, ['You got away.'], '');
  b.told.push('You could not get away.');
  foeActs(s);
}

/** @param {State} s @param {string} item @param {number} index */
function useItem(s, item, index) {
  const b = fight(s);
  if (item === 'Balm') {
    b.told.push(`You use a Balm. ${balm(s, s.party[index])}`);
    return foeActs(s);
  }
  take(s, item);
  const foe = foeOf(s);
  const chance = 0.3 + 0.5 * (1 - foe.hp / fullOf(foe)) + kindOf(foe).ease / 100 + (foe.poison ? 0.1 : 0);
  if (stream(s.rng, 'bell').chance(chance)) {
    s.party.push(foe);
    end(s, [`The bell rings, and ${nameOf(foe)} listens. It joins your party.`], '');
    return happen(s, 'friend');
  }
  b.told.push(`The bell rings, but ${nameOf(foe)} does not listen.`);
  foeActs(s);
}

/** After a turn: poison, who has fainted, who comes next. @param {State} s */
function settle(s) {
  const b = fight(s);
  for (const c of [mineOf(s), foeOf(s)]) {
    if (!c.poison || !c.hp || !mineOf(s).hp || !foeOf(s).hp) continue;
    c.hp = Math.max(0, c.hp - POISON);
    b.told.push(`${nameOf(c)} loses ${POISON} HP to poison.`);
  }
  if (!foeOf(s).hp) {
    b.told.push(`${nameOf(foeOf(s))} faints.`);
    if (mineOf(s).hp) gain(s);
    if (b.foe + 1 < b.foes.length) {
      b.foe += 1;
      b.shift.foe = { attack: 0, guard: 0 };
      b.told.push(`${b.trainer} sends ${nameOf(foeOf(s))}.`);
    } else return victory(s);
  }
  if (mineOf(s).hp) return;
  b.told.push(`${nameOf(mineOf(s))} faints.`);
  if (s.party.some((c) => c.hp)) {
    b.must = true;
    b.page = 'team';
    return;
  }
  defeat(s);
}

/** @param {State} s */
function gain(s) {
  const b = fight(s);
  const c = mineOf(s);
  const xp = foeOf(s).level * (b.duel ? 4 : 3);
  c.xp += xp;
  b.told.push(`${nameOf(c)} gains ${xp} experience.`);
  while (c.xp >= nextLevel(c.level)) {
    c.xp -= nextLevel(c.level);
    const before = fullOf(c);
    c.level += 1;
    c.hp += fullOf(c) - before;
    b.told.push(`${nameOf(c)} grows to level ${c.level}.`);
    for (const [at, id] of kindOf(c).learns) {
      if (at !== c.level) continue;
      learn(c, id);
      b.told.push(`It learns ${MOVES[id].title}.`);
    }
  }
}

const TENDED = 'The warden tends to your creature.';

/** What a trainer says. @param {Battle} b @param {string[]} lines */
const spoken = (b, lines) => lines.map((line) => `${b.trainer}: ${line}`);

/** @param {State} s */
function victory(s) {
  const b = fight(s);
  if (!b.duel) return end(s, ['You won.'], '');
  const { prize, won } = land(s).duels[b.duel];
  s.coins += prize;
  s.done.push(`duel ${b.duel}`);
  const rest = b.duel === 'rival' ? ` ${TENDED}` : '';
  end(s, [...spoken(b, won), `You win ${prize} coins.${rest}`], b.duel === 'rival' ? 'duel' : `won ${b.duel}`);
}

/** @param {State} s */
function defeat(s) {
  const b = fight(s);
  if (b.duel === 'rival') return end(s, [...spoken(b, land(s).duels.rival.lost), TENDED], 'duel');
  const lost = Math.floor(s.coins / 4);
  s.coins -= lost;
  const words = b.duel ? spoken(b, land(s).duels[b.duel].lost) : [];
  end(s, [...words, `All your creatures have fainted. You lose ${lost} coins on the way back, and wake where you last rested.`], 'wake');
}

/** Ends the battle; what was told in the last turn is the first page. @param {State} s @param {string[]} pages @param {string} then */
function end(s, pages, then) {
  const b = fight(s);
  const last = b.told.slice(b.since).join(' ');
  s.battle = null;
  for (const c of s.party) if (!c.hp) c.poison = false;
  say(s, '', [...(last ? [last] : []), ...pages], { then });
}
