// @ts-check
/** Questions one after the other, each answered by one command; the score is the share of right answers, in percent. */

import { defineGame } from '../../commands/commands.js';
import { sky, text } from '../../kit/draw.js';
import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';
import { QUESTIONS } from './questions.js';

const ASKED = 20;

/** @param {any} drawn @returns {{problem: string, answer: string}[]} */
function deal(drawn) {
  if (QUESTIONS.length) return drawn.shuffle(QUESTIONS).slice(0, ASKED);
  return Array.from({ length: ASKED }, () => {
    const [a, b, c] = [drawn.int(10, 99), drawn.int(10, 99), drawn.int(2, 9)];
    return { problem: `What is (${a} + ${b}) * ${c}?`, answer: String((a + b) * c) };
  });
}

/** @param {any} _options @param {import('../../kit/random.js').Rng} rng */
function create(_options, rng) {
  return { rng, tasks: deal(stream(rng, 'tasks')), done: 0, right: 0, over: null };
}

/** @param {any} s */
function wanted(s) {
  return String(s.tasks[s.done]?.answer ?? '').trim();
}

/** @param {any} s */
function describe(s) {
  return s.over ? 'All tasks are done.' : `Task ${s.done + 1} of ${s.tasks.length}.\n${s.tasks[s.done].problem}`;
}

/** @param {any} s @param {{answer: string}} args */
function answer(s, args) {
  const given = String(args.answer).trim();
  s.right += Number(given === wanted(s));
  s.done += 1;
  if (s.done === s.tasks.length) finish(s, 'win', 'All tasks are done.');
  return { ok: true, feedback: `Answered ${given}.` };
}

/** @param {CanvasRenderingContext2D} ctx @param {any} s */
function draw(ctx, s) {
  sky(ctx, '#123', '#345');
  describe(s).split('\n').forEach((line, n) => text(ctx, line, 60, 80 + 50 * n, { size: 26, color: '#eef', align: 'left' }));
}

/** @param {any} s */
function observe(s) {
  return { game_state: { score: (100 * s.right) / s.tasks.length, done: s.done, best: wanted(s) }, metrics: {}, raw: {} };
}

defineGame({ id: 'sums', create, update: () => {}, draw, observe, describe, commands: { answer } });
