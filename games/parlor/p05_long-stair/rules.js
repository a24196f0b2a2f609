// @ts-check
/**
 * The Long Stair, the rules: a battle of cards on every other of fifty floors. Floors without a battle, and the way up, go
 * by rule; the player plays cards, ends turns and chooses rewards.
 *
 * @typedef {import('./cards.js').Held} Held
 * @typedef {{might: number, steady: number, ward: number, spikes: number, glow: number, dim: number, mark: number, burn: number}} Powers
 * @typedef {{kind: string, hp: number, most: number, block: number, powers: Powers, next: number}} Foe
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { seeded, stream } from '../../kit/random.js';
import { aimed, amounts, CARDS, CLIMBER, GREAT, ITEMS, OFFERS, title } from './cards.js';
import { ACTS, BETWEEN, FLOORS, KINDS } from './foes.js';

const ENERGY = 3;
const DRAWN = 5;
const MOST_HAND = 10;
/** Places of the hand in one turn: a played card leaves its place empty, so that the others keep their numbers. */
export const PLACES = 15;
const OFFERED = 3;
/** A rest heals this part of the full health; above `FIT` of it, a card is improved instead. */
const REST = 0.3;
const FIT = 0.75;
/** Commands on one floor that cannot be carried out: the last of them ends the climb. */
export const MOST_MISSTEPS = 8;

/** @returns {Powers} */
const none = () => ({ might: 0, steady: 0, ward: 0, spikes: 0, glow: 0, dim: 0, mark: 0, burn: 0 });

/** The western stair is the same game with another seed: other floors, enemies, rewards and order of cards.
 * @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  if (oneOf(options, 'stair', ['east', 'west'], 'east') === 'west') rng = seeded(`${rng.seed}/west`);
  const { hp, deck, item } = CLIMBER;
  const s = {
    rng,
    hp,
    most: hp,
    block: 0,
    energy: 0,
    powers: none(),
    /** @type {Held[]} */
    deck: deck.map((id) => ({ id, plus: false })),
    items: [item],
    floors: plan(rng),
    /** Floors that are cleared, and keepers beaten. */
    cleared: 0,
    bosses: 0,
    phase: 'battle',
    turn: 0,
    /** @type {Foe[]} */
    foes: [],
    /** @type {(Held|null)[]} */
    hand: [],
    /** The top is at the end. @type {Held[]} */
    pile: [],
    /** @type {Held[]} */
    discard: [],
    /** @type {Held[]} */
    spent: [],
    /** @type {Held[]} */
    offer: [],
    /** Commands on this floor that could not be carried out. */
    missteps: 0,
    /** The answer to the last action, and what happened on the floors since the last battle. */
    ok: true,
    said: '',
    /** @type {string[]} */
    news: [],
    /** For the picture: the places of the card that was picked and of that under the mouse, updates since the last hit. */
    picked: -1,
    shown: -1,
    /** Whether the items are shown with what they do. */
    listed: false,
    age: 60,
    played: 0,
    over: null,
  };
  climb(s);
  return s;
}

/** @typedef {ReturnType<typeof create>} State */

/** What each of the fifty floors holds. @param {import('../../kit/random.js').Rng} rng @returns {string[]} */
function plan(rng) {
  const draw = stream(rng, 'floors');
  return ACTS.flatMap((_, act) => {
    const between = draw.shuffle(act < ACTS.length - 1 ? BETWEEN : BETWEEN.slice(1));
    return ['battle', 'battle', ...between, 'rest', 'boss'];
  });
}

/** @param {State} s */
export function actOf(s) {
  return Math.min(ACTS.length - 1, Math.floor(s.cleared / 17));
}

/** Goes up to the next floor with a battle; what is on the way happens by rule. @param {State} s */
function climb(s) {
  for (;;) {
    const floor = s.floors[s.cleared];
    if (['battle', 'hard', 'boss'].includes(floor)) return meet(s, floor);
    s.news.push(`Floor ${s.cleared + 1}: ${{ item: find, rest, forge: improve, quiet: () => 'all quiet.' }[floor]?.(s)}`);
    s.cleared += 1;
  }
}

/** @param {State} s @param {string[]} [from] */
function find(s, from = Object.keys(ITEMS).filter((id) => !GREAT.includes(id))) {
  const left = from.filter((id) => !s.items.includes(id));
  if (!left.length) return 'an empty chest.';
  const id = stream(s.rng, 'items').pick(left);
  s.items.push(id);
  return `you found an item, ${ITEMS[id].name}.`;
}

/** @param {State} s */
function rest(s) {
  if (s.hp > FIT * s.most) return improve(s);
  const healed = heal(s, Math.round(REST * s.most));
  return `you rested and healed ${healed}.`;
}

/** @param {State} s @param {number} n */
function heal(s, n) {
  const healed = Math.min(n, s.most - s.hp);
  s.hp += healed;
  return healed;
}

/** @param {State} s */
function improve(s) {
  const rough = s.deck.filter((c) => !c.plus);
  if (!rough.length) return 'all your cards are improved.';
  // Cards that were chosen come before those of the first deck.
  const better = rough.filter((c) => c.id !== 'lunge' && c.id !== 'brace');
  const c = stream(s.rng, 'forge').pick(better.length ? better : rough);
  c.plus = true;
  return `one of your cards was improved: ${title(c)}.`;
}

/** @param {State} s @param {string} floor */
function meet(s, floor) {
  const act = ACTS[actOf(s)];
  const groups = { battle: act.common, hard: act.hard, boss: act.boss }[floor] ?? act.common;
  const draw = stream(s.rng, 'foes');
  s.foes = draw.pick(groups).map((kind) => {
    const { hp, moves } = KINDS[kind];
    const most = draw.int(hp[0], hp[1]);
    return { kind, hp: most, most, block: 0, powers: none(), next: floor === 'boss' ? 0 : draw.int(0, moves.length - 1) };
  });
  Object.assign(s, { phase: 'battle', turn: 0, missteps: 0, block: 0, powers: none(), pile: stream(s.rng, 'cards').shuffle(s.deck), discard: [], spent: [], hand: [] });
  begin(s);
}

/** A turn begins. @param {State} s */
function begin(s) {
  s.turn += 1;
  s.block = 0;
  s.energy = ENERGY;
  draw(s, DRAWN);
  use(s, 'turn');
  if (s.turn === 1) use(s, 'battle');
}

/** @param {State} s @param {'battle'|'turn'|'win'} when */
function use(s, when) {
  for (const id of s.items) if (ITEMS[id].when === when) for (const [what, n] of amounts(ITEMS[id].effects, false)) apply(s, what, n, null);
}

/** @param {State} s @param {number} n */
function draw(s, n) {
  for (; n > 0 && s.hand.filter(Boolean).length < MOST_HAND; n--) {
    if (!s.pile.length) {
      s.pile = stream(s.rng, 'cards').shuffle(s.discard);
      s.discard = [];
    }
    const c = s.pile.pop();
    if (!c) return;
    const free = s.hand.length < PLACES ? s.hand.length : s.hand.indexOf(null);
    s.hand[free] = c;
  }
}

/** Damage of a hit, before block. @param {number} n @param {Powers} from @param {Powers} to */
export function damage(n, from, to) {
  return Math.max(0, Math.floor((n + from.might) * (from.dim ? 0.75 : 1) * (to.mark ? 1.5 : 1)));
}

/** Takes damage off block and health. @param {{hp: number, block: number}} who @param {number} n */
function wound(who, n) {
  const kept = Math.min(who.block, n);
  who.block -= kept;
  who.hp = Math.max(0, who.hp - (n - kept));
}

/** @param {State} s @param {Foe} foe @param {number} n */
function strike(s, foe, n) {
  if (!foe.hp) return;
  wound(foe, damage(n, s.powers, foe.powers));
  if (foe.powers.spikes) wound(s, foe.powers.spikes);
  s.age = 0;
}

/** One effect of a card or item. @param {State} s @param {import('./cards.js').What} what @param {number} n @param {Foe|null} foe */
function apply(s, what, n, foe) {
  const all = s.foes.filter((f) => f.hp > 0);
  if (what === 'hit' && foe) strike(s, foe, n);
  else if (what === 'hitAll') for (const f of all) strike(s, f, n);
  else if (what === 'hitBlock' && foe) strike(s, foe, s.block);
  else if (what === 'block') s.block += n + s.powers.steady;
  else if (what === 'draw') draw(s, n);
  else if (what === 'energy') s.energy += n;
  else if (what === 'fan' && foe) foe.powers.burn *= 2;
  else if (what === 'heal') heal(s, n);
  else if (what === 'lose') s.hp = Math.max(0, s.hp - n);
  else if (what === 'might' || what === 'steady' || what === 'ward' || what === 'spikes' || what === 'glow') s.powers[what] += n;
  else if (what === 'mark' || what === 'dim' || what === 'burn') {
    if (foe) foe.powers[what] += n;
  } else if (what === 'markAll' || what === 'dimAll' || what === 'burnAll') {
    const power = what === 'markAll' ? 'mark' : what === 'dimAll' ? 'dim' : 'burn';
    for (const f of all) f.powers[power] += n;
  }
}

/** @param {State} s @param {boolean} ok @param {string} said */
function answer(s, ok, said) {
  s.ok = ok;
  s.said = said;
}

/** Counts a command that could not be carried out. @param {State} s */
export function misstep(s) {
  s.missteps += 1;
  if (s.missteps < MOST_MISSTEPS) return;
  finish(s, 'fail', `The ${CLIMBER.name} made ${MOST_MISSTEPS} missteps on floor ${s.cleared + 1} and fell.`);
}

/** Plays the card at a place of the hand (from 0), on an enemy (from 0) if it needs one.
 * @param {State} s @param {number} place @param {number|null} target */
export function play(s, place, target) {
  const c = s.hand[place];
  if (s.phase !== 'battle') return answer(s, false, 'There is no battle; choose a card or skip.');
  if (!c) return answer(s, false, `There is no card ${place + 1} in your hand.`);
  const { cost, kind, effects, spent } = CARDS[c.id];
  if (cost > s.energy) return answer(s, false, `${title(c)} costs ${cost} energy, and you have ${s.energy}.`);
  const alive = s.foes.filter((f) => f.hp > 0);
  const foe = target === null ? (alive.length === 1 ? alive[0] : null) : (s.foes[target] ?? null);
  if (aimed(c) && target === null && !foe) return answer(s, false, `${title(c)} needs a target.`);
  if (aimed(c) && !foe?.hp) return answer(s, false, `There is no living enemy ${(target ?? 0) + 1}.`);
  s.energy -= cost;
  s.hand[place] = null;
  s.played += 1;
  for (const [what, n, times] of amounts(effects, c.plus)) for (let i = 0; i < times; i++) apply(s, what, n, foe);
  if (spent || kind === 'power') s.spent.push(c);
  else s.discard.push(c);
  answer(s, true, `Played ${title(c)}.`);
  settle(s);
}

/** @param {State} s */
export function endTurn(s) {
  if (s.phase !== 'battle') return answer(s, false, 'There is no battle; choose a card or skip.');
  s.discard.push(...s.hand.flatMap((c) => (c ? [c] : [])));
  s.hand = [];
  s.block += s.powers.ward;
  if (s.powers.glow) apply(s, 'burnAll', s.powers.glow, null);
  // What wears off in this round; what the enemies add now lasts longer.
  const [dim, mark] = [Math.min(1, s.powers.dim), Math.min(1, s.powers.mark)];
  const before = s.hp;
  for (const foe of s.foes) {
    if (!foe.hp || !s.hp) continue;
    foe.block = 0;
    foe.hp = Math.max(0, foe.hp - foe.powers.burn);
    foe.powers.burn = Math.max(0, foe.powers.burn - 1);
    if (foe.hp) act(s, foe);
  }
  s.powers.dim -= dim;
  s.powers.mark -= mark;
  answer(s, true, `The enemies took ${before - s.hp} of your health.`);
  settle(s);
  if (s.phase === 'battle' && !s.over) begin(s);
}

/** An enemy does what it has shown. @param {State} s @param {Foe} foe */
function act(s, foe) {
  const { moves } = KINDS[foe.kind];
  for (const [does, n, times] of moves[foe.next]) {
    if (does === 'hit') {
      for (let i = 0; i < (times ?? 1) && foe.hp; i++) {
        wound(s, damage(n, foe.powers, s.powers));
        if (s.powers.spikes) wound(foe, s.powers.spikes);
      }
    } else if (does === 'block') foe.block += n;
    else if (does === 'heal') foe.hp = Math.min(foe.most, foe.hp + n);
    else if (does === 'might' || does === 'spikes') foe.powers[does] += n;
    else if (does === 'dim' || does === 'mark') s.powers[does] += n;
  }
  foe.powers.dim = Math.max(0, foe.powers.dim - 1);
  foe.powers.mark = Math.max(0, foe.powers.mark - 1);
  foe.next = (foe.next + 1) % moves.length;
}

/** Looks whether the battle is over. @param {State} s */
function settle(s) {
  if (s.hp <= 0) return finish(s, 'fail', `The ${CLIMBER.name} fell on floor ${s.cleared + 1}.`);
  if (s.foes.some((f) => f.hp > 0)) return;
  const boss = s.floors[s.cleared] === 'boss';
  const hard = s.floors[s.cleared] === 'hard';
  s.cleared += 1;
  s.news = [`Floor ${s.cleared}: you won.`];
  use(s, 'win');
  if (boss) {
    s.bosses += 1;
    if (s.cleared >= FLOORS) return finish(s, 'win', 'The light at the top of the stair burns again.');
    s.hp = s.most;
    s.news.push(`You are fully healed, and ${find(s, GREAT)}`);
  } else if (hard) s.news.push(`After it ${find(s)}`);
  s.phase = 'reward';
  const draw = stream(s.rng, 'offers');
  s.offer = draw.shuffle(OFFERS).slice(0, OFFERED).map((id) => ({ id, plus: draw.chance(0.2 * actOf(s)) }));
  s.said += ' You won the battle.';
}

/** Takes one of the offered cards (from 0), or none (-1), and goes on. @param {State} s @param {number} index */
export function choose(s, index) {
  if (s.phase !== 'reward') return answer(s, false, 'There is nothing to choose in a battle.');
  const c = s.offer[index];
  if (index >= 0 && !c) return answer(s, false, `There is no card ${index + 1}; ${s.offer.length} are offered.`);
  if (c) s.deck.push(c);
  s.offer = [];
  answer(s, true, c ? `You took ${title(c)}.` : 'You took no card.');
  climb(s);
}
