// @ts-check
/** The Small Throne: forty petitions, yes or no, and a town that remembers them all. */

import { clue, defineAdventure, finish, say, used } from '../adventure/adventure.js';
import { paragraph } from '../adventure/adventure-look.js';
import { bar, box, disc, polygon, text } from '../../kit/draw.js';
import { portrait } from '../adventure/people.js';
import { down, glow, room, rug, tone } from '../adventure/props.js';
import { stream } from '../../kit/random.js';
import { PEOPLE, PETITIONS } from './court.js';

/** @typedef {any} S */
const DAYS = 40;
const LATER = 3;
const MOST_PEOPLE = 700;
const LOOK = { frame: '#5a1f2a', ink: '#3a1a1a', paper: '#fbf0dc', accent: '#f0c040', dark: '#2a0f16', serif: true };

const now = (/** @type {S} */ s) => PETITIONS[s.data.order[Math.min(s.vars.day, DAYS) - 1]];
const bound = (/** @type {number} */ n, /** @type {number} */ high) => Math.max(0, Math.min(high, n));

/** What comes of something; returns it in words. @param {S} s @param {import('./court.js').Effect} e */
function apply(s, e) {
  const v = s.vars;
  v.gold = bound(v.gold + (e.gold ?? 0), 9999);
  v.people = bound(v.people + (e.people ?? 0), MOST_PEOPLE);
  v.joy = bound(v.joy + (e.joy ?? 0), 100);
  if (e.later) s.vars.promises.push({ day: v.day + LATER, effect: e.later });
  const changes = [['gold', e.gold], ['people', e.people], ['happiness', e.joy]].filter(([, n]) => n);
  return [e.text ?? '', changes.map(([what, n]) => `${what} ${Number(n) > 0 ? '+' : ''}${n}`).join(', ')].filter(Boolean).join(' ');
}

/** @param {S} s @param {boolean} yes */
function answer(s, yes) {
  const asked = now(s);
  const told = [];
  const cost = -(asked.yes.gold ?? 0);
  if (yes && cost > s.vars.gold) told.push('There is not enough gold for a yes, so it is a no.', apply(s, asked.no ?? {}));
  else told.push(apply(s, (yes ? asked.yes : asked.no) ?? {}));
  const cheat = asked.who === 'vex' || asked.who === 'monk';
  if (cheat && yes) clue(s, 'moustache');
  if (cheat && !yes && s.clues.moustache.seen !== null) used(s, 'moustache');
  s.vars.day += 1;
  const v = s.vars;
  for (const p of v.promises.filter((/** @type {any} */ q) => q.day === v.day)) told.push(apply(s, p.effect));
  v.promises = v.promises.filter((/** @type {any} */ q) => q.day > v.day);
  v.gold += Math.round(v.people / 40);
  if (v.joy >= 65) v.people = bound(v.people + 4, MOST_PEOPLE);
  if (v.joy < 35) v.people = bound(v.people - 8, MOST_PEOPLE);
  say(s, told.filter(Boolean).join(' ') || 'So be it. Nothing changes.');
  v.realm = realm(s);
  if (v.day > DAYS) {
    v.result = v.realm;
    finish(s, 'win', `Forty petitions: ${v.people} people, happiness ${v.joy}, score ${v.result}. They call it the age of ${v.realm >= 80 ? 'gold' : v.realm >= 55 ? 'silver' : 'tin'}.`);
  }
}

/** The mean of both shares, in percent. @param {S} s */
const realm = (s) => Math.round((s.vars.people / MOST_PEOPLE + s.vars.joy / 100) * 50);

/** @param {CanvasRenderingContext2D} ctx @param {S} s */
function draw(ctx, s) {
  room(ctx, { wall: '#7a3a44', floor: '#8a6a4a', pattern: 'bricks' });
  for (const x of [40, 560, 1180]) {
    box(ctx, x, 0, 60, 390, down(ctx, 0, 390, '#d9c8a8', '#b09a74'), { edge: '#7a6648', line: 2 });
    box(ctx, x - 12, 370, 84, 26, '#c9b68e', { edge: '#7a6648', line: 2 });
  }
  for (const x of [150, 440]) {
    polygon(ctx, [[x - 40, 20], [x + 40, 20], [x + 40, 200], [x, 240], [x - 40, 200]], '#2f5a8a', '#f0c040', 4);
    polygon(ctx, [[x - 22, 130], [x - 24, 90], [x - 10, 108], [x, 82], [x + 10, 108], [x + 24, 90], [x + 22, 130]], '#f0c040');
  }
  rug(ctx, 300, 470, 620, 120, '#a3283a', '#e0b84c');
  glow(ctx, 300, 250, 320, '255,225,160', 0.35);
  const asked = now(s);
  ctx.save();
  ctx.translate(300, 470 + Math.sin(s.ticks / 50) * 2);
  portrait(ctx, PEOPLE[asked.who].face, 380);
  ctx.restore();
  box(ctx, 180, 468, 240, 40, '#2a0f16', { radius: 12, edge: '#f0c040', line: 2 });
  text(ctx, PEOPLE[asked.who].name, 300, 489, { size: 20, color: '#fff' });
  polygon(ctx, [[650, 170], [560, 210], [650, 214]], '#fbf0dc');
  box(ctx, 640, 110, 530, 170, '#fbf0dc', { radius: 20, edge: '#8a5a2a', line: 4 });
  paragraph(ctx, `“${asked.asks}”`, 664, 128, 484, { size: 23, color: '#3a1a1a', gap: 1.25, family: 'serif' });
  const rows = /** @type {[string, number, number, string][]} */ ([['People', s.vars.people, MOST_PEOPLE, '#5ab0cc'], ['Happiness', s.vars.joy, 100, '#e0707c'], ['Gold', s.vars.gold, 300, '#f0c040']]);
  rows.forEach(([name, value, most, color], i) => {
    const x = 630 + i * 184;
    text(ctx, `${name} ${value}`, x, 28, { size: 20, color: '#fff', align: 'left', outline: '#3a1a1a' });
    bar(ctx, x, 46, 168, 22, value / most, color);
  });
  for (const [x, word, color] of /** @type {[number, string, string][]} */ ([[660, 'YES', '#3aa655'], [930, 'NO', '#c8323c']])) {
    box(ctx, x, 330, 220, 110, down(ctx, 330, 110, tone(color, 0.2), tone(color, -0.2)), { radius: 26, edge: '#2a0f16', line: 5 });
    text(ctx, word, x + 110, 388, { size: 48, color: '#fff' });
  }
  disc(ctx, 1216, 486, 26, '#f0c040', '#8a6510', 4);
  text(ctx, Math.min(s.vars.day, DAYS), 1216, 488, { size: 24, color: '#3a1a1a' });
}

defineAdventure({
  id: 'c12_small-throne',
  title: 'The Small Throne',
  start: 'throne',
  look: LOOK,
  intro: 'The old king has gone fishing and left you the throne. Forty people come before you. Say yes or no, and make it a large and happy town.',
  vars: { day: 1, gold: 60, people: 180, joy: 50, realm: 38, result: 0, promises: [] },
  setup: (options, rng) => ({
    order: stream(options.case === undefined ? rng : { seed: `throne ${options.case}`, streams: {} }, 'court').shuffle(PETITIONS.map((_, i) => i)).slice(0, DAYS),
  }),
  clues: ['moustache'],
  milestones: { begun: (s) => s.vars.day > 1, reigned: (s) => s.vars.day > DAYS },
  items: {},
  status: (s) => [['Petition', `${Math.min(s.vars.day, DAYS)} of ${DAYS}`], ['People', s.vars.people], ['Happiness', s.vars.joy], ['Gold', s.vars.gold]],
  scenes: {
    throne: {
      name: 'Throne room',
      draw,
      tell: (s) => `${PEOPLE[now(s).who].name}${['vex', 'monk', 'general'].includes(now(s).who) ? ' (with a moustache)' : ''} says: “${now(s).asks}”`,
      spots: [
        { id: 'yes', name: 'Yes', at: [660, 330, 220, 110], act: (s) => answer(s, true) },
        { id: 'no', name: 'No', at: [930, 330, 220, 110], act: (s) => answer(s, false) },
      ],
    },
  },
});
