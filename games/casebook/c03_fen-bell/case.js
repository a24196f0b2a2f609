// @ts-check
/**
 * A fen for a number: where its places lie, whose boat has which sign, who says to have been where, and who was not.
 *
 * Everybody's sign is found in one of three places; the thief's alone in another one than was said. Whose sign it is, what was
 * said and what was found are all needed. Each hidden place is the only field that fits what is told of it.
 *
 * @typedef {{c: number, r: number}} Field  A column and a row of the chart.
 */

import { stream } from '../../kit/random.js';

export const SUSPECTS = ['hob', 'tansy', 'odo', 'wick', 'lisbet'];
export const SIGNS = ['eye', 'wave', 'leaf', 'star', 'ring', 'hook'];
export const PLACES = ['inn', 'mill', 'eels', 'tower', 'ferry'];
export const HIDDEN = ['weir', 'hide', 'chapel'];
export const BIRDS = ['heron', 'owl', 'teal', 'crow', 'swan'];
export const COLUMNS = 8;
export const ROWS = 5;
/** @type {Record<string, [number, number]>} */
export const WAYS = { north: [0, -1], 'north-east': [1, -1], east: [1, 0], 'south-east': [1, 1], south: [0, 1], 'south-west': [-1, 1], west: [-1, 0], 'north-west': [-1, -1] };

/** Which way one looks from a field to another, if it is one of the eight. @param {Field} a @param {Field} b */
function wayTo(a, b) {
  const [x, y] = [b.c - a.c, b.r - a.r];
  if (x && y && Math.abs(x) !== Math.abs(y)) return undefined;
  return Object.keys(WAYS).find((w) => WAYS[w][0] === Math.sign(x) && WAYS[w][1] === Math.sign(y));
}

/** Where the places lie, and how the hidden ones are told. @param {any} r */
function chart(r) {
  for (;;) {
    const fields = r.shuffle(Array.from({ length: COLUMNS * ROWS }, (_, i) => ({ c: i % COLUMNS, r: Math.floor(i / COLUMNS) })));
    const at = Object.fromEntries([...PLACES, 'hide', 'chapel'].map((p, i) => [p, fields[i]]));
    const [level, line] = r.shuffle(PLACES);
    at.weir = { c: at[line].c, r: at[level].r };
    const taken = new Set(Object.values(at).map((f) => f.c + f.r * COLUMNS));
    const mill = wayTo(at.mill, at.hide);
    const tower = wayTo(at.tower, at.hide);
    const from = r.pick(PLACES);
    const steps = { east: at.chapel.c - at[from].c, south: at.chapel.r - at[from].r };
    if (taken.size < 8 || !mill || !tower || !steps.east || !steps.south || Math.abs(steps.east * steps.south) < 2) continue;
    // Both herds of herons on one line would leave the place open.
    const [a, b] = [WAYS[mill], WAYS[tower]];
    if (a[0] * b[1] === a[1] * b[0]) continue;
    return { at, song: { level, line }, herons: { mill, tower }, stone: { from, ...steps } };
  }
}

/** @param {any} options @param {any} rng */
export function makeCase(options, rng) {
  const r = stream(options.case === undefined ? rng : { seed: `fen bell ${options.case}`, streams: {} }, 'case');
  const signs = r.shuffle(SIGNS);
  const sign = Object.fromEntries(SUSPECTS.map((who, i) => [who, signs[i]]));
  const stranger = signs[5];
  const [thief, mate, ...rest] = r.shuffle(SUSPECTS);
  const [first, second, third] = r.shuffle(HIDDEN);
  const claims = { [thief]: first, [mate]: first, [rest[0]]: second, [rest[1]]: second, [rest[2]]: third };
  const was = r.pick([second, third]);
  const of = (/** @type {string[]} */ who) => who.map((w) => sign[w]);
  const friday = { [first]: [...of([mate]), stranger], [second]: of([rest[0], rest[1]]), [third]: of([rest[2]]) };
  friday[was].push(sign[thief]);
  // On the evening before anybody may have been anywhere, the thief where the thief says to have been a day later.
  const thursday = {
    [first]: [sign[thief], sign[rest[0]]],
    [second]: r.shuffle(of([mate, rest[2]])),
    [third]: r.shuffle([stranger, sign[rest[1]]]),
  };
  return {
    thief, claims, was, sign,
    seen: Object.fromEntries(HIDDEN.map((p) => [p, { thursday: r.shuffle(thursday[p]), friday: r.shuffle(friday[p]) }])),
    ...chart(r),
    birds: r.shuffle(BIRDS).slice(0, 3),
    hung: r.pick([[1, 0, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1], [0, 2, 1]]),
  };
}
