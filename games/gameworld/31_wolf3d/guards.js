// @ts-check
/** Stone Keep, the guards: they stand until they notice the player, then come closer and shoot. */

import { stream } from '../../kit/random.js';
import { find, GROUPS } from './level.js';
import { bearing, doorAt, nextCell, sees, turnOf, walk } from './world.js';

export const GUARD_HEALTH = 50;
const SIGHT = 10;
const SPEED = 0.028;
const KEEP = 2.6;
/** Frames of taking aim, seen by the player, before each shot. */
export const AIM = 24;

/**
 * @typedef {{x: number, y: number, angle: number, health: number, alert: boolean, wait: number, aim: number,
 *   flash: number, hurt: number, down: number, step: number}} Guard
 *   down: frames since it fell, -1 while it stands
 */

/** @param {import('../../kit/random.js').Rng} rng @returns {Guard[]} */
export function post(rng) {
  const r = stream(rng, 'posts');
  const posts = find('g');
  return GROUPS.flatMap(({ area: [left, top, right, bottom], guards }) => {
    const own = posts.filter((p) => p.x > left && p.x < right + 1 && p.y > top && p.y < bottom + 1);
    return r
      .shuffle(own)
      .slice(0, guards)
      .map((p) => ({
        x: p.x + r.float(-0.2, 0.2),
        y: p.y + r.float(-0.2, 0.2),
        angle: r.int(0, 7) * 45,
        health: GUARD_HEALTH,
        alert: false,
        wait: r.int(12, 36),
        aim: 0,
        flash: 0,
        hurt: 0,
        down: -1,
        step: 0,
      }));
  });
}

/** @param {import('./rules.js').State} s @returns {number} what the player loses by shots in this frame */
export function moveGuards(s) {
  let damage = 0;
  for (const g of s.guards) {
    if (g.down >= 0) {
      g.down = Math.min(60, g.down + 1);
      continue;
    }
    g.flash = Math.max(0, g.flash - 1);
    g.hurt = Math.max(0, g.hurt - 1);
    const d = Math.hypot(s.player.x - g.x, s.player.y - g.y);
    const visible = d < SIGHT && sees(s.doors, g, s.player);
    if (!g.alert) {
      g.alert = visible && Math.abs(turnOf(bearing(g, s.player) - g.angle)) < 100;
      continue;
    }
    if (g.hurt > 0) continue;
    if (visible) g.angle = bearing(g, s.player);
    if (g.aim > 0) {
      g.aim -= 1;
      if (g.aim === 0) damage += shoot(s, g, d, visible);
      continue;
    }
    g.wait -= 1;
    if (visible && g.wait <= 0) g.aim = AIM;
    else if (!visible || d > KEEP) approach(s, g, visible);
  }
  return damage;
}

/** @param {import('./rules.js').State} s @param {Guard} g @param {number} d @param {boolean} visible */
function shoot(s, g, d, visible) {
  const r = stream(s.rng, 'shots');
  g.flash = 6;
  g.wait = r.int(24, 48);
  const hit = r.chance(Math.max(0.25, 0.85 - 0.07 * d));
  const damage = r.int(9, 16);
  return visible && hit ? damage : 0;
}

/** @param {import('./rules.js').State} s @param {Guard} g @param {boolean} visible */
function approach(s, g, visible) {
  const to = visible ? s.player : nextCell(g, s.player);
  if (!to) return;
  const a = (bearing(g, to) * Math.PI) / 180;
  const door = doorAt(s.doors, g.x + Math.cos(a) * 0.7, g.y + Math.sin(a) * 0.7);
  if (door) door.wanted = true;
  walk(s.doors, g, Math.cos(a) * SPEED, Math.sin(a) * SPEED, 0.22);
  if (!visible) g.angle = bearing(g, to);
  g.step += 1;
}

/** A shot makes noise: guards near it, or who can see the shooter, know where to look. @param {import('./rules.js').State} s */
export function alarm(s) {
  for (const g of s.guards) {
    if (g.down < 0 && sees(s.doors, g, s.player)) g.alert = true;
  }
}
