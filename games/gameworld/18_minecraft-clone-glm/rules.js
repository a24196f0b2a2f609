// @ts-check
/** Block Valley, the rules: look around, walk, mine what the crosshair points at, put blocks down. Blocks, degrees, frames. */

import { AIR, BEDROCK, BLOCKS, SLOTS } from './blocks.js';
import { blockAt, fits, moveBody, targeted } from './body.js';
import { blockOf, FIRST_DIRT, toolOf } from './pack.js';
import { look } from './pointer.js';
import { report } from './report.js';
import { index, inside, START, TALL, terrain } from './terrain.js';

const WALK = 0.09;
const JUMP = 0.165;
/** Updates that a press of the left button may last to count as a click, which puts a block down. */
const TAP = 8;

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const land = terrain(rng.seed);
  let y = TALL - 1;
  while (land[index(START, y, START)] === AIR) y--;
  return {
    rng,
    /** Of which seed the land is made. */
    land: rng.seed,
    frames: 0,
    player: { x: START + 0.5, y: y + 1, z: START + 0.5, yaw: 0, pitch: 0, vy: 0, grounded: true },
    pointer: { x: 640, y: 360 },
    slot: 1,
    items: { dirt: FIRST_DIRT, wood_log: 0, leaves: 0, stone: 0, coal_ore: 0, iron_ore: 0 },
    /** Cells that differ from the land of the seed. @type {Record<number, number>} */
    edits: {},
    /** The cell that is being mined, and how far. */
    dig: { cell: -1, part: 0 },
    swing: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frames += 1;
  look(s, input.path);
  for (const key of input.keys) if (/^[1-9]$/.test(key)) s.slot = Number(key);
  walkBy(s, input.axis('ArrowLeft', 'ArrowRight'), input.axis('ArrowDown', 'ArrowUp'));
  if (input.held('Space') && s.player.grounded) s.player.vy = JUMP;
  const mining = input.mouseHeld('left');
  const pressed = mining ? s.swing + 1 : s.swing;
  s.swing = mining ? pressed : 0;
  if (mining) mine(s);
  else s.dig = { cell: -1, part: 0 };
  const tapped = input.lifts.some((l) => l.button === 'left') && pressed > 0 && pressed <= TAP;
  if (tapped || input.clicked('right')) place(s);
}

/** @param {State} s @param {number} right @param {number} ahead */
function walkBy(s, right, ahead) {
  const a = (s.player.yaw * Math.PI) / 180;
  const speed = right && ahead ? WALK * Math.SQRT1_2 : WALK;
  const dx = (Math.sin(a) * ahead + Math.cos(a) * right) * speed;
  const dz = (Math.cos(a) * ahead - Math.sin(a) * right) * speed;
  moveBody(s, dx, dz);
}

/** @param {State} s */
function mine(s) {
  const t = targeted(s);
  if (!t || t.block === BEDROCK) {
    s.dig = { cell: -1, part: 0 };
    return;
  }
  const cell = index(t.x, t.y, t.z);
  if (s.dig.cell !== cell) s.dig = { cell, part: 0 };
  const kind = BLOCKS[t.block];
  s.dig.part += 1 / (kind.tool === toolOf(s) ? kind.quick : kind.slow);
  if (s.dig.part < 1 - 1e-9) return;
  s.edits[cell] = AIR;
  /** @type {Record<string, number>} */ (s.items)[kind.item] += 1;
  s.dig = { cell: -1, part: 0 };
}

/** @param {State} s */
function place(s) {
  const item = SLOTS[s.slot - 1];
  const block = blockOf(s);
  const items = /** @type {Record<string, number>} */ (s.items);
  const t = targeted(s);
  if (!t || block === undefined || !items[item]) return;
  const [x, y, z] = t.before;
  if (!inside(x, y, z) || blockAt(s, x, y, z) !== AIR) return;
  const cell = index(x, y, z);
  const was = s.edits[cell];
  s.edits[cell] = block;
  if (fits(s, s.player.x, s.player.y, s.player.z)) {
    items[item] -= 1;
  } else if (was === undefined) {
    delete s.edits[cell];
  } else {
    s.edits[cell] = was;
  }
}

/** @param {State} s */
export function observe(s) {
  return report(s);
}
