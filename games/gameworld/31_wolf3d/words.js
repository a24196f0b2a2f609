// @ts-check
/** Stone Keep in words: the panels, what is in view and not behind a wall, and the plan. */

import { charAt, isWall, PLAN } from './level.js';
import { AIM_DEGREES, HEALTH, hitAngle, LIVES } from './rules.js';
import { bearing, doorAt, sees, turnOf } from './world.js';

/** Degrees from the middle of the picture to its edge. */
const EDGE = 33;
const HEADINGS = ['east', 'south-east', 'south', 'south-west', 'west', 'north-west', 'north', 'north-east'];
/** @type {Record<string, string>} */
const WALLS = { '#': 'a stone wall', B: 'a brick wall', W: 'a wooden wall' };

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const p = s.player;
  const heading = ((Math.round(p.angle) % 360) + 360) % 360;
  const lines = [
    `Guards down: ${s.kills} of ${s.guards.length}. Lives: ${s.lives} of ${LIVES}. Health: ${s.health} of ${HEALTH}. Ammunition: ${s.ammo}.`,
  ];
  if (s.sinceLost < 120) lines.push('You have just lost a life and are back at the entrance.');
  if (s.pain > 0) lines.push('The picture is red: you are being hit.');
  lines.push(
    `You are at column ${p.x.toFixed(1)}, row ${p.y.toFixed(1)} of the plan below and look ${HEADINGS[Math.round(heading / 45) % 8]} (${heading} degrees; 0 is east, 90 south, 180 west, 270 north).`,
    ahead(s),
    ...inView(s),
    'The plan (# B W walls, D doors, . floor, @ you; columns and rows count from 0; guards and things are not on it):',
    ...PLAN.map((row, y) =>
      [...row].map((_, x) => (Math.floor(p.x) === x && Math.floor(p.y) === y ? '@' : isWall(charAt(x, y)) || charAt(x, y) === 'D' ? charAt(x, y) : '.')).join(''),
    ),
  );
  return lines.join('\n');
}

/** What stands straight ahead, wall or door. @param {import('./rules.js').State} s */
function ahead(s) {
  const a = (s.player.angle * Math.PI) / 180;
  for (let d = 0.1; d < 30; d += 0.05) {
    const x = s.player.x + Math.cos(a) * d;
    const y = s.player.y + Math.sin(a) * d;
    const c = charAt(x, y);
    if (isWall(c)) return `Straight ahead: ${WALLS[c]}, ${d.toFixed(1)} tiles away.`;
    if (c === 'D' && (doorAt(s.doors, x, y)?.open ?? 0) < 0.7) return `Straight ahead: a closed door, ${d.toFixed(1)} tiles away.`;
  }
  return 'Straight ahead: nothing near.';
}

/** @param {import('./rules.js').State} s */
function inView(s) {
  /** @type {{d: number, line: string}[]} */
  const list = [];
  /** @param {{x: number, y: number}} at @param {(d: number, off: number) => string} say */
  const add = (at, say, d = Math.hypot(at.x - s.player.x, at.y - s.player.y)) => {
    const off = turnOf(bearing(s.player, at) - s.player.angle);
    if (Math.abs(off) > EDGE || d * Math.cos((off * Math.PI) / 180) < 0.25 || !sees(s.doors, s.player, at)) return;
    const side = Math.abs(off) < 0.5 ? 'straight ahead' : `${Math.round(Math.abs(off))} degrees to the ${off < 0 ? 'left' : 'right'}`;
    list.push({ d, line: `- ${say(d, Math.abs(off))}, ${d.toFixed(1)} tiles away, ${side}` });
  };
  for (const g of s.guards) {
    if (g.down >= 0) continue;
    const front = Math.abs(turnOf(bearing(g, s.player) - g.angle)) < 100;
    const doing = g.flash > 0 ? 'firing' : g.hurt > 0 ? 'hit' : g.aim > 0 ? 'taking aim at you' : front ? 'turned to you' : 'with his back to you';
    add(g, (d, off) => `a guard ${doing}${off < hitAngle(d) ? ', between the brackets' : ''}`);
  }
  for (const t of s.things) add(t, () => (t.kind === 'ammo' ? 'ammunition' : 'a medkit'));
  for (const d of s.doors) {
    // Looked at from its near side, so that a closed door does not hide itself.
    const far = Math.hypot(d.x + 0.5 - s.player.x, d.y + 0.5 - s.player.y);
    const part = Math.max(0, 1 - 0.75 / far);
    const near = { x: s.player.x + (d.x + 0.5 - s.player.x) * part, y: s.player.y + (d.y + 0.5 - s.player.y) * part };
    if (far > 0.75) add(near, () => `${d.open > 0.7 ? 'an open' : d.open > 0 ? 'a moving' : 'a closed'} door (column ${d.x}, row ${d.y})`, far);
  }
  list.sort((a, b) => a.d - b.d);
  const all = list.map((x) => x.line);
  if (!all.length) return ['In view: no guard, no door, nothing to take.'];
  return [`In view, up to ${EDGE} degrees from the middle, nearest first (a shot hits within ${AIM_DEGREES} degrees):`, ...all.slice(0, 16)];
}
