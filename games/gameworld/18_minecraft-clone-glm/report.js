// @ts-check
/** Block Valley, what the evaluator and scripted players may know. */

import { AIR, BLOCKS, ITEMS, SLOTS } from './blocks.js';
import { blockAt, surface, targeted } from './body.js';
import { gains, toolOf } from './pack.js';
import { SIZE, TALL } from './terrain.js';

/** Nearby is at most this far in each direction. */
const NEAR = 10;
const LETTERS = '.gdslvcib';

/** @param {import('./rules.js').State} s */
export function report(s) {
  const p = s.player;
  const t = targeted(s);
  const items = /** @type {Record<string, number>} */ (s.items);
  const tool = toolOf(s);
  const near = nearby(s);
  const top = surface(s);
  const below = BLOCKS[blockAt(s, Math.floor(p.x), Math.floor(p.y) - 1, Math.floor(p.z))].name;
  const held = SLOTS[s.slot - 1];
  const gained = gains(s);
  const sum = Object.values(gained).reduce((a, b) => a + b, 0);
  return {
    game_state: {
      score: sum,
      progress: sum,
      player: { ...p },
      inventory: { item_gains: gained, item_counts: { ...items }, selected_slot: s.slot },
      environment: {
        targeted_block: { block_type: t ? BLOCKS[t.block].name : 'none', x: t?.x ?? -1, y: t?.y ?? -1, z: t?.z ?? -1 },
        break_progress: s.dig.part,
        player_context: { block_below: below, surface_y: top },
        nearby_resources: near.found,
      },
    },
    metrics: {
      items_total: sum,
      items_unique: Object.values(gained).filter((n) => n > 0).length,
      held_selected_item_type: held,
      held_selected_item_count: tool ? 1 : items[held],
      selected_tool_type: tool || 'none',
      selected_tool_matches_target: !!t && BLOCKS[t.block].tool === tool,
      targeted_block_exists: !!t,
      targeted_block_type: t ? BLOCKS[t.block].name : 'none',
      targeted_block_distance: t ? t.distance : -1,
      depth_below_surface: Math.max(0, top + 1 - p.y),
      is_underground: p.y < top,
      nearby_stone_count: near.found.stone.count,
      nearest_stone_distance: near.found.stone.nearest,
      nearby_iron_ore_count: near.found.iron_ore.count,
      nearest_iron_ore_distance: near.found.iron_ore.nearest,
    },
    raw: { frames: s.frames, swing: s.swing, local: near.local },
  };
}

/** Counts what is around, and writes it down: one letter a block, x fastest, then z, then y. @param {import('./rules.js').State} s */
function nearby(s) {
  const p = s.player;
  /** @type {Record<string, {count: number, nearest: number}>} */
  const found = Object.fromEntries(ITEMS.map((i) => [i, { count: 0, nearest: -1 }]));
  const x0 = Math.max(0, Math.floor(p.x) - NEAR);
  const z0 = Math.max(0, Math.floor(p.z) - NEAR);
  const x1 = Math.min(SIZE - 1, Math.floor(p.x) + NEAR);
  const z1 = Math.min(SIZE - 1, Math.floor(p.z) + NEAR);
  let blocks = '';
  for (let y = 0; y < TALL; y++) {
    for (let z = z0; z <= z1; z++) {
      for (let x = x0; x <= x1; x++) {
        const block = blockAt(s, x, y, z);
        blocks += LETTERS[block];
        const entry = block === AIR ? null : found[BLOCKS[block].item];
        if (!entry) continue;
        const d = Math.hypot(x + 0.5 - p.x, y - p.y, z + 0.5 - p.z);
        entry.count += 1;
        if (entry.nearest < 0 || d < entry.nearest) entry.nearest = Math.round(d * 100) / 100;
      }
    }
  }
  return { found, local: { x: x0, z: z0, wide: x1 - x0 + 1, deep: z1 - z0 + 1, tall: TALL, blocks } };
}
