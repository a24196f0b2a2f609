// @ts-check
/** The Night Mail: a halt in the snow that changes with what is done there, five suspects, and one name. */

import { clue, defineAdventure, drop, finish, give, go, note, say, talk, used } from '../adventure/adventure.js';
import { closeUp } from '../adventure/adventure-closeups.js';
import { dialLock } from '../adventure/adventure-locks.js';
import { carried, see, way } from '../adventure/adventure-parts.js';
import { makeCase, SUSPECTS } from './case.js';
import { draws, FACES, LOOK } from './look.js';
import { CLOSE, LOOSE } from './small.js';
import { inOrder, PEOPLE, talks } from './talks.js';

/** @typedef {any} S */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */

const MARKS = ['boots', 'wool', 'drink'];
const EVIDENCE = ['thread', 'tracks', 'cup'];

/** @param {string} flag */
const once = (flag) => (/** @type {S} */ s) => s.flags[flag];

/** Somebody to talk to. @param {string} who @param {number[]} at @param {Partial<Spot>} [more] @returns {Spot} */
const person = (who, at, more = {}) => ({
  id: who,
  name: PEOPLE[who],
  at,
  act(s) {
    if (who !== 'pike') note(s, `Suspect: ${PEOPLE[who]}.`);
    talk(s, who);
  },
  use: { any: (s) => say(s, '“Kind of you, but that is not mine.”', PEOPLE[who]) },
  ...more,
});

/** @param {string} who @param {number[]} at @returns {Spot} */
const boots = (who, at) => ({
  id: `boots_${who}`, name: `boots of ${PEOPLE[who]}`, at,
  look(s) {
    clue(s, `boots_${who}`);
    return { nailed: 'Boots with nailed soles: a square of dots in the snow.', smooth: 'Boots with smooth soles, fit for floors.', felt: 'Felt boots. They would leave round, soft tracks.' }[/** @type {'felt'} */ (s.data.marks[who].boots)];
  },
  tell: (s) => `with ${s.data.marks[who].boots} soles`,
});

/** @param {string} who @param {number[]} at @returns {Spot} */
const gloves = (who, at) => ({
  id: `gloves_${who}`, name: `gloves of ${PEOPLE[who]}`, at,
  look(s) {
    clue(s, `wool_${who}`);
    return `Knitted gloves of ${s.data.marks[who].wool} wool.`;
  },
  tell: (s) => `of ${s.data.marks[who].wool} wool`,
});

/** @param {S} s @param {string} id @param {string} text */
function proof(s, id, text) {
  s.flags[id] = true;
  note(s, `Evidence: ${text}`);
}

/** Names somebody before the plough comes. @param {S} s @param {string} who */
function accuse(s, who) {
  for (const mark of MARKS) for (const one of SUSPECTS) if (s.clues[`${mark}_${one}`].seen !== null) used(s, `${mark}_${one}`);
  s.flags.solved = who === s.data.thief;
  if (s.flags.solved) finish(s, 'win', `${PEOPLE[who]} nods. The swan bows to everybody, and the plough comes through.`);
  else finish(s, 'fail', `It was not ${PEOPLE[who]}. The plough comes, and somebody else walks away with a heavy bag.`);
}

/** @param {S} s */
function leave(s) {
  s.flags.guard_gone = true;
  used(s, 'cold');
}

/** @type {Spot} */
const STOVE = {
  id: 'stove', name: (s) => (s.flags.fire_lit ? 'warm stove' : 'cold stove'), at: [560, 170, 150, 260],
  look: (s) => s.flags.fire_lit ? 'It roars. The whole halt has moved a little closer to it.' : s.flags.coal ? 'Coal is in it. Now it wants a light.' : 'Cold as a key. It wants coal first, and then a light.',
  tell: (s) => (s.flags.fire_lit ? 'a fire burns in it' : s.flags.coal ? 'coal, but no fire' : 'empty'),
  use: {
    coal(s) {
      drop(s, 'coal');
      s.flags.coal = true;
      say(s, 'You tip the coal into the stove. Now for a light.');
    },
    matches(s) {
      if (!s.flags.coal) return say(s, 'You strike one. It shows you an empty stove, and goes out.');
      s.flags.fire_lit = true;
      say(s, 'The fire catches. The ice on the window runs down the glass, the Major opens an eye, and there are steps outside: somebody has smelled warmth.');
    },
    kettle(s) {
      if (!s.flags.fire_lit) return say(s, 'On a cold stove a kettle is only patient.');
      drop(s, 'kettle');
      give(s, 'steam');
      say(s, 'It sings at once. You have a kettle of boiling water.');
    },
  },
};

/** @type {Record<string, [string, string, string, string]>} */
const THINGS = {
  scuttle: ['empty scuttle', 'scuttle', '#5a6274', 'A coal scuttle. Its coal has gone, and so has its purpose.'],
  coal: ['scuttle of coal', 'gem', '#23252c', 'Best tender coal, warm from being near the boiler.'],
  matches: ['matches', 'match', '#c8603a', 'A box of matches, almost full.'],
  kettle: ['kettle', 'teapot', '#8a9ab0', 'A kettle of very cold water.'],
  steam: ['boiling kettle', 'teapot', '#e0704a', 'A kettle of boiling water. It will stay hot as long as you are in a hurry.'],
  fuse: ['fuse', 'fuse', '#c9a04a', 'A telegraph fuse. It smells of hair.'],
  oil: ['oil can', 'oil', '#5a7a6a', 'Lamp oil.'],
  scissors: ['scissors', 'scissors', '#9aa0a8', 'Sharp, and without a ribbon.'],
  magnet: ['magnet', 'magnet', '#c8503c', 'It pulls at your watch. Silver leaves it cold.'],
  hammer: ['hammer', 'hammer', '#8a5a34', 'You knock on nothing in particular. It sounds right.'],
  hook: ['hook', 'hook', '#8a929c', 'It would hold a wagon, if a wagon were held.'],
  spoon: ['spoon', 'spoon', '#c8cdd6', 'Your face in it is upside down, and no wiser.'],
  comb: ['comb', 'comb', '#d8c08a', 'For whoever has time for that.'],
};

defineAdventure({
  id: 'c02_night-mail',
  title: 'The Night Mail',
  start: 'platform',
  look: LOOK,
  notebook: 'Notebook',
  map: 'map',
  intro: 'The night mail is stuck in the snow at Ferrow Halt, and a silver swan has gone from its van. Five people could have done it. Find out who, before the plough comes.',
  refuse: ['That does not help here.', 'Too cold for such ideas.'],
  flags: { map: true, coal: false, fire_lit: false, guard_gone: false, wired: false, ice: true, gate_open: false, oiled: false, lamp_lit: false, thread: false, tracks: false, cup: false, solved: false },
  setup: makeCase,
  clues: [...SUSPECTS.flatMap((w) => MARKS.map((m) => `${m}_${w}`)), 'cold', 'fuse', 'engine', 'clock', 'wagons'],
  milestones: {
    fire_lit: once('fire_lit'),
    guard_gone: once('guard_gone'),
    gate_open: once('gate_open'),
    lamp_lit: once('lamp_lit'),
    solved: once('solved'),
  },
  items: carried(THINGS),
  people: Object.fromEntries(Object.entries(PEOPLE).map(([w, name]) => [w, { name, face: FACES[w] }])),
  talks: talks((s) => s.flags.guard_gone && EVIDENCE.every((e) => s.flags[e]), accuse, leave),
  scenes: {
    map: {
      name: 'Ferrow Halt', draw: draws.map, tell: 'The plan of the halt: the train on its line, and the buildings beside it.',
      spots: [
        way('to_engine', 'Engine', [90, 190, 170, 110], 'engine'),
        way('to_platform', 'Platform and mail van', [290, 190, 200, 110], 'platform'),
        way('to_dining', 'Dining car', [520, 190, 180, 110], 'dining'),
        way('to_sleeping', 'Sleeping car', [730, 190, 190, 110], 'sleeping'),
        way('to_waiting', 'Waiting room', [330, 350, 210, 120], 'waiting'),
        way('to_signal', 'Signal box', [640, 350, 170, 120], 'signal'),
        way('to_fence', 'Goods yard', [960, 330, 230, 140], 'fence'),
      ],
    },
    platform: {
      name: 'Platform', draw: draws.platform,
      tell: (s) => `The platform under snow, with the mail van. ${s.flags.guard_gone ? 'Nobody guards it any more; its door stands ajar.' : 'Conductor Pike guards it.'}`,
      spots: [
        person('pike', [560, 210, 130, 250], { when: (s) => !s.flags.guard_gone }),
        {
          id: 'van_door', name: 'mail van', at: [700, 120, 190, 270],
          act: (s) => (s.flags.guard_gone ? go(s, 'van') : say(s, '“Not a step further,” says Conductor Pike, through his teeth, which are chattering.')),
        },
        {
          id: 'clock', name: 'station clock', at: [300, 30, 130, 130],
          look(s) {
            clue(s, 'clock');
            return `Frozen at ${s.data.numbers.clock} o’clock sharp. It may be right about something.`;
          },
          tell: (s) => `it stands at ${s.data.numbers.clock} o’clock`,
        },
        see('sign', 'sign', [60, 150, 200, 80], '“Ferrow Halt. Passengers for the summit change here for their minds.”'),
        see('bench', 'bench', [90, 340, 220, 100], 'A person-shaped heap of snow sits on it. You look: only snow.'),
        see('barrow', 'luggage barrow', [960, 330, 200, 130], 'A barrow without luggage. Its wheels have not turned since the snow came.'),
        see('snow', 'snowdrift', [410, 470, 240, 54], 'If the thief came this way, the snow has kept it to itself.'),
      ],
    },
    van: {
      name: 'Mail van', back: 'platform', draw: draws.van, tell: 'Mail bags, a tool box, and a crate whose seal is broken.',
      spots: [
        {
          id: 'seal', name: 'broken seal', at: [520, 230, 150, 110],
          look: (s) => `A thread hangs in the broken seal: ${s.data.marks[s.data.thief].wool} wool.`,
          act: (s) => proof(s, 'thread', `a thread of ${s.data.marks[s.data.thief].wool} wool hung in the seal of the crate.`),
          tell: (s) => `a thread of ${s.data.marks[s.data.thief].wool} wool hangs in it`,
        },
        see('crate', 'open crate', [430, 340, 330, 130], 'Straw, in the shape of a swan. It must have been a proud one.'),
        way('tools', 'tool box', [860, 350, 170, 110], 'in_tools'),
        see('bags', 'mail bags', [80, 280, 250, 190], 'Nine bags of bills and one of love letters. The thief took neither.'),
        see('pigeonholes', 'pigeonholes', [80, 60, 330, 170], 'Sorted by somebody who has opinions about every village on the line.'),
        see('van_lamp', 'lamp', [900, 40, 90, 110], 'It swings a little, though the train stands still.'),
      ],
    },
    waiting: {
      name: 'Waiting room', draw: draws.waiting,
      tell: (s) => s.flags.fire_lit ? 'Warm. The window has thawed, and people have come to the stove.' : 'Bitterly cold. The window is white with ice, and a Major sleeps sitting up.',
      spots: [
        STOVE,
        {
          id: 'window', name: (s) => (s.flags.fire_lit ? 'window' : 'iced window'), at: [60, 50, 260, 180],
          look(s) {
            if (!s.flags.fire_lit) return 'Ice, as thick as a thumb. There is no seeing through it.';
            clue(s, 'wagons');
            return `Now one can see into the goods yard, over the fence: ${s.data.numbers.wagons} wagons stand there.`;
          },
          tell: (s) => (s.flags.fire_lit ? `it shows ${s.data.numbers.wagons} wagons in the goods yard` : 'white with ice'),
        },
        person('crumb', [360, 180, 140, 220], { when: once('fire_lit') }),
        { id: 'sleeper', name: 'sleeping Major', at: [360, 180, 140, 220], when: (s) => !s.flags.fire_lit, look: '“Zzz. Second half. Zzz.” He will not wake before it is warm.' },
        boots('crumb', [380, 412, 110, 70]),
        gloves('crumb', [240, 380, 100, 70]),
        person('silvane', [760, 170, 130, 270], { when: once('fire_lit') }),
        person('pike', [920, 180, 130, 270], { when: once('guard_gone') }),
        way('lost', 'left luggage', [1090, 60, 160, 330], 'in_lost'),
        see('timetable', 'timetable', [760, 40, 160, 110], 'Everything is on time, according to this. It was printed in summer.'),
      ],
    },
    dining: {
      name: 'Dining car', draw: draws.dining, tell: 'Tables laid for people who would not come, and a counter.',
      spots: [
        person('odette', [600, 150, 130, 200]),
        way('counter', 'counter', [480, 360, 360, 120], 'in_counter'),
        boots('odette', [920, 410, 110, 80]),
        gloves('odette', [1060, 330, 110, 70]),
        see('tables', 'laid table', [90, 300, 310, 170], 'Two forks each, no soup. Hope has been folded into the napkins.'),
        see('car_window', 'window', [130, 60, 220, 160], 'Snow up to the sill. It looks in with interest.'),
        see('oven', 'range', [880, 160, 170, 190], 'Frozen gas. It makes a sound like a very small joke.'),
        see('bottles', 'bottles', [1090, 80, 150, 130], 'Cordials of the line, one a tunnel.'),
      ],
    },
    engine: {
      name: 'Engine', draw: draws.engine, tell: (s) => `The engine, with the number ${s.data.numbers.engine} on its side, and the tender full of coal.`,
      spots: [
        person('bruno', [530, 220, 130, 250]),
        {
          id: 'number', name: 'engine', at: [60, 120, 420, 250],
          look(s) {
            clue(s, 'engine');
            return `Number ${s.data.numbers.engine} of the line. Brass, and polished by somebody who talks to it.`;
          },
          tell: (s) => `number ${s.data.numbers.engine}`,
        },
        {
          id: 'tender', name: 'tender', at: [760, 130, 340, 220], look: 'Coal to the brim. Without something to carry it in it stays here.',
          use: {
            scuttle(s) {
              drop(s, 'scuttle');
              give(s, 'coal');
              say(s, 'Bruno looks the other way, and you fill the scuttle with coal.');
            },
          },
        },
        boots('bruno', [700, 420, 110, 80]),
        gloves('bruno', [880, 400, 110, 76]),
        see('wheels', 'wheels', [120, 390, 330, 100], 'Each as tall as you, and none of them is going anywhere.'),
        see('smoke', 'smoke', [140, 10, 200, 90], 'The only thing that leaves this halt tonight.'),
      ],
    },
    signal: {
      name: 'Signal box', draw: draws.signal, tell: (s) => `Levers, a telegraph, windows all around. The telegraph is ${s.flags.wired ? 'chattering' : 'silent'}.`,
      spots: [
        person('nell', [640, 170, 130, 270], {
          use: {
            fuse(s) {
              drop(s, 'fuse');
              s.flags.wired = true;
              used(s, 'fuse');
              note(s, `Gate of the goods yard: ${inOrder(s)}.`);
              talk(s, 'nell', 'thanks');
            },
            any: (s) => say(s, '“Does it carry current? No? Then it is a paperweight.”', PEOPLE.nell),
          },
        }),
        way('shelf', 'shelf', [80, 60, 240, 100], 'in_levers'),
        boots('nell', [420, 420, 110, 80]),
        gloves('nell', [800, 300, 110, 70]),
        see('levers', 'levers', [80, 240, 320, 170], 'Red for stop, black for points, blue for locks. All of them are frozen to the frame.'),
        see('telegraph', 'telegraph', [930, 290, 150, 100], (s) => (s.flags.wired ? 'It talks without pause. It has a night to catch up on.' : 'Dead. The fuse holder is black and empty.')),
        see('box_window', 'window', [920, 60, 290, 150], 'From here Nell sees every track of the halt. All are white tonight.'),
      ],
    },
    sleeping: {
      name: 'Sleeping car', draw: draws.sleeping,
      tell: (s) => s.flags.fire_lit ? 'The compartment stands open; Madame Silvane has gone to the warm waiting room.' : 'A corridor. The compartment is shut.',
      spots: [
        {
          id: 'compartment', name: 'compartment door', at: [470, 80, 330, 330], when: (s) => !s.flags.fire_lit,
          look: '“I am not at home,” calls a trained voice, “and I shall not be, before somebody lights a fire in that waiting room.”',
        },
        ...[boots('silvane', [500, 400, 110, 80]), gloves('silvane', [690, 220, 110, 76])].map((spot) => ({ ...spot, when: once('fire_lit') })),
        { ...way('case', 'dressing case', [540, 300, 130, 84], 'in_case'), when: once('fire_lit') },
        see('lamp', 'corridor lamp', [300, 60, 90, 110], 'Turned low, out of respect for people who cannot sleep.'),
        see('corridor', 'corridor window', [60, 90, 210, 200], 'The platform, through frost. Whoever walked there was only a shape.'),
        see('cord', 'alarm cord', [900, 60, 120, 80], 'Somebody has tied a bow into it. Penalty: forty crowns, or a song.'),
        see('carpet', 'carpet', [860, 420, 300, 80], 'Worn down the middle, by generations of tiptoe.'),
      ],
    },
    fence: {
      name: 'Goods yard fence', draw: draws.fence,
      tell: (s) => s.flags.gate_open ? 'The gate stands open.' : s.flags.ice ? 'A high fence; its gate has a lump of ice where the lock should be.' : 'A high fence; its gate has a lock with three dials.',
      spots: [
        {
          id: 'gate', name: (s) => (s.flags.gate_open ? 'open gate' : s.flags.ice ? 'gate with a lump of ice' : 'gate with three dials'), at: [500, 130, 270, 300],
          act(s) {
            if (s.flags.gate_open) return go(s, 'yard');
            if (s.flags.ice) return say(s, 'The lock sits in a lump of ice, like a fly in amber. Matches would not do; boiling water might.');
            go(s, 'lock_gate');
          },
          use: {
            steam(s) {
              drop(s, 'steam');
              s.flags.ice = false;
              say(s, 'The ice cracks, slides off, and there is a lock with three dials.');
            },
          },
        },
        see('boards', 'fence', [60, 180, 380, 250], 'Higher than you, and topped with something that does not like trousers.'),
        see('warning', 'warning', [860, 200, 190, 120], '“Goods only. If you are not goods, turn back.”'),
        see('owl', 'owl', [1090, 60, 110, 120], 'It saw everything, and turns its head away, as far as that goes.'),
      ],
    },
    yard: {
      name: 'Goods yard', back: 'fence', draw: draws.yard,
      tell: (s) => s.flags.lamp_lit ? 'The lamp is lit, the snow has stopped: tracks lead to the shed.' : 'Dark, and the snow falls. One sees a lamp that is out, and next to nothing else.',
      spots: [
        {
          id: 'yard_lamp', name: (s) => (s.flags.lamp_lit ? 'lamp' : 'dark lamp'), at: [300, 40, 130, 380],
          look: (s) => s.flags.lamp_lit ? 'It burns, and the snow stops to look.' : s.flags.oiled ? 'Full of oil. Now it wants a light.' : 'Out. It wants oil first, and then a light.',
          use: {
            oil(s) {
              drop(s, 'oil');
              s.flags.oiled = true;
              say(s, 'You fill the lamp. Now for a light.');
            },
            matches(s) {
              if (!s.flags.oiled) return say(s, 'The wick glows, and dies of thirst.');
              s.flags.lamp_lit = true;
              say(s, 'The lamp burns. As if it had been waiting for that, the snow stops; and there are tracks, across the whole yard.');
            },
          },
        },
        {
          id: 'prints', name: 'tracks in the snow', at: [500, 400, 330, 100], when: once('lamp_lit'),
          look: (s) => `Tracks of ${s.data.marks[s.data.thief].boots} soles, to the shed and back. Deep on the way there: somebody carried a swan.`,
          act: (s) => proof(s, 'tracks', `the tracks to the shed were made by ${s.data.marks[s.data.thief].boots} soles.`),
          tell: (s) => `of ${s.data.marks[s.data.thief].boots} soles`,
        },
        { id: 'shed', name: 'shed', at: [880, 180, 260, 250], when: once('lamp_lit'), act: (s) => (s.flags.tracks ? go(s, 'shed') : say(s, 'First the tracks, before you walk all over them.')) },
        see('wagons', 'wagons', [470, 170, 360, 150], (s) => (s.flags.lamp_lit ? 'Empty wagons, hats of snow on them.' : 'Something large and dark, several of it.')),
      ],
    },
    shed: {
      name: 'Shed', back: 'yard', draw: draws.shed, tell: 'A lamp hut. Under a tarpaulin: the silver swan.',
      spots: [
        {
          id: 'cup', name: 'cup', at: [820, 320, 110, 90],
          look: (s) => `Somebody has sat here with the swan, and had a cup of ${s.data.marks[s.data.thief].drink}. There is a rest in it.`,
          act: (s) => proof(s, 'cup', `whoever hid the swan drank ${s.data.marks[s.data.thief].drink}.`),
          tell: (s) => `a rest of ${s.data.marks[s.data.thief].drink} is in it`,
        },
        see('swan', 'silver swan', [460, 170, 260, 270], 'It looks at you, bows, and goes on looking. You feel that you have been introduced.'),
        see('lanterns', 'lanterns', [90, 60, 280, 110], 'All the lamps of the line, waiting for wicks.'),
        see('straw', 'straw', [120, 400, 260, 90], 'Still pressed down, where somebody sat.'),
      ],
    },
    ...Object.fromEntries(Object.entries(CLOSE).map(([id, c]) => [id, closeUp(c, id, LOOSE)])),
    lock_gate: dialLock({
      id: 'gate', name: 'Lock of the gate', back: 'fence', count: 3, symbols: [...'0123456789'], metal: '#7a8aa0', picture: draws.gatePicture, handle: 'Pull the gate',
      tell: 'The plate above the dials is blank, but for the words: ask the depot.',
      solved: (s, shown) => s.flags.wired && shown.join('') === s.data.code,
      open(s) {
        s.flags.gate_open = true;
        for (const n of s.data.order) if (s.clues[n].seen !== null) used(s, n);
        go(s, 'fence');
        say(s, 'The gate gives a groan that has been kept back since November.');
      },
    }),
  },
});
