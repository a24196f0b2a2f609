// @ts-check
/** Reef Rider, the picture: a shallow sea from above. */

import { bar, box, COLORS, disc, hud, polygon, sky, text } from '../kit/draw.js';
import { BOOST_TIME, LIVES, score, SURFER_Y } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#19b3c4', '#1597b8');
  waves(ctx, s.distance);
  wake(ctx, s);
  for (const t of s.things) {
    const y = t.y - s.distance + SURFER_Y;
    if (y > -80 && y < 800) thing(ctx, t, y, s.frame);
  }
  surfer(ctx, s);
  hud(ctx, [['Score', score(s)], ['Boosts', s.boosts], ['Shields', s.shields]]);
  box(ctx, 1060, 14, 204, 44, 'rgba(16,20,30,0.78)', { radius: 12 });
  text(ctx, 'Lives', 1106, 37, { size: 19, color: '#c9d3e6', bold: false });
  for (let i = 0; i < LIVES; i++) heart(ctx, 1160 + i * 36, 34, 14, i < s.lives ? '#ff4d6d' : '#4a5166');
  if (s.boosting > 0) bar(ctx, 540, 20, 200, 30, s.boosting / BOOST_TIME, COLORS.yellow);
  if (!s.riding && !s.over) {
    box(ctx, 330, 318, 620, 72, 'rgba(16,20,30,0.86)', { radius: 20 });
    text(ctx, 'Press an arrow key to start riding', 640, 355, { size: 30, color: COLORS.white });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} distance */
function waves(ctx, distance) {
  ctx.strokeStyle = 'rgba(255,255,255,0.22)';
  ctx.lineWidth = 4;
  ctx.lineCap = 'round';
  for (let i = 0; i < 34; i++) {
    const x = (i * 197) % 1280;
    const y = ((i * 131 - distance) % 800 + 800) % 800 - 40;
    ctx.beginPath();
    ctx.arc(x, y, 18, Math.PI * 1.15, Math.PI * 1.85);
    ctx.arc(x + 32, y, 18, Math.PI * 1.15, Math.PI * 1.85);
    ctx.stroke();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function wake(ctx, s) {
  if (!s.riding) return;
  const lean = s.vx * 9;
  const long = 60 + s.pace * 12;
  ctx.fillStyle = 'rgba(255,255,255,0.5)';
  for (const d of [-1, 1]) {
    ctx.beginPath();
    ctx.moveTo(s.x + d * 8, SURFER_Y + 6);
    ctx.quadraticCurveTo(s.x + d * 18 - lean * 0.4, SURFER_Y - long * 0.5, s.x + d * 44 - lean, SURFER_Y - long);
    ctx.quadraticCurveTo(s.x + d * 12 - lean * 0.4, SURFER_Y - long * 0.5, s.x, SURFER_Y);
    ctx.fill();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Thing} t @param {number} y @param {number} frame */
function thing(ctx, t, y, frame) {
  const { x, r } = t;
  switch (t.kind) {
    case 'rock':
      disc(ctx, x, y, r + 5, 'rgba(255,255,255,0.55)');
      polygon(ctx, [[x - r, y + 8], [x - r * 0.6, y - r * 0.7], [x, y - r], [x + r * 0.7, y - r * 0.6], [x + r, y + 6], [x + r * 0.5, y + r * 0.85], [x - r * 0.5, y + r * 0.85]], '#5d6472', COLORS.ink, 4);
      polygon(ctx, [[x - r * 0.4, y - r * 0.4], [x, y - r * 0.7], [x + r * 0.4, y - r * 0.4], [x, y - 2]], '#8c95a6');
      break;
    case 'island':
      disc(ctx, x, y, r + 5, 'rgba(255,255,255,0.55)');
      disc(ctx, x, y, r, '#f3dc9b', '#7a5a1e', 4);
      box(ctx, x - 4, y - 6, 8, 30, '#7a4a1f', { radius: 3 });
      for (const a of [0.3, 1.5, 2.8, 4, 5.2]) {
        const c = Math.cos(a), q = Math.sin(a);
        polygon(ctx, [[x, y - 8], [x + c * 15 - q * 7, y - 8 + q * 15 + c * 7], [x + c * 33, y - 8 + q * 25], [x + c * 15 + q * 7, y - 8 + q * 15 - c * 7]], '#2f9e44', '#14501f', 2);
      }
      break;
    case 'buoy':
      disc(ctx, x, y, r + 5, 'rgba(255,255,255,0.55)');
      disc(ctx, x, y, r, '#e5484d', '#5a1013', 4);
      disc(ctx, x, y, r * 0.62, '#ffffff');
      disc(ctx, x, y, r * 0.32, '#e5484d');
      break;
    case 'bolt':
      disc(ctx, x, y, r + Math.sin(frame / 8) * 2, '#2b2140', '#ffe246', 4);
      polygon(ctx, [[x + 4, y - 16], [x - 10, y + 3], [x - 1, y + 3], [x - 4, y + 16], [x + 10, y - 4], [x + 1, y - 4]], '#ffe246');
      break;
    case 'shield':
      disc(ctx, x, y, r + Math.sin(frame / 8) * 2, '#12345e', '#9be7ff', 4);
      polygon(ctx, [[x - 12, y - 12], [x, y - 16], [x + 12, y - 12], [x + 10, y + 4], [x, y + 15], [x - 10, y + 4]], '#9be7ff');
      break;
    case 'heart':
      disc(ctx, x, y, r + Math.sin(frame / 8) * 2, '#ffffff', '#ff4d6d', 4);
      heart(ctx, x, y - 2, 12, '#ff4d6d');
      break;
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} r @param {string} color */
function heart(ctx, x, y, r, color) {
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.moveTo(x, y + r);
  ctx.bezierCurveTo(x - r * 1.8, y - r * 0.2, x - r * 0.9, y - r * 1.3, x, y - r * 0.35);
  ctx.bezierCurveTo(x + r * 0.9, y - r * 1.3, x + r * 1.8, y - r * 0.2, x, y + r);
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function surfer(ctx, s) {
  if (s.safe > 0 && Math.floor(s.safe / 5) % 2) ctx.globalAlpha = 0.45;
  ctx.save();
  ctx.translate(s.x, SURFER_Y);
  ctx.rotate(-s.vx * 0.09);
  if (s.shields > 0) disc(ctx, 0, 0, 40, 'rgba(155,231,255,0.35)', '#9be7ff', 3);
  ctx.beginPath();
  ctx.ellipse(0, 0, 15, 36, 0, 0, 7);
  ctx.fillStyle = s.boosting ? '#ffe246' : '#ff8a3d';
  ctx.fill();
  ctx.strokeStyle = COLORS.ink;
  ctx.lineWidth = 4;
  ctx.stroke();
  box(ctx, -2, -30, 4, 60, '#ffffff', { radius: 2 });
  polygon(ctx, [[-9, -6], [-31, 4 + s.vx], [-28, 10 + s.vx], [-6, 6]], '#f3c9a0', COLORS.ink, 2);
  polygon(ctx, [[9, -6], [31, 4 - s.vx], [28, 10 - s.vx], [6, 6]], '#f3c9a0', COLORS.ink, 2);
  box(ctx, -12, -14, 24, 24, '#d6246e', { radius: 9, edge: COLORS.ink });
  disc(ctx, 0, 0, 10, '#4a2b17', COLORS.ink, 3);
  ctx.restore();
  ctx.globalAlpha = 1;
}
