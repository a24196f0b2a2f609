// @ts-check
/**
 * Playing faster than the clock, for search and tests: the updates that the sandbox's stepped clock would make,
 * executed at once. Not used in scored episodes.
 *
 * @typedef {import('./input.js').InputEvent & {at_ms: number}} TimedEvent
 */

import { keyName } from './input.js';
import { FRAME_MS } from './session.js';

/** @typedef {import('./session.js').Session} Session */

/** @param {Session} session */
export function makeLab(session) {
  /** Game time beyond the last frame, when a run's length is no whole number of frames. */
  let rest = 0;
  /** The same at a reset: the page's clock may stand between two frames. */
  let phase = 0;

  return {
    /** Takes over where the page's clock stands; the kit calls it at every real `init` and `reset`. @param {number} now */
    align(now) {
      phase = Math.max(0, now - framesBy(now) * FRAME_MS);
    },

    snapshot: () => ({ ...session.snapshot(), rest }),

    /** @param {ReturnType<Session['snapshot']> & {rest?: number}} saved */
    restore(saved) {
      session.restore(saved);
      rest = saved.rest ?? 0;
    },

    /** Starts again. @param {number|string} [seed] */
    reset(seed) {
      session.reset(seed);
      rest = phase;
    },

    /**
     * Plays a timeline as the sandbox would: each event after the frames that are due at its time, and what is still
     * held at the end is released. Returns getState().
     * @param {TimedEvent[]} events
     */
    run(events) {
      const begin = rest;
      let now = rest;
      let done = 0;
      const held = new Held(session);
      for (const e of [...events].sort((a, b) => a.at_ms - b.at_ms)) {
        now = Math.max(now, begin + e.at_ms);
        for (const due = framesBy(now); done < due; done++) session.step();
        held.send(e);
      }
      held.release();
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

/** The keys and buttons of one run: the browser is not told twice that a key is down, nor that it is up. */
class Held {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    /** @type {Map<string, TimedEvent>} */
    this.down = new Map();
    this.x = 0;
    this.y = 0;
  }

  /** @param {TimedEvent} e */
  send(e) {
    if (e.kind === 'end') return;
    const mouse = e.kind.startsWith('mouse') || e.kind === 'wheel';
    if (mouse) {
      this.x = e.x ?? this.x;
      this.y = e.y ?? this.y;
      // The browser reports whole pixels to mouse listeners.
      e = { ...e, x: Math.floor(this.x), y: Math.floor(this.y) };
    }
    const name = mouse ? `button ${e.button ?? 'left'}` : keyName(e.key ?? '');
    if (e.kind.endsWith('_down')) {
      if (this.down.has(name)) return;
      this.down.set(name, e);
    } else if (e.kind.endsWith('_up') && !this.down.delete(name)) return;
    this.session.input.feed(e);
  }

  release() {
    const left = [...this.down.values()].reverse();
    for (const e of [...left.filter((e) => e.kind === 'key_down'), ...left.filter((e) => e.kind === 'mouse_down')]) {
      this.send({ ...e, kind: e.kind.replace('_down', '_up'), x: this.x, y: this.y });
    }
  }
}

/** Frames at k · 1000/60 ms that lie at or before a time; a thousandth of a millisecond forgives rounded times.
 * @param {number} ms */
function framesBy(ms) {
  return Math.floor((ms + 0.001) / FRAME_MS + 1e-9);
}
