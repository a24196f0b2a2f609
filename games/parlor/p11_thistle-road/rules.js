// @ts-check
/**
 * The Thistle Road, the rules of walking and talking: eight buttons, maps that are revealed on the way, people with
 * something to say. Battles are in `battle.js`, what people do in `story.js`.
 *
 * @typedef {import('./land.js').Way} Way
 * @typedef {import('./kinds.js').Creature} Creature
 * @typedef {{who: string, pages: string[], at: number, options: string[], cursor: number, then: string, index: number}} Talk
 *   options: to choose from on the last page; then: what of `story.js` follows; index: for it
 * @typedef {{page: 'main'|'team'|'bag'|'on'|'route', cursor: number, item: string}} Menu
 * @typedef {'up'|'down'|'left'|'right'|'a'|'b'|'start'|'select'} Button
 */

import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { startWild } from './battle.js';
import { balm, has, say } from './journal.js';
import { fullOf, ITEMS, nameOf } from './kinds.js';
import { across, beyond, cell, find, isDoor, land, LANDS, look, place, stepFrom, STEPS, thingAt, through } from './land.js';
import { after, enter, meet, onStep } from './story.js';

/** Updates that a step takes, and for which a direction is held before the next step. */
export const PACE = 6;
const HOLD = 12;
/** Chance that a creature comes, for each step in tall grass. */
const WILD = 0.11;
const COINS = 100;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const id = oneOf(options, 'land', Object.keys(LANDS), 'dale');
  const { maps, start } = LANDS[id];
  const turn = stream(rng, 'mirror');
  const mirrored = ['open', ...Object.keys(maps).filter((m) => maps[m].kind === 'indoor')].filter(() => turn.chance(0.5));
  const s = {
    rng,
    land: id,
    /** Houses that are mirrored, and `open` if all open maps are. */
    mirrored,
    map: start,
    x: 0,
    y: 0,
    facing: /** @type {Way} */ ('down'),
    /** Updates until the step in hand is done, whether it led one tile on, a direction that was pressed meanwhile, and
     * updates since the last press. */
    walking: 0,
    moved: false,
    next: /** @type {Way | ''} */ (''),
    since: 0,
    /** Of each map, which cells have been seen. @type {Record<string, string[]>} */
    known: {},
    /** Things that are not there any more: `map letter`. @type {string[]} */
    gone: [],
    /** Events of the story that have happened. @type {string[]} */
    events: [],
    /** What has been done once and is not done again: gifts, beaten trainers. @type {string[]} */
    done: [],
    /** @type {Creature[]} */
    party: [],
    /** @type {Record<string, number>} */
    bag: {},
    coins: COINS,
    /** Where one wakes when all creatures have fainted. */
    bed: { map: start, x: 0, y: 0 },
    /** @type {Talk | null} */
    talk: null,
    /** @type {import('./battle.js').Battle | null} */
    battle: null,
    /** @type {Menu | null} */
    menu: null,
    /** The answer to the last tool, and what happened since the last button or tool. */
    answer: '',
    /** @type {string[]} */
    told: [],
    age: 0,
    over: null,
  };
  [s.x, s.y] = find(/** @type {any} */ (s), start, 'p');
  s.bed = { map: start, x: s.x, y: s.y };
  look(/** @type {any} */ (s));
  return s;
}

/** @typedef {ReturnType<typeof create>} State */

/** What is on the screen. @param {State} s */
export function screen(s) {
  if (s.talk) return asking(s) ? 'choice' : 'dialog';
  if (s.battle) return 'battle';
  return s.menu ? 'menu' : 'field';
}

/** @param {State} s */
export const asking = (s) => !!s.talk && s.talk.options.length > 0 && s.talk.at === s.talk.pages.length - 1;

/** A button is pressed on what is on the screen. @param {State} s @param {Button} button */
export function press(s, button) {
  s.answer = '';
  s.told = [];
  if (s.talk) return speak(s, button);
  if (s.menu) return choose(s, s.menu, button);
  if (button === 'a') return void interact(s);
  if (button === 'start') s.menu = { page: 'main', cursor: 0, item: '' };
  else if (button === 'select') {
    if (has(s, 'map')) s.menu = { page: 'route', cursor: 0, item: '' };
    else say(s, '', ['You have no map of the roads yet.']);
  }
}

/** @param {State} s @param {Button} button */
function speak(s, button) {
  const talk = /** @type {Talk} */ (s.talk);
  if (asking(s)) {
    const { length } = talk.options;
    if (button === 'up') talk.cursor = (talk.cursor + length - 1) % length;
    if (button === 'down') talk.cursor = (talk.cursor + 1) % length;
    if (button === 'b') talk.cursor = length - 1;
    if (button !== 'a' && button !== 'b') return;
  } else if (button !== 'a' && button !== 'b') return;
  if (talk.at < talk.pages.length - 1) {
    talk.at += 1;
    return;
  }
  s.talk = null;
  if (talk.then) after(s, talk.then, talk.index, talk.cursor);
}

/** Speaks to, or looks at, what stands ahead. Returns whether something does. @param {State} s */
export function interact(s) {
  const [dx, dy] = STEPS[s.facing];
  const thing = thingAt(s, s.x + dx, s.y + dy);
  if (thing) meet(s, thing, cell(s, s.x + dx, s.y + dy));
  return !!thing;
}

/** Lines of the menu. @param {State} s @param {Menu} menu */
export function menuLines(s, menu) {
  if (menu.page === 'main') return ['Team', 'Bag', ...(has(s, 'map') ? ['Route map'] : []), 'Close'];
  if (menu.page === 'bag') return [...Object.keys(s.bag).map((item) => `${item} x${s.bag[item]}`), 'Back'];
  if (menu.page === 'route') return ['Back'];
  return [...s.party.map((c) => `${nameOf(c)} Lv${c.level} HP ${c.hp}/${fullOf(c)}`), 'Back'];
}

/** @param {State} s @param {Menu} menu @param {Button} button */
function choose(s, menu, button) {
  const lines = menuLines(s, menu);
  if (button === 'start') s.menu = null;
  else if (button === 'up') menu.cursor = (menu.cursor + lines.length - 1) % lines.length;
  else if (button === 'down') menu.cursor = (menu.cursor + 1) % lines.length;
  else if (button === 'b' || (button === 'a' && menu.cursor === lines.length - 1)) {
    s.menu = menu.page === 'main' ? null : { page: 'main', cursor: 0, item: '' };
  } else if (button === 'a') pick(s, menu, lines[menu.cursor]);
}

/** @param {State} s @param {Menu} menu @param {string} line */
function pick(s, menu, line) {
  if (menu.page === 'main') {
    s.menu = { page: line === 'Team' ? 'team' : line === 'Bag' ? 'bag' : 'route', cursor: 0, item: '' };
  } else if (menu.page === 'team') {
    s.party.unshift(...s.party.splice(menu.cursor, 1));
    s.told.push(`${nameOf(s.party[0])} goes first now.`);
    menu.cursor = 0;
  } else if (menu.page === 'bag') {
    const item = Object.keys(s.bag)[menu.cursor];
    if (item === 'Balm') s.menu = { page: 'on', cursor: 0, item };
    else s.told.push(item in ITEMS ? 'That is for battles.' : 'There is no use for it here.');
  } else if (menu.page === 'on') {
    s.told.push(balm(s, s.party[menu.cursor]));
    if (!s.bag.Balm) s.menu = { page: 'bag', cursor: 0, item: '' };
  }
}

/** One step, or a turn if the way is blocked. @param {State} s @param {Way} way */
function step(s, way) {
  s.facing = way;
  s.walking = PACE;
  const to = stepFrom(s, s.x, s.y, way);
  s.moved = !!to;
  if (to) {
    [s.x, s.y] = to;
    arrive(s);
    return;
  }
  const [dx, dy] = STEPS[way];
  if (cell(s, s.x + dx, s.y + dy)) return;
  const side = /** @type {import('./land.js').Side} */ ({ up: 'north', down: 'south', left: 'west', right: 'east' }[way]);
  if (!beyond(s, side)) return;
  const { map, at } = across(s, side, s.x, s.y);
  enter(s, map, at);
}

/** After a step: doors, the story, the tall grass. @param {State} s */
function arrive(s) {
  look(s);
  const here = cell(s, s.x, s.y);
  if (isDoor(here)) {
    const { map, at } = through(s, s.map, here);
    return enter(s, map, at);
  }
  if (onStep(s, here)) return;
  const { wild } = place(s);
  if (here !== ',' || !wild || !s.party.length) return;
  const grass = stream(s.rng, 'grass');
  if (!grass.chance(WILD)) return;
  const [kind, low, high] = grass.pick(wild);
  startWild(s, kind, grass.int(low, high));
}

/** @param {State} s @param {import('../../kit/input.js').Input} input @param {Record<Way, string>} keys  of the directions */
export function walk(s, input, keys) {
  s.since += 1;
  if (s.walking) s.walking -= 1;
  for (const way of /** @type {Way[]} */ (Object.keys(keys))) {
    if (!input.pressed(keys[way])) continue;
    s.next = way;
    s.since = 0;
    s.answer = '';
    s.told = [];
  }
  if (s.walking) return;
  if (!s.next && s.since >= HOLD) s.next = /** @type {Way[]} */ (Object.keys(keys)).find((way) => input.held(keys[way])) ?? '';
  const way = s.next;
  s.next = '';
  if (way) step(s, way);
}
