// @ts-check
/** Hiccup Wing, the picture: a mossy cave in morning light. */

import { bar, box, COLORS, disc, hud, polygon, sky, text } from '../kit/draw.js';
import { eachTile, tileAt } from '../kit/platform.js';
import { againButton, eye } from '../kit/stages.js';
import { LEVELS } from './levels.js';
import { mapOf, NESTS, targetOf, TILE } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const map = mapOf(s);
  sky(ctx, '#bfe8e0', '#8cc9c4', '#5b9ba3');
  rays(ctx);
  eachTile(map, { x: 0, y: 0 }, (char, x, y, col, row) => {
    if (char === '#') rock(ctx, map, x, y, col, row);
    if (char === '^') thorns(ctx, map, x, y, col, row, s.harmless);
  });
  nest(ctx, NESTS[s.stage - 1], s.frame);
  bird(ctx, s);
  hud(ctx, [['Level', s.stage]], { y: -2 });
  text(ctx, LEVELS[s.stage - 1].name, 640, 21, { size: 26, color: '#fff6dc' });
  text(ctx, 'Next flap', 188, 21, { size: 20, color: '#fff6dc', align: 'left' });
  bar(ctx, 300, 8, 170, 26, s.urge / targetOf(s), s.bird.gliding ? '#7fd3ff' : '#ff8b3d');
  againButton(ctx, 'Start again');
}

/** @param {CanvasRenderingContext2D} ctx */
function rays(ctx) {
  for (let i = 0; i < 5; i++) {
    const x = 120 + i * 260;
    polygon(ctx, [[x, 0], [x + 90, 0], [x - 120, 720], [x - 260, 720]], 'rgba(255,255,230,0.13)');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('../kit/platform.js').TileMap} map
 * @param {number} x @param {number} y @param {number} col @param {number} row */
function rock(ctx, map, x, y, col, row) {
  const solid = (/** @type {number} */ dc, /** @type {number} */ dr) => tileAt(map, col + dc, row + dr, '#') === '#';
  box(ctx, x, y, TILE + 1, TILE + 1, '#4b3f52');
  disc(ctx, x + 10 + ((col * 13) % 20), y + 12 + ((row * 11) % 18), 5, '#5c4e64');
  disc(ctx, x + 28 - ((col * 5) % 14), y + 28 - ((row * 7) % 12), 3, '#3d3343');
  if (!solid(0, -1)) {
    box(ctx, x, y, TILE + 1, 9, '#7ab648');
    for (let i = 0; i < 3; i++) disc(ctx, x + 7 + i * 13, y + 9, 6, '#7ab648');
  }
  ctx.fillStyle = '#2c2433';
  if (!solid(0, 1)) ctx.fillRect(x, y + TILE - 4, TILE + 1, 5);
  if (!solid(-1, 0)) ctx.fillRect(x, y, 4, TILE + 1);
  if (!solid(1, 0)) ctx.fillRect(x + TILE - 4, y, 5, TILE + 1);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('../kit/platform.js').TileMap} map
 * @param {number} x @param {number} y @param {number} col @param {number} row @param {boolean} harmless */
function thorns(ctx, map, x, y, col, row, harmless) {
  const down = tileAt(map, col, row - 1) === '#' && tileAt(map, col, row + 1) !== '#';
  const fill = harmless ? '#e39bb4' : '#d81e4a';
  for (let i = 0; i < 3; i++) {
    const p = x + i * 13.3;
    if (down) polygon(ctx, [[p, y], [p + 6.6, y + TILE - 2], [p + 13.3, y]], fill, '#5a1030', 2);
    else polygon(ctx, [[p, y + TILE], [p + 6.6, y + 2], [p + 13.3, y + TILE]], fill, '#5a1030', 2);
    if (harmless) disc(ctx, p + 6.6, down ? y + TILE - 4 : y + 4, 5, '#fff0f5', '#5a1030', 2);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} n @param {number} frame */
function nest(ctx, n, frame) {
  const x = n.x + TILE / 2;
  const y = n.y + TILE;
  const glow = 34 + Math.sin(frame / 15) * 4;
  disc(ctx, x, y - 18, glow, 'rgba(255,240,150,0.55)');
  for (const d of [-9, 8]) {
    ctx.beginPath();
    ctx.ellipse(x + d, y - 20, 9, 12, 0, 0, 7);
    ctx.fillStyle = '#fffdf2';
    ctx.fill();
    ctx.strokeStyle = COLORS.ink;
    ctx.lineWidth = 2;
    ctx.stroke();
  }
  polygon(ctx, [[x - 28, y - 18], [x + 28, y - 18], [x + 18, y], [x - 18, y]], '#b5793a', COLORS.ink);
  ctx.strokeStyle = '#6e441a';
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  for (let i = 0; i < 5; i++) {
    ctx.moveTo(x - 24 + i * 10, y - 16);
    ctx.lineTo(x - 14 + i * 9, y - 3);
  }
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function bird(ctx, s) {
  const b = s.bird;
  ctx.save();
  ctx.translate(b.x + b.w / 2, b.y + b.h / 2);
  ctx.scale(b.face, 1);
  ctx.rotate(b.onGround ? 0 : Math.max(-0.4, Math.min(0.4, b.vy * 0.05)));
  if (b.onGround) {
    for (const d of [-5, 5]) box(ctx, d - 2, 12, 4, 9, '#e0761c');
  }
  polygon(ctx, [[-14, -2], [-32, -9], [-30, 7]], '#2452c9', COLORS.ink, 2.5);
  ctx.beginPath();
  ctx.ellipse(0, 0, 20, 17, 0, 0, 7);
  ctx.fillStyle = '#3f7bff';
  ctx.fill();
  ctx.strokeStyle = COLORS.ink;
  ctx.lineWidth = 3;
  ctx.stroke();
  ctx.beginPath();
  ctx.ellipse(6, 6, 11, 9, 0, 0, 7);
  ctx.fillStyle = '#eaf1ff';
  ctx.fill();
  polygon(ctx, [[16, -4], [34, 1], [16, 8]], '#ffa01f', COLORS.ink, 2.5);
  eye(ctx, 9, -6, 6.5, 1);
  // Wings: wide when gliding, up before and down after a flap, trembling when one is near.
  if (b.gliding) {
    polygon(ctx, [[4, -4], [-8, -12], [-44, -16], [-34, -4], [-10, 4]], '#9fc0ff', COLORS.ink, 2.5);
    polygon(ctx, [[6, -8], [20, -20], [46, -22], [30, -8]], '#9fc0ff', COLORS.ink, 2.5);
  } else {
    const near = s.urge / targetOf(s);
    const lift = s.sinceFlap < 5 ? 20 : s.sinceFlap < 12 ? 4 : -8 - 22 * near + (near > 0.7 ? Math.sin(s.frame * 1.4) * 4 : 0);
    polygon(ctx, [[4, -2], [-26, lift - 4], [-22, lift + 8], [-8, 8]], '#9fc0ff', COLORS.ink, 2.5);
  }
  ctx.restore();
}
