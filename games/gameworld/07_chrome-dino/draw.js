// @ts-check
/** Fennec Dash, the picture: a desert whose sky turns from morning to night as the run gets longer. */

import { box, COLORS, disc, hud, polygon, sky, text } from '../../kit/draw.js';
import { blend } from '../../kit/solid.js';
import { cactus, fennec, hawk, rocks } from './figures.js';
import { FOX_W, FOX_X, GROUND, score } from './rules.js';

/** Morning, noon, afternoon, dusk, night; each lasts 250 points. Hills have a lit and a shaded side. */
const HOURS = [
  { top: '#74c4ee', mid: '#c3e7f4', low: '#fff0cf', sun: '#fff6c9', mesa: '#dcb9a0', mesaDark: '#c99f88', far: '#efcb93', farDark: '#dcae74', near: '#e3b069', nearDark: '#c98f4a', sand: '#dca55d', deep: '#a8702f' },
  { top: '#3597de', mid: '#93d1f2', low: '#fdeec4', sun: '#fffbe0', mesa: '#d3a58c', mesaDark: '#b98871', far: '#f0c684', farDark: '#d9a461', near: '#e4a955', nearDark: '#c6853a', sand: '#dfa24f', deep: '#a56a26' },
  { top: '#5a8fc4', mid: '#f2c283', low: '#ffdf9c', sun: '#fff0b0', mesa: '#b96f5e', mesaDark: '#965247', far: '#e8a566', farDark: '#c57f49', near: '#d68c48', nearDark: '#a9622f', sand: '#d08a45', deep: '#8c5022' },
  { top: '#4a3a86', mid: '#c6617e', low: '#ffb27c', sun: '#ffd08a', mesa: '#7d4a6e', mesaDark: '#623a5d', far: '#b9717a', farDark: '#8f5266', near: '#a9646a', nearDark: '#7d4558', sand: '#b0716a', deep: '#6b3d4e' },
  { top: '#131a42', mid: '#2f3d7c', low: '#77679a', sun: '#ffd08a', mesa: '#3f4480', mesaDark: '#333868', far: '#5d6199', farDark: '#484b80', near: '#56588c', nearDark: '#40426f', sand: '#6d6a98', deep: '#3a3a64' },
];
const HOUR = 250;
const SUN = [[1010, 190], [1040, 120], [1010, 215], [965, 400], [920, 620]];

/** @typedef {typeof HOURS[0]} Hour */

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const { light, time } = hourAt(score(s) / HOUR);
  sky(ctx, light.top, light.mid, light.low, light.low);
  if (time > 3) night(ctx, Math.min(1, time - 3));
  sun(ctx, time, light);
  clouds(ctx, s.distance * 0.03, time);
  mesas(ctx, s.distance * 0.05, light);
  dunes(ctx, s.distance * 0.12, 455, 560, 70, light.far, light.farDark);
  dunes(ctx, s.distance * 0.26, 528, 430, 56, light.near, light.nearDark);
  ground(ctx, s.distance, light);
  for (const o of s.obstacles) obstacle(ctx, o, s.frame);
  dust(ctx, s);
  fennec(ctx, s);
  foreground(ctx, s.distance, light);
  hud(ctx, [['Score', score(s)], ['Speed', s.speed.toFixed(1)]]);
  if (!s.running && !s.over) invitation(ctx);
}

/** The colours of the moment: each hour holds for a while and then turns into the next. @param {number} t */
function hourAt(t) {
  const i = Math.min(HOURS.length - 2, Math.floor(t));
  const part = Math.max(0, Math.min(1, (t - i - 0.55) / 0.45));
  const light = /** @type {Hour} */ ({ ...HOURS[i] });
  for (const key of /** @type {(keyof Hour)[]} */ (Object.keys(light))) light[key] = blend(HOURS[i][key], HOURS[i + 1][key], part);
  return { light, time: i + part };
}

/** @param {CanvasRenderingContext2D} ctx @param {number} time @param {Hour} light */
function sun(ctx, time, light) {
  const i = Math.min(SUN.length - 2, Math.floor(time));
  const [x, y] = [0, 1].map((k) => SUN[i][k] + (SUN[i + 1][k] - SUN[i][k]) * (time - i));
  const glow = ctx.createRadialGradient(x, y, 40, x, y, 260);
  glow.addColorStop(0, light.sun);
  glow.addColorStop(0.25, light.sun + '80');
  glow.addColorStop(1, light.sun + '00');
  ctx.fillStyle = glow;
  ctx.fillRect(x - 260, y - 260, 520, 520);
  disc(ctx, x, y, 56, light.sun);
}

/** Stars and the moon. @param {CanvasRenderingContext2D} ctx @param {number} part how far the night has come */
function night(ctx, part) {
  ctx.globalAlpha = part;
  for (let i = 0; i < 70; i++) disc(ctx, (i * 379 + 53) % 1280, 70 + ((i * 211) % 330), 1 + (i % 3) * 0.7, '#ffffff');
  disc(ctx, 330, 150, 46, '#f4f1dc');
  disc(ctx, 316, 140, 9, '#d9d4bb');
  disc(ctx, 346, 166, 12, '#d9d4bb');
  disc(ctx, 338, 128, 6, '#d9d4bb');
  ctx.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} time */
function clouds(ctx, shift, time) {
  ctx.fillStyle = time > 3.5 ? 'rgba(190,195,235,0.25)' : 'rgba(255,255,255,0.62)';
  for (let i = 0; i < 6; i++) {
    const x = wrap(i * 290 + 100 - shift, 1740) - 230;
    const y = 118 + ((i * 89) % 150);
    ctx.beginPath();
    ctx.ellipse(x, y, 120, 9, 0, 0, 7);
    ctx.ellipse(x - 34, y - 9, 62, 13, 0, 0, 7);
    ctx.ellipse(x + 40, y - 6, 50, 10, 0, 0, 7);
    ctx.fill();
  }
}

/** Table mountains far away, with layers in the stone. @param {CanvasRenderingContext2D} ctx @param {number} shift @param {Hour} light */
function mesas(ctx, shift, light) {
  const table = [[0, 500], [34, 372], [52, 366], [62, 318], [232, 312], [246, 362], [268, 370], [318, 500]];
  const tower = [[0, 500], [26, 392], [38, 388], [44, 296], [92, 290], [100, 384], [112, 390], [144, 500]];
  for (let i = 0; i < 4; i++) {
    const x = wrap(i * 470 + 60 - shift, 1880) - 400;
    for (const [shape, dx, dy] of /** @type {[number[][], number, number][]} */ ([[table, 0, (i % 3) * 18], [tower, 330, 20 + (i % 2) * 26]])) {
      const at = shape.map(([a, b]) => [x + dx + a, b + dy]);
      polygon(ctx, at, light.mesa);
      const right = at.slice(4);
      const foot = at[at.length - 1][0];
      polygon(ctx, [[at[4][0] - 26, at[4][1]], ...right, [foot - 70, 500 + dy], [right[2][0] - 40, right[2][1] + 6]], light.mesaDark);
      ctx.strokeStyle = light.mesaDark;
      ctx.lineWidth = 4;
      ctx.beginPath();
      for (const k of [16, 34]) {
        ctx.moveTo(edge(at[3], at[2], k), at[3][1] + k);
        ctx.lineTo(edge(at[4], at[5], k), at[4][1] + k);
      }
      ctx.stroke();
    }
  }
}

/** Where a side of a mountain is that far below its upper end. @param {number[]} top @param {number[]} foot @param {number} down */
function edge(top, foot, down) {
  return top[0] + ((foot[0] - top[0]) * down) / (foot[1] - top[1]);
}

/** A row of sickle dunes: the slope towards the wind is lit, the other lies in the shade behind a curved ridge.
 * @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} y @param {number} w @param {number} h
 * @param {string} lit @param {string} dark */
function dunes(ctx, shift, y, w, h, lit, dark) {
  ctx.fillStyle = lit;
  ctx.fillRect(0, y + h * 0.6, 1280, GROUND - y);
  const first = Math.floor(shift / w) - 1;
  for (let i = first; i * w - shift < 1280 + w * 0.3; i++) {
    const x = i * w - shift;
    const top = y - (wrap(i, 3) / 2) * h * 0.6;
    const px = x + w * (0.55 + wrap(i, 2) * 0.08);
    ctx.fillStyle = lit;
    ctx.beginPath();
    ctx.moveTo(x - w * 0.35, GROUND);
    ctx.bezierCurveTo(x + w * 0.1, GROUND - 30, px - w * 0.28, top + 4, px, top);
    ctx.bezierCurveTo(px + w * 0.22, top + h * 0.5, px + w * 0.4, top + h * 1.3, x + w * 1.25, GROUND);
    ctx.fill();
    ctx.fillStyle = dark;
    ctx.beginPath();
    ctx.moveTo(px, top);
    ctx.bezierCurveTo(px + w * 0.22, top + h * 0.5, px + w * 0.4, top + h * 1.3, x + w * 1.25, GROUND);
    ctx.lineTo(px - w * 0.1, GROUND);
    ctx.bezierCurveTo(px + w * 0.12, top + h * 1.5, px - w * 0.12, top + h * 0.9, px, top);
    ctx.fill();
  }
}

/** Sand with ripples; those nearer to the eye are longer and pass faster.
 * @param {CanvasRenderingContext2D} ctx @param {number} distance @param {Hour} light */
function ground(ctx, distance, light) {
  const g = ctx.createLinearGradient(0, GROUND - 6, 0, 720);
  g.addColorStop(0, light.sand);
  g.addColorStop(1, light.deep);
  box(ctx, 0, GROUND - 6, 1280, 136, g);
  box(ctx, 0, GROUND - 6, 1280, 5, blend(light.sand, '#ffffff', 0.45));
  box(ctx, 0, GROUND - 1, 1280, 3, blend(light.deep, '#1b1020', 0.35));
  ctx.strokeStyle = blend(light.sand, light.deep, 0.75);
  ctx.lineCap = 'round';
  for (let row = 0; row < 4; row++) {
    const y = GROUND + 17 + row * 27 + row * row * 3;
    const w = 34 + row * 22;
    ctx.lineWidth = 2.5 + row;
    ctx.beginPath();
    for (let i = 0; i < 9; i++) {
      const x = wrap(i * 197 + row * 83 - distance * (1 + row * 0.14), 1773) - 200;
      const dy = (i % 3) * 6;
      ctx.moveTo(x, y + dy);
      ctx.quadraticCurveTo(x + w * 0.5, y + dy - 8 - row * 2, x + w, y + dy);
      ctx.quadraticCurveTo(x + w * 1.35, y + dy + 5, x + w * 1.7, y + dy);
    }
    ctx.stroke();
  }
  for (let i = 0; i < 12; i++) {
    const x = wrap(i * 131 - distance * 1.08, 1572) - 100;
    const y = GROUND + 26 + ((i * 41) % 60);
    disc(ctx, x, y + 3, 5 + (i % 3) * 2, blend(light.deep, '#1b1020', 0.3));
    disc(ctx, x, y, 5 + (i % 3) * 2, blend(light.sand, '#ffffff', 0.3));
  }
}

/** Blades of grass close to the eye. @param {CanvasRenderingContext2D} ctx @param {number} distance @param {Hour} light */
function foreground(ctx, distance, light) {
  const color = blend(light.deep, '#1b1020', 0.55);
  for (let i = 0; i < 4; i++) {
    const x = wrap(i * 421 + 60 - distance * 1.55, 1684) - 200;
    for (let k = -3; k <= 3; k++) {
      polygon(ctx, [[x + k * 8 - 5, 724], [x + k * 17 + (i % 2) * 8, 676 + Math.abs(k) * 9], [x + k * 8 + 5, 724]], color);
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Obstacle} o @param {number} frame */
function obstacle(ctx, o, frame) {
  if (o.kind === 'hawk' || o.kind === 'lowHawk') {
    shadow(ctx, o.x + o.w / 2, 30, 0.2);
    hawk(ctx, o.x, GROUND - (o.low + o.high) / 2, frame);
    return;
  }
  shadow(ctx, o.x + o.w / 2, o.w * 0.62, 0.3);
  const top = GROUND - o.high;
  if (o.kind === 'rock') rocks(ctx, o.x, top, GROUND);
  else if (o.kind === 'pair') [0, 42].forEach((dx) => cactus(ctx, o.x + dx, top, GROUND, dx > 0));
  else cactus(ctx, o.x + (o.w - 44) / 2, top, GROUND, o.kind === 'tall');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} r @param {number} alpha */
function shadow(ctx, x, r, alpha) {
  ctx.fillStyle = `rgba(40,18,10,${alpha})`;
  ctx.beginPath();
  ctx.ellipse(x, GROUND + 4, r, 7, 0, 0, 7);
  ctx.fill();
}

/** The shadow below the fox, and the sand that its feet throw up.
 * @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function dust(ctx, s) {
  const near = Math.max(0.25, 1 - s.h / 220);
  shadow(ctx, FOX_X + FOX_W / 2, 46 * near, 0.34 * near);
  const fresh = Math.max(0, 1 - s.h / 40);
  if (!s.running || !fresh) return;
  for (let i = 0; i < 5; i++) {
    const age = (s.distance % 46) + i * 46;
    if (age > s.distance) break;
    ctx.globalAlpha = 0.55 * fresh * (1 - age / 230);
    disc(ctx, FOX_X + 8 - age * 0.8, GROUND - 3 - age * 0.07, 5 + age * 0.055, '#f6dfb6');
  }
  ctx.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} ctx */
function invitation(ctx) {
  box(ctx, 380, 150, 520, 210, 'rgba(27,20,32,0.88)', { radius: 24, edge: '#ffd27a', line: 4 });
  text(ctx, 'Fennec Dash', 640, 202, { size: 48, color: '#ffd27a' });
  keycap(ctx, 470, 268, 'Space', 'starts the run');
  keycap(ctx, 470, 320, 'Space', 'jumps');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {string} key @param {string} what */
function keycap(ctx, x, y, key, what) {
  box(ctx, x, y - 20, 124, 40, '#f7f4ec', { radius: 9, edge: '#8a6a3a', line: 3 });
  text(ctx, key, x + 62, y + 1, { size: 24, color: COLORS.ink });
  text(ctx, what, x + 144, y + 1, { size: 26, color: COLORS.white, align: 'left' });
}

/** The rest of a division, never negative. @param {number} a @param {number} b */
function wrap(a, b) {
  return ((a % b) + b) % b;
}
