// @ts-check
/**
 * Block Valley, looking around: the view turns by how far the pointer moved, not by where it is.
 *
 * A movement onto the exact middle of the picture turns nothing: that is how a hand takes the mouse back to where it
 * began, and every sweep and every click of the controls starts there.
 */

/** Degrees for one pixel. */
export const PER_PIXEL = 0.225;

/** @param {import('./rules.js').State} s @param {{x: number, y: number}[]} path */
export function look(s, path) {
  const p = s.player;
  for (const { x, y } of path) {
    if (x !== 640 || y !== 360) {
      p.yaw = (((p.yaw + (x - s.pointer.x) * PER_PIXEL) % 360) + 360) % 360;
      p.pitch = Math.max(-90, Math.min(90, p.pitch - (y - s.pointer.y) * PER_PIXEL));
    }
    s.pointer = { x, y };
  }
}
