// @ts-check
/** Writes down, update by update, all that the kit's input says, and rolls two dice. For tests of the kit. */

import { text } from '../kit/draw.js';
import { defineGame, finish } from '../kit/game.js';
import { oneOf } from '../kit/options.js';
import { stream } from '../kit/random.js';

defineGame({
  id: 'recorder',
  create: (options, rng) => ({
    rng,
    options,
    level: oneOf(options, 'level', [1, 2], 1),
    updates: 0,
    /** @type {any[]} */ log: [],
    /** @type {number[]} */ red: [],
    /** @type {number[]} */ blue: [],
  }),
  update(s, input) {
    s.updates += 1;
    const heard = {
      keys: input.keys,
      text: input.text,
      held: ['a', 'ArrowLeft', 'Space', 'Shift', '1'].filter((k) => input.held(k)),
      released: ['a', 'ArrowLeft', 'Space', 'Shift', '1'].filter((k) => input.released(k)),
      mouse: input.mouse,
      moved: input.moved,
      clicks: input.clicks,
      lifts: input.lifts,
      left: input.mouseHeld('left'),
      wheel: input.wheel,
    };
    const last = s.log[s.log.length - 1];
    if (JSON.stringify(last?.heard) !== JSON.stringify(heard)) s.log.push({ at: s.updates, heard: structuredClone(heard) });
    if (input.pressed('a')) s.blue.push(stream(s.rng, 'blue').int(1, 6));
    if (s.updates % 10 === 0) s.red.push(stream(s.rng, 'red').int(1, 6));
    if (input.pressed('Enter')) finish(s, 'fail', 'Enter was pressed.');
    if (input.pressed('w')) finish(s, 'win', 'w was pressed.');
  },
  draw(ctx, s) {
    ctx.fillStyle = '#fff';
    ctx.fillRect(0, 0, 1280, 720);
    text(ctx, `${s.updates} ${s.red.join('')}`, 640, 360, { size: 60 });
  },
  observe: (s) => ({ game_state: { score: s.updates, level: s.level }, raw: { log: s.log, red: s.red, blue: s.blue, options: s.options } }),
});
