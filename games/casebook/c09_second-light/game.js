// @ts-check
/** Second Light: tables of mirrors on which light is led through signs, and rooms that tell which signs. */

import { defineAdventure, drop, finish, go, say, used } from '../adventure/adventure.js';
import { closeUp } from '../adventure/adventure-closeups.js';
import { near, see, way } from '../adventure/adventure-parts.js';
import { box, text } from '../../kit/draw.js';
import { light, mirrorTable } from './board.js';
import { HOURS, makeCase, TABLES } from './case.js';
import { candles, draws, glassIcon, LOOK, sundial, vanity, window_ } from './look.js';
import { SMALL } from './small.js';

/** @typedef {any} S */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */
/** @typedef {CanvasRenderingContext2D} Ctx */

const NIGHT = '#0c2a2c';


/** @type {Record<string, [string, string]>} The glass that each table hides: its name, and its colour. */
const GLASSES = { clock: ['amber glass', '#f0a03c'], wardrobe: ['rose glass', '#e87a8a'], piano: ['smoke glass', '#7a8a92'], fountain: ['sea glass', '#4fb8a8'] };

/** A table of mirrors in a room, and the glass behind it. @param {string} table @param {string} name @param {number[]} at @returns {Spot[]} */
const locked = (table, name, at) => [
  { id: table, name, at, when: (s) => !s.flags[table], go: `table_${table}`, tell: 'a table of mirrors is set into it' },
  {
    id: `in_${table}`, name: GLASSES[table][0], at, when: (s) => s.flags[table], take: `glass_${table}`,
    look: `A round ${GLASSES[table][0]}, still warm from the light. You take it.`,
  },
];

/** Springs put the mirrors back. @param {S} s @param {string} table @param {string} why */
function blink(s, table, why) {
  s.vars.turned[table] = [];
  say(s, `${why} The eye blinks, and a spring puts all the mirrors back.`);
}

/** @param {string} table @param {string} name @param {string} back @param {string} wood @param {string} seen
 * @param {(ctx: Ctx, s: S) => void} plate @param {(s: S) => string} tell */
const tableOf = (table, name, back, wood, seen, plate, tell) =>
  mirrorTable({
    id: table, name, back, wood, plate, tell, shut: () => true,
    pull(s) {
      const { signs, eye } = light(s, table);
      if (!eye) return blink(s, table, 'No light reaches the eye.');
      if (signs.join() !== s.data.codes[table].join()) return blink(s, table, 'Light, but not the light that was asked for.');
      s.flags[table] = true;
      used(s, seen);
      go(s, back);
      say(s, 'The eye closes, content, and something opens.');
    },
  });

/** A ring of the front door's table, for any of the four glasses. @param {number} n @returns {Spot} */
const ring = (n) => ({
  id: `ring_${n}`,
  name: `ring ${n}`,
  at: [0, 0, 0, 0],
  look: (s) => (s.flags[`ring ${n}`] ? 'The glass sits in it as if it had grown there.' : 'An empty ring. Light that goes through it is nobody’s.'),
  tell: (s) => (s.flags[`ring ${n}`] ? 'with a glass in it' : 'empty'),
  use: {
    any(s, item) {
      if (s.flags[`ring ${n}`]) return say(s, 'There is a glass in it already.');
      drop(s, item);
      s.flags[`ring ${n}`] = true;
      say(s, 'The glass slips into the ring.');
    },
  },
});

/** @param {S} s */
function leave(s) {
  const { signs, eye } = light(s, 'gate');
  if (![1, 2, 3, 4].every((n) => s.flags[`ring ${n}`])) return blink(s, 'gate', 'There are empty rings.');
  if (!eye || ![1, 2, 3, 4].every((n) => signs.includes(`ring ${n}`))) return blink(s, 'gate', 'The light has not gone through all four glasses.');
  s.flags.open = true;
  finish(s, 'win', 'The door opens its eye, looks at you kindly, and lets the evening in.');
}

/** Signs of candles from the left to the right as they stand. @param {S} s */
const standing = (s) => s.data.stand.map((/** @type {number} */ rank) => [s.data.candles[rank], rank]);

defineAdventure({
  id: 'c09_second-light',
  title: 'Second Light',
  start: 'foyer',
  look: LOOK,
  intro: 'Professor Glim made lenses for lighthouses, and locks for herself. You have come to read the meter. The sun is going down, and the door wants to see four glasses before it sees you out.',
  refuse: ['That leads no light anywhere.', 'That does not help here.'],
  flags: { open: false, ...Object.fromEntries(TABLES.map((t) => [t, false])), ...Object.fromEntries([1, 2, 3, 4].map((n) => [`ring ${n}`, false])) },
  vars: { turned: {} },
  setup: makeCase,
  clues: ['window', 'vanity', 'candles', 'sundial'],
  milestones: { ...Object.fromEntries(TABLES.map((t) => [`${t}_glass`, (/** @type {S} */ s) => !!s.flags[`took_in_${t}`]])), escaped: (s) => s.flags.open },
  items: Object.fromEntries(TABLES.map((t) => [`glass_${t}`, { name: GLASSES[t][0], look: `The ${GLASSES[t][0]}. Whatever light goes in has to introduce itself.`, icon: (/** @type {Ctx} */ ctx) => glassIcon(ctx, GLASSES[t][1]) }])),
  scenes: {
    foyer: {
      name: 'Foyer', draw: draws.foyer, tell: 'The entrance hall. A table of mirrors is set into the front door.',
      spots: [
        way('gate', 'front door', [500, 40, 280, 350], 'table_gate', 'a table of mirrors with four rings'),
        way('to_stairs', 'stairs', [40, 110, 180, 280], 'stairs'),
        way('to_dressing', 'door to the dressing room', [260, 120, 120, 262], 'dressing'),
        way('to_salon', 'door to the salon', [850, 120, 120, 262], 'salon'),
        way('to_workshop', 'door to the workshop', [1000, 120, 120, 262], 'workshop'),
        way('to_garden', 'garden door', [1140, 100, 120, 284], 'garden'),
        way('stand', 'umbrella stand', [400, 300, 84, 150], 'in_stand'),
        see('meter', 'meter', [400, 90, 76, 84], 'It counts light. It has run backwards since noon.'),
        see('lamp', 'chandelier', [560, 0, 160, 36], 'A lighthouse lens, retired. It still turns its head after ships.'),
      ],
    },
    stairs: {
      name: 'Stairs', back: 'foyer', draw: draws.stairs, tell: 'A landing with a tall window of coloured glass, and a tall clock.',
      spots: [
        way('window', 'coloured window', [500, 20, 230, 330], 'near_window', 'three signs, one above the other'),
        ...locked('clock', 'tall clock', [880, 50, 170, 350]),
        see('steps', 'steps', [60, 250, 330, 220], 'Each step has a groove for the light to come down in the morning.'),
        see('portrait', 'portrait', [240, 60, 130, 150], 'Professor Glim. Her eyes follow you, by means of two very small mirrors.'),
        see('plant', 'palm', [1100, 300, 130, 160], 'It leans towards the window, like everybody here.'),
      ],
    },
    dressing: {
      name: 'Dressing room', back: 'foyer', draw: draws.dressing, tell: 'A dressing table with a mirror, a wardrobe, a screen.',
      spots: [
        way('vanity', 'mirror', [430, 60, 280, 230], 'near_vanity', 'it shows the wall behind you'),
        ...locked('wardrobe', 'wardrobe', [820, 70, 240, 330]),
        way('box', 'jewel box', [600, 300, 110, 80], 'in_box'),
        see('screen', 'folding screen', [60, 90, 220, 310], 'Painted with a lighthouse in a storm. Behind it: nothing, and a draught.'),
        see('stool', 'stool', [500, 400, 140, 90], 'Turned away from the mirror, as if somebody had had enough.'),
        see('gown', 'dressing gown', [1110, 110, 110, 250], 'Silk, in the colour of five minutes after sunset.'),
      ],
    },
    salon: {
      name: 'Salon', back: 'foyer', draw: draws.salon, tell: 'A piano, and a mantelpiece with three candles.',
      spots: [
        way('candles', 'three candles', [140, 110, 310, 170], 'near_candles', 'three candles of different heights, each with a sign'),
        ...locked('piano', 'piano', [640, 200, 330, 260]),
        way('music', 'sheets of music', [1040, 330, 170, 110], 'in_music'),
        see('fire', 'fireplace', [190, 310, 220, 150], 'Laid, never lit. She did not care for light that cannot be led.'),
        see('view', 'painting', [660, 40, 200, 120], '“Ships Passing”. If you stand still, they do.'),
        see('curtain', 'curtains', [1040, 40, 200, 250], 'Velvet. The only thing in the house that light does not get past.'),
      ],
    },
    garden: {
      name: 'Garden', back: 'foyer', draw: draws.garden, tell: 'A terrace at sunset, with a sundial and a dry fountain.',
      spots: [
        way('sundial', 'sundial', [180, 230, 230, 230], 'near_sundial', 'six of its hours have a sign'),
        ...locked('fountain', 'fountain', [700, 180, 310, 270]),
        see('sunset', 'sunset', [440, 20, 260, 170], 'It is taking its time. You have the feeling that it has been asked to.'),
        see('tower', 'lighthouse', [1090, 40, 110, 230], 'Her first. It blinks twice at the house and once at everybody else.'),
        see('hedge', 'hedge', [470, 300, 190, 110], 'Clipped with a ruler, by somebody who distrusts curves.'),
        see('gull', 'gull', [1080, 340, 110, 90], 'It wants to know whether you are going to eat that light.'),
      ],
    },
    workshop: {
      name: 'Workshop', back: 'foyer', draw: draws.workshop, tell: 'Where the lenses were ground.',
      spots: [
        way('bench', 'workbench', [380, 300, 420, 150], 'in_bench'),
        way('shelf', 'shelf', [60, 60, 240, 320], 'in_shelf'),
        see('wheel', 'grinding wheel', [900, 240, 170, 200], 'It has ground eleven lighthouses, and one thumb.'),
        see('chart', 'chart', [420, 60, 240, 160], 'How light goes through glass: in arrows, and with a small drawing of a tired arrow.'),
        see('great', 'great lens', [1090, 60, 160, 230], 'Too good to be sold. She comes here to look through it at nothing.'),
      ],
    },
    near_window: near('window', 'Coloured window', 'stairs', ['#5f8a8a', NIGHT], (ctx, s) => window_(ctx, s, 480, 14, 320, 496), 'Light falls through the window from the top to the bottom, and comes out at the piano’s side of the house.', (s) => `Signs from top to bottom: ${s.data.window.join(', ')}.`),
    near_vanity: near('vanity', 'Mirror', 'dressing', ['#c9887a', NIGHT], (ctx, s) => vanity(ctx, s, 270, 30, 740, 440), 'In the mirror you see yourself, and behind you three signs on the wall. Here, left is right.', (s) => `In the mirror, from left to right: ${s.data.vanity.join(', ')}.`),
    near_candles: near('candles', 'Three candles', 'salon', ['#4a6a72', NIGHT], (ctx, s) => candles(ctx, s, 340, 470, 2.2), 'Three candles that were lit one after the other, and have not burned down alike.', (s) => `From left to right: ${standing(s).map((/** @type {any[]} */ [what, rank]) => `a ${['short', 'middling', 'tall'][rank]} candle with the sign ${what}`).join(', ')}.`),
    near_sundial: near('sundial', 'Sundial', 'garden', ['#d98a6a', NIGHT], (ctx, s) => sundial(ctx, s, 640, 262, 1), 'Six of the twelve hours have a sign.', (s) => `Signs at the hours: ${HOURS.map((h, i) => `${h} ${s.data.dial[i]}`).join(', ')}.`),
    table_piano: tableOf('piano', 'Piano', 'salon', '#3a4a52', 'window', (ctx) => {
      box(ctx, 606, 12, 68, 84, '#3f8a8a', { radius: 30, edge: '#3a2a10', line: 4 });
      for (const y of [36, 60]) box(ctx, 608, y, 64, 4, '#3a2a10');
      text(ctx, '↓', 720, 54, { size: 54, color: '#3a2a10' });
    }, () => 'The plate shows a tall window, and an arrow that points down.'),
    table_fountain: tableOf('fountain', 'Fountain', 'garden', '#8a6a5a', 'vanity', (ctx) => {
      ctx.beginPath();
      ctx.ellipse(560, 44, 30, 36, 0, 0, 7);
      ctx.fillStyle = '#cfe8ea';
      ctx.fill();
      ctx.lineWidth = 6;
      ctx.strokeStyle = '#3a2a10';
      ctx.stroke();
      box(ctx, 554, 78, 12, 24, '#3a2a10', { radius: 5 });
      text(ctx, 'AS THEY ARE', 720, 38, { size: 22, color: '#3a2a10' });
      text(ctx, 'NOT AS I SHOW THEM', 735, 70, { size: 20, color: '#3a2a10' });
    }, () => 'The plate shows a looking-glass, and the words: as they are, not as I show them.'),
    table_wardrobe: tableOf('wardrobe', 'Wardrobe', 'dressing', '#a5604f', 'candles', (ctx) => {
      for (let i = 0; i < 3; i++) {
        box(ctx, 560 + i * 70, 76 - i * 18, 30, 18 + i * 18, '#f6ecd2', { edge: '#3a2a10', line: 3 });
        box(ctx, 573 + i * 70, 66 - i * 18, 4, 10, '#3a2a10');
      }
    }, () => 'The plate shows three candles, from the shortest on the left to the tallest on the right.'),
    table_clock: tableOf('clock', 'Tall clock', 'stairs', '#4f6a5a', 'sundial', (ctx, s) => {
      s.data.hours.forEach((/** @type {number} */ h, /** @type {number} */ i) => text(ctx, HOURS[h], 520 + i * 120, 56, { size: 44, color: '#3a2a10' }));
      for (const x of [580, 700]) text(ctx, '→', x, 54, { size: 34, color: '#3a2a10' });
    }, (s) => `The plate shows three hours, one after the other: ${s.data.hours.map((/** @type {number} */ h) => HOURS[h]).join(', ')}.`),
    table_gate: mirrorTable({
      id: 'gate', name: 'Front door', back: 'foyer', wood: '#1f5a5a', more: [1, 2, 3, 4].map(ring), pull: leave,
      shut: (s, what) => !what.startsWith('ring') || s.flags[what],
      plate(ctx) {
        for (let i = 0; i < 4; i++) {
          ctx.beginPath();
          ctx.arc(520 + i * 80, 54, 26, 0, 7);
          ctx.strokeStyle = '#3a2a10';
          ctx.lineWidth = 7;
          ctx.stroke();
        }
      },
      tell: (s) => `The plate shows four rings. On the table: ${[1, 2, 3, 4].map((n) => `ring ${n} ${s.flags[`ring ${n}`] ? 'has a glass' : 'is empty'}`).join(', ')}.`,
    }),
    ...Object.fromEntries(Object.entries(SMALL).map(([id, c]) => [id, closeUp(c)])),
  },
});

