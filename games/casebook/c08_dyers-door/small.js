// @ts-check
/** The Dyer's Door: baskets, rolls and trunks; nothing in them is needed, and some of it nods in the right direction. */

import { small } from '../adventure/adventure-closeups.js';

/** @type {Record<string, Parameters<import('../adventure/adventure-closeups.js').closeUp>[0]>} */
export const SMALL = {
  in_basket: {
    name: 'Work basket', back: 'hall', wood: '#9a6a42', cloth: '#6a3f52',
    things: [
      small('yarn', 'ball of yarn', 'yarn', '#c9566a', 'Undyed once. It has been talked into pink.'),
      small('shears', 'scissors', 'scissors', '#c9a04a', 'Tied to the basket with a ribbon, so that they do not run.'),
      small('pins', 'pin cushion', 'apple', '#c8323c', 'Shaped like an apple. Bitten once, never twice.'),
      small('thimble', 'thimble', 'bell', '#c9cdd6', 'It fits nobody. Madame Marrow works without.'),
    ],
  },
  in_rolls: {
    name: 'Rolls of cloth', back: 'store', wood: '#7a5a3f', cloth: '#3f4a55',
    things: [
      small('linen', 'linen', 'rope', '#e8dcc0', 'Forty ells of linen that does not know yet what it will be.'),
      small('felt', 'felt hat', 'hat', '#5a4a6a', 'Dyed twice and worn once, to a wedding that was called off.'),
      small('tally', 'tally', 'note', '#efe8d0', '“What is laid first lies lowest,” somebody wrote. “Tell the boy. Every day.”'),
      small('silk', 'silk', 'feather', '#f2d8e0', 'One breath, and it is on the other side of the room.'),
      small('bill', 'bill', 'letter', '#e8d8b0', 'A bill for six vats, marked “paid in curtains”.'),
      small('gloves', 'shoe', 'shoe', '#3f6a86', 'Blue up to the ankle. Somebody has stepped into a decision.'),
    ],
  },
  in_desk: {
    name: 'Desk', back: 'office', wood: '#6a4232', cloth: '#3a4f3f',
    things: [
      small('ledger', 'ledger', 'book', '#7a3a42', '“Two dyes make a third: red and yellow, yellow and blue, blue and red. Two of the same make more of it.”'),
      small('quill', 'quill', 'feather', '#f0ead8', 'Its ink changes every week. The tax office has complained.'),
      small('glass', 'magnifying glass', 'lens', '#c9a04a', 'To see whether the red is red right through.'),
      small('mail', 'letter', 'letter', '#f2ecd8', '“From my desk I see the washing from behind,” she writes to her sister, “and still I know it by heart.”'),
      small('stamp', 'star stamp', 'star', '#d9a520', 'The mark of the house. It means: this will not run.'),
    ],
  },
  in_trunk: {
    name: 'Trunk under the roof', back: 'loft', wood: '#6a4a34', cloth: '#4f3f5f',
    things: [
      small('mask', 'mask', 'mask', '#c9566a', 'From the year when the fair was green with envy. She had dyed the fair.'),
      small('doll', 'toy duck', 'duck', '#f0c040', 'The first thing she ever dyed. It had been white, and surprised.'),
      small('horn', 'horn', 'horn', '#c9a04a', 'It calls the journeymen to dinner in six tones.'),
      small('score', 'sheet of music', 'note', '#efe8d0', 'No notes on it, only coloured dots. “For bells,” it says below.'),
      small('crown', 'paper crown', 'crown', '#e0b84c', 'Queen of the Rinse, three years running.'),
    ],
  },
};
