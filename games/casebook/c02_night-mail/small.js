// @ts-check
/** The Night Mail: drawers, boxes and shelves; a few of the things in them are needed. */

import { small } from '../adventure/adventure-closeups.js';

/** What can be taken, and lies in another place in every case. */
export const LOOSE = [
  small('kettle', 'kettle', 'teapot', '#8a9ab0', 'A kettle, full of water that is thinking of becoming ice. You take it.', 'kettle'),
  small('matches', 'matches', 'match', '#c8603a', 'A box of matches. “For candles only”, it says, “and sieges.” You take it.', 'matches'),
  small('fuse', 'fuse', 'fuse', '#c9a04a', 'A telegraph fuse, which has no business here. You take it.', 'fuse'),
  small('scuttle', 'coal scuttle', 'scuttle', '#5a6274', 'A coal scuttle without coal. You take it.', 'scuttle'),
  small('oil', 'oil can', 'oil', '#5a7a6a', 'Lamp oil, for lamps that are out. You take it.', 'oil'),
  small('scissors', 'scissors', 'scissors', '#9aa0a8', 'For cutting ribbons at openings. You take them.', 'scissors'),
  small('magnet', 'magnet', 'magnet', '#c8503c', 'It has already found three hairpins. You take it.', 'magnet'),
  small('comb', 'comb', 'comb', '#d8c08a', 'Tortoiseshell. The tortoise has been avenged by several teeth. You take it.', 'comb'),
  small('spoon', 'spoon', 'spoon', '#c8cdd6', 'The one spoon that does not belong to the set. It is counted anyway. You take it.', 'spoon'),
  small('hook', 'hook', 'hook', '#8a929c', 'It once coupled two wagons that never got on. You take it.', 'hook'),
  small('hammer', 'hammer', 'hammer', '#8a5a34', 'For listening to wheels. You take it.', 'hammer'),
];

/** @type {Record<string, Parameters<import('../adventure/adventure-closeups.js').closeUp>[0]>} */
export const CLOSE = {
  in_counter: {
    name: 'Behind the counter', back: 'dining', wood: '#7a3f34', cloth: '#4a2a2f',
    things: [
      small('pear', 'pear', 'pear', '#b8c04a', 'Frozen. One could sink a ship with it.'),
      small('menu', 'menu', 'note', '#f2e8d0', '“Soup. Soup (cold). No soup.” Tonight the third is crossed out as too expensive.'),
    ],
  },
  in_lost: {
    name: 'Left luggage', back: 'waiting', wood: '#6a4a34', cloth: '#3a4250',
    things: [
      small('hat', 'top hat', 'hat', '#2a2a34', 'Left by a gentleman who arrived with two heads full of plans.'),
      small('violin', 'violin', 'violin', '#a5602f', 'Its owner is still on the platform, in a manner of speaking: he is on the list of the missing.'),
      small('duck', 'tin duck', 'duck', '#e0b83a', 'It waddles for a penny. You have no penny.'),
      small('shoe', 'shoe', 'shoe', '#6a4a5a', 'Size of a child, weight of a grown-up. There is a stone in it.'),
    ],
  },
  in_levers: {
    name: 'Shelf over the levers', back: 'signal', wood: '#4a5a4f', cloth: '#2f3a44',
    things: [
      small('rules', 'rule book', 'book', '#8a2f34', '“Rule 9: What stands still may be used as a number.”'),
      small('bell', 'bell', 'bell', '#c9a04a', 'Two rings: train in. Three rings: train out. One ring: Nell is lonely.'),
      small('flag', 'coil of rope', 'rope', '#c8b08a', 'For getting down when the steps are ice.'),
      small('cup', 'spare mug', 'cup', '#d8dce4', 'Clean. She drinks from the other one.'),
    ],
  },
  in_case: {
    name: 'Madame’s dressing case', back: 'sleeping', wood: '#6a3a5a', cloth: '#3a2a44',
    things: [
      small('mask', 'mask', 'mask', '#c05a72', 'For the second act of everything.'),
      small('letter', 'letter', 'letter', '#f2e8dc', '“The swan is yours,” writes somebody, and on the next page: “no longer.”'),
      small('feather', 'feather', 'feather', '#f2f2f6', 'White. Ostrich, not swan. You check twice.'),
    ],
  },
  in_tools: {
    name: 'Tool box', back: 'van', wood: '#5a5248', cloth: '#2a3038',
    things: [
      small('gear', 'gear wheel', 'gear', '#9aa0a8', 'Too small for a train, too big for a swan.'),
    ],
  },
};
