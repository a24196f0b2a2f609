// @ts-check
/** Thirteen Days, what a person does: buttons for the mouse, a key for each, and the commands of agents. */

import { begin, NAMES, work } from './rules.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {{key: string, label: string, task: string, item?: string, count?: number, x: number, y: number, w: number, h: number}} Button */

const DEEDS = [
  ['o', 'Go out', 'leave'],
  ['t', 'Till', 'till'],
  ['p', 'Plant', 'plant'],
  ['w', 'Water', 'water'],
  ['h', 'Harvest', 'harvest'],
  ['s', 'Sell', 'sell'],
  ['z', 'Sleep', 'sleep'],
];

/** @type {Button[]} */
export const BUTTONS = [
  ...DEEDS.map(([key, label, task], i) => ({ key, label, task, x: 24 + i * 177, y: 650, w: 168, h: 54 })),
  ...NAMES.flatMap((item, i) =>
    [1, 5].map((count, j) => ({
      key: count === 1 ? String(i + 1) : '', label: `+${count}`, task: 'buy', item, count, x: 1114 + j * 72, y: 236 + i * 62, w: 64, h: 46,
    })),
  ),
];

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  const click = input.clicked('left');
  const chosen =
    BUTTONS.find((b) => b.key && input.pressed(b.key)) ??
    BUTTONS.find((b) => click && click.x >= b.x && click.x < b.x + b.w && click.y >= b.y && click.y < b.y + b.h) ??
    (input.held('t') ? BUTTONS.find((b) => b.task === 'till') : undefined);
  if (chosen) begin(s, chosen.task, chosen);
  work(s);
}

/** Begins a job and waits for its end. @param {State} s @param {string} task @param {object} given */
function* carryOut(s, task, given) {
  while (s.job) yield [];
  begin(s, task, given);
  while (s.job) yield [];
  return { ok: s.ok, feedback: s.said };
}

/** @type {Record<string, (s: State, given: any) => Generator<string[], {ok: boolean, feedback: string}>>} */
export const commands = Object.fromEntries(
  ['leave', 'sleep', 'buy', 'sell', 'till', 'plant', 'water', 'harvest'].map((task) => [task, (s, given) => carryOut(s, task, given)]),
);

