// @ts-check
/** The Bell of Sallow: boxes, chests and shelves; a few of the things in them are missed by somebody. */

import { small } from '../adventure/adventure-closeups.js';

/** @type {Record<string, Parameters<import('../adventure/adventure-closeups.js').closeUp>[0]>} */
export const CLOSE = {
  in_box: {
    name: 'Box of things left behind', back: 'inn', wood: '#8a5a34', cloth: '#4a4a30',
    things: [
      small('horn', 'ferry horn', 'horn', '#c79b4a', 'A horn with a W on it. Somebody has been shouting instead. You take it.', 'horn'),
      small('matches', 'matches', 'match', '#b8502c', 'Matches in a waxed box: the only dry thing in Sallow. You take them.', 'matches'),
      small('shoe', 'one shoe', 'shoe', '#5f4a34', 'The other one is in the fen, with everybody’s other one.'),
      small('dice', 'die', 'dice', '#efe6cf', 'Rolls to the lowest corner of the room, like all of us here.'),
      small('almanac', 'almanac', 'book', '#7a3f2a', '“Fenfolk say sunrise for east, noon for south, sunset for west, midnight for north. A step is one field of the chart.”'),
    ],
  },
  in_sack: {
    name: 'Miller’s chest', back: 'mill', wood: '#9a7a4a', cloth: '#6a5a3c',
    things: [
      small('spoon', 'wooden spoon', 'spoon', '#b98a4f', 'For tasting flour. It tastes of wood.'),
      small('knife', 'eel knife', 'knife', '#5a3a24', 'A thin curved knife with a T burnt into the handle. You take it.', 'knife'),
      small('mouse', 'mouse', 'mouse', '#9a8f80', 'On the payroll. It tests the sacks.'),
      small('gear', 'gear wheel', 'gear', '#8a6a3a', 'Left over from the last repair. The mill has not noticed yet.'),
    ],
  },
  in_shelf: {
    name: 'Shelf in the smokehouse', back: 'eels', wood: '#5a4030', cloth: '#3a2f26',
    things: [
      small('brush', 'stiff brush', 'comb', '#c9a25a', 'A brush for scales and moss and manners. You take it.', 'brush'),
      small('fish', 'wooden eel', 'fish', '#6a7a5a', 'A decoy. Three anglers have sworn that it moved.'),
      small('teapot', 'teapot', 'teapot', '#8a5a3a', 'Eel broth. The spout has been polite about it for years.'),
      small('ring', 'ring', 'ring', '#c9a25a', 'Found inside a pike, together with the pike’s regrets.'),
    ],
  },
  in_cupboard: {
    name: 'Ringer’s cupboard', back: 'tower', wood: '#6a5a4a', cloth: '#3f4438',
    things: [
      small('lantern', 'lantern', 'lamp', '#a58a4a', 'A lantern, oil in it, no light in it. You take it.', 'lantern'),
      small('rope', 'bell rope', 'rope', '#cdb27a', 'Cut, not torn. It took a sharp blade and a bad conscience.'),
      small('candle', 'candle', 'candle', '#f0e6c8', 'For evensong, which is any song sung in the evening.'),
      small('hymns', 'hymn book', 'book', '#4a3f5a', 'Every hymn ends with “dong”. Odo hums that part now.'),
      small('cup', 'cup', 'cup', '#c9c2ae', 'Second prize, Bells of the Lowland. First prize went to a bell that is not stolen.'),
    ],
  },
};
