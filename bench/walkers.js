// @ts-check
/**
 * Walkers through the harbour that differ only in what they do when they are stuck. They play in the page, on `gameAPI.lab`; evaluated behind the
 * laboratory's `judge`.
 *
 * Each follows the way of the committed solution, but aims too far ahead, so that it cuts corners and runs into what stands there.
 */

/** @param {any} lab @param {Record<string, object[]>} moves timelines by control */
function makeWalkers(lab, moves) {
  const EPS = 0.05;
  /** Steps of the solution that a walker looks ahead: when it walks freely, and when it has just been stuck. */
  const AHEAD = 5;
  const NEARBY = 2;
  const place = (/** @type {any} */ s) => s.game_state.player;
  const apart = (/** @type {any} */ a, /** @type {any} */ b) => Math.hypot(a.x - b.x, a.z - b.z, a.y - b.y);
  const around = (/** @type {number} */ a) => ((((a + 180) % 360) + 360) % 360) - 180;
  const toward = (/** @type {any} */ p, /** @type {any} */ to) => around((Math.atan2(to.x - p.x, to.z - p.z) * 180) / Math.PI - p.yaw);

  /** @param {number} seed */
  const dice = (seed) => {
    let a = seed >>> 0;
    return (/** @type {number} */ n) => ((a = (Math.imul(a, 1664525) + 1013904223) >>> 0), Math.floor((a / 4294967296) * n));
  };

  /** What each does after a move that moved nothing: controls to play next. @type {Record<string, (die: (n: number) => number, blocks: number) => string[]>} */
  const RECOVERY = {
    never: () => [],
    hesitant: (die) => (die(8) ? [] : ['move_backward']),
    back: () => ['move_backward'],
    turn: (die) => [die(2) ? 'rotate_left' : 'rotate_right', 'move_forward'],
    side: (die) => [die(2) ? 'move_left' : 'move_right'],
    back_turn: (die) => ['move_backward', ...Array(2).fill(die(2) ? 'rotate_left' : 'rotate_right'), 'move_forward'],
    side_on: (die) => { const way = die(2) ? 'move_left' : 'move_right'; return [way, way, 'move_forward']; },
    retrace: (die, blocks) => (blocks > 2 ? ['move_backward', die(2) ? 'move_left' : 'move_right'] : [die(2) ? 'move_left' : 'move_right', 'move_forward']),
  };

  /** Where the solution went: after each step place, what A would reach, and whether the next step is A. @param {string[]} way */
  function trail(way) {
    lab.reset(42);
    let s = lab.run([]);
    return way.map((control) => {
      const at = { ...place(s), reach: s.metrics.in_reach, talking: s.game_state.talking, control };
      s = lab.run(moves[control]);
      return at;
    });
  }

  return {
    names: Object.keys(RECOVERY),

    /** One episode. @param {string} name @param {any} task @param {string[]} way @param {number} budget @param {number} seed */
    walk(name, task, way, budget, seed) {
      const path = trail(way);
      const die = dice(seed);
      lab.reset(42);
      let s = lab.run([]);
      let at = 0;
      let blocks = 0;
      /** @type {string[]} */
      let planned = [];
      /** @type {string[]} */
      let reached = [];
      const tally = { moved: 0, blocked: 0, recovered: 0, solved: false, steps: 0, progress: 0 };
      let before = false;
      while (tally.steps < budget) {
        const p = place(s);
        while (at < path.length - 1 && path[at].control !== 'press_a' && apart(p, path[at]) < 1.6) at++;
        const stop = path.findIndex((t, i) => i >= at && t.control === 'press_a' && !t.talking);
        const last = stop < 0 ? path.length - 1 : stop;
        const aim = path[Math.min(last, at + (blocks ? NEARBY : AHEAD))];
        let control = planned.shift();
        if (s.game_state.talking) control = 'press_a';
        else if (at === last && stop >= 0 && s.metrics.in_reach === path[at].reach) {
          control = 'press_a';
          do at++;
          while (at < path.length - 1 && path[at].talking);
        } else if (!control) {
          const left = at === last && apart(p, aim) < 0.8 ? around(path[last].yaw - p.yaw) : toward(p, aim);
          control = Math.abs(left) > 11.5 ? (left > 0 ? 'rotate_right' : 'rotate_left') : 'move_forward';
        }
        s = lab.run(moves[control]);
        tally.steps += 1;
        if (control.startsWith('move')) {
          const stuck = apart(p, place(s)) <= EPS;
          tally.moved += 1;
          tally.blocked += Number(stuck);
          if (before && !stuck) tally.recovered += 1;
          before = stuck;
          blocks = stuck ? blocks + 1 : Math.max(0, blocks - 0.25);
          if (stuck) planned = RECOVERY[name](die, blocks);
        }
        const judged = evaluate(task, s, reached, budget - tally.steps);
        reached = judged.reached;
        tally.progress = judged.progress;
        if (judged.solved) return { ...tally, solved: true };
        if (judged.failed) {
          lab.reset(42);
          s = lab.run([]);
          [at, reached, planned] = [0, [], []];
        }
      }
      return tally;
    },

    /** A player that draws any control at each step. @param {any} task @param {number} budget @param {number} seed */
    random(task, budget, seed) {
      const die = dice(seed);
      const names = Object.keys(moves);
      for (let n = 0; n < 20; n++) die(2);
      lab.reset(42);
      /** @type {string[]} */
      let reached = [];
      for (let steps = 1; steps <= budget; steps++) {
        const judged = evaluate(task, lab.run(moves[names[die(names.length)]]), reached, budget - steps);
        if (judged.solved) return true;
        reached = judged.reached;
        if (judged.failed) lab.reset(42);
      }
      return false;
    },

    /**
     * Straight to a place from where the game stands; ``hand`: along what is in the way with that hand on it, until it is nearer than where it
     * hit it; 0: it walks on.
     * @param {{x: number, y: number, z: number}} to @param {-1|0|1} hand -1 is the left @param {number} budget @param {number} near metres
     */
    straight(to, hand, budget, near) {
      let s = lab.run([]);
      let stuck = 0;
      let hit = Infinity;
      /** @type {Set<string>} */
      const used = new Set();
      const far = () => apart(to, place(s));
      const turnTo = (/** @type {number} */ yaw) => {
        for (let left = around(yaw - place(s).yaw); Math.abs(left) > 11.5; left = around(yaw - place(s).yaw)) s = lab.run(moves[left > 0 ? 'rotate_right' : 'rotate_left']);
      };
      /** How far a step in a direction would go. @param {number} yaw */
      const feel = (yaw) => {
        const here = lab.snapshot();
        lab.peek().player.yaw = ((Math.round(yaw / 22.5) * 22.5) % 360 + 360) % 360;
        // A state that is put back is not read from memory first.
        lab.restore(lab.snapshot());
        const went = apart(place(s), place(lab.run(moves.move_forward)));
        lab.restore(here);
        return went;
      };
      for (let step = 0; step < budget && far() > near; step++) {
        const p = place(s);
        const bearing = (Math.atan2(to.x - p.x, to.z - p.z) * 180) / Math.PI;
        let yaw = bearing;
        if (hit < Infinity && far() < hit - 1 && feel(bearing) > 1.2) hit = Infinity;
        let first = -90;
        if (hand && hit === Infinity && feel(bearing) < 0.6) [hit, first] = [far(), 22.5];
        if (hit < Infinity) {
          // The first free direction, from the hand's side over straight on to the other; at first only to the other.
          for (let off = first; off <= 202.5; off += 22.5) {
            yaw = place(s).yaw - hand * off;
            if (feel(yaw) > 1.2) break;
          }
        }
        turnTo(yaw);
        s = lab.run(moves.move_forward);
        if (apart(p, place(s)) > EPS) continue;
        stuck += 1;
        if (hand) continue;
        used.add(s.metrics.in_reach);
        do s = lab.run(moves.press_a);
        while (s.game_state.talking);
      }
      return { arrived: far() <= near, far: far(), stuck, used: [...used] };
    },
  };
}
