// @ts-check
/** Hiccup Wing, the picture: a mossy cave in morning light. */

import { bar, box, COLORS, disc, hud, polygon, sky, text } from '../../kit/draw.js';
import { eachTile, tileAt } from '../../kit/platform.js';
import { againButton, eye } from '../../kit/stages.js';
import { LEVELS } from './levels.js';
import { here, targetOf, TILE } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const map = here(s).map;
  cave(ctx, s.frame);
  shade(ctx, map);
  eachTile(map, { x: 0, y: 0 }, (char, x, y, col, row) => {
    if (char === '#') rock(ctx, map, x, y, col, row);
    if (char === '^') thorns(ctx, map, x, y, col, row, s.harmless);
  });
  nest(ctx, here(s).nest, s.frame);
  bird(ctx, s);
  hud(ctx, [['Level', s.stage]], { y: -2 });
  text(ctx, LEVELS[s.stage - 1].name, 720, 21, { size: 26, color: '#fff6dc' });
  text(ctx, 'Next flap', 188, 21, { size: 20, color: '#fff6dc', align: 'left' });
  bar(ctx, 300, 8, 170, 26, s.urge / targetOf(s), s.bird.gliding ? '#7fd3ff' : '#ff8b3d');
  againButton(ctx, 'Start again');
}

/** Pillars of rock far behind, light falling in, specks of pollen. @param {CanvasRenderingContext2D} ctx @param {number} frame */
function cave(ctx, frame) {
  sky(ctx, '#d2f2e6', '#9bd3ca', '#62a2a8');
  for (const [layer, [top, foot]] of [['#b2ded3', '#6aaaae'], ['#94cbc5', '#5b9aa1'], ['#7bb8b8', '#4d8a93']].entries()) {
    for (let i = 0; i < 7; i++) {
      const x = i * 214 + layer * 83 - 90;
      const w = 50 + ((i * 37 + layer * 29) % 56);
      const hang = 130 + ((i * 71 + layer * 101) % 190);
      const stand = 110 + ((i * 97 + layer * 53) % 200);
      ctx.beginPath();
      ctx.moveTo(x - w, 0);
      ctx.quadraticCurveTo(x - w * 0.2, hang * 0.35, x, hang);
      ctx.quadraticCurveTo(x + w * 0.3, hang * 0.35, x + w, 0);
      ctx.fillStyle = top;
      ctx.fill();
      ctx.beginPath();
      ctx.moveTo(x + 70 - w * 1.3, 720);
      ctx.quadraticCurveTo(x + 70 - w * 0.4, 720 - stand * 0.3, x + 70, 720 - stand);
      ctx.quadraticCurveTo(x + 70 + w * 0.4, 720 - stand * 0.3, x + 70 + w * 1.3, 720);
      ctx.fillStyle = foot;
      ctx.fill();
    }
  }
  for (let i = 0; i < 4; i++) {
    const x = 170 + i * 330;
    const ray = ctx.createLinearGradient(0, 0, 0, 720);
    ray.addColorStop(0, 'rgba(255,252,214,0.5)');
    ray.addColorStop(1, 'rgba(255,252,214,0)');
    polygon(ctx, [[x, 0], [x + 110, 0], [x - 90, 720], [x - 290, 720]], /** @type {any} */ (ray));
  }
  for (let i = 0; i < 24; i++) {
    const x = (i * i * 83 + i * 191 + Math.sin(frame / 60 + i) * 18 + 1280) % 1280;
    const y = (((i * i * 47 + i * 131 - frame * 0.3) % 720) + 720) % 720;
    disc(ctx, x, y, 1.6 + (i % 3) * 0.6, 'rgba(255,255,235,0.6)');
  }
}

/** Shadows of the rock on the air behind: below ceilings and beside walls. @param {CanvasRenderingContext2D} ctx
 * @param {import('../../kit/platform.js').TileMap} map */
function shade(ctx, map) {
  const solid = (/** @type {number} */ col, /** @type {number} */ row) => tileAt(map, col, row, '#') === '#';
  const fade = (/** @type {number[]} */ [x, y, w, h], /** @type {number[]} */ way, /** @type {number} */ dark) => {
    const g = ctx.createLinearGradient(way[0], way[1], way[2], way[3]);
    g.addColorStop(0, `rgba(24,52,66,${dark})`);
    g.addColorStop(1, 'rgba(24,52,66,0)');
    box(ctx, x, y, w, h, g);
  };
  eachTile(map, { x: 0, y: 0 }, (char, x, y, col, row) => {
    if (char !== '#') return;
    const end = TILE;
    if (!solid(col, row + 1)) fade([x, y + TILE, end, 62], [0, y + TILE, 0, y + TILE + 62], 0.5);
    if (!solid(col + 1, row)) fade([x + TILE, y, 22, end], [x + TILE, 0, x + TILE + 22, 0], 0.2);
    if (!solid(col - 1, row)) fade([x - 22, y, 22, end], [x, 0, x - 22, 0], 0.2);
  });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('../../kit/platform.js').TileMap} map
 * @param {number} x @param {number} y @param {number} col @param {number} row */
function rock(ctx, map, x, y, col, row) {
  const solid = (/** @type {number} */ dc, /** @type {number} */ dr) => tileAt(map, col + dc, row + dr, '#') === '#';
  const open = !solid(0, -1) || !solid(0, 1) || !solid(-1, 0) || !solid(1, 0);
  box(ctx, x, y, TILE + 1, TILE + 1, open ? '#57485f' : '#453a4d');
  disc(ctx, x + 10 + ((col * 13) % 20), y + 12 + ((row * 11) % 18), 6, open ? '#6b5a73' : '#50445a');
  disc(ctx, x + 28 - ((col * 5) % 14), y + 28 - ((row * 7) % 12), 4, '#372d40');
  ctx.fillStyle = '#241c2b';
  if (!solid(0, 1)) ctx.fillRect(x, y + TILE - 5, TILE + 1, 6);
  if (!solid(-1, 0)) ctx.fillRect(x, y, 4, TILE + 1);
  if (!solid(1, 0)) ctx.fillRect(x + TILE - 4, y, 5, TILE + 1);
  if (!solid(0, -1)) {
    for (let i = 0; i < 3; i++) disc(ctx, x + 7 + i * 13, y + 9, 4 + ((col * 3 + i * 5) % 5), '#5e9636');
    box(ctx, x, y, TILE + 1, 10, '#7ab648');
    box(ctx, x, y, TILE + 1, 4, '#b4e36c');
  } else if (!solid(0, 1) && (col * 7 + row * 3) % 4 === 0) {
    // A root that hangs down a little.
    ctx.strokeStyle = '#4f7f3a';
    ctx.lineWidth = 3;
    ctx.beginPath();
    ctx.moveTo(x + 20, y + TILE);
    ctx.quadraticCurveTo(x + 26, y + TILE + 9, x + 18, y + TILE + 15 + ((col * 5) % 9));
    ctx.stroke();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('../../kit/platform.js').TileMap} map
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
