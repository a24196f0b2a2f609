// @ts-check
/**
 * What makes the game go: one update per animation frame under the stepped clock, a fixed step over wall time
 * otherwise. Under the stepped clock nothing is drawn here; the sandbox asks for a drawing when it needs one.
 */

import { FRAME_MS } from './session.js';

const MOST_UPDATES = 5;

/** @param {() => void} update */
export function runStepped(update) {
  const frame = () => {
    requestAnimationFrame(frame);
    update();
  };
  requestAnimationFrame(frame);
}

/** @param {() => void} update @param {() => void} draw */
export function runLive(update, draw) {
  let owed = 0;
  let last = performance.now();
  const frame = (/** @type {number} */ now) => {
    requestAnimationFrame(frame);
    owed += Math.max(0, now - last);
    last = now;
    let n = 0;
    // The quarter frame of tolerance keeps a 59.9 Hz display from skipping an update now and then.
    for (; owed >= FRAME_MS * 0.75 && n < MOST_UPDATES; n++) {
      update();
      owed -= FRAME_MS;
    }
    if (n === MOST_UPDATES) owed = 0;
    draw();
  };
  requestAnimationFrame(frame);
}
