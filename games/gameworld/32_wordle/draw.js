// @ts-check
/** Five Letters, the picture: six rows of tiles, the keyboard with what is known, a legend. */

import { box, hud, sky, text } from '../../kit/draw.js';
import { GUESSES, known, LENGTH } from './rules.js';

const TILE = 70;
const PITCH = 78;
const LEFT = 640 - (LENGTH * PITCH - 8) / 2;
const TOP = 72;
/** @type {Record<string, string>} */
const FILL = { correct: '#2e9e4f', present: '#d9940a', absent: '#59616f', '': '#2b3342' };
const REFUSED = '#ff5d6c';
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#161c29', '#1d2637');
  hud(ctx, [['Puzzle', s.puzzle]]);
  hud(ctx, [['Guesses left', GUESSES - s.guesses.length]], { align: 'right' });
  text(ctx, 'Five Letters', 640, 38, { size: 36, color: '#f2f5fb' });
  for (let row = 0; row < GUESSES; row++) line(ctx, s, row);
  ROWS.forEach((keys, row) => {
    [...keys].forEach((c, i) => {
      const x = 640 + (i - keys.length / 2) * 62;
      const mark = known(s, c);
      box(ctx, x + 3, 560 + row * 52, 56, 46, mark === 'absent' ? '#12161f' : mark ? FILL[mark] : '#78839a', { radius: 8 });
      text(ctx, c.toUpperCase(), x + 31, 584 + row * 52, { size: 26, color: mark === 'absent' ? '#5d6679' : '#ffffff' });
    });
  });
  legend(ctx);
  note(ctx, s);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} row */
function line(ctx, s, row) {
  const guess = s.guesses[row];
  const word = guess?.word ?? (row === s.guesses.length ? s.refused || s.typed : '');
  const wrong = !guess && s.refused && row === s.guesses.length;
  const now = row === s.guesses.length && !s.over;
  for (let i = 0; i < LENGTH; i++) {
    const x = LEFT + i * PITCH;
    const y = TOP + row * PITCH;
    const edge = guess ? FILL[guess.marks[i]] : wrong ? REFUSED : now ? '#f2f5fb' : '#4a556b';
    box(ctx, x, y, TILE, TILE, guess ? FILL[guess.marks[i]] : wrong ? '#4a1d26' : '#202838', { radius: 8, edge, line: now ? 4 : 3 });
    if (word[i]) text(ctx, word[i].toUpperCase(), x + TILE / 2, y + TILE / 2 + 2, { size: 44, color: wrong ? '#ff9aa5' : '#ffffff' });
  }
}

/** What happened last; beside its row, in red, if the letters were no word.
 * @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function note(ctx, s) {
  if (!s.refused) return text(ctx, s.note, 1070, 250, { size: 21, color: '#f5d98b', bold: false });
  const y = TOP + s.guesses.length * PITCH + TILE / 2;
  box(ctx, 860, y - 34, 350, 68, '#4a1d26', { radius: 10, edge: REFUSED, line: 3 });
  text(ctx, s.note, 1035, y - 11, { size: 23, color: '#ffffff' });
  text(ctx, 'It costs no guess: try another.', 1035, y + 16, { size: 19, color: '#ffc2c9', bold: false });
}

/** @param {CanvasRenderingContext2D} ctx */
function legend(ctx) {
  /** @type {[string, string, string][]} */
  const rows = [
    ['correct', 'right letter,', 'right place'],
    ['present', 'in the word,', 'other place'],
    ['absent', 'not in', 'the word'],
  ];
  rows.forEach(([mark, a, b], i) => {
    const y = 150 + i * 110;
    box(ctx, 70, y, 62, 62, FILL[mark], { radius: 8 });
    text(ctx, a, 150, y + 18, { size: 22, color: '#dfe6f3', align: 'left', bold: false });
    text(ctx, b, 150, y + 46, { size: 22, color: '#dfe6f3', align: 'left', bold: false });
  });
}
