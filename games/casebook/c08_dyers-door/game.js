// @ts-check
/** The Dyer's Door: five locks that ask for an order of colours, told by washing, cloths, plants, jars and a tune. */

import { clue, defineAdventure, drop, finish, give, go, say, used } from '../adventure/adventure.js';
import { closeUp } from '../adventure/adventure-closeups.js';
import { dialLock } from '../adventure/adventure-locks.js';
import { near, see, way } from '../adventure/adventure-parts.js';
import { box, text } from '../../kit/draw.js';
import { COLORS, LOCKS, makeCase, SHELVES } from './case.js';
import { banner, bellsWith, cloths, draws, jars, line, LOOK, loom, musicBox, plant, plate, sampler, spool, swatch } from './look.js';
import { SMALL } from './small.js';

/** @typedef {any} S */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */
/** @typedef {CanvasRenderingContext2D} Ctx */

const WALL = ['#f2e6cc', '#cbb48c'];


/** A lock, and the spool behind it. @param {string} lock @param {string} name @param {number[]} at @returns {Spot[]} */
const locked = (lock, name, at) => [
  { id: lock, name, at, when: (s) => !s.flags[lock], go: `lock_${lock}` },
  {
    id: `in_${lock}`, name: (s) => `${s.data.holds[lock]} spool`, at, when: (s) => s.flags[lock] && !s.flags[`took_in_${lock}`],
    act(s) {
      give(s, `spool_${s.data.holds[lock]}`);
      s.flags[`took_in_${lock}`] = true;
      say(s, `A spool of ${s.data.holds[lock]} thread. You take it.`);
    },
  },
];

/** @param {S} s @param {string} lock @param {string} seen @param {string} back */
function opened(s, lock, seen, back) {
  s.flags[lock] = true;
  used(s, seen);
  go(s, back);
  say(s, 'Something inside says “clack”, in a satisfied way, and it stands open.');
}

/** A lock with a coloured dial for each place. @param {string} lock @param {string} name @param {string} back @param {string} seen @param {string} wall
 * @param {number} count @param {(ctx: Ctx, s: S) => void} hint @param {import('../adventure/adventure.js').Words} tell */
const colorLock = (lock, name, back, seen, wall, count, hint, tell) =>
  dialLock({
    id: lock, name, back, count, symbols: COLORS, metal: '#a98a5a', tell,
    symbol: (ctx, what, x, y) => swatch(ctx, what, x - 44, y - 48, 88, 96),
    picture: plate(wall, hint),
    solved: (s, shown) => shown.join() === s.data.codes[lock].join(),
    open: (s) => opened(s, lock, seen, back),
  });

/** @param {S} s @param {string} color */
function ring(s, color) {
  s.vars.rung = [...s.vars.rung, color].slice(-5);
  say(s, `The ${color} bell: ding.`);
  if (s.vars.rung.join() === s.data.codes.bells.join()) opened(s, 'bells', 'song', 'store');
}

/** @param {S} s */
function crank(s) {
  s.vars.turn = (s.vars.turn + 1) % 6;
  if (s.vars.turn === 5) {
    clue(s, 'song');
    say(s, 'All flags go down. That was the tune; the next turn begins it again.');
  } else say(s, `Plink. Flag ${s.vars.turn + 1} springs up: it is ${s.data.song[s.vars.turn]}.`);
}

/** Where a spool is put; the loom has five pegs. @param {number} i @returns {Spot} */
const peg = (i) => ({
  id: `peg_${i + 1}`,
  name: `peg ${i + 1}`,
  at: [306 + i * 140, 120, 108, 170],
  look: (s) => (s.vars.pegs[i] ? `The ${s.vars.pegs[i]} thread runs into the loom from here.` : 'An empty peg, for a spool.'),
  tell: (s) => s.vars.pegs[i] ?? 'empty',
  use: {
    any(s, item) {
      if (s.vars.pegs[i]) return say(s, 'There is a spool on this peg already.');
      s.vars.pegs[i] = item.slice(6);
      drop(s, item);
      say(s, `You put the ${s.vars.pegs[i]} spool onto peg ${i + 1}.`);
    },
  },
});

/** @param {S} s */
function tread(s) {
  if (s.vars.pegs.includes(null)) return say(s, 'The loom yawns. It wants a spool on every peg.');
  if (s.vars.pegs.join() !== s.data.banner.join()) {
    for (const color of s.vars.pegs) give(s, `spool_${color}`);
    s.vars.pegs = [null, null, null, null, null];
    return say(s, 'The loom weaves a hand’s breadth, dislikes it, and gives you all the spools back.');
  }
  used(s, 'banner');
  s.flags.open = true;
  finish(s, 'win', 'The loom weaves its banner, bows aside, and the door is free.');
}

defineAdventure({
  id: 'c08_dyers-door',
  title: 'The Dyer’s Door',
  start: 'hall',
  look: LOOK,
  intro: 'You only wanted a yard of ribbon. But Madame Marrow is at the fair, and her loom has walked in front of the door. It moves for people who know their colours.',
  refuse: ['That would only stain.', 'That does not help here.'],
  flags: { open: false, ...Object.fromEntries(LOCKS.flatMap((l) => [[l, false], [`took_in_${l}`, false]])) },
  vars: { pegs: [null, null, null, null, null], rung: [], turn: 5 },
  setup: makeCase,
  clues: ['line', 'cloths', 'sampler', 'jars', 'song', 'banner'],
  milestones: { ...Object.fromEntries(LOCKS.map((l) => [`${l}_spool`, (/** @type {S} */ s) => s.flags[`took_in_${l}`]])), escaped: (s) => s.flags.open },
  items: Object.fromEntries(COLORS.map((c) => [`spool_${c}`, { name: `${c} spool`, look: `A spool of ${c} thread. It would like to be part of something.`, icon: (/** @type {Ctx} */ ctx) => spool(ctx, c) }])),
  scenes: {
    hall: {
      name: 'Hall', draw: draws.hall, tell: 'A bright hall. A loom stands in front of the way out.',
      spots: [
        way('loom', 'loom before the door', [480, 60, 320, 330], 'loom', 'five pegs and a treadle'),
        way('banner', 'banner', [324, 40, 116, 210], 'near_banner', 'five stripes'),
        way('to_vats', 'door to the vats', [40, 110, 112, 272], 'vats'),
        way('to_store', 'door to the store', [180, 110, 112, 272], 'store'),
        way('to_office', 'door to the office', [860, 110, 112, 272], 'office'),
        way('to_yard', 'door to the yard', [1000, 110, 112, 272], 'yard'),
        way('to_loft', 'ladder to the loft', [1150, 20, 100, 370], 'loft'),
        see('bench', 'bench', [316, 330, 130, 110], 'Customers wait here. One has scratched into the wood: “Mauve is a state of mind.”'),
        way('basket', 'work basket', [830, 410, 140, 90], 'in_basket'),
      ],
    },
    vats: {
      name: 'Vats', back: 'hall', draw: draws.vats, tell: 'Six steaming vats, a rack of jars, and a copper press.',
      spots: [
        way('jars', 'rack of jars', [50, 40, 330, 240], 'near_jars', 'two jars on each of four shelves'),
        ...locked('press', 'copper press with five dials', [900, 180, 240, 220]),
        see('vats', 'vats', [40, 330, 640, 160], 'Red, orange, yellow, green, blue, purple. They mutter to each other, and keep apart.'),
        see('pole', 'stirring pole', [740, 130, 70, 250], 'It has been in all the vats, and has come out brown.'),
        see('apron', 'apron', [1170, 110, 90, 170], 'It shows every dye of the last thirty years, in layers, like a cliff.'),
        see('window', 'steamed window', [460, 60, 200, 180], 'Somebody has drawn a cat into the steam. It is getting longer.'),
      ],
    },
    yard: {
      name: 'Yard', back: 'hall', draw: draws.yard, tell: 'A walled yard with a washing line, seen from the side of the house door.',
      spots: [
        way('line', 'washing line', [200, 50, 580, 200], 'near_line', 'five cloths hang on it'),
        ...locked('hutch', 'hutch with four dials', [900, 290, 230, 160]),
        see('pump', 'pump', [50, 240, 110, 200], 'It gives water, and an opinion: “Eek.”'),
        see('cat', 'cat', [540, 400, 110, 80], 'White, with one purple paw. It does not want to talk about it.'),
        see('bed', 'flower bed', [230, 400, 260, 96], 'Poppy, thistle, fern, tulip, clover, berry. What they look like and what they dye are two things.'),
        see('office_window', 'window of the office', [1000, 60, 170, 150], 'The office is on the far side of the line. From there, all this is the other way around.'),
      ],
    },
    store: {
      name: 'Store', back: 'hall', draw: draws.store, tell: 'Rolls of cloth, a cutting table, and a chest with six bells.',
      spots: [
        way('rolls', 'rolls of cloth', [40, 50, 300, 330], 'in_rolls'),
        way('cloths', 'cutting table', [420, 280, 340, 180], 'near_cloths', 'five cloths lie across each other'),
        ...locked('bells', 'chest with six bells', [880, 260, 240, 170]),
        see('dummy', 'tailor’s dummy', [440, 60, 110, 200], 'She has worn everything here, and liked none of it.'),
        see('scales', 'scales', [640, 170, 110, 90], 'An ounce of indigo on one side, a week’s wages on the other.'),
        see('moth', 'moth', [900, 70, 90, 90], 'It has a name, and it is on the payroll, says a note. So the others keep away.'),
      ],
    },
    office: {
      name: 'Office', back: 'hall', draw: draws.office, tell: 'A desk, an embroidered sampler, and a coffer. The window looks onto the yard.',
      spots: [
        way('sampler', 'sampler', [110, 50, 260, 220], 'near_sampler', 'six plants, embroidered'),
        ...locked('coffer', 'coffer with five dials', [800, 310, 240, 150]),
        way('desk', 'desk', [420, 296, 300, 174], 'in_desk'),
        see('portrait', 'portrait', [440, 60, 120, 160], 'Madame Marrow in grey. It is meant to be a joke.'),
        see('window', 'window', [640, 50, 200, 190], 'A tree has grown in front of it. One would see the back of the washing from here.'),
        see('chair', 'armchair', [1090, 280, 160, 180], 'Upholstered in leftovers. It is the finest thing in the house.'),
      ],
    },
    loft: {
      name: 'Loft', back: 'hall', draw: draws.loft, tell: 'Under the roof: a musical box, a cupboard, pigeons.',
      spots: [
        way('music_box', 'musical box', [310, 280, 200, 150], 'near_box', 'a crank and five little flags'),
        ...locked('cupboard', 'cupboard with four dials', [780, 140, 220, 250]),
        way('trunk', 'trunk', [70, 320, 190, 140], 'in_trunk'),
        see('pigeons', 'pigeons', [540, 60, 200, 110], 'Madame dyes their rings, so that each knows where it lives. They know anyway.'),
        see('round_window', 'round window', [1070, 70, 150, 150], 'The fair, far away. Even from here it looks badly dyed.'),
        see('wheel', 'spinning wheel', [580, 280, 150, 150], 'It turns by itself when nobody looks, judging by the dust that is not on it.'),
      ],
    },
    loom: {
      name: 'Loom', back: 'hall', draw: loom, tell: 'Five pegs for spools, from left to right, and a treadle. A strip of an old banner is still stuck in it.',
      spots: [...[0, 1, 2, 3, 4].map(peg), { id: 'treadle', name: 'treadle', at: [470, 420, 340, 84], act: tread }],
    },
    near_banner: near('banner', 'Banner', 'hall', WALL, (ctx, s) => banner(ctx, s, 440, 26, 400, 460), 'The banner of the house: five stripes, and the arrow of the guild that points down.', (s) => `Stripes from top to bottom: ${s.data.banner.join(', ')}.`),
    near_line: near('line', 'Washing line', 'yard', WALL, (ctx, s) => line(ctx, s, 120, 90, 1040, 300), 'Five cloths on the line, seen from the house. Beyond them, behind a tree, is the window of the office.', (s) => `From left to right, seen from here: ${s.data.line.join(', ')}.`),
    near_cloths: near('cloths', 'Cutting table', 'store', WALL, (ctx, s) => cloths(ctx, s, 640, 262, 1), 'Five cloths, laid on the table one after the other. What was laid later lies on top.', crossings),
    near_sampler: near('sampler', 'Sampler', 'office', WALL, (ctx, s) => sampler(ctx, s, 190, 30, 900, 440), 'Six plants, each embroidered with thread that was dyed with it.', (s) => `Each plant in the colour it gives: ${Object.entries(s.data.plants).map(([p, c]) => `${p} ${c}`).join(', ')}.`),
    near_jars: near('jars', 'Rack of jars', 'vats', WALL, (ctx, s) => jars(ctx, s, 290, 20, 700, 470), 'Two jars on each shelf, and an empty bowl between them for what they make together.', (s) => `Jars: ${SHELVES.map((n, i) => `shelf ${n}: ${s.data.jars[i].join(' and ')}`).join('; ')}.`),
    near_box: {
      name: 'Musical box', back: 'loft',
      tell: (s) => (s.vars.turn < 5 ? `Flag ${s.vars.turn + 1} of 5 is up; it is ${s.data.song[s.vars.turn]}.` : 'All five flags are down.'),
      spots: [{ id: 'crank', name: 'crank', at: [930, 240, 150, 140], act: crank }],
      draw: musicBox,
    },
    lock_coffer: colorLock('coffer', 'Coffer', 'office', 'line', '#5a7a6a', 5, (ctx) => {
      for (let i = 0; i < 5; i++) box(ctx, 470 + i * 70, 36, 50, 44, '#f6ecd2', { edge: '#3a2a14', line: 3 });
      box(ctx, 440, 30, 400, 5, '#3a2a14');
      text(ctx, 'SEEN FROM THIS WINDOW', 640, 94, { size: 18, color: '#3a2a14' });
    }, 'The plate shows five cloths on a line, and the words: seen from this window.'),
    lock_press: colorLock('press', 'Copper press', 'vats', 'cloths', '#8a5a4a', 5, (ctx) => {
      for (let i = 0; i < 5; i++) box(ctx, 460 + i * 72, 70 - i * 12, 64, 12, '#f6ecd2', { edge: '#3a2a14', line: 2 });
      text(ctx, 'FIRST LAID … LAST LAID', 640, 94, { size: 18, color: '#3a2a14' });
    }, 'The plate shows five cloths that pile up from left to right, and the words: first laid … last laid.'),
    lock_hutch: colorLock('hutch', 'Hutch', 'yard', 'sampler', '#6a8a5a', 4, (ctx, s) => {
      s.data.bed.forEach((/** @type {string} */ p, /** @type {number} */ i) => plant(ctx, p, 470 + i * 114, 56, 0.8, '#3a2a14'));
    }, (s) => `The plate shows four plants without colour: ${s.data.bed.join(', ')}.`),
    lock_cupboard: colorLock('cupboard', 'Cupboard', 'loft', 'jars', '#6a5a7a', 4, (ctx, s) => {
      s.data.ask.forEach((/** @type {number} */ n, /** @type {number} */ i) => {
        text(ctx, SHELVES[n], 415 + i * 150, 42, { size: 38, color: '#3a2a14' });
        text(ctx, '● + ● = ?', 415 + i * 150, 84, { size: 20, color: '#3a2a14' });
      });
    }, (s) => `The plate shows over the dials: ${s.data.ask.map((/** @type {number} */ n) => `${SHELVES[n]} (two drops make one)`).join(', ')}.`),
    lock_bells: {
      name: 'Chest with six bells', back: 'store',
      tell: (s) => `Six bells. A row of five lamps shows what was rung last: ${s.vars.rung.join(', ') || 'nothing'}. The plate shows a musical box.`,
      spots: COLORS.map((c, i) => ({ id: `ring_${c}`, name: `${c} bell`, at: [214 + i * 148, 210, 112, 150], act: (/** @type {S} */ s) => ring(s, c) })),
      draw: bellsWith,
    },
    ...Object.fromEntries(Object.entries(SMALL).map(([id, c]) => [id, closeUp(c)])),
  },
});

/** Which cloth lies over which, as far as it can be seen: each crosses each other one. @param {S} s */
function crossings(s) {
  const sorted = [...s.data.cloths].sort();
  const over = (/** @type {string} */ c) => sorted.filter((o) => s.data.cloths.indexOf(o) < s.data.cloths.indexOf(c));
  return sorted.map((c) => `${c} lies over ${over(c).join(', ') || 'none'}`).join('; ') + '.';
}
