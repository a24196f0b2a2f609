// @ts-check
/** The Bell of Sallow, the talks: a reeve who wants quiet, and five people who each were somewhere else. */

import { clue } from '../adventure/adventure.js';
import { SUSPECTS } from './case.js';

/** @typedef {any} S */

/** @type {Record<string, string>} */
export const PEOPLE = { hob: 'Hob Sedge', tansy: 'Tansy Rudd', odo: 'Brother Odo', wick: 'Wick Marlow', lisbet: 'Lisbet Crane', reeve: 'Reeve Hanna' };
/** @type {Record<string, string>} */
export const WHERE = { weir: 'the eel weir', hide: 'the heron hide', chapel: 'the drowned chapel' };
/** @type {Record<string, string>} */
export const KNOWN = { inn: 'the inn', mill: 'the mill', eels: 'the eel house', tower: 'the tower', ferry: 'the ferry' };

/** @type {Record<string, {start: string, friday: (place: string) => string, bell: string, want?: string}>} */
const LINES = {
  hob: {
    start: '“Wind’s from the reeds, flour’s damp, and now you. What is it?” He says it kindly, as millers do, which is loudly.',
    friday: (p) => `“Friday? Out at ${p}, all night. A miller needs to be somewhere that does not turn.”`,
    bell: '“It rang me out of bed at every fog for thirty years. I miss it like a tooth.”',
  },
  tansy: {
    start: '“Mind the barrels. What’s in them minds you.” She does not look up from the nets.',
    friday: (p) => `“I was at ${p} on Friday, from dusk to cockcrow. Ask the eels. They’re discreet.”`,
    bell: '“Bronze fetches money downriver. There: now I’ve said what everybody thinks.”',
    want: '“You want to know where the weir is? My gran’s song tells it. I’d sing, but I only sing when I gut, and Hob has had my eel knife since midsummer.”',
  },
  odo: {
    start: '“Peace be with you. It is certainly with us. Listen to it. Dreadful.”',
    friday: (p) => `“On Friday I was at ${p}, in silence. I had no notion that I would find more of it at home.”`,
    bell: '“Her name was Old Margery. She was cracked, and flat, and right about the fog every single time.”',
  },
  wick: {
    start: '“Ferry’s over there, river’s over there, and I’m in between. That’s the whole trade.”',
    friday: (p) => `“Friday night I lay at ${p}. No passengers in fog: they get in at one bank and out at the same one.”`,
    bell: '“Without it I cross by smell. You would be surprised. So am I, mostly, where I land.”',
    want: '“I would lend you the sluice crank. But somebody at the inn has my horn, and till I blow it nobody knows that the ferry is open for business.”',
  },
  lisbet: {
    start: '“Don’t move, there’s a teal behind you. … It’s gone. Well, what can I do for the law?”',
    friday: (p) => `“On Friday I sat at ${p} and painted the dark. I sold it already, too. To a man who likes it plain.”`,
    bell: '“It frightened the herons. I complained. In writing. I see how that looks now.”',
  },
};

/** The song, which tells one field of the chart. @param {S} s */
export const song = (s) => `level with ${KNOWN[s.data.song.level]} lies the weir, and ${KNOWN[s.data.song.line]} lies straight north or south of it`;

/** @param {(s: S) => boolean} ready @param {(s: S, who: string) => void} accuse */
export function talks(ready, accuse) {
  const again = [{ text: 'I have more questions.', to: 'start' }, { text: 'Thank you, that is all.' }];
  const of = Object.fromEntries(
    SUSPECTS.map((who) => {
      const l = LINES[who];
      const nodes = {
        start: {
          say: l.start,
          choices: [
            { text: 'Where were you on Friday night?', to: 'friday' },
            { text: 'What do you think of the bell?', to: 'bell' },
            { text: 'Can you help me?', to: 'want' },
            { text: 'Thank you, that is all.' },
          ],
        },
        friday: { say: (/** @type {S} */ s) => l.friday(WHERE[s.data.claims[who]]), act: (/** @type {S} */ s) => clue(s, `claim_${who}`), choices: again },
        bell: { say: l.bell, choices: again },
        want: {
          say: l.want ?? '“I have told you where I was. If you find the place, you will find my boat’s sign there: we all leave it, everywhere. It is good manners in a fog.”',
          act: l.want ? (/** @type {S} */ s) => clue(s, `want_${who}`) : undefined,
          choices: again,
        },
        thanks: {
          say: (/** @type {S} */ s) => who === 'tansy'
            ? `She takes an eel, and sings: “Oh, ${song(s)}; and whoever goes looking goes home with wet feet.”`
            : '“My horn!” He blows it, and three people on the far bank stand up. “There’s the crank of the sluice. Mind, it lowers the whole fen a foot.”',
          choices: again,
        },
      };
      return [who, { who, nodes }];
    }),
  );
  return {
    ...of,
    reeve: {
      who: 'reeve',
      nodes: {
        start: {
          say: '“You are the bailiff? You look dry. It will pass. Sit on whatever floats.”',
          choices: [
            { text: 'What happened?', to: 'what' },
            { text: 'Who has a boat?', to: 'boats' },
            { text: 'What is out there, in the reeds?', to: 'reeds' },
            { text: 'I know who took the bell.', when: ready, to: 'accuse' },
            { text: 'Thank you, that is all.' },
          ],
        },
        what: { say: '“Friday at midnight the fog bell stopped in the middle of a dong. In the morning the tower was empty. It went by boat: there is no other way to go.”', choices: again },
        boats: { say: '“Five: Hob at the mill, Tansy at the eel house, Odo at the tower, Wick at the ferry, and the painter here. Each boat has a sign, and where its people go ashore they leave that sign.”', choices: again },
        reeds: { say: '“A weir, a hide, a chapel; on no chart, so that strangers do not eat our eels. You go by punt, with a pole in hand, and you had better know which field of the chart you mean. A wrong one keeps the pole.”', choices: again },
        accuse: {
          say: '“One name. I write it into the flood book in ink, and ink does not swim off again.”',
          choices: SUSPECTS.map((one) => ({ text: `It was ${PEOPLE[one]}.`, act: (/** @type {S} */ s) => accuse(s, one) })),
        },
      },
    },
  };
}
