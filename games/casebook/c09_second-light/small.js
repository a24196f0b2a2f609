// @ts-check
/** Second Light: stands, boxes, drawers; nothing in them is needed, and some of it nods in the right direction. */

import { small } from '../adventure/adventure-closeups.js';

/** @type {Record<string, Parameters<import('../adventure/adventure-closeups.js').closeUp>[0]>} */
export const SMALL = {
  in_stand: {
    name: 'Umbrella stand', back: 'foyer', wood: '#3f6a66', cloth: '#123a3c',
    things: [
      small('umbrella', 'parasol', 'umbrella', '#ff9e6b', 'Against the light, not the rain. In this house that is the same.'),
      small('hat', 'top hat', 'hat', '#2a3a42', 'Lined with mirror. The wearer was never sure who he was.'),
      small('glove', 'star pin', 'star', '#d9b86a', 'It was lost under the stand by somebody who was looking up.'),
      small('card', 'card', 'letter', '#f2fbf7', '“Professor Glim, lenses for lighthouses. Visitors are shown out by the light.”'),
    ],
  },
  in_box: {
    name: 'Jewel box', back: 'dressing', wood: '#a5604f', cloth: '#3a2a3f',
    things: [
      small('ring', 'ring', 'ring', '#d9b86a', 'The stone has been ground so well that it cannot be seen.'),
      small('comb', 'comb', 'comb', '#7a4a3a', 'Her left hand used it, says the mirror. The mirror lies about hands.'),
      small('gem', 'glass gem', 'gem', '#5fc4b8', 'Not a jewel. A failed lens, kept because it was pretty about it.'),
      small('shell', 'shell', 'shell', '#f4c4b0', 'From the rock below the first lighthouse that she lit.'),
    ],
  },
  in_music: {
    name: 'Sheets of music', back: 'salon', wood: '#2f4a52', cloth: '#5a3a34',
    things: [
      small('waltz', 'waltz', 'note', '#f6ecd2', '“Colours of the Evening”. To be played by whatever light is left.'),
      small('study', 'study', 'note', '#e8dcc0', 'A study for one hand, and a lamp for the other.'),
      small('fork', 'tuning fork', 'magnet', '#c8d4d8', 'It hums when the light comes through the window. You cannot explain it.'),
      small('taper', 'taper', 'match', '#d98a5a', '“Light the little one first,” is written on the box, “or it sulks.”'),
    ],
  },
  in_bench: {
    name: 'Workbench', back: 'workshop', wood: '#7a5a3a', cloth: '#1f3f44',
    things: [
      small('lens1', 'lens', 'lens', '#d9b86a', 'You look through it and see the wall, and then the wall behind the wall.'),
      small('wheel', 'gear wheel', 'gear', '#8a9a9a', 'A spring sits on it. It puts mirrors back that have been turned in vain.'),
      small('rouge', 'polish', 'bottle', '#c8503c', 'Polishing rouge. The thumbs of a whole life are in it.'),
      small('plan', 'plan', 'note', '#cfe4e4', '“In at the left, out at the eye, and by the way through the signs that were told: in order!” Underlined twice.'),
      small('globe', 'crystal ball', 'globe', '#5fc4b8', 'It shows the workshop upside down. The future is not in it.'),
    ],
  },
  in_shelf: {
    name: 'Shelf', back: 'workshop', wood: '#7a5a3a', cloth: '#44302a',
    things: [
      small('book1', 'Optics', 'book', '#1f6a6a', '“Light is lazy and goes straight. It is the mirrors that have ideas.”'),
      small('book2', 'Sundials', 'book', '#d98a5a', 'Twelve hours, half of them with a sign. “The others are for lunch.”'),
      small('book3', 'Mirrors', 'book', '#5a6a8a', 'Printed the wrong way round. One reads it in front of itself.'),
      small('lamp', 'lantern', 'lamp', '#d9b86a', 'The first one she made. It still thinks it is a lighthouse.'),
      small('cup', 'cup', 'cup', '#f2fbf7', 'Cold tea. It is clearer than most glass.'),
    ],
  },
};
