// @ts-check
/** Block Valley in words: what the picture shows, as rows of symbols, and where the nearest blocks in view are. */

import { AIR, BLOCKS, ITEMS, SLOTS } from './blocks.js';
import { blockAt, EYE, REACH, targeted } from './body.js';
import { gains } from './pack.js';
import { SIZE, TALL } from './terrain.js';
import { FOCAL } from './view.js';

/** Further away the mist hides what a block is. */
const FAR = 28;
const SIGNS = '.gdslvcib';
const COLUMNS = 25;
const ROWS = 13;
/** Pixels between two looks for the list of blocks. */
const FINE = 20;
const NORTH = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'];

/** @typedef {import('./rules.js').State} State */
/** @typedef {{block: number, x: number, y: number, z: number, far: number}} Seen */

/** @param {State} s */
export function describe(s) {
  const p = s.player;
  const t = targeted(s);
  const all = gains(s);
  const items = /** @type {Record<string, number>} */ (s.items);
  const slots = SLOTS.map((name, i) => `${i + 1} ${name.replace('_', ' ')}${i > 2 ? ` (${items[name]})` : ''}`);
  const level = Math.abs(p.pitch) < 0.5 ? 'level' : `${Math.round(Math.abs(p.pitch))} degrees ${p.pitch > 0 ? 'up' : 'down'}`;
  const lines = [
    `Gathered: ${ITEMS.map((i) => `${i.replace('_', ' ')} ${all[i]}`).join(', ')}.`,
    `Slots: ${slots.join(', ')}. Chosen: ${s.slot}.`,
    `You look ${NORTH[Math.round(p.yaw / 45) % 8]}, ${level}.${p.grounded ? '' : ' You are in the air.'}`,
    t
      ? `The cross points at ${BLOCKS[t.block].name.replace('_', ' ')}, ${t.distance.toFixed(1)} blocks from your eyes, in reach.${s.dig.part > 0 ? ` The yellow bar is ${Math.round(s.dig.part * 100)} % full.` : ''}`
      : `The cross points at nothing in reach (${REACH} blocks).`,
    `The picture as ${COLUMNS} columns and ${ROWS} rows, the cross in the middle one; . sky, g grass, d dirt, s stone, l log, v leaves, c coal ore, i iron ore, b bedrock:`,
  ];
  for (let row = 0; row < ROWS; row++) {
    let line = '';
    for (let col = 0; col < COLUMNS; col++) {
      line += SIGNS[see(s, ((col + 0.5) / COLUMNS) * 1280, ((row + 0.5) / ROWS) * 720)?.block ?? AIR];
    }
    lines.push(line);
  }
  lines.push('Blocks in view, the nearest three of each kind (directions from your eyes; look steps turn 22.5 degrees):', ...nearest(s));
  return lines.join('\n');
}

/** What a point of the picture shows. @param {State} s @param {number} px @param {number} py @returns {Seen|null} */
function see(s, px, py) {
  const p = s.player;
  const a = (p.yaw * Math.PI) / 180;
  const b = (p.pitch * Math.PI) / 180;
  const h = (px - 640) / FOCAL;
  const v = (360 - py) / FOCAL;
  const d = [
    Math.sin(a) * Math.cos(b) - Math.sin(a) * Math.sin(b) * v + Math.cos(a) * h,
    Math.sin(b) + Math.cos(b) * v,
    Math.cos(a) * Math.cos(b) - Math.cos(a) * Math.sin(b) * v - Math.sin(a) * h,
  ];
  const norm = Math.hypot(...d);
  for (const i of [0, 1, 2]) d[i] = d[i] / norm || 1e-9;
  const o = [p.x, p.y + EYE, p.z];
  const cell = o.map(Math.floor);
  const step = d.map((c) => (c < 0 ? -1 : 1));
  const delta = d.map((c) => Math.abs(1 / c));
  const next = d.map((c, i) => (c < 0 ? o[i] - cell[i] : cell[i] + 1 - o[i]) * delta[i]);
  for (let far = 0; far <= FAR; ) {
    const [x, y, z] = cell;
    if (x < 0 || z < 0 || x >= SIZE || z >= SIZE || y < 0 || (y >= TALL && step[1] > 0)) return null;
    const block = blockAt(s, x, y, z);
    if (block !== AIR) return { block, x, y, z, far };
    const axis = next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : next[1] < next[2] ? 1 : 2;
    far = next[axis];
    next[axis] += delta[axis];
    cell[axis] += step[axis];
  }
  return null;
}

/** @param {State} s */
function nearest(s) {
  /** @type {Map<string, Seen>} */
  const found = new Map();
  for (let py = FINE / 2; py < 720; py += FINE) {
    for (let px = FINE / 2; px < 1280; px += FINE) {
      const hit = see(s, px, py);
      if (hit) found.set(`${hit.x},${hit.y},${hit.z}`, hit);
    }
  }
  /** @type {Map<number, {away: number, hit: Seen}[]>} */
  const kinds = new Map();
  const p = s.player;
  for (const hit of found.values()) {
    const away = Math.hypot(hit.x + 0.5 - p.x, hit.y + 0.5 - p.y - EYE, hit.z + 0.5 - p.z);
    kinds.set(hit.block, [...(kinds.get(hit.block) ?? []), { away, hit }]);
  }
  const lines = [...kinds].map(([block, list]) => {
    list.sort((a, b) => a.away - b.away);
    const places = list.slice(0, 3).map(({ away, hit }) => {
      const [x, y, z] = [hit.x + 0.5 - p.x, hit.y + 0.5 - p.y - EYE, hit.z + 0.5 - p.z];
      const turn = ((((Math.atan2(x, z) * 180) / Math.PI - p.yaw + 180) % 360) + 360) % 360 - 180;
      const lift = (Math.atan2(y, Math.hypot(x, z)) * 180) / Math.PI;
      const side = Math.abs(turn) < 1 ? 'straight on' : `${Math.round(Math.abs(turn))} ${turn < 0 ? 'left' : 'right'}`;
      return `${away.toFixed(1)} away, ${side}, ${Math.round(Math.abs(lift))} ${lift < 0 ? 'below' : 'above'} level`;
    });
    return { away: list[0].away, line: `- ${BLOCKS[block].name.replace('_', ' ')}, ${list.length} seen: ${places.join('; ')}.` };
  });
  if (!lines.length) return ['- none, only sky.'];
  return lines.sort((a, b) => a.away - b.away).map((l) => l.line);
}
