// @ts-check
/** The Bell of Sallow: a chart with three places that are not on it, and five people who say to have been there. */

import { clue, defineAdventure, drop, finish, give, go, has, note, say, talk, used } from '../adventure/adventure.js';
import { closeUp } from '../adventure/adventure-closeups.js';
import { dialLock } from '../adventure/adventure-locks.js';
import { carried, near, see, way } from '../adventure/adventure-parts.js';
import { BIRDS, COLUMNS, HIDDEN, makeCase, PLACES, ROWS, SUSPECTS } from './case.js';
import { draws, FACES, fieldAt, LOOK } from './look.js';
import { herons, paintings, record, ROMAN, stone } from './near.js';
import { bird } from './signs.js';
import { CLOSE } from './small.js';
import { KNOWN, PEOPLE, song, talks, WHERE } from './talks.js';

/** @typedef {any} S */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */

const FOG = ['#efe4c6', '#a89a6a'];
const SKIES = ['dawn', 'noon', 'dusk'];
/** What tells of each hidden place. @type {Record<string, string[]>} */
const TOLD = { weir: ['song'], hide: ['herons_mill', 'herons_tower'], chapel: ['stone'] };

/** Somebody to talk to, and to give back what is missed. @param {string} who @param {number[]} at @param {string} [wants] @param {(s: S) => void} [thanks] @returns {Spot} */
const person = (who, at, wants, thanks) => ({
  id: who,
  name: PEOPLE[who],
  at,
  act(s) {
    if (who !== 'reeve') note(s, `Has a boat: ${PEOPLE[who]}.`);
    if (who !== 'reeve') s.flags[`met_${who}`] = true;
    talk(s, who);
  },
  use: {
    any: (s) => say(s, '“Kind of you, but that is not mine.”', PEOPLE[who]),
    ...(wants && {
      [wants]: (/** @type {S} */ s) => {
        drop(s, wants);
        used(s, `want_${who}`);
        thanks?.(s);
        talk(s, who, 'thanks');
      },
    }),
  },
});

/** @param {string} who @param {number[]} at @returns {Spot} */
const boat = (who, at) => ({
  id: `boat_${who}`, name: `boat of ${PEOPLE[who]}`, at,
  look(s) {
    clue(s, `boat_${who}`);
    return `A flat boat, tarred and patched. On its bow is painted, large and white: ${a(s.data.sign[who])}.`;
  },
  tell: (s) => `the sign on its bow is ${a(s.data.sign[who])}`,
});

const a = (/** @type {string} */ what) => `${'aeio'.includes(what[0]) ? 'an' : 'a'} ${what}`;
/** @param {string[]} signs */
const all = (signs) => signs.map(a).join(', ');

/** A field of the chart, to be searched with a pole in hand. @param {number} i @returns {Spot} */
function field(i) {
  const [c, r] = [i % COLUMNS, Math.floor(i / COLUMNS)];
  const here = (/** @type {S} */ s) => HIDDEN.find((p) => !s.flags[p] && s.data.at[p].c === c && s.data.at[p].r === r);
  const known = (/** @type {S} */ s) => [...PLACES, ...HIDDEN.filter((p) => s.flags[p])].find((p) => s.data.at[p].c === c && s.data.at[p].r === r);
  return {
    id: `field_${c + 1}_${r + 1}`,
    name: `field ${'ABCDEFGH'[c]} ${ROMAN[r]}`,
    at: fieldAt(c, r),
    when: (s) => !known(s),
    look: 'Reeds, as far as the paint goes. With a pole in hand one could take the punt there.',
    use: {
      pole(s) {
        const found = here(s);
        if (found) {
          s.flags[found] = true;
          for (const told of TOLD[found]) if (s.clues[told].seen !== null) used(s, told);
          go(s, found);
          return say(s, `The reeds open, and there it is: ${WHERE[found]}. You draw it into the chart.`);
        }
        drop(s, 'pole');
        go(s, 'inn');
        say(s, 'Reeds, more reeds, and mud that keeps your pole. You paddle home to the inn with your hands.');
      },
      any: (s) => say(s, 'A chart takes no things. A punt takes a pole.'),
    },
  };
}

/** A place on the chart. @param {string} place @returns {Spot} */
const onChart = (place) => ({
  id: `to_${place}`, name: (KNOWN[place] ?? WHERE[place]).replace('the ', ''), at: (s) => fieldAt(s.data.at[place].c, s.data.at[place].r),
  when: (s) => PLACES.includes(place) || s.flags[place], go: place,
  tell: (s) => `in field ${'ABCDEFGH'[s.data.at[place].c]} ${ROMAN[s.data.at[place].r]}`,
});

/** Who was in a hidden place, as its record says. @param {string} place @param {string} name @param {string} words @returns {import('../adventure/adventure.js').Scene} */
const written = (place, name, words) => {
  const seen = (/** @type {S} */ s) => s.data.seen[place];
  const scene = near(place, name, place, FOG, (ctx, s) => record(ctx, s, place), words, (s) => `Thursday: ${all(seen(s).thursday)}. Friday: ${all(seen(s).friday)}.`);
  return {
    ...scene,
    enter(s) {
      scene.enter?.(s);
      s.flags[`read_${place}`] = true;
      note(s, `At ${WHERE[place]} on Friday: ${all(seen(s).friday)}.`);
    },
  };
};

/** Herons that fly home, over a compass. @param {'mill'|'tower'} place */
const flight = (place) =>
  near(`herons_${place}`, `Window of ${KNOWN[place]}`, place, FOG, (ctx, s) => herons(ctx, s, place), 'Herons come from all over the fen, and all of them fly home the same way. There is a compass on the sill.', (s) => `Seen from here, the herons all fly to the ${s.data.herons[place]}.`);

/** The stone, in words. @param {S} s */
const steps = (s) => {
  const { from, east, south } = s.data.stone;
  return `from ${KNOWN[from]} ${Math.abs(east)} to ${east > 0 ? 'sunrise' : 'sunset'}, ${Math.abs(south)} to ${south > 0 ? 'noon' : 'midnight'}`;
};

/** Names somebody for the flood book. @param {S} s @param {string} who */
function accuse(s, who) {
  for (const id of [...SUSPECTS.flatMap((w) => [`boat_${w}`, `claim_${w}`]), ...HIDDEN]) if (s.clues[id].seen !== null) used(s, id);
  s.flags.solved = who === s.data.thief;
  if (s.flags.solved) finish(s, 'win', `${PEOPLE[who]} owns up, and Old Margery rings again, flat and right.`);
  else finish(s, 'fail', `${PEOPLE[who]} was where was said. Somewhere in the fog a heavy boat leaves.`);
}

defineAdventure({
  id: 'c03_fen-bell',
  title: 'The Bell of Sallow',
  start: 'inn',
  look: LOOK,
  notebook: 'Notebook',
  map: 'fen',
  intro: 'Sallow stands on stilts, in fog. On Friday night its bell was stolen. Five people have a boat, and each was somewhere in the reeds, where no chart goes. One of them lies. Find out who, and tell Reeve Hanna.',
  refuse: ['That does not help here.', 'The fen swallows the idea without a sound.'],
  flags: {
    map: true, ...Object.fromEntries(SUSPECTS.map((w) => [`met_${w}`, false])), ...Object.fromEntries(HIDDEN.flatMap((p) => [[p, false], [`read_${p}`, false]])),
    song: false, scrubbed: false, drained: false, box_open: false, lit: false, solved: false,
  },
  setup: makeCase,
  clues: [...SUSPECTS.flatMap((w) => [`boat_${w}`, `claim_${w}`]), 'want_tansy', 'want_wick', 'song', 'herons_mill', 'herons_tower', 'stone', 'paintings', ...HIDDEN],
  milestones: {
    met_all: (s) => SUSPECTS.every((w) => s.flags[`met_${w}`]),
    song: (s) => s.flags.song,
    weir: (s) => s.flags.read_weir,
    hide: (s) => s.flags.read_hide,
    chapel: (s) => s.flags.read_chapel,
    solved: (s) => s.flags.solved,
  },
  items: {
    ...carried({
      knife: ['eel knife', 'knife', '#5a3a24', 'An eel knife with a T burnt into its handle.'],
      horn: ['ferry horn', 'horn', '#c79b4a', 'A horn with a W on it. You are curious, but it is late for that.'],
      crank: ['sluice crank', 'crank', '#8a8f86', 'The crank of a sluice. It lowers fens.'],
      brush: ['stiff brush', 'comb', '#c9a25a', 'A brush that takes the moss off anything.'],
      matches: ['matches', 'match', '#b8502c', 'Dry matches. In Sallow they could be money.'],
    }),
    lantern: {
      ...carried({ lantern: ['lantern', 'lamp', '#a58a4a', 'A lantern without a light.'] }).lantern,
      with: {
        matches(s) {
          drop(s, 'lantern');
          drop(s, 'matches');
          give(s, 'light');
          say(s, 'The last match catches. You have a lantern that burns.');
        },
      },
    },
    ...carried({ light: ['burning lantern', 'lamp', '#ffb52e', 'It burns, and the fog comes closer to look.'] }),
    pole: { name: 'punt pole', look: 'A long pole. In hand, it takes you to any field of the chart; only mind which.', icon: draws.pole },
  },
  people: Object.fromEntries(Object.entries(PEOPLE).map(([w, name]) => [w, { name, face: FACES[w] }])),
  talks: talks((s) => HIDDEN.every((p) => s.flags[`read_${p}`]), accuse),
  scenes: {
    fen: {
      name: 'Chart of the fen', draw: draws.fen, tell: 'The chart has columns A to H from west to east, and rows I to V from north to south.',
      spots: [...Array.from({ length: COLUMNS * ROWS }, (_, i) => field(i)), ...[...PLACES, ...HIDDEN].map(onChart)],
    },
    inn: {
      name: 'The Dry Foot Inn', draw: draws.inn, tell: 'The terrace of the inn, on stilts over the water.',
      spots: [
        person('reeve', [560, 160, 140, 270]),
        person('lisbet', [318, 176, 130, 254]),
        way('paintings', 'three paintings', [40, 50, 380, 120], 'near_paintings', 'three birds, each under another sky'),
        way('box', 'box of things left behind', [60, 360, 200, 110], 'in_box'),
        {
          id: 'poles', name: 'rack of poles', at: [716, 110, 90, 290], tell: 'for anybody who takes the punt',
          act(s) {
            if (has(s, 'pole')) return say(s, 'One pole is enough for one pair of arms.');
            give(s, 'pole');
            say(s, 'You take a pole. The rack has many more: the fen is always hungry.');
          },
        },
        boat('lisbet', [860, 360, 340, 120]),
        see('inn_sign', 'inn sign', [860, 40, 150, 130], '“The Dry Foot”. The foot is painted. It is the only one.'),
        see('window', 'window', [450, 40, 110, 110], 'Inside they play cards in a whisper, so as not to disturb the silence.'),
        see('fog', 'fog', [1040, 120, 220, 150], 'It comes up to the rail, looks at you, and stays.'),
      ],
    },
    mill: {
      name: 'Mill', draw: draws.mill, tell: 'A post mill on piles, with a window over the reeds.',
      spots: [
        person('hob', [560, 170, 140, 270]),
        way('window', 'upper window', [300, 40, 190, 170], 'near_herons_mill', 'herons fly past'),
        way('sack', 'miller’s chest', [60, 370, 210, 110], 'in_sack'),
        boat('hob', [880, 370, 340, 120]),
        see('sacks', 'sacks', [290, 330, 200, 120], 'Flour, flour, and one that says “not flour” in the hope of being left alone.'),
        see('stones', 'millstones', [60, 200, 190, 130], 'They have worn each other down to an understanding.'),
        see('sails', 'sail', [760, 20, 330, 190], 'It turns when it feels like it. So does Hob.'),
      ],
    },
    eels: {
      name: 'Eel house', draw: draws.eels, tell: 'A smokehouse on the water, with nets, barrels and a shelf.',
      spots: [
        person('tansy', [540, 170, 140, 270], 'knife', (s) => {
          s.flags.song = true;
          clue(s, 'song');
          note(s, `Eel song: ${song(s)}.`);
        }),
        way('shelf', 'shelf', [60, 60, 270, 110], 'in_shelf'),
        boat('tansy', [880, 370, 340, 120]),
        see('nets', 'nets', [380, 40, 150, 190], 'More hole than net, which is the idea, up to a size.'),
        see('barrels', 'barrels', [70, 330, 290, 140], 'Something in there turns over when you come near, and waits.'),
        see('smoke', 'smoking rack', [720, 40, 170, 260], 'Eels, in rows, like a choir that has seen it all.'),
        see('cat', 'cat', [400, 400, 100, 90], 'Round. It is the only one in Sallow who is not worried.'),
      ],
    },
    tower: {
      name: 'Bell tower', draw: draws.tower, tell: 'An old tower standing in the water. The frame in which the bell hung is empty.',
      spots: [
        person('odo', [560, 180, 140, 260]),
        way('window', 'bell window', [320, 40, 180, 180], 'near_herons_tower', 'herons fly past'),
        way('cupboard', 'ringer’s cupboard', [70, 150, 170, 260], 'in_cupboard'),
        boat('odo', [880, 370, 340, 120]),
        see('frame', 'empty bell frame', [720, 20, 300, 170], 'Four beams around a great deal of nothing. The bolts were greased before they were turned.'),
        see('rope', 'end of a rope', [730, 200, 80, 200], 'It used to end in a bell.'),
        see('tomb', 'tomb', [290, 340, 230, 120], '“Here lies the first ringer. He asked for a quiet place.” Now it is.'),
      ],
    },
    ferry: {
      name: 'Ferry', draw: draws.ferry, tell: 'The landing of the ferry, with an old stone.',
      spots: [
        person('wick', [600, 170, 140, 270], 'horn', (s) => give(s, 'crank')),
        {
          id: 'stone', name: (s) => (s.flags.scrubbed ? 'carved stone' : 'mossy stone'), at: [310, 200, 180, 230],
          tell: (s) => (s.flags.scrubbed ? 'its words can be read' : 'something is carved under the moss'),
          act: (s) => (s.flags.scrubbed ? go(s, 'near_stone') : say(s, 'Moss, thick as a coat. Words are carved under it, but fingers do not do it. It wants a stiff brush.')),
          use: {
            brush(s) {
              s.flags.scrubbed = true;
              drop(s, 'brush');
              say(s, 'The moss comes off in one piece, like a wig, and takes the brush with it. Now the stone can be read.');
            },
          },
        },
        boat('wick', [880, 370, 340, 120]),
        see('raft', 'ferry', [40, 380, 250, 110], 'A raft with a rail. “Six people or one cow,” it says. “Not mixed.”'),
        see('board', 'price board', [60, 90, 190, 130], '“Over: one penny. Back: ask again when you want to.”'),
        see('bank', 'far bank', [800, 150, 440, 100], 'It is there on clear days. There was one in March.'),
        see('lamp', 'lamp post', [500, 40, 80, 120], 'It lights the fog, and nothing behind it.'),
      ],
    },
    weir: {
      name: 'Eel weir', draw: draws.weir, tell: (s) => (s.flags.drained ? 'A fence of stakes through the water. The water has gone down: a board stands free.' : 'A fence of stakes through the water, a sluice, and a board that is under water.'),
      spots: [
        {
          id: 'sluice', name: 'sluice', at: [160, 120, 230, 280], tell: (s) => (s.flags.drained ? 'open' : 'shut; its crank is missing'),
          look: (s) => (s.flags.drained ? 'The water runs out through it, talking.' : 'Shut, and its crank is gone. With a crank one could lower the water here.'),
          use: {
            crank(s) {
              s.flags.drained = true;
              drop(s, 'crank');
              say(s, 'The sluice groans up. The water sinks by a foot, and a tally board comes out of it, dripping.');
            },
          },
        },
        { ...way('board', 'tally board', [560, 200, 260, 190], 'read_weir', 'signs are cut into it'), when: (s) => s.flags.drained },
        { ...see('sunken', 'board under water', [560, 300, 260, 110], 'A board with signs cut into it, a foot under water. The mud is in the way of your eyes.'), when: (s) => !s.flags.drained },
        see('baskets', 'eel baskets', [900, 330, 230, 120], 'The way in is wide, and the way out is a matter of character.'),
        see('heron', 'heron', [1090, 130, 110, 180], 'It stands on one leg, and thinks about the other.'),
      ],
    },
    hide: {
      name: 'Heron hide', draw: draws.hide, tell: (s) => (s.flags.box_open ? 'A hut of reeds. The box on the wall is open, with a guest book in it.' : 'A hut of reeds. On its wall is a box with three dials.'),
      spots: [
        { ...way('case', 'box with three dials', [520, 170, 250, 170], 'lock_box'), when: (s) => !s.flags.box_open },
        { ...way('guests', 'guest book', [520, 170, 250, 170], 'read_hide', 'visitors have drawn their signs into it'), when: (s) => s.flags.box_open },
        see('slit', 'slit', [120, 110, 300, 90], 'A hundred herons on a hundred nests, all talking at once about fish.'),
        see('seat', 'bench', [130, 340, 320, 110], 'Two people can sit here, if neither has opinions.'),
        see('feathers', 'feathers', [880, 360, 160, 100], 'Grey ones. Somebody has sorted them by length.'),
        see('rules', 'rules of the hide', [880, 120, 190, 170], '“1. Sign the book. 2. Do not cough. 3. Think of the birds in the order of the day.”'),
      ],
    },
    chapel: {
      name: 'Drowned chapel', draw: draws.chapel, tell: (s) => (s.flags.lit ? 'Candle light on wet stone. By the wall stands a rail with small plates.' : 'Black. Water drips somewhere. You see the doorway that you came through, and no more.'),
      spots: [
        {
          id: 'dark', name: 'the dark', at: [420, 150, 440, 280], when: (s) => !s.flags.lit, look: 'Too dark to see your own hand. A match would not last; a lantern would.',
          use: {
            light(s) {
              s.flags.lit = true;
              drop(s, 'light');
              say(s, 'You hang the lantern onto a saint, who does not mind. There is a rail with plates for pilgrims.');
            },
          },
        },
        { ...way('rail', 'pilgrims’ rail', [480, 270, 320, 140], 'read_chapel', 'plates with signs hang on it'), when: (s) => s.flags.lit },
        { ...see('saint', 'saint', [200, 110, 150, 280], 'Saint Ebb, who walked on water until somebody told her.'), when: (s) => s.flags.lit },
        { ...see('font', 'font', [900, 270, 180, 180], 'It is full. So is everything else.'), when: (s) => s.flags.lit },
        { ...see('glass', 'window', [540, 30, 190, 200], 'A fish in coloured glass, looking in at the fish outside.'), when: (s) => s.flags.lit },
        see('doorway', 'doorway', [1120, 120, 140, 300], 'Your punt is out there, tied to an angel.'),
      ],
    },
    near_paintings: near('paintings', 'Three paintings', 'inn', FOG, (ctx, s) => paintings(ctx, s, 130, 110, 300, 280), 'Three birds of the fen, each at its own time of day. The frames hang as there were nails.', (s) => `From left to right: ${s.data.hung.map((/** @type {number} */ i) => `a ${s.data.birds[i]} at ${SKIES[i]}`).join(', ')}.`),
    near_herons_mill: flight('mill'),
    near_herons_tower: flight('tower'),
    near_stone: near('stone', 'Carved stone', 'ferry', FOG, stone, 'Deep letters, and at the foot of them a chapel, as far as one can tell.', (s) => `The chapel: ${steps(s)}.`),
    read_weir: written('weir', 'Tally board', 'Each evening has its row, and whoever came has cut a sign into it.'),
    read_hide: written('hide', 'Guest book', 'One page a week. The visitors were shy, and drew their signs instead of their names.'),
    read_chapel: written('chapel', 'Pilgrims’ rail', 'Whoever comes hangs up a plate with a sign. There are two rods, one for each evening.'),
    lock_box: dialLock({
      id: 'box', name: 'Box in the hide', back: 'hide', count: 3, symbols: BIRDS, metal: '#8a7a52', picture: draws.boxPicture, handle: 'Open the box',
      symbol: (ctx, what, x, y) => bird(ctx, what, x, y, 1),
      tell: 'The plate above the dials shows the sun three times: rising, high, and setting.',
      solved: (s, shown) => s.clues.paintings.seen !== null && shown.join() === s.data.birds.join(),
      open(s) {
        s.flags.box_open = true;
        used(s, 'paintings');
        go(s, 'hide');
        say(s, 'The lid springs up, and a guest book looks at you.');
      },
    }),
    ...Object.fromEntries(Object.entries(CLOSE).map(([id, c]) => [id, closeUp(c)])),
  },
});
