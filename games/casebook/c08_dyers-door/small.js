// @ts-check
/** The Dyer's Door: baskets, rolls and trunks; nothing in them is needed, and some of it nods in the right direction. */

/** @param {string} id @param {string} name @param {string} icon @param {string} color @param {string} look */
const thing = (id, name, icon, color, look) => ({ id, name, icon, color, look });

/** @type {Record<string, Parameters<import('../adventure/adventure-closeups.js').closeUp>[0]>} */
export const SMALL = {
  in_basket: {
    name: 'Work basket', back: 'hall', wood: '#9a6a42', cloth: '#6a3f52',
    things: [
      thing('yarn', 'ball of yarn', 'yarn', '#c9566a', 'Undyed once. It has been talked into pink.'),
      thing('shears', 'scissors', 'scissors', '#c9a04a', 'Tied to the basket with a ribbon, so that they do not run.'),
      thing('pins', 'pin cushion', 'apple', '#c8323c', 'Shaped like an apple. Bitten once, never twice.'),
      thing('thimble', 'thimble', 'bell', '#c9cdd6', 'It fits nobody. Madame Marrow works without.'),
    ],
  },
  in_rolls: {
    name: 'Rolls of cloth', back: 'store', wood: '#7a5a3f', cloth: '#3f4a55',
    things: [
      thing('linen', 'linen', 'rope', '#e8dcc0', 'Forty ells of linen that does not know yet what it will be.'),
      thing('felt', 'felt hat', 'hat', '#5a4a6a', 'Dyed twice and worn once, to a wedding that was called off.'),
      thing('tally', 'tally', 'note', '#efe8d0', '“What is laid first lies lowest,” somebody wrote. “Tell the boy. Every day.”'),
      thing('silk', 'silk', 'feather', '#f2d8e0', 'One breath, and it is on the other side of the room.'),
      thing('bill', 'bill', 'letter', '#e8d8b0', 'A bill for six vats, marked “paid in curtains”.'),
      thing('gloves', 'shoe', 'shoe', '#3f6a86', 'Blue up to the ankle. Somebody has stepped into a decision.'),
    ],
  },
  in_desk: {
    name: 'Desk', back: 'office', wood: '#6a4232', cloth: '#3a4f3f',
    things: [
      thing('ledger', 'ledger', 'book', '#7a3a42', '“Two dyes make a third: red and yellow, yellow and blue, blue and red. Two of the same make more of it.”'),
      thing('quill', 'quill', 'feather', '#f0ead8', 'Its ink changes every week. The tax office has complained.'),
      thing('glass', 'magnifying glass', 'lens', '#c9a04a', 'To see whether the red is red right through.'),
      thing('mail', 'letter', 'letter', '#f2ecd8', '“From my desk I see the washing from behind,” she writes to her sister, “and still I know it by heart.”'),
      thing('stamp', 'star stamp', 'star', '#d9a520', 'The mark of the house. It means: this will not run.'),
    ],
  },
  in_trunk: {
    name: 'Trunk under the roof', back: 'loft', wood: '#6a4a34', cloth: '#4f3f5f',
    things: [
      thing('mask', 'mask', 'mask', '#c9566a', 'From the year when the fair was green with envy. She had dyed the fair.'),
      thing('doll', 'toy duck', 'duck', '#f0c040', 'The first thing she ever dyed. It had been white, and surprised.'),
      thing('horn', 'horn', 'horn', '#c9a04a', 'It calls the journeymen to dinner in six tones.'),
      thing('score', 'sheet of music', 'note', '#efe8d0', 'No notes on it, only coloured dots. “For bells,” it says below.'),
      thing('crown', 'paper crown', 'crown', '#e0b84c', 'Queen of the Rinse, three years running.'),
    ],
  },
};
