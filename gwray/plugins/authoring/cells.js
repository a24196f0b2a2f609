// @ts-check
/**
 * Maps states to cells of the search: score, rounded numbers of the player, and rounded time if the game moves without
 * input. The rounding is learned from random play, so games need no configuration.
 */

const MAX_REPEATS = 8;
const POSITION = /^(x|y|z|r|c|row|col|column|lane|cell|tile_?[xy]|angle|heading|yaw|depth|height|distance|index)$/i;
const SPEED = /^(v[xyz]?|d[xyz]|vel.*|speed.*|spin|omega)$/i;

/** @param {any} lab @param {Setup} setup @param {any} start snapshot */
function makeCells(lab, setup, start) {
  const random = mulberry(setup.seed);
  /** @type {Map<string, number>} */
  const sizes = new Map();
  let stepBucket = Infinity;

  /** Measures how much each number of the player changes in a step, by seeded random play. @param {number} budget */
  function measure(budget) {
    /** @type {Map<string, number[]>} */
    const changes = new Map();
    /** @type {Map<string, [number, number]>} */
    const ranges = new Map();
    lab.restore(start);
    stepBucket = moves() ? 4 : Infinity;
    let used = 0;
    while (used < budget) {
      lab.restore(start);
      let before = numbers(lab.run([]));
      for (let n = 0, again = 0, action = 0; n < setup.maxSteps && used < budget; n++, used++) {
        if (again-- <= 0) {
          action = Math.floor(random() * setup.actions.length);
          again = Math.floor(random() * MAX_REPEATS);
        }
        const state = lab.run(setup.actions[action]);
        const now = numbers(state);
        for (const [name, v] of now) {
          const [low, high] = ranges.get(name) ?? [v, v];
          ranges.set(name, [Math.min(low, v), Math.max(high, v)]);
          const change = Math.abs(v - (before.get(name) ?? v));
          if (change > 0) changes.set(name, [...(changes.get(name) ?? []).slice(-400), change]);
        }
        before = now;
        if (evaluate(setup.task, state).over) break;
      }
    }
    for (const [name, [low, high]] of ranges) {
      if (high === low) continue;
      const typical = median(changes.get(name) ?? [high - low]);
      const last = name.slice(name.lastIndexOf('.') + 1);
      if (POSITION.test(last)) sizes.set(name, Math.max(typical, (high - low) / 64));
      // For a speed the sign is enough; otherwise fast games would have too many cells.
      else if (SPEED.test(last)) sizes.set(name, 1.01 * Math.max(-low, high));
      else sizes.set(name, Math.max(typical, (high - low) / 3));
    }
    return used;
  }

  /** Whether the game moves without input. */
  function moves() {
    const still = (/** @type {any} */ s) => JSON.stringify([s.game_state.player, s.game_state.entities, s.game_state.board]);
    const first = still(lab.run([]));
    for (let i = 0; i < 8; i++) if (still(lab.run([{ at_ms: 200, kind: 'end' }])) !== first) return true;
    return false;
  }

  /** @param {any} state @param {number} progress @param {number} steps */
  function keyOf(state, progress, steps) {
    const time = Math.floor(steps / stepBucket);
    const parts = [Math.round(progress * 200), time];
    const values = numbers(state);
    for (const [name, size] of sizes) parts.push(Math.floor((values.get(name) ?? 0) / size + 1e-9));
    const board = state.game_state.board;
    const more = board === null || stepBucket !== Infinity ? '' : brief(JSON.stringify(board));
    return parts.join() + more;
  }

  return { measure, keyOf };
}

/** Numbers of the player, level and progress, by dotted name. @param {any} state */
function numbers(state) {
  /** @type {Map<string, number>} */
  const out = new Map();
  const take = (/** @type {string} */ name, /** @type {any} */ v, /** @type {number} */ depth) => {
    if (out.size >= 12) return;
    if (typeof v === 'number') out.set(name, v);
    else if (typeof v === 'boolean') out.set(name, v ? 1 : 0);
    else if (typeof v === 'string') out.set(name, parseInt(brief(v), 36) % 1000);
    else if (Array.isArray(v)) {
      if (v.length <= 3) v.forEach((item, i) => take(`${name}.${'xyz'[i]}`, item, depth + 1));
    } else if (v && depth < 3) for (const k of Object.keys(v)) take(`${name}.${k}`, v[k], depth + 1);
  };
  const g = state.game_state;
  take('player', g.player, 0);
  take('level', g.level, 0);
  take('progress', g.progress, 0);
  if (g.players) take('players', g.players, 0);
  return out;
}

/** @param {number[]} list */
function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** A short hash (FNV-1a). @param {string} text */
function brief(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h >>> 0).toString(36);
}

/** @param {number} seed */
function mulberry(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
