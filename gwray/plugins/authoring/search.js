// @ts-check
/**
 * Searches inside the page: plays a game through `gameAPI.lab` and keeps an archive of visited cells.
 *
 * An archive of cells (score, coarse player numbers, coarse time) keeps the shortest known way to each. A cell is
 * chosen by a seeded mixture of best progress, even spread over the steps, and novelty; a few macro actions (one
 * control, repeated) continue from there. Effort is counted in played steps, never in seconds, so the same seed finds
 * the same solution on every machine.
 *
 * Plain scripts, loaded in this order: `lab.js` (`evaluate`), `cells.js` (`makeCells`, `mulberry`, `brief`), this.
 *
 * @typedef {{seed: number, maxSteps: number, task: Task, actions: object[][]}} Setup
 * @typedef {{parent: Place|null, action: number, steps: number, progress: number, reached: string[], chosen: number,
 *   gone: boolean}} Place
 */

const SNAPSHOT_BYTES = 250e6;

/** @param {any} lab @param {Setup} setup */
function makeSearch(lab, setup) {
  const { task, actions, maxSteps } = setup;
  const random = mulberry(setup.seed + 1);
  /** The state at the start of an episode. */
  const start = lab.snapshot();
  const cells = makeCells(lab, setup, start);
  const pick = (/** @type {any[]} */ list) => list[Math.floor(random() * list.length)];

  let expansions = 0;
  /** @type {{steps: number[], progress: number, solved: boolean}} */
  let best = { steps: [], progress: -1, solved: false };

  /**
   * @param {number} action @param {string[]} reached
   * @returns {{state: any, progress: number, solved: boolean, over: boolean, reached: string[]}}
   */
  function play(action, reached) {
    const state = lab.run(actions[action]);
    return { state, ...evaluate(task, state, reached) };
  }

  /** @type {Map<string, Place>} */
  const archive = new Map();
  /** @type {Place[][]} */
  const byProgress = Array.from({ length: 41 }, () => []);
  /** @type {Place[][]} */
  const bySteps = Array.from({ length: maxSteps }, () => []);
  /** Recently used snapshots; older ones are recomputed by playing. @type {Map<Place, any>} */
  const kept = new Map();
  let mostKept = 1000;

  /** @param {Place} node @param {any} snapshot */
  function keep(node, snapshot) {
    kept.delete(node);
    kept.set(node, snapshot);
    if (kept.size > mostKept) kept.delete(/** @type {Place} */ (kept.keys().next().value));
  }

  /** Restores the state of a node. @param {Place} node */
  function go(node) {
    const way = [];
    let from = node;
    while (from !== root && !kept.has(from)) {
      way.push(from.action);
      from = /** @type {Place} */ (from.parent);
    }
    const snapshot = saved(from);
    lab.restore(snapshot);
    for (const action of way.reverse()) lab.run(actions[action]);
    if (node !== root) keep(node, way.length ? lab.snapshot() : snapshot);
  }

  /** The actions that lead to a node. @param {Place} node */
  function wayTo(node) {
    const way = [];
    for (let n = node; n.parent; n = n.parent) way.push(n.action);
    return way.reverse();
  }

  /**
   * Goes one step on from where the game stands (at `from`); null when that ends the attempt.
   * @param {Place} from @param {number} action @returns {Place|null}
   */
  function advance(from, action) {
    const { state, progress, solved, over, reached } = play(action, from.reached);
    expansions += 1;
    const steps = from.steps + 1;
    /** @type {Place} */
    const node = { parent: from, action, steps, progress, reached, chosen: 0, gone: false };
    if (progress > best.progress || (solved && !best.solved)) best = { steps: wayTo(node), progress, solved };
    if (solved || over || steps >= maxSteps) return null;
    const key = cells.keyOf(state, progress, steps) + reached.join();
    const there = archive.get(key);
    if (there) there.chosen += 0.05;
    if (!there || steps < there.steps) {
      if (there) there.gone = true;
      node.chosen = there ? there.chosen / 2 : 0;
      archive.set(key, node);
      byProgress[Math.floor(progress * 40)].push(node);
      bySteps[steps].push(node);
      keep(node, lab.snapshot());
    }
    return node;
  }

  /** @type {Place} */
  let root;
  const saved = (/** @type {Place} */ node) => (node === root ? start : kept.get(node));

  function begin() {
    lab.restore(start);
    root = { parent: null, action: -1, steps: 0, progress: 0, reached: [], chosen: 0, gone: false };
    mostKept = Math.max(100, Math.min(20000, Math.floor(SNAPSHOT_BYTES / (2 * JSON.stringify(start).length + 500))));
    bySteps[0].push(root);
    byProgress[0].push(root);
  }

  /** Removes nodes that were replaced by a shorter path. @param {Place[]} list */
  function clean(list) {
    if (list.length > 64 && list.filter((n) => n.gone).length * 2 > list.length) {
      list.splice(0, list.length, ...list.filter((n) => !n.gone));
    }
    return list;
  }

  /** Draws a few nodes at random and returns the best. @param {Place[]} list @param {(n: Place) => number} worth */
  function tournament(list, worth) {
    let found = pick(list);
    for (let i = 0; i < 9; i++) {
      const other = pick(list);
      if (!other.gone && (found.gone || worth(other) > worth(found))) found = other;
    }
    return found;
  }

  const rarely = (/** @type {Place} */ n) => -n.chosen - n.steps / 1000;
  const unchosen = (/** @type {Place} */ n) => -n.chosen;

  function choose() {
    const way = random();
    if (way < 0.4) {
      // Prefer progress: each lower level is half as likely.
      for (let shelf = 40; ; shelf--) {
        if (shelf < 0) shelf = 40;
        if (byProgress[shelf].length && random() < 0.5) {
          return tournament(clean(byProgress[shelf]), random() < 0.5 ? rarely : unchosen);
        }
      }
    }
    if (way < 0.75) {
      // Choose all steps of the episode equally often, and the best node there, as beam search would.
      const filled = bySteps.filter((list) => list.length);
      return tournament(clean(pick(filled)), (n) => n.progress * 1000 - 0.3 * n.chosen);
    }
    return tournament(clean(pick(bySteps.filter((list) => list.length))), rarely);
  }

  function explore() {
    const from = choose();
    from.chosen += 1;
    go(from);
    /** @type {Place|null} */
    let node = from;
    for (let macros = 1 + Math.floor(random() * 3); macros > 0 && node && !best.solved; macros--) {
      const action = Math.floor(random() * actions.length);
      let again = random() < 0.4 ? 1 : 1 + Math.floor(random() * MAX_REPEATS);
      for (; again > 0 && node && !best.solved; again--) node = advance(node, action);
    }
  }

  /** Removes unnecessary actions, longest sequences first. @param {number[]} way @param {number} budget */
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

  /** Number of steps to the target; 0 if it is not reached. @param {number[]} way */
  function reaches(way) {
    lab.restore(start);
    /** @type {string[]} */
    let before = [];
    for (let i = 0; i < way.length; i++) {
      const { solved, over, reached } = play(way[i], before);
      before = reached;
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
        expansions += cells.measure(Math.min(600, Math.floor(limit / 10)));
        begin();
        begun = true;
      }
      const until = Math.min(limit, expansions + n);
      while (expansions < until && !best.solved) explore();
      return { expansions, ...best };
    },
    /** @param {number} budget steps that may be played for it */
    shorten: (/** @type {number} */ budget) => (best.solved ? shorten(best.steps, budget) : best.steps),
  };
}
