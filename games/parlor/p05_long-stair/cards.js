// @ts-check
/**
 * The cards and items of The Long Stair. What a card does is a list of effects `[what, amount, improved amount, times]`;
 * rules, words and pictures all read that list.
 *
 * @typedef {'hit'|'hitAll'|'hitBlock'|'block'|'draw'|'energy'|'mark'|'markAll'|'dim'|'dimAll'|'burn'|'burnAll'
 *   |'fan'|'might'|'steady'|'ward'|'spikes'|'glow'|'heal'|'lose'} What
 * @typedef {[What, number, number, number?]} Effect
 * @typedef {{name: string, kind: 'attack'|'skill'|'power', cost: number, effects: Effect[], spent?: boolean}} Card
 * @typedef {{id: string, plus: boolean}} Held  a card of a deck, improved or not
 */

/** @param {string} name @param {Card['kind']} kind @param {number} cost @param {Effect[]} effects @param {boolean} [spent]
 * @returns {Card} */
const card = (name, kind, cost, effects, spent) => ({ name, kind, cost, effects, spent });

/** @type {Record<string, Card>} */
export const CARDS = {
  lunge: card('Lunge', 'attack', 1, [['hit', 6, 9]]),
  brace: card('Brace', 'skill', 1, [['block', 5, 8]]),
  quick: card('Quick Cut', 'attack', 0, [['hit', 4, 7]]),
  twin: card('Twin Cut', 'attack', 1, [['hit', 5, 7, 2]]),
  heavy: card('Heavy Blow', 'attack', 2, [['hit', 15, 20]]),
  sweep: card('Sweep', 'attack', 1, [['hitAll', 8, 11]]),
  bash: card('Shield Knock', 'attack', 1, [['hit', 5, 7], ['block', 5, 7]]),
  thrust: card('Long Thrust', 'attack', 1, [['hit', 8, 11], ['draw', 1, 1]]),
  dazzle: card('Dazzle', 'attack', 1, [['hit', 6, 9], ['dim', 1, 2]]),
  gap: card('Find the Gap', 'attack', 1, [['hit', 6, 8], ['mark', 1, 2]]),
  flurry: card('Flurry', 'attack', 1, [['hit', 3, 4, 3]]),
  ram: card('Ram', 'attack', 1, [['hitBlock', 1, 1], ['block', 0, 3]]),
  wild: card('Wild Swing', 'attack', 1, [['hit', 13, 17], ['lose', 2, 2]]),
  bulwark: card('Bulwark', 'skill', 2, [['block', 14, 18]]),
  sidestep: card('Sidestep', 'skill', 1, [['block', 8, 11]]),
  breath: card('Deep Breath', 'skill', 1, [['block', 6, 8], ['draw', 1, 1]]),
  ready: card('Make Ready', 'skill', 0, [['draw', 2, 3]], true),
  focus: card('Gather Strength', 'skill', 0, [['energy', 1, 2]], true),
  plan: card('Look Ahead', 'skill', 1, [['draw', 3, 4]]),
  rally: card('Rally', 'power', 1, [['might', 2, 3]]),
  skin: card('Iron Skin', 'power', 1, [['ward', 3, 4]]),
  poise: card('Poise', 'power', 1, [['steady', 1, 2]]),
  coat: card('Spiked Coat', 'power', 1, [['spikes', 3, 4]]),
  smoke: card('Smoke Screen', 'skill', 1, [['block', 4, 6], ['dimAll', 1, 1]]),
  dressing: card('Bandage', 'skill', 1, [['heal', 5, 7]], true),
  charge: card('Full Tilt', 'attack', 3, [['hit', 24, 32]]),
  lantern: card('Swing the Lamp', 'attack', 2, [['hit', 8, 10], ['mark', 2, 3]]),
  ember: card('Ember', 'attack', 1, [['hit', 4, 6], ['burn', 3, 4]]),
  torch: card('Torch', 'skill', 1, [['burn', 6, 8]]),
  oil: card('Spilled Oil', 'skill', 1, [['burnAll', 4, 5]]),
  blaze: card('Blaze', 'attack', 2, [['hitAll', 12, 16]]),
  fan: card('Fan the Flames', 'skill', 1, [['fan', 1, 1], ['block', 0, 4]], true),
  flare: card('Flare', 'skill', 0, [['mark', 2, 3]], true),
  glass: card('Hot Glass', 'skill', 1, [['block', 7, 9], ['burnAll', 1, 2]]),
  inner: card('Inner Light', 'power', 2, [['might', 3, 4]]),
  slow: card('Slow Burn', 'power', 1, [['glow', 2, 3]]),
  beacon: card('Beacon', 'skill', 2, [['block', 11, 14], ['dimAll', 1, 2]]),
  flicker: card('Flicker', 'attack', 0, [['hit', 3, 5], ['burn', 1, 2]]),
};

/** The climber: health, first deck, first item. */
export const CLIMBER = {
  name: 'Lamplighter', hp: 75, item: 'flask',
  deck: ['lunge', 'lunge', 'lunge', 'lunge', 'lunge', 'brace', 'brace', 'brace', 'brace', 'lantern'],
};

/** Cards that a won battle may offer. */
export const OFFERS = Object.keys(CARDS).filter((id) => id !== 'lunge' && id !== 'brace');

/** Items: what they do at the start of a battle, in each turn, or after a won battle.
 * @type {Record<string, {name: string, when: 'battle'|'turn'|'win'|'found', effects: Effect[]}>} */
export const ITEMS = {
  flask: { name: 'Warm Flask', when: 'win', effects: [['heal', 5, 5]] },
  badge: { name: 'Copper Badge', when: 'battle', effects: [['block', 8, 8]] },
  spur: { name: 'Sharp Spur', when: 'battle', effects: [['might', 1, 1]] },
  feather: { name: 'Grey Feather', when: 'battle', effects: [['draw', 2, 2]] },
  mirror: { name: 'Cracked Mirror', when: 'battle', effects: [['markAll', 1, 1]] },
  boots: { name: 'Heavy Boots', when: 'battle', effects: [['steady', 1, 1]] },
  rose: { name: 'Rose Pin', when: 'battle', effects: [['spikes', 2, 2]] },
  kettle: { name: 'Brass Kettle', when: 'battle', effects: [['ward', 2, 2]] },
  bell: { name: 'Little Bell', when: 'battle', effects: [['energy', 1, 1]] },
  jar: { name: 'Jar of Fog', when: 'battle', effects: [['dimAll', 1, 1]] },
  matches: { name: 'Tin of Matches', when: 'battle', effects: [['burnAll', 3, 3]] },
  soup: { name: 'Pot of Soup', when: 'win', effects: [['heal', 3, 3]] },
  wick: { name: 'Spare Wick', when: 'turn', effects: [['energy', 1, 1]] },
  satchel: { name: 'Wide Satchel', when: 'turn', effects: [['draw', 1, 1]] },
};
/** Items of beaten keepers; the others lie on the stair. */
export const GREAT = ['wick', 'satchel'];

/** @type {Record<What, string>} */
const WORDS = {
  hit: 'Deal N damage',
  hitAll: 'Deal N damage to all enemies',
  hitBlock: 'Deal damage equal to your block',
  block: 'Gain N block',
  draw: 'Draw N',
  energy: 'Gain N energy',
  mark: 'Mark for N',
  markAll: 'Mark all enemies for N',
  dim: 'Dim for N',
  dimAll: 'Dim all enemies for N',
  burn: 'Add N burn',
  burnAll: 'Add N burn to all enemies',
  fan: 'Double the burn of an enemy',
  might: 'Gain N might',
  steady: 'Gain N steady',
  ward: 'Gain N ward',
  spikes: 'Gain N spikes',
  glow: 'Add N burn to all enemies at the end of each of your turns',
  heal: 'Heal N',
  lose: 'Lose N health',
};

/** The effects with the amounts that count: `[what, amount, times]`. @param {Effect[]} effects @param {boolean} plus
 * @returns {[What, number, number][]} */
export function amounts(effects, plus) {
  return effects.map(([what, n, more, times]) => /** @type {[What, number, number]} */ ([what, plus ? more : n, times ?? 1])).filter(([, n]) => n > 0);
}

/** Effects in words. @param {Effect[]} effects @param {boolean} [plus] @param {boolean} [spent] */
export function say(effects, plus = false, spent = false) {
  const parts = amounts(effects, plus).map(([what, n, times]) => WORDS[what].replace('N', String(n)) + (times > 1 ? ` ${times} times` : ''));
  return [...parts, ...(spent ? ['Spent when played'] : [])].map((p) => `${p}.`).join(' ');
}

/** @param {Held} c */
export function title(c) {
  return CARDS[c.id].name + (c.plus ? '+' : '');
}

/** Whether a card needs an enemy to play it on. @param {Held} c */
export function aimed(c) {
  return CARDS[c.id].effects.some(([what]) => ['hit', 'hitBlock', 'mark', 'dim', 'burn', 'fan'].includes(what));
}

/** @type {Record<What, string>} */
const SHORT = {
  hit: 'N damage', hitAll: 'N to all', hitBlock: 'block as hit', block: 'N block', draw: 'draw N', energy: '+N energy',
  mark: 'mark N', markAll: 'mark all N', dim: 'dim N', dimAll: 'dim all N', burn: 'burn N', burnAll: 'burn all N', fan: 'burn x 2',
  might: '+N might', steady: '+N steady', ward: '+N ward', spikes: '+N spikes', glow: '+N glow', heal: 'heal N', lose: '-N health',
};

/** A card's effects in a few words each, for its face. @param {Held} c @returns {string[]} */
export function face(c) {
  const { effects, spent } = CARDS[c.id];
  const lines = amounts(effects, c.plus).map(([what, n, times]) => SHORT[what].replace('N', times > 1 ? `${n} x ${times}` : String(n)));
  return spent ? [...lines, 'spent'] : lines;
}
