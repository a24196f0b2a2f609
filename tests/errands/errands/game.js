// @ts-check
/** A walker on a line with a shop, for tests of commands: by keys one pixel a frame, by commands as far as they go. */

import { defineGame } from '../commands/commands.js';
import { finish } from '../kit/game.js';

defineGame({
  id: 'errands',
  create: (options, rng) => ({ rng, x: 0, coins: 10, seeds: 0, updates: 0, typed: '', clicks: 0 }),
  update(s, input) {
    s.updates += 1;
    s.x = Math.min(90, s.x + input.axis('ArrowLeft', 'ArrowRight'));
    s.typed += input.text;
    s.clicks += input.clicks.length;
    if (s.x >= 80) finish(s, 'fail', 'You fell into the pond.');
  },
  draw(ctx, s) {
    ctx.fillStyle = '#123';
    ctx.fillRect(0, 0, 1280, 720);
    ctx.fillStyle = '#fff';
    ctx.fillRect(10 * s.x, 350, 20, 20);
  },
  describe: (s) => `You are at ${s.x} and have ${s.coins} coins and ${s.seeds} seeds.`,
  observe: (s) => ({ game_state: { score: s.seeds, x: s.x, coins: s.coins, typed: s.typed, clicks: s.clicks }, raw: { updates: s.updates } }),
  commands: {
    buy(s, { seed, count }) {
      const bought = Math.min(count, Math.floor(s.coins / seed));
      s.coins -= seed * bought;
      s.seeds += bought;
      return bought ? { ok: true, feedback: `Bought: ${bought}.` } : { ok: false, feedback: `${s.coins} coins are too few.` };
    },
    *walk(s, { x }, role) {
      for (let frames = 0; frames < 120; frames++) {
        if (s.x === x) return { ok: true, feedback: `${role} is at ${x}.` };
        yield [s.x < x ? 'ArrowRight' : 'ArrowLeft'];
      }
      return { ok: false, feedback: `${role} is still at ${s.x}.` };
    },
    *sign(s, { text }) {
      yield [...text[0], { kind: 'mouse_down', x: 5, y: 5 }];
      yield;
      return { ok: true, feedback: s.typed };
    },
    *wander() {
      for (;;) yield [];
    },
    shrug: () => /** @type {any} */ ('?'),
    *trip() {
      yield [];
      throw new Error('no shoes');
    },
  },
});
