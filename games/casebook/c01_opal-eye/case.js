// @ts-check
/**
 * Who did it, for a number: the five suspects' habits are dealt anew, the numbers of the chest too, and where the
 * things lie that somebody misses.
 *
 * The thief's three marks fit nobody else, and each two of them fit somebody else as well: all three are needed.
 *
 * @typedef {{hand: string, scent: string, buttons: string}} Marks
 */

import { deal } from '../adventure/adventure-closeups.js';
import { stream } from '../../kit/random.js';

export const SUSPECTS = ['berta', 'rook', 'ilse', 'pym', 'wren'];
export const HANDS = ['left', 'right'];
export const SCENTS = ['lilies', 'peppermint', 'tar'];
export const BUTTONS = ['brass', 'pearl', 'horn'];

/** What is missed, and where it does not lie: with whom misses it. @type {Record<string, string>} */
const OWNERS = { glass: 'in_curiosities', pipe: 'in_lost', scissors: 'in_bric', oil: 'in_desk' };
/** Where it can lie, in words. @type {Record<string, string>} */
const PLACES = {
  in_curiosities: 'in the museum, among the curiosities', in_lost: 'at the harbour, with what was lost and found', in_bric: 'on the market, with the bric-a-brac',
  in_collection: 'in Hill House, in the Doctor’s collection', in_desk: 'in the lighthouse, on the desk',
};

/** @param {any} options @param {any} rng */
export function makeCase(options, rng) {
  const r = stream(options.case === undefined ? rng : { seed: `opal ${options.case}`, streams: {} }, 'case');
  const [hand, other] = r.shuffle(HANDS);
  const [scent, scent2, scent3] = r.shuffle(SCENTS);
  const [buttons, buttons2] = r.shuffle(BUTTONS);
  const [thief, ...rest] = r.shuffle(SUSPECTS);
  /** @type {Record<string, Marks>} */
  const marks = {
    [thief]: { hand, scent, buttons },
    [rest[0]]: { hand: other, scent, buttons },
    [rest[1]]: { hand, scent: scent2, buttons },
    [rest[2]]: { hand, scent, buttons: buttons2 },
    [rest[3]]: { hand: other, scent: scent3, buttons: buttons2 },
  };
  const numbers = { lions: r.int(2, 6), boat: r.int(1, 9), clock: r.int(1, 9) };
  const order = r.shuffle(['lions', 'boat', 'clock']);
  return { thief, marks, numbers, order, code: order.map((n) => /** @type {any} */ (numbers)[n]).join(''), ...deal(r, OWNERS, PLACES) };
}
