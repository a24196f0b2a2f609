// @ts-check
/**
 * Plays blind patterns inside the page, on `gameAPI.lab`: lists of actions that repeat until the episode ends. Follows
 * `lab.js` in a function's body.
 *
 * @typedef {{score: any[], start: number, target: number|null, goal: object|null, end: object|null, milestones: any[],
 *   cap: number|null, floor: number|null, take: 'best'|'last', endsAtTarget: boolean, resetOnFail: boolean}} Task
 */

/**
 * Plays one pattern and scores several tasks, which differ only in their scoring.
 * @param {any} lab @param {Task[]} tasks @param {number} seed @param {object[][]} actions timelines
 * @param {number[]} pattern indices of actions @param {number} steps the budget
 * @returns {{success: boolean, progress: number, steps: number}[]} per task
 */
function playPattern(lab, tasks, seed, actions, pattern, steps) {
  const found = tasks.map(() => ({ success: false, progress: 0, steps: 0 }));
  let playing = tasks.map((task, i) => ({ task, mine: found[i], reached: /** @type {string[]} */ ([]) }));
  restart(lab, seed, 0);
  for (let step = 1; step <= steps && playing.length; step++) {
    const state = lab.run(actions[pattern[(step - 1) % pattern.length]]);
    let failed = false;
    playing = playing.filter((p) => {
      const result = evaluate(p.task, state, p.reached, steps - step);
      p.reached = result.failed ? [] : result.reached;
      p.mine.steps = step;
      p.mine.progress = p.task.take === 'last' ? result.progress : Math.max(p.mine.progress, result.progress);
      p.mine.success = result.solved || (p.mine.success && p.task.take === 'best');
      if (result.solved && p.task.endsAtTarget) return false;
      failed ||= result.failed;
      return result.failed || !result.over;
    });
    if (failed) restart(lab, seed, lab.snapshot().rest);
  }
  return found;
}
