// @ts-check
/** The Star Door: an observatory whose four locks are patterns that are seen elsewhere, turned, mirrored or ordered. */

import { defineAdventure, drop, finish, go, has, say, used } from '../adventure/adventure.js';
import { closeUp } from '../adventure/adventure-closeups.js';
import { dialLock } from '../adventure/adventure-locks.js';
import { near, see, way } from '../adventure/adventure-parts.js';
import { box, disc, polygon, text } from '../../kit/draw.js';
import { icon } from '../adventure/icons.js';
import { glow } from '../adventure/props.js';
import { ANIMALS, CRYSTALS, flipped, makeCase } from './case.js';
import { animal, draws, GEM, LOOK, moon, moons, pond, statues, tower, wallWith } from './look.js';
import { SMALL } from './small.js';

/** @typedef {any} S */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */
/** @typedef {CanvasRenderingContext2D} Ctx */

const WALL = ['#0b1038', '#2b3a78'];

const PHASES = ['new', 'thin, growing', 'half, growing', 'thick, growing', 'full', 'thick, shrinking', 'half, shrinking', 'thin, shrinking'];

/** A lock, and the crystal behind it. @param {string} color @param {string} name @param {number[]} at @returns {Spot[]} */
const locked = (color, name, at) => [
  { id: `lock_${color}`, name, at, when: (s) => !s.flags[`open_${color}`], go: `lock_${color}` },
  {
    id: `crystal_${color}`, name: `${color} crystal`, at, take: `crystal_${color}`, when: (s) => s.flags[`open_${color}`],
    look: `A ${color} crystal, cold as the night.`,
  },
];
/** Rows of nine in words. @param {boolean[]} cells @param {string} on @param {string} off */
const rows = (cells, on, off) => [0, 3, 6].map((i) => cells.slice(i, i + 3).map((c) => (c ? on : off)).join(' ')).join(' / ');

/** @param {S} s @param {string} color @param {string} seen @param {string} back */
function opened(s, color, seen, back) {
  s.flags[`open_${color}`] = true;
  used(s, seen);
  go(s, back);
  say(s, 'Something turns over inside, and the lock gives way.');
}

/** A lock of nine lamps: each goes on and off, then the lever. @param {string} color @param {string} name @param {string} back @param {string} wall
 * @param {(ctx: Ctx, s: S) => void} plate @param {string} told @param {string} seen @param {(s: S) => boolean[]} wanted @returns {import('../adventure/adventure.js').Scene} */
function lampLock(color, name, back, wall, plate, told, seen, wanted) {
  const at = (/** @type {number} */ i) => [482 + (i % 3) * 110, 124 + Math.floor(i / 3) * 98, 96, 88];
  const cells = (/** @type {S} */ s) => Array.from({ length: 9 }, (_, i) => !!s.dials[color]?.[i]);
  return {
    name,
    back,
    tell: (s) => `Nine lamps: ${rows(cells(s), 'on', 'off')}. ${told}`,
    spots: [
      ...Array.from({ length: 9 }, (_, i) => ({
        id: `lamp${i + 1}`,
        name: `lamp in row ${Math.floor(i / 3) + 1}, column ${(i % 3) + 1}`,
        at: at(i),
        act(/** @type {S} */ s) {
          s.dials[color] ??= Array(9).fill(0);
          s.dials[color][i] = 1 - s.dials[color][i];
        },
      })),
      {
        id: 'lever', name: 'lever', at: [900, 200, 130, 180],
        act: (s) => (cells(s).every((c, i) => c === wanted(s)[i]) ? opened(s, color, seen, back) : say(s, 'The lever sinks, and comes up again. That is not the pattern.')),
      },
    ],
    draw(ctx, s) {
      wallWith(wall, plate)(ctx, s);
      box(ctx, 460, 112, 350, 304, '#2a2e48', { radius: 18, edge: '#c9b46a', line: 5 });
      cells(s).forEach((lit, i) => {
        const [x, y, w, h] = at(i);
        if (lit) glow(ctx, x + w / 2, y + h / 2, 70, '255,230,140', 0.6);
        box(ctx, x, y, w, h, lit ? '#ffe08a' : '#14173a', { radius: 14, edge: '#8a90b8', line: 3 });
      });
      box(ctx, 940, 220, 50, 150, '#2a2e48', { radius: 20, edge: '#c9b46a', line: 4 });
      polygon(ctx, [[957, 300], [973, 300], [980, 226], [950, 226]], '#8a90b8');
      disc(ctx, 965, 222, 24, '#e0505f', '#4a1c24', 3);
      text(ctx, 'LEVER', 965, 398, { size: 20, color: '#eef0fa' });
    },
  };
}

/** @type {Spot} */
const STAR = {
  id: 'star_door', name: 'star door', at: [470, 30, 340, 350],
  look: 'A round door without a handle. Around its star are four sockets, with rims of red, blue, white and green.',
  tell: (s) => `sockets filled: ${CRYSTALS.filter((c) => s.flags[`placed_${c}`]).join(', ') || 'none'}`,
  use: Object.fromEntries(
    CRYSTALS.map((c) => [
      `crystal_${c}`,
      (/** @type {S} */ s) => {
        drop(s, `crystal_${c}`);
        s.flags[`placed_${c}`] = true;
        say(s, 'The crystal slips into its socket and begins to shine.');
        if (CRYSTALS.every((one) => s.flags[`placed_${one}`])) {
          s.flags.open = true;
          finish(s, 'win', 'The star turns, the door rolls aside, and it is morning.');
        }
      },
    ]),
  ),
};

defineAdventure({
  id: 'c07_star-door',
  title: 'The Star Door',
  start: 'rotunda',
  look: LOOK,
  intro: 'You came to see the comet, and now the observatory has closed its star door on you. Its builder trusted no keys. She trusted people who look twice.',
  refuse: ['That does not help here.', 'It does not belong there.'],
  flags: { open: false, ...Object.fromEntries(CRYSTALS.flatMap((c) => [[`open_${c}`, false], [`placed_${c}`, false]])) },
  setup: makeCase,
  clues: ['tower', 'pond', 'moons', 'statues'],
  milestones: { ...Object.fromEntries(CRYSTALS.map((c) => [`${c}_crystal`, (/** @type {S} */ s) => has(s, `crystal_${c}`)])), escaped: (s) => s.flags.open },
  items: Object.fromEntries(CRYSTALS.map((c) => [`crystal_${c}`, { name: `${c} crystal`, look: `The ${c} crystal. Light goes in, and takes its time to come out.`, icon: (/** @type {Ctx} */ ctx) => icon(ctx, 'gem', GEM[c]) }])),
  scenes: {
    rotunda: {
      name: 'Rotunda', draw: draws.rotunda, tell: 'A round hall. In the middle is the star door, which has no handle.',
      spots: [
        STAR,
        way('to_library', 'door to the library', [60, 90, 120, 292], 'library'),
        way('to_garden', 'door to the garden', [240, 90, 120, 292], 'garden'),
        way('to_gallery', 'door to the gallery', [910, 90, 120, 292], 'gallery'),
        way('to_dome', 'door to the dome', [1090, 90, 120, 292], 'dome'),
        way('to_cellar', 'steps to the cellar', [880, 470, 200, 54], 'cellar'),
        see('plant', 'plant', [370, 310, 100, 130], 'A night-flowering something. It waits, as you do.'),
        see('lamp', 'lamp', [380, 10, 80, 80], 'It hums on one note, which is a B.'),
      ],
    },
    library: {
      name: 'Library', back: 'rotunda', draw: draws.library, tell: 'Books, a window, and a cabinet without a keyhole.',
      spots: [
        { ...way('window', 'window', [470, 60, 250, 230], 'near_tower'), tell: 'a tower with nine windows stands across the valley' },
        ...locked('blue', 'cabinet with nine lamps', [830, 110, 200, 280]),
        way('books', 'bookshelves', [40, 50, 330, 330], 'in_books'),
        see('book', 'open book', [456, 310, 70, 64], '“All patterns are honest,” it says. “It is the water that lies.”'),
        see('globe', 'star globe', [556, 308, 70, 66], 'The stars are on the inside. You would have to be very small.'),
        see('chair', 'armchair', [1070, 290, 180, 160], 'Whoever sat here looked out of the window for a long time.'),
      ],
    },
    garden: {
      name: 'Garden', back: 'rotunda', draw: draws.garden, tell: 'A walled garden at night, with a pond, statues and a stone box.',
      spots: [
        { ...way('pond', 'pond', [200, 300, 260, 176], 'near_pond'), tell: 'lamps behind a wall shine in it' },
        { ...way('statues', 'statues', [580, 250, 390, 200], 'near_statues'), tell: 'four animals on pedestals of different heights' },
        ...locked('red', 'stone box with nine lamps', [1030, 330, 180, 140]),
        see('flowers', 'night flowers', [10, 380, 80, 80], 'They open for moths, and for nobody else.'),
        see('trees', 'trees', [380, 150, 180, 120], 'They have been clipped into the shapes of trees.'),
        see('night', 'night sky', [700, 10, 300, 110], 'The comet is up there. You would see it so much better from outside.'),
      ],
    },
    gallery: {
      name: 'Gallery', back: 'rotunda', draw: draws.gallery, tell: 'Paintings, a chest of drawers and a table.',
      spots: [
        { ...way('paintings', 'four paintings', [120, 70, 530, 190], 'near_moons'), tell: 'the moon, four times, numbered I, III, V and VII' },
        see('landscape', 'painting of the valley', [750, 70, 210, 160], '“The Valley”. The tower is not on it. It was built to be looked at, later.'),
        way('drawers', 'chest of drawers', [1020, 180, 170, 210], 'in_drawers'),
        see('mask', 'mask', [204, 310, 74, 64], 'For observing unobserved.'),
        see('horn', 'horn', [304, 312, 74, 64], 'To tell the valley that the sky is clear.'),
        see('plant', 'fern', [840, 320, 120, 130], 'It has unrolled one leaf since the founding.'),
      ],
    },
    dome: {
      name: 'Dome', back: 'rotunda', draw: draws.dome, tell: 'The telescope, and a model of the planets on a plinth.',
      spots: [
        ...locked('white', 'plinth with three moon dials', [650, 350, 220, 110]),
        see('model', 'model of the planets', [650, 230, 220, 110], 'It goes around by itself, and has never been late.'),
        see('telescope', 'telescope', [160, 160, 260, 180], 'You see an eye. It is yours.'),
        see('lens', 'lens', [990, 300, 80, 68], 'Ground by hand for eleven years. There is a thumbprint on it.'),
        see('notes', 'notes', [1080, 296, 80, 68], '“A painter may leave out a night. The sky never does.”'),
      ],
    },
    cellar: {
      name: 'Cellar', back: 'rotunda', draw: draws.cellar, tell: 'Barrels, bottles, and a green chest.',
      spots: [
        ...locked('green', 'green chest with four dials', [500, 280, 280, 170]),
        see('barrels', 'barrels', [76, 256, 320, 150], 'Lamp oil, lamp oil, and cider behind the lamp oil.'),
        see('bottles', 'bottles', [900, 84, 260, 80], 'Ink in five colours. The builder drew a great deal.'),
        see('mouse', 'mouse', [1020, 400, 90, 80], 'It looks from you to the chest and back, from the smallest to the tallest.'),
        see('ladder', 'rusty rack', [1180, 120, 90, 270], 'For telescopes that are asleep.'),
      ],
    },
    near_tower: near('tower', 'The tower across the valley', 'library', WALL, (ctx, s) => tower(ctx, s, 470, 130, 3), 'Some windows of the tower are lit. They do not change all night.', (s) => `Windows from the top row to the bottom: ${rows(s.data.tower, 'lit', 'dark')}.`),
    near_pond: near('pond', 'The pond', 'garden', WALL, (ctx, s) => pond(ctx, s, 640, 330, 2.6), 'A wall hides the lamps above the pond. Only the water shows them, and water shows things upside down.', (s) => `Lights in the water, from the far row to the near one: ${rows(s.data.pond, 'lit', 'dark')}.`),
    near_moons: near('moons', 'Four paintings', 'gallery', WALL, (ctx, s) => moons(ctx, s, 170, 120, 2), 'The moon over four nights. The nights between were not painted.', (s) => `The moons: ${['I', 'III', 'V', 'VII'].map((d, i) => `night ${d} ${PHASES[(s.data.moon + 2 * i) % 8]}`).join('; ')}.`),
    near_statues: near('statues', 'Four statues', 'garden', WALL, (ctx, s) => statues(ctx, s, 260, 490, 2.3), 'Four animals of stone, each on its own pedestal. Vanity, or an order?', (s) => `From left to right: ${s.data.stand.map((/** @type {number} */ r) => `${s.data.statues[r]} on a pedestal of height ${r + 1}`).join(', ')} (1 is the lowest).`),
    ...Object.fromEntries(Object.entries(SMALL).map(([id, c]) => [id, closeUp(c)])),
    lock_red: lampLock('red', 'Stone box', 'garden', '#3f5a5a', (ctx, s) => tower(ctx, { ...s, data: { tower: Array(9).fill(false) } }, 610, 42, 0.46), 'The plate shows a tower.', 'tower', (s) => s.data.tower),
    lock_blue: lampLock('blue', 'Cabinet', 'library', '#4a3f6a', (ctx) => {
      for (let i = 0; i < 9; i++) disc(ctx, 620 + (i % 3) * 20, 22 + Math.floor(i / 3) * 17, 7, '#2a2410');
      ctx.strokeStyle = '#2a4a86';
      ctx.lineWidth = 5;
      for (const y of [78, 92]) {
        ctx.beginPath();
        for (let x = 560; x < 720; x += 4) ctx.lineTo(x, y + Math.sin(x / 9) * 5);
        ctx.stroke();
      }
    }, 'The plate shows lamps above waves: set them as they hang, and not as the water shows them.', 'pond', (s) => flipped(s.data.pond)),
    lock_white: dialLock({
      id: 'white', name: 'Plinth', back: 'dome', count: 3, symbols: PHASES, metal: '#6a6f9c', handle: 'Press the plinth',
      symbol: (ctx, what, x, y) => moon(ctx, x, y, 44, PHASES.indexOf(what)),
      picture: wallWith('#2b3a78', (ctx) => ['II', 'IV', 'VI'].forEach((d, i) => text(ctx, d, 490 + i * 150, 58, { size: 48, color: '#2a2410' }))),
      tell: 'The plate above the dials shows the numbers II, IV, VI.',
      solved: (s, shown) => shown.every((p, i) => PHASES.indexOf(p) === (s.data.moon + 1 + 2 * i) % 8),
      open: (s) => opened(s, 'white', 'moons', 'dome'),
    }),
    lock_green: dialLock({
      id: 'green', name: 'Green chest', back: 'cellar', count: 4, symbols: ANIMALS, metal: '#4a7a68', handle: 'Lift the lid',
      symbol: (ctx, what, x, y) => animal(ctx, what, x, y, 1.15, '#2a3a4a'),
      picture: wallWith('#4a4a5c', (ctx) => [0, 1, 2, 3].forEach((i) => box(ctx, 448 + i * 120, 84 - i * 16, 56, 12 + i * 16, '#2a2410'))),
      tell: 'The plate above the dials shows four bars, from the lowest on the left to the tallest on the right.',
      solved: (s, shown) => shown.every((a, i) => a === s.data.statues[i]),
      open: (s) => opened(s, 'green', 'statues', 'cellar'),
    }),
  },
});

