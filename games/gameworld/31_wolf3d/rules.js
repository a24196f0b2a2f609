// @ts-check
/** Stone Keep, the rules: walk, turn, open doors and shoot the guards before they shoot you. Tiles, degrees, frames. */

import { finish } from '../../kit/game.js';
import { alarm, moveGuards, post } from './guards.js';
import { find, PLAN } from './level.js';
import { bearing, doorAt, sees, turnOf, walk } from './world.js';

const SPEED = 0.075;
const TURN = 1.5;
const RELOAD = 12;
/** A guard so few degrees beside the middle of the view is hit. */
export const AIM_DEGREES = 9.5;
const NEAR = 4;
export const HEALTH = 100;
export const LIVES = 3;
/** Rounds at the start of each life, at least. */
const AMMO = 8;
const MEDKIT = 30;
const CLIP = 8;
const DROPPED = 3;
const DOOR_REST = 240;

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const start = find('P')[0];
  return {
    rng,
    frames: 0,
    player: { x: start.x, y: start.y, angle: 0 },
    lives: LIVES,
    /** Frames since a life was lost, for the picture. */
    sinceLost: 999,
    health: HEALTH,
    ammo: AMMO,
    kills: 0,
    reload: 0,
    flash: 0,
    pain: 0,
    bob: 0,
    guards: post(rng),
    /** @type {import('./world.js').Door[]} */
    doors: find('D').map((p) => ({ x: p.x - 0.5, y: p.y - 0.5, open: 0, wanted: false, rest: 0 })),
    things: [
      ...find('m').map((p) => ({ kind: 'medkit', ...p, amount: MEDKIT })),
      ...find('a').map((p) => ({ kind: 'ammo', ...p, amount: CLIP })),
    ],
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frames += 1;
  s.sinceLost += 1;
  const p = s.player;
  p.angle = turnOf(p.angle + TURN * input.axis('ArrowLeft', 'ArrowRight'));
  const go = SPEED * input.axis('ArrowDown', 'ArrowUp');
  const a = (p.angle * Math.PI) / 180;
  if (go) {
    walk(s.doors, p, Math.cos(a) * go, Math.sin(a) * go, 0.25);
    s.bob += 1;
  }
  if (input.pressed('Space')) openDoor(s, a);
  s.reload = Math.max(0, s.reload - 1);
  s.flash = Math.max(0, s.flash - 1);
  s.pain = Math.max(0, s.pain - 1);
  if (input.held('x') && s.reload === 0 && s.ammo > 0) shoot(s);
  moveDoors(s);
  const damage = moveGuards(s);
  if (damage) {
    s.health = Math.max(0, s.health - damage);
    s.pain = 14;
  }
  pickUp(s);
  if (s.kills === s.guards.length) finish(s, 'win', 'The keep is yours: no guard is left.');
  else if (s.health === 0) loseLife(s);
}

/** Back to the entrance; the guards that are down stay down, the others lose sight. @param {State} s */
function loseLife(s) {
  s.lives -= 1;
  if (s.lives === 0) return finish(s, 'fail', 'The guards shot you down for the last time.');
  const start = find('P')[0];
  s.player = { x: start.x, y: start.y, angle: 0 };
  s.health = HEALTH;
  s.ammo = Math.max(s.ammo, AMMO);
  s.sinceLost = 0;
  for (const g of s.guards) {
    g.alert = false;
    g.aim = 0;
  }
}

/** @param {State} s @param {number} a */
function openDoor(s, a) {
  for (const d of [0.5, 1, 1.5]) {
    const door = doorAt(s.doors, s.player.x + Math.cos(a) * d, s.player.y + Math.sin(a) * d);
    if (!door) continue;
    door.wanted = true;
    door.rest = DOOR_REST;
    return;
  }
}

/** @param {State} s */
function moveDoors(s) {
  const bodies = [s.player, ...s.guards.filter((g) => g.down < 0)];
  for (const d of s.doors) {
    if (d.wanted) {
      d.open = Math.min(1, d.open + 1 / 12);
      if (d.open === 1) {
        d.wanted = false;
        d.rest = Math.max(d.rest, DOOR_REST);
      }
    } else if (d.rest > 0) {
      d.rest -= 1;
    } else if (d.open > 0 && !bodies.some((b) => Math.abs(b.x - d.x - 0.5) < 0.85 && Math.abs(b.y - d.y - 0.5) < 0.85)) {
      d.open = Math.max(0, d.open - 1 / 24);
    }
  }
}

/** @param {State} s */
function shoot(s) {
  s.ammo -= 1;
  s.reload = RELOAD;
  s.flash = 5;
  alarm(s);
  const aim = s.guards
    .filter((g) => g.down < 0)
    .map((g) => ({ g, d: Math.hypot(g.x - s.player.x, g.y - s.player.y), off: offAim(s, g) }))
    .filter(({ g, d, off }) => off < hitAngle(d) && sees(s.doors, s.player, g))
    .sort((a, b) => a.d - b.d)[0];
  if (!aim) return;
  const g = aim.g;
  g.health -= aim.d < NEAR ? 50 : 25;
  g.alert = true;
  g.hurt = 12;
  g.aim = 0;
  if (g.health > 0) return;
  g.down = 0;
  s.kills += 1;
  s.things.push({ kind: 'ammo', x: g.x, y: g.y, amount: DROPPED });
}

/** A guard at that distance and so few degrees beside the middle is hit. @param {number} d */
export const hitAngle = (d) => Math.max(AIM_DEGREES, (Math.atan2(0.3, d) * 180) / Math.PI);

/** @param {State} s @param {{x: number, y: number}} g */
function offAim(s, g) {
  return Math.abs(turnOf(bearing(s.player, g) - s.player.angle));
}

/** @param {State} s */
function pickUp(s) {
  s.things = s.things.filter((t) => {
    if (Math.hypot(t.x - s.player.x, t.y - s.player.y) > 0.6) return true;
    if (t.kind === 'ammo') s.ammo += t.amount;
    else if (s.health === HEALTH) return true;
    else s.health = Math.min(HEALTH, s.health + t.amount);
    return false;
  });
}

/** @param {State} s */
export function observe(s) {
  const entities = s.guards.map((g) => ({
    kind: 'guard',
    x: g.x,
    y: g.y,
    alive: g.down < 0,
    alert: g.alert,
    health: Math.max(0, g.health),
    distance: Math.hypot(g.x - s.player.x, g.y - s.player.y),
    turn: turnOf(bearing(s.player, g) - s.player.angle),
    visible: sees(s.doors, s.player, g),
  }));
  return {
    game_state: {
      score: s.kills,
      progress: s.kills,
      player: { ...s.player, health: s.health, ammo: s.ammo, lives: s.lives },
      entities: [...entities, ...s.things],
      board: PLAN,
    },
    metrics: {
      kills: s.kills,
      max_kills: s.kills,
      total_monsters: s.guards.length,
      health: s.health,
      ammo: s.ammo,
      lives: s.lives,
    },
    raw: { frames: s.frames, reload: s.reload, doors: s.doors.map((d) => ({ x: d.x, y: d.y, open: d.open })) },
  };
}
