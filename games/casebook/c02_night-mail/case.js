// @ts-check
/**
 * Who did it, for a number: the five suspects' habits are dealt anew, the numbers of the gate, and where
 * things lie that are needed.
 *
 * The thief's three marks fit nobody else, and each two of them fit somebody else as well: all three are needed.
 *
 * @typedef {{boots: string, wool: string, drink: string}} Marks
 */

import { deal } from '../adventure/adventure-closeups.js';
import { stream } from '../../kit/random.js';

export const SUSPECTS = ['odette', 'crumb', 'nell', 'bruno', 'silvane'];
export const BOOTS = ['nailed', 'smooth', 'felt'];
export const WOOLS = ['red', 'green', 'grey'];
export const DRINKS = ['tea', 'coffee', 'cocoa'];

/**
 * What can be taken, of which half is of use, and where it does not lie: the dressing case is reached by warmth, the tool
 * box once the guard has gone, and the fuse is missed at the levers. @type {Record<string, string | string[]>}
 */
const LOOSE = {
  kettle: ['in_case', 'in_tools'], matches: ['in_case', 'in_tools'], fuse: ['in_levers', 'in_tools'], scuttle: ['in_case', 'in_tools'], oil: [],
  scissors: [], magnet: [], hammer: [], hook: [], spoon: 'in_tools', comb: 'in_tools',
};
/** Where it can lie, in words. @type {Record<string, string>} */
const PLACES = {
  in_counter: 'behind the counter of the dining car', in_lost: 'with the left luggage in the waiting room',
  in_levers: 'on the shelf over the levers of the signal box', in_case: 'in the dressing case of the sleeping car',
  in_tools: 'in the tool box of the mail van',
};

/** @param {any} options @param {any} rng */
export function makeCase(options, rng) {
  const r = stream(options.case === undefined ? rng : { seed: `night mail ${options.case}`, streams: {} }, 'case');
  const [boots, boots2, boots3] = r.shuffle(BOOTS);
  const [wool, wool2, wool3] = r.shuffle(WOOLS);
  const [drink, drink2, drink3] = r.shuffle(DRINKS);
  const [thief, ...rest] = r.shuffle(SUSPECTS);
  /** @type {Record<string, Marks>} */
  const marks = {
    [thief]: { boots, wool, drink },
    [rest[0]]: { boots: boots2, wool, drink },
    [rest[1]]: { boots, wool: wool2, drink },
    [rest[2]]: { boots, wool, drink: drink2 },
    [rest[3]]: { boots: boots3, wool: wool3, drink: drink3 },
  };
  const numbers = { engine: r.int(1, 9), clock: r.int(1, 9), wagons: r.int(2, 7) };
  const order = r.shuffle(['engine', 'clock', 'wagons']);
  return { thief, marks, numbers, order, code: order.map((n) => /** @type {any} */ (numbers)[n]).join(''), ...deal(r, LOOSE, PLACES) };
}
