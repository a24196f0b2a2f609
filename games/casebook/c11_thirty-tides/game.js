// @ts-check
/** Thirty Tides: a month in a small town by the sea, three people, and what one remembers of them. */

import { clue, defineAdventure, drop, finish, give, go, has, say, talk, used } from '../adventure/adventure.js';
import { see, way } from '../adventure/adventure-parts.js';
import { icon } from '../adventure/icons.js';
import { DAYS, GIFTS, makeCase, PEOPLE, WEEK } from './case.js';
import { LIKES, LINES, THINGS } from './lines.js';
import { draws, FACES, LOOK, PLACE } from './look.js';

/** @typedef {any} S */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */

const GOOD = 9;
const FINE = -1;
const BAD = -6;
const PRICE = 5;
const HOME = { tove: 'boatyard', emil: 'library', ida: 'meadow' };

const weekday = (/** @type {S} */ s) => (s.vars.day - 1) % 7;
/** Where somebody is today; nowhere, if away. @param {S} s @param {string} who */
const whereIs = (s, who) => ({ home: /** @type {any} */ (HOME)[who], market: 'market', away: '' })[/** @type {'home'} */ (s.data.week[who][weekday(s)])];
const birthday = (/** @type {S} */ s, /** @type {string} */ who) => s.data.birthdays[who] === s.vars.day;

/** @param {S} s @param {string} who @param {number} by */
function warm(s, who, by) {
  s.vars.hearts[who] = Math.max(0, Math.min(100, s.vars.hearts[who] + by));
}

/** An afternoon or an evening has passed. @param {S} s */
function spend(s) {
  s.vars.part += 1;
  go(s, 'town');
  if (s.vars.part > 1) sleep(s);
}

/** @param {S} s */
function sleep(s) {
  s.vars.part = 0;
  s.vars.day += 1;
  go(s, 'town');
  if (s.vars.day <= DAYS) return say(s, `${WEEK[weekday(s)]}, day ${s.vars.day}. ${['The tide is out.', 'The tide is in.', 'The gulls have a meeting.'][s.vars.day % 3]}`);
  s.vars.result = Math.round((s.vars.hearts.tove + s.vars.hearts.emil + s.vars.hearts.ida) / 3);
  finish(s, 'win', `The month is over. Score: ${s.vars.result}. ${s.vars.result >= 85 ? 'Three people stand on the pier, and none of them can talk.' : s.vars.result >= 40 ? 'Somebody waves from the pier for a long time.' : 'The ferry is on time. Nobody minds.'}`);
}

/** The talk that somebody is ready for. @param {S} s @param {string} who */
function meet(s, who) {
  const n = s.vars.talks[who];
  if (s.vars.today.includes(`${who} ${s.vars.day}`)) return say(s, `${LINES[who].name} has work to do, and has seen you today already.`);
  talk(s, who, n < 0 ? 'first' : n < 8 ? 'topic' : 'done');
}

/** @param {S} s @param {string} who @param {number} place of the answer on the screen */
function answer(s, who, place) {
  const kind = ['plain', 'curious', 'playful'][s.data.orders[who][s.vars.talks[who]][place]];
  const others = PEOPLE.filter((p) => p !== who);
  const liked = kind === s.data.tones[who];
  const worst = { plain: 'playful', playful: 'curious', curious: 'plain' }[/** @type {'plain'} */ (s.data.tones[who])];
  s.vars.talks[who] += 1;
  s.vars.gossip = '';
  if (liked) {
    used(s, `tone_${who}`);
    s.vars.good[who] += 1;
    const n = s.vars.good[who];
    // Of whom there is talk: first when they were born, then what they wish for.
    if (n === 1 || n === 2) {
      const about = others[n - 1];
      clue(s, `birthday_${about}`);
      s.vars.gossip = `“Do you know that ${LINES[about].name.split(' ')[0]} has a birthday on day ${s.data.birthdays[about]}? Nobody ever gets told.”`;
    } else if (n === 3 || n === 4) {
      const about = others[n - 3];
      clue(s, `gift_${about}`);
      s.vars.gossip = `“${LINES[about].name.split(' ')[0]} stood before a ${THINGS[s.data.gifts[about]][0]} on the market for a long time, and then bought onions.”`;
    }
  }
  warm(s, who, liked ? GOOD : kind === worst ? BAD : FINE);
  talk(s, who, liked ? 'good' : kind === worst ? 'bad' : 'fine');
}

/** @param {S} s @param {string} who @param {string} item */
function present(s, who, item) {
  if (s.vars.talks[who] < 0) return say(s, 'You have not even told each other your names.');
  const right = s.data.gifts[who] === item;
  drop(s, item);
  if (birthday(s, who)) {
    used(s, `birthday_${who}`);
    if (right) used(s, `gift_${who}`);
    warm(s, who, s.vars.feted.includes(who) ? 0 : right ? 20 : 6);
    s.vars.feted.push(who);
    return talk(s, who, right ? 'feast' : 'kind');
  }
  if (right) used(s, `gift_${who}`);
  warm(s, who, right && !s.vars.given.includes(who) ? 8 : 0);
  if (right) s.vars.given.push(who);
  talk(s, who, right ? 'gift' : 'kind');
}

/** Somebody in a place, on the days when they are there. @param {string} who @param {string} place @param {number[]} at @returns {Spot} */
const person = (who, place, at) => ({
  id: who,
  name: LINES[who].name,
  at,
  when: (s) => whereIs(s, who) === place,
  act: (s) => meet(s, who),
  use: Object.fromEntries(GIFTS.map((g) => [g, (/** @type {S} */ s) => present(s, who, g)])),
});

/** Who is in a place today, in words. @param {string} place */
const who = (place) => (/** @type {S} */ s) => {
  const here = PEOPLE.filter((p) => whereIs(s, p) === place).map((p) => LINES[p].name);
  return here.length ? `Here today: ${here.join(', ')}.` : 'Nobody is here today.';
};

/** @param {string} id */
const talkOf = (id) => {
  const l = LINES[id];
  const on = [{ text: '(Go on)', act: spend }];
  return {
    who: id,
    nodes: {
      first: {
        say: (/** @type {S} */ s) => `${l.first}\n\n“${LIKES[s.data.tones[id]]}”`,
        act: (/** @type {S} */ s) => clue(s, `tone_${id}`),
        choices: [{ text: 'Glad to meet you.', act: (/** @type {S} */ s) => {
          s.vars.talks[id] = 0;
          warm(s, id, 3);
          s.vars.today = [...s.vars.today, `${id} ${s.vars.day}`].slice(-6);
          spend(s);
        } }],
      },
      topic: {
        say: (/** @type {S} */ s) => l.topics[Math.min(7, s.vars.talks[id])][0],
        choices: [0, 1, 2].map((place) => ({
          text: (/** @type {S} */ s) => l.topics[Math.min(7, s.vars.talks[id])][1 + s.data.orders[id][Math.min(7, s.vars.talks[id])][place]],
          act: (/** @type {S} */ s) => {
            s.vars.today = [...s.vars.today, `${id} ${s.vars.day}`].slice(-6);
            answer(s, id, place);
          },
        })),
      },
      good: { say: (/** @type {S} */ s) => `${l.good}${s.vars.gossip ? `\n\n${s.vars.gossip}` : ''}`, choices: on },
      fine: { say: l.fine, choices: on },
      bad: { say: l.bad, choices: on },
      done: { say: l.done, choices: on },
      feast: { say: '“Today? You knew? And this…” For a while nothing more is said, and it is a good while.', choices: on },
      gift: { say: '“How did you know?” It is put where the light falls on it.', choices: on },
      kind: { say: '“That is kind of you.” It is put with other things that were kind.', choices: on },
    },
  };
};

defineAdventure({
  id: 'c11_thirty-tides',
  title: 'Thirty Tides',
  start: 'town',
  look: LOOK,
  intro: 'For thirty days you keep the tea house of Sandvik, and have every afternoon and evening to yourself. Three people are worth getting to know. The ferry leaves on the last night.',
  refuse: ['That is for somebody, not for something.'],
  vars: {
    day: 1, part: 0, coins: 0, result: 0, gossip: '', today: [], given: [], feted: [],
    hearts: { tove: 0, emil: 0, ida: 0 }, talks: { tove: -1, emil: -1, ida: -1 }, good: { tove: 0, emil: 0, ida: 0 },
  },
  setup: makeCase,
  clues: PEOPLE.flatMap((p) => [`tone_${p}`, `birthday_${p}`, `gift_${p}`]),
  milestones: { begun: (s) => PEOPLE.some((p) => s.vars.talks[p] >= 0), month: (s) => s.vars.day > DAYS },
  status: (s) => [
    ['Day', `${Math.min(DAYS, s.vars.day)} of ${DAYS}`],
    [WEEK[weekday(s)], s.vars.part ? 'evening' : 'afternoon'],
    ['Coins', s.vars.coins],
  ],
  items: Object.fromEntries(GIFTS.map((g) => [g, { name: THINGS[g][0], look: `A present: ${THINGS[g][0]}. For whom?`, icon: (/** @type {CanvasRenderingContext2D} */ ctx) => icon(ctx, g, THINGS[g][1]) }])),
  people: Object.fromEntries(PEOPLE.map((p) => [p, { name: LINES[p].name, face: FACES[p] }])),
  talks: Object.fromEntries(PEOPLE.map((p) => [p, talkOf(p)])),
  scenes: {
    town: {
      name: 'Sandvik', draw: draws.town, tell: 'The town by the sea. Where do you go?',
      spots: [
        ...Object.entries(PLACE).map(([id, p]) => way(`to_${id}`, p.name, p.at, id)),
        way('menu', 'diary of hearts', [20, 20, 190, 90], 'menu'),
      ],
    },
    menu: {
      name: 'Diary of hearts', back: 'town', draw: draws.menu,
      tell: (s) => `How fond they are of you, out of 100: ${PEOPLE.map((p) => `${LINES[p].name} ${s.vars.hearts[p]}`).join(', ')}.`,
      spots: [],
    },
    boatyard: {
      name: 'Boatyard', back: 'town', draw: draws.boatyard, tell: who('boatyard'),
      spots: [
        person('tove', 'boatyard', [560, 170, 150, 280]),
        see('hull', 'hull', [760, 170, 400, 230], 'Ribs and half a skin. One can already see what she will be stubborn about.'),
        see('tools', 'tools', [90, 90, 260, 150], 'Each hangs in its own painted shadow. One shadow is empty.'),
      ],
    },
    library: {
      name: 'Library', back: 'town', draw: draws.library, tell: who('library'),
      spots: [
        person('emil', 'library', [600, 160, 150, 240]),
        see('shelves', 'shelves', [60, 50, 420, 330], 'Sorted by an order of which Emil says that it is growing.'),
        see('cat', 'cat', [900, 390, 130, 80], 'The cat is catalogued under Periodicals.'),
      ],
    },
    meadow: {
      name: 'Meadow', back: 'town', draw: draws.meadow, tell: who('meadow'),
      spots: [
        person('ida', 'meadow', [560, 180, 150, 280]),
        see('hives', 'hives', [800, 240, 360, 170], 'Four houses, forty thousand tenants, no complaints.'),
        see('flowers', 'flowers', [100, 380, 300, 110], 'Clover, thyme, cornflower. The menu changes weekly.'),
      ],
    },
    market: {
      name: 'Market', back: 'town', draw: draws.market, tell: (s) => `${who('market')(s)} Every present costs five coins.`,
      spots: [
        ...GIFTS.map((g, i) => ({
          id: `buy_${g}`, name: `${THINGS[g][0]}, five coins`, at: [100 + i * 104, 232, 92, 100],
          act(/** @type {S} */ s) {
            if (has(s, g)) return say(s, 'You have one already.');
            if (s.vars.coins < PRICE) return say(s, `${THINGS[g][2]} You have not got five coins.`);
            s.vars.coins -= PRICE;
            give(s, g);
            say(s, `${THINGS[g][2]} You buy it.`);
          },
        })),
        person('tove', 'market', [780, 190, 140, 270]),
        person('emil', 'market', [950, 190, 140, 270]),
        person('ida', 'market', [1120, 190, 140, 270]),
      ],
    },
    teahouse: {
      name: 'Tea house', back: 'town', draw: draws.teahouse, tell: 'Your tea house. One can serve tea here for five coins, or sleep until tomorrow.',
      spots: [
        {
          id: 'serve', name: 'serve tea (five coins)', at: [480, 240, 320, 220],
          act(s) {
            s.vars.coins += 5;
            spend(s);
            if (!s.over && s.vars.part) say(s, 'You pour, listen, pour. Five coins, and the same story about the eel twice.');
          },
        },
        { id: 'sleep', name: 'sleep until tomorrow', at: [920, 240, 270, 200], act: sleep },
        see('kettles', 'kettles', [100, 120, 280, 160], 'The left one sings, the right one only comments.'),
      ],
    },
  },
});
