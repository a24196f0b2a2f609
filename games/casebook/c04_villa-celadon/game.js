// @ts-check
/** Villa Celadon: eight steps from a dark house to a name; who sat where, and who ate what, are held together by memory. */

import { clue, defineAdventure, drop, finish, give, go, note, say, talk, used } from '../adventure/adventure.js';
import { closeUp } from '../adventure/adventure-closeups.js';
import { dialLock } from '../adventure/adventure-locks.js';
import { carried, near, see, way } from '../adventure/adventure-parts.js';
import { ALL, ALONG, GEMS, GUESTS, makeCase, SIDES, STANDS } from './case.js';
import { draws, FACES, LOOK } from './look.js';
import { blotter, gem, napkin, portraits, table } from './near.js';
import { CLOSE, NEEDED } from './small.js';
import { PEOPLE, talks } from './talks.js';

/** @typedef {any} S */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */

const WALL = ['#3f8a6c', '#163a30'];
/** What clings to fingers in the places where the fuse can lie. */
const TRACES = { in_stand: 'felt, as from a hat', in_drawer: 'flour', in_bench: 'rosin, as from a bow' };
const lit = (/** @type {S} */ s) => s.flags.lights;
const dark = (/** @type {S} */ s) => !s.flags.lights;

/** Somebody to talk to. @param {string} who @param {number[]} at @returns {Spot} */
const person = (who, at) => ({
  id: who, name: PEOPLE[who], at,
  act(s) {
    note(s, `At dinner: ${PEOPLE[who]}.`);
    s.flags[`met_${who}`] = true;
    talk(s, who);
  },
  use: { any: (s) => say(s, '“How kind. But it is not mine, and it does not go with me.”', PEOPLE[who]) },
});

/** The guests in a room, before what else is there. @param {string} room @param {Spot[]} spots @returns {(s: S) => Spot[]} */
const withGuests = (room, spots) => (s) => [
  ...GUESTS.filter((who) => s.data.stands[who].room === room).map((who) => {
    const [x, y] = STANDS[room][s.data.stands[who].place];
    return person(who, [x - 65, y - 250, 130, 250]);
  }),
  ...spots,
];

/** Names somebody before the company. @param {S} s @param {string} who */
function accuse(s, who) {
  for (const id of [...ALL.map((w) => `seat_${w}`), 'table', 'napkin']) if (s.clues[id].seen !== null) used(s, id);
  s.flags.solved = who === s.data.thief;
  if (s.flags.solved) finish(s, 'win', `${PEOPLE[who]} bows. The company applauds. It was a lovely party.`);
  else finish(s, 'fail', `${PEOPLE[who]} laughs, and with reason. Somebody else fetches a coat.`);
}

/** What stands at the seats, in words. @param {S} s */
const served = (s) => SIDES.map((side) => `${side} side, from the clock to the door: ${ALONG.map((a) => s.data.sweet[side][a]).join(', ')}`).join('; ');

const atTable = near('table', 'Dinner table', 'dining', WALL, table, 'The table as it was left, seen from above. Six seats, six sweets, and each has been eaten from.', (s) => `${served(s)}.`);
const found = near('napkin', 'Napkin', 'conservatory', WALL, napkin, '', (s) => `A napkin, stained with ${s.data.napkin}.`);

defineAdventure({
  id: 'c04_villa-celadon',
  title: 'Villa Celadon',
  start: 'hall',
  look: LOOK,
  notebook: 'Notebook',
  intro: 'Dinner at Villa Celadon: six people, six sweets, and at eleven the lights went out. When they had found the candles, Madame’s pearls were gone. Nobody has left the house. Find out who took them.',
  refuse: ['That does not help here.', 'A bold idea. The house pretends not to have seen it.'],
  flags: {
    ...Object.fromEntries(ALL.map((w) => [`met_${w}`, false])), lights: false, table: false, study: false, blotter: false, piano_key: false,
    conservatory: false, dry: false, pearls: false, solved: false,
  },
  setup: makeCase,
  clues: [...ALL.map((w) => `seat_${w}`), 'fusebox', 'study', 'portraits', 'winter', 'blotter', 'table', 'napkin'],
  milestones: {
    met_all: (s) => ALL.every((w) => s.flags[`met_${w}`]),
    lights: lit,
    table: (s) => s.flags.table,
    study: (s) => s.flags.study,
    blotter: (s) => s.flags.blotter,
    conservatory: (s) => s.flags.conservatory,
    pearls: (s) => s.flags.pearls,
    solved: (s) => s.flags.solved,
  },
  items: carried({
    fuse: ['fuse', 'fuse', '#c9a04a', 'A fuse. Without it a whole house tells ghost stories.'],
    mirror: ['hand mirror', 'lens', '#d8b45a', 'A hand mirror. You look tired, and slightly guilty.'],
    tap: ['tap key', 'crank', '#8fa8a0', 'It turns taps, and stops them.'],
    key: ['glass key', 'key', '#8fe0c0', 'A key of green glass. It must not fall, and knows it.'],
  }),
  people: Object.fromEntries(Object.entries(PEOPLE).map(([w, name]) => [w, { name, face: FACES[w] }])),
  talks: talks((s) => s.flags.pearls && s.flags.table, accuse),
  scenes: {
    hall: {
      name: 'Hall', draw: draws.hall, tell: (s) => `A green hall with a black and white floor, ${lit(s) ? 'brightly lit' : 'lit by candles'}.`,
      spots: [
        person('celadon', [560, 150, 140, 280]),
        way('to_dining', 'dining room', [40, 110, 120, 282], 'dining'),
        way('to_music', 'music room', [200, 110, 120, 282], 'music'),
        {
          id: 'study', name: (s) => (s.flags.study ? 'study' : 'locked study'), at: [360, 110, 120, 282], tell: (s) => (s.flags.study ? 'open' : 'shut by three dials'),
          act(s) {
            if (s.flags.study) return go(s, 'study');
            clue(s, 'study');
            go(s, 'lock_study');
          },
        },
        {
          id: 'winter', name: (s) => (s.flags.conservatory ? 'winter garden' : 'locked glass door'), at: [780, 90, 150, 302], tell: (s) => (s.flags.conservatory ? 'open' : 'locked, with a keyhole of green glass'),
          act(s) {
            if (s.flags.conservatory) return go(s, 'conservatory');
            clue(s, 'winter');
            say(s, 'The door to the winter garden is locked. Even its keyhole is of glass. Water can be heard behind it.');
          },
          use: {
            key(s) {
              drop(s, 'key');
              s.flags.conservatory = true;
              used(s, 'winter');
              say(s, 'The glass key rings like a small bell, and the door to the winter garden opens.');
            },
          },
        },
        way('to_terrace', 'terrace', [980, 110, 120, 282], 'terrace'),
        way('to_kitchen', 'stairs to the kitchen', [1140, 200, 120, 200], 'kitchen'),
        way('stand', 'hat stand', [500, 180, 56, 220], 'in_stand'),
        see('clock', 'little clock', [700, 230, 70, 90], 'It is modest about the time: it only says “late”.'),
        see('floor', 'floor', [400, 440, 480, 70], 'Black and white, forty by twelve. The black ones creak, say the family. The white ones listen.'),
      ],
    },
    dining: {
      name: 'Dining room', back: 'hall', draw: draws.dining,
      tell: (s) => (lit(s) ? 'A long table with six seats, three on the side of the window and three on the side of the fire; a clock at one end, the door at the other.' : 'One candle, and a long dark shape that must be the table.'),
      spots: withGuests('dining', [
        { ...way('near_table', 'dinner table', [300, 250, 640, 180], 'near_table', 'six sweets stand on it'), when: lit },
        { ...see('dark_table', 'something long and dark', [300, 250, 640, 180], 'The table. By one candle you cannot even tell the spoons from the guests’ stories. It wants proper light.'), when: dark },
        see('cushion', 'velvet cushion', [60, 260, 160, 150], 'A dent, round as a necklace, and no necklace.'),
        see('big_clock', 'tall clock', [40, 40, 110, 200], 'It struck eleven, and then the light went. It has not said a word since.'),
        see('window', 'window', [420, 40, 180, 170], 'The terrace, and people on it who look in to see who looks out.'),
        see('chandelier', 'chandelier', [640, 0, 220, 110], (s) => (lit(s) ? 'Three hundred drops, all of them pleased with themselves.' : 'It tinkles in the dark, as if it had a suspicion.')),
      ]),
    },
    music: {
      name: 'Music room', back: 'hall', draw: draws.music, tell: 'A grand piano, and three portraits above it.',
      spots: withGuests('music', [
        way('portraits', 'three portraits', [240, 30, 480, 170], 'near_portraits', 'three Celadons, each with a jewel'),
        {
          id: 'piano', name: 'grand piano', at: [260, 220, 400, 160],
          look: (s) => (s.flags.blotter && !s.flags.piano_key ? 'You lift the lid, as the letter says: between two strings hangs a key of green glass. You take it.' : 'A grand piano. One of its low notes only says “clink”, and nobody knows why.'),
          act(s) {
            if (!s.flags.blotter || s.flags.piano_key) return;
            s.flags.piano_key = true;
            used(s, 'blotter');
            give(s, 'key');
          },
        },
        way('bench', 'piano bench', [390, 400, 160, 90], 'in_bench'),
        see('harp', 'harp', [60, 120, 150, 300], 'A harp without strings. It is played at funerals of people whom nobody liked.'),
        see('curtain', 'curtain', [1130, 40, 130, 360], 'You look behind it. In this house one does.'),
        see('bust', 'bust', [760, 180, 120, 210], 'A composer. He has been given a moustache, in lipstick, by somebody with taste.'),
      ]),
    },
    kitchen: {
      name: 'Kitchen', back: 'hall', draw: draws.kitchen, tell: 'Copper pans, six empty moulds, and stairs to the cellar.',
      spots: withGuests('kitchen', [
        way('drawer', 'kitchen drawer', [300, 310, 260, 80], 'in_drawer'),
        way('to_cellar', 'cellar stairs', [1060, 150, 170, 260], 'cellar'),
        see('moulds', 'moulds', [290, 230, 290, 74], 'A swan, a star, a bell, a fish, a tower and a blob. The blob is by Otto himself.'),
        see('pans', 'copper pans', [290, 50, 380, 110], 'In each of them stands a small upside-down inspector.'),
        see('stove', 'stove', [60, 200, 200, 210], 'Still warm. It is the only one here with nothing to hide.'),
        see('cat', 'cat', [860, 400, 130, 90], 'It has cream on its whiskers, and an alibi.'),
      ]),
    },
    cellar: {
      name: 'Cellar', back: 'kitchen', draw: draws.cellar, tell: (s) => `Barrels, a shelf, and the fuse box of the house, which is ${lit(s) ? 'humming' : 'silent'}.`,
      spots: [
        {
          id: 'fusebox', name: 'fuse box', at: [560, 110, 200, 230], tell: (s) => (lit(s) ? 'complete' : 'one fuse is missing'),
          look(s) {
            if (lit(s)) return 'It hums, like somebody who has been right all along.';
            clue(s, 'fusebox');
            return `Somebody has unscrewed the main fuse, and taken it away. The dust shows two fingers, and a smear of ${/** @type {Record<string, string>} */ (TRACES)[s.data.lies.fuse]}.`;
          },
          use: {
            fuse(s) {
              drop(s, 'fuse');
              s.flags.lights = true;
              used(s, 'fusebox');
              say(s, 'A spark, a hum; and from upstairs comes a long “aah”, with a high A in it. The lights are on.');
            },
          },
        },
        way('shelf', 'shelf', [150, 140, 260, 200], 'in_shelf'),
        see('barrels', 'barrels', [860, 220, 300, 220], 'Claret, claret, and a barrel that coughs when you knock. You do not knock twice.'),
        see('web', 'cobweb', [1090, 20, 160, 120], 'Unbroken. Whoever came down here knew where to duck.'),
        see('footprints', 'footprints', [450, 420, 300, 90], 'Soft soles, to the fuse box and back. Half of the house wears soft soles tonight, out of fear of the floor.'),
      ],
    },
    terrace: {
      name: 'Terrace', back: 'hall', draw: draws.terrace, tell: 'A terrace at night, with lanterns over the park.',
      spots: withGuests('terrace', [
        see('moon', 'moon', [1050, 20, 130, 120], 'Full, and quite plainly enjoying the view.'),
        see('park', 'park', [30, 130, 260, 150], 'Nobody has crossed the lawn: the dew lies on it like a tablecloth.'),
        see('lanterns', 'paper lanterns', [470, 30, 290, 110], 'One is burnt out. It was the one over the good sofa.'),
        see('easel', 'easel', [930, 240, 130, 210], '“Terrace by Night”. It is black from edge to edge. There is a little owl in it, if one knows.'),
        see('peacock', 'peacock', [1090, 330, 160, 140], 'It screams when somebody walks past. It was asleep at eleven, and ashamed of it now.'),
      ]),
    },
    study: {
      name: 'Study', back: 'hall', draw: draws.study, tell: 'A desk with a blotter, books, a globe.',
      spots: [
        {
          id: 'blotter', name: 'blotter', at: [420, 268, 170, 72], tell: (s) => (s.flags.blotter ? 'read' : 'covered in backward writing'),
          act(s) {
            clue(s, 'blotter');
            go(s, 'near_blotter');
          },
          use: {
            mirror(s) {
              clue(s, 'blotter');
              s.flags.blotter = true;
              note(s, 'Blotter: “The glass key hangs where the low note clinks.”');
              go(s, 'near_blotter');
            },
          },
        },
        way('books', 'bookshelves', [60, 60, 240, 340], 'in_books'),
        see('desk', 'desk', [370, 350, 330, 110], 'Madame’s desk. Whoever wrote here tonight had no business to.'),
        see('globe', 'globe', [760, 280, 130, 170], 'It opens, and there is brandy in it, at about the height of Spain.'),
        see('safe', 'safe', [940, 90, 170, 150], 'It stands open, and holds one slice of cake. “I have to hide it from Otto,” says a note.'),
        see('fire', 'fireplace', [930, 280, 230, 170], 'Ash of a letter. Whoever burned it forgot the blotter. They always do.'),
      ],
    },
    conservatory: {
      name: 'Winter garden', back: 'hall', draw: draws.conservatory, tell: (s) => `Palms under glass, and a fountain. ${s.flags.dry ? 'It has stopped.' : 'It plays so high that one cannot see into its basin.'}`,
      spots: [
        {
          id: 'valve', name: 'tap', at: [200, 330, 110, 130], tell: (s) => (s.flags.dry ? 'turned off' : 'its key is missing'),
          look: (s) => (s.flags.dry ? 'Off. The frogs are writing a complaint.' : 'The tap of the fountain, with a square pin where its key should be.'),
          use: {
            tap(s) {
              drop(s, 'tap');
              s.flags.dry = true;
              say(s, 'The fountain sinks, gurgles and stops. Something white lies in the basin.');
            },
          },
        },
        { ...see('fountain', 'fountain', [480, 130, 320, 330], 'Spray to the roof. Whatever lies in there, one would have to stop it first.'), when: (s) => !s.flags.dry },
        { ...way('bundle', 'something white in the basin', [480, 300, 320, 150], 'near_napkin', 'a napkin around something heavy'), when: (s) => s.flags.dry },
        see('orchids', 'orchids', [60, 60, 240, 150], 'They turn their faces to you, all at once. You apologise.'),
        see('palm', 'palm', [925, 40, 250, 330], 'Planted by the first Madame Celadon over the first Monsieur.'),
        see('frog', 'frog', [900, 400, 120, 90], 'It has a pearl-coloured belly, and looks as if it had been asked already.'),
        see('bench', 'iron bench', [1060, 370, 180, 110], 'Two people were to meet here at midnight. Now that will be awkward.'),
      ],
    },
    near_table: {
      ...atTable,
      enter(s) {
        atTable.enter?.(s);
        s.flags.table = true;
      },
    },
    near_napkin: {
      ...found,
      enter(s) {
        found.enter?.(s);
        s.flags.pearls = true;
        note(s, `The pearls were wrapped in a napkin with a stain of ${s.data.napkin}.`);
        say(s, `Forty pearls, in a napkin from the dinner table. Whoever carried it away had eaten: the stain smells of ${s.data.napkin}.`);
      },
    },
    near_portraits: near('portraits', 'Three Celadons', 'music', WALL, portraits, 'Three Celadons, each with a jewel on the breast. They differ in what they wore on their heads, and in nothing else.', (s) => `From left to right: ${s.data.hung.map((/** @type {string} */ h) => `with ${h === 'hood' ? 'a hood' : `a ${h}`}, ${s.data.worn[h]}`).join('; ')}.`),
    near_blotter: {
      name: 'Blotter', back: 'study', draw: blotter, spots: [],
      tell: (s) => (s.flags.blotter ? 'In the mirror it says: the glass key hangs where the low note clinks.' : 'Writing that runs backwards. One cannot make it out like this.'),
      enter: (s) => say(s, s.flags.blotter ? 'In the mirror the letters turn round: “The glass key hangs where the low note clinks.”' : 'Fresh ink, in somebody’s hand, and the wrong way round. What would turn it?'),
    },
    lock_study: dialLock({
      id: 'study', name: 'Lock of the study', back: 'hall', count: 3, symbols: GEMS, metal: '#c9a45a', picture: draws.lockPicture, handle: 'Turn the knob',
      symbol: (ctx, what, x, y) => gem(ctx, what, x, y, 1.3),
      tell: (s) => `Above the dials are three heads without jewels: with ${s.data.asked.map((/** @type {string} */ h) => `a ${h}`).join(', with ')}.`,
      solved: (s, shown) => shown.every((g, i) => g === s.data.worn[s.data.asked[i]]),
      open(s) {
        s.flags.study = true;
        used(s, 'study');
        used(s, 'portraits');
        go(s, 'hall');
        say(s, 'Three jewels, three clicks, and the study is open.');
      },
    }),
    ...Object.fromEntries(Object.entries(CLOSE).map(([id, c]) => [id, closeUp(c, id, id === 'in_books' ? [] : NEEDED)])),
  },
});
