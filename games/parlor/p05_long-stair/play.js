// @ts-check
/** The Long Stair, what a person does: cards, enemies and buttons for the mouse, keys for the same, and the commands. */

import { aimed } from './cards.js';
import { choose, endTurn, misstep, play } from './rules.js';

/** @typedef {import('./rules.js').State} State @typedef {{x: number, y: number, w: number, h: number}} Box */

/** @type {Box} */
export const BUTTON = { x: 1112, y: 398, w: 150, h: 56 };
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** Where cards lie: the hand, or what is offered. @param {State} s @returns {(Box & {place: number})[]} */
export function cardBoxes(s) {
  if (s.phase === 'reward') return s.offer.map((_, place) => ({ place, x: 400 + place * 170, y: 250, w: 140, h: 190 }));
  const places = s.hand.flatMap((c, i) => (c ? [i] : []));
  const pitch = Math.min(146, 1240 / Math.max(1, places.length));
  const left = 640 - (pitch * places.length) / 2;
  return places.map((place, i) => ({ place, x: left + i * pitch, y: 508, w: 140, h: 190 }));
}

/** Where an enemy stands. @param {State} s @param {number} i @returns {Box} */
export function foeBox(s, i) {
  const w = 200;
  return { x: 780 - (s.foes.length * w) / 2 + i * w, y: 110, w, h: 330 };
}

/** @param {Box} b @param {{x: number, y: number}} at */
const inside = (b, at) => at.x >= b.x && at.x < b.x + b.w && at.y >= b.y && at.y < b.y + b.h;

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.age += 1;
  if (input.moved) s.shown = cardBoxes(s).findLast((b) => inside(b, input.mouse))?.place ?? -1;
  if (input.moved) s.listed = input.mouse.y < 76;
  if (input.pressed('i')) s.listed = !s.listed;
  const click = input.clicked('left');
  const key = KEYS.findIndex((k) => input.pressed(k));
  if (input.pressed('e', 's') || (click && inside(BUTTON, click))) {
    s.picked = -1;
    if (s.phase === 'reward') choose(s, -1);
    else endTurn(s);
    return;
  }
  if (!click && key < 0) return;
  // Cards on the right lie over those on the left.
  const card = click ? (cardBoxes(s).findLast((b) => inside(b, click))?.place ?? -1) : key;
  if (s.phase === 'reward') {
    if (card >= 0) choose(s, card);
    return;
  }
  const foe = click ? s.foes.findIndex((_, i) => inside(foeBox(s, i), click)) : key;
  if (s.picked >= 0 && (foe >= 0 || card < 0)) {
    if (foe >= 0) play(s, s.picked, foe);
    s.picked = -1;
  } else if (card >= 0) pick(s, card);
}

/** Plays a card, or picks it up if it has to be aimed at one of several enemies. @param {State} s @param {number} place */
function pick(s, place) {
  const c = s.hand[place];
  s.picked = -1;
  if (c && aimed(c) && s.foes.filter((f) => f.hp > 0).length > 1) s.picked = place;
  else play(s, place, null);
}

/** @param {(s: State, given: any) => void} deed */
const answered = (deed) => (/** @type {State} */ s, /** @type {any} */ given) => {
  s.picked = -1;
  deed(s, given);
  if (!s.ok) misstep(s);
  const news = s.phase === 'battle' && s.turn === 1 ? s.news : [];
  return { ok: s.ok, feedback: [s.said, ...news].join(' ') };
};

export const commands = {
  play: answered((s, { card }) => play(s, card - 1, null)),
  play_on: answered((s, { card, target }) => play(s, card - 1, target - 1)),
  end_turn: answered((s) => endTurn(s)),
  choose: answered((s, { card }) => choose(s, card - 1)),
  skip: answered((s) => choose(s, -1)),
};
