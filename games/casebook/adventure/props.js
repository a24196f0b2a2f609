// @ts-check
/**
 * Painted rooms and furniture for pictures of adventures: each a function of place, size and colours.
 *
 * x, y is the left upper corner unless a comment says otherwise; sizes are pixels of the scene's picture.
 *
 * @typedef {CanvasRenderingContext2D} Ctx
 */

import { box, disc, polygon } from '../../kit/draw.js';

/** A colour made lighter (amount > 0) or darker (< 0). @param {string} color `#rrggbb` @param {number} amount -1 to 1 */
export function tone(color, amount) {
  const parts = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
  const to = amount > 0 ? 255 : 0;
  return `rgb(${parts.map((p) => Math.round(p + (to - p) * Math.abs(amount))).join(',')})`;
}

/** A fill from top to bottom. @param {Ctx} ctx @param {number} y @param {number} h @param {...string} colors */
export function down(ctx, y, h, ...colors) {
  const g = ctx.createLinearGradient(0, y, 0, y + h);
  colors.forEach((c, i) => g.addColorStop(i / (colors.length - 1), c));
  return g;
}

/** An open line with round ends, through points. @param {Ctx} ctx @param {number[][]} points @param {string} color @param {number} width
 * @param {number[]} [dash] */
export function stroke(ctx, points, color, width, dash = []) {
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.setLineDash(dash);
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A soft light. x, y: its middle. @param {Ctx} ctx @param {number} x @param {number} y @param {number} r @param {string} color `r,g,b`
 * @param {number} [strength] */
export function glow(ctx, x, y, r, color, strength = 0.5) {
  const g = ctx.createRadialGradient(x, y, 0, x, y, r);
  g.addColorStop(0, `rgba(${color},${strength})`);
  g.addColorStop(1, `rgba(${color},0)`);
  ctx.fillStyle = g;
  ctx.fillRect(x - r, y - r, 2 * r, 2 * r);
}

/** A shadow on the floor. x, y: its middle. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} [h] */
export function shadow(ctx, x, y, w, h = w / 9) {
  ctx.beginPath();
  ctx.ellipse(x, y, w / 2, h, 0, 0, 7);
  ctx.fillStyle = 'rgba(0,0,0,0.28)';
  ctx.fill();
}

/** A wall with a floor. @param {Ctx} ctx @param {{wall: string, floor: string, line?: number, pattern?: 'plain'|'stripes'|'bricks'|'planks'|'tiles'|'dots', trim?: string}} style */
export function room(ctx, style) {
  const { wall, floor, line = 380, pattern = 'plain', trim = tone(wall, -0.35) } = style;
  box(ctx, 0, 0, 1280, line, down(ctx, 0, line, tone(wall, -0.18), tone(wall, 0.1)));
  const dim = tone(wall, -0.1);
  if (pattern === 'stripes') for (let x = 20; x < 1280; x += 64) box(ctx, x, 0, 26, line, dim);
  if (pattern === 'planks') for (let x = 0; x < 1280; x += 80) box(ctx, x, 0, 4, line, tone(wall, -0.28));
  if (pattern === 'dots') for (let x = 24, i = 0; x < 1280; x += 48, i++) for (let y = 24 + (i % 2) * 24; y < line; y += 48) disc(ctx, x, y, 5, dim);
  if (pattern === 'bricks') {
    for (let y = 0, i = 0; y < line; y += 34, i++) {
      box(ctx, 0, y, 1280, 3, tone(wall, -0.26));
      for (let x = (i % 2) * 42; x < 1280; x += 84) box(ctx, x, y, 3, Math.min(34, line - y), tone(wall, -0.26));
    }
  }
  if (pattern === 'tiles') for (let y = 0; y < line; y += 56) for (let x = (y / 56) % 2 ? 56 : 0; x < 1280; x += 112) box(ctx, x, y, 54, 54, dim, { radius: 4 });
  box(ctx, 0, line - 22, 1280, 22, trim);
  box(ctx, 0, line, 1280, 524 - line, down(ctx, line, 524 - line, tone(floor, -0.3), tone(floor, 0.08)));
  ctx.strokeStyle = tone(floor, -0.4);
  ctx.lineWidth = 3;
  for (let i = -9; i <= 9; i++) {
    ctx.beginPath();
    ctx.moveTo(640 + i * 90, line);
    ctx.lineTo(640 + i * 210, 524);
    ctx.stroke();
  }
}

/** A door; open shows what lies behind. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {string} color @param {{open?: boolean, behind?: string, knob?: string}} [style] */
export function door(ctx, x, y, w, h, color, style = {}) {
  box(ctx, x - 12, y - 12, w + 24, h + 12, tone(color, -0.45), { radius: 4 });
  if (style.open) {
    box(ctx, x, y, w, h, style.behind ?? '#15161f');
    polygon(ctx, [[x, y], [x + w * 0.28, y + 14], [x + w * 0.28, y + h + 14], [x, y + h]], tone(color, -0.15));
    return;
  }
  box(ctx, x, y, w, h, down(ctx, y, h, tone(color, 0.08), tone(color, -0.14)));
  for (const [px, py, ph] of [[0.14, 0.07, 0.38], [0.56, 0.07, 0.38], [0.14, 0.54, 0.38], [0.56, 0.54, 0.38]]) {
    box(ctx, x + w * px, y + h * py, w * 0.3, h * ph, tone(color, -0.2), { edge: tone(color, 0.12), line: 2 });
  }
  disc(ctx, x + w * 0.9, y + h * 0.52, 8, style.knob ?? '#e0b84c', '#5b4312', 2);
}

/** A window. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h @param {string} frame
 * @param {string[]} sky colours of what is outside, from top to bottom */
export function pane(ctx, x, y, w, h, frame, sky) {
  box(ctx, x - 12, y - 12, w + 24, h + 24, frame, { radius: 4 });
  box(ctx, x, y, w, h, down(ctx, y, h, ...sky));
  polygon(ctx, [[x + w * 0.1, y], [x + w * 0.3, y], [x + w * 0.05, y + h * 0.6], [x, y + h * 0.6], [x, y + h * 0.3]], 'rgba(255,255,255,0.14)');
  box(ctx, x + w / 2 - 4, y, 8, h, frame);
  box(ctx, x, y + h / 2 - 4, w, 8, frame);
  box(ctx, x - 22, y + h + 10, w + 44, 14, tone(frame.startsWith('#') ? frame : '#777777', -0.2), { radius: 3 });
}

/** Curtains at both sides of a window. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h @param {string} color */
export function curtains(ctx, x, y, w, h, color) {
  for (const side of [0, 1]) {
    for (let i = 0; i < 4; i++) {
      const px = side ? x + w + 16 - i * 18 : x - 34 + i * 18;
      box(ctx, px, y - 20, 18, h + 60 - i * 6, i % 2 ? tone(color, -0.2) : color, { radius: 6 });
    }
  }
  box(ctx, x - 46, y - 30, w + 92, 12, '#8a6a3a', { radius: 6 });
}

/** A table or desk; drawers: how many, open: which of them. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w
 * @param {number} h @param {string} color @param {{drawers?: number, open?: number}} [style] */
export function desk(ctx, x, y, w, h, color, style = {}) {
  shadow(ctx, x + w / 2, y + h, w * 1.05);
  for (const px of [x + 8, x + w - 26]) box(ctx, px, y + 16, 18, h - 16, tone(color, -0.3));
  const n = style.drawers ?? 0;
  for (let i = 0; i < n; i++) {
    const dw = (w - 24) / n;
    const out = style.open === i ? 12 : 0;
    box(ctx, x + 12 + i * dw, y + 18 + out, dw - 6, 50, tone(color, out ? 0.12 : -0.12), { radius: 4, edge: tone(color, -0.45), line: 2 });
    disc(ctx, x + 9 + (i + 0.5) * dw, y + 43 + out, 6, '#e0b84c', '#5b4312', 2);
  }
  box(ctx, x - 8, y, w + 16, 20, tone(color, 0.12), { radius: 4, edge: tone(color, -0.4), line: 2 });
}

/** A cupboard with rows of drawers or two doors. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {string} color @param {{rows?: number, open?: boolean, inside?: string}} [style] */
export function cupboard(ctx, x, y, w, h, color, style = {}) {
  shadow(ctx, x + w / 2, y + h, w * 1.1);
  box(ctx, x, y, w, h, down(ctx, y, h, tone(color, 0.05), tone(color, -0.2)), { radius: 5, edge: tone(color, -0.5) });
  if (style.rows) {
    const dh = (h - 16) / style.rows;
    for (let i = 0; i < style.rows; i++) {
      box(ctx, x + 10, y + 10 + i * dh, w - 20, dh - 6, tone(color, 0.1), { radius: 4, edge: tone(color, -0.4), line: 2 });
      disc(ctx, x + w / 2, y + 8 + (i + 0.45) * dh, 6, '#e0b84c', '#5b4312', 2);
    }
  } else if (style.open) {
    box(ctx, x + 10, y + 10, w - 20, h - 20, style.inside ?? '#1c1712');
    box(ctx, x + 10, y + h * 0.5, w - 20, 8, tone(color, -0.3));
    polygon(ctx, [[x, y], [x - w * 0.24, y + 18], [x - w * 0.24, y + h + 12], [x, y + h]], tone(color, 0.1), tone(color, -0.5));
    polygon(ctx, [[x + w, y], [x + w * 1.24, y + 18], [x + w * 1.24, y + h + 12], [x + w, y + h]], tone(color, 0.1), tone(color, -0.5));
  } else {
    for (const i of [0, 1]) {
      box(ctx, x + 10 + (i * (w - 16)) / 2, y + 12, (w - 28) / 2, h - 26, tone(color, -0.06), { radius: 4, edge: tone(color, -0.4), line: 2 });
      disc(ctx, x + w / 2 + (i ? 14 : -14), y + h / 2, 6, '#e0b84c', '#5b4312', 2);
    }
  }
}

/** Shelves of books; the colours repeat. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {string} wood @param {string[]} spines @param {number} [rows] */
export function shelves(ctx, x, y, w, h, wood, spines, rows = 3) {
  box(ctx, x, y, w, h, tone(wood, -0.45), { edge: wood, line: 10 });
  const rh = h / rows;
  for (let r = 0; r < rows; r++) {
    for (let px = x + 10, i = r * 5; px < x + w - 22; i++) {
      const bw = 14 + ((i * 7) % 5) * 4;
      const bh = rh * (0.6 + ((i * 13) % 7) * 0.035);
      if (px + bw < x + w - 8) {
        box(ctx, px, y + (r + 1) * rh - bh - 8, bw - 2, bh, spines[i % spines.length], { radius: 2 });
        box(ctx, px + 2, y + (r + 1) * rh - bh, bw - 6, 5, 'rgba(255,255,255,0.35)');
      }
      px += bw;
    }
    box(ctx, x, y + (r + 1) * rh - 9, w, 9, wood);
  }
}

/** A picture in a frame; `paint` draws it in 0…w, 0…h. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {string} frame @param {(ctx: Ctx, w: number, h: number) => void} paint */
export function framed(ctx, x, y, w, h, frame, paint) {
  box(ctx, x - 4, y + 4, w + 16, h + 16, 'rgba(0,0,0,0.3)');
  box(ctx, x - 12, y - 12, w + 24, h + 24, frame, { radius: 3, edge: tone(frame, -0.4) });
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, w, h);
  ctx.clip();
  ctx.translate(x, y);
  paint(ctx, w, h);
  ctx.restore();
}

/** A rug lying on the floor. x, y: its middle. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {string} color @param {string} edge */
export function rug(ctx, x, y, w, h, color, edge) {
  for (const [f, c] of /** @type {[number, string][]} */ ([[1, edge], [0.88, color], [0.6, edge], [0.5, color]])) {
    ctx.beginPath();
    ctx.ellipse(x, y, (w / 2) * f, (h / 2) * f, 0, 0, 7);
    ctx.fillStyle = c;
    ctx.fill();
  }
}

/** A clock face with hands. x, y: its middle. @param {Ctx} ctx @param {number} x @param {number} y @param {number} r @param {number} hour
 * @param {number} minute @param {string} [rim] */
export function clock(ctx, x, y, r, hour, minute, rim = '#7a4a22') {
  disc(ctx, x, y, r + 9, rim, tone(rim, -0.4), 3);
  disc(ctx, x, y, r, '#f6f0df');
  ctx.strokeStyle = '#222';
  ctx.lineCap = 'round';
  for (let i = 0; i < 12; i++) {
    const a = (i * Math.PI) / 6;
    ctx.lineWidth = i % 3 ? 2 : 5;
    ctx.beginPath();
    ctx.moveTo(x + Math.sin(a) * r * 0.84, y - Math.cos(a) * r * 0.84);
    ctx.lineTo(x + Math.sin(a) * r * 0.95, y - Math.cos(a) * r * 0.95);
    ctx.stroke();
  }
  for (const [turn, long, wide] of [[(hour + minute / 60) / 12, 0.5, 7], [minute / 60, 0.78, 4]]) {
    const a = turn * Math.PI * 2;
    ctx.lineWidth = (wide * r) / 60 + 2;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + Math.sin(a) * r * long, y - Math.cos(a) * r * long);
    ctx.stroke();
  }
  ctx.lineCap = 'butt';
}

/** A plant in a pot. x, y: the middle of the pot's foot. @param {Ctx} ctx @param {number} x @param {number} y @param {number} size
 * @param {string} [leaf] @param {string} [pot] */
export function plant(ctx, x, y, size, leaf = '#3f8f4f', pot = '#b5623c') {
  shadow(ctx, x, y, size * 0.7);
  for (let i = -3; i <= 3; i++) {
    ctx.save();
    ctx.translate(x, y - size * 0.36);
    ctx.rotate(i * 0.36);
    ctx.beginPath();
    ctx.ellipse(0, -size * 0.34, size * 0.09, size * 0.34, 0, 0, 7);
    ctx.fillStyle = i % 2 ? tone(leaf, -0.15) : leaf;
    ctx.fill();
    ctx.restore();
  }
  polygon(ctx, [[x - size * 0.24, y - size * 0.4], [x + size * 0.24, y - size * 0.4], [x + size * 0.17, y], [x - size * 0.17, y]], pot, tone(pot, -0.4), 2);
}

/** A standing or hanging lamp with its light. x, y: the middle of the shade. @param {Ctx} ctx @param {number} x @param {number} y
 * @param {number} size @param {string} shade @param {{on?: boolean, foot?: number, chain?: number}} [style] */
export function lamp(ctx, x, y, size, shade, style = {}) {
  const { on = true, foot = 0, chain = 0 } = style;
  if (chain) box(ctx, x - 2, y - chain, 4, chain, '#3a3128');
  if (foot) {
    box(ctx, x - 4, y, 8, foot, '#7a5b2e');
    box(ctx, x - size * 0.4, y + foot - 10, size * 0.8, 12, '#6b4e26', { radius: 6 });
  }
  if (on) glow(ctx, x, y + size * 0.3, size * 4, '255,220,140', 0.42);
  polygon(ctx, [[x - size * 0.32, y - size * 0.4], [x + size * 0.32, y - size * 0.4], [x + size * 0.62, y + size * 0.36], [x - size * 0.62, y + size * 0.36]], shade, tone('#000000', 0.2), 2);
  if (on) box(ctx, x - size * 0.56, y + size * 0.36, size * 1.12, 5, '#fff3c4');
}

/** A chest; `open` shows its inside. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {string} color @param {boolean} [open] */
export function chest(ctx, x, y, w, h, color, open = false) {
  shadow(ctx, x + w / 2, y + h, w * 1.1);
  box(ctx, x, y + h * 0.4, w, h * 0.6, down(ctx, y, h, tone(color, 0.1), tone(color, -0.25)), { radius: 4, edge: tone(color, -0.5) });
  if (open) box(ctx, x, y - h * 0.12, w, h * 0.52, tone(color, -0.5), { radius: 14, edge: tone(color, -0.6) });
  else box(ctx, x, y, w, h * 0.42, tone(color, 0.08), { radius: 16, edge: tone(color, -0.5) });
  for (const f of [0.12, 0.8]) box(ctx, x + w * f, y + (open ? h * 0.4 : 0), w * 0.08, h * (open ? 0.6 : 1), '#c39a3d');
  box(ctx, x + w * 0.44, y + h * 0.36, w * 0.12, h * 0.22, '#e0b84c', { radius: 4, edge: '#5b4312', line: 2 });
}

/** A seat with a back. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h @param {string} color */
export function armchair(ctx, x, y, w, h, color) {
  shadow(ctx, x + w / 2, y + h, w * 1.05);
  box(ctx, x + w * 0.1, y, w * 0.8, h * 0.8, color, { radius: 26, edge: tone(color, -0.4) });
  for (let i = 0; i < 3; i++) disc(ctx, x + w * (0.3 + i * 0.2), y + h * 0.26, 5, tone(color, -0.35));
  box(ctx, x + w * 0.08, y + h * 0.52, w * 0.84, h * 0.26, tone(color, 0.14), { radius: 12, edge: tone(color, -0.4) });
  for (const px of [x, x + w * 0.8]) box(ctx, px, y + h * 0.38, w * 0.2, h * 0.54, tone(color, -0.1), { radius: 12, edge: tone(color, -0.4) });
  for (const px of [x + w * 0.06, x + w * 0.84]) box(ctx, px, y + h * 0.92, w * 0.1, h * 0.08, '#3a2616');
}

/** A bed seen from its side. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h @param {string} cover
 * @param {string} [wood] */
export function bed(ctx, x, y, w, h, cover, wood = '#6f4a2b') {
  shadow(ctx, x + w / 2, y + h, w);
  box(ctx, x, y, 20, h, wood, { radius: 6, edge: tone(wood, -0.4) });
  box(ctx, x + w - 20, y + h * 0.25, 20, h * 0.75, wood, { radius: 6, edge: tone(wood, -0.4) });
  box(ctx, x + 18, y + h * 0.45, w - 36, h * 0.4, cover, { radius: 10, edge: tone(cover, -0.35) });
  for (let i = 1; i < 6; i++) box(ctx, x + 18 + (i * (w - 36)) / 6, y + h * 0.45, 8, h * 0.4, tone(cover, -0.15));
  box(ctx, x + 26, y + h * 0.3, w * 0.24, h * 0.24, '#f3efe4', { radius: 14, edge: '#b8b2a2', line: 2 });
}

/** A tree. x, y: the middle of its foot. @param {Ctx} ctx @param {number} x @param {number} y @param {number} size @param {string} leaf */
export function tree(ctx, x, y, size, leaf) {
  shadow(ctx, x, y, size * 0.7);
  polygon(ctx, [[x - size * 0.07, y], [x - size * 0.04, y - size * 0.6], [x + size * 0.04, y - size * 0.6], [x + size * 0.07, y]], '#5d4029');
  for (const [dx, dy, r, t] of [[-0.2, -0.55, 0.22, -0.2], [0.2, -0.56, 0.22, -0.12], [0, -0.78, 0.27, 0], [-0.02, -0.6, 0.22, 0.08]]) {
    disc(ctx, x + dx * size, y + dy * size, r * size, tone(leaf, t));
  }
}
