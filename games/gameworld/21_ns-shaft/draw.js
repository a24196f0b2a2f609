// @ts-check
/** Miner's Descent, the picture: a timbered shaft with a lamp, seen from the side. */

import { bar, box, COLORS, disc, hud, polygon, text } from '../../kit/draw.js';
import { CEILING, FULL_HP, LEDGE_THICK, LEDGE_W, LEFT, lived, metres, MINER_H, MINER_W, RIGHT } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  box(ctx, 0, 0, 1280, 720, '#2a2330');
  shaft(ctx, s.depth);
  for (const l of s.ledges) if (l.y < 740) ledge(ctx, l, s.frame);
  miner(ctx, s);
  ceiling(ctx);
  walls(ctx, s.depth);
  hud(ctx, [['Time', `${(lived(s) / 1000).toFixed(1)} s`]], { x: 24, y: 110 });
  hud(ctx, [['Depth', `${metres(s)} m`]], { x: 24, y: 166 });
  text(ctx, `Health ${s.hp} / ${FULL_HP}`, 1146, 132, { size: 26, color: COLORS.white });
  bar(ctx, 1036, 156, 220, 32, s.hp / FULL_HP, s.hp > 6 ? COLORS.green : s.hp > 3 ? COLORS.orange : COLORS.red);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} depth */
function shaft(ctx, depth) {
  box(ctx, LEFT, 0, RIGHT - LEFT, 720, '#4b4152');
  const first = Math.floor((depth * 0.5) / 90);
  for (let i = first; i < first + 10; i++) {
    const y = i * 90 - depth * 0.5;
    for (let j = 0; j < 6; j++) {
      const n = (i * 7 + j * 3) % 5;
      box(ctx, LEFT + 8 + j * 120 + (i % 2) * 40, y + 8, 96, 70, n === 2 ? '#574b60' : n === 4 ? '#463c4d' : '#50455a', { radius: 16 });
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} depth */
function walls(ctx, depth) {
  for (const [x, edge] of [[0, LEFT - 14], [RIGHT, RIGHT]]) {
    box(ctx, x, 0, LEFT, 720, 'rgba(24,19,28,0.9)');
    box(ctx, edge, 0, 14, 720, '#7a5230', { edge: '#3c2511' });
    const first = Math.floor(depth / 180);
    for (let i = first; i < first + 6; i++) box(ctx, edge - 6, i * 180 - depth, 26, 30, '#94663d', { radius: 4, edge: '#3c2511' });
  }
}

/** @param {CanvasRenderingContext2D} ctx */
function ceiling(ctx) {
  box(ctx, LEFT, 0, RIGHT - LEFT, CEILING - 44, '#1c1720');
  box(ctx, LEFT, CEILING - 50, RIGHT - LEFT, 8, '#8a1f26');
  for (let x = LEFT; x < RIGHT; x += 36) {
    polygon(ctx, [[x, CEILING - 42], [x + 18, CEILING], [x + 36, CEILING - 42]], '#eef1f6', '#8a1f26', 3);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Ledge} l @param {number} frame */
function ledge(ctx, l, frame) {
  const x = l.x - LEDGE_W / 2;
  const style = { radius: 6, edge: COLORS.ink, line: 4 };
  switch (l.kind) {
    case 'stone':
      box(ctx, x, l.y, LEDGE_W, LEDGE_THICK, '#b9c0cc', style);
      box(ctx, x + 10, l.y + 5, LEDGE_W - 20, 5, '#e4e8ef', { radius: 2 });
      break;
    case 'spikes':
      for (let i = 0; i < 4; i++) {
        polygon(ctx, [[x + 3 + i * 24, l.y + 14], [x + 14 + i * 24, l.y - 12], [x + 25 + i * 24, l.y + 14]], '#ffffff', '#b4232a', 3);
      }
      box(ctx, x, l.y + 10, LEDGE_W, LEDGE_THICK - 6, '#c0343b', style);
      break;
    case 'sand':
      box(ctx, x, l.y, LEDGE_W, LEDGE_THICK, l.worn ? '#e0a84f' : '#d9b36b', style);
      for (const dx of [24, 50, 76]) {
        polygon(ctx, [[x + dx, l.y], [x + dx + 9, l.y + 9], [x + dx + 2, l.y + 13], [x + dx + 8, l.y + 22], [x + dx - 6, l.y + 12], [x + dx + 1, l.y + 8]], '#5a3a17');
      }
      break;
    default: {
      const d = l.kind === 'left' ? -1 : 1;
      box(ctx, x, l.y, LEDGE_W, LEDGE_THICK, '#2f6fed', { ...style, radius: 11 });
      for (let i = 0; i < 3; i++) {
        const at = x + 20 + i * 30 + d * ((frame % 24) / 24) * 10;
        polygon(ctx, [[at - d * 7, l.y + 4], [at + d * 7, l.y + 11], [at - d * 7, l.y + 18]], '#ffffff');
      }
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function miner(ctx, s) {
  const edge = COLORS.ink;
  const step = s.on >= 0 && s.walking ? [6, -6][Math.floor(s.frame / 6) % 2] : 0;
  ctx.save();
  ctx.translate(s.x, s.y);
  ctx.scale(s.facing, 1);
  polygon(ctx, [[8, -42], [150, -78], [150, 6], [8, -36]], 'rgba(255,236,150,0.16)');
  box(ctx, -13 + step / 2, -16, 11, 16, '#34507a', { edge, line: 3 });
  box(ctx, 2 - step / 2, -16, 11, 16, '#34507a', { edge, line: 3 });
  box(ctx, -MINER_W / 2 + 4, -40, MINER_W - 8, 28, s.hurt > 12 ? '#ff5a5f' : '#f08a24', { radius: 8, edge, line: 3 });
  if (s.on < 0) for (const d of [-1, 1]) box(ctx, d * 20 - 5, -50, 10, 20, '#f08a24', { radius: 5, edge, line: 3 });
  disc(ctx, 2, -44, 13, '#f3c9a0', edge, 3);
  disc(ctx, 8, -43, 2.5, edge);
  polygon(ctx, [[-14, -46], [-11, -MINER_H + 2], [8, -MINER_H], [17, -46]], '#ffd43b', edge, 3);
  disc(ctx, 11, -51, 5, '#ffffff', edge, 2);
  ctx.restore();
}
