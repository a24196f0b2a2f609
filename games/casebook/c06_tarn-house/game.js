// @ts-check
/** Tarn House: a locked house at night, eight things that open one another, and the door to the road. */

import { clue, defineAdventure, drop, finish, give, go, has, say, used } from '../adventure/adventure.js';
import { closeUp } from '../adventure/adventure-closeups.js';
import { dialLock } from '../adventure/adventure-locks.js';
import { see, way } from '../adventure/adventure-parts.js';
import { box } from '../../kit/draw.js';
import { clock, down } from '../adventure/props.js';
import { bottles, CLUE_AT, draws, ITEM, lockPicture, LOOK, seascape } from './look.js';
import { makeCase } from './case.js';

/** @typedef {any} S */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */

/** @type {Record<string, string>} */
const NAMES = { key_front: 'white key', crowbar: 'crowbar', hook: 'brass hook', lantern: 'lantern' };
const nameOf = (/** @type {S} */ s, /** @type {string} */ id) => NAMES[id] ?? `key with a ${s.data.shapes[id]}`;

/** Something locked that a thing opens. @param {string} flag @param {string} opener @param {string} done @returns {Record<string, (s: S) => void>} */
const opens = (flag, opener, done) => ({
  [opener]: (s) => {
    s.flags[flag] = true;
    if (s.clues[flag]) used(s, flag);
    say(s, done);
    drop(s, opener);
  },
});

/** What lies in something that is open. @param {string} where @param {number[]} at @param {(s: S) => boolean} [when] @returns {Spot} */
const content = (where, at, when) => ({
  id: `in_${where}`,
  name: (s) => nameOf(s, s.data.holds[where]),
  at,
  when: (s) => (when ? when(s) : s.flags[where]) && !s.flags[`took_in_${where}`],
  act(s) {
    give(s, s.data.holds[where]);
    s.flags[`took_in_${where}`] = true;
    say(s, `You take the ${nameOf(s, s.data.holds[where])}.`);
  },
});

/** Something with a plate that a key must fit. @param {string} flag @param {string} name @param {number[]} at @param {string} key @param {string} done @returns {Spot} */
const keyed = (flag, name, at, key, done) => ({
  id: flag,
  name,
  at,
  when: (s) => !s.flags[flag],
  look(s) {
    if (s.clues[flag]) clue(s, flag);
    return `Locked. The plate around the keyhole has a ${s.data.shapes[key]} on it.`;
  },
  use: { ...opens(flag, key, done), any: (s) => say(s, 'It does not fit this lock.') },
  tell: (s) => `locked, its plate shows a ${s.data.shapes[key]}`,
});

/** @type {Record<string, string>} */
const CLUE_NAMES = { clock: 'stopped clock', picture: 'picture of a bay', bottles: 'three bottles' };
/** @type {Record<string, (s: S) => string>} */
const CLUE_TELLS = {
  clock: (s) => `it has stopped at ${s.data.clock.hour}:${String(s.data.clock.minute).padStart(2, '0')}`,
  picture: (s) => `it shows ${s.data.counts.bird} birds, ${s.data.counts.boat} boats and ${s.data.counts.house} houses`,
  bottles: (s) => `green with label ${s.data.labels.green}, blue with label ${s.data.labels.blue}, red with label ${s.data.labels.red}`,
};
/** The clues that hang in a room, to be looked at closely. @param {string} room @returns {Spot[]} */
const cluesIn = (room) =>
  Object.keys(CLUE_NAMES).map((kind) => ({
    id: `clue_${kind}`, name: CLUE_NAMES[kind], at: CLUE_AT[room], when: (/** @type {S} */ s) => s.data.where[kind] === room,
    go: `near_${kind}`, tell: (/** @type {S} */ s) => CLUE_TELLS[kind](s),
  }));

/** @param {string} kind @param {string} wall @param {(ctx: CanvasRenderingContext2D, s: S) => void} draw @param {string} words @returns {import('../adventure/adventure.js').Scene} */
const near = (kind, wall, draw, words) => ({
  name: CLUE_NAMES[kind],
  spots: [{ id: 'leave', name: 'Step back into the room', at: [20, 440, 200, 70], act: (s) => go(s, s.data.where[kind]) }],
  tell: (s) => CLUE_TELLS[kind](s),
  enter(s) {
    clue(s, kind);
    say(s, words);
  },
  draw(ctx, s) {
    box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, wall, '#1c1522'));
    draw(ctx, s);
    box(ctx, 20, 440, 200, 70, '#f0b455', { radius: 16 });
    ctx.font = 'bold 24px sans-serif';
    ctx.fillStyle = '#1c1522';
    ctx.textAlign = 'center';
    ctx.fillText('Step back', 120, 483);
  },
});

/** @param {string} lock @param {string} name @param {string} back @param {string} wall @param {string} metal */
const codeLock = (lock, name, back, wall, metal) =>
  dialLock({
    id: lock, name, back, count: 3, symbols: [...'0123456789'], metal,
    picture: lockPicture(lock, wall),
    tell: (s) => `Above the dials a plate shows ${
      { clock: 'a clock face without hands', picture: `in this order: ${s.data.order.join(', ')}`, bottles: `bottles, from left to right ${s.data.colors.join(', ')}` }[/** @type {string} */ (s.data.kinds[lock])]
    }.`,
    solved: (s, shown) => shown.join('') === s.data.codes[lock],
    open(s) {
      s.flags[lock] = true;
      used(s, s.data.kinds[lock]);
      go(s, back);
      say(s, `A click, and the ${name} swings open.`);
    },
  });
/** @param {string} lock @param {string} name @param {number[]} at @returns {Spot} */
const coded = (lock, name, at) => ({
  id: lock, name, at, when: (s) => !s.flags[lock], go: `lock_${lock}`, tell: 'shut by three dials with digits',
});

/** Drawers and shelves full of small things: nobody needs them, and he kept them all. */
const SMALL = {
  in_books: closeUp({
    name: 'Bookshelves', back: 'study', wood: '#6b4430', cloth: '#2c3f39',
    things: [
      { id: 'book1', name: 'Escapements', icon: 'book', color: '#8c3b46', look: 'Four hundred pages on why clocks do not run away.' },
      { id: 'book2', name: 'Sea Birds', icon: 'book', color: '#37506b', look: '“Count them twice,” it says in the margin. “They do not sit still for a painter.”' },
      { id: 'book3', name: 'The Bay', icon: 'book', color: '#4d6b45', look: 'A guide for visitors. Boats, houses and gulls, in that order of interest.' },
      { id: 'book4', name: 'Doors', icon: 'book', color: '#b98a3a', look: '“Doors I Have Left By”, in two volumes. The second is missing.' },
      { id: 'book5', name: 'Cordials', icon: 'book', color: '#6a4a7c', look: 'Recipes by number: red, green and blue, each better than its neighbour.' },
      { id: 'book6', name: 'Night Sky', icon: 'book', color: '#24365c', look: 'Sun, moon and star are drawn on the cover, and a pressed leaf marks the page.' },
      { id: 'book7', name: 'Etiquette', icon: 'book', color: '#a5562c', look: '“A guest leaves through the front door.” You would love to.' },
      { id: 'book8', name: 'Ledger', icon: 'book', color: '#5a5f66', look: 'Sold: nine clocks. Given away: forty. Kept: the key to the house, in the highest place.' },
    ],
  }),
  in_left: closeUp({
    name: 'Left drawer', back: 'study', wood: '#6b4430', cloth: '#4a2f22',
    things: [
      { id: 'nibs', name: 'feather', icon: 'feather', color: '#e8e2d0', look: 'A goose has contributed to science.' },
      { id: 'lens', name: 'lens', icon: 'lens', color: '#c9a04a', look: 'Through it your thumb looks like a map of the moors.' },
      { id: 'ticket', name: 'ticket', icon: 'ticket', color: '#d8c58c', look: 'A ticket to the coast, never used. The train was four minutes late, so he went home.' },
      { id: 'comb', name: 'comb', icon: 'comb', color: '#7a4a28', look: 'Three teeth left, like its owner in the portrait.' },
    ],
  }),
  in_shelf: closeUp({
    name: 'Shelf under the table', back: 'kitchen', wood: '#9b6c45', cloth: '#54402f',
    things: [
      { id: 'spoon', name: 'spoon', icon: 'spoon', color: '#c8cdd3', look: 'One spoon. He had thought about guests, and decided against them.' },
      { id: 'fish', name: 'tin fish', icon: 'fish', color: '#7f9bb0', look: 'A mould for puddings. Salmon, one hopes, only in shape.' },
      { id: 'matches', name: 'matchbox', icon: 'match', color: '#c2603a', look: 'Empty. Every match has been struck, and put back in order.' },
      { id: 'candle', name: 'candle end', icon: 'candle', color: '#efe2c0', look: 'A finger’s breadth of wax without a wick. It gives no light any more.' },
      { id: 'pear', name: 'pear', icon: 'pear', color: '#a8b446', look: 'Also wax. There is a pattern here.' },
    ],
  }),
  in_wardrobe: closeUp({
    name: 'Wardrobe', back: 'bedroom', wood: '#75503a', cloth: '#343c58',
    things: [
      { id: 'hat', name: 'top hat', icon: 'hat', color: '#2b2b33', look: 'For funerals of clocks.' },
      { id: 'shoes', name: 'left shoe', icon: 'shoe', color: '#6b4430', look: 'The right one must be where he is.' },
      { id: 'flower', name: 'Sunday flower', icon: 'flower', color: '#d06a8a', look: 'Paper, and carefully dusted.' },
      { id: 'gloves', name: 'ball of yarn', icon: 'yarn', color: '#a53b47', look: 'It was going to be a glove.' },
      { id: 'medal', name: 'medal', icon: 'star', color: '#d9a520', look: '“For Punctuality, Second Class.” It came a week late.' },
    ],
  }),
  in_parts: closeUp({
    name: 'Spare parts', back: 'workshop', wood: '#7a6a58', cloth: '#39424a',
    things: [
      { id: 'wheel', name: 'big wheel', icon: 'gear', color: '#c9a04a', look: 'From the church clock. They still look for it.' },
      { id: 'magnet', name: 'magnet', icon: 'magnet', color: '#c2332b', look: 'It is very attached to the box.' },
      { id: 'fuse', name: 'fuse', icon: 'fuse', color: '#b5663a', look: 'Blown. The house has been on oil and candles since.' },
      { id: 'oilcan', name: 'oil can', icon: 'oil', color: '#5d7a6a', look: 'Dry. Somebody has drunk to the health of all wheels.' },
    ],
  }),
};

/** In the dark attic only the ladder can be found. */
const lit = (/** @type {S} */ s) => s.flags.lit;
/** @type {Spot[]} */
const ATTIC = [
  way('to_bedroom', 'ladder down', [60, 466, 270, 58], 'bedroom'),
  {
    id: 'dark', name: 'the dark', at: [380, 200, 520, 260], when: (s) => !lit(s), tell: 'too dark to see anything',
    look: (s) => 'Pitch dark. You hear the rafters creak, and do not dare to walk on without a light.',
    use: {
      lantern(s) {
        s.flags.lit = true;
        drop(s, 'lantern');
        say(s, 'You hang the lantern on a nail. The attic turns gold, and it is full of things.');
      },
    },
  },
  { ...keyed('trunk', 'green trunk', [520, 310, 250, 150], 'key_trunk', 'The trunk opens. Under the moth-eaten sails lies a white key.'), when: (s) => lit(s) && !s.flags.trunk },
  content('trunk', [560, 300, 170, 84]),
  ...[
    see('violin', 'violin', [350, 360, 90, 90], 'No strings. It has played its last waltz.'),
    see('duck', 'wooden duck', [910, 370, 80, 80], 'It looks as if it knew the way out, and would not tell.'),
    see('ghost', 'something under a sheet', [160, 250, 150, 200], 'A dressmaker’s dummy. You say good evening, to be on the safe side.'),
    see('boxes', 'tied box', [1060, 330, 130, 110], 'Letters, tied up with a ribbon. They are none of your business.'),
  ].map((spot) => ({ ...spot, when: lit })),
];

defineAdventure({
  id: 'c06_tarn-house',
  title: 'Tarn House',
  start: 'hall',
  look: LOOK,
  intro: 'The storm has slammed the front door of Tarn House behind you, and it will not open again. The clockmaker who lived here locked everything he owned. Find a way out.',
  refuse: ['That does not help here.', 'Nothing happens.', 'It was a nice idea.'],
  flags: {
    drawer: false, safe: false, pantry: false, chest: false, casket: false, workshop: false, cabinet: false, trapdoor: false, trunk: false,
    lit: false, front: false, took_in_bench: false,
  },
  setup: (options, rng) => makeCase(options.case ?? rng.seed),
  clues: ['clock', 'picture', 'bottles', 'drawer', 'chest', 'workshop', 'pantry', 'trapdoor', 'front'],
  milestones: {
    ...Object.fromEntries(['key_drawer', 'key_chest', 'key_workshop', 'key_trunk', 'crowbar', 'hook', 'lantern', 'key_front'].map((id) => [`found_${id}`, (/** @type {S} */ s) => has(s, id)])),
    escaped: (s) => s.flags.front,
  },
  items: Object.fromEntries(
    ['key_drawer', 'key_chest', 'key_workshop', 'key_trunk', 'crowbar', 'hook', 'lantern', 'key_front'].map((id) => [
      id,
      {
        name: (/** @type {S} */ s) => nameOf(s, id),
        look: (/** @type {S} */ s) => `In your hand: ${nameOf(s, id)}. What is it for?`,
        icon: (/** @type {CanvasRenderingContext2D} */ ctx) => ITEM[id](ctx),
      },
    ]),
  ),
  scenes: {
    hall: {
      name: 'Hall', draw: draws.hall, tell: 'A narrow hall with doors and a stair.',
      spots: [
        way('to_study', 'door to the study', [70, 110, 150, 280], 'study'),
        way('to_kitchen', 'door to the kitchen', [1060, 110, 150, 280], 'kitchen'),
        way('to_landing', 'stairs up', [800, 180, 190, 210], 'landing'),
        {
          id: 'front', name: 'front door', at: [300, 84, 200, 300],
          look: (s) => (clue(s, 'front'), 'Oak, and locked. Its lock is of white enamel.'),
          use: {
            key_front(s) {
              s.flags.front = true;
              used(s, 'front');
              finish(s, 'win', 'The lock turns, and the night air tastes of rain and freedom.');
            },
            any: (s) => (clue(s, 'front'), say(s, 'It does not fit. The lock is of white enamel, and wants its own key.')),
          },
        },
        ...cluesIn('hall'),
        see('letters', 'letter', [574, 246, 76, 58], '“Dear Sir, your clocks are never wrong. That is why nobody in the valley believes them.”'),
        see('bell', 'little bell', [650, 242, 66, 62], 'You ring. Nobody comes, though a stair creaks politely.'),
        see('stand', 'umbrella stand', [240, 250, 54, 142], 'One red umbrella. It is raining so hard that it would not help.'),
        see('table', 'hall table', [566, 310, 160, 80], 'A plain little table, without a drawer.'),
      ],
    },
    study: {
      name: 'Study', back: 'hall', draw: draws.study, tell: 'Books up to the ceiling, a desk with two drawers, a safe in the wall.',
      spots: [
        ...cluesIn('study'),
        keyed('drawer', 'right drawer', [570, 348, 152, 58], 'key_drawer', 'The drawer slides open.'),
        content('drawer', [590, 380, 120, 80]),
        way('left', 'left drawer', [410, 348, 152, 58], 'in_left'),
        see('desk', 'book on the desk', [520, 286, 84, 54], '“What is shown stays shown,” he wrote. “I never forget a number, for I hang it on the wall.”'),
        coded('safe', 'wall safe', [1010, 96, 160, 170]),
        content('safe', [1030, 120, 120, 130]),
        way('books', 'bookshelves', [40, 60, 280, 320], 'in_books'),
        see('window', 'window', [420, 80, 150, 190], 'Barred. The moon looks in like a neighbour.'),
        see('globe', 'globe', [760, 260, 84, 60], 'The known world, with a coffee ring on it where Tarn House should be.'),
        see('chair', 'armchair', [960, 310, 190, 150], 'You sit for a moment. No, you really ought to get out of here.'),
      ],
    },
    kitchen: {
      name: 'Kitchen', back: 'hall', draw: draws.kitchen, tell: 'A stove, a table laid for one, a tall pantry.',
      spots: [
        ...cluesIn('kitchen'),
        {
          id: 'pantry', name: 'pantry', at: [60, 80, 190, 320], when: (s) => !s.flags.pantry, tell: 'a board is nailed across its doors',
          look: (s) => (clue(s, 'pantry'), 'A board is nailed across both doors. It wants a lever, and somebody angry at the other end.'),
          use: opens('pantry', 'crowbar', 'The nails shriek. The board is off, and the pantry is open.'),
        },
        content('pantry', [94, 270, 120, 100]),
        see('stove', 'stove', [310, 240, 190, 160], 'Cold for a week.'),
        see('teapot', 'teapot', [330, 184, 76, 58], 'Still half full. You leave it at that.'),
        see('table', 'kitchen table', [560, 326, 300, 60], 'Laid for one: he expected nobody.'),
        see('apple', 'apple', [584, 276, 72, 56], 'Wax. You find out the hard way.'),
        see('cup', 'cup', [662, 276, 76, 56], 'It says: WORLD’S MOST PUNCTUAL UNCLE.'),
        see('knife', 'bread knife', [750, 276, 84, 56], 'Too soft for nails, too thick for locks. It is good at bread.'),
        see('sink', 'sink', [1010, 236, 116, 154], 'It drips, exactly once a second.'),
        way('shelf', 'shelf under the table', [580, 400, 260, 56], 'in_shelf'),
        see('window', 'kitchen window', [860, 70, 150, 150], 'Rain, and beyond it more rain.'),
        way('to_hall', 'doorway to the hall', [1150, 130, 110, 252], 'hall'),
      ],
    },
    landing: {
      name: 'Landing', draw: draws.landing, tell: 'Two doors, and the stairs down.',
      spots: [
        way('to_bedroom', 'door to the bedroom', [160, 100, 160, 290], 'bedroom'),
        keyed('workshop', 'door to the workshop', [930, 100, 170, 290], 'key_workshop', 'The door to the workshop is open.'),
        { ...way('to_workshop', 'open door to the workshop', [930, 100, 170, 290], 'workshop'), when: (s) => s.flags.workshop },
        way('to_hall', 'stairs down', [520, 464, 240, 60], 'hall'),
        see('map', 'picture of a mountain', [550, 80, 180, 150], 'The mountain behind the house. On its back: “Too slow.”'),
        see('plant', 'plant', [380, 290, 110, 130], 'It needs water, and somebody to talk to.'),
      ],
    },
    bedroom: {
      name: 'Bedroom', back: 'landing', draw: draws.bedroom, tell: 'A bed, a wardrobe, a chest, a casket on a table, and a trapdoor in the ceiling.',
      spots: [
        keyed('chest', 'chest', [600, 380, 190, 110], 'key_chest', 'The chest opens with a smell of camphor.'),
        content('chest', [640, 370, 120, 80]),
        coded('casket', 'red casket', [1000, 256, 112, 66]),
        content('casket', [1000, 230, 112, 90]),
        {
          id: 'trapdoor', name: 'trapdoor', at: [196, 0, 230, 84], when: (s) => !s.flags.trapdoor, tell: 'high in the ceiling, with a ring in it',
          look: (s) => (clue(s, 'trapdoor'), 'A trapdoor with an iron ring, too high to reach. Something long with a bend at its end would do.'),
          use: opens('trapdoor', 'hook', 'The hook catches the ring, and a ladder rattles down.'),
        },
        { ...way('to_attic', 'ladder to the attic', [250, 0, 130, 240], 'attic'), when: (s) => s.flags.trapdoor },
        see('bed', 'bed', [60, 260, 390, 180], 'Made so neatly that you could set your watch by it.'),
        see('lamp', 'bedside lamp', [494, 264, 80, 70], 'It lights the page of a book: “Chapter one. It was late.”'),
        see('night', 'night table', [480, 336, 110, 84], 'Spectacles, and a glass for teeth.'),
        see('window', 'bedroom window', [560, 80, 140, 170], 'A long way down into the nettles.'),
        way('wardrobe', 'wardrobe', [760, 130, 170, 250], 'in_wardrobe'),
        see('uncle', 'portrait', [980, 60, 150, 130], 'The clockmaker. He looks at something behind you.'),
        way('to_landing', 'doorway to the landing', [1170, 130, 100, 252], 'landing'),
      ],
    },
    workshop: {
      name: 'Workshop', back: 'landing', draw: draws.workshop, tell: 'Tools and wheels everywhere.',
      spots: [
        ...cluesIn('workshop'),
        content('bench', [530, 240, 100, 90], (s) => !s.flags.took_in_bench),
        coded('cabinet', 'steel cabinet', [830, 130, 190, 270]),
        content('cabinet', [865, 280, 120, 100]),
        see('tools', 'tools on the wall', [370, 80, 340, 120], 'Each hangs in its own outline. Two outlines are empty: a crowbar’s and a hook’s.'),
        see('gears', 'gear wheel', [350, 254, 80, 76], 'Ninety-one teeth. Somebody has counted, and written it down.'),
        see('hammer', 'hammer', [434, 254, 76, 76], 'Its head comes off when you lift it. You put it back as it was.'),
        see('watch', 'pocket watch', [650, 254, 80, 76], 'It runs, an hour late.'),
        way('parts', 'box of spare parts', [60, 300, 200, 90], 'in_parts'),
        way('to_landing', 'doorway to the landing', [1110, 130, 120, 252], 'landing'),
      ],
    },
    attic: {
      name: 'Attic', draw: draws.attic, spots: ATTIC, tell: (s) => (lit(s) ? 'Lit by the lantern.' : 'Dark but for a round window.'),
    },
    near_clock: near('clock', '#5d4574', (ctx, s) => clock(ctx, 640, 262, 210, s.data.clock.hour, s.data.clock.minute), 'It has stopped. The hands stand quite still.'),
    near_picture: near('picture', '#3f5a52', (ctx, s) => seascape(ctx, s, 280, 40, 780, 440), '“The Bay”, by the clockmaker himself. He has painted every bird, boat and house with great care.'),
    near_bottles: near('bottles', '#b98b62', (ctx, s) => bottles(ctx, s, 330, 90, 4), 'Three bottles of coloured glass, each with a number on its label.'),
    ...SMALL,
    lock_safe: codeLock('safe', 'wall safe', 'study', '#3f5a52', '#6d7a83'),
    lock_casket: codeLock('casket', 'red casket', 'bedroom', '#8a2f4e', '#c79b4a'),
    lock_cabinet: codeLock('cabinet', 'steel cabinet', 'workshop', '#55606a', '#7a8791'),
  },
});
