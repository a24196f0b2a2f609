// @ts-check
/**
 * The search itself, inside the page: it plays a game through `gameAPI.lab` and remembers where it has been.
 *
 * An archive of cells (score, coarse player numbers, coarse time) keeps the shortest known way to each. A cell is
 * chosen by a seeded mixture of best progress, even spread over the steps, and novelty; a few macro actions (one
 * control, repeated) go on from there. Effort is counted in played steps, never in seconds, so the same seed finds
 * the same solution on every machine.
 *
 * `judge` is that of `lab.js`, which is loaded before.
 *
 * @typedef {{
 *   seed: number, maxSteps: number, mode: 'explore'|'beam', width: number,
 *   task: import('./lab.js').Task,
 *   actions: {names: string[], events: object[]}[], warm: number[][],
 * }} Setup
 * @typedef {{parent: Node|null, action: number, steps: number, progress: number, hint: number, chosen: number,
 *   gone: boolean}} Node
 */

const SNAPSHOT_BYTES = 250e6;
const MOST_REPEATS = 8;
const POSITION = /^(x|y|z|r|c|row|col|column|lane|cell|tile_?[xy]|angle|heading|yaw|depth|height|distance|index)$/i;

const SPEED = /^(v[xyz]?|d[xyz]|vel.*|speed.*|spin|omega)$/i;

/** @param {any} lab @param {Setup} setup @param {{hint?: (state: any) => number, cell?: (state: any) => any}} own */
function makeSearch(lab, setup, own = {}) {
  const { task, actions, maxSteps } = setup;
  const hint = own.hint ?? lab.hint ?? (() => 0);
  let random = mulberry(setup.seed);
  /** The game as an episode meets it: the page has just been opened. */
  const start = lab.snapshot();
  const pick = (/** @type {any[]} */ list) => list[Math.floor(random() * list.length)];

  let expansions = 0;
  /** @type {{steps: number[], progress: number, solved: boolean}} */
  let best = { steps: [], progress: -1, solved: false };

  // --- one step ------------------------------------------------------------------------------------------------

  /** @param {number} action @returns {{state: any, progress: number, solved: boolean, over: boolean}} */
  function play(action) {
    const state = lab.run(actions[action].events);
    return { state, ...judge(task, state) };
  }

  // --- cells ---------------------------------------------------------------------------------------------------

  /** @type {Map<string, number>} */
  const sizes = new Map();
  let stepBucket = Infinity;

  /** Learns how much each number of the player changes in a step, from seeded random play. @param {number} budget */
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
      for (let n = 0, again = 0, action = 0; n < maxSteps && used < budget; n++, used++) {
        if (again-- <= 0) {
          action = Math.floor(random() * actions.length);
          again = Math.floor(random() * MOST_REPEATS);
        }
        const { state, over } = play(action);
        const now = numbers(state);
        for (const [name, v] of now) {
          const [low, high] = ranges.get(name) ?? [v, v];
          ranges.set(name, [Math.min(low, v), Math.max(high, v)]);
          const change = Math.abs(v - (before.get(name) ?? v));
          if (change > 0) changes.set(name, [...(changes.get(name) ?? []).slice(-400), change]);
        }
        before = now;
        if (over) break;
      }
    }
    for (const [name, [low, high]] of ranges) {
      if (high === low) continue;
      const typical = median(changes.get(name) ?? [high - low]);
      const last = name.slice(name.lastIndexOf('.') + 1);
      if (POSITION.test(last)) sizes.set(name, Math.max(typical, (high - low) / 64));
      // Of a speed its sign is enough, or the cells of fast games grow beyond any budget.
      else if (SPEED.test(last)) sizes.set(name, 1.01 * Math.max(-low, high));
      else sizes.set(name, Math.max(typical, (high - low) / 3));
    }
    return used;
  }

  /** Whether the game goes on by itself when nobody does anything. */
  function moves() {
    const still = (/** @type {any} */ s) => JSON.stringify([s.game_state.player, s.game_state.entities, s.game_state.board]);
    const first = still(lab.run([]));
    for (let i = 0; i < 8; i++) if (still(lab.run([{ at_ms: 200, kind: 'end' }])) !== first) return true;
    return false;
  }

  /** @param {any} state @param {number} progress @param {number} steps */
  function keyOf(state, progress, steps) {
    const time = Math.floor(steps / stepBucket);
    if (own.cell) return JSON.stringify([own.cell(state), time]);
    const parts = [Math.round(progress * 200), time];
    const values = numbers(state);
    for (const [name, size] of sizes) parts.push(Math.floor((values.get(name) ?? 0) / size + 1e-9));
    const board = state.game_state.board;
    const more = board === null || stepBucket !== Infinity ? '' : brief(JSON.stringify(board));
    return parts.join() + more;
  }

  // --- archive -------------------------------------------------------------------------------------------------

  /** @type {Map<string, Node>} */
  const archive = new Map();
  /** @type {Node[][]} */
  const byProgress = Array.from({ length: 41 }, () => []);
  /** @type {Node[][]} */
  const bySteps = Array.from({ length: maxSteps }, () => []);
  /** Recently used snapshots; older ones are played again when needed. @type {Map<Node, any>} */
  const kept = new Map();
  let mostKept = 1000;

  /** @param {Node} node @param {any} snapshot */
  function keep(node, snapshot) {
    kept.delete(node);
    kept.set(node, snapshot);
    if (kept.size > mostKept) kept.delete(/** @type {Node} */ (kept.keys().next().value));
  }

  /** Puts the game into the state of a node. @param {Node} node */
  function go(node) {
    const way = [];
    let from = node;
    while (from !== root && !kept.has(from)) {
      way.push(from.action);
      from = /** @type {Node} */ (from.parent);
    }
    const snapshot = saved(from);
    lab.restore(snapshot);
    for (const action of way.reverse()) lab.run(actions[action].events);
    if (node !== root) keep(node, way.length ? lab.snapshot() : snapshot);
  }

  /** The actions that lead to a node. @param {Node} node */
  function wayTo(node) {
    const way = [];
    for (let n = node; n.parent; n = n.parent) way.push(n.action);
    return way.reverse();
  }

  /**
   * Goes one step on from where the game stands (at `from`); null when that ends the attempt.
   * @param {Node} from @param {number} action @returns {Node|null}
   */
  function advance(from, action) {
    const { state, progress, solved, over } = play(action);
    expansions += 1;
    const steps = from.steps + 1;
    /** @type {Node} */
    const node = { parent: from, action, steps, progress, hint: 0, chosen: 0, gone: false };
    if (progress > best.progress || (solved && !best.solved)) best = { steps: wayTo(node), progress, solved };
    if (solved || over || steps >= maxSteps) return null;
    node.hint = Number(hint(state)) || 0;
    const key = keyOf(state, progress, steps);
    const there = archive.get(key);
    if (there) there.chosen += 0.05;
    const better = !there || steps < there.steps || (steps === there.steps && node.hint > there.hint);
    if (better) {
      if (there) there.gone = true;
      node.chosen = there ? there.chosen / 2 : 0;
      archive.set(key, node);
      byProgress[Math.floor(progress * 40)].push(node);
      bySteps[steps].push(node);
      keep(node, lab.snapshot());
    }
    return node;
  }

  /** @type {Node} */
  let root;
  const saved = (/** @type {Node} */ node) => (node === root ? start : kept.get(node));

  function begin() {
    lab.restore(start);
    root = { parent: null, action: -1, steps: 0, progress: 0, hint: 0, chosen: 0, gone: false };
    mostKept = Math.max(100, Math.min(20000, Math.floor(SNAPSHOT_BYTES / (2 * JSON.stringify(start).length + 500))));
    bySteps[0].push(root);
    byProgress[0].push(root);
    for (const way of setup.warm) {
      lab.restore(start);
      /** @type {Node|null} */
      let node = root;
      for (const action of way) if (node) node = advance(node, action);
      if (best.solved) return;
    }
  }

  // --- exploring -----------------------------------------------------------------------------------------------

  /** Drops nodes that a shorter way has replaced. @param {Node[]} list */
  function clean(list) {
    if (list.length > 64 && list.filter((n) => n.gone).length * 2 > list.length) {
      list.splice(0, list.length, ...list.filter((n) => !n.gone));
    }
    return list;
  }

  /** The best of a few drawn at random. @param {Node[]} list @param {(n: Node) => number} worth */
  function tournament(list, worth) {
    let found = pick(list);
    for (let i = 0; i < 9; i++) {
      const other = pick(list);
      if (!other.gone && (found.gone || worth(other) > worth(found))) found = other;
    }
    return found;
  }

  const rarely = (/** @type {Node} */ n) => -n.chosen - n.steps / 1000;
  const hopeful = (/** @type {Node} */ n) => n.hint - 1e-9 * n.chosen;

  function choose() {
    const way = random();
    if (way < 0.4) {
      // The further the better: each lower shelf is half as likely.
      for (let shelf = 40; ; shelf--) {
        if (shelf < 0) shelf = 40;
        if (byProgress[shelf].length && random() < 0.5) {
          return tournament(clean(byProgress[shelf]), random() < 0.5 ? rarely : hopeful);
        }
      }
    }
    if (way < 0.75) {
      // Every moment of the episode gets its share, and there the furthest: what a beam would do.
      const filled = bySteps.filter((list) => list.length);
      return tournament(clean(pick(filled)), (n) => n.progress * 1000 + n.hint - 0.3 * n.chosen);
    }
    return tournament(clean(pick(bySteps.filter((list) => list.length))), rarely);
  }

  function explore() {
    const from = choose();
    from.chosen += 1;
    go(from);
    /** @type {Node|null} */
    let node = from;
    for (let macros = 1 + Math.floor(random() * 3); macros > 0 && node && !best.solved; macros--) {
      const action = Math.floor(random() * actions.length);
      let again = random() < 0.4 ? 1 : 1 + Math.floor(random() * MOST_REPEATS);
      for (; again > 0 && node && !best.solved; again--) node = advance(node, action);
    }
  }

  // --- beam ----------------------------------------------------------------------------------------------------

  /** @type {Node[]} */
  let beam = [];

  /** Every action from every state of the beam; the best distinct ones go on. */
  function beamStep() {
    if (!beam.length) beam = [root];
    /** @type {Map<string, Node>} */
    const next = new Map();
    /** @type {Map<Node, any>} */
    const fresh = new Map();
    for (const from of beam) {
      for (let action = 0; action < actions.length && !best.solved; action++) {
        lab.restore(saved(from));
        const { state, progress, solved, over } = play(action);
        expansions += 1;
        /** @type {Node} */
        const node = { parent: from, action, steps: from.steps + 1, progress, hint: 0, chosen: random(), gone: false };
        if (progress > best.progress || (solved && !best.solved)) best = { steps: wayTo(node), progress, solved };
        if (solved || over || node.steps >= maxSteps) continue;
        node.hint = Number(hint(state)) || 0;
        const { game_state, metrics } = state;
        const key = own.cell ? JSON.stringify(own.cell(state)) : brief(JSON.stringify([game_state, metrics]));
        if (!next.has(key)) next.set(key, node);
      }
    }
    const rank = (/** @type {Node} */ a, /** @type {Node} */ b) =>
      b.progress - a.progress || b.hint - a.hint || a.chosen - b.chosen;
    const chosen = [...next.values()].sort(rank).slice(0, setup.width);
    for (const node of chosen) {
      lab.restore(saved(/** @type {Node} */ (node.parent)));
      lab.run(actions[node.action].events);
      fresh.set(node, lab.snapshot());
    }
    kept.clear();
    for (const [node, snapshot] of fresh) kept.set(node, snapshot);
    beam = chosen;
  }

  // --- making a solution shorter -------------------------------------------------------------------------------

  /** Leaves out whatever can be left out, largest pieces first. @param {number[]} way @param {number} budget */
  function shorten(way, budget) {
    let used = 0;
    for (let size = Math.min(16, way.length >> 1); size >= 1 && used < budget; size >>= 1) {
      for (let i = 0; i + size <= way.length && used < budget; ) {
        const shorter = [...way.slice(0, i), ...way.slice(i + size)];
        const length = reaches(shorter);
        used += shorter.length;
        if (length > 0) way = shorter.slice(0, length);
        else i += size === 1 ? 1 : size >> 1;
      }
    }
    return way;
  }

  /** After how many steps the target is reached; 0 if never or if the game ends first. @param {number[]} way */
  function reaches(way) {
    lab.restore(start);
    for (let i = 0; i < way.length; i++) {
      const { solved, over } = play(way[i]);
      if (solved) return i + 1;
      if (over) return 0;
    }
    return 0;
  }

  let begun = false;
  return {
    /** Plays about n more steps. @param {number} n @param {number} limit expansions in all */
    run(n, limit) {
      if (!begun) {
        if (!own.cell && setup.mode !== 'beam') expansions += measure(Math.min(600, Math.floor(limit / 10)));
        random = mulberry(setup.seed + 1);
        begin();
        begun = true;
      }
      const until = Math.min(limit, expansions + n);
      let alive = true;
      while (expansions < until && !best.solved && alive) {
        if (setup.mode === 'beam') beamStep();
        else explore();
        if (setup.mode === 'beam') alive = beam.length > 0;
      }
      return { expansions, cells: archive.size, alive, ...best };
    },
    /** @param {number} budget steps that may be played for it */
    shorten: (/** @type {number} */ budget) => (best.solved ? shorten(best.steps, budget) : best.steps),
    /** What was learned about the state, to look at. */
    cells: () => ({ sizes: Object.fromEntries(sizes), stepBucket, mostKept }),
  };
}

/** Numbers of the player and of how far the game is, by dotted name. @param {any} state */
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
