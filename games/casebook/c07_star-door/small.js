// @ts-check
/** The Star Door: books and drawers, none of which is needed, and some of which nod in the right direction. */

import { small } from '../adventure/adventure-closeups.js';

/** @type {Record<string, Parameters<import('../adventure/adventure-closeups.js').closeUp>[0]>} */
export const SMALL = {
  in_books: {
    name: 'Bookshelves', back: 'library', wood: '#5a4a3a', cloth: '#2a2e58',
    things: [
      small('b1', 'Comets', 'book', '#7a3a5a', '“They come back. Plan dinner accordingly.”'),
      small('b2', 'Water', 'book', '#3a5a86', '“What hangs above is below in the water, and what is below is above. Left stays left.”'),
      small('b3', 'Windows', 'book', '#b8a05a', 'A novel. Somebody has lit the right ones on every page.'),
      small('b4', 'The Moon', 'book', '#8a8fb0', 'Eight pictures in a circle: new, thin, half, thick, full, thick, half, thin.'),
      small('b5', 'Animals', 'book', '#4a6a5a', '“Pride is measured in pedestal.”'),
      small('b6', 'Locks', 'book', '#5a5a66', 'Every page says: No.'),
      small('b7', 'Silence', 'book', '#c9cde0', 'Empty. Rather good.'),
      small('b8', 'Patience', 'book', '#a5562c', 'It is in four hundred volumes. You have found the second.'),
    ],
  },
  in_drawers: {
    name: 'Chest of drawers', back: 'gallery', wood: '#6a5a4a', cloth: '#3a2f48',
    things: [
      small('d1', 'brush', 'feather', '#e8d8b0', 'For starlight: a single hair.'),
      small('d2', 'calendar', 'note', '#efe8d0', 'Nights I, III, V and VII are ticked: “painted”. On the others it says: “looked”.'),
      small('d3', 'spoon', 'spoon', '#c9cde0', 'For stirring ink. Or soup. Better not ask.'),
      small('d4', 'shell', 'shell', '#e0b8c0', 'A long way from the sea. So are you.'),
      small('d5', 'die', 'dice', '#efeadc', 'The builder never used it. She looked.'),
    ],
  },
};
