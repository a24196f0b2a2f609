// @ts-check
/** Bare Hands, what a person does: keys and mouse. */

import { FUELS, RECIPES, SMELTED } from './data.js';
import { anyFuel, at, craft, digFrames, gain, inReach, isFree, isNear, lose, missing, pass, place, placeable, rests, smelt, solid, strike, take, tell, wall } from './rules.js';

/** @typedef {import('./rules.js').State} State */

export const TILE = 40;
/** Width of the land in the picture; the rest is the panel. */
export const LAND = 960;
/** Frames of a step of a person. */
const PACE = 6;
export const FRAMES_PER_THING = 8;
export const BLADE_FRAMES = 14;
/** Recipes and what the kiln makes, as lines of the panel. */
export const LINES = [...Object.keys(RECIPES), ...Object.values(SMELTED)];
export const LINE = { x: 976, y: 196, w: 288, h: 27 };

/** The block of the top left corner of the picture. @param {State} s */
export function corner(s) {
  return { x: s.x - LAND / TILE / 2 + 0.5, y: Math.min(s.y - 8.5, 72 - 18) };
}

/** Whether a line of the panel can be made now; otherwise why not. @param {State} s @param {string} item */
export function lacking(s, item) {
  const raw = Object.keys(SMELTED).find((k) => SMELTED[k] === item);
  if (raw) {
    if (!s.bag[raw]) return `1 more ${raw}`;
    if (!anyFuel(s)) return `a fuel: ${Object.keys(FUELS).join(', ')}`;
    return isNear(s, 'kiln') ? '' : 'a kiln nearby';
  }
  const bench = RECIPES[item].at;
  return missing(s, item) || (bench && !isNear(s, bench) ? `a ${bench} nearby` : '');
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  pass(s);
  if (s.program || s.busy) return;
  choose(s, input);
  walk(s, input);
  work(s, input);
}

/** Recipes, the item in the hand, chests. @param {State} s @param {import('../../kit/input.js').Input} input */
function choose(s, input) {
  if (input.pressed('s')) s.cursor = (s.cursor + 1) % LINES.length;
  if (input.pressed('w')) s.cursor = (s.cursor + LINES.length - 1) % LINES.length;
  const click = input.clicked('left');
  const line = click ? LINES.findIndex((_, i) => click.x >= LINE.x && click.y >= LINE.y + i * LINE.h && click.y < LINE.y + (i + 1) * LINE.h) : -1;
  if (line >= 0) s.cursor = line;
  if (line >= 0 || input.pressed('c')) make(s, LINES[s.cursor]);
  const can = placeable(s);
  if (!can.includes(s.held)) s.held = can[0] ?? '';
  if (input.pressed('q') && can.length) s.held = can[(can.indexOf(s.held) + 1) % can.length];
  if (input.pressed('x')) chest(s);
}

/** @param {State} s @param {string} item */
function make(s, item) {
  const lack = lacking(s, item);
  if (lack) return tell(s, `${item} needs ${lack}.`);
  const raw = Object.keys(SMELTED).find((k) => SMELTED[k] === item);
  if (raw) {
    const fuel = anyFuel(s) ?? '';
    const count = Math.min(s.bag[raw], FUELS[fuel]);
    lose(s, fuel, 1);
    for (let n = 0; n < count; n++) smelt(s, raw);
  } else craft(s, item);
  tell(s, `You made ${item}.`);
}

/** Takes everything out of the chest nearby, or puts everything but tools and food into it. @param {State} s */
function chest(s) {
  const near = s.chests.find((c) => Math.abs(c.x - s.x) <= 3 && Math.abs(c.y - s.y) <= 3);
  if (!near) return tell(s, 'There is no chest nearby.');
  const [from, word] = Object.keys(near.items).length ? [near.items, 'took everything out of'] : [s.bag, 'put your things into'];
  for (const [item, count] of Object.entries(from)) {
    if (from === near.items) gain(s, item, count);
    else if (!item.endsWith('_pick') && !['gilded_blade', 'meat', 'workbench'].includes(item)) {
      near.items[item] = count;
      delete s.bag[item];
    }
  }
  if (from === near.items) near.items = {};
  tell(s, `You ${word} the chest.`);
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
function walk(s, input) {
  s.walked = Math.max(0, s.walked - 1);
  const [dx, dy] = [input.axis('ArrowLeft', 'ArrowRight'), input.axis('ArrowUp', 'ArrowDown')];
  if (dx) s.face = dx;
  if (s.walked || (!dx && !dy) || s.dig) return;
  if (dy < 0 && !solid(s, s.x, s.y - 1) && (wall(s, s.x, s.y) || wall(s, s.x, s.y - 1) || at(s, s.x, s.y) === 'w')) {
    s.cling = true;
    s.y -= 1;
    s.walked = PACE;
  } else if (dy > 0 && !solid(s, s.x, s.y + 1)) {
    s.cling = true;
    s.y += 1;
    s.walked = PACE;
  } else if (dx && rests(s, s.x, s.y)) {
    const rise = solid(s, s.x + dx, s.y) ? 1 : 0;
    if (solid(s, s.x + dx, s.y - rise) || (rise && solid(s, s.x, s.y - 1))) return;
    s.x += dx;
    s.y -= rise;
    s.cling = false;
    s.walked = PACE;
  }
}

/** Digs, strikes and places: Space before the player or where the arrows point, or the mouse. @param {State} s
 * @param {import('../../kit/input.js').Input} input */
function work(s, input) {
  const spot = aimed(s, input);
  const hit = spot && s.mobs.find((m) => Math.abs(m.x - spot.x) <= 1 && Math.abs(m.y - spot.y) <= 1);
  if (hit && s.tick % BLADE_FRAMES === 0 && inReach(s, hit.x, hit.y)) strike(s, hit);
  if (!spot || hit || at(s, spot.x, spot.y) === '.') s.dig = null;
  else if (!s.dig || s.dig.x !== spot.x || s.dig.y !== spot.y) {
    const all = digFrames(s, at(s, spot.x, spot.y));
    s.dig = all < Infinity && inReach(s, spot.x, spot.y) ? { ...spot, left: all, all } : null;
  }
  if (s.dig) {
    s.dig.left -= 1;
    if (s.dig.left <= 0) {
      take(s, s.dig.x, s.dig.y);
      s.dig = null;
    }
  }
  const right = input.clicked('right');
  const to = right && right.x < LAND ? tileAt(s, right) : input.pressed('e') ? before(s, input) : null;
  if (!to || !s.held) return;
  if (isFree(s, to.x, to.y) && Math.max(Math.abs(to.x - s.x), Math.abs(to.y - s.y)) <= 3) place(s, s.held, to.x, to.y);
  else tell(s, `${s.held} cannot be placed there.`);
}

/** The block that is being dug. @param {State} s @param {import('../../kit/input.js').Input} input */
function aimed(s, input) {
  if (input.mouseHeld('left') && input.mouse.x < LAND) return tileAt(s, input.mouse);
  if (!input.held('Space')) return input.held('ArrowDown') && solid(s, s.x, s.y + 1) ? { x: s.x, y: s.y + 1 } : null;
  const to = before(s, input);
  if (at(s, to.x, to.y) !== '.' || input.axis('ArrowUp', 'ArrowDown')) return to;
  // Nothing there: what grows above, or the ground before the feet.
  const further = [[to.x, to.y - 1], [to.x, to.y - 2], [to.x, to.y + 1]].find(([x, y]) => at(s, x, y) !== '.');
  return further ? { x: further[0], y: further[1] } : to;
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
function before(s, input) {
  const dy = input.axis('ArrowUp', 'ArrowDown');
  return dy ? { x: s.x, y: s.y + dy } : { x: s.x + s.face, y: s.y };
}

/** @param {State} s @param {{x: number, y: number}} point */
function tileAt(s, point) {
  const c = corner(s);
  return { x: Math.floor(point.x / TILE + c.x), y: Math.floor(point.y / TILE + c.y) };
}
