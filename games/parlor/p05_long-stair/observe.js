// @ts-check
import { aimed, amounts, CARDS, title } from './cards.js';
import { KINDS } from './foes.js';

/** A card as numbers. @param {import('./rules.js').Held} c */
function numbers(c) {
  const { kind, cost, effects, spent } = CARDS[c.id];
  return { id: c.id, plus: c.plus, name: title(c), kind, cost, aimed: aimed(c), spent: !!spent || kind === 'power', effects: amounts(effects, c.plus) };
}

/** @param {import('./rules.js').State} s */
export function observe(s) {
  return {
    game_state: {
      score: s.cleared + (50 / 3) * s.bosses,
      level: 1,
      progress: s.cleared / s.floors.length,
      floors: s.cleared,
      bosses: s.bosses,
      phase: s.phase,
      floor: s.floors[s.cleared] ?? '',
      player: { hp: s.hp, most: s.most, block: s.block, energy: s.energy, powers: s.powers, items: s.items },
      hand: s.hand.map((c) => c && numbers(c)),
      deck: s.deck.map(numbers),
      offer: s.offer.map(numbers),
      entities: s.foes.map((f) => ({ ...f, moves: KINDS[f.kind].moves })),
      piles: { draw: s.pile.length, discard: s.discard.length, spent: s.spent.length },
      turn: s.turn,
      listed: s.listed,
      said: s.said,
    },
    metrics: { played: s.played, cards: s.deck.length },
  };
}
