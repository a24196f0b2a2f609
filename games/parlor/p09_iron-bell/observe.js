// @ts-check
/** What `getState()` shows of Iron Bell. */

import { gap, isFree, moveOf, phase, titleOf } from './fighters.js';
import { FIGHTERS, LADDER } from './moves.js';

/** @param {import('./rules.js').Fighter} f */
export function view(f) {
  const m = moveOf(f);
  const at = phase(f);
  const ends = { '': f.length, windup: m?.windup ?? 0, strike: (m?.windup ?? 0) + (m?.strike ?? 0), recover: (m?.windup ?? 0) + (m?.strike ?? 0) + (m?.recover ?? 0) };
  return {
    character: FIGHTERS[f.kind].name,
    x: Math.round(f.x),
    height: Math.round(f.y),
    rising: f.air && f.vy > 0,
    facing: f.side > 0 ? 'right' : 'left',
    health: f.health,
    super_bar: Math.floor(f.bar),
    super_count: f.bar >= 100 ? 1 : 0,
    stun_bar: Math.floor(f.stun),
    stunned: f.act === 'dizzy',
    doing: f.low ? 'crouch' : f.act,
    phase: at,
    frames_left: f.length || m ? Math.max(0, ends[at] - f.t) : 0,
    can_act: isFree(f),
    in_air: f.air,
    rounds: f.wins,
  };
}

/** Shots with the frames until they reach the other fighter. @param {import('./rules.js').State} s */
export const shots = (s) =>
  s.shots.map((shot) => {
    const o = s.fighters[1 - shot.owner];
    const away = Math.max(0, (o.x - shot.x) * Math.sign(shot.vx) - 42);
    return { owner: shot.owner, x: Math.round(shot.x), frames: Math.ceil(away / Math.abs(shot.vx)) };
  });

/** @param {import('./rules.js').State} s */
export function observe(s) {
  const [left, right] = s.fighters.map(view);
  return {
    game_state: {
      score: 10 * s.cleared,
      level: s.stage,
      progress: s.cleared / LADDER.length,
      stage: s.stage,
      opponent: titleOf(s, 1),
      round: s.round,
      seconds: Math.ceil(s.clock / 60),
      distance: gap(s),
      player: left,
      fighters: { left, right },
      shots: shots(s),
      winner: s.winner,
      lead: left.rounds - right.rounds,
    },
    metrics: { stages: s.cleared, damage_taken: 160 - left.health, damage_dealt: 160 - right.health },
  };
}
