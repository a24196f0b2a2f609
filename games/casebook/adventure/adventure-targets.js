// @ts-check
/**
 * What can be clicked now, and where: spots of the scene, things carried, buttons, what can be said.
 *
 * The screen has 20×15 cells of 64×48 pixels; each target holds the centre of one at least, so that what a mouse can
 * do is also done by naming a cell.
 *
 * @typedef {import('./adventure.js').Story} Story
 * @typedef {{id: string, name: string, kind: 'spot'|'item'|'back'|'map'|'book'|'turn'|'close'|'choice', x: number, y: number,
 *   w: number, h: number, spot?: import('./adventure.js').Spot, choice?: import('./adventure.js').Choice, step?: number,
 *   near?: number}} Target
 */

import { cellName } from '../../kit/grid.js';

/** The picture of a scene lies between the bar above and the words below. */
export const PICTURE = { y: 36, w: 1280, h: 524 };
export const CAPTION = { y: 560, h: 68 };
export const BAR = { y: 628, h: 92 };
export const SLOT = { w: 84, h: 80 };
export const CELL = { w: 64, h: 48, columns: 20, rows: 15 };
/** Entries of the notebook on a page. */
export const ON_A_PAGE = 7;
/** A click may miss a target by so many pixels, unless finding is the game. */
const NEAR = 10;

/** Words that may depend on the state. @param {import('./adventure.js').Words | undefined} w @param {any} s */
export const words = (w, s) => (typeof w === 'function' ? w(s) : (w ?? ''));

/** Everything that can be clicked, the topmost last. @param {Story} story @param {any} s @returns {Target[]} */
export function targets(story, s) {
  if (s.over || s.ending) return [];
  if (s.mode?.kind === 'talk') return choices(story, s);
  if (s.mode?.kind === 'book') return pages(s);
  const scene = story.scenes[s.scene];
  /** @type {Target[]} */
  const out = spotsOf(story, s).map((spot) => {
    const [x, y, w, h] = typeof spot.at === 'function' ? spot.at(s) : spot.at;
    return { id: spot.id, name: words(spot.name, s), kind: 'spot', x, y: y + PICTURE.y, w, h, spot, near: story.quiet ? 0 : NEAR };
  });
  s.items.forEach((/** @type {string} */ id, /** @type {number} */ i) => {
    out.push({ id, name: words(story.items[id].name, s), kind: 'item', x: 10 + i * SLOT.w, y: BAR.y + 6, w: SLOT.w - 4, h: SLOT.h });
  });
  if (scene.back) out.push({ id: 'back', name: 'Step back', kind: 'back', x: 8, y: 0, w: 150, h: 36 });
  if (story.map && s.flags.map && s.scene !== story.map) out.push({ id: 'map', name: 'Map', kind: 'map', x: 1176, y: 0, w: 96, h: 36 });
  if (story.notebook) out.push({ id: 'book', name: 'Notebook', kind: 'book', x: 1024, y: 0, w: 144, h: 36 });
  return out;
}

/** @param {Story} story @param {any} s */
export function spotsOf(story, s) {
  const { spots } = story.scenes[s.scene];
  return (typeof spots === 'function' ? spots(s) : spots).filter((p) => !(p.take && s.flags[`took_${p.id}`]) && (p.when?.(s) ?? true));
}

/** @param {Story} story @param {any} s @returns {Target[]} */
function choices(story, s) {
  const node = story.talks?.[s.mode.id].nodes[s.mode.node];
  const offered = (node?.choices ?? []).filter((c) => c.when?.(s) ?? true);
  const list = offered.length ? offered : [{ text: '(Go on)' }];
  return list.map((choice, i) => ({
    id: `say${i + 1}`, name: words(choice.text, s), kind: 'choice', x: 400, y: 289 + i * 48, w: 830, h: 44, choice,
  }));
}

/** @param {any} s @returns {Target[]} */
function pages(s) {
  /** @type {Target[]} */
  const out = [{ id: 'close', name: 'Close the notebook', kind: 'close', x: 970, y: 70, w: 120, h: 48 }];
  if (s.mode.page > 0) out.push({ id: 'previous', name: 'Previous page', kind: 'turn', x: 220, y: 480, w: 200, h: 52, step: -1 });
  if ((s.mode.page + 1) * ON_A_PAGE < s.notes.length) {
    out.push({ id: 'next', name: 'Next page', kind: 'turn', x: 860, y: 480, w: 200, h: 52, step: 1 });
  }
  return out;
}

/** The target at a point: the topmost that holds it, or else the nearest that it just misses. @param {Target[]} list
 * @param {number} x @param {number} y @returns {Target | null} */
export function hit(list, x, y) {
  const inside = (/** @type {Target} */ t, /** @type {number} */ d) => x >= t.x - d && x < t.x + t.w + d && y >= t.y - d && y < t.y + t.h + d;
  const exact = list.filter((t) => inside(t, 0));
  if (exact.length) return exact[exact.length - 1];
  const far = (/** @type {Target} */ t) => Math.hypot(x - t.x - t.w / 2, y - t.y - t.h / 2);
  return list.filter((t) => inside(t, t.near ?? NEAR)).sort((a, b) => far(a) - far(b))[0] ?? null;
}

/** The cell nearest to a target's middle whose centre means that target; '' if there is none. @param {Target[]} list @param {Target} t */
export function cellOf(list, t) {
  let best = '';
  let nearest = Infinity;
  const [left, right] = [t.x - NEAR, t.x + t.w + NEAR].map((x) => Math.floor(x / CELL.w));
  const [top, bottom] = [t.y - NEAR, t.y + t.h + NEAR].map((y) => Math.floor(y / CELL.h));
  for (let row = Math.max(0, top); row <= Math.min(CELL.rows - 1, bottom); row++) {
    for (let col = Math.max(0, left); col <= Math.min(CELL.columns - 1, right); col++) {
      const x = (col + 0.5) * CELL.w;
      const y = (row + 0.5) * CELL.h;
      const far = Math.hypot(x - t.x - t.w / 2, y - t.y - t.h / 2);
      if (far < nearest && hit(list, x, y) === t) [best, nearest] = [cellName(col, row), far];
    }
  }
  return best;
}
