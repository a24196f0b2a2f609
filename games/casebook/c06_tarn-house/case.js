// @ts-check
/**
 * A house for a number: which key fits which lock, what hides where, what the codes are and where they are told.
 *
 * Solvable by construction. Four openers (three keys and the crowbar) stand in a random line: the first lies behind a
 * code whose clue is in sight from the start, each further one behind what the one before opens, the hook behind the last.
 * The lantern and the attic key lie behind the two other codes. Hook, lantern and attic key lead to the front door's key, so
 * everything is needed.
 *
 * @typedef {'drawer'|'chest'|'workshop'|'pantry'} Opener
 * @typedef {'clock'|'picture'|'bottles'} Kind
 * @typedef {{number: number|string, shapes: Record<string, string>, holds: Record<string, string>, kinds: Record<string, Kind>,
 *   where: Record<Kind, string>, codes: Record<string, string>, clock: {hour: number, minute: number},
 *   counts: Record<string, number>, order: string[], labels: Record<string, number>, colors: string[]}} Case
 */

import { seeded, stream } from '../../kit/random.js';

export const SHAPES = ['star', 'moon', 'leaf', 'sun'];
export const BOTTLES = ['red', 'green', 'blue'];
/** @type {Record<Kind, string>} */
export const HOME = { clock: 'hall', picture: 'study', bottles: 'kitchen' };
/** The thing that opens, and what then lies open. @type {Record<Opener, [string, string]>} */
const OPENS = { drawer: ['key_drawer', 'drawer'], chest: ['key_chest', 'chest'], workshop: ['key_workshop', 'bench'], pantry: ['crowbar', 'pantry'] };

/** @param {number|string} number @returns {Case} */
export function makeCase(number) {
  const r = stream(seeded(`tarn house ${number}`), 'case');
  const shapes = r.shuffle(SHAPES);
  const line = r.shuffle(/** @type {Opener[]} */ (['drawer', 'chest', 'workshop', 'pantry']));
  const [first, second] = r.shuffle(['safe', 'casket']);
  const kinds = r.shuffle(/** @type {Kind[]} */ (['clock', 'picture', 'bottles']));
  /** @type {Record<string, string>} */
  const holds = { [first]: OPENS[line[0]][0], [second]: 'lantern', cabinet: 'key_trunk', trunk: 'key_front' };
  line.forEach((opener, i) => (holds[OPENS[opener][1]] = i < 3 ? OPENS[line[i + 1]][0] : 'hook'));
  const late = kinds[r.int(1, 2)];
  const clock = { hour: r.int(1, 9), minute: 5 * r.int(2, 11) };
  const counts = { bird: r.int(2, 7), boat: r.int(1, 5), house: r.int(1, 6) };
  const order = r.shuffle(['bird', 'boat', 'house']);
  const labels = { red: r.int(1, 9), green: r.int(1, 9), blue: r.int(1, 9) };
  const colors = r.shuffle(BOTTLES);
  /** @type {Record<Kind, string>} */
  const code = {
    clock: `${clock.hour}${String(clock.minute).padStart(2, '0')}`,
    picture: order.map((w) => /** @type {any} */ (counts)[w]).join(''),
    bottles: colors.map((c) => /** @type {any} */ (labels)[c]).join(''),
  };
  const locks = [first, second, 'cabinet'];
  return {
    number,
    shapes: { key_drawer: shapes[0], key_chest: shapes[1], key_workshop: shapes[2], key_trunk: shapes[3] },
    holds,
    kinds: Object.fromEntries(locks.map((l, i) => [l, kinds[i]])),
    where: { ...HOME, [late]: 'workshop' },
    codes: Object.fromEntries(locks.map((l, i) => [l, code[kinds[i]]])),
    clock, counts, order, labels, colors,
  };
}
