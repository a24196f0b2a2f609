// @ts-check
/** Pin Wheel, the picture: the wheel with its pins, the waiting balls below, a dotted line where the next one flies. */

import { COLORS, disc, hud, sky, text } from '../../kit/draw.js';
import { ARM, BALL_R, CORE, flown, LEVELS, START_Y } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  room(ctx, s.angle);
  ctx.strokeStyle = '#aab2d8';
  ctx.lineWidth = 4;
  ctx.setLineDash([4, 14]);
  line(ctx, CORE.x, CORE.y + ARM + 34, CORE.x, START_Y - 30);
  ctx.setLineDash([]);
  s.pins.forEach((p, i) => pin(ctx, p + s.angle, i < s.given ? '#39405e' : COLORS.blue));
  if (s.clash !== null) pin(ctx, s.clash + s.angle, COLORS.red);
  disc(ctx, CORE.x + 5, CORE.y + 9, CORE.r + 3, 'rgba(40, 44, 96, 0.3)');
  const face = ctx.createRadialGradient(CORE.x - 26, CORE.y - 32, 8, CORE.x, CORE.y, CORE.r);
  face.addColorStop(0, '#4a5596');
  face.addColorStop(1, '#1c2144');
  disc(ctx, CORE.x, CORE.y, CORE.r, face, '#12162e', 6);
  spokes(ctx, s.angle);
  text(ctx, s.score, CORE.x, CORE.y + 2, { size: 64, color: '#ffffff' });
  for (const f of s.flying) {
    ball(ctx, CORE.x, START_Y + (CORE.y + ARM - START_Y) * flown(f), BALL_R, COLORS.blue, '#123a96');
  }
  queue(ctx, s.left);
  hud(ctx, [['Level', s.level], ['Placed', `${s.score} of ${LEVELS[s.level - 1].balls}`], ['Left', s.left]]);
  text(ctx, 'Balls must not touch.', 1090, 40, { size: 24, color: '#3b4270', bold: false });
}

/** A bright room: rings around the wheel that turn a little with it, and a shadow at the rim.
 * @param {CanvasRenderingContext2D} ctx @param {number} angle */
function room(ctx, angle) {
  sky(ctx, '#eef0ff', '#cfd8fb');
  for (const [r, fill] of /** @type {[number, string][]} */ ([[620, 'rgba(255,255,255,0.22)'], [470, 'rgba(255,255,255,0.3)'], [330, 'rgba(255,255,255,0.5)']])) disc(ctx, CORE.x, CORE.y, r, fill);
  ctx.strokeStyle = 'rgba(96, 112, 190, 0.22)';
  ctx.lineWidth = 3;
  for (const [r, parts] of [[330, 36], [470, 48]]) {
    ctx.beginPath();
    for (let i = 0; i < parts; i++) {
      const a = ((i * 360) / parts + angle * (r > 400 ? -0.1 : 0.2)) * (Math.PI / 180);
      (ctx.moveTo(CORE.x + Math.cos(a) * r, CORE.y + Math.sin(a) * r), ctx.lineTo(CORE.x + Math.cos(a) * (r + 18), CORE.y + Math.sin(a) * (r + 18)));
    }
    ctx.stroke();
  }
}

/** A ball with light on it. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} r
 * @param {string} color @param {string} edge */
function ball(ctx, x, y, r, color, edge) {
  disc(ctx, x + 3, y + 5, r, 'rgba(40, 44, 96, 0.22)');
  disc(ctx, x, y, r, color, edge);
  disc(ctx, x - r * 0.32, y - r * 0.36, r * 0.26, 'rgba(255, 255, 255, 0.75)');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} x2 @param {number} y2 */
function line(ctx, x, y, x2, y2) {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x2, y2);
  ctx.stroke();
}

/** A ball on its pin; 0 degrees is straight down, turning clockwise. @param {CanvasRenderingContext2D} ctx @param {number} degrees @param {string} color */
function pin(ctx, degrees, color) {
  const a = (degrees * Math.PI) / 180;
  const [dx, dy] = [-Math.sin(a), Math.cos(a)];
  ctx.strokeStyle = '#39405e';
  ctx.lineWidth = 5;
  line(ctx, CORE.x + dx * CORE.r, CORE.y + dy * CORE.r, CORE.x + dx * ARM, CORE.y + dy * ARM);
  ball(ctx, CORE.x + dx * ARM, CORE.y + dy * ARM, BALL_R, color, '#12162e');
}

/** Marks on the wheel, so that its turning is seen. @param {CanvasRenderingContext2D} ctx @param {number} angle */
function spokes(ctx, angle) {
  for (let i = 0; i < 6; i++) {
    const a = ((angle + i * 60) * Math.PI) / 180;
    disc(ctx, CORE.x - Math.sin(a) * 60, CORE.y + Math.cos(a) * 60, 6, i ? '#5b66a8' : COLORS.yellow);
  }
}

/** The next ball and those behind it. @param {CanvasRenderingContext2D} ctx @param {number} left */
function queue(ctx, left) {
  for (let i = 0; i < left; i++) {
    const x = CORE.x + (i ? 40 + i * 30 : 0);
    ball(ctx, x, START_Y, i ? 13 : BALL_R, i ? '#8fb0ff' : COLORS.blue, '#123a96');
  }
}
