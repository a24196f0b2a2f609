// @ts-check
/** Ruin Runner, the screen in words: the runner, what comes next on the path, the corner and what is seen behind it. */

import { CHARM_COINS, here, speedOf, STUMBLE_FRAMES } from './rules.js';
import { DEPTH, LANE } from './track.js';

/** @typedef {import('./track.js').Stretch} Stretch */

/** How far ahead things are told apart in the mist. */
const SIGHT = 60;
/** How near a corner is when what lies behind it is told apart. */
const NEAR = 30;
/** How far the eye is behind the runner, and how much of a thing's distance it may lie aside to be in the picture. */
const BACK = 7.7;
const ASIDE = 640 / 760;
const LANES = ['left', 'middle', 'right'];

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const t = here(s);
  const lines = [`Score: ${s.score}. Coins: ${s.coins}. Charm: ${s.charm} of ${CHARM_COINS}${s.charm >= CHARM_COINS ? ', full' : ''}.`];
  if (!s.started) lines.push('The screen says: Press Space to run. The runner stands still.');
  else lines.push(`The runner runs about ${(speedOf(s) * 30).toFixed(1)} units in 0.5 seconds.`);
  lines.push(`${runner(s)} The path has three lanes: left, middle, right.`);
  if (s.sinceStumble < STUMBLE_FRAMES) lines.push('The screen says: Stumbled: the guardian is close! The stone guardian is right behind the runner.');
  if (s.safe > 0) lines.push('The screen says: Saved by the charm!');
  const corner = t.length - s.along;
  const found = things(t, s.along, SIGHT);
  lines.push('On this stretch, the nearest first (distances in units from the runner):', ...(found.length ? found : ['- nothing in the way']));
  if (corner < SIGHT + BACK) {
    lines.push(`The corner is ${far(corner)} ahead; the yellow arrow on the wall behind it points to the ${t.turn < 0 ? 'left' : 'right'}.`);
    const next = /** @type {Stretch} */ (s.path[2]);
    const beyond = corner < NEAR ? things(next, 0, (corner + BACK) * ASIDE) : [];
    if (beyond.length) lines.push('After the corner (distances in units from the corner):', ...beyond);
  } else lines.push('The corner at the end of this stretch is still too far away to be seen well.');
  return lines.join('\n');
}

/** @param {import('./rules.js').State} s */
function runner(s) {
  const lane = LANES[s.lane + 1];
  const at = Math.abs(s.x - s.lane * LANE) > 0.3 ? `is stepping over into the ${lane} lane` : `is in the ${lane} lane`;
  if (s.y > 0) return `He ${at}, in the air, ${s.y.toFixed(1)} units high and ${s.vy > 0 ? 'rising' : 'coming down'}.`;
  return `He ${at}${s.slide > 0 ? ', sliding' : ', on his feet'}.`;
}

/** Obstacles and rows of coins, by their distance from a place. @param {Stretch} t @param {number} from @param {number} sight */
function things(t, from, sight) {
  const found = t.items.map((o) => {
    const [near, end] = [o.at - DEPTH[o.kind] / 2 - from, o.at + DEPTH[o.kind] / 2 - from];
    return { near, end, text: `- ${name(o)}, from ${far(near)} to ${far(end)}` };
  });
  /** @type {{lane: number, from: number, to: number, n: number}[]} */
  const rows = [];
  for (const c of t.coins) {
    if (c.taken || c.at < from || c.at > from + sight) continue;
    const last = rows[rows.length - 1];
    if (last && last.lane === c.lane && c.at - last.to < 3) Object.assign(last, { to: c.at, n: last.n + 1 });
    else rows.push({ lane: c.lane, from: c.at, to: c.at, n: 1 });
  }
  for (const r of rows) {
    const text = `- ${r.n === 1 ? 'a gold coin' : `${r.n} gold coins`} in the ${LANES[r.lane + 1]} lane, from ${far(r.from - from)} to ${far(r.to - from)}`;
    found.push({ near: r.from - from, end: r.to - from, text });
  }
  return found.filter((f) => f.end > 0 && f.near < sight).sort((a, b) => a.near - b.near).map((f) => f.text);
}

/** @param {import('./track.js').Item} o */
function name(o) {
  if (o.kind === 'log') return 'a log across all lanes (jump)';
  if (o.kind === 'beam') return 'a red beam across all lanes (slide)';
  if (o.kind === 'gap') return 'a hole across all lanes (jump)';
  const free = [-1, 0, 1].filter((l) => !o.lanes.includes(l)).map((l) => LANES[l + 1]);
  const closed = o.lanes.map((l) => LANES[l + 1]);
  return `grey stone: ${closed.join(' and ')} closed, ${free.join(' and ')} free`;
}

/** @param {number} units */
function far(units) {
  return Math.max(0, units).toFixed(1);
}
