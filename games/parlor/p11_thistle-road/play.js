// @ts-check
/** The Thistle Road by keys: each of the eight buttons has one. Commands of agents press the same keys. */

import { turn } from './battle.js';
import { press, walk } from './rules.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {import('./rules.js').Button} Button */

/** @type {Record<Button, string>} */
export const KEYS = { up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight', a: 'z', b: 'x', start: 'Enter', select: 'c' };
const BUTTONS = /** @type {Button[]} */ (Object.keys(KEYS));
const WAYS = { up: KEYS.up, down: KEYS.down, left: KEYS.left, right: KEYS.right };

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.age += 1;
  if (s.battle?.flash) s.battle.flash -= 1;
  const walking = !s.talk && !s.battle && !s.menu;
  if (walking) walk(s, input, WAYS);
  else {
    s.walking = 0;
    s.next = '';
  }
  for (const button of BUTTONS) {
    if (!input.pressed(KEYS[button]) || (walking && button in WAYS)) continue;
    if (s.battle && !s.talk) battle(s, s.battle, button);
    else press(s, button);
    return;
  }
}

/** Lines of the page that a battle shows. @param {State} s @param {import('./battle.js').Battle} b */
export function battleLines(s, b) {
  if (b.page === 'main') return ['Fight', 'Bag', 'Team', 'Run'];
  if (b.page === 'moves') return s.party[b.mine].moves.map((m) => m.id);
  return b.page === 'bag' ? Object.keys(s.bag) : s.party.map((_, i) => String(i));
}

/** @param {State} s @param {import('./battle.js').Battle} b @param {Button} button */
function battle(s, b, button) {
  s.answer = '';
  s.told = [];
  const lines = battleLines(s, b);
  const { length } = lines;
  if (button === 'b' && !b.must) Object.assign(b, { page: 'main', cursor: 0 });
  else if (length && (button === 'down' || button === 'right')) b.cursor = (b.cursor + 1) % length;
  else if (length && (button === 'up' || button === 'left')) b.cursor = (b.cursor + length - 1) % length;
  if (button !== 'a' || !length) return;
  if (b.page === 'main') {
    const page = /** @type {const} */ (['moves', 'bag', 'team'])[b.cursor];
    if (page) Object.assign(b, { page, cursor: 0 });
    else s.answer = turn(s, { what: 'run' });
  } else if (b.page === 'moves') s.answer = turn(s, { what: 'move', index: b.cursor });
  else if (b.page === 'team') s.answer = turn(s, { what: 'switch', index: b.cursor });
  else s.answer = turn(s, { what: 'item', item: lines[b.cursor], index: b.mine });
}

