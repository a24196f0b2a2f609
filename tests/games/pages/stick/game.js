// @ts-check
/** A ball that a drawn stick pushes: pressed near its centre, pulled with the mouse, let go. For tests of stick controls. */

import { disc, text } from '../kit/draw.js';
import { defineGame } from '../kit/game.js';

const CENTRE = { x: 200, y: 560 };
const RADIUS = 80;

defineGame({
  id: 'stick',
  create: (options, rng) => ({
    rng,
    level: 1,
    ball: { x: 640, y: 360 },
    held: false,
    pull: { x: 0, y: 0 },
    /** @type {{x: number, y: number, updates: number}[]} */ pulls: [],
    presses: 0,
    lifts: 0,
  }),
  update(s, input) {
    for (const c of input.clicks) {
      if (Math.hypot(c.x - CENTRE.x, c.y - CENTRE.y) > RADIUS) continue;
      s.held = true;
      s.presses += 1;
    }
    if (s.held && !input.mouseHeld('left')) {
      s.held = false;
      s.lifts += 1;
    }
    const far = Math.max(RADIUS, Math.hypot(input.mouse.x - CENTRE.x, input.mouse.y - CENTRE.y));
    s.pull = s.held ? { x: (input.mouse.x - CENTRE.x) / far, y: (input.mouse.y - CENTRE.y) / far } : { x: 0, y: 0 };
    s.ball.x += 5 * s.pull.x;
    s.ball.y += 5 * s.pull.y;
    if (!s.held) return;
    const last = s.pulls[s.pulls.length - 1];
    if (last && last.x === s.pull.x && last.y === s.pull.y) last.updates += 1;
    else s.pulls.push({ ...s.pull, updates: 1 });
  },
  draw(ctx, s) {
    ctx.fillStyle = '#123';
    ctx.fillRect(0, 0, 1280, 720);
    disc(ctx, CENTRE.x, CENTRE.y, RADIUS, '#345');
    disc(ctx, CENTRE.x + s.pull.x * RADIUS, CENTRE.y + s.pull.y * RADIUS, 30, '#fff');
    disc(ctx, s.ball.x, s.ball.y, 12, '#fa0');
    text(ctx, `${s.lifts}`, 640, 60, { size: 40 });
  },
  observe: (s) => ({
    game_state: { score: s.lifts, level: 1, player: { ...s.ball } },
    raw: { pull: s.pull, pulls: s.pulls, presses: s.presses, lifts: s.lifts, held: s.held },
  }),
});
