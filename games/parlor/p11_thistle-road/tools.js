// @ts-check
/** The Thistle Road, the nine tools of agents. In the field and in talks they press the buttons that a person would press. */

import { obstacle, turn } from './battle.js';
import { ITEMS, MOVES, nameOf } from './kinds.js';
import { beyond, cell, free, isDoor, known, notable, OUT, place, rim, route, stepFrom, STEPS, WAYS, heightOf, widthOf } from './land.js';
import { KEYS } from './play.js';
import { asking, screen } from './rules.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {import('./land.js').Way} Way */
/** @typedef {{ok: boolean, feedback: string}} Answer */
/** @typedef {Generator<string[], Answer, void>} Work */

/** The longest feedback, in characters, and the most pages that a tool reads at once. */
const MOST = 900;
const PAGES = 12;
/** Updates after a press. */
const REST = 2;

/** @param {boolean} ok @param {string} feedback @returns {Answer} */
const answer = (ok, feedback) => ({ ok, feedback: feedback.length > MOST ? `${feedback.slice(0, MOST)}…` : feedback });

/** @param {keyof typeof KEYS} button @returns {Generator<string[], void, void>} */
function* tap(button) {
  yield [KEYS[button]];
  for (let i = 0; i < REST; i++) yield [];
}

/** Why a tool for one screen does not work on this one, or ''. @param {State} s @param {'field'|'dialog'|'battle'} wanted */
function unfit(s, wanted) {
  const now = screen(s);
  if (now === wanted) return '';
  const better = {
    field: 'You are walking about.',
    dialog: 'Somebody is speaking: use continue_dialog.',
    choice: 'There is something to choose: move the cursor with up and down, and press a.',
    battle: 'You are in a battle.',
    menu: 'A menu is open: close it with b.',
  }[now];
  return `This works only ${wanted === 'field' ? 'while you walk' : wanted === 'battle' ? 'in a battle' : 'while somebody speaks'}. ${better}`;
}

/** What stopped a walk, or ''. @param {State} s */
function stopped(s) {
  if (s.battle) return s.battle.told[0];
  return s.talk ? `${s.talk.who || 'Somebody'} speaks: ${s.talk.pages[s.talk.at]}` : '';
}

/** Walks a known way. Returns what stopped it, or ''. @param {State} s @param {Way[]} ways @returns {Generator<string[], string, void>} */
function* follow(s, ways) {
  const { map } = s;
  for (const way of ways) {
    while (s.walking) yield [];
    const { x, y } = s;
    yield [KEYS[way]];
    yield [];
    const why = stopped(s);
    if (why) return why;
    if (s.map !== map) return '';
    if (s.x === x && s.y === y) return 'The way is blocked.';
  }
  while (s.walking) yield [];
  return '';
}

/** @param {State} s */
const here = (s) => `(${s.x}, ${s.y})`;

/** @param {State} s @param {{x: number, y: number}} to @returns {Work} */
function* moveTo(s, { x, y }) {
  const why = unfit(s, 'field');
  if (why) return answer(false, why);
  const p = place(s);
  if (x >= widthOf(p) || y >= heightOf(p)) return answer(false, `(${x}, ${y}) is outside this map; x goes to ${widthOf(p) - 1} and y to ${heightOf(p) - 1}.`);
  if (x === s.x && y === s.y) return answer(true, `You are at (${x}, ${y}) already.`);
  if (!known(s, x, y)) return answer(false, `(${x}, ${y}) has not been explored; move to a known place near it first.`);
  if (isDoor(cell(s, x, y))) return answer(false, `(${x}, ${y}) is a WarpPoint; use warp_with_warp_point.`);
  if (!free(s, x, y)) return answer(false, `(${x}, ${y}) cannot be walked on. Ledges are jumped down by a step, things are reached with interact_with_object.`);
  const ways = route(s, (a, b) => a === x && b === y);
  if (!ways) return answer(false, `No known way leads to (${x}, ${y}).`);
  const stop = yield* follow(s, ways);
  if (stop) return answer(s.x === x && s.y === y && !s.battle, `You were stopped at ${here(s)}. ${stop}`);
  return answer(true, `You are at (${x}, ${y}).`);
}

/** @param {State} s @param {{object: string}} given @returns {Work} */
function* interactWith(s, { object }) {
  const why = unfit(s, 'field');
  if (why) return answer(false, why);
  const all = notable(s).filter((n) => n.thing);
  const wanted = object.trim().toLowerCase();
  const found = all.find((n) => n.name.toLowerCase() === wanted);
  if (!found) return answer(false, `No object '${object}' has been seen here. Seen: ${all.map((n) => n.name).join(', ') || 'none'}.`);
  const near = (/** @type {number} */ x, /** @type {number} */ y) => Math.abs(found.x - x) + Math.abs(found.y - y) === 1;
  const ways = route(s, (x, y) => near(x, y) && !isDoor(cell(s, x, y)));
  if (!ways) return answer(false, `No known way leads to ${found.name}.`);
  const stop = yield* follow(s, ways);
  if (stop) return answer(false, `You were stopped at ${here(s)}. ${stop}`);
  const way = /** @type {Way} */ (WAYS.find((w) => s.x + STEPS[w][0] === found.x && s.y + STEPS[w][1] === found.y));
  if (s.facing !== way) yield* follow(s, [way]);
  yield* tap('a');
  const said = yield* listen(s);
  return answer(true, `${said.join(' ')}${after(s)}`);
}

/** Reads on until the talk is over or asks something. @param {State} s @returns {Generator<string[], string[], void>} */
function* listen(s) {
  const said = [];
  for (let i = 0; i < PAGES && s.talk; i++) {
    said.push(`${s.talk.who ? `${s.talk.who}: ` : ''}${s.talk.pages[s.talk.at]}`);
    if (asking(s)) break;
    yield* tap('a');
  }
  return said;
}

/** What the screen shows after a talk. @param {State} s */
function after(s) {
  if (asking(s)) return ` Choose: ${s.talk?.options.join(' / ')}.`;
  return s.battle ? ` ${s.battle.told.join(' ')}` : '';
}

/** @param {State} s @param {{x: number, y: number}} to @returns {Work} */
function* warp(s, { x, y }) {
  const why = unfit(s, 'field');
  if (why) return answer(false, why);
  if (!known(s, x, y) || !isDoor(cell(s, x, y))) return answer(false, `No WarpPoint is known at (${x}, ${y}).`);
  let ways = route(s, (a, b) => a === x && b === y);
  if (ways?.length === 0) {
    // On a door one has just come through: a step away, and back.
    const away = WAYS.find((w) => stepFrom(s, x, y, w));
    const { map } = s;
    const stop = away ? yield* follow(s, [away]) : 'The way is blocked.';
    if (stop) return answer(false, `You were stopped at ${here(s)}. ${stop}`);
    if (s.map === map) ways = route(s, (a, b) => a === x && b === y);
  }
  if (!ways) return answer(false, `No known way leads to the WarpPoint (${x}, ${y}).`);
  const from = s.map;
  const stop = yield* follow(s, ways);
  if (s.map !== from) return answer(true, `You are in ${place(s).name} at ${here(s)} now.`);
  return answer(false, `You were stopped at ${here(s)}. ${stop}`);
}

/** @param {State} s @param {{direction: import('./land.js').Side}} given @returns {Work} */
function* transition(s, { direction }) {
  const why = unfit(s, 'field');
  if (why) return answer(false, why);
  if (place(s).kind === 'indoor') return answer(false, 'Houses are left through WarpPoints.');
  const edge = rim(s, direction);
  if (!beyond(s, direction)) return answer(false, `No other map lies ${direction} of ${place(s).name}.`);
  const ways = route(s, (x, y) => edge.some(([a, b]) => a === x && b === y));
  if (!ways) return answer(false, `No known way leads to the ${direction} edge of the map; explore it first.`);
  const from = s.map;
  const stop = yield* follow(s, [...ways, OUT[direction]]);
  if (s.map !== from) return answer(true, `You are in ${place(s).name} at ${here(s)} now.${stopped(s) ? ` ${stopped(s)}` : ''}`);
  return answer(false, `You were stopped at ${here(s)}. ${stop}`);
}

/** @param {State} s @returns {Work} */
function* goOn(s) {
  const why = unfit(s, 'dialog');
  if (why) return answer(false, why);
  yield* tap('a');
  if (s.talk) return answer(true, `${s.talk.who ? `${s.talk.who}: ` : ''}${s.talk.pages[s.talk.at]}${asking(s) ? after(s) : ''}`);
  return answer(true, `Nobody speaks any more.${after(s)}`);
}

/** A turn of a battle, and what happened in it. @param {State} s @param {import('./battle.js').Deed} deed @returns {Answer} */
function act(s, deed) {
  const why = turn(s, deed);
  if (why) return answer(false, why);
  if (s.battle) return answer(true, s.battle.told.slice(s.battle.since).join(' '));
  return answer(true, `The battle is over. ${s.talk?.pages.join(' ') ?? ''}`);
}

/** The first creature of a name for which something is possible, else the first of that name; -1 if there is none.
 * @param {State} s @param {string} name @param {(index: number) => import('./battle.js').Deed} deed */
function member(s, name, deed) {
  const named = s.party.flatMap((c, i) => (nameOf(c).toLowerCase() === name.trim().toLowerCase() ? [i] : []));
  return named.find((i) => !obstacle(s, deed(i))) ?? named[0] ?? -1;
}

/** @param {State} s */
const team = (s) => s.party.map(nameOf).join(', ');

/** Keeps the answer for the screen. @param {(s: State, given: any) => Answer | Work} tool */
function kept(tool) {
  return function* (/** @type {State} */ s, /** @type {any} */ given) {
    s.answer = '';
    s.told = [];
    const said = tool(s, given);
    const found = 'ok' in said ? said : yield* said;
    s.answer = found.feedback;
    return found;
  };
}

/** @type {Record<string, (s: State, given: any) => Work>} */
export const commands = {
  move_to: kept(moveTo),
  interact: kept(interactWith),
  warp: kept(warp),
  transition: kept(transition),
  go_on: kept(goOn),
  move: kept((s, { move }) => {
    const why = unfit(s, 'battle');
    if (why || !s.battle) return answer(false, why);
    const { moves } = s.party[s.battle.mine];
    const index = moves.findIndex((m) => MOVES[m.id].title.toLowerCase() === move.trim().toLowerCase());
    if (index < 0) return answer(false, `There is no move '${move}'. Moves: ${moves.map((m) => MOVES[m.id].title).join(', ')}.`);
    return act(s, { what: 'move', index });
  }),
  switch_to: kept((s, { creature }) => {
    const why = unfit(s, 'battle');
    if (why) return answer(false, why);
    const index = member(s, creature, (i) => ({ what: 'switch', index: i }));
    return index < 0 ? answer(false, `There is no '${creature}' in your party. Party: ${team(s)}.`) : act(s, { what: 'switch', index });
  }),
  run_away: kept((s) => {
    const why = unfit(s, 'battle');
    return why ? answer(false, why) : act(s, { what: 'run' });
  }),
  use_item: kept((s, { item, creature }) => {
    const why = unfit(s, 'battle');
    if (why || !s.battle) return answer(false, why);
    const name = Object.keys({ ...ITEMS, ...s.bag }).find((i) => i.toLowerCase() === item.trim().toLowerCase());
    if (!name) return answer(false, `There is no item '${item}'. Bag: ${Object.keys(s.bag).join(', ') || 'empty'}.`);
    const index = creature.trim().toLowerCase() === 'none' ? s.battle.mine : member(s, creature, (i) => ({ what: 'item', item: name, index: i }));
    return index < 0 ? answer(false, `There is no '${creature}' in your party. Party: ${team(s)}.`) : act(s, { what: 'item', item: name, index });
  }),
};
