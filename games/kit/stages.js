// @ts-check
/**
 * What platform games draw alike: long maps put together from sections, coins, limbs, eyes, hearts, a start-again
 * button. Each game keeps its own figures and scenery; here is only what would be the same line for line.
 */

import { box, COLORS, disc, text } from './draw.js';

/**
 * Puts sections of a map side by side. A section's rows stand on the bottom of the map; rows above it are empty.
 * @param {string[][]} sections @param {number} height rows of the whole map @returns {string[]}
 */
export function sideBySide(sections, height) {
  const rows = Array.from({ length: height }, () => '');
  for (const section of sections) {
    if (section.length > height) throw new Error(`a section has ${section.length} rows; allowed: ${height}`);
    const width = Math.max(...section.map((r) => r.length));
    for (let i = 0; i < height; i++) {
      rows[i] += (section[i - height + section.length] ?? '').padEnd(width, '.');
    }
  }
  return rows;
}

/** A coin that seems to turn. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y
 * @param {number} r @param {number} frame @param {{face?: string, light?: string, edge?: string}} [look] */
export function coin(ctx, x, y, r, frame, look = {}) {
  const { face = '#f5c518', light = '#fff3b0', edge = '#7a5200' } = look;
  const w = r * (0.55 + 0.45 * Math.abs(Math.cos((frame + x) / 22)));
  for (const [k, fill] of /** @type {[number, string][]} */ ([[1, face], [0.62, light], [0.4, face]])) {
    ctx.beginPath();
    ctx.ellipse(x, y, w * k, r * k, 0, 0, 7);
    ctx.fillStyle = fill;
    ctx.fill();
    if (k < 1) continue;
    ctx.strokeStyle = edge;
    ctx.lineWidth = 3;
    ctx.stroke();
  }
}

/** Two legs below a hip, walking while `walk` counts. @param {CanvasRenderingContext2D} ctx @param {number} x
 * @param {number} hip @param {number} ground @param {number} walk @param {string} color @param {number} [width] */
export function legs(ctx, x, hip, ground, walk, color, width = 7) {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.lineCap = 'round';
  for (const side of [-1, 1]) {
    const swing = walk ? Math.sin(walk / 3.2) * side : 0;
    const foot = x + side * 5 + swing * 11;
    const lift = walk ? Math.max(0, Math.cos(walk / 3.2) * side) * 7 : 0;
    ctx.beginPath();
    ctx.moveTo(x + side * 3, hip);
    ctx.lineTo(foot, ground - 3 - lift);
    ctx.lineTo(foot + 4, ground - 3 - lift);
    ctx.stroke();
  }
  ctx.lineCap = 'butt';
}

/** One eye looking to a side. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y
 * @param {number} r @param {number} face */
export function eye(ctx, x, y, r, face) {
  disc(ctx, x, y, r, '#ffffff', COLORS.ink, 1.5);
  disc(ctx, x + face * r * 0.4, y, r * 0.5, COLORS.ink);
}

/** Hearts in a row, the lost ones empty. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y
 * @param {number} full @param {number} all */
export function hearts(ctx, x, y, full, all) {
  box(ctx, x, y, all * 36 + 16, 44, 'rgba(16,20,30,0.78)', { radius: 12 });
  for (let i = 0; i < all; i++) {
    const cx = x + 26 + i * 36;
    ctx.beginPath();
    ctx.moveTo(cx, y + 35);
    ctx.bezierCurveTo(cx - 26, y + 17, cx - 10, y + 3, cx, y + 15);
    ctx.bezierCurveTo(cx + 10, y + 3, cx + 26, y + 17, cx, y + 35);
    ctx.fillStyle = i < full ? '#ff4d5a' : '#4a5264';
    ctx.fill();
  }
}

/** Place of the start-again button. */
export const AGAIN = { x: 1116, y: 14, w: 148, h: 44 };

/** A button at the top right. @param {CanvasRenderingContext2D} ctx @param {string} label */
export function againButton(ctx, label) {
  box(ctx, AGAIN.x, AGAIN.y, AGAIN.w, AGAIN.h, '#f7f4ec', { radius: 12, edge: COLORS.ink });
  text(ctx, label, AGAIN.x + AGAIN.w / 2, AGAIN.y + 23, { size: 20 });
}

/** The button was clicked in this update. @param {import('./input.js').Input} input */
export function againClicked(input) {
  const c = input.clicked();
  return !!c && c.x >= AGAIN.x && c.x < AGAIN.x + AGAIN.w && c.y >= AGAIN.y && c.y < AGAIN.y + AGAIN.h;
}
