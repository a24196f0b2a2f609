// @ts-check
/** Tasks one after the other, each done by one command; the score is the mean of their rewards, in percent. */

import { defineGame } from '../../commands/commands.js';
import { sky, text } from '../../kit/draw.js';
import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';

const ASKED = 20;

/**
 * @typedef {{told: string, rewards: Record<string, number>}} Task  `rewards`: of each answer that has one
 * @param {string} id
 * @param {(drawn: any, count: number) => Task[]} deal
 */
export function defineProbe(id, deal) {
  /** @param {any} _options @param {import('../../kit/random.js').Rng} rng */
  const create = (_options, rng) => {
    return { rng, tasks: deal(stream(rng, 'tasks'), ASKED), done: 0, sum: 0, over: null };
  };
  const describe = (/** @type {any} */ s) => {
    return s.over ? 'All tasks are done.' : `Task ${s.done + 1} of ${s.tasks.length}.\n${s.tasks[s.done].told}`;
  };
  /** @param {any} s @param {{answer: string}} args */
  const answer = (s, args) => {
    const said = String(args.answer).trim();
    s.sum += s.tasks[s.done].rewards[said] ?? 0;
    s.done += 1;
    if (s.done === s.tasks.length) finish(s, 'win', 'All tasks are done.');
    return { ok: true, feedback: `Answered ${said}.` };
  };
  /** @param {CanvasRenderingContext2D} ctx @param {any} s */
  const draw = (ctx, s) => {
    sky(ctx, '#123', '#345');
    describe(s).split('\n').forEach((line, n) => text(ctx, line, 60, 80 + 50 * n, { size: 26, color: '#eef', align: 'left' }));
  };
  const observe = (/** @type {any} */ s) => {
    const rewards = Object.entries(s.tasks[s.done]?.rewards ?? {});
    const best = rewards.sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
    return { game_state: { score: (100 * s.sum) / s.tasks.length, done: s.done, best }, metrics: {}, raw: {} };
  };
  defineGame({ id, create, update: () => {}, draw, observe, describe, commands: { answer } });
}
