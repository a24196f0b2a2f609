// @ts-check
/** Villa Celadon: drawers, boxes and desks; a few of the things in them are needed. */

import { small } from '../adventure/adventure-closeups.js';

/** What is needed, and lies in another place in every case. */
export const NEEDED = [
  small('fuse', 'fuse', 'fuse', '#c9a04a', 'A fuse, wrapped in a napkin without a name. You take it.', 'fuse'),
  small('tap', 'tap key', 'crank', '#8fa8a0', 'A key for a garden tap, green with age. You take it.', 'tap'),
  small('mirror', 'hand mirror', 'lens', '#d8b45a', 'A little hand mirror. Everybody in this house owns one. You take it.', 'mirror'),
];

/** @type {Record<string, Parameters<import('../adventure/adventure-closeups.js').closeUp>[0]>} */
export const CLOSE = {
  in_stand: {
    name: 'Hat stand', back: 'hall', wood: '#5a3a2c', cloth: '#2c5a4a',
    things: [
      small('tophat', 'top hat', 'hat', '#22242c', 'Basil’s. He takes it off to sing, and nobody has asked him to, all evening.'),
      small('umbrella', 'parasol', 'umbrella', '#d8788c', 'Aunt Greta’s. It has a sword in it, and in the sword a pencil.'),
      small('glove', 'card', 'note', '#f6eedd', '“Dinner at eight. Sweets at ten. Something dreadful at eleven, if my luck holds. Celadon.”'),
      small('mask', 'mask', 'mask', '#d8b45a', 'From last year’s party, at which the cake was stolen. They are used to it here.'),
    ],
  },
  in_drawer: {
    name: 'Kitchen drawer', back: 'kitchen', wood: '#a9814f', cloth: '#f0e8d8',
    things: [
      small('whisk', 'spoon', 'spoon', '#a8aeb8', 'For tasting. Its handle is worn down by doubt.'),
      small('matchbox', 'matches', 'match', '#c8603a', 'One left. The cook is saving it for a crêpe.'),
      small('list', 'list', 'letter', '#f6eedd', '“Six sweets, no two alike, one at each seat. Whoever swaps plates is not asked again.”'),
      small('pear', 'pear', 'pear', '#b8c04a', 'Poached in wine. It does not care any more.'),
    ],
  },
  in_shelf: {
    name: 'Cellar shelf', back: 'cellar', wood: '#5a5248', cloth: '#33403c',
    things: [
      small('bottle1', 'old wine', 'bottle', '#6a2438', 'Older than the guests, and better kept.'),
      small('candle', 'candle', 'candle', '#f2ead4', 'It has seen seven blackouts. It has theories.'),
      small('rope', 'rope', 'rope', '#c8b08a', 'Good rope. In this house that means: nobody has escaped on it yet.'),
    ],
  },
  in_bench: {
    name: 'Piano bench', back: 'music', wood: '#3a2a24', cloth: '#7a2f48',
    things: [
      small('song', 'sheet of music', 'note', '#f6eedd', '“Nocturne for people who will not go home.” It is in nine movements.'),
      small('fork', 'tuning fork', 'hook', '#c8cdd6', 'You strike it. Three dogs and a tenor look up.'),
      small('comb', 'comb', 'comb', '#d8b45a', 'With one grey hair, of which everybody says that it is somebody else’s.'),
    ],
  },
  in_books: {
    name: 'Shelf in the study', back: 'study', wood: '#4a3226', cloth: '#24483c',
    things: [
      small('b1', 'Pearls', 'book', '#c8ccd8', '“They lose their light in the dark, and their owners in company.”'),
      small('b2', 'Table manners', 'book', '#8c3b46', '“A guest may fold the napkin, or keep silent about it. To carry it away is a confession.”'),
      small('b3', 'Mirrors', 'book', '#4a7a8a', '“What a blotter drinks in, it says backwards. Hold a mirror to it, and be discreet.”'),
      small('b4', 'Celadons', 'book', '#3f7a5f', 'Eleven generations, one chin.'),
    ],
  },
};
