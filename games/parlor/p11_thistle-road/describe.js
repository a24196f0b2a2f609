// @ts-check
/** The Thistle Road in words: the screen, the battle, the party, and of the map only what has been seen. */

import { mineOf } from './battle.js';
import { has } from './journal.js';
import { fullOf, kindOf, MOVES, nameOf, nextLevel } from './kinds.js';
import { cell, free, heightOf, isDoor, known, land, notable, place, thingAt, widthOf } from './land.js';
import { battleLines } from './play.js';
import { asking, menuLines, screen } from './rules.js';

/** @typedef {import('./rules.js').State} State */

/** @param {State} s */
export function describe(s) {
  const now = screen(s);
  const p = place(s);
  const told = (s.battle && !s.talk ? s.battle.told.slice(s.battle.since) : s.told).join(' ');
  return [
    `Screen: ${now}.`,
    ...(s.talk ? words(s) : []),
    ...(s.menu && !s.talk ? menu(s) : []),
    ...(s.battle && !s.talk ? battle(s) : []),
    `Party: ${s.party.length ? '' : 'none'}`.trimEnd(),
    ...s.party.map((c, i) => `${i + 1}. ${creature(c)}, moves: ${c.moves.map((m) => `${moveText(MOVES[m.id])} ${m.left}/${MOVES[m.id].uses}`).join(', ')}`),
    `Bag: ${[...Object.entries(s.bag).map(([item, n]) => `${item} x${n}`), ...(has(s, 'map') ? ['Route Map'] : [])].join(', ') || 'empty'}. Coins: ${s.coins}.${has(s, 'leader') ? ` Badge: ${land(s).names.badge}.` : ''}`,
    ...(s.battle ? [] : [
      `Place: ${p.name} (${p.kind === 'indoor' ? 'a house' : 'open country'}), x 0 to ${widthOf(p) - 1}, y 0 to ${heightOf(p) - 1}. You are at (${s.x}, ${s.y}) and face ${s.facing}.`,
      'Map (@ you, O ground, G tall grass, D ledge, X blocked, ~ water, W WarpPoint, S object, ? not seen):',
      ...grid(s),
      `Objects seen: ${notable(s).map((n) => `${n.name} (${n.x}, ${n.y})`).join('; ') || 'none'}.`,
    ]),
    ...(told || s.answer ? [`Just now: ${s.answer.includes(told) ? s.answer : `${told} ${s.answer}`.trim()}`] : []),
  ].join('\n');
}

/** A move, and what it does. @param {import('./kinds.js').Move} m */
const moveText = (m) => `${m.title} (${[m.type, ...(m.power ? [`power ${m.power}`] : []), `hits ${m.accuracy}%`, ...(m.lowers ? [`lowers ${m.lowers}`] : []), ...(m.raises ? [`raises ${m.raises}`] : []), ...(m.poison ? [`poisons ${m.poison}%`] : [])].join(', ')})`;

/** @param {import('./kinds.js').Creature} c */
const creature = (c) => `${nameOf(c)} (${kindOf(c).type}), level ${c.level}, HP ${c.hp}/${fullOf(c)}${c.hp ? '' : ', fainted'}${c.poison ? ', poisoned' : ''}, experience ${c.xp}/${nextLevel(c.level)}`;

/** @param {State} s */
function words(s) {
  const talk = /** @type {import('./rules.js').Talk} */ (s.talk);
  const more = talk.at < talk.pages.length - 1;
  return [
    `${talk.who || 'Text'}: "${talk.pages[talk.at]}"${more ? ' (goes on)' : ''}`,
    ...(asking(s) ? ['Choose:', ...talk.options.map((o, i) => `${i === talk.cursor ? '>' : ' '} ${o}`)] : []),
  ];
}

/** @param {State} s */
function menu(s) {
  const m = /** @type {import('./rules.js').Menu} */ (s.menu);
  const { names } = land(s);
  const route = m.page === 'route' ? [`The road: ${ROUTE.map((name) => names[name]).join(' - ')}.`] : [];
  return [`Menu, ${m.page === 'on' ? 'the Balm is for' : m.page}:`, ...route, ...menuLines(s, m).map((line, i) => `${i === m.cursor ? '>' : ' '} ${line}`)];
}

/** Places along the way, as on the map of the roads. */
export const ROUTE = ['village', 'road', 'town', 'wood', 'city'];

/** @param {State} s */
function battle(s) {
  const b = /** @type {import('./battle.js').Battle} */ (s.battle);
  const foe = b.foes[b.foe];
  const shifts = (/** @type {Record<string, number>} */ shift) => Object.entries(shift).filter(([, n]) => n).map(([k, n]) => `, ${k} ${n > 0 ? '+' : ''}${n}`).join('');
  return [
    b.duel ? `Battle against ${b.trainer}, who has ${b.foes.length - b.foe} creature${b.foes.length - b.foe === 1 ? '' : 's'} left. No running.` : 'Battle against a wild creature.',
    `Enemy: ${nameOf(foe)} (${kindOf(foe).type}), level ${foe.level}, HP ${foe.hp}/${fullOf(foe)}${foe.poison ? ', poisoned' : ''}${shifts(b.shift.foe)}`,
    `Yours: ${nameOf(mineOf(s))}${shifts(b.shift.mine)}${b.must ? '. It has fainted: switch to another one.' : ''}`,
    `Menu: ${battleLines(s, b).map((line, i) => `${i === b.cursor ? '>' : ''}${b.page === 'moves' ? MOVES[line].title : b.page === 'team' ? nameOf(s.party[i]) : line}`).join(' | ') || 'nothing'}`,
  ];
}

/** @param {State} s */
function grid(s) {
  const p = place(s);
  const w = widthOf(p);
  return [
    `     ${Array.from({ length: w }, (_, x) => x % 10).join('')}`,
    ...p.rows.map((_, y) => `${String(y).padStart(3)}: ${Array.from({ length: w }, (__, x) => letter(s, x, y)).join('')}`),
  ];
}

/** @param {State} s @param {number} x @param {number} y */
export function letter(s, x, y) {
  if (!known(s, x, y)) return '?';
  if (s.x === x && s.y === y) return '@';
  if (thingAt(s, x, y)) return 'S';
  const c = cell(s, x, y);
  if (isDoor(c)) return 'W';
  if (c === ',') return 'G';
  if (c === '~') return '~';
  if (c === 'v') return 'D';
  return free(s, x, y) ? 'O' : 'X';
}
