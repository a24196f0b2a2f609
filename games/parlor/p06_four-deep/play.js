// @ts-check
/** Four Deep, what a person does by keys and mouse, and the commands of agents. */

import { acting, kindOf, obstacle, usable } from './fight.js';
import { deed, resolve, story, waste } from './rules.js';

/** @typedef {import('./rules.js').State} State */

/** Places of the picture: middle of the front rank, distance of ranks, and the boxes of skills and of moving. */
export const FRONT = { heroes: 545, foes: 735 };
export const SPACING = 132;
export const SKILL_BOX = { x: 20, y: 552, w: 206, h: 164, step: 214 };
export const MOVES = /** @type {const} */ ([
  { what: 'backward', label: '◀', x: 704, y: 508, w: 74, h: 38 },
  { what: 'forward', label: '▶', x: 786, y: 508, w: 74, h: 38 },
]);
export const TARGET_KEYS = ['q', 'w', 'e', 'r'];

/** @param {'heroes'|'foes'} side @param {number} index */
export const placeOf = (side, index) => (side === 'heroes' ? FRONT.heroes - index * SPACING : FRONT.foes + index * SPACING);

/** The skill in hand: the chosen one, or that of the hero's last turn, or the first that can be used. From 1; 0: none.
 * @param {State} s */
export function inHand(s) {
  const h = acting(s);
  if (!h) return 0;
  const { skills } = kindOf(h);
  const last = s.last[h.id];
  if (!s.chosen && last && usable(s, h, skills[last - 1])) return last;
  return s.chosen || skills.findIndex((k) => usable(s, h, k)) + 1;
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  const h = acting(s);
  s.age += 1;
  if (s.lean) s.lean -= 1;
  if (h) person(s, h, input);
  resolve(s);
}

/** @param {State} s @param {import('./rules.js').Hero} h @param {import('../../kit/input.js').Input} input */
function person(s, h, input) {
  const click = input.clicked('left');
  const inside = (/** @type {{x: number, y: number, w: number, h: number}} */ b) => click && click.x >= b.x && click.x < b.x + b.w && click.y >= b.y && click.y < b.y + b.h;
  const move = MOVES.find((m) => input.pressed(m.what === 'forward' ? 'ArrowRight' : 'ArrowLeft') || inside(m));
  if (move) return deed(s, move.what, { rank: s.heroes.indexOf(h) + 1, by: 1 });
  let picked = false;
  for (let i = 0; i < 4; i++) {
    if (!input.pressed(String(i + 1)) && !inside({ ...SKILL_BOX, x: SKILL_BOX.x + i * SKILL_BOX.step })) continue;
    s.chosen = i + 1;
    s.refused = '';
    picked = true;
    break;
  }
  const slot = inHand(s);
  if (!slot) return;
  const skill = kindOf(h).skills[slot - 1];
  const { aim } = skill;
  const side = aim === 'enemy' ? 'foes' : 'heroes';
  for (let i = 0; i < 4; i++) {
    const figure = { x: placeOf(side, i) - SPACING / 2, y: 150, w: SPACING, h: 350 };
    if (input.pressed(TARGET_KEYS[i]) || inside(figure)) return deed(s, aim === 'enemy' ? 'attack' : 'heal', { target: i + 1, slot });
  }
  // A skill that has only one target needs no second key.
  const targets = [1, 2, 3, 4].filter((rank) => !obstacle(s, h, skill, rank));
  if (picked && targets.length === 1) deed(s, aim === 'enemy' ? 'attack' : 'heal', { target: targets[0], slot });
}

/** The longest answer, in characters. */
const MOST = 950;

/** Acts, and answers with all that happened until the next hero's turn. @param {State} s @param {any} what @param {any} given */
function carryOut(s, what, given) {
  const ok = deed(s, what, given);
  if (!ok) waste(s);
  if (s.over) return { ok: s.over.outcome === 'win', feedback: s.over.reason };
  const said = [...(ok ? [] : [s.refused]), ...story(s)].join(' ');
  return { ok, feedback: said.length > MOST ? `… ${said.slice(said.indexOf(' ', said.length - MOST) + 1)}` : said };
}

/** @type {Record<string, (s: State, given: any) => {ok: boolean, feedback: string}>} */
export const commands = Object.fromEntries(
  ['attack', 'heal', 'forward', 'backward'].map((what) => [what, (s, given) => carryOut(s, what, given)]),
);
