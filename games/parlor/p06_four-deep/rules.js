// @ts-check
/**
 * Four Deep, the expedition: five rooms with a fight each, and the corridors between them, which are walked by rule.
 *
 * A person and a command do the same deeds (`deed`), and all turns up to the next hero's follow at once (`resolve`).
 *
 * @typedef {{amount: number, turns: number}} Wound
 * @typedef {{id: string, kind: string, name: string, hp: number, max: number, stress: number, mind: ''|'afflicted'|'steadfast',
 *   moved: boolean, stun: number, firm: number, guard: string, bleed: Wound, blight: Wound}} Hero  guard: who stands before this hero
 * @typedef {{id: string, kind: string, hp: number, max: number, corpse: number, moved: boolean, stun: number, firm: number, bleed: Wound,
 *   blight: Wound}} Foe  corpse: rounds for which it still lies there, 0 while it lives; firm: percent less to be stunned again
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { CREATURES, KINDS, PARTIES, ROOMS } from './data.js';
import { acting, kindOf, nextTurn, none, obstacle, shift, stress, tell, usable, useSkill } from './fight.js';

export const ALL_ROOMS = 5;
/** Updates for which the last one who acted leans forward in the picture. */
export const PACE = 24;
const MEALS = 2;
const MEAL = 4;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const party = oneOf(options, 'party', Object.keys(PARTIES), 'oath');
  /** @type {Hero[]} */
  const heroes = PARTIES[party].map(([kind, name], i) => ({
    id: `h${i}`, kind, name, hp: KINDS[kind].hp, max: KINDS[kind].hp, stress: 0, mind: '', moved: false, stun: 0, firm: 0, guard: '',
    bleed: none(), blight: none(),
  }));
  const s = {
    rng,
    party,
    /** Both sides from rank 1 on. */
    heroes,
    foes: /** @type {Foe[]} */ ([]),
    /** Names of dead heroes. @type {string[]} */
    fallen: [],
    /** Cleared rooms. */
    rooms: 0,
    round: 0,
    /** The hero who is asked for an action, or ''. */
    acting: '',
    food: 8,
    torches: 8,
    /** What happened, and how much of it was there when the last action began. @type {string[]} */
    told: [],
    since: 0,
    /** Why the last action was refused, or ''. */
    refused: '',
    /** For the picture: who acted last, and on whom; updates for which that is still shown; the skill that a person
     * has chosen, from 1, and the one that each hero used last; updates since the start. */
    show: { from: '', to: /** @type {string[]} */ ([]) },
    lean: 0,
    chosen: 0,
    last: /** @type {Record<string, number>} */ ({}),
    age: 0,
    over: /** @type {{outcome: string, reason: string}|null} */ (null),
  };
  enterRoom(s);
  resolve(s);
  return s;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s */
function enterRoom(s) {
  const chance = stream(s.rng, 'rooms');
  const kinds = chance.pick(ROOMS[s.party][s.rooms]);
  s.foes = kinds.map((kind, i) => ({
    id: `f${s.rooms}${i}`, kind, hp: CREATURES[kind].hp, max: CREATURES[kind].hp, corpse: 0, moved: false, stun: 0, firm: 0, bleed: none(), blight: none(),
  }));
  s.round = 1;
  for (const h of s.heroes) Object.assign(h, { moved: false, stun: 0, firm: 0, guard: '', bleed: none(), blight: none() });
  tell(s, `Room ${s.rooms + 1} of ${ALL_ROOMS}: ${kinds.map((k) => CREATURES[k].title).join(', ')}.`);
  // The first room is quiet; later ones may surprise the party: its first hero finds herself in the last rank.
  if (s.rooms && s.heroes.length > 1 && chance.chance(0.25)) {
    shift(s.heroes, 0, s.heroes.length - 1);
    tell(s, `Surprised! ${s.heroes[s.heroes.length - 1].name} is driven to rank ${s.heroes.length}.`);
  }
}

/** Plays every turn until a hero is asked for an action or the expedition is over. No turn takes time: a key press that
 * is carried out leads to the next hero's turn, as a command does. @param {State} s */
export function resolve(s) {
  while (!s.acting && !s.over) {
    nextTurn(s);
    settle(s);
  }
}

/** After each turn: is the room cleared? @param {State} s */
function settle(s) {
  if (s.over || s.foes.some((f) => !f.corpse)) return;
  s.acting = '';
  s.foes = [];
  s.round = 0;
  s.rooms += 1;
  tell(s, `Room ${s.rooms} is cleared.`);
  if (s.rooms === ALL_ROOMS) return finish(s, 'win', `The expedition is complete: ${s.heroes.length} heroes alive, total stress ${totalStress(s)}.`);
  corridor(s);
  if (!s.over) enterRoom(s);
}

/** What happens between two rooms: a torch burns, the wounded eat, sometimes there is a trap. @param {State} s */
function corridor(s) {
  const chance = stream(s.rng, 'corridor');
  s.torches -= 1;
  for (let meal = 0; meal < MEALS && s.food; meal++) {
    const hungry = s.heroes.reduce((a, b) => (b.max - b.hp > a.max - a.hp ? b : a));
    if (hungry.max - hungry.hp < MEAL) break;
    hungry.hp += MEAL;
    s.food -= 1;
    tell(s, `${hungry.name} eats and gains ${MEAL} health.`);
  }
  const [trap, who] = [chance.chance(0.3), chance.pick(s.heroes)];
  if (!trap) return;
  who.hp = Math.max(1, who.hp - 3);
  tell(s, `${who.name} springs a trap: 3 damage, 4 stress.`);
  stress(s, who, 4, false);
}

/**
 * The acting hero does something. Returns whether it could be done; `waste` takes the turn of a refused command.
 * @param {State} s @param {'attack'|'heal'|'forward'|'backward'} what @param {{target?: number, slot?: number, rank?: number, by?: number}} given
 */
export function deed(s, what, given) {
  const h = acting(s);
  if (!h || s.over) return false;
  s.refused = what === 'attack' || what === 'heal' ? skillDeed(s, h, what, given.target ?? 0, given.slot ?? 0) : swap(s, h, what, given.rank ?? 0, given.by ?? 0);
  if (s.refused) return false;
  endTurn(s);
  return true;
}

/** The acting hero loses the turn for a command that was refused. @param {State} s */
export function waste(s) {
  const h = acting(s);
  if (!h || s.over) return;
  begin(s);
  tell(s, `${h.name} loses the turn.`);
  endTurn(s);
}

/** @param {State} s */
function endTurn(s) {
  s.acting = '';
  s.chosen = 0;
  s.lean = PACE;
  settle(s);
  resolve(s);
}

/** @param {State} s @param {Hero} h @param {string} what @param {number} target @param {number} slot */
function skillDeed(s, h, what, target, slot) {
  const skill = kindOf(h).skills[slot - 1];
  if ((skill.aim === 'enemy') !== (what === 'attack')) return `Slot ${slot} of ${h.name} is ${skill.name}, which is for ${skill.aim === 'enemy' ? 'attack' : 'heal'}, not for ${what}.`;
  const no = obstacle(s, h, skill, target);
  if (no) return no;
  begin(s);
  s.last[h.id] = slot;
  useSkill(s, h, skill, target);
  return '';
}

/** @param {State} s @param {Hero} h @param {string} what @param {number} rank @param {number} by */
function swap(s, h, what, rank, by) {
  const at = s.heroes.indexOf(h);
  if (rank !== at + 1) return `It is the turn of ${h.name}, who stands in rank ${at + 1}, not in rank ${rank}.`;
  const to = what === 'forward' ? at - by : at + by;
  if (to < 0 || to >= s.heroes.length) return `${h.name} cannot move ${what} by ${by} from rank ${rank}.`;
  begin(s);
  shift(s.heroes, at, to);
  s.show = { from: h.id, to: [] };
  tell(s, `${h.name} moves to rank ${to + 1}.`);
  return '';
}

/** From here on everything told belongs to this action. @param {State} s */
function begin(s) {
  s.told = s.told.slice(s.since);
  s.since = s.told.length;
}

/** What happened since the last action began. @param {State} s */
export const story = (s) => s.told.slice(s.since);

/** Living heroes' stress, and 200 for each dead one. @param {State} s */
export const totalStress = (s) => s.heroes.reduce((sum, h) => sum + h.stress, 0) + 200 * s.fallen.length;

/** @param {State} s */
export function observe(s) {
  const h = acting(s);
  const skills = h
    ? kindOf(h).skills.map((k, i) => ({
        ...k, slot: i + 1, usable: usable(s, h, k), hits: kindOf(h).damage.map((d) => d * (1 + (k.damage ?? 0) / 100)),
      }))
    : [];
  return {
    game_state: {
      score: s.rooms,
      level: s.rooms + 1,
      progress: s.rooms,
      rooms: s.rooms,
      all_rooms: ALL_ROOMS,
      alive: s.heroes.length,
      stress: totalStress(s),
      cleared: s.rooms === ALL_ROOMS,
      round: s.round,
      acting: s.acting,
      rank: h ? s.heroes.indexOf(h) + 1 : 0,
      skills,
      heroes: s.heroes,
      entities: s.foes.map((f) => ({ ...f, steady: CREATURES[f.kind].steady, threat: CREATURES[f.kind].threat, protection: CREATURES[f.kind].protection, dodge: CREATURES[f.kind].dodge })),
      food: s.food,
      torches: s.torches,
      chosen: s.chosen,
      refused: s.refused,
    },
    metrics: { fallen: s.fallen.length },
  };
}
