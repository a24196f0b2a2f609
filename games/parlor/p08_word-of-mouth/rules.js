// @ts-check
/**
 * Word of Mouth, the rules: a search for a word finds the clips in which it is said, but lists only the first five in
 * the order of recording; what is said in a clip is known once it has been watched. The seed deals the first search, and
 * a way for the scripted player: words that lead from its clips to every clip.
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { ARCHIVES, WORD } from './archives.js';

/** Clips that a search lists. */
export const LISTED = 5;
/** Characters that the search field takes from the keyboard. */
const LONGEST = 24;
/** Frames after which the picture of a watched clip stands still. */
export const SPEAKS = 240;

/** Where the mouse acts: the button of the search field, and the listed clips. */
export const BUTTON = { x: 560, y: 18, w: 130, h: 56 };
export const TILES = Array.from({ length: LISTED }, (_, i) => ({ x: 20 + i * 249, y: 478, w: 241, h: 226 }));

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const name = oneOf(options, 'archive', Object.keys(ARCHIVES), 'low-water');
  const s = {
    rng,
    archive: name,
    /** The way from clip to clip, never shown. */
    way: deal(ARCHIVES[name], stream(rng, 'cards')),
    /** Its words that were said in watched clips, in the order of hearing. @type {string[]} */
    heard: [],
    /** What stands in the search field, and whether the next letter begins another word. */
    typed: '',
    done: true,
    /** The word of the last search, and the clips that have it. */
    query: '',
    hits: 0,
    /** The listed clips, by their place in the archive. @type {number[]} */
    listed: [],
    /** Those of them that were watched since the search. @type {number[]} */
    played: [],
    /** The clip that is shown, or -1. */
    open: -1,
    /** All watched clips. @type {number[]} */
    watched: [],
    /** Different words that were searched for, in order. @type {string[]} */
    searched: [],
    ok: true,
    said: '',
    /** Frames since the last clip began, for the picture. */
    age: SPEAKS,
    over: null,
  };
  s.heard.push(s.way[0]);
  search(s, s.way[0]);
  return s;
}

/**
 * Deals the way: rare words that lead from the clips of the first one to every clip, and further ones.
 * @param {import('./archives.js').Archive} archive @param {import('../../kit/random.js').Stream} luck
 */
function deal({ way, clips, index, rare }, luck) {
  const words = luck.shuffle(rare);
  const said = (/** @type {string} */ word) => /** @type {number[]} */ (index.get(word));
  const out = new Set([words.find((word) => said(word).length === 2) ?? words[0]]);
  const reached = new Set([...out].flatMap(said));
  const leads = (/** @type {string} */ word) =>
    said(word).some((i) => reached.has(i)) && said(word).slice(0, LISTED).some((i) => !reached.has(i));
  while (reached.size < clips.length) {
    const next = words.find(leads);
    if (!next) break;
    out.add(next);
    for (const i of said(next).slice(0, LISTED)) reached.add(i);
  }
  for (const word of words) if (out.size < way) out.add(word);
  return [...out];
}

/** What is said in a clip. @param {State} s @param {number} clip */
export const transcript = (s, clip) => ARCHIVES[s.archive].clips[clip].text;

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {boolean} ok @param {string} feedback */
function answer(s, ok, feedback) {
  s.ok = ok;
  s.said = feedback;
  return { ok, feedback };
}

/** Lists the first clips in which a word is said. @param {State} s @param {string} text */
export function search(s, text) {
  const word = text.trim().toLowerCase().replaceAll('’', "'");
  if (!word) return answer(s, false, 'Name a word to search for.');
  Object.assign(s, { typed: word.slice(0, LONGEST), done: true });
  if (!/^[a-z]+(?:'[a-z]+)*$/.test(word)) return answer(s, false, `'${word}' is not one word. A search is for one word, without quotation marks.`);
  const clips = ARCHIVES[s.archive].index.get(word) ?? [];
  Object.assign(s, { query: word, hits: clips.length, listed: clips.slice(0, LISTED), played: [], open: -1 });
  if (!s.searched.includes(word)) s.searched.push(word);
  if (!clips.length) return answer(s, false, `'${word}' is said in no clip.`);
  const fresh = s.listed.filter((i) => !s.watched.includes(i)).length;
  const listed = s.hits > LISTED ? `the first ${LISTED} are` : s.hits > 1 ? 'all are' : 'it is';
  return answer(s, true, `'${word}' is said in ${s.hits} ${s.hits > 1 ? 'clips' : 'clip'}; ${listed} listed, ${fresh} of them new.`);
}

/** Watches a listed clip. @param {State} s @param {number} number its place in the list, from 1 */
export function play(s, number) {
  const clip = s.listed[number - 1];
  if (clip === undefined) return answer(s, false, `There is no clip ${number} in the list, which has ${s.listed.length}.`);
  const fresh = !s.watched.includes(clip);
  if (fresh) s.watched.push(clip);
  if (!s.played.includes(clip)) s.played.push(clip);
  Object.assign(s, { open: clip, age: 0 });
  for (const word of ARCHIVES[s.archive].clips[clip].text.toLowerCase().match(WORD) ?? []) {
    if (s.way.includes(word) && !s.heard.includes(word)) s.heard.push(word);
  }
  const { length } = ARCHIVES[s.archive].clips;
  if (s.watched.length === length) finish(s, 'win', `You have watched all ${length} clips.`);
  return answer(s, true, `You watched clip ${number}${fresh ? ', which was new' : ' once more'}.`);
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.age = Math.min(SPEAKS, s.age + 1);
  const letters = input.text.toLowerCase().replace(/[^a-z']/g, '');
  if (letters) s.typed = ((s.done ? '' : s.typed) + letters).slice(0, LONGEST);
  if (input.pressed('Backspace')) s.typed = s.typed.slice(0, -1);
  if (letters || input.pressed('Backspace')) s.done = false;
  const click = input.clicked('left');
  const on = (/** @type {typeof BUTTON} */ b) => click && click.x >= b.x && click.x < b.x + b.w && click.y >= b.y && click.y < b.y + b.h;
  const chosen = TILES.findIndex((tile, i) => on(tile) || input.pressed(String(i + 1)));
  if (input.pressed('Enter') || on(BUTTON)) search(s, s.typed);
  else if (chosen >= 0) play(s, chosen + 1);
}

/** @type {Record<string, import('../../commands/commands.js').Command>} */
export const commands = { search: (s, { word }) => search(s, word), play: (s, { clip }) => play(s, clip) };

/** @param {State} s */
export function observe(s) {
  const { clips } = ARCHIVES[s.archive];
  return {
    game_state: {
      score: s.watched.length,
      progress: s.watched.length / clips.length,
      total: clips.length,
      archive: s.archive,
      typed: s.typed,
      query: s.query,
      hits: s.hits,
      entities: s.listed.map((i) => ({
        date: clips[i].date,
        time: clips[i].time,
        seen: clips[i].seen,
        new: !s.watched.includes(i),
        text: s.played.includes(i) ? transcript(s, i) : '',
      })),
      heard: s.heard,
      searched: s.searched,
      said: s.said,
    },
    metrics: { searches: s.searched.length },
  };
}
