// @ts-check
/**
 * Scores states and plays episodes inside the page, on `gameAPI.lab`. The rules are those of
 * `gwray.evaluation.scoring`, with shorter error messages.
 *
 * @typedef {{field: string|null, value: number|null, over: string|number|null, cap: number|null, weight: number,
 *   when: object|null}} Term
 * @typedef {{score: Term[], start: number, target: number|null, goal: object|null, end: object|null,
 *   milestones: {name: string, when: object}[], cap: number|null, floor: number|null, take: 'best'|'last', endsAtTarget: boolean,
 *   resetOnFail: boolean}} Task
 */

const isObject = (/** @type {any} */ v) => typeof v === 'object' && v !== null && !Array.isArray(v);

/** @param {any} state @param {string} path @returns {{there: boolean, value?: any}} */
function look(state, path) {
  let value = state;
  for (const part of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return { there: false };
    value = value[part];
  }
  return { there: true, value };
}

/** @param {any} state @param {string} path */
function at(state, path) {
  const { there, value } = look(state, path);
  if (!there) throw new Error(`state field '${path}' is missing`);
  return value;
}

/** @param {any} state @param {string} path @returns {number} */
function numberAt(state, path) {
  const value = at(state, path);
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`state field '${path}' is not a number`);
  return value;
}

/** Equality of JSON values. @param {any} a @param {any} b @returns {boolean} */
function same(a, b) {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => same(x, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && same(a[k], b[k]));
}

/** @param {any} there @param {any} wanted */
function containsIn(there, wanted) {
  if (Array.isArray(there)) return there.some((x) => same(x, wanted));
  if (typeof wanted === 'string' && typeof there === 'string') return there.includes(wanted);
  if (typeof wanted === 'string' && isObject(there)) return Object.hasOwn(there, wanted);
  throw new Error('the field is neither a list, an object nor a text');
}

/** Whether a predicate of `gwray.catalog.predicates` holds. @param {any} p @param {any} state @returns {boolean} */
function holds(p, state) {
  if ('all' in p) return p.all.every((/** @type {any} */ x) => holds(x, state));
  if ('any' in p) return p.any.some((/** @type {any} */ x) => holds(x, state));
  if ('not' in p) return !holds(p.not, state);
  if ('exists' in p) return look(state, p.field).there === p.exists;
  if ('is' in p) return same(at(state, p.field), p.is);
  if ('one_of' in p) return p.one_of.some((/** @type {any} */ v) => same(at(state, p.field), v));
  if ('contains' in p) return containsIn(at(state, p.field), p.contains);
  const value = numberAt(state, p.field);
  if ('between' in p) return p.between[0] <= value && value <= p.between[1];
  return 'at_least' in p ? value >= p.at_least : value <= p.at_most;
}

/** @param {Task} task @param {any} state */
function scoreOf(task, state) {
  let score = 0;
  for (const t of task.score) {
    if (t.when !== null && !holds(t.when, state)) continue;
    let value = t.field === null ? Number(t.value) : numberAt(state, t.field);
    if (t.over !== null) value /= typeof t.over === 'string' ? numberAt(state, t.over) : t.over;
    score += (t.cap === null ? value : Math.min(t.cap, value)) * t.weight;
  }
  return score;
}

/** @param {Task} task @param {any} state @param {string[]} reached */
function isSolved(task, state, reached) {
  if (task.goal !== null) return holds(task.goal, state);
  if (task.target === null) return reached.length === task.milestones.length;
  const score = scoreOf(task, state);
  return task.target > task.start ? score >= task.target : score <= task.target;
}

/** The reached share of milestones, with the goal as the last part. @param {Task} task @param {string[]} reached */
function reachedShare(task, reached) {
  if (task.goal === null) return reached.length / task.milestones.length;
  const before = task.milestones.filter((m) => !same(m.when, task.goal));
  return before.filter((m) => reached.includes(m.name)).length / (before.length + 1);
}

/**
 * Checks the target first, then the endings. `before`: milestones reached in this attempt; `left`: remaining steps.
 * @param {Task} task @param {any} state @param {string[]} before @param {number} left
 * @returns {{progress: number, solved: boolean, failed: boolean, over: boolean, reached: string[]}}
 */
function evaluate(task, state, before = [], left = 1) {
  const fresh = task.milestones.filter((m) => !before.includes(m.name) && holds(m.when, state)).map((m) => m.name);
  const reached = fresh.length ? [...before, ...fresh] : before;
  const solved = isSolved(task, state, reached);
  let part = Number(solved);
  if (task.milestones.length) part = Math.max(part, reachedShare(task, reached));
  else if (task.target !== null) part = (scoreOf(task, state) - task.start) / (task.target - task.start);
  if (task.floor !== null) part = Math.max(task.floor, part);
  if (task.cap !== null) part = Math.min(task.cap, part);
  if (solved) part = Math.max(1, part);
  const { isTerminal, outcome } = state.terminal;
  const failed = isTerminal && outcome === 'fail' && task.resetOnFail && left > 0;
  const over = failed || left <= 0 || (task.end !== null && holds(task.end, state)) || isTerminal;
  return { progress: part, solved, failed, over, reached };
}

/**
 * Restarts the game without resetting game time: `rest` is the time since the last frame.
 * @param {any} lab @param {number} seed @param {number} rest
 */
function restart(lab, seed, rest) {
  lab.reset(seed);
  lab.restore({ ...lab.snapshot(), rest });
}

/**
 * Plays an episode whose actions are known in advance: one timeline per step, with a reset after each failure.
 * @param {any} lab @param {Task} task @param {number} seed @param {object[][]} timelines
 */
function playEpisode(lab, task, seed, timelines) {
  let best = 0;
  let success = false;
  let resets = 0;
  /** @type {string[]} */
  let reached = [];
  restart(lab, seed, 0);
  for (let step = 0; step < timelines.length; step++) {
    const state = lab.run(timelines[step]);
    const result = evaluate(task, state, reached, timelines.length - step - 1);
    reached = result.reached;
    best = task.take === 'last' ? result.progress : Math.max(best, result.progress);
    success = result.solved || (success && task.take === 'best');
    if (result.solved && task.endsAtTarget) return { success: true, progress: best, steps: step + 1, resets };
    if (result.failed) {
      resets += 1;
      reached = [];
      restart(lab, seed, lab.snapshot().rest);
    } else if (result.over) return { success, progress: best, steps: step + 1, resets };
  }
  return { success, progress: best, steps: timelines.length, resets };
}
