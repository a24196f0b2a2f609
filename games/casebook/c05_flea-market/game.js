// @ts-check
/** The Saturday Market: forty things on a stall, twelve of them wanted, and some are wanted in riddles. */

import { clue, defineAdventure, drop, finish, give, say, used } from '../adventure/adventure.js';
import { icon } from '../adventure/icons.js';
import { stream } from '../../kit/random.js';
import { draw, LOOK, SORRY, trayAt } from './look.js';
import { COLORS, PLACES, THINGS } from './things.js';

/** @typedef {any} S */
const WANTED = 12;
/** Of the wanted things so many are asked for in a riddle. */
const RIDDLES = 4;
/** So many wrong things in a row, and the stallkeeper wants a word before she goes on. */
const PATIENCE = 3;

/** @param {any} options @param {any} rng */
function setup(options, rng) {
  const r = stream(options.case === undefined ? rng : { seed: `market ${options.case}`, streams: {} }, 'stall');
  const names = r.shuffle(Object.keys(THINGS));
  const things = PLACES.map(([x, y], i) => ({
    id: names[i], x: x + r.int(-16, 16), y: y + r.int(-12, 12), turn: r.int(-5, 5) / 10, size: r.int(85, 125) / 100, color: r.pick(COLORS),
  }));
  const wanted = r.shuffle(things).slice(0, WANTED).map((t) => t.id);
  const where = Object.fromEntries(wanted.map((id, i) => [`card_${i + 1}`, whereabouts(names.indexOf(id))]));
  return { things, where, cards: wanted.map((id, i) => ({ id, text: i % 3 === 1 && i < 3 * RIDDLES ? THINGS[id].riddle : THINGS[id].name })) };
}

/** Where a place of the stall is, in words. @param {number} place its number, eight on a shelf */
function whereabouts(place) {
  const shelf = ['top', 'second', 'third', 'fourth', 'lowest'][Math.floor(place / 8)];
  const part = ['left end', 'left half', 'middle', 'right half', 'right end'][[0, 1, 1, 2, 2, 3, 3, 4][place % 8]];
  return `look on the ${shelf} shelf, in its ${part}.`;
}

/** @param {S} s @param {string} id */
const found = (s, id) => s.vars.found.includes(id);

/** Takes a thing up; what was in the hand goes back to its place. @param {string} id */
const pick = (id) => (/** @type {S} */ s) => {
  for (const other of [...s.items]) drop(s, other);
  give(s, id);
  s.held = id;
  say(s, `In your hand: ${THINGS[id].name}. Which card asks for it?`);
};

/** What is let go beside the cards goes back to its place. @param {S} s @param {string} thing */
function putBack(s, thing) {
  drop(s, thing);
  say(s, `You put the ${THINGS[thing].name} back where it was.`);
}

/** @param {S} s @param {string} card @param {string} thing */
function lay(s, card, thing) {
  drop(s, thing);
  if (card !== thing) {
    s.vars.wrong += 1;
    const enough = s.vars.wrong >= PATIENCE ? ' She folds her arms: that was the third in a row. Say sorry.' : '';
    return say(s, `“No, no,” says the stallkeeper, and puts the ${THINGS[thing].name} back where it was.${enough}`);
  }
  s.vars.wrong = 0;
  s.vars.found.push(thing);
  used(s, `card_${s.data.cards.findIndex((/** @type {any} */ c) => c.id === card) + 1}`);
  const left = WANTED - s.vars.found.length;
  say(s, left ? `Sold! The ${THINGS[thing].name} goes into the basket. ${left} to find.` : 'Sold, the last one!');
  if (!left) finish(s, 'win', 'All twelve are in the basket. The stallkeeper throws in the string.');
}

defineAdventure({
  id: 'c05_flea-market',
  title: 'The Saturday Market',
  start: 'stall',
  look: LOOK,
  quiet: true,
  intro: 'Aunt Odile has sent you for twelve things. Take each from the stall, and lay it on the tray of the card that asks for it.',
  vars: { found: [], wrong: 0 },
  setup,
  clues: Array.from({ length: WANTED }, (_, i) => `card_${i + 1}`),
  milestones: Object.fromEntries(
    Array.from({ length: WANTED }, (_, i) => [`found_${i + 1}`, (/** @type {S} */ s) => found(s, s.data.cards[i].id)]),
  ),
  items: Object.fromEntries(
    Object.entries(THINGS).map(([id, t]) => [
      id,
      { name: t.name, look: `The ${t.name}. Which card asks for it?`, icon: (/** @type {CanvasRenderingContext2D} */ ctx) => icon(ctx, id, '#d9a520') },
    ]),
  ),
  scenes: {
    stall: {
      name: 'At the stall',
      draw,
      enter: (s) => s.data.cards.forEach((/** @type {any} */ _, /** @type {number} */ i) => clue(s, `card_${i + 1}`)),
      tell: (s) => (s.vars.wrong < PATIENCE
        ? 'On the left a stall full of things, on the right twelve cards.'
        : 'The stallkeeper has folded her arms before the stall; there is nothing for you until you say sorry.'),
      spots: (s) => [
        { id: 'stall', name: 'empty place on the stall', at: [0, 0, 880, 524], look: 'Nothing stands here.', use: { any: putBack } },
        ...s.data.things
          .filter((/** @type {any} */ t) => s.vars.wrong < PATIENCE && !found(s, t.id) && !s.items.includes(t.id))
          .map((/** @type {any} */ t) => ({ id: t.id, name: THINGS[t.id].name, at: [t.x - 33, t.y - 33, 66, 66], act: pick(t.id), use: { any: pick(t.id) } })),
        ...s.data.cards.map((/** @type {any} */ c, /** @type {number} */ i) => ({
          id: `card_${i + 1}`,
          name: `tray of the card “${c.text}”`,
          at: trayAt(i),
          when: () => !found(s, c.id),
          look: 'First take what it asks for from the stall.',
          use: { any: (/** @type {S} */ at, /** @type {string} */ item) => lay(at, c.id, item) },
        })),
        {
          id: 'sorry', name: 'say sorry', at: SORRY, when: () => s.vars.wrong >= PATIENCE,
          act(/** @type {S} */ now) {
            now.vars.wrong = 0;
            say(now, '“All right,” says the stallkeeper. “One reads the card, and then one looks.”');
          },
        },
      ],
    },
  },
});
