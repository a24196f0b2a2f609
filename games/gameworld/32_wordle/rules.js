// @ts-check
/** Five Letters, the rules: six guesses at a hidden word; each letter is judged. The fifth letter sends the guess;
 * what is no word is refused and costs no try. After six wrong guesses, another word is hidden. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';
import { answer, isWord, PUZZLES } from './words.js';

export const LENGTH = 5;
export const GUESSES = 6;
/** Updates without a key after which an unfinished guess is wiped away. */
const WIPE = 300;

/** @typedef {'correct'|'present'|'absent'} Mark */

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const [mode, puzzle] = options.hash ?? ['infinite', 1];
  if (mode !== 'infinite' || !Number.isInteger(puzzle) || puzzle < 1 || puzzle > PUZZLES) {
    throw new Error(`option #${[mode, puzzle].join('/')} does not exist; allowed: #infinite/1 to #infinite/${PUZZLES}`);
  }
  return {
    rng,
    puzzle,
    /** The word to be found; nothing that a player sees or is told may depend on it but marks. */
    hidden: answer(stream(rng, `word ${puzzle}`)),
    /** Letters of the unfinished guess. */
    typed: '',
    /** The letters that were refused last, shown until the next key. */
    refused: '',
    sinceKey: 0,
    /** @type {{word: string, marks: Mark[]}[]} */
    guesses: [],
    sinceGuess: 999,
    refusals: 0,
    /** Words that were not found. */
    missed: 0,
    note: 'Type a word of five letters.',
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.sinceGuess += 1;
  s.sinceKey = s.typed ? s.sinceKey + 1 : 0;
  if (s.sinceKey > WIPE) {
    s.typed = '';
    s.note = 'The unfinished word was wiped away.';
  }
  for (const key of input.keys) {
    if (s.over) return;
    s.sinceKey = 0;
    s.refused = '';
    if (key === 'Backspace') s.typed = s.typed.slice(0, -1);
    else if (key === 'Enter' && s.typed) s.note = 'A guess needs five letters.';
    else if (/^[a-z]$/.test(key)) letter(s, key);
  }
}

/** @param {State} s @param {string} key */
function letter(s, key) {
  s.typed += key;
  if (s.typed.length < LENGTH) return;
  const word = s.typed;
  s.typed = '';
  if (!isWord(word)) {
    s.refused = word;
    s.refusals += 1;
    s.note = `${word.toUpperCase()} is not a word.`;
    return;
  }
  const marks = judge(word, s.hidden);
  s.sinceGuess = 0;
  s.guesses.push({ word, marks });
  const right = marks.filter((m) => m === 'correct').length;
  s.note = `${right} of ${LENGTH} letters in place.`;
  if (right === LENGTH) finish(s, 'win', `The word is ${word.toUpperCase()}.`);
  else if (s.guesses.length === GUESSES) another(s);
}

/** @param {State} s */
function another(s) {
  s.hidden = answer(stream(s.rng, `word ${s.puzzle}`));
  s.guesses = [];
  s.missed += 1;
  s.note = 'Not found. Another word is hidden.';
}

/** Letters in place first; then each other letter counts as often as the word still has it.
 * @param {string} word @param {string} hidden @returns {Mark[]} */
export function judge(word, hidden) {
  const left = [...hidden].filter((c, i) => word[i] !== c);
  return [...word].map((c, i) => {
    if (hidden[i] === c) return 'correct';
    const at = left.indexOf(c);
    if (at < 0) return 'absent';
    left.splice(at, 1);
    return 'present';
  });
}

/** What is known of a letter: the best mark it ever got. @param {State} s @param {string} letter @returns {Mark | ''} */
export function known(s, letter) {
  const marks = s.guesses.flatMap((g) => g.marks.filter((_, i) => g.word[i] === letter));
  return marks.includes('correct') ? 'correct' : marks.includes('present') ? 'present' : (marks[0] ?? '');
}

/** @param {State} s */
export function observe(s) {
  const last = s.guesses[s.guesses.length - 1]?.marks ?? [];
  const count = (/** @type {Mark} */ mark) => last.filter((m) => m === mark).length;
  return {
    game_state: {
      score: count('correct'),
      level: s.puzzle,
      progress: count('correct') / LENGTH,
      completion_progress: count('correct') / LENGTH,
      player: { typed: s.typed, refused: s.refused },
      board: s.guesses,
    },
    metrics: {
      attempts: s.guesses.length,
      guesses_remaining: GUESSES - s.guesses.length,
      letters_correct: count('correct'),
      letters_present: count('present'),
      letters_absent: count('absent'),
      refusals: s.refusals,
      words_missed: s.missed,
    },
    raw: { note: s.note },
  };
}

/** The screen in words. @param {State} s */
export function describe(s) {
  /** @type {Record<Mark, string>} */
  const sign = { correct: 'G', present: 'O', absent: '-' };
  const letters = (/** @type {Mark | ''} */ mark) =>
    [...'abcdefghijklmnopqrstuvwxyz'].filter((c) => known(s, c) === mark).join(' ') || 'none';
  const lines = [
    `Puzzle ${s.puzzle}. Guesses left: ${GUESSES - s.guesses.length} of ${GUESSES}.`,
    'Marks under each guess: G green, right letter in the right place; O orange, in the word in another place; - grey, not in the word.',
  ];
  s.guesses.forEach((g, i) => {
    lines.push(`${i + 1}. ${[...g.word.toUpperCase()].join(' ')}`, `   ${g.marks.map((m) => sign[m]).join(' ')}`);
  });
  if (!s.over) {
    const row = s.typed.toUpperCase().padEnd(LENGTH, '_');
    if (s.refused) lines.push(`Row ${s.guesses.length + 1} is empty again: ${s.refused.toUpperCase()} was refused, it is not a word.`);
    else lines.push(`Row ${s.guesses.length + 1}, not sent yet: ${[...row].join(' ')}`);
  }
  lines.push(
    `The keyboard: green ${letters('correct')}; orange ${letters('present')}; grey ${letters('absent')}; not tried ${letters('')}.`,
    `Note: ${s.note}`,
  );
  return lines.join('\n');
}
