// @ts-check
/** Four Deep, one fight: whose turn it is, what a skill does, wounds, stress and death. Nothing here takes time. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';
import { CREATURES, KINDS } from './data.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {import('./rules.js').Hero} Hero */
/** @typedef {import('./rules.js').Foe} Foe */
/** @typedef {import('./data.js').Skill} Skill */

/** Stress at which a hero is tried, and at which a hero collapses. */
export const TRIED = 100;
export const MOST_STRESS = 200;
/** After this round of a fight every round tires all heroes, each by so much more than the one before. */
export const LONG = 8;
const LONG_STRESS = 5;
const DEATH_BLOW = 0.33;
const CORPSE_ROUNDS = 2;
/** What a hero resists of being stunned, in percent. */
const STEADY = 30;

export const none = () => ({ amount: 0, turns: 0 });

/** Adds a line to what happened. @param {State} s @param {string} line */
export function tell(s, line) {
  s.told.push(line);
}

/** @param {Hero} h */
export const kindOf = (h) => KINDS[h.kind];
/** @param {Foe} f */
export const creatureOf = (f) => CREATURES[f.kind];
/** The name of a foe, with its rank where several are alike. @param {State} s @param {Foe} f */
export function foeName(s, f) {
  const { title } = creatureOf(f);
  return s.foes.filter((o) => o.kind === f.kind).length > 1 ? `${title} ${s.foes.indexOf(f) + 1}` : title;
}

/** The hero whose turn it is. @param {State} s */
export const acting = (s) => s.heroes.find((h) => h.id === s.acting) ?? null;

/** Why the acting hero cannot use a skill on a target, or ''. @param {State} s @param {Hero} h @param {Skill} skill @param {number} target */
export function obstacle(s, h, skill, target) {
  const rank = s.heroes.indexOf(h) + 1;
  if (!skill.use.includes(rank)) return `${h.name} stands in rank ${rank} and can use ${skill.name} only from ${ranks(skill.use)}.`;
  if (!skill.at.includes(target)) return `${skill.name} reaches only ${ranks(skill.at)}, not rank ${target}.`;
  const side = skill.aim === 'enemy' ? s.foes : s.heroes;
  if (!side[target - 1]) return `There is no ${skill.aim} in rank ${target}.`;
  return '';
}

/** @param {number[]} list */
export const ranks = (list) => (list.length === 1 ? `rank ${list[0]}` : `ranks ${list.slice(0, -1).join(', ')} and ${list[list.length - 1]}`);

/** Whether a skill has any target now. @param {State} s @param {Hero} h @param {Skill} skill */
export const usable = (s, h, skill) => skill.at.some((rank) => !obstacle(s, h, skill, rank));

/** The next turn: a foe acts, a stunned one loses it, a hero is asked. @param {State} s */
export function nextTurn(s) {
  const order = stream(s.rng, 'order');
  const waiting = [...s.heroes, ...s.foes.filter((f) => !f.corpse)].filter((u) => !u.moved);
  if (!waiting.length) return newRound(s);
  const speeds = waiting.map((u) => ('stress' in u ? kindOf(u).speed : creatureOf(u).speed) + order.int(0, 7));
  const unit = waiting[speeds.indexOf(Math.max(...speeds))];
  unit.moved = true;
  if ('stress' in unit) heroTurn(s, unit);
  else foeTurn(s, unit);
}

/** @param {State} s */
function newRound(s) {
  s.round += 1;
  for (const u of [...s.heroes, ...s.foes]) u.moved = false;
  s.foes = s.foes.filter((f) => f.corpse !== 1);
  for (const f of s.foes) if (f.corpse) f.corpse -= 1;
  if (s.round > LONG) {
    const amount = LONG_STRESS * (s.round - LONG);
    tell(s, `The fight drags on: every hero gains ${amount} stress.`);
    for (const h of [...s.heroes]) stress(s, h, amount, false);
  }
}

/** @param {State} s @param {Hero} h */
function heroTurn(s, h) {
  for (const other of s.heroes) if (other.guard === h.id) other.guard = '';
  if (!suffer(s, h)) return;
  if (h.stun) {
    h.stun = 0;
    h.firm = 50;
    tell(s, `${h.name} is stunned and loses the turn.`);
    return;
  }
  h.firm = 0;
  const mood = stream(s.rng, 'mood').float();
  if (h.mind === 'afflicted' && mood < 0.25) {
    tell(s, `${h.name} despairs and loses the turn; the others gain 3 stress.`);
    for (const other of [...s.heroes]) if (other !== h) stress(s, other, 3, false);
    return;
  }
  if (s.heroes.length === 1 && !kindOf(h).skills.some((k) => usable(s, h, k))) {
    tell(s, `${h.name} can do nothing from here and passes.`);
    return;
  }
  s.acting = h.id;
}

/** @param {State} s @param {Foe} f */
function foeTurn(s, f) {
  if (!suffer(s, f)) return;
  if (f.stun) {
    f.stun = 0;
    f.firm = 50;
    tell(s, `${foeName(s, f)} is stunned and loses the turn.`);
    return;
  }
  f.firm = 0;
  const luck = stream(s.rng, 'foes');
  const rank = s.foes.indexOf(f) + 1;
  const blows = creatureOf(f).blows.filter((b) => b.use.includes(rank) && b.at.some((r) => s.heroes[r - 1]));
  if (!blows.length) {
    const to = rank > 1 ? rank - 2 : rank;
    if (s.foes[to]) shift(s.foes, rank - 1, to);
    tell(s, `${creatureOf(f).title} moves.`);
    return;
  }
  const blow = luck.pick(blows);
  const there = blow.at.flatMap((r) => s.heroes[r - 1] ?? []);
  const hit = blow.all ? [...there] : [luck.pick(there)];
  s.show = { from: f.id, to: hit.map((h) => h.id) };
  if (blow.all) tell(s, `${foeName(s, f)} ${blow.name} everyone.`);
  for (let h of hit) {
    const guard = blow.all ? null : s.heroes.find((o) => o.id === h.guard);
    h = guard ?? h;
    strike(s, f, h, blow);
  }
}

/** One blow of a foe. @param {State} s @param {Foe} f @param {Hero} h @param {import('./data.js').Blow} blow */
function strike(s, f, h, blow) {
  const luck = stream(s.rng, 'foes');
  const [chance, amount, critical] = [luck.float(0, 100), luck.int(blow.damage[0], blow.damage[1]), luck.float(0, 100)];
  const [stunned, pulled] = [luck.float(0, 100), blow.pull ?? 0];
  const who = blow.all ? '' : `${foeName(s, f)} ${blow.name} `;
  if (chance >= Math.max(5, blow.accuracy - kindOf(h).dodge)) return tell(s, `${who}${h.name}${blow.all ? ' is missed' : ' and misses'}.`);
  const crit = critical < (blow.crit ?? 0);
  const damage = wound(amount * (crit ? 1.5 : 1), kindOf(h).protection);
  const parts = [];
  if (blow.damage[1] > 0) parts.push(`${damage} damage`);
  const strain = (blow.stress ?? 0) + (crit ? 6 : 0);
  if (strain) parts.push(`${strain} stress`);
  if (blow.bleed) parts.push(`bleeds ${blow.bleed[0]} for ${blow.bleed[1]} turns`);
  tell(s, `${who}${h.name}${crit ? ', critically' : ''}: ${parts.join(', ')}.`);
  if (blow.bleed) h.bleed = { amount: h.bleed.amount + blow.bleed[0], turns: blow.bleed[1] };
  if (blow.stun && stunned < blow.stun - h.firm - STEADY) {
    h.stun = 1;
    tell(s, `${h.name} is stunned.`);
  }
  if (pulled) {
    const at = s.heroes.indexOf(h);
    if (at) tell(s, `${h.name} is pulled to rank ${Math.max(0, at - pulled) + 1}.`);
    shift(s.heroes, at, Math.max(0, at - pulled));
  }
  if (damage) hurt(s, h, damage);
  if (s.heroes.includes(h)) stress(s, h, strain, false);
}

/** @param {number} amount @param {number} protection percent */
const wound = (amount, protection) => Math.max(0, Math.round(amount * (1 - protection / 100)));

/** Bleeding and blight at the start of a turn. Returns whether the unit lives. @param {State} s @param {Hero | Foe} u */
function suffer(s, u) {
  const lost = (u.bleed.turns ? u.bleed.amount : 0) + (u.blight.turns ? u.blight.amount : 0);
  for (const wound of [u.bleed, u.blight]) {
    wound.turns = Math.max(0, wound.turns - 1);
    if (!wound.turns) wound.amount = 0;
  }
  if (!lost) return true;
  tell(s, `${'stress' in u ? u.name : foeName(s, u)} loses ${lost} to bleeding or blight.`);
  return hurt(s, u, lost);
}

/** Takes health. Returns whether the unit lives. @param {State} s @param {Hero | Foe} u @param {number} amount @param {boolean} [clean] */
function hurt(s, u, amount, clean = false) {
  if (!('stress' in u)) {
    u.hp -= amount;
    if (u.hp > 0) return true;
    const { title } = creatureOf(u);
    tell(s, u.corpse ? `The corpse of ${title} falls apart.` : `${title} dies${clean ? '' : ' and leaves a corpse'}.`);
    if (u.corpse || clean) s.foes = s.foes.filter((f) => f !== u);
    else Object.assign(u, { corpse: CORPSE_ROUNDS, hp: Math.ceil(u.max / 3), stun: 0, bleed: none(), blight: none() });
    return false;
  }
  if (u.hp > 0) {
    u.hp = Math.max(0, u.hp - amount);
    if (!u.hp) tell(s, `${u.name} is at death's door.`);
    return true;
  }
  if (!stream(s.rng, 'death').chance(DEATH_BLOW)) return true;
  return die(s, u);
}

/** @param {State} s @param {Hero} h */
function die(s, h) {
  s.heroes = s.heroes.filter((o) => o !== h);
  s.fallen.push(h.name);
  if (s.acting === h.id) s.acting = '';
  tell(s, `${h.name} dies.`);
  if (!s.heroes.length) finish(s, 'fail', `All heroes are dead. Rooms cleared: ${s.rooms}.`);
  for (const other of [...s.heroes]) stress(s, other, 15, false);
  return false;
}

/** Adds stress, and tries a hero who has much of it. @param {State} s @param {Hero} h @param {number} amount @param {boolean} told */
export function stress(s, h, amount, told) {
  if (!amount || !s.heroes.includes(h)) return;
  const before = h.stress;
  h.stress = Math.max(0, Math.min(MOST_STRESS, h.stress + amount));
  if (told) tell(s, `${h.name}: ${amount > 0 ? '+' : ''}${h.stress - before} stress.`);
  if (amount < 0 || before === h.stress) {
    if (!h.stress) h.mind = '';
    return;
  }
  if (h.stress >= TRIED && !h.mind) {
    if (stream(s.rng, 'mind').chance(0.25)) {
      h.mind = 'steadfast';
      h.stress = 60;
      tell(s, `${h.name}'s resolve is tested: steadfast.`);
      for (const other of s.heroes) if (other !== h) other.stress = Math.max(0, other.stress - 5);
    } else {
      h.mind = 'afflicted';
      tell(s, `${h.name}'s resolve is tested: afflicted.`);
    }
  }
  if (h.stress < MOST_STRESS) return;
  tell(s, `${h.name} collapses.`);
  h.stress = 170;
  if (h.hp > 0) h.hp = 0;
  else die(s, h);
}

/** Moves one of a side. @template T @param {T[]} side @param {number} from @param {number} to */
export function shift(side, from, to) {
  const [unit] = side.splice(from, 1);
  side.splice(Math.min(to, side.length), 0, unit);
}

/** The acting hero uses a skill. @param {State} s @param {Hero} h @param {Skill} skill @param {number} target */
export function useSkill(s, h, skill, target) {
  if (skill.aim === 'hero') aid(s, h, skill, target);
  else attack(s, h, skill, target);
  if (skill.forward) {
    const at = s.heroes.indexOf(h);
    shift(s.heroes, at, Math.max(0, at - skill.forward));
  }
}

/** @param {State} s @param {Hero} h @param {Skill} skill @param {number} target */
function aid(s, h, skill, target) {
  const luck = stream(s.rng, 'heroes');
  const amount = skill.heal ? luck.int(skill.heal[0], skill.heal[1]) : 0;
  const helped = skill.all ? skill.at.flatMap((r) => s.heroes[r - 1] ?? []) : [s.heroes[target - 1]];
  s.show = { from: h.id, to: helped.map((o) => o.id) };
  tell(s, `${h.name} uses ${skill.name}${skill.all ? '' : ` on ${helped[0].name}`}.`);
  for (const one of helped) {
    const before = one.hp;
    one.hp = Math.min(one.max, one.hp + amount);
    if (one.hp > before) tell(s, `${one.name} gains ${one.hp - before} health.`);
    if (skill.calm) stress(s, one, -skill.calm, one.stress > 0);
    if (skill.cure) Object.assign(one, { bleed: none(), blight: none() });
    if (skill.guard && one !== h) one.guard = h.id;
  }
}

/** @param {State} s @param {Hero} h @param {Skill} skill @param {number} target */
function attack(s, h, skill, target) {
  const luck = stream(s.rng, 'heroes');
  const hit = skill.all ? skill.at.flatMap((r) => s.foes[r - 1] ?? []) : [s.foes[target - 1]];
  s.show = { from: h.id, to: hit.map((f) => f.id) };
  const kind = kindOf(h);
  for (const f of hit) {
    const base = luck.int(kind.damage[0], kind.damage[1]) * (1 + (skill.damage ?? 0) / 100);
    const [chance, critical, stunned] = [luck.float(0, 100), luck.float(0, 100), luck.float(0, 100)];
    const name = f.corpse ? `the corpse of ${creatureOf(f).title}` : foeName(s, f);
    const said = `${h.name} uses ${skill.name} on ${name}`;
    if (!f.corpse && chance >= Math.max(5, Math.min(95, (skill.accuracy ?? 0) - creatureOf(f).dodge))) {
      tell(s, `${said} and misses.`);
      continue;
    }
    const crit = base > 0 && critical < kind.crit + (skill.crit ?? 0);
    const damage = wound(base * (crit ? 1.5 : 1), skill.pierce ? 0 : creatureOf(f).protection);
    tell(s, `${said}${crit ? ', critically' : ''}: ${damage} damage.`);
    if (crit) for (const one of s.heroes) stress(s, one, one === h ? -4 : -2, false);
    if (skill.drain) h.hp = Math.min(h.max, h.hp + skill.drain);
    if (f.corpse) {
      hurt(s, f, damage);
      continue;
    }
    if (skill.bleed) f.bleed = { amount: f.bleed.amount + skill.bleed[0], turns: skill.bleed[1] };
    if (skill.blight) f.blight = { amount: f.blight.amount + skill.blight[0], turns: skill.blight[1] };
    if (skill.stun && stunned < skill.stun - creatureOf(f).steady - f.firm) {
      f.stun = 1;
      tell(s, `${name} is stunned.`);
    }
    if (damage && !hurt(s, f, damage, crit)) continue;
    if (skill.push) {
      const at = s.foes.indexOf(f);
      shift(s.foes, at, at + skill.push);
    }
  }
}
