// @ts-check
/** The Night Mail, the talks: a guard who is cold, a telegraphist without a fuse, and five people who have been up all night. */

import { clue } from '../adventure/adventure.js';
import { SUSPECTS } from './case.js';

/** @typedef {any} S */

/** @type {Record<string, string>} */
export const PEOPLE = { odette: 'Odette Larch', crumb: 'Major Crumb', nell: 'Nell Tapper', bruno: 'Bruno Hask', silvane: 'Madame Silvane', pike: 'Conductor Pike' };

/** Where the fuse can lie, in words. @type {Record<string, string>} */
const LIES = { in_counter: 'Odette keeps the spare behind the counter of the dining car', in_lost: 'the spare was handed in with the left luggage', in_case: 'Madame in the sleeping car has borrowed the spare for her curling lamp' };

/** @type {Record<string, {start: string, night: string, swan: string, cup: string, want?: (s: S) => string}>} */
const LINES = {
  odette: {
    start: '“Soup is off, the gas is frozen, and the roll is from Tuesday. Apart from that, welcome to the dining car.”',
    night: '“Here, counting spoons. One does, when a train stops. There are always as many as before, which is no alibi, I know.”',
    swan: '“Silver, with a clockwork neck. It bowed to me when they loaded it. Nobody has bowed to me on this line in nine years.”',
    cup: 'She holds her cup with both hands.',
  },
  crumb: {
    start: '“Eh? What? A fire! I was dreaming of a retreat. Sit down, sit down. What are we investigating?”',
    night: '“I slept where I stood, as one learns to. Wake me for the second half, I said, and nobody did.”',
    swan: '“My aunt had one like it. She left it to the swans. I have thought about that will for thirty years.”',
    cup: 'He pours from a flask that has been through several wars.',
  },
  nell: {
    start: '“Signal box. Nothing to signal, nobody to signal to. The line is dead.” She taps a key. It does not tap back.',
    night: '“At the key, sending ‘snow’ to a wire that was not listening. I can give you the exact minutes. They were all alike.”',
    swan: '“It came through on the wire: ‘one swan, fragile, value: do not ask’. So of course I asked.”',
    cup: 'She warms her fingers on an enamel mug.',
    want: (s) => `“My fuse has blown, and ${LIES[s.data.lies.fuse]}. Bring it, and I ask the depot how one opens the yard.”`,
  },
  bruno: {
    start: '“She’ll not move before the plough comes. I keep her warm, and she keeps me warm. It’s more than most couples do.”',
    night: '“With her. Ask her.” He pats the boiler. It says nothing, in a loyal way.',
    swan: '“Pretty thing. My girl would have liked it. But you don’t bring a child a swan that the whole line is looking for.”',
    cup: 'He drinks from the lid of an oil can. You hope that it was washed.',
  },
  silvane: {
    start: '“At last, warmth! I cannot be suspected below ten degrees, it ruins the voice. Above, suspect away.”',
    night: '“In my berth, under everything I own. I did not move. I could not, there was so much of it.”',
    swan: '“It was promised to me, after a concert. Then it was promised to the Duchess. That is how it is with swans.”',
    cup: 'She lifts a porcelain cup with a gold rim.',
  },
};

/** @param {(s: S) => boolean} ready @param {(s: S, who: string) => void} accuse @param {(s: S) => void} leave */
export function talks(ready, accuse, leave) {
  const again = [{ text: 'I have more questions.', to: 'start' }, { text: 'Thank you, that is all.' }];
  const of = Object.fromEntries(
    SUSPECTS.map((who) => {
      const l = LINES[who];
      const nodes = {
        start: {
          say: l.start,
          choices: [
            { text: 'Where were you when the train stopped?', to: 'night' },
            { text: 'What do you think of the silver swan?', to: 'swan' },
            { text: 'What do you drink against the cold?', to: 'cup' },
            { text: 'Thank you, that is all.' },
          ],
        },
        night: { say: (/** @type {S} */ s) => (l.want ? `${l.night}\n\n${l.want(s)}` : l.night), act: l.want ? (/** @type {S} */ s) => clue(s, 'fuse') : undefined, choices: again },
        swan: { say: l.swan, choices: again },
        cup: {
          say: (/** @type {S} */ s) => `${l.cup} It smells of ${s.data.marks[who].drink}.`,
          act: (/** @type {S} */ s) => clue(s, `drink_${who}`),
          choices: again,
        },
        thanks: { say: (/** @type {S} */ s) => `The key begins to chatter. “Depot says: the gate of the goods yard opens with ${inOrder(s)}. They chose what stands still. They did not think of snow.”`, choices: again },
      };
      return [who, { who, nodes }];
    }),
  );
  return {
    ...of,
    pike: {
      who: 'pike',
      nodes: {
        start: {
          say: (/** @type {S} */ s) => s.flags.guard_gone
            ? '“I owe you my toes,” says Conductor Pike to the stove. “What is it, detective? Have you got a name for me?”'
            : '“Nobody goes into the mail van. Not you, not the Duchess. I stand here, and I stand here until I freeze, which will be soon: the waiting room is colder than outside.”',
          act: (/** @type {S} */ s) => clue(s, 'cold'),
          choices: [
            { text: 'What was stolen?', to: 'stolen' },
            { text: 'Who was on the train?', to: 'train' },
            { text: 'There is a fire in the waiting room now.', when: (/** @type {S} */ s) => s.flags.fire_lit && !s.flags.guard_gone, to: 'go' },
            { text: 'I know who did it.', when: ready, to: 'accuse' },
            { text: 'Thank you, that is all.' },
          ],
        },
        stolen: { say: '“A silver swan as big as a goose, out of a sealed crate. It was there at the last tunnel, and here it was not. It has not left the halt: nothing has.”', choices: again },
        train: { say: '“Odette in the dining car, Bruno on the engine, Madame Silvane in the sleeping car, the Major wherever he fell asleep. And Nell of the signal box, who came over to complain.”', choices: again },
        go: { say: '“A fire.” He looks at the van, at his hands, at the van. “It is not as if it had anything left to steal.” And he runs, as well as one can with such feet.', act: leave, choices: [{ text: 'Warm yourself.' }] },
        accuse: {
          say: '“You are sure? When the plough comes I hand over one person, and I would like it to be the right one.”',
          choices: SUSPECTS.map((one) => ({ text: `It was ${PEOPLE[one]}.`, act: (/** @type {S} */ s) => accuse(s, one) })),
        },
      },
    },
  };
}

/** The order of the numbers, in words. @param {S} s */
export function inOrder(s) {
  /** @type {Record<string, string>} */
  const what = { engine: 'the number of the engine', clock: 'the hour of the station clock', wagons: 'the wagons in the yard' };
  return s.data.order.map((/** @type {string} */ n) => what[n]).join(', then ');
}
