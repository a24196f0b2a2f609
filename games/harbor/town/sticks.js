// @ts-check
/** Harbour, the drawn sticks and the round button: pulled and pressed with the mouse. Pixels. */

export const LEFT = { x: 120, y: 600, r: 80 };
export const RIGHT = { x: 1160, y: 600, r: 80 };
export const BUTTON = { x: 1010, y: 650, r: 38 };
/** Share of the radius that counts as not pulled. */
const REST = 0.12;

/**
 * What is pulled now: each stick from -1 to 1 to the right and ahead. A stick belongs to the pointer from the press on it to the release.
 * @param {import('./rules.js').State} s @param {import('../../kit/input.js').Input} input
 */
export function pulls(s, input) {
  const click = input.clicked('left');
  if (click) s.held = over(click, LEFT) ? 'left' : over(click, RIGHT) ? 'right' : over(click, BUTTON) ? 'a' : '';
  if (!input.mouseHeld('left')) s.held = '';
  const pulled = (/** @type {typeof LEFT} */ c) => {
    const [u, v] = [(input.mouse.x - c.x) / c.r, (c.y - input.mouse.y) / c.r];
    const size = Math.hypot(u, v);
    return size < REST ? [0, 0] : [u / Math.max(1, size), v / Math.max(1, size)].map((n) => Math.round(n * 1e4) / 1e4);
  };
  const none = [0, 0];
  return {
    left: s.held === 'left' ? pulled(LEFT) : none,
    right: s.held === 'right' ? pulled(RIGHT) : none,
    tapped: click !== null && s.held === 'a',
    a: s.held === 'a',
  };
}

/** @param {{x: number, y: number}} p @param {typeof LEFT} c */
function over(p, c) {
  return Math.hypot(p.x - c.x, p.y - c.y) <= c.r;
}
