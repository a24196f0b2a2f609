// @ts-check
/** What the contract test does many times over, inside the page, on `gameAPI.lab`. */

/** @param {any} lab */
function makeProbe(lab) {
  /** A state without its clocks. @param {any} s */
  const still = (s) => JSON.stringify({ ...s, timestampMs: 0, gameTimeMs: 0 });

  /** @param {number} seed */
  function dice(seed) {
    let a = seed >>> 0;
    return (/** @type {number} */ n) => {
      a = (Math.imul(a, 1664525) + 1013904223) >>> 0;
      return Math.floor((a / 4294967296) * n);
    };
  }

  /** The first value that JSON cannot carry, or ''. @param {any} v @param {string} path @returns {string} */
  function notJson(v, path = 'state') {
    if (v === null || typeof v === 'string' || typeof v === 'boolean') return '';
    if (typeof v === 'number') return Number.isFinite(v) ? '' : `${path} is ${v}`;
    if (typeof v !== 'object') return `${path} is ${typeof v}`;
    for (const k of Object.keys(v)) {
      const found = notJson(v[k], `${path}.${k}`);
      if (found) return found;
    }
    return '';
  }

  const picture = () => {
    /** @type {any} */ (window).gameAPI.draw();
    return /** @type {HTMLCanvasElement} */ (document.querySelector('canvas')).toDataURL('image/png');
  };

  return {
    /**
     * Plays random steps and starts again after each end. @param {object[][]} moves
     * @param {number} steps @param {number} seed
     */
    wander(moves, steps, seed) {
      const die = dice(seed);
      lab.reset(42);
      for (let i = 0; i < steps; i++) {
        const state = lab.run(moves[die(moves.length)]);
        const wrong = notJson(state) || notJson(lab.peek(), 'internal state');
        if (wrong) throw new Error(`after ${i + 1} random steps ${wrong}`);
        if (state.terminal.isTerminal) lab.reset(42 + i);
      }
    },

    /** Everything of a game at this moment: what is read, what is inside, what is seen. */
    whole: () => JSON.stringify([{ ...lab.run([]), timestampMs: 0 }, { ...lab.snapshot(), rest: 0 }]) + picture(),

    /** Two pictures of one state, and whether drawing changed it. @param {object[][]} moves @param {number} steps */
    twice(moves, steps) {
      const die = dice(3);
      lab.reset(42);
      for (let i = 0; i < steps; i++) {
        if (lab.run(moves[die(moves.length)]).terminal.isTerminal) lab.reset(42 + i);
        if (i % 5) continue;
        const before = JSON.stringify(lab.snapshot());
        const first = picture();
        if (picture() !== first) return `the pictures differ after ${i + 1} steps`;
        if (JSON.stringify(lab.snapshot()) !== before) return `drawing changed the state after ${i + 1} steps`;
      }
      return '';
    },

    /** The states of a random walk under a seed, without the seed itself. @param {object[][]} moves @param {number} seed */
    walk(moves, seed) {
      const die = dice(11);
      lab.reset(seed);
      const seen = [still({ ...lab.run([]), seed: 0 })];
      for (let i = 0; i < 20; i++) seen.push(still({ ...lab.run(moves[die(moves.length)]), seed: 0 }));
      return seen.join();
    },

    /**
     * Which probes never changed anything that waiting does not, in the states of the given ways.
     * A probe is tried with waiting before and after, so that a later effect counts.
     * @param {{name: string, events: object[], wait: object[]}[]} probes @param {object[][][]} ways
     */
    idle(probes, ways) {
      const open = new Set(probes);
      const later = [{ at_ms: 400, kind: 'end' }];
      for (const way of ways) {
        lab.reset(42);
        for (let i = 0; i <= way.length && open.size; i++) {
          if (i % Math.ceil(way.length / 25 + 0.01) === 0) {
            const here = lab.snapshot();
            for (const probe of open) {
              lab.restore(here);
              const acted = [still(lab.run(probe.events)), still(lab.run(later))];
              lab.restore(here);
              const waited = [still(lab.run(probe.wait)), still(lab.run(later))];
              if (acted[0] !== waited[0] || acted[1] !== waited[1]) open.delete(probe);
            }
            lab.restore(here);
          }
          if (i < way.length) lab.run(way[i]);
        }
      }
      return [...open].map((p) => p.name);
    },

    /**
     * Plays until the game is lost: each policy is a list of moves to draw from.
     * @param {object[][][]} policies @param {number} steps
     * @returns {{lost: boolean, stays: boolean, status: string}}
     */
    lose(policies, steps) {
      for (const [n, moves] of policies.entries()) {
        const die = dice(n);
        lab.reset(42);
        for (let i = 0; i < steps; i++) {
          const state = lab.run(moves[die(moves.length)]);
          if (state.terminal.outcome === 'fail') {
            const after = lab.run(moves[0]);
            return { lost: true, stays: still(after) === still(state), status: state.status };
          }
          if (state.terminal.isTerminal) break;
        }
      }
      return { lost: false, stays: false, status: '' };
    },

    /**
     * Which of the tasks a way reaches the target of; it stops at an end. `judge` is the lab's.
     * @param {object[][]} way @param {Task[]} tasks
     */
    reached(way, tasks) {
      lab.reset(42);
      const done = tasks.map((task) => evaluate(task, lab.run([])).solved);
      for (const events of way) {
        const state = lab.run(events);
        tasks.forEach((task, n) => (done[n] ||= evaluate(task, state).solved));
        if (state.terminal.isTerminal) break;
      }
      return done;
    },
  };
}
