// @ts-check
/** Marble Walk, the picture: the maze as blocks in perspective, seen from above the near edge, and a rolling marble. */

import { hud, sky, text } from '../../kit/draw.js';
import { Scene, shade } from '../../kit/solid.js';
import { levelOf, RADIUS } from './rules.js';

const WALL = ['#c98b4e', '#7f9fd0', '#6fb487', '#c57b9a', '#a58bd6'];
const HIGH = 0.55;
const PITCH = -1.12;

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const level = levelOf(s);
  const rows = level.grid.length;
  const columns = level.grid[0].length;
  sky(ctx, '#202634', '#11151e');
  const scene = new Scene(camera(columns, rows));
  floor(scene, level, rows);
  walls(scene, level, rows, WALL[s.level - 1]);
  scene.sprite([s.x, RADIUS, rows - 1 - s.y], (c, x, y, scale) => marble(c, x, y, RADIUS * scale, s), -0.25);
  scene.paint(ctx);
  hud(ctx, [['Maze', s.level]]);
  text(ctx, 'Marble Walk', 640, 37, { size: 34, color: '#f3efe4' });
  text(ctx, 'Roll the marble into the hole with the flag.', 1262, 37, { size: 20, color: '#c9d3e6', align: 'right', bold: false });
}

/** Far enough away to see the whole maze. @param {number} columns @param {number} rows */
function camera(columns, rows) {
  const distance = Math.max(columns * 0.69, rows * 1.2);
  return {
    x: (columns - 1) / 2,
    y: -Math.sin(PITCH) * distance,
    z: (rows - 1) / 2 - Math.cos(PITCH) * distance,
    pitch: PITCH,
    focal: 720,
    horizon: 372,
  };
}

/** @param {Scene} scene @param {ReturnType<typeof levelOf>} level @param {number} rows */
function floor(scene, level, rows) {
  level.grid.forEach((line, row) =>
    line.forEach((c, col) => {
      if (c === '#') return;
      const z = rows - 1 - row;
      const tile = (/** @type {number} */ r) =>
        /** @type {import('../../kit/solid.js').Point[]} */ ([[col - r, 0, z - r], [col + r, 0, z - r], [col + r, 0, z + r], [col - r, 0, z + r]]);
      scene.face(tile(0.5), (col + row) % 2 ? '#efe6d2' : '#e4d8bf', { bias: 40 });
      scene.face(tile(0.24), (col + row) % 2 ? '#e6dbc3' : '#dacdb1', { bias: 30 });
      if (c !== 'G') return;
      scene.sprite([col, 0, z], hole, 0.2);
      // The flag is taller than the walls: it is drawn over whatever is near.
      scene.sprite([col, 0, z], flag, -2.5);
    }),
  );
}

/** @param {Scene} scene @param {ReturnType<typeof levelOf>} level @param {number} rows @param {string} color */
function walls(scene, level, rows, color) {
  const wall = (/** @type {number} */ col, /** @type {number} */ row) => level.grid[row]?.[col] === '#';
  const middle = (level.grid[0].length - 1) / 2;
  level.grid.forEach((line, row) =>
    line.forEach((c, col) => {
      if (c !== '#') return;
      const z = rows - 1 - row;
      const [l, r, n, f] = [col - 0.5, col + 0.5, z - 0.5, z + 0.5];
      scene.face([[l, HIGH, n], [r, HIGH, n], [r, HIGH, f], [l, HIGH, f]], shade(color, 1.12));
      if (!wall(col, row + 1)) scene.face([[l, 0, n], [r, 0, n], [r, HIGH, n], [l, HIGH, n]], shade(color, 0.62));
      if (col > middle && !wall(col - 1, row)) scene.face([[l, 0, n], [l, 0, f], [l, HIGH, f], [l, HIGH, n]], shade(color, 0.78));
      if (col < middle && !wall(col + 1, row)) scene.face([[r, 0, n], [r, 0, f], [r, HIGH, f], [r, HIGH, n]], shade(color, 0.78));
    }),
  );
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} scale */
function hole(ctx, x, y, scale) {
  ctx.beginPath();
  ctx.ellipse(x, y, 0.36 * scale, 0.33 * scale, 0, 0, 7);
  ctx.fillStyle = '#171208';
  ctx.fill();
  ctx.strokeStyle = '#2e9e4f';
  ctx.lineWidth = 5;
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} scale */
function flag(ctx, x, y, scale) {
  ctx.fillStyle = '#f4f4f4';
  ctx.fillRect(x - 2, y - 0.8 * scale, 4, 0.8 * scale);
  ctx.beginPath();
  ctx.moveTo(x + 2, y - 0.8 * scale);
  ctx.lineTo(x + 0.5 * scale, y - 0.64 * scale);
  ctx.lineTo(x + 2, y - 0.46 * scale);
  ctx.fillStyle = '#27b04f';
  ctx.fill();
  ctx.strokeStyle = '#0b3d1a';
  ctx.lineWidth = 2;
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} r @param {import('./rules.js').State} s */
function marble(ctx, x, y, r, s) {
  ctx.beginPath();
  ctx.ellipse(x + r * 0.25, y + r * 0.45, r, r * 0.8, 0, 0, 7);
  ctx.fillStyle = 'rgba(0,0,0,0.35)';
  ctx.fill();
  const ball = ctx.createRadialGradient(x - r * 0.35, y - r * 0.4, r * 0.1, x, y, r);
  ball.addColorStop(0, '#ffd0d0');
  ball.addColorStop(0.35, '#ef3b3f');
  ball.addColorStop(1, '#8d0d16');
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fillStyle = ball;
  ctx.fill();
  ctx.strokeStyle = '#3b0408';
  ctx.lineWidth = 3;
  ctx.stroke();
  // Three white specks turn with the way rolled.
  ctx.fillStyle = 'rgba(255,255,255,0.85)';
  for (const k of [0, 2.1, 4.2]) {
    const a = s.x / RADIUS + k;
    const b = s.y / RADIUS + k * 1.7;
    if (Math.cos(a) * Math.cos(b) < 0) continue;
    ctx.beginPath();
    ctx.arc(x + Math.sin(a) * r * 0.62, y + Math.sin(b) * r * 0.62, r * 0.15, 0, 7);
    ctx.fill();
  }
}
