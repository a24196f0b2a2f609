// @ts-check
/** The Opal Eye: an island, five suspects, and marks that have to be kept in mind until the end. */

import { clue, defineAdventure, drop, finish, give, go, note, say, talk, used } from '../adventure/adventure.js';
import { closeUp } from '../adventure/adventure-closeups.js';
import { dialLock } from '../adventure/adventure-locks.js';
import { carried, see, way } from '../adventure/adventure-parts.js';
import { makeCase, SUSPECTS } from './case.js';
import { draws, FACES, LOOK } from './look.js';
import { CLOSE, MISSED } from './small.js';
import { talks } from './talks.js';

/** @typedef {any} S */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */

/** @type {Record<string, string>} */
const PEOPLE = { berta: 'Berta Quill', rook: 'Captain Rook', ilse: 'Ilse Marn', pym: 'Doctor Pym', wren: 'Tobias Wren' };
const MARKS = ['hand', 'scent', 'buttons'];
const EVIDENCE = ['ledger', 'ferry', 'button'];


/** A suspect in the room: talk, or hand over what is wanted. @param {string} who @param {number[]} at @param {string} wants @param {(s: S) => void} thanks @returns {Spot} */
const suspect = (who, at, wants, thanks) => ({
  id: who,
  name: PEOPLE[who],
  at,
  act(s) {
    note(s, `Suspect: ${PEOPLE[who]}.`);
    s.flags[`met_${who}`] = true;
    clue(s, `want_${who}`);
    talk(s, who);
  },
  use: {
    [wants](s) {
      drop(s, wants);
      used(s, `want_${who}`);
      thanks(s);
      talk(s, who, 'thanks');
    },
    any: (s) => say(s, '“Kind of you, but that is not mine.”', PEOPLE[who]),
  },
});

/** The suspect's coat, whose buttons can be seen. @param {string} who @param {number[]} at @returns {Spot} */
const coat = (who, at) => ({
  id: `coat_${who}`,
  name: `coat of ${PEOPLE[who]}`,
  at,
  look(s) {
    clue(s, `buttons_${who}`);
    return `A coat with buttons of ${s.data.marks[who].buttons}.`;
  },
  tell: (s) => `with buttons of ${s.data.marks[who].buttons}`,
});

/** Something with a number in it. @param {string} what @param {string} name @param {number[]} at @param {(n: number) => string} look @param {(n: number) => string} tell @returns {Spot} */
const counted = (what, name, at, look, tell) => ({
  id: what,
  name,
  at,
  look(s) {
    clue(s, what);
    return look(s.data.numbers[what]);
  },
  tell: (s) => tell(s.data.numbers[what]),
});

/** @param {S} s @param {string} id @param {string} text */
function proof(s, id, text) {
  s.flags[id] = true;
  note(s, `Evidence: ${text}`);
}

/** Names somebody in front of the town. @param {S} s @param {string} who */
export function accuse(s, who) {
  for (const mark of MARKS) for (const one of SUSPECTS) if (s.clues[`${mark}_${one}`].seen !== null) used(s, `${mark}_${one}`);
  s.flags.solved = who === s.data.thief;
  if (s.flags.solved) finish(s, 'win', `${PEOPLE[who]} confesses, and the lion sees with both eyes again.`);
  else finish(s, 'fail', `${PEOPLE[who]} is innocent. The thief takes the next ferry.`);
}

/** @type {Record<string, [string, string, string, string]>} */
const THINGS = {
  glass: ['reading glass', 'lens', '#c9a04a', 'A reading glass with a velvet handle, lost by somebody who reads small print.'],
  pipe: ['pipe', 'pipe', '#7a4a28', 'A seafarer’s pipe, chewed on by a nervous man.'],
  scissors: ['garden scissors', 'scissors', '#c8503a', 'Garden scissors. A petal sticks to the blades.'],
  flower: ['white lily', 'flower', '#fffaf0', 'One white lily, with Ilse’s compliments.'],
  oil: ['oil can', 'oil', '#5d7a6a', 'A can of whale oil, full, from the age of whales.'],
};

defineAdventure({
  id: 'c01_opal-eye',
  title: 'The Opal Eye',
  start: 'museum',
  look: LOOK,
  notebook: 'Notebook',
  map: 'map',
  intro: 'Last night somebody stole the left eye of the Lion of Lume, an opal the size of an egg. Five people had a reason. Find out who it was, and tell the keeper.',
  refuse: ['That does not help here.', 'Even a detective would not think of that.'],
  flags: { map: true, ...Object.fromEntries(SUSPECTS.map((w) => [`met_${w}`, false])), ledger: false, ferry: false, button: false, advice: false, lamp: false, chest: false, solved: false },
  setup: makeCase,
  clues: [...SUSPECTS.flatMap((w) => MARKS.map((m) => `${m}_${w}`)), ...SUSPECTS.map((w) => `want_${w}`), 'lions', 'boat', 'clock'],
  milestones: {
    met_all: (s) => SUSPECTS.every((w) => s.flags[`met_${w}`]),
    ledger: (s) => s.flags.ledger,
    ferry: (s) => s.flags.ferry,
    advice: (s) => s.flags.advice,
    button: (s) => s.flags.button,
    solved: (s) => s.flags.solved,
  },
  items: carried(THINGS),
  people: Object.fromEntries(SUSPECTS.map((w) => [w, { name: PEOPLE[w], face: FACES[w] }])),
  talks: talks(PEOPLE, (s) => EVIDENCE.every((e) => s.flags[e]), accuse),
  scenes: {
    map: {
      name: 'Isle of Lume', draw: draws.map, tell: 'The map of the island.',
      spots: [
        way('to_museum', 'Museum', [390, 110, 170, 112], 'museum'),
        way('to_market', 'Market', [480, 256, 170, 116], 'market'),
        way('to_hill', 'Hill House', [740, 110, 190, 130], 'hill'),
        way('to_harbour', 'Harbour', [200, 256, 170, 108], 'harbour'),
        way('to_lighthouse', 'Lighthouse', [880, 220, 190, 172], 'lighthouse'),
      ],
    },
    museum: {
      name: 'Museum', draw: draws.museum, tell: 'The hall of the museum, and in its middle the lion with one eye.',
      spots: [
        suspect('berta', [790, 180, 140, 250], 'glass', (s) => {
          const { hand } = s.data.marks[s.data.thief];
          proof(s, 'ledger', `the last visitor in the ledger wrote with the ${hand} hand.`);
        }),
        counted('lions', 'stone lions', [90, 20, 220, 76], (n) => `Small stone lions sit on the ledge over the entrance: ${n} of them, one prouder than the next.`, (n) => `${n} in a row on the ledge`),
        see('lion', 'Lion of Lume', [520, 110, 160, 270], 'The right eye is jet. The left one is a hole, and the glass of the case is broken from outside.'),
        way('curiosities', 'cabinet of curiosities', [130, 196, 150, 196], 'in_curiosities'),
        coat('berta', [1010, 100, 112, 144]),
        see('ledger', 'visitors’ ledger', [760, 280, 80, 52], 'The handwriting is tiny. Only the keeper could read it, with a proper glass.'),
        see('painting', 'painting', [380, 110, 110, 130], '“Lume from the Sea”. The painter has left out the museum, out of spite.'),
        see('plant', 'plant', [950, 340, 120, 130], 'Gift of the Society of Gardeners, Lume Section.'),
        see('pillar', 'pillar', [330, 30, 56, 80], 'Marble down to knee height, plaster above.'),
      ],
    },
    harbour: {
      name: 'Harbour', draw: draws.harbour, tell: 'The red ferry lies at the quay.',
      spots: [
        suspect('rook', [390, 220, 140, 260], 'pipe', (s) => proof(s, 'ferry', `somebody rowed across at midnight who smelled of ${s.data.marks[s.data.thief].scent}.`)),
        counted('boat', 'ferry', [560, 180, 370, 190], (n) => `The only ferry of the island, and still it is painted with a ${n}.`, (n) => `the number ${n} is painted on it`),
        way('lost', 'Lost and Found', [80, 290, 150, 166], 'in_lost'),
        coat('rook', [964, 180, 112, 144]),
        see('ropes', 'coil of rope', [640, 410, 120, 66], 'Tarred, coiled and bored.'),
        see('timetable', 'timetable', [1080, 290, 130, 100], '“Ferry: when full. Return: when the Captain is hungry.” No boat goes after dark.'),
        see('houses', 'harbour houses', [20, 100, 460, 110], 'Behind each curtain somebody has seen everything, and will say nothing.'),
        see('sun', 'sun', [1070, 20, 100, 100], 'It was not out at midnight, so it has an alibi.'),
      ],
    },
    market: {
      name: 'Market', draw: draws.market, tell: 'The market place with the clock tower.',
      spots: [
        suspect('ilse', [420, 230, 140, 250], 'scissors', (s) => give(s, 'flower')),
        counted('clock', 'clock tower', [560, 60, 150, 180], (n) => `The tower clock has said ${n} o’clock since the great storm. The town has got used to it.`, (n) => `it stands at ${n} o’clock`),
        see('flowers', 'flower stall', [110, 325, 300, 60], 'Roses, asters, lilies. Half of the island walks past and smells of them all day.'),
        way('bric', 'bric-a-brac', [720, 360, 240, 130], 'in_bric'),
        coat('ilse', [246, 172, 110, 130]),
        see('fountain', 'fountain', [1030, 330, 140, 180], 'Coins on the ground, and a lion on top. It has both of its eyes.'),
        see('left_house', 'red-roofed house', [0, 130, 90, 215], 'The mayor’s. He is out of town, and it is not his fault, he says, in advance.'),
        see('yellow_house', 'yellow house', [880, 170, 150, 170], 'The bakery. Closed on the day after the crime, out of excitement.'),
        see('tower_door', 'tower door', [604, 254, 62, 96], 'Locked. The clockmaker has moved to the mainland, to a house by a tarn.'),
      ],
    },
    hill: {
      name: 'Hill House', draw: draws.hill, tell: 'The study of a collector.',
      spots: [
        suspect('pym', [690, 210, 140, 270], 'flower', (s) => {
          s.flags.advice = true;
          note(s, `Sea chest in the lighthouse cellar: ${s.data.order.map((/** @type {string} */ n) => /** @type {any} */ ({ lions: 'the lions', boat: 'the boat', clock: 'the clock' })[n]).join(', then ')}.`);
        }),
        way('collection', 'collection', [890, 174, 180, 216], 'in_collection'),
        coat('pym', [1096, 110, 112, 144]),
        see('lion_picture', 'picture of the lion', [670, 50, 130, 120], 'The Lion of Lume, with both eyes. He has drawn the opal three times larger than it is.'),
        see('books', 'bookshelf', [40, 70, 240, 310], '“Gems of the Southern Isles”, much thumbed. So is “How to be Content”, but less.'),
        see('violin', 'violin', [380, 270, 80, 70], 'In tune. You did not expect that.'),
        see('magnifier', 'big lens', [470, 276, 80, 64], 'Screwed to the desk. Collectors trust nobody.'),
        see('quill', 'quill', [556, 272, 76, 68], 'The ink on it is still wet. He writes letters to other museums.'),
        see('window', 'window', [360, 70, 220, 190], 'One sees the museum from here, and at night whoever carries a light.'),
      ],
    },
    lighthouse: {
      name: 'Lighthouse', draw: draws.lighthouse, tell: (s) => `The room under the lamp, with a hatch to the cellar. The lamp is ${s.flags.lamp ? 'lit' : 'dark'}.`,
      spots: [
        suspect('wren', [720, 220, 140, 260], 'oil', (s) => {
          s.flags.lamp = true;
        }),
        see('lamp', 'great lamp', [920, 60, 170, 150], 'It has not burned for a week. No oil.'),
        {
          id: 'hatch', name: 'cellar', at: [940, 416, 270, 108],
          act: (s) => (s.flags.lamp ? go(s, 'cellar') : say(s, 'Black as a boot down there. Without the lamp above you would break your neck.')),
        },
        way('desk', 'desk', [440, 270, 260, 180], 'in_desk'),
        coat('wren', [304, 112, 112, 144]),
        see('stairs', 'stairs', [60, 100, 230, 250], 'Two hundred and six steps. You believe him.'),
        see('sea', 'window to the sea', [520, 60, 130, 150], 'Ships go past, and keep away from the rocks by sheer politeness.'),
      ],
    },
    cellar: {
      name: 'Cellar', back: 'lighthouse', draw: draws.cellar, tell: 'A beam of light from above falls on a blue sea chest.',
      spots: [
        { ...way('sea_chest', 'sea chest', [520, 280, 260, 160], 'lock_chest'), when: (s) => !s.flags.chest, tell: 'shut by three dials' },
        {
          id: 'proof', name: 'what is in the chest', at: [520, 240, 260, 130], when: (s) => s.flags.chest,
          look: (s) => `The opal! And torn off in a hurry, a button of ${s.data.marks[s.data.thief].buttons}.`,
          act: (s) => proof(s, 'button', `a button of ${s.data.marks[s.data.thief].buttons} lay beside the opal.`),
          tell: (s) => `the opal, and a button of ${s.data.marks[s.data.thief].buttons}`,
        },
        see('barrels', 'barrels', [116, 266, 214, 150], 'Empty. The light of Lume has gone to a good many parties.'),
        see('mouse', 'mouse', [980, 400, 90, 80], 'A witness. It will not talk.'),
        see('bottles', 'bottles', [976, 110, 200, 80], 'Ink, vinegar, ink, and something nobody should drink.'),
      ],
    },
    ...Object.fromEntries(Object.entries(CLOSE).map(([id, c]) => [id, closeUp(c, id, MISSED)])),
    lock_chest: dialLock({
      id: 'chest', name: 'Sea chest', back: 'cellar', count: 3, symbols: [...'0123456789'], metal: '#5a86a0', picture: draws.chestPicture, handle: 'Lift the lid',
      solved: (s, shown) => s.flags.advice && shown.join('') === s.data.code,
      open(s) {
        s.flags.chest = true;
        for (const n of s.data.order) if (s.clues[n].seen !== null) used(s, n);
        go(s, 'cellar');
        say(s, 'The lid is heavy, and then it is not.');
      },
    }),
  },
});
