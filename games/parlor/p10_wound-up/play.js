// @ts-check
/** Wound Up, what a person does: four pages of buttons that lie like the letters of the keyboard; and the commands of agents. */

import { an, BUILDINGS, COMMANDS, ORDERS, RESEARCH, UNITS } from './data.js';
import { sideOf } from './knows.js';
import { cellOf, PLANS } from './maps.js';
import { order } from './orders.js';
import { TICK, tick } from './rules.js';

/** @typedef {import('./rules.js').State} State */

const KEYS = ['q', 'w', 'e', 'r', 't', 'y', 'u', 'i', 'o', 'a', 's', 'd', 'f', 'g', 'h', 'j', 'k', 'l', 'z', 'x', 'c', 'v', 'b', 'n', 'm', ',', '.'];
export const PAGES = ['Train', 'Build', 'Research', 'Command'];
const KINDS = ['train', 'build', 'research', 'command'];
/** Height of the panel's top edge. */
export const PANEL = 560;
/** Height of the stores above the map. */
export const TOP = 46;

/** @typedef {{key: string, id: string, kind: string, what: string, x: number, y: number, w: number, h: number}} Button */

/** Buttons of each page. @type {Button[][]} */
export const BUTTONS = KINDS.map((kind) =>
  ORDERS.filter((o) => o.kind === kind).map((o, i) => ({ ...o, key: KEYS[i], x: 8 + (i % 9) * 141, y: PANEL + 40 + Math.floor(i / 9) * 40, w: 136, h: 36 })),
);
export const TABS = PAGES.map((_, i) => ({ x: 8 + i * 141, y: PANEL + 4, w: 136, h: 32 }));

/** What an order is and costs. @param {{kind: string, what: string}} o */
export function help({ kind, what }) {
  if (kind === 'command') return COMMANDS[what];
  const { name, cost, time, needs } = kind === 'train' ? UNITS[what] : kind === 'build' ? BUILDINGS[what] : RESEARCH[what];
  const of = needs ? `, needs ${BUILDINGS[needs] ? an(BUILDINGS[needs].name) : RESEARCH[needs].name}` : '';
  const more = kind === 'research' ? `: ${RESEARCH[what].does}` : '';
  const at = kind === 'build' ? '' : ` at the ${BUILDINGS[(kind === 'train' ? UNITS : RESEARCH)[what].at].name}`;
  return `${name}${more}. ${cost[0]} tin${cost[1] ? `, ${cost[1]} oil` : ''}, ${time} s${at}${of}.`;
}

/** @param {{x: number, y: number, w: number, h: number}} b @param {{x: number, y: number}} at */
const inside = (b, at) => at.x >= b.x && at.x < b.x + b.w && at.y >= b.y && at.y < b.y + b.h;

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.age += 1;
  const click = input.clicked('left');
  const tab = TABS.findIndex((b, i) => input.pressed(String(i + 1)) || (click && inside(b, click)));
  if (tab >= 0) Object.assign(s, { page: tab, shown: '', ok: true, said: `Orders of the page ${PAGES[tab]}.` });
  const page = BUTTONS[s.page];
  if (input.moved) s.shown = page.find((b) => inside(b, input.mouse))?.id ?? '';
  const pressed = page.find((b) => input.pressed(b.key) || (click && inside(b, click)));
  if (pressed) {
    const { ok, said } = order(s, 0, pressed.id);
    Object.assign(s, { ok, said });
  } else if (click && click.y >= TOP && click.y < PANEL) Object.assign(s, { ok: true, said: whatIs(s, { x: click.x, y: click.y - TOP }) });
  else if (KEYS.some((k) => input.pressed(k))) Object.assign(s, { ok: false, said: 'The page has no order at this key.' });
  if (s.age % TICK === 0) tick(s);
}

/** What the left side sees at a place of the map. @param {State} s @param {{x: number, y: number}} at */
function whatIs(s, at) {
  const near = (/** @type {number} */ far) => (/** @type {{x: number, y: number}} */ p) => Math.abs(p.x - at.x) < far && Math.abs(p.y - at.y) < far;
  const visible = (/** @type {number} */ who) => (/** @type {{x: number, y: number}} */ p) => who === 0 || s.sides[0].sight[cellOf(p)] === 1;
  for (const { who, toys, houses } of s.sides) {
    const whose = who ? "The enemy's" : 'Your';
    const u = toys.filter(visible(who)).find(near(14));
    if (u) return `${whose} ${UNITS[u.kind].name}: health ${Math.ceil(u.hp)} of ${UNITS[u.kind].hp}.`;
    const h = houses.filter(visible(who)).find(near(26));
    if (h) return `${whose} ${BUILDINGS[h.kind].name}: health ${Math.ceil(h.hp)} of ${BUILDINGS[h.kind].hp}.`;
  }
  const old = Object.values(s.sides[0].seenHouses).find(near(26));
  if (old) return `You have seen ${an(BUILDINGS[old.kind].name)} of the enemy here.`;
  const yard = PLANS[s.map].yards.find(near(90));
  return yard ? `Yard ${yard.letter}, with tin and two drums of oil.` : 'Nothing that you can see.';
}

/** Frames that an order of an agent takes. */
const FRAMES = 60;

/** @param {State} s @param {string} id @param {string} role */
function* carryOut(s, id, role) {
  const { ok, said } = order(s, sideOf(role), id);
  if (sideOf(role) === 0) Object.assign(s, { ok, said });
  for (let n = 0; n < FRAMES; n++) yield [];
  return { ok, feedback: said };
}

/** @type {Record<string, (s: State, given: any, role: string) => Generator<string[], {ok: boolean, feedback: string}>>} */
export const commands = Object.fromEntries(ORDERS.map(({ id }) => [id, (s, _, role) => carryOut(s, id, role)]));
