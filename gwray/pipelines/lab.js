// @ts-check
/**
 * Judging and playing inside the page, for everything that runs on `gameAPI.lab`: the rules of
 * `gwray.evaluation.scoring`, without its error texts.
 *
 * @typedef {{field: string, cap: number|null}} Term
 * @typedef {{score: Term[], start: number, target: number, end: {field: string, value: any}|null,
 *   resetOnFail: boolean}} Task
 */

/** @param {any} state @param {string} path */
function at(state, path) {
  let value = state;
  for (const part of path.split('.')) value = value?.[part];
  if (value === undefined) throw new Error(`state field '${path}' is missing`);
  return value;
}

/**
 * Target first, then any end of the game. @param {Task} task @param {any} state
 * @returns {{progress: number, solved: boolean, over: boolean}}
 */
function judge(task, state) {
  let score = 0;
  for (const t of task.score) score += t.cap === null ? at(state, t.field) : Math.min(t.cap, at(state, t.field));
  const solved = task.target > task.start ? score >= task.target : score <= task.target;
  const part = (score - task.start) / (task.target - task.start);
  const ended = task.end !== null && at(state, task.end.field) === task.end.value;
  return { progress: Math.max(0, Math.min(1, part)), solved, over: ended || state.terminal.isTerminal };
}

/**
 * Starts the game again while game time goes on: `rest` is the time since the last frame.
 * @param {any} lab @param {number} seed @param {number} rest
 */
function again(lab, seed, rest) {
  lab.reset(seed);
  lab.restore({ ...lab.snapshot(), rest });
}

/**
 * Plays an episode whose actions are all known before: one timeline a step, with resets after a fail.
 * @param {any} lab @param {Task} task @param {number} seed @param {object[][]} timelines
 */
function playEpisode(lab, task, seed, timelines) {
  let best = 0;
  let resets = 0;
  again(lab, seed, 0);
  for (let step = 0; step < timelines.length; step++) {
    const state = lab.run(timelines[step]);
    const { progress, solved, over } = judge(task, state);
    best = Math.max(best, progress);
    if (solved) return { success: true, progress: 1, steps: step + 1, resets };
    if (state.terminal.outcome === 'fail' && state.terminal.isTerminal && task.resetOnFail) {
      resets += 1;
      again(lab, seed, lab.snapshot().rest);
    } else if (over) return { success: false, progress: best, steps: step + 1, resets };
  }
  return { success: false, progress: best, steps: timelines.length, resets };
}
