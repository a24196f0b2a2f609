// @ts-check
/** Iron Bell in words: both fighters, the gap between them, and what each is doing. */

import { FULL_BAR, FULL_STUN, gap, HEALTH, moveOf, titleOf } from './fighters.js';
import { LADDER } from './moves.js';
import { shots, view } from './observe.js';

/** @typedef {import('./rules.js').State} State */

/** @param {State} s @param {string} role */
export function describe(s, role) {
  const i = role === 'right' ? 1 : 0;
  const [me, you] = [view(s.fighters[i]), view(s.fighters[1 - i])];
  const ladder = s.mode === 'ladder';
  const name = titleOf(s, 1 - i);
  const d = gap(s);
  const edge = me.facing === 'right' ? me.x : 1280 - me.x;
  return [
    ladder
      ? `Stage ${s.stage} of ${LADDER.length}. You are ${me.character}, your opponent is ${name} (fights like ${you.character}).`
      : `You are ${titleOf(s, i)}, your opponent is ${name}.`,
    `Round ${s.round}, won: you ${me.rounds}, opponent ${you.rounds}. Time left: ${Math.ceil(s.clock / 60)} seconds.`,
    `You face ${me.facing}. Distance: ${d < 40 ? 'very close' : d < 150 ? 'close' : 'far'} (${d} pixels). Behind you: ${edge} pixels.`,
    `You: ${numbers(me)}`,
    `You are doing: ${doing(s, i, me)}`,
    `Opponent: ${numbers(you)}`,
    `Opponent is doing: ${doing(s, 1 - i, you)}`,
    ...shots(s).map((shot) => `${shot.owner === i ? 'Your' : "The opponent's"} shot arrives in ${shot.frames} frames.`),
    ...(s.said ? [`Just now: ${s.said}`] : []),
  ].join('\n');
}

/** @param {ReturnType<typeof view>} f */
const numbers = (f) =>
  `health ${f.health}/${HEALTH}, super bar ${f.super_bar}/${FULL_BAR}, super count ${f.super_count}, stun bar ${f.stun_bar}/${FULL_STUN}, ${f.stunned ? 'stunned' : 'not stunned'}.`;

/** @type {Record<string, string>} */
const ACTS = { hurt: 'reeling', guard: 'guarding', down: 'knocked down', dizzy: 'stunned', land: 'landing', crouch: 'crouching' };
/** @type {Record<string, string>} */
const PHASES = { windup: 'winding up, strikes', strike: 'striking, ends', recover: 'recovering, ends' };

/** @param {State} s @param {number} i @param {ReturnType<typeof view>} f */
function doing(s, i, f) {
  const air = f.in_air ? ` In the air, ${f.rising ? 'rising' : 'falling'}.` : '';
  const m = moveOf(s.fighters[i]);
  if (m) return `${m.title} (${PHASES[f.phase]} in ${f.frames_left} frames).${air}`;
  if (ACTS[f.doing]) return `${ACTS[f.doing]}${f.frames_left ? ` (${f.frames_left} frames)` : ''}.${air}`;
  return f.doing === 'jump' ? `jumping.${air}` : 'standing.';
}
