// @ts-check
/** The Long Stair in words: you, your items, your hand and the enemies, or the cards that you can take. */

import { aimed, CARDS, CLIMBER, ITEMS, say, title } from './cards.js';
import { FLOORS, KINDS } from './foes.js';
import { damage, MOST_MISSTEPS } from './rules.js';

export const WHEN = { battle: 'when a battle begins', turn: 'in each turn', win: 'after a won battle' };
const PLACE = { battle: 'a battle', hard: 'a hard battle', boss: 'the battle with a keeper' };

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const floor = s.phase === 'battle' ? s.cleared + 1 : s.cleared;
  const kind = PLACE[/** @type {'battle'} */ (s.floors[floor - 1])];
  const head = `Floor ${floor} of ${FLOORS}, ${kind}. Floors cleared: ${s.cleared}. Keepers beaten: ${s.bosses} of 3.`;
  const news = s.news.length && (s.turn === 1 || s.phase === 'reward') ? [`On the way: ${s.news.join(' ')}`] : [];
  const items = `Items: ${s.items.map((id) => `${ITEMS[id].name} (${WHEN[ITEMS[id].when]}: ${say(ITEMS[id].effects)})`).join(', ')}`;
  const last = s.said ? [`What happened last: ${s.said}`] : [];
  if (s.missteps) last.push(`Missteps on this floor: ${s.missteps} of ${MOST_MISSTEPS}.`);
  return [head, ...last, ...news, ...(s.phase === 'battle' ? battle(s, items) : reward(s, items))].join('\n');
}

/** @param {import('./rules.js').State} s @param {string} items */
function battle(s, items) {
  const hand = s.hand.flatMap((c, i) => (c ? [`${i + 1}. ${line(c)}${aimed(c) ? ' Needs a target.' : ''}`] : []));
  return [
    `Turn ${s.turn}. ${you(s)}, block ${s.block}, energy ${s.energy}. ${powers(s.powers)}`,
    items,
    'Hand:',
    ...(hand.length ? hand : ['- no cards']),
    'Enemies:',
    ...s.foes.map((f, i) => `${i + 1}. ${KINDS[f.kind].name}: ${foe(s, f)}`),
    `Cards in the draw pile: ${s.pile.length}, in the discard pile: ${s.discard.length}, spent: ${s.spent.length}.`,
  ];
}

/** How many of each card are in the deck. @param {import('./rules.js').State} s */
export function deckOf(s) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const c of s.deck) counts.set(title(c), (counts.get(title(c)) ?? 0) + 1);
  return [...counts].map(([name, n]) => `${n} ${name}`);
}

/** @param {import('./rules.js').State} s @param {string} items */
function reward(s, items) {
  return [
    `You won. ${you(s)}.`,
    items,
    `Your deck of ${s.deck.length} cards: ${deckOf(s).join(', ')}`,
    'You can take one of these cards, or skip:',
    ...s.offer.map((c, i) => `${i + 1}. ${line(c)}`),
  ];
}

/** @param {import('./rules.js').State} s */
const you = (s) => `${CLIMBER.name}: health ${s.hp}/${s.most}`;

/** @param {import('./cards.js').Held} c */
function line(c) {
  const { kind, cost, effects, spent } = CARDS[c.id];
  return `${title(c)} (${kind}, costs ${cost}): ${say(effects, c.plus, spent)}`;
}

/** @param {import('./rules.js').Powers} p */
export function powers(p) {
  const found = Object.entries(p).filter(([, n]) => n);
  return `Powers: ${found.map(([name, n]) => `${name} ${n}`).join(', ') || 'none'}.`;
}

/** @param {import('./rules.js').State} s @param {import('./rules.js').Foe} f */
function foe(s, f) {
  if (!f.hp) return 'beaten';
  return `health ${f.hp}/${f.most}, block ${f.block}. Next: ${intent(s, f)}. ${powers(f.powers)}`;
}

/** What an enemy is about to do. @param {import('./rules.js').State} s @param {import('./rules.js').Foe} f */
export function intent(s, f) {
  return KINDS[f.kind].moves[f.next]
    .map(([does, n, times]) => {
      if (does === 'hit') return `attacks${times ? ` ${times} times` : ''} for ${damage(n, f.powers, s.powers)}`;
      if (does === 'dim' || does === 'mark') return `${does === 'dim' ? 'dims' : 'marks'} you for ${n}`;
      return does === 'heal' ? `heals ${n}` : `gains ${n} ${does}`;
    })
    .join(', ');
}
