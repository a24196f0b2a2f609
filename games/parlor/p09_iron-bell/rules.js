// @ts-check
/** The rules of Iron Bell: two fighters, rounds, the ladder. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { decide, newBot, notice } from './bots.js';
import { BODY, FULL_BAR, FULL_STUN, gap, HEALTH, isFree, moveOf, phase, titleOf } from './fighters.js';
import { BUTTONS, FIGHTERS, KEYS, LADDER, MOTIONS, PAIRS } from './moves.js';

export const ROUND_FRAMES = 60 * 60;
const [WEST, EAST] = [70, 1210];
const MIDDLE = 640;
const GRAVITY = 0.7;
const DOWN = 38;
const DIZZY = 80;
const PAUSE = 45;
const MEMORY = 20;
/** Frames after going back within which a guard is sharp. */
export const SHARP = 5;
const MOST_ROUNDS = 5;

/**
 * @typedef {{kind: string, x: number, y: number, vx: number, vy: number, side: number, health: number, bar: number, stun: number,
 *   act: string, t: number, length: number, count: number, landed: number, air: boolean, used: boolean, back: number, safe: number, low: boolean,
 *   motion: {dir: string, age: number}[], outcome: string, wins: number}} Fighter
 * @typedef {{x: number, y: number, vx: number, owner: number, move: string}} Shot
 * @typedef {{forward: number, jump: number | null, move: string, low?: boolean}} Intent  forward: -1 back, 1 forward; jump: null, or the way
 * @typedef {{rng: any, mode: string, kinds: string[], stage: number, cleared: number, round: number, clock: number, pause: number,
 *   said: string, fighters: Fighter[], shots: Shot[], bot: any, sparks: any[], winner: string, over: any}} State
 */

/** @param {any} options @param {any} rng @returns {State} */
export function create(options, rng) {
  const mode = oneOf(options, 'mode', ['ladder', 'duel'], 'ladder');
  const kinds = Object.keys(FIGHTERS);
  const kind = oneOf(options, 'fighter', kinds, 'mason');
  const other = mode === 'duel' ? oneOf(options, 'other', kinds, kind) : LADDER[0].kind;
  /** @type {State} */
  const s = {
    rng, mode, kinds: [kind, other], stage: 1, cleared: 0, round: 1, clock: ROUND_FRAMES, pause: 0, said: '', fighters: [], shots: [],
    bot: null, sparks: [], winner: '', over: null,
  };
  startRound(s);
  s.bot = mode === 'duel' ? null : newBot(1);
  return s;
}

/** Both fighters, at the same distance from the middle. @param {State} s */
function startRound(s) {
  const apart = stream(s.rng, 'start').int(100, 160);
  s.fighters = s.kinds.map((kind, i) => newFighter(kind, i, MIDDLE + (i ? apart : -apart)));
}

/** @param {string} kind @param {number} i @param {number} x @returns {Fighter} */
const newFighter = (kind, i, x) => ({
  kind, x, y: 0, vx: 0, vy: 0, side: i ? -1 : 1, health: HEALTH, bar: 0, stun: 0, act: 'stand', t: 0, length: 0, count: 0,
  landed: 0, air: false, used: false, back: 0, safe: 0, low: false, motion: [], outcome: '', wins: 0,
});

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.sparks = s.sparks.filter((p) => --p.left > 0);
  if (s.pause) {
    s.pause -= 1;
    for (const f of s.fighters) fall(f);
    if (!s.pause) nextRound(s);
    return;
  }
  const intents = s.fighters.map((f, i) => {
    const keyed = read(f, i, input);
    return i && s.bot ? decide(s) : keyed;
  });
  s.fighters.forEach((f, i) => obey(s, f, intents[i], i));
  s.fighters.forEach((f, i) => advance(s, f, s.fighters[1 - i], i));
  strike(s);
  fly(s);
  part(s);
  s.clock -= 1;
  const [a, b] = s.fighters;
  if (a.health > 0 && b.health > 0 && s.clock > 0) return;
  const won = a.health === b.health ? -1 : a.health > b.health ? 0 : 1;
  if (won >= 0) s.fighters[won].wins += 1;
  s.said = won < 0 ? 'The round is a draw.' : `${titleOf(s, won)} wins the round.`;
  s.pause = PAUSE;
  if (a.health <= 0) knock(a);
  if (b.health <= 0) knock(b);
}

/** @param {State} s */
function nextRound(s) {
  const wins = s.fighters.map((f) => f.wins);
  const enough = wins[0] >= 2 || wins[1] >= 2 || s.round >= MOST_ROUNDS;
  if (enough && s.mode === 'duel') {
    s.winner = wins[0] === wins[1] ? 'nobody' : wins[0] > wins[1] ? 'left' : 'right';
    const who = s.winner === 'nobody' ? 'A draw' : `${titleOf(s, s.winner === 'left' ? 0 : 1)} wins`;
    finish(s, s.winner === 'left' ? 'win' : 'fail', `${who}, ${wins[0]} : ${wins[1]} rounds.`);
    return;
  }
  if (enough && wins[0] <= wins[1]) {
    finish(s, 'fail', `${LADDER[s.stage - 1].name} wins stage ${s.stage}.`);
    return;
  }
  let kept = wins;
  s.round += 1;
  if (enough) {
    s.cleared = s.stage;
    if (s.stage === LADDER.length) {
      finish(s, 'win', 'The bell is yours: all ten stages are won.');
      return;
    }
    s.stage += 1;
    s.round = 1;
    kept = [0, 0];
    s.kinds[1] = LADDER[s.stage - 1].kind;
    s.bot = newBot(s.stage);
  }
  const bars = s.fighters.map((f) => f.bar);
  startRound(s);
  s.fighters.forEach((f, i) => Object.assign(f, { wins: kept[i], bar: enough && i ? 0 : bars[i] }));
  s.shots = [];
  s.clock = ROUND_FRAMES;
}

/** What the keys of a side mean in this frame. @param {Fighter} f @param {number} i @param {any} input @returns {Intent} */
function read(f, i, input) {
  const keys = KEYS[i];
  const way = input.axis(keys.left, keys.right) * f.side;
  for (const m of f.motion) m.age += 1;
  f.motion = f.motion.filter((m) => m.age <= MEMORY);
  for (const name of /** @type {const} */ (['left', 'right', 'down'])) {
    if (!input.pressed(keys[name])) continue;
    const dir = name === 'down' ? name : (name === 'right') === f.side > 0 ? 'forward' : 'back';
    f.motion.push({ dir, age: 0 });
  }
  const pressed = BUTTONS.filter((b) => input.pressed(keys[/** @type {'low_punch'} */ (b)]));
  let move = input.pressed(keys.super) ? 'super' : '';
  for (const [name, [one, two]] of Object.entries(PAIRS)) {
    const held = [one, two].every((b) => input.held(keys[/** @type {'low_punch'} */ (b)]));
    if (held && (pressed.includes(one) || pressed.includes(two))) move ||= name;
  }
  const [before, last] = f.motion.slice(-2).map((m) => m.dir);
  for (const [name, [first, second, buttons]] of Object.entries(MOTIONS)) {
    if (before === first && last === second && pressed.some((b) => buttons.includes(b))) move ||= name;
  }
  move ||= pressed[0] ?? '';
  return { forward: way, jump: input.pressed(keys.up) ? way : null, move, low: input.held(keys.down) };
}

/** @param {State} s @param {Fighter} f @param {Intent} intent @param {number} i */
function obey(s, f, intent, i) {
  f.back = intent.forward < 0 && !f.air ? f.back + 1 : 0;
  const pair = /** @type {[string, string] | undefined} */ (PAIRS[intent.move]);
  if (pair && !f.air && f.t <= 3 && pair.includes(f.act)) begin(s, f, intent.move, i); // the second of two buttons comes late
  f.low = !!intent.low && isFree(f) && !f.air;
  if (!isFree(f)) return;
  f.vx = f.air ? f.vx : 0;
  if (intent.move && !(intent.move === 'super' && f.bar < FULL_BAR)) {
    if (!f.air) begin(s, f, intent.move, i);
    else if (BUTTONS.includes(intent.move)) {
      begin(s, f, intent.move, i);
      f.used = true;
    }
  } else if (!f.air && intent.jump !== null) {
    set(f, 'jump', 0);
    f.air = true;
    f.used = false;
    f.vy = FIGHTERS[f.kind].jump;
    f.vx = intent.jump * f.side * 7;
    if (!i) notice(s, 'jump');
  } else if (!f.air && !f.low) {
    f.vx = intent.forward * f.side * FIGHTERS[f.kind].walk * (intent.forward < 0 ? 0.8 : 1);
  }
}

/** @param {State} s @param {Fighter} f @param {string} move @param {number} i */
function begin(s, f, move, i) {
  set(f, move, 0);
  f.landed = 0;
  f.count += 1;
  f.outcome = 'missed';
  const m = FIGHTERS[f.kind].moves[move];
  f.safe = Math.max(f.safe, m.safe ?? 0);
  if (move === 'super') f.bar = 0;
  if (!i) notice(s, move);
}

/** @param {Fighter} f @param {string} act @param {number} length */
function set(f, act, length) {
  f.act = act;
  f.t = 0;
  f.length = length;
}

/** @param {Fighter} f */
function knock(f) {
  set(f, 'down', DOWN);
  f.vy = 6;
  f.vx = -f.side * 4;
  f.air = true;
}

/** @param {Fighter} f */
function fall(f) {
  if (!f.air) return;
  f.y += f.vy;
  f.x += f.vx;
  f.vy -= GRAVITY;
  if (f.y <= 0) {
    f.y = f.vy = f.vx = 0;
    f.air = false;
    if (f.act === 'jump' || moveOf(f)) set(f, 'land', f.used ? 10 : 4);
  }
}

/** @param {State} s @param {Fighter} f @param {Fighter} other @param {number} i */
function advance(s, f, other, i) {
  f.stun = Math.max(0, f.stun - 0.08);
  f.safe = Math.max(0, f.safe - 1);
  f.t += 1;
  const m = moveOf(f);
  if (m && !f.air) {
    const [from, to] = [m.windup, m.windup + m.strike];
    f.vx = m.dash && f.t >= from && f.t < to ? f.side * m.dash : 0;
    if (m.rise && f.t >= from && f.t < to) f.y = m.rise * (f.t - from);
    else if (m.rise && f.t >= to) f.y = Math.max(0, f.y - m.rise);
    if (m.shot && f.t === from) s.shots.push({ x: f.x + f.side * 50, y: 70, vx: f.side * m.shot.speed, owner: i, move: f.act });
    if (f.t >= to + m.recover) {
      f.y = 0;
      set(f, 'stand', 0);
    }
  } else if (f.length && f.t >= f.length && !f.air) {
    if (f.act === 'down') f.safe = 8;
    if (f.act === 'dizzy') f.stun = 0;
    set(f, 'stand', 0);
  }
  if (f.air) fall(f);
  else {
    f.x += f.vx;
    if (f.act === 'hurt' || f.act === 'guard') f.vx *= 0.8;
    if (isFree(f)) f.side = other.x >= f.x ? 1 : -1;
  }
}

/** Blows that land in this frame; both sides' at once. @param {State} s */
function strike(s) {
  const [a, b] = s.fighters;
  const blows = s.fighters.map((f, i) => {
    const m = moveOf(f);
    const o = s.fighters[1 - i];
    if (!m || m.shot || phase(f) !== 'strike') return null;
    const hits = f.air ? 1 : (m.hits ?? 1);
    const due = Math.floor(((f.t - m.windup) * hits) / m.strike) + 1;
    if (f.landed >= due) return null;
    const faces = (o.x - f.x) * f.side > -20;
    const reach = f.air ? (f.vx * f.side > 0 ? m.reach : m.reach / 2) : m.reach;
    return faces && gap(s) <= reach && canHit(f, o, f.air ? 'mid' : m.height) ? m : null;
  });
  if (blows[0]?.height === 'grab' && blows[1]?.height === 'grab') {
    for (const f of [a, b]) {
      set(f, 'guard', 16);
      f.vx = -f.side * 8;
    }
    return;
  }
  blows.forEach((m, i) => m && land(s, i, m, s.fighters[i].air));
}

/** @param {Fighter} f @param {Fighter} o @param {string} height */
function canHit(f, o, height) {
  if (o.safe || o.act === 'down') return false;
  if (height === 'grab') return !o.air && o.y === 0 && o.act !== 'hurt' && o.act !== 'guard';
  const apart = Math.abs(o.y - f.y);
  if (f.air) return apart < 110;
  return height === 'low' ? o.y < 12 : height === 'high' ? apart < 150 : o.y < 55;
}

/** @param {State} s @param {number} i whose move @param {import('./moves.js').Move} m @param {boolean} aerial */
function land(s, i, m, aerial) {
  const f = s.fighters[i];
  const o = s.fighters[1 - i];
  f.landed += 1;
  const blockable = m.height !== 'grab' && m.height !== 'smash';
  const away = Math.sign(o.x - f.x) || f.side;
  const guards = blockable && !o.air && ((o.act === 'stand' && o.back > 0) || (o.act === 'guard' && o.back > 0));
  if (guards) {
    const sharp = o.act === 'stand' && o.back <= SHARP;
    f.outcome = sharp ? 'sharply guarded' : 'guarded';
    s.sparks.push({ x: o.x - away * 30, y: o.y + 80, left: 10, kind: sharp ? 'sharp' : 'guard' });
    if (sharp) {
      o.bar = Math.min(FULL_BAR, o.bar + 6);
      if (!m.shot && moveOf(f)) f.t = m.windup + m.strike - 14; // it takes 14 frames longer to recover
      f.landed = 99;
      return;
    }
    o.health = Math.max(1, o.health - (m.chip ?? 0));
    set(o, 'guard', 6 + Math.round(m.damage / 2.5));
    o.vx = away * m.push;
    f.bar = Math.min(FULL_BAR, f.bar + 2);
    return;
  }
  f.outcome = `hit for ${m.damage}`;
  o.health = Math.max(0, o.health - m.damage);
  f.bar = Math.min(FULL_BAR, f.bar + m.damage * 0.8);
  o.bar = Math.min(FULL_BAR, o.bar + m.damage * 0.5);
  if (moveOf(o)) o.outcome = 'interrupted';
  const was = o.act;
  o.stun = was === 'dizzy' ? 0 : o.stun + m.stun;
  s.sparks.push({ x: o.x - away * 20, y: o.y + 85, left: 12, kind: 'hit' });
  o.y = o.air ? o.y : 0;
  if (o.stun >= FULL_STUN) {
    o.stun = FULL_STUN;
    o.air = false;
    o.y = 0;
    set(o, 'dizzy', DIZZY);
  } else if ((m.down && (f.landed >= (m.hits ?? 1) || aerial)) || o.air) {
    knock(o);
    o.vx = away * 5;
  } else {
    set(o, 'hurt', 9 + Math.round(m.damage * 0.75));
    o.vx = away * m.push * 0.8;
  }
  s.said = `${titleOf(s, i)} lands ${m.title} for ${m.damage}.`;
}

/** @param {State} s */
function fly(s) {
  s.shots = s.shots.filter((shot) => {
    shot.x += shot.vx;
    const o = s.fighters[1 - shot.owner];
    const m = FIGHTERS[s.fighters[shot.owner].kind].moves[shot.move];
    if (Math.abs(shot.x - o.x) < 42 && o.y < 62 && !o.safe && o.act !== 'down') {
      const { landed, t } = s.fighters[shot.owner];
      land(s, shot.owner, m, false);
      Object.assign(s.fighters[shot.owner], { landed, t });
      return false;
    }
    return shot.x > 0 && shot.x < 1280;
  });
  if (s.shots.length === 2 && s.shots[0].owner !== s.shots[1].owner && Math.abs(s.shots[0].x - s.shots[1].x) < 24) s.shots = [];
}

/** Bodies do not overlap on the ground, and nobody leaves the ring. @param {State} s */
function part(s) {
  const [a, b] = s.fighters;
  const near = BODY - Math.abs(a.x - b.x);
  if (near > 0 && Math.abs(a.y - b.y) < 70) {
    const way = Math.sign(b.x - a.x) || (a.side > 0 ? 1 : -1);
    a.x -= (way * near) / 2;
    b.x += (way * near) / 2;
  }
  for (const f of s.fighters) f.x = Math.min(EAST, Math.max(WEST, f.x));
  const still = BODY - Math.abs(a.x - b.x);
  if (still > 0 && Math.abs(a.y - b.y) < 70) {
    const way = Math.sign(b.x - a.x) || (a.side > 0 ? 1 : -1);
    if (a.x <= WEST || a.x >= EAST) b.x += way * still;
    else a.x -= way * still;
  }
  for (const f of s.fighters) f.x = Math.min(EAST, Math.max(WEST, f.x));
}
