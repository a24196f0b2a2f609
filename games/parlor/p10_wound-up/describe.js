// @ts-check
/** Wound Up in words: a summary of what a side may know. */

import { BUILDINGS, RESEARCH, UNITS } from './data.js';
import { clock, knows, sideOf } from './knows.js';
import { room, standing } from './sides.js';

const JOBS = { tin: 'at the tin', oil: 'at the oil', fight: 'fighting', scout: 'scouting', attack: 'attacking', raid: 'raiding', front: 'at the front', defend: 'defending' };

/** @param {string} id */
export const nameOf = (id) => UNITS[id]?.name ?? BUILDINGS[id]?.name ?? RESEARCH[id].name;

const IRREGULAR = { mouse: 'mice', shelf: 'shelves', foundry: 'foundries' };

/** @param {number} n @param {string} id */
function counted(n, id) {
  const name = nameOf(id);
  return `${n} ${n === 1 ? name : (IRREGULAR[/** @type {'mouse'} */ (name)] ?? name.replace(/(s|x|ch)?$/, (end) => (end ? `${end}es` : 's')))}`;
}

/** @param {Record<string, number>} counts */
const list = (counts) => Object.entries(counts).map(([k, n]) => counted(n, k)).join(', ') || 'none';

/** @param {import('./rules.js').State} s @param {string} role */
export function describe(s, role) {
  const who = sideOf(role);
  const k = knows(s, who);
  const job = (/** @type {string} */ j) => JOBS[/** @type {'tin'} */ (j)] ?? j;
  const mice = Object.entries(k.mice).map(([j, n]) => `${n} ${job(j)}`).join(', ') || 'none';
  const jobs = Object.entries(k.jobs).map(([j, n]) => `${counted(n, j.split(' ')[1])} ${job(j.split(' ')[0])}`).join(', ');
  /** @type {Record<string, number>} */
  const making = {};
  for (const w of k.busy) {
    const line = w.now ? `${nameOf(w.what)} (${w.left} s${w.wound ? ', wound up' : ''})` : `${nameOf(w.what)} (waits)`;
    making[line] = (making[line] ?? 0) + 1;
  }
  return [
    `Time ${clock(k.time)}. You are the ${who ? 'right' : 'left'} side.`,
    `Tin: ${k.tin}. Oil: ${k.oil}. Room: ${k.used} of ${k.room} in use${room(s.sides[who]) >= 120 ? ' (the most)' : ''}. Winding: ${k.winding}.`,
    `Mice: ${mice}.`,
    `Army: ${list(k.army)} (value ${k.army_value}).${jobs ? ` Of them: ${jobs}; the rest is at home.` : ' All are at home.'}${k.worn ? ` Badly damaged: ${k.worn}.` : ''}`,
    `Buildings: ${list(k.houses)}.`,
    ...(k.damaged.length ? [`Damaged: ${k.damaged.slice(0, 8).map((d) => `${nameOf(d.what)} ${d.health} %`).join(', ')}.`] : []),
    `Being built: ${k.rising.map((r) => `${nameOf(r.what)} (${r.left} s)`).join(', ') || 'nothing'}.`,
    `Being made: ${Object.entries(making).map(([line, n]) => (n > 1 ? `${n} ${line}` : line)).join(', ') || 'nothing'}.`,
    ...(standing(s.sides[who], 'chest').length ? [] : ['You have no toy chest that stands.']),
    `Research: ${k.research.map(nameOf).join(', ') || 'none'}.`,
    'Yards, from yours to the enemy’s:',
    ...k.yards.map((y) => `- ${yard(y)}`),
    `Enemy toys in sight: ${list(k.in_sight)}.`,
    `Enemy toys near your buildings: ${list(k.near_home)}.`,
    `Enemy toys seen in the last 90 seconds: ${list(k.remembered)} (value ${k.remembered_value}).`,
    `Army value lost: ${k.lost}, destroyed: ${k.killed}.`,
    `News: ${k.news.join(' ') || 'none'}`,
  ].join('\n');
}

/** @param {ReturnType<typeof knows>['yards'][number]} y */
function yard(y) {
  const enemy = Object.keys(y.enemy).length ? `enemy buildings seen: ${list(y.enemy)}` : 'no enemy building known';
  const looked = y.looked === null ? 'its middle never seen' : y.looked ? `its middle last seen ${y.looked} s ago` : 'its middle in sight';
  return `${y.letter}: ${y.mine ? `your toy chest, ${y.mice} of ${y.full} mice at ${y.tin} tin, ${y.oil} oil left` : 'no toy chest of yours'}; ${enemy}; ${looked}`;
}
