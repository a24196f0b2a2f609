// @ts-check
/** Stages that the seed deals: a wall that has to be climbed, and what belongs to a plan. Rules only. */

/**
 * A wall that is climbed from a ledge in front of it, which the seed places: who runs on without looking meets the wall.
 * @param {number} before flat columns before the ledge @param {number} gap columns from the ledge to the wall
 * @param {{ledge?: string, wall?: string, ground?: string, high?: number}} [how] tiles; `high`: rows of the wall, the ledge is two lower
 * @returns {string[]}
 */
export function wallWithLedge(before, gap, { ledge = '#', wall = '#', ground = '#', high = 5 } = {}) {
  const width = before + 2 + gap + 2 + 1;
  const rows = Array.from({ length: high }, (_, i) => {
    const shelf = i === 2 ? ledge.repeat(2) : '..';
    return `${'.'.repeat(before)}${shelf}${'.'.repeat(gap)}${wall.repeat(2)}.`;
  });
  return [...rows, ground.repeat(width), ground.repeat(width)];
}

/** Makes what belongs to a plan (numbers that the seed has drawn) once. @template T @param {(plan: number[]) => T} make
 * @returns {(plan: number[]) => T} */
export function madeOnce(make) {
  /** @type {Map<string, T>} */
  const known = new Map();
  return (plan) => {
    const key = plan.join();
    if (!known.has(key)) known.set(key, make(plan));
    return /** @type {T} */ (known.get(key));
  };
}
