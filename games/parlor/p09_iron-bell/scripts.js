// @ts-check
/**
 * The commands of Iron Bell: each is a script of the keys of a side, frame by frame, turned by the way the fighter faces;
 * then it waits until the fighter can act again.
 */

import { isFree, moveOf } from './fighters.js';
import { FIGHTERS, KEYS, PAIRS } from './moves.js';

/** Frames: F forward, B back, U up, D down, and buttons. @type {Record<string, string[][]>} */
export const SCRIPTS = {
  move_closer: [['F'], ['F'], ['F'], ['F']],
  move_away: [['B'], ['B'], ['B'], ['B']],
  jump_closer: [['U', 'F'], ['F'], ['F'], ['F'], ['F'], ['F'], ['F'], ['F']],
  jump_away: [['U', 'B'], ['B'], ['B'], ['B'], ['B'], ['B'], ['B'], ['B']],
  super: [['D'], ['D'], ['D', 'F'], ['D', 'F'], ['F'], ['F'], ['F', 'super']],
  special_1: [['D'], ['D', 'F'], ['F'], ['F', 'medium_punch']],
  special_2: [['D'], ['D', 'B'], ['B'], ['B', 'medium_kick']],
  special_3: [['F'], ['F', 'D'], ['D'], ['D', 'medium_punch']],
  special_4: [['B'], ['B'], ['F'], ['F', 'medium_kick']],
  ...Object.fromEntries(['low', 'medium', 'high'].flatMap((n) => ['punch', 'kick'].map((b) => [`${n}_${b}`, [[`${n}_${b}`]]]))),
  ...Object.fromEntries(Object.entries(PAIRS).map(([name, buttons]) => [name, [[...buttons]]])),
};
/** Longest wait in frames; nothing keeps a fighter longer. */
const LONGEST = 600;

/** @param {string} name */
const command = (name) =>
  function* (/** @type {any} */ s, /** @type {any} */ _, /** @type {string} */ role) {
    const i = role === 'right' ? 1 : 0;
    const mine = () => s.fighters[i];
    const begun = mine().count;
    const round = [s.stage, s.round].join();
    mine().motion = [];
    const keys = KEYS[i];
    for (const frame of SCRIPTS[name]) {
      const side = mine().side;
      yield frame.map((k) => {
        if (k === 'F' || k === 'B') return (k === 'F') === side > 0 ? keys.right : keys.left;
        return k === 'U' ? keys.up : k === 'D' ? keys.down : keys[/** @type {'super'} */ (k)];
      });
    }
    for (let n = 0; n < LONGEST && (s.pause || !isFree(mine())); n++) yield [];
    return answer(s, mine(), name, begun, round !== [s.stage, s.round].join());
  };

/** @param {any} s @param {any} f @param {string} name @param {number} begun @param {boolean} changed */
function answer(s, f, name, begun, changed) {
  if (changed) return { ok: true, feedback: s.said };
  const m = FIGHTERS[f.kind].moves[name];
  if (!m) return { ok: true, feedback: '' };
  if (f.count === begun) return { ok: false, feedback: name === 'super' && !f.air ? 'Your super bar is not full.' : 'You could not.' };
  if (m.shot && !moveOf(f) && f.outcome === 'missed') return { ok: true, feedback: `${m.title}: on its way.` };
  return { ok: f.outcome.startsWith('hit'), feedback: `${m.title}: ${f.outcome}.` };
}

export const commands = Object.fromEntries(Object.keys(SCRIPTS).map((name) => [name, command(name)]));
