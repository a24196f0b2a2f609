// @ts-check
/** The Night Mail: drawers, boxes and shelves; a few of the things in them are needed. */

/** @param {string} id @param {string} name @param {string} icon @param {string} color @param {string} look @param {string} [take] */
const thing = (id, name, icon, color, look, take) => ({ id, name, icon, color, look, take });

/** @type {Record<string, Parameters<import('../adventure/adventure-closeups.js').closeUp>[0]>} */
export const CLOSE = {
  in_counter: {
    name: 'Behind the counter', back: 'dining', wood: '#7a3f34', cloth: '#4a2a2f',
    things: [
      thing('kettle', 'kettle', 'teapot', '#8a9ab0', 'A kettle, full of water that is thinking of becoming ice. You take it.', 'kettle'),
      thing('matches', 'matches', 'match', '#c8603a', 'A box of matches. “For candles only”, it says, “and sieges.” You take it.', 'matches'),
      thing('spoon', 'spoon', 'spoon', '#c8cdd6', 'The one spoon that does not belong to the set. It is counted anyway.'),
      thing('pear', 'pear', 'pear', '#b8c04a', 'Frozen. One could sink a ship with it.'),
      thing('menu', 'menu', 'note', '#f2e8d0', '“Soup. Soup (cold). No soup.” Tonight the third is crossed out as too expensive.'),
    ],
  },
  in_lost: {
    name: 'Left luggage', back: 'waiting', wood: '#6a4a34', cloth: '#3a4250',
    things: [
      thing('hat', 'top hat', 'hat', '#2a2a34', 'Left by a gentleman who arrived with two heads full of plans.'),
      thing('violin', 'violin', 'violin', '#a5602f', 'Its owner is still on the platform, in a manner of speaking: he is on the list of the missing.'),
      thing('duck', 'tin duck', 'duck', '#e0b83a', 'It waddles for a penny. You have no penny.'),
      thing('shoe', 'shoe', 'shoe', '#6a4a5a', 'Size of a child, weight of a grown-up. There is a stone in it.'),
    ],
  },
  in_levers: {
    name: 'Shelf over the levers', back: 'signal', wood: '#4a5a4f', cloth: '#2f3a44',
    things: [
      thing('book', 'rule book', 'book', '#8a2f34', '“Rule 9: What stands still may be used as a number.”'),
      thing('bell', 'bell', 'bell', '#c9a04a', 'Two rings: train in. Three rings: train out. One ring: Nell is lonely.'),
      thing('flag', 'coil of rope', 'rope', '#c8b08a', 'For getting down when the steps are ice.'),
      thing('cup', 'spare mug', 'cup', '#d8dce4', 'Clean. She drinks from the other one.'),
    ],
  },
  in_case: {
    name: 'Madame’s dressing case', back: 'sleeping', wood: '#6a3a5a', cloth: '#3a2a44',
    things: [
      thing('fuse', 'fuse', 'fuse', '#c9a04a', 'A fuse, out of a curling lamp that had no right to it. You take it.', 'fuse'),
      thing('mask', 'mask', 'mask', '#c05a72', 'For the second act of everything.'),
      thing('comb', 'comb', 'comb', '#d8c08a', 'Tortoiseshell. The tortoise has been avenged by several teeth.'),
      thing('letter', 'letter', 'letter', '#f2e8dc', '“The swan is yours,” writes somebody, and on the next page: “no longer.”'),
      thing('feather', 'feather', 'feather', '#f2f2f6', 'White. Ostrich, not swan. You check twice.'),
    ],
  },
  in_tools: {
    name: 'Tool box', back: 'van', wood: '#5a5248', cloth: '#2a3038',
    things: [
      thing('oil', 'oil can', 'oil', '#5a7a6a', 'Lamp oil, for lamps that are out. You take it.', 'oil'),
      thing('hammer', 'hammer', 'hammer', '#8a5a34', 'For listening to wheels.'),
      thing('hook', 'hook', 'hook', '#8a929c', 'It once coupled two wagons that never got on.'),
      thing('gear', 'gear wheel', 'gear', '#9aa0a8', 'Too small for a train, too big for a swan.'),
    ],
  },
};
