// @ts-check
/**
 * The ten opponents of the ladder. They differ in how fast they see a move, how often they guard, punish and attack, and in
 * how surely they use what they have learned of the player's habits: a bot that has seen two moves followed by the same
 * third one twice expects it the next time.
 */

import { stream } from '../../kit/random.js';
import { FULL_BAR, gap, isFree, moveOf, phase } from './fighters.js';
import { FIGHTERS, LADDER } from './moves.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {import('./rules.js').Intent} Intent */

/** The first steps are the highest ones. @param {number} first @param {number} last @param {number} stage */
const between = (first, last, stage) => first + (last - first) * ((stage - 1) / (LADDER.length - 1)) ** 0.5;

/** @param {number} stage from 1 */
export const newBot = (stage) => ({
  stage,
  think: Math.round(between(28, 11, stage)),
  delay: Math.round(between(22, 10, stage)),
  guard: between(0.15, 0.75, stage),
  sharp: between(0.02, 0.25, stage),
  punish: between(0.15, 0.85, stage),
  attack: between(0.6, 0.85, stage),
  learn: between(0.85, 0.97, stage),
  /** What the player did last, and what has followed what. */
  last: /** @type {string[]} */ ([]),
  habits: /** @type {Record<string, Record<string, number>>} */ ({}),
  answer: '',
  reads: false,
  wait: 20,
  way: 0,
});

/** Remembers what the player begins, and chooses the answer. @param {State} s @param {string} move */
export function notice(s, move) {
  const b = s.bot;
  if (!b) return;
  const dice = stream(s.rng, 'bot');
  const context = b.last.join(' ');
  const seen = (b.habits[context] ??= {});
  const total = Object.values(seen).reduce((x, y) => x + y, 0);
  const expected = total >= 2 && (seen[move] ?? 0) / total >= 0.6;
  seen[move] = (seen[move] ?? 0) + 1;
  b.last = [...b.last, move].slice(-2);
  b.reads = expected && dice.chance(b.learn);
  b.punishes = b.reads || dice.chance(b.punish);
  b.answer = '';
  const m = FIGHTERS[s.fighters[0].kind].moves[move];
  if (!m) {
    b.answer = b.reads || dice.chance(b.guard) ? 'antiair' : '';
    return;
  }
  if (m.height === 'grab') b.answer = b.reads || dice.chance(b.guard * 0.7) ? 'leap' : '';
  else if (m.height === 'smash') b.answer = b.reads || dice.chance(b.guard) ? 'jab' : '';
  else if (m.shot) b.answer = b.reads ? 'leap' : dice.chance(b.guard) ? dice.pick(['leap', 'guard']) : '';
  else b.answer = b.reads || dice.chance(b.sharp) ? 'sharp' : dice.chance(b.guard) ? 'guard' : '';
}

/** @type {Intent} */
const NOTHING = { forward: 0, jump: null, move: '' };

/** What the bot does in this frame. @param {State} s @returns {Intent} */
export function decide(s) {
  const b = s.bot;
  const [you, me] = s.fighters;
  const dice = stream(s.rng, 'bot');
  const d = gap(s);
  if (!isFree(me) || me.air) {
    if (me.air && me.act === 'jump' && me.vy < 0 && d < 60 && !me.used) return { ...NOTHING, move: b.stage > 3 ? 'high_kick' : 'low_kick' };
    return { ...NOTHING, forward: me.act === 'guard' ? -1 : 0 };
  }
  const m = moveOf(you);
  if (you.air && you.act === 'jump' && b.answer === 'antiair') {
    if (d < 80 && you.vy < 3 && Math.sign(you.vx) === -you.side) return NOTHING;
    if (d < 60 && you.vy < 3) return { ...NOTHING, move: 'special_3' };
    if (b.reads) return NOTHING;
  }
  const shot = s.shots.find((x) => x.owner === 0);
  if (shot && b.answer) {
    const frames = (Math.abs(shot.x - me.x) - 42) / Math.abs(shot.vx);
    if (b.answer === 'guard' && frames < 10) return { ...NOTHING, forward: -1 };
    if (b.answer === 'leap' && frames < 14) return { ...NOTHING, jump: 1 };
  }
  if (m?.shot && b.punishes) {
    const best = bestWithin(s, (you.t < m.windup ? m.windup : m.windup + m.strike + m.recover) - you.t, d);
    if (best) return { ...NOTHING, move: best };
    if (b.reads && !shot) return { ...NOTHING, forward: 1 };
  }
  if (m && !m.shot && you.t >= (b.reads ? 1 : b.delay) - (phase(you) === 'windup' ? 0 : 99)) {
    const left = m.windup - you.t;
    const reaches = d <= m.reach + (m.dash ?? 0) * m.strike + 12;
    if (phase(you) !== 'recover' && reaches && b.answer) {
      if (b.answer === 'leap') return { ...NOTHING, jump: -1 };
      if (b.answer === 'jab' && left > 6) return d <= 40 ? { ...NOTHING, move: 'low_punch' } : { ...NOTHING, move: 'medium_kick' };
      if (b.answer === 'guard') return { ...NOTHING, forward: -1 };
      if (b.answer === 'sharp') return left <= 3 ? { ...NOTHING, forward: -1 } : NOTHING;
    }
    if (phase(you) === 'recover' && b.punishes) {
      const rest = m.windup + m.strike + m.recover - you.t;
      const best = bestWithin(s, rest, d);
      if (best) return { ...NOTHING, move: best };
      if (rest > 8) return { ...NOTHING, forward: 1 };
    }
  }
  if (you.act === 'dizzy') {
    const best = bestWithin(s, you.length - you.t, d);
    return best ? { ...NOTHING, move: best } : { ...NOTHING, forward: 1 };
  }
  b.wait -= 1;
  if (b.wait > 0) return { ...NOTHING, forward: b.way };
  b.wait = dice.int(Math.ceil(b.think / 2), b.think);
  b.way = 0;
  if (me.bar >= FULL_BAR && d < 110 && dice.chance(0.35) && !you.back) return { ...NOTHING, move: 'super' };
  if (d > 150) {
    const roll = dice.float();
    if (roll < 0.2 * b.attack) return { ...NOTHING, move: 'special_1' };
    if (roll < 0.3 * b.attack) return { ...NOTHING, jump: 1 };
    b.way = dice.chance(0.3 + 0.6 * b.attack) ? 1 : 0;
    return { ...NOTHING, forward: b.way };
  }
  if (!dice.chance(b.attack)) {
    b.way = dice.pick([-1, -1, 0, 1]);
    return { ...NOTHING, forward: b.way };
  }
  if (you.back > 8 && d <= 30 && dice.chance(b.punish)) return { ...NOTHING, move: 'low_pair' };
  const moves = Object.entries(FIGHTERS[me.kind].moves).filter(([name, x]) => name !== 'super' && !x.shot && d <= x.reach + (x.dash ?? 0) * x.strike);
  if (!moves.length) {
    b.way = 1;
    return { ...NOTHING, forward: 1 };
  }
  return { ...NOTHING, move: dice.pick(moves)[0] };
}

/** The hardest move that lands within some frames. @param {State} s @param {number} rest @param {number} d */
function bestWithin(s, rest, d) {
  const me = s.fighters[1];
  const way = (/** @type {import('./moves.js').Move} */ m) => (m.dash ? Math.max(0, Math.ceil((d - m.reach) / m.dash)) : 0);
  const able = Object.entries(FIGHTERS[me.kind].moves).filter(
    ([name, m]) => !m.shot && m.windup + 1 + way(m) < rest && d <= m.reach + (m.dash ?? 0) * m.strike && (name !== 'super' || me.bar >= FULL_BAR) && m.height !== 'grab',
  );
  return able.sort((x, y) => y[1].damage * (y[1].hits ?? 1) - x[1].damage * (x[1].hits ?? 1))[0]?.[0] ?? '';
}
