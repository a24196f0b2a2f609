// @ts-check
/** Reef Rider, the picture: a shallow sea from above. */

import { bar, box, COLORS, disc, hud, polygon, sky, text } from '../../kit/draw.js';
import { BOOST_TIME, LIVES, score, SURFER_Y } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#22c3cf', '#149fc0', '#0f7fb0');
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
  if (s.boosting > 0) {
    box(ctx, 512, 14, 300, 44, 'rgba(16,20,30,0.78)', { radius: 12 });
    text(ctx, 'Boosting', 528, 37, { size: 19, color: '#ffe246', align: 'left', bold: false });
    bar(ctx, 622, 24, 178, 24, s.boosting / BOOST_TIME, COLORS.yellow);
  }
  if (!s.riding && !s.over) {
    box(ctx, 330, 318, 620, 72, 'rgba(16,20,30,0.86)', { radius: 20 });
    text(ctx, 'Press an arrow key to start riding', 640, 355, { size: 30, color: COLORS.white });
  }
}

/** Shallow places in the water, and little waves on it. @param {CanvasRenderingContext2D} ctx @param {number} distance */
function waves(ctx, distance) {
  for (let i = 0; i < 11; i++) {
    const x = (i * 367) % 1280;
    const y = wrap(i * 239 - distance, 1100) - 190;
    const r = 110 + ((i * 53) % 90);
    const shallow = ctx.createRadialGradient(x, y, r * 0.2, x, y, r);
    shallow.addColorStop(0, i % 3 ? 'rgba(110, 240, 220, 0.34)' : 'rgba(6, 70, 120, 0.34)');
    shallow.addColorStop(1, i % 3 ? 'rgba(110, 240, 220, 0)' : 'rgba(6, 70, 120, 0)');
    ctx.fillStyle = shallow;
    ctx.fillRect(x - r, y - r, 2 * r, 2 * r);
  }
  ctx.lineCap = 'round';
  // A dark line below each light one makes the wave stand up.
  for (const [color, down] of /** @type {[string, number][]} */ ([['rgba(3, 62, 98, 0.30)', 4], ['rgba(235, 255, 255, 0.42)', 0]])) {
    ctx.strokeStyle = color;
    ctx.lineWidth = 4;
    ctx.beginPath();
    for (let i = 0; i < 34; i++) {
      const x = (i * 197) % 1280;
      const y = wrap(i * 131 - distance, 800) - 40 + down;
      const w = 14 + (i % 3) * 5;
      ctx.moveTo(x, y);
      ctx.quadraticCurveTo(x + w * 0.6, y - 13, x + w * 1.2, y);
      ctx.quadraticCurveTo(x + w * 1.9, y - 13, x + w * 2.5, y);
    }
    ctx.stroke();
  }
}

/** The rest of a division, never negative. @param {number} a @param {number} b */
function wrap(a, b) {
  return ((a % b) + b) % b;
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
      reef(ctx, x, y, r);
      polygon(ctx, [[x - r, y + 8], [x - r * 0.6, y - r * 0.7], [x, y - r], [x + r * 0.7, y - r * 0.6], [x + r, y + 6], [x + r * 0.5, y + r * 0.85], [x - r * 0.5, y + r * 0.85]], '#656c7c', COLORS.ink, 4);
      polygon(ctx, [[x + r * 0.2, y - r * 0.1], [x + r * 0.66, y - r * 0.54], [x + r * 0.94, y + 5], [x + r * 0.46, y + r * 0.8], [x + r * 0.06, y + r * 0.8]], '#474d5b');
      polygon(ctx, [[x - r * 0.56, y - r * 0.62], [x, y - r * 0.92], [x + r * 0.66, y - r * 0.54], [x + r * 0.2, y - r * 0.1], [x - r * 0.4, y - r * 0.1]], '#a2abbc');
      polygon(ctx, [[x - r * 0.92, y + 6], [x - r * 0.56, y - r * 0.62], [x - r * 0.4, y - r * 0.1], [x - r * 0.56, y + r * 0.5]], '#7d8596');
      break;
    case 'island': {
      reef(ctx, x, y, r);
      const sand = ctx.createRadialGradient(x - r * 0.3, y - r * 0.35, 4, x, y, r);
      sand.addColorStop(0, '#fff2c4');
      sand.addColorStop(1, '#e6c274');
      disc(ctx, x, y, r, sand, '#7a5a1e', 4);
      for (const [dx, dy] of [[-20, 14], [18, 20], [-12, 24]]) disc(ctx, x + dx, y + dy, 3.5, '#c79a4c');
      ctx.beginPath();
      ctx.ellipse(x + 6, y + 23, 20, 8, 0, 0, 7);
      ctx.fillStyle = 'rgba(90, 60, 10, 0.35)';
      ctx.fill();
      box(ctx, x - 4, y - 6, 8, 30, '#8a5626', { radius: 3, edge: '#4a2c0e', line: 2 });
      [0.3, 1.5, 2.8, 4, 5.2].forEach((a, i) => {
        const c = Math.cos(a), q = Math.sin(a);
        polygon(ctx, [[x, y - 8], [x + c * 15 - q * 7, y - 8 + q * 15 + c * 7], [x + c * 33, y - 8 + q * 25], [x + c * 15 + q * 7, y - 8 + q * 15 - c * 7]], i % 2 ? '#45bd55' : '#2f9e44', '#14501f', 2);
      });
      for (const [dx, dy] of [[-4, -4], [4, -3], [0, -12]]) disc(ctx, x + dx, y + dy, 3.5, '#7a4a1f', '#3d220a', 1.5);
      break;
    }
    case 'buoy':
      reef(ctx, x, y, r);
      disc(ctx, x, y, r, '#e5484d', '#5a1013', 4);
      disc(ctx, x, y, r * 0.66, '#ffffff');
      disc(ctx, x, y, r * 0.36, '#e5484d', '#5a1013', 2);
      ctx.beginPath();
      ctx.arc(x, y, r * 0.82, Math.PI * 1.05, Math.PI * 1.55);
      ctx.strokeStyle = 'rgba(255,255,255,0.75)';
      ctx.lineWidth = 4;
      ctx.stroke();
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

/** What lies around an obstacle: a shadow in the water, and foam. @param {CanvasRenderingContext2D} ctx @param {number} x
 * @param {number} y @param {number} r */
function reef(ctx, x, y, r) {
  disc(ctx, x + 7, y + 12, r + 6, 'rgba(3, 50, 84, 0.38)');
  disc(ctx, x, y, r + 9, 'rgba(255,255,255,0.28)');
  disc(ctx, x, y, r + 5, 'rgba(255,255,255,0.75)');
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
