// @ts-check
import { defineProbe } from '../parts/probe.js';
import { QUESTIONS } from './questions.js';

defineProbe('sums', (drawn, count) => {
  if (QUESTIONS.length) {
    const shuffled = drawn.shuffle([...QUESTIONS]).slice(0, count);
    return shuffled.map((/** @type {any} */ q) => ({ told: q.problem, rewards: { [String(q.answer).trim()]: 1 } }));
  }
  return Array.from({ length: count }, () => {
    const [a, b, c] = [drawn.int(10, 99), drawn.int(10, 99), drawn.int(2, 9)];
    return { told: `What is (${a} + ${b}) * ${c}?`, rewards: { [(a + b) * c]: 1 } };
  });
});
