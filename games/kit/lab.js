// @ts-check
/**
 * Playing faster than the clock, for search and tests: the updates that the sandbox's stepped clock would make,
 * executed at once. Not used in scored episodes.
 *
 * @typedef {import('./input.js').InputEvent & {at_ms: number}} TimedEvent
 */

import { FRAME_MS } from './session.js';

/** @typedef {import('./session.js').Session} Session */

/** @param {Session} session */
export function makeLab(session) {
  /** Game time beyond the last frame, when a run's length is no whole number of frames. */
  let rest = 0;

  return {
    snapshot: () => ({ ...session.snapshot(), rest }),

    /** @param {ReturnType<Session['snapshot']> & {rest?: number}} saved */
    restore(saved) {
      session.restore(saved);
      rest = saved.rest ?? 0;
    },

    /** Starts again. @param {number|string} [seed] */
    reset(seed) {
      session.reset(seed);
      rest = 0;
    },

    /**
     * Plays a timeline as the sandbox would: each event after the frames that are due at its time. Returns getState().
     * @param {TimedEvent[]} events
     */
    run(events) {
      const begin = rest;
      let now = rest;
      let done = 0;
      for (const e of events) {
        now = Math.max(now, begin + e.at_ms);
        for (const due = framesBy(now); done < due; done++) session.step();
        if (e.kind !== 'end') session.input.feed(atPixel(e));
      }
      rest = Math.max(0, now - done * FRAME_MS);
      return session.read();
    },

    /** Holds keys for a time, as a step does; no keys: waits. @param {string[]} keys @param {number} ms */
    press(keys, ms = 200) {
      return this.run([
        ...keys.map((key) => ({ at_ms: 0, kind: 'key_down', key })),
        ...keys.map((key) => ({ at_ms: ms, kind: 'key_up', key })).reverse(),
        { at_ms: ms, kind: 'end' },
      ]);
    },

    /** Plays n single updates without new input. @param {number} n */
    frames(n) {
      for (let i = 0; i < n; i++) session.step();
      return session.read();
    },

    /** The live state, to look at. */
    peek: () => session.state,
  };
}

/** Frames at k · 1000/60 ms that lie at or before a time. @param {number} ms */
function framesBy(ms) {
  return Math.floor(ms / FRAME_MS + 1e-6);
}

/** The browser reports whole pixels to mouse listeners. @param {TimedEvent} e */
function atPixel(e) {
  const whole = (/** @type {number|null|undefined} */ v) => (v == null ? undefined : Math.floor(v));
  return { ...e, x: whole(e.x), y: whole(e.y) };
}
