// @ts-check
/** Villa Celadon, the talks: a hostess who is enjoying herself, and five guests who know where they sat. */

import { clue } from '../adventure/adventure.js';
import { ALL, GUESTS, HOST } from './case.js';

/** @typedef {any} S */

/** @type {Record<string, string>} */
export const PEOPLE = { celadon: 'Madame Celadon', basil: 'Basil Thrush', ines: 'Doctor Ines Quartz', otto: 'Otto Plume', greta: 'Aunt Greta', lucan: 'Lucan Moss' };

/** @type {Record<string, {start: string, seat: (where: string) => string, dark: string, pearls: string}>} */
const LINES = {
  celadon: {
    start: '“An inspector, at my party! Do take a glass. The pearls are gone, the lights are gone, and nobody has thought of leaving. It is a triumph.”',
    seat: (w) => `“I? ${w} One hears everything from there, and may pretend that one does not.”`,
    dark: '“The light went at eleven. Somebody put it out in the cellar: the fuse is missing. We sat in the dark and were witty, and when the candles came the cushion was empty.”',
    pearls: '“Forty pearls, and none of them real. But the thief does not know that, and I will not have my things taken by people who do not know.”',
  },
  basil: {
    start: '“Mi-mi-mi. Forgive me. One must keep it warm. In case somebody asks.”',
    seat: (w) => `“My seat? ${w} Acoustically it was a scandal.”`,
    dark: '“In the dark I sang a held A, so that people would know where I was. They asked me to stop being there.”',
    pearls: '“On a throat like hers, pearls. On a throat like mine, a scarf. Tell me that this is just.”',
  },
  ines: {
    start: '“Do not step there. … Thank you. It was only a crumb, but it might have been a beetle.”',
    seat: (w) => `“${w} I drew a plan of it at once, and ate the plan, since it was on a biscuit.”`,
    dark: '“A minute and ten seconds. I count in the dark. Somebody got up after the twentieth second, in soft shoes.”',
    pearls: '“A pearl is what an oyster thinks of an intruder. I find that very reasonable.”',
  },
  otto: {
    start: '“Me? I make the sweets. Six, all different. Tonight she made me sit at the table like a Christian, and look what comes of it.”',
    seat: (w) => `“${w} From there I could see every spoon go up. It is a hard thing to watch.”`,
    dark: '“In the dark one should smell a dessert. They talked instead. Barbarians, all of them.”',
    pearls: '“Sugar pearls I can make you by the thousand. They melt, and so they are never stolen twice.”',
  },
  greta: {
    start: '“You look like my third husband. Sit up. What do you want to know?”',
    seat: (w) => `“${w} At my age one is put where the draught is.”`,
    dark: '“I held on to my plate. I have been to parties in this house before.”',
    pearls: '“They were mine, before they were my sister’s, before they were false. It is a long story, and we are all in it.”',
  },
  lucan: {
    start: '“You have an interesting ear. I may need to borrow it for a picture. No? Later, perhaps.”',
    seat: (w) => `“${w} Terrible light. And then none at all, which was better.”`,
    dark: '“Black on black. I have tried to paint it for years, and there it hung, for free.”',
    pearls: '“I painted them once. She paid me in soup. It is a fair price for pearls like these.”',
  },
};

/** Where somebody sat, as that person says it. @param {S} s @param {string} who */
export function saying(s, who) {
  const { kind, to, past } = s.data.says[who];
  const { side, along } = s.data.seats[who];
  if (kind === 'corner') return `I sat on the ${side} side, at the end by the ${along}.`;
  if (kind === 'opposite') return `I sat right across the table from ${PEOPLE[to]}.`;
  if (kind === 'beside') return `I sat in the middle of my side, next to ${PEOPLE[to]}.`;
  return `I sat on the same side as ${PEOPLE[past]}, with ${PEOPLE[to]} between us.`;
}

/** @param {(s: S) => boolean} ready @param {(s: S, who: string) => void} accuse */
export function talks(ready, accuse) {
  const again = [{ text: 'I have more questions.', to: 'start' }, { text: 'Thank you, that is all.' }];
  return Object.fromEntries(
    ALL.map((who) => {
      const l = LINES[who];
      const nodes = {
        start: {
          say: l.start,
          choices: [
            { text: 'Where did you sit at dinner?', to: 'seat' },
            { text: 'What happened in the dark?', to: 'dark' },
            { text: 'What do you think of the pearls?', to: 'pearls' },
            ...(who === HOST ? [{ text: 'I know who took the pearls.', to: 'accuse', when: ready }] : []),
            { text: 'Thank you, that is all.' },
          ],
        },
        seat: { say: (/** @type {S} */ s) => l.seat(saying(s, who)), act: (/** @type {S} */ s) => clue(s, `seat_${who}`), choices: again },
        dark: { say: l.dark, choices: again },
        pearls: { say: l.pearls, choices: again },
        accuse: {
          say: '“In front of everybody? Oh, please. But only one name, Inspector: two would be a quarrel.”',
          choices: GUESTS.map((one) => ({ text: `It was ${PEOPLE[one]}.`, act: (/** @type {S} */ s) => accuse(s, one) })),
        },
      };
      return [who, { who, nodes }];
    }),
  );
}
