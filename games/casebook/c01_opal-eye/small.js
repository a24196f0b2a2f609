// @ts-check
/** The Opal Eye: cabinets, boxes and tables full of small things; a few of them are missed by somebody. */

import { small } from '../adventure/adventure-closeups.js';

/** What somebody misses, which lies in another place in every case. */
export const MISSED = [
  small('oil', 'oil can', 'oil', '#5d7a6a', 'A full can of lamp oil. Somebody could use that; you take it.', 'oil'),
  small('glass', 'reading glass', 'lens', '#c9a04a', 'A reading glass, good for small print. You take it.', 'glass'),
  small('pipe', 'pipe', 'pipe', '#7a4a28', 'A chewed old pipe, “from a gentleman of the sea”. You take it, and leave a note.', 'pipe'),
  small('scissors', 'garden scissors', 'scissors', '#c8503a', 'Garden scissors, much too fine for rope. You take them.', 'scissors'),
];

/** @type {Record<string, Parameters<import('../adventure/adventure-closeups.js').closeUp>[0]>} */
export const CLOSE = {
  in_curiosities: {
    name: 'Cabinet of curiosities', back: 'museum', wood: '#8a6a48', cloth: '#3f5a55',
    things: [
      small('mask', 'carnival mask', 'mask', '#a0526a', 'Worn by a mayor who wished to hear what people say about mayors.'),
      small('crown', 'tin crown', 'crown', '#c9a94a', 'The crown of Lume. There was a king for one weekend in 1731.'),
      small('shell', 'singing shell', 'shell', '#f0c9b8', 'It sings. It also listens, says the label.'),
      small('tooth', 'giant’s comb', 'comb', '#8a6a4a', 'Found on the beach. The giant has not been found.'),
    ],
  },
  in_lost: {
    name: 'Lost and Found', back: 'harbour', wood: '#a9783f', cloth: '#4a3b2a',
    things: [
      small('umbrella', 'umbrella', 'umbrella', '#37506b', 'One of eleven. It only rains on Lume when the ferry leaves.'),
      small('shoe', 'shoe', 'shoe', '#8c3b46', 'A left shoe. Somebody hopped home.'),
      small('ticket', 'ticket', 'ticket', '#d8c58c', 'A single to Lume. Nobody ever buys a return, and everybody stays cross.'),
      small('duck', 'toy duck', 'duck', '#e8bb3a', 'It has crossed more often than the ferry.'),
      small('dice', 'die', 'dice', '#f2ede0', 'Six on three of its sides. The Captain has lost it, he says.'),
    ],
  },
  in_bric: {
    name: 'Bric-a-brac', back: 'market', wood: '#8a6238', cloth: '#5a4a52',
    things: [
      small('watch', 'watch', 'watch', '#c9a04a', 'It has stopped, out of solidarity with the tower.'),
      small('horn', 'horn', 'horn', '#c79b4a', 'Blow it, and all the dogs of Lume come. You do not blow it.'),
      small('candle', 'candle', 'candle', '#efe2c0', 'Church candle, hardly used.'),
      small('fish', 'painted fish', 'fish', '#5a9ab0', 'It was fresh when it was painted.'),
    ],
  },
  in_collection: {
    name: 'Doctor Pym’s collection', back: 'hill', wood: '#5a3d2a', cloth: '#3a2f4a',
    things: [
      small('gem1', 'agate', 'gem', '#b06a4a', 'Agate, from the north shore.'),
      small('gem2', 'jade', 'gem', '#4a9a6a', 'Jade. The label says: “a gift”, in a hand that was not giving.'),
      small('gem3', 'amethyst', 'gem', '#8a5ab0', 'Amethyst, with a bite mark. Collectors test everything.'),
      small('gem4', 'glass', 'gem', '#a9d4e0', 'Window glass, from the time before he had a lens.'),
      small('empty', 'empty cushion', 'star', '#6a5a7a', 'An empty cushion, the size of an egg. It has been waiting for years.'),
    ],
  },
  in_desk: {
    name: 'Wren’s desk', back: 'lighthouse', wood: '#8a6238', cloth: '#4a5560',
    things: [
      small('cup', 'cup', 'cup', '#d9e2e6', 'Tea with salt in it. Waves come in at strange angles here.'),
      small('rope', 'rope', 'rope', '#cdb27a', 'Every knot that there is, one after the other.'),
      small('log', 'logbook', 'book', '#37506b', '“Midnight. A dinghy at the foot of the tower. Thought I dreamed it. Sang a little louder.”'),
      small('photo', 'photograph', 'photo', '#7a8a9a', 'Five people before the lion: all of them young, all of them friends.'),
    ],
  },
};
