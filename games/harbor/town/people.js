// @ts-check
/**
 * Harbour, whom and what one can speak to or use with A, and what comes of it.
 *
 * @typedef {import('./rules.js').State} State
 * @typedef {{id: string, name: string, x: number, y: number, z: number, yaw: number, look?: import('./figures.js').Look, seen?: string, reach: number,
 *   there?: (s: State) => boolean, says: (s: State) => string[], then?: (s: State) => void}} Someone
 *   `reach`: metres from which A works; `look`: what a person wears, without: a thing; `seen`: what the
 *   picture shows of a person to who does not know them; `says`: a line for each press of A; `then`: after the last
 */

import { ROOF } from './places.js';
import { UP } from './hotel.js';

const CHILD = { x: 1.1, y: 0, z: 10.7 };

/** @type {Someone[]} */
export const SOMEONE = [
  {
    id: 'owner', name: 'the hotel owner', x: 14.9, y: 0, z: 18.7, yaw: 180, reach: 2.2,
    seen: 'a person in purple with a pale apron',
    look: { coat: [96, 52, 74], legs: [50, 46, 60], hair: [206, 202, 204], apron: [230, 220, 206] },
    says: () => ['Welcome to the Heron.', 'A room with a view? Every room has one.', 'Breakfast is at seven. Sleep well!'],
    then: (s) => flag(s, 'met_owner'),
  },
  {
    id: 'keeper', name: 'the harbour keeper', x: 44.8, y: 0, z: 16.2, yaw: 0, reach: 1.9,
    seen: 'a person in a blue coat and a dark cap',
    look: { coat: [44, 66, 108], legs: [40, 44, 60], hair: [188, 178, 168], hat: [34, 46, 76] },
    says: (s) => (s.items.parcel ? ['My parcel! I waited all day for it.', 'Thank you. Mind the tide.'] : ['Good evening. The office is open till nine.']),
    then: (s) => {
      if (!s.items.parcel) return;
      s.items.parcel = false;
      flag(s, 'parcel_delivered');
    },
  },
  {
    id: 'herbs', name: 'the keeper of the herbs stall', x: 27.5, y: 0, z: 31.95, yaw: 180, reach: 2.2,
    seen: 'a person in green with a pale apron',
    look: { coat: [86, 124, 84], legs: [66, 60, 56], hair: [98, 60, 40], apron: [222, 214, 190] },
    says: (s) => (s.items.basket ? ['Ah, my basket of mint! Thank you.', 'Smell it: that is the hill in June.'] : ['Mint, thyme, sea fennel!']),
    then: (s) => {
      if (!s.items.basket) return;
      s.items.basket = false;
      flag(s, 'basket_delivered');
    },
  },
  {
    id: 'bread', name: 'the keeper of the bread stall', x: 31.5, y: 0, z: 31.95, yaw: 180, reach: 2.2,
    seen: 'a person in brown with a white apron',
    look: { coat: [176, 128, 84], legs: [66, 60, 56], hair: [70, 52, 44], apron: [236, 232, 222] },
    says: (s) => (s.items.basket ? ['That is not mine. I sell bread.'] : ['The last loaves of the day!']),
    then: (s) => s.items.basket && flag(s, 'wrong_stall'),
  },
  {
    id: 'shells', name: 'the keeper of the shells stall', x: 35.5, y: 0, z: 31.95, yaw: 180, reach: 2.2,
    seen: 'a person in violet with a pale apron',
    look: { coat: [150, 110, 150], legs: [66, 60, 56], hair: [222, 176, 96], apron: [226, 214, 220] },
    says: (s) => (s.quest === 'm3' ? [HINTS.shells] : s.items.basket ? ['Not mine, dear. I sell shells.'] : ['Hold one to your ear: the sea.']),
    then: (s) => (s.quest === 'm3' ? flag(s, 'asked_shells') : s.items.basket && flag(s, 'wrong_stall')),
  },
  {
    id: 'baker', name: 'the baker', x: 23.4, y: 0, z: 20.4, yaw: 90, reach: 1.9,
    seen: 'a person in white with a white hat',
    look: { coat: [232, 226, 216], legs: [92, 88, 96], hair: [150, 92, 52], hat: [246, 242, 236] },
    says: (s) => (s.quest === 'm3' ? [HINTS.baker] : ['The ovens are cold till morning.']),
    then: (s) => s.quest === 'm3' && flag(s, 'asked_baker'),
  },
  {
    id: 'painter', name: 'the painter', x: 33.6, y: 0, z: 11.6, yaw: 200, reach: 1.9,
    seen: 'a person in a blue coat and a red cap',
    look: { coat: [70, 96, 150], legs: [120, 104, 90], hair: [40, 34, 40], hat: [150, 50, 60] },
    says: (s) => (s.quest === 'm3' ? [HINTS.painter] : ['This light! In ten minutes it is gone.']),
    then: (s) => s.quest === 'm3' && flag(s, 'asked_painter'),
  },
  {
    id: 'fisher', name: 'the fisher', x: 47.9, y: 0, z: 9.3, yaw: 310, reach: 1.9,
    seen: 'a person in an orange coat',
    look: { coat: [206, 120, 56], legs: [66, 80, 70], hair: [196, 190, 180], hat: [96, 110, 76] },
    says: (s) => (s.mump.mode === 'gone' ? ['It is gone? You drove it off?', 'Then I can fish again. Thank you!'] : s.quest === 'm2' ? ['A mump sits on my pier!', 'It puffs up and charges. When it is tired, shout at it with A.'] : ['Quiet evening. The mump sleeps out there.']),
    then: (s) => s.mump.mode === 'gone' && flag(s, 'reported'),
  },
  {
    id: 'child', name: 'the lost child', ...CHILD, yaw: 100, reach: 1.9,
    seen: 'a child in red',
    look: { coat: [226, 84, 96], legs: [70, 84, 120], hair: [96, 62, 40], size: 0.66 },
    there: (s) => s.quest === 'm3',
    says: (s) => (askedAll(s) ? ['You asked everybody? For me?', 'All right, I come home.'] : ['I do not know you.', 'Did you ask the baker, the shell seller and the painter for me?']),
    then: (s) => askedAll(s) && flag(s, 'child_found'),
  },
  {
    id: 'board', name: 'the notice board', x: 47, y: 0, z: 13.05, yaw: 180, reach: 1.6,
    says: () => ['YARD GATE. First pull the BLUE handle, then open the gate.', 'The red handle locks it again.'],
    then: (s) => flag(s, 'board_read'),
  },
  {
    id: 'blue', name: 'the blue handle', x: 50.7, y: 0, z: 12.5, yaw: 270, reach: 1.2,
    says: () => ['Clack. Something slides back in the gate.'],
    then: (s) => flag(s, 'unlocked'),
  },
  {
    id: 'red', name: 'the red handle', x: 50.7, y: 0, z: 8.9, yaw: 270, reach: 1.2,
    says: () => ['Clack. A bolt falls into the gate.'],
    then: (s) => {
      s.flags.unlocked = false;
    },
  },
  {
    id: 'gate', name: 'the yard gate', x: 51.1, y: 0, z: 10.6, yaw: 270, reach: 1.3,
    there: (s) => !s.flags.gate_open,
    says: (s) => (s.flags.unlocked ? ['The gate swings open.'] : ['It is bolted.']),
    then: (s) => s.flags.unlocked && flag(s, 'gate_open'),
  },
  { id: 'lift', name: 'the lift', x: 12.5, y: 0, z: 15.55, yaw: 90, reach: 1.3, says: () => ['You press GALLERY. The lift hums and shakes.', 'Ding! The lift stands where it stood.'], then: (s) => flag(s, 'lift_tried') },
  { id: 'door', name: 'the blue door', x: 43.8, y: 0, z: 13.5, yaw: 180, reach: 1.2, says: () => ['Locked. A note: "Office entrance in the high street."'], then: (s) => flag(s, 'door_tried') },
  {
    id: 'parcel', name: 'a parcel', x: 15.4, y: UP, z: 19.7, yaw: 0, reach: 1.4,
    there: (s) => s.quest === 'm1' && !s.items.parcel && !s.flags.parcel_delivered,
    says: () => ['A parcel: "For the harbour keeper".'],
    then: (s) => {
      s.items.parcel = true;
    },
  },
  { id: 'telescope', name: 'the telescope', x: 42.2, y: ROOF, z: 15.1, yaw: 180, reach: 1.3, says: () => ['Far out, a light turns. The lighthouse.'], then: (s) => flag(s, 'looked_out') },
];

/** @param {State} s @param {string} name */
function flag(s, name) {
  /** @type {Record<string, boolean>} */ (s.flags)[name] = true;
}

/** @type {Record<string, string>} Two of the three are mistaken. */
const HINTS = {
  baker: 'A child in red? At the garden well, an hour ago. Ask the shell seller too.',
  shells: 'She wanted to see the mump on the pier, I think. Ask the painter on the quay.',
  painter: 'In red? She just ran along the quay and hid behind the barrels at the cannery.',
};

/** @param {State} s */
const askedAll = (s) => Object.keys(HINTS).every((who) => s.flags[`asked_${who}`]);

/** Who is there now. @param {State} s */
export function present(s) {
  return SOMEONE.filter((o) => o.there?.(s) ?? true);
}
