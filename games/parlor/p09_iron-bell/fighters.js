// @ts-check
/** Iron Bell: what can be read of two fighters. */

import { FIGHTERS, LADDER } from './moves.js';

/** @typedef {import('./rules.js').Fighter} Fighter */
/** @typedef {import('./rules.js').State} State */

export const HEALTH = 160;
export const FULL_BAR = 100;
export const FULL_STUN = 70;
export const BODY = 60;

/** @param {Fighter} f */
export const moveOf = (f) => FIGHTERS[f.kind].moves[f.act] ?? null;
/** The gap between the bodies, in pixels. @param {State} s */
export const gap = (s) => Math.max(0, Math.round(Math.abs(s.fighters[0].x - s.fighters[1].x) - BODY));
/** What a move is doing. @param {Fighter} f @returns {'' | 'windup' | 'strike' | 'recover'} */
export function phase(f) {
  const m = moveOf(f);
  if (!m) return '';
  return f.t < m.windup ? 'windup' : f.t < m.windup + m.strike ? 'strike' : 'recover';
}
/** Whether a fighter can begin something. @param {Fighter} f */
export const isFree = (f) => f.act === 'stand' || (f.act === 'jump' && !f.used);

/** @param {State} s @param {number} i */
export const titleOf = (s, i) =>
  s.mode === 'duel' ? `${['Left', 'Right'][i]} (${FIGHTERS[s.fighters[i].kind].name})` : i ? LADDER[s.stage - 1].name : FIGHTERS[s.fighters[0].kind].name;
