// @ts-check
/** Stone Keep, guards and things, each one tile high and standing on (0, 0). */

import { box, COLORS, disc, polygon } from '../../kit/draw.js';
import { turnOf } from './world.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./guards.js').Guard} g @param {{x: number, y: number}} eye */
export function guard(ctx, g, eye) {
  if (g.down >= 0) return fallen(ctx, g);
  const seen = turnOf((Math.atan2(eye.y - g.y, eye.x - g.x) * 180) / Math.PI - g.angle);
  const front = Math.abs(seen) < 100;
  const coat = g.hurt > 0 ? '#ff8f8f' : '#2f6fed';
  const swing = Math.sin(g.step * 0.25) * 0.05;
  leg(ctx, -0.08, swing);
  leg(ctx, 0.08, -swing);
  box(ctx, -0.2, -0.66, 0.4, 0.4, coat, { radius: 0.06, edge: COLORS.ink, line: 0.018 });
  box(ctx, -0.2, -0.36, 0.4, 0.06, '#5a3517');
  disc(ctx, 0, -0.76, 0.11, front ? '#e8b98a' : '#5a3517', COLORS.ink, 0.018);
  box(ctx, -0.13, -0.88, 0.26, 0.09, '#d92b3a', { radius: 0.03, edge: COLORS.ink, line: 0.015 });
  if (!front) return;
  disc(ctx, -0.04, -0.76, 0.016, COLORS.ink);
  disc(ctx, 0.04, -0.76, 0.016, COLORS.ink);
  if (g.aim > 0 || g.flash > 0) {
    box(ctx, -0.05, -0.58, 0.1, 0.1, '#e8b98a', { edge: COLORS.ink, line: 0.012 });
    disc(ctx, 0, -0.55, 0.05, '#30343f', '#000000', 0.015);
    const star = [[0, -0.75], [0.06, -0.6], [0.2, -0.55], [0.06, -0.5], [0, -0.35], [-0.06, -0.5], [-0.2, -0.55], [-0.06, -0.6]];
    if (g.flash > 0) polygon(ctx, star, '#ffe066', '#ff9f1c', 0.02);
  } else {
    box(ctx, 0.18, -0.6, 0.08, 0.26, coat, { radius: 0.03, edge: COLORS.ink, line: 0.015 });
    box(ctx, 0.17, -0.38, 0.14, 0.06, '#30343f');
  }
  box(ctx, -0.26, -0.6, 0.08, 0.26, coat, { radius: 0.03, edge: COLORS.ink, line: 0.015 });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} swing */
function leg(ctx, x, swing) {
  box(ctx, x - 0.06, -0.3 + Math.max(0, swing), 0.12, 0.28 - Math.abs(swing), '#3b4a6b', { edge: COLORS.ink, line: 0.015 });
  box(ctx, x - 0.07, -0.06 - Math.abs(swing) * 0.6, 0.14, 0.06, '#1b2330');
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./guards.js').Guard} g */
function fallen(ctx, g) {
  const t = Math.min(1, g.down / 18);
  ctx.save();
  ctx.translate(0, -0.09 - 0.3 * (1 - t));
  ctx.rotate((t * Math.PI) / 2);
  box(ctx, -0.09, -0.2, 0.18, 0.42, '#24509c', { radius: 0.06, edge: COLORS.ink, line: 0.018 });
  box(ctx, -0.07, 0.2, 0.14, 0.25, '#3b4a6b', { edge: COLORS.ink, line: 0.015 });
  disc(ctx, 0, -0.28, 0.09, '#e8b98a', COLORS.ink, 0.018);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx */
export function medkit(ctx) {
  box(ctx, -0.16, -0.2, 0.32, 0.2, '#ffffff', { radius: 0.03, edge: COLORS.ink, line: 0.015 });
  box(ctx, -0.03, -0.17, 0.06, 0.14, '#e5484d');
  box(ctx, -0.07, -0.13, 0.14, 0.06, '#e5484d');
}

/** @param {CanvasRenderingContext2D} ctx */
export function ammo(ctx) {
  box(ctx, -0.1, -0.1, 0.2, 0.1, '#3aa655', { radius: 0.02, edge: COLORS.ink, line: 0.012 });
  for (const x of [-0.06, 0, 0.06]) box(ctx, x - 0.018, -0.16, 0.036, 0.08, '#ffd43b', { edge: COLORS.ink, line: 0.008 });
}
