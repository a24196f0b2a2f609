// @ts-check
/** Harbour, the rules: walk, turn, speak and use with A. Metres, degrees (0 is north, 90 east), frames. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { around, bearing, tidy, walk } from './body.js';
import { fighting, makeCat, makeMump, moveCat, moveMump, shout } from './creatures.js';
import { present } from './people.js';
import { QUESTS } from './quests.js';
import { pulls } from './sticks.js';

/** A frame: 2.7 metres and 112.5 degrees a second. */
const STRIDE = 0.045;
const TURN = 1.875;
/** How far to each side of straight on A reaches. */
const ASIDE = 50;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const quest = oneOf(options, 'quest', Object.keys(QUESTS), 'n1');
  const { x, z, yaw, basket = false, awake = false } = QUESTS[quest];
  return {
    rng,
    quest,
    frames: 0,
    player: { x, y: 0, z, yaw, walked: 0 },
    items: { basket, parcel: false },
    /** What has happened. */
    flags: {
      met_owner: false, parcel_delivered: false, basket_delivered: false, wrong_stall: false, reported: false, child_found: false, board_read: false,
      unlocked: false, gate_open: false, lift_tried: false, door_tried: false, looked_out: false,
      asked_baker: false, asked_shells: false, asked_painter: false,
    },
    /** What is being said, and which line. @type {{who: string, line: number}|null} */
    talk: null,
    hearts: 3,
    /** Frames since a shout, a pull at nothing; and of being shaken. */
    raised: 0,
    shaken: 0,
    mump: makeMump(awake),
    cat: makeCat(rng),
    /** Where the drawn sticks stand, for the picture. */
    sticks: { left: [0, 0], right: [0, 0], a: false },
    /** Which of them the pointer holds: left, right, a, or none. */
    held: '',
    over: null,
  };
}

/** @typedef {Omit<ReturnType<typeof create>, 'flags'> & {flags: Record<string, boolean>}} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frames += 1;
  if (s.raised) s.raised -= 1;
  if (s.shaken) s.shaken -= 1;
  const { left, right, tapped, a } = pulls(s, input);
  s.sticks = { left, right, a };
  if (!s.talk) {
    turn(s, input.axis('ArrowLeft', 'ArrowRight') + right[0]);
    step(s, input.axis('a', 'd') + left[0], input.axis('ArrowDown', 'ArrowUp') + left[1]);
  }
  moveCat(s);
  if (!s.talk) moveMump(s);
  if (tapped || input.pressed('Space')) press(s);
  if (s.hearts <= 0) finish(s, 'fail', 'The mump has chased you off the pier.');
}

/** @param {State} s @param {number} right */
function turn(s, right) {
  const by = Math.max(-1, Math.min(1, right)) * TURN;
  if (by) s.player.yaw = tidy((s.player.yaw + by + 360) % 360);
}

/** @param {State} s @param {number} right @param {number} ahead */
function step(s, right, ahead) {
  const size = Math.hypot(right, ahead);
  if (!size) return;
  const speed = (STRIDE * Math.min(1, size)) / size;
  const a = (s.player.yaw * Math.PI) / 180;
  const [dx, dz] = [Math.sin(a) * ahead + Math.cos(a) * right, Math.cos(a) * ahead - Math.sin(a) * right];
  const others = present(s).filter((o) => o.look).map((o) => ({ x: o.x, y: o.y, z: o.z, r: 0.3 }));
  others.push({ x: s.cat.x, y: 0, z: s.cat.z, r: 0.22 });
  if (s.mump.mode !== 'gone') others.push({ x: s.mump.x, y: 0, z: s.mump.z, r: 0.55 });
  walk(s, dx * speed, dz * speed, others);
}

/** @param {State} s */
function press(s) {
  s.raised = 16;
  if (s.talk) {
    const who = present(s).find((o) => o.id === s.talk?.who);
    s.talk.line += 1;
    if (who && s.talk.line < who.says(s).length) return;
    s.talk = null;
    who?.then?.(s);
    return;
  }
  if (shout(s)) return;
  const who = inReach(s);
  if (who) s.talk = { who: who.id, line: 0 };
}

/** The nearest that A would reach, or null. @param {State} s */
export function inReach(s) {
  const p = s.player;
  let best = null;
  let least = Infinity;
  for (const o of present(s)) {
    const far = Math.hypot(o.x - p.x, o.z - p.z);
    if (far > o.reach || far >= least || Math.abs(o.y - p.y) > 1) continue;
    if (far > 0.5 && Math.abs(around(bearing(o.x - p.x, o.z - p.z) - p.yaw)) > ASIDE) continue;
    best = o;
    least = far;
  }
  return best;
}

/** @param {State} s */
export function observe(s) {
  const { x, y, z, yaw } = s.player;
  return {
    game_state: {
      player: { x, y, z, yaw },
      quest: s.quest,
      items: { ...s.items },
      flags: { ...s.flags },
      talking: s.talk !== null,
      hearts: s.hearts,
      mump: { mode: s.mump.mode, x: s.mump.x, z: s.mump.z, yaw: s.mump.yaw, shouted: s.mump.shouted },
      fighting: fighting(s),
      cat: { x: s.cat.x, z: s.cat.z },
    },
    metrics: { walked: s.player.walked, in_reach: inReach(s)?.id ?? '' },
    raw: {},
  };
}
