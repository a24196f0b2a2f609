// @ts-check
/** Four Deep in words: the acting hero with all skills, the party, the enemies, and what has just happened. */

import { CREATURES } from './data.js';
import { acting, kindOf, usable } from './fight.js';
import { ALL_ROOMS, story } from './rules.js';

/** @typedef {import('./rules.js').State} State */
const RECENT = 4;

/** @param {State} s */
export function describe(s) {
  const h = acting(s);
  return [
    `Room ${Math.min(s.rooms + 1, ALL_ROOMS)} of ${ALL_ROOMS}, ${s.rooms} cleared.${s.round ? ` Round ${s.round} of the fight.` : ''} Food: ${s.food}, torches: ${s.torches}.`,
    ...(h ? asked(s, h) : ['No hero can act at this moment.']),
    'PARTY (from rank 1 on):',
    ...s.heroes.flatMap((o, i) => [
      `${i + 1}. ${o.name} (${kindOf(o).title}): HP ${o.hp}/${o.max}, stress ${o.stress}/200${marks(o, o === h)}`,
      ...(h && o !== h ? [`   slots: ${kindOf(o).skills.map((k, n) => `${n + 1} ${k.name} ${reach(k)}`).join('; ')}`] : []),
    ]),
    ...(s.fallen.length ? [`Dead: ${s.fallen.join(', ')}.`] : []),
    'ENEMIES (from rank 1 on):',
    ...(s.foes.length ? s.foes.map((f, i) => `${i + 1}. ${foe(f)}`) : ['none']),
    'Just now:',
    ...story(s).slice(-RECENT),
    ...(s.refused ? [`Refused: ${s.refused}`] : []),
  ].join('\n');
}

/** @param {State} s @param {import('./rules.js').Hero} h */
function asked(s, h) {
  const rank = s.heroes.indexOf(h) + 1;
  const { title, damage, crit, dodge, protection, skills } = kindOf(h);
  return [
    `ACTING HERO: ${h.name} (${title}), rank ${rank}, HP ${h.hp}/${h.max}, stress ${h.stress}, damage ${damage.join('-')}, critical ${crit}%, dodge ${dodge}, protection ${protection}%`,
    ...skills.map((k, i) => {
      const state = !k.use.includes(rank) ? `UNAVAILABLE from rank ${rank}` : usable(s, h, k) ? 'AVAILABLE' : 'NO TARGET';
      return `Slot ${i + 1}: ${k.name} ${reach(k)} [${state}] ${effects(k).join(', ')}`;
    }),
    `The next command is for ${h.name}. The one after it is for ${following(s, h)}.`,
  ];
}

/** The heroes of whom one has the turn after the acting hero's. @param {State} s @param {import('./rules.js').Hero} h */
function following(s, h) {
  const waiting = s.heroes.filter((o) => o !== h && !o.moved).map((o) => o.name);
  if (!waiting.length) return 'the first hero of the next round or room';
  return `${waiting.length > 1 ? `${waiting.slice(0, -1).join(', ')} or ${waiting[waiting.length - 1]}` : waiting[0]}, if able to act and the fight goes on`;
}

/** @param {import('./data.js').Skill} k */
const reach = (k) => `(${k.aim === 'enemy' ? 'attack' : 'heal'}; from ranks ${list(k.use)}; ${k.all ? 'all of' : 'one of'} ${k.aim === 'enemy' ? 'enemy' : 'party'} ranks ${list(k.at)})`;

/** @param {number[]} ranks */
const list = (ranks) => `[${ranks.join(', ')}]`;

/** What a skill does, in short parts. @param {import('./data.js').Skill} k */
export function effects(k) {
  const out = [];
  if (k.accuracy) out.push(`accuracy ${k.accuracy}%`);
  if (k.damage === -100) out.push('no damage');
  else if (k.damage) out.push(`damage ${k.damage > 0 ? '+' : ''}${k.damage}%`);
  if (k.crit) out.push(`critical +${k.crit}%`);
  if (k.pierce) out.push('ignores protection');
  if (k.stun) out.push(`stun ${k.stun}%`);
  if (k.bleed) out.push(`bleed ${k.bleed[0]} for ${k.bleed[1]} turns`);
  if (k.blight) out.push(`blight ${k.blight[0]} for ${k.blight[1]} turns`);
  if (k.push) out.push(`pushes back ${k.push}`);
  if (k.heal) out.push(`HP +${k.heal.join('-')}`);
  if (k.calm) out.push(`stress -${k.calm}`);
  if (k.cure) out.push('cures bleed and blight');
  if (k.guard) out.push('takes single blows meant for the ally until its next turn');
  if (k.drain) out.push(`a hit heals its user ${k.drain}`);
  if (k.forward) out.push(k.forward > 0 ? `moves forward ${k.forward}` : `moves back ${-k.forward}`);
  return out;
}

/** @param {import('./rules.js').Hero | import('./rules.js').Foe} u @param {boolean} [acts] it is this one's turn */
export function marks(u, acts = false) {
  const out = [];
  if ('stress' in u) {
    if (!u.hp) out.push("AT DEATH'S DOOR");
    if (u.mind) out.push(u.mind);
    if (u.guard) out.push('guarded');
  }
  if (u.stun) out.push('stunned');
  if (u.bleed.turns) out.push(`bleed ${u.bleed.amount} for ${u.bleed.turns}`);
  if (u.blight.turns) out.push(`blight ${u.blight.amount} for ${u.blight.turns}`);
  if (u.moved && !acts) out.push('already moved');
  return out.map((m) => `, ${m}`).join('');
}

/** @param {import('./rules.js').Foe} f */
function foe(f) {
  const { title, protection, dodge, steady, threat } = CREATURES[f.kind];
  if (f.corpse) return `Corpse of ${title}: HP ${f.hp}/${f.max}, holds its rank until it is hit to pieces or two rounds have passed`;
  return `${title}: HP ${f.hp}/${f.max}, protection ${protection}%, dodge ${dodge}, stun resistance ${steady}%, threat ${threat}${marks(f)}`;
}
