// @ts-check
/** Two fencers, for tests of roles that act at different times. */

import { defineGame } from '../commands/commands.js';
import { finish } from '../kit/game.js';

defineGame({
  id: 'duel',
  create: (options, rng) => ({ rng, frames: 0, limit: Number(options.mode ?? 0), thrusts: { left: 0, right: 0 }, held: { a: 0, b: 0 } }),
  update(s, input) {
    s.frames += 1;
    for (const key of ['a', 'b']) s.held[key] += input.held(key) ? 1 : 0;
    if (s.limit && s.frames >= s.limit) finish(s, 'fail', 'Time is up.');
  },
  draw(ctx, s) {
    ctx.fillStyle = '#123';
    ctx.fillRect(0, 0, 1280, 720);
    ctx.fillStyle = '#fff';
    ctx.fillRect(10 * s.frames, 350, 20, 20);
  },
  describe: (s, role) => `${role}, it is frame ${s.frames}.`,
  observe: (s) => ({ game_state: { score: s.thrusts.left, frames: s.frames, thrusts: s.thrusts, held: s.held } }),
  commands: {
    *thrust(s, { frames }, role) {
      for (let i = 0; i < frames; i++) yield [];
      s.thrusts[role] += 1;
      return { ok: true, feedback: `Thrust ${s.thrusts[role]} at frame ${s.frames}.` };
    },
    *stare() {
      for (;;) yield [];
    },
  },
});
