// @ts-check
/** The Opal Eye, the talks: everybody has a reason, a wish and three marks. */

import { clue } from '../adventure/adventure.js';
import { SUSPECTS } from './case.js';

/** @typedef {any} S */

const where = (/** @type {S} */ s, /** @type {string} */ thing) => s.data.where[thing];

/** @type {Record<string, {start: string, night: string, eye: string, want: (s: S) => string, thanks: (s: S) => string, sign: string, hello: string}>} */
const LINES = {
  berta: {
    start: '“Thirty years I have dusted that lion. Whoever did this did it to me. Look around, but do not touch the velvet.”',
    night: '“In bed, with a book. My glass was gone, so I held it at arm’s length, and fell asleep at arm’s length too.”',
    eye: '“They wanted to cut my wages. An opal would have paid for a new roof. There, now you have a reason for me as well.”',
    want: (s) => `“My reading glass! I left it ${where(s, 'glass')}, I think. Without it I cannot read the ledger, where every visitor signs.”`,
    thanks: (s) => `“Bless you. Let me see the ledger… The last one last night smeared the ink, as only somebody does who writes with the ${s.data.marks[s.data.thief].hand} hand.”`,
    sign: 'She signs your notebook',
    hello: 'She leans towards you.',
  },
  rook: {
    start: '“Ferry’s not going. Ferry’s going when there are questions enough to fill it. Ask, then.”',
    night: '“On deck. I sleep there. A captain who goes home is a passenger.”',
    eye: '“A stone like that buys a bigger boat. Yes, I have thought of it. Everybody here thinks of it.”',
    want: (s) => `“My pipe’s gone. Somebody has seen it ${where(s, 'pipe')}. I do not talk well without it.”`,
    thanks: (s) => `“Ahh. Now I remember: at midnight somebody took my dinghy and rowed to the lighthouse. I saw no face. But the wind brought a smell of ${s.data.marks[s.data.thief].scent}.”`,
    sign: 'He signs your notebook',
    hello: 'He shakes your hand.',
  },
  ilse: {
    start: '“Good morning! A rose for the detective? No? Then a daisy. Nobody can be against a daisy.”',
    night: '“Tying wreaths for the regatta, until my fingers went to sleep before the rest of me.”',
    eye: '“The lion frightened me as a child. I told it I would take its eyes one day. I was four.”',
    want: (s) => `“My garden scissors! I lent them out, and now they lie ${where(s, 'scissors')}, of all places. I tear the stems now, and they cry.”`,
    thanks: () => '“You are an angel. Take this lily, and take it up to Doctor Pym: it is his name day, and nobody ever remembers.”',
    sign: 'She signs your notebook',
    hello: 'She ties a daisy to your lapel.',
  },
  pym: {
    start: '“A detective. How quaint. Touch what you like, as long as it is the doorknob.”',
    night: '“I was cataloguing. One hears nothing when one catalogues, except oneself.”',
    eye: '“I offered the museum a fortune for it. They laughed. I laugh last, as a rule, though I have not begun.”',
    want: () => '“It is my name day, since you ask. In eleven years nobody has brought me so much as a flower.”',
    thanks: (s) => {
      /** @type {Record<string, string>} */
      const words = { lions: 'the lions over the museum’s door', boat: 'the boat', clock: 'the clock on the market' };
      return `“A lily. For me.” He blows his nose. “The sea chest in the lighthouse cellar was mine once. Its number is: ${s.data.order.map((/** @type {string} */ n) => words[n]).join(', then ')}. I chose what never changes.”`;
    },
    sign: 'He signs your notebook',
    hello: 'He takes off his glasses and comes close.',
  },
  wren: {
    start: '“Mind the steps, mind your head, mind the lamp. It does not burn, but it is still proud.”',
    night: '“Up here in the dark. I sang to the ships instead. None has complained so far.”',
    eye: '“An opal in a lamp, think of it: the whole sea in colours. I would have given it back in the morning.”',
    want: (s) => `“Oil! The last can I know of stands ${where(s, 'oil')}. Nobody thinks of the ships.”`,
    thanks: () => '“Hear how it drinks!” The lamp roars up, and its light falls through every hatch, down into the cellar.',
    sign: 'He signs your notebook',
    hello: 'He pats you on the back.',
  },
};

/** @param {Record<string, string>} people @param {(s: S) => boolean} ready @param {(s: S, who: string) => void} accuse */
export function talks(people, ready, accuse) {
  return Object.fromEntries(
    SUSPECTS.map((who) => {
      const l = LINES[who];
      const again = [{ text: 'I have more questions.', to: 'start' }, { text: 'Thank you, that is all.' }];
      const mark = (/** @type {string} */ m) => (/** @type {S} */ s) => clue(s, `${m}_${who}`);
      const nodes = {
        start: {
          say: l.start,
          choices: [
            { text: 'Where were you last night?', to: 'night' },
            { text: 'What do you think of the opal?', to: 'eye' },
            { text: 'Would you sign my notebook?', to: 'sign' },
            { text: 'Let us shake hands.', to: 'hello' },
            who === 'berta'
              ? { text: 'I know who did it.', to: 'accuse', when: ready }
              : { text: 'Thank you, that is all.' },
            ...(who === 'berta' ? [{ text: 'Thank you, that is all.', when: (/** @type {S} */ s) => !ready(s) }] : []),
          ],
        },
        night: { say: (/** @type {S} */ s) => `${l.night}\n\n${l.want(s)}`, choices: again },
        eye: { say: l.eye, choices: again },
        sign: { say: (/** @type {S} */ s) => `${l.sign}, with the ${s.data.marks[who].hand} hand.`, act: mark('hand'), choices: again },
        hello: { say: (/** @type {S} */ s) => `${l.hello} There is a smell of ${s.data.marks[who].scent} about ${who === 'berta' || who === 'ilse' ? 'her' : 'him'}.`, act: mark('scent'), choices: again },
        thanks: { say: l.thanks, choices: again },
        accuse: {
          say: '“You are sure? The whole town stands outside. Say the name only if you are sure.”',
          choices: SUSPECTS.map((one) => ({ text: one === 'berta' ? 'It was you, Berta Quill.' : `It was ${people[one]}.`, act: (/** @type {S} */ s) => accuse(s, one) })),
        },
      };
      return [who, { who, nodes }];
    }),
  );
}

