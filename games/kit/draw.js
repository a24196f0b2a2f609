// @ts-check
/**
 * Drawing shared by the games: text, panels, score boards, the end of a game, colours.
 *
 * Everything here is a function of its arguments. Nothing smaller than 18 px, no web fonts, no images.
 */

import { HEIGHT, WIDTH } from './page.js';

/** Strong colours that stay apart from each other, for figures and boards. */
export const COLORS = {
  ink: '#1b2330',
  paper: '#f7f4ec',
  white: '#ffffff',
  grey: '#8a94a6',
  red: '#e5484d',
  orange: '#f2802b',
  yellow: '#f5c518',
  green: '#3aa655',
  teal: '#12a5a0',
  blue: '#2f6fed',
  purple: '#8250df',
  pink: '#e85aad',
  brown: '#8a5a3b',
  night: '#141a2a',
};

const FAMILY = 'sans-serif';

/**
 * One line of text, its anchor in the middle unless told otherwise.
 * @param {CanvasRenderingContext2D} ctx @param {string|number} what @param {number} x @param {number} y
 * @param {{size?: number, color?: string, align?: CanvasTextAlign, baseline?: CanvasTextBaseline, bold?: boolean,
 *   outline?: string, mono?: boolean}} [style]
 */
export function text(ctx, what, x, y, style = {}) {
  const { size = 24, color = COLORS.ink, align = 'center', baseline = 'middle', bold = true, outline, mono } = style;
  ctx.font = `${bold ? 'bold ' : ''}${size}px ${mono ? 'monospace' : FAMILY}`;
  ctx.textAlign = align;
  ctx.textBaseline = baseline;
  if (outline) {
    ctx.strokeStyle = outline;
    ctx.lineWidth = Math.max(3, size / 7);
    ctx.lineJoin = 'round';
    ctx.strokeText(String(what), x, y);
  }
  ctx.fillStyle = color;
  ctx.fillText(String(what), x, y);
}

/**
 * A filled rectangle, rounded and edged if wanted.
 * @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {string|CanvasGradient} fill @param {{radius?: number, edge?: string, line?: number}} [style]
 */
export function box(ctx, x, y, w, h, fill, style = {}) {
  const { radius = 0, edge, line = 3 } = style;
  ctx.beginPath();
  if (radius) ctx.roundRect(x, y, w, h, Math.min(radius, w / 2, h / 2));
  else ctx.rect(x, y, w, h);
  ctx.fillStyle = fill;
  ctx.fill();
  if (edge) {
    ctx.strokeStyle = edge;
    ctx.lineWidth = line;
    ctx.stroke();
  }
}

/** A filled circle. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} r
 * @param {string|CanvasGradient} fill @param {string} [edge] @param {number} [line] */
export function disc(ctx, x, y, r, fill, edge, line = 3) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, Math.PI * 2);
  ctx.fillStyle = fill;
  ctx.fill();
  if (edge) {
    ctx.strokeStyle = edge;
    ctx.lineWidth = line;
    ctx.stroke();
  }
}

/** A filled polygon. @param {CanvasRenderingContext2D} ctx @param {number[][]} points @param {string} fill
 * @param {string} [edge] @param {number} [line] */
export function polygon(ctx, points, fill, edge, line = 3) {
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.closePath();
  ctx.fillStyle = fill;
  ctx.fill();
  if (edge) {
    ctx.strokeStyle = edge;
    ctx.lineWidth = line;
    ctx.lineJoin = 'round';
    ctx.stroke();
  }
}

/** Fills the canvas from top to bottom. @param {CanvasRenderingContext2D} ctx @param {...string} colors */
export function sky(ctx, ...colors) {
  let fill = /** @type {string|CanvasGradient} */ (colors[0]);
  if (colors.length > 1) {
    const g = ctx.createLinearGradient(0, 0, 0, HEIGHT);
    colors.forEach((c, i) => g.addColorStop(i / (colors.length - 1), c));
    fill = g;
  }
  ctx.fillStyle = fill;
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
}

/**
 * Labelled values in panels along the top: `hud(ctx, [['Score', 3], ['Lives', 2]])`.
 * @param {CanvasRenderingContext2D} ctx @param {[string, string|number][]} entries
 * @param {{x?: number, y?: number, align?: 'left'|'right'|'center'}} [place]
 */
export function hud(ctx, entries, place = {}) {
  const { y = 14, align = 'left' } = place;
  const widths = entries.map(([label, value]) => Math.max(110, 40 + 13 * (label.length + String(value).length)));
  const total = widths.reduce((a, b) => a + b + 10, -10);
  let x = place.x ?? (align === 'left' ? 16 : align === 'right' ? WIDTH - 16 : WIDTH / 2);
  if (align === 'right') x -= total;
  if (align === 'center') x -= total / 2;
  entries.forEach(([label, value], i) => {
    box(ctx, x, y, widths[i], 44, 'rgba(16,20,30,0.78)', { radius: 12 });
    text(ctx, label, x + 14, y + 23, { size: 19, color: '#c9d3e6', align: 'left', bold: false });
    text(ctx, value, x + widths[i] - 14, y + 23, { size: 24, color: '#ffffff', align: 'right' });
    x += widths[i] + 10;
  });
}

/** A bar filled to a part in [0, 1]. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y
 * @param {number} w @param {number} h @param {number} part @param {string} [color] */
export function bar(ctx, x, y, w, h, part, color = COLORS.green) {
  box(ctx, x, y, w, h, 'rgba(16,20,30,0.78)', { radius: h / 2 });
  const inner = (w - 6) * Math.max(0, Math.min(1, part));
  if (inner > 0) box(ctx, x + 3, y + 3, inner, h - 6, color, { radius: (h - 6) / 2 });
}

/**
 * The end of a game, over everything else.
 * @param {CanvasRenderingContext2D} ctx @param {{outcome: string, reason: string}} over @param {boolean} [again]
 */
export function drawEnd(ctx, over, again = false) {
  const win = over.outcome === 'win';
  ctx.fillStyle = 'rgba(10,14,22,0.55)';
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
  const y = HEIGHT / 2 - 95;
  ctx.font = `26px ${FAMILY}`;
  const w = Math.min(WIDTH - 40, Math.max(620, ctx.measureText(over.reason).width + 80));
  box(ctx, (WIDTH - w) / 2, y, w, again ? 210 : 170, '#ffffff', {
    radius: 22,
    edge: win ? COLORS.green : COLORS.red,
    line: 7,
  });
  text(ctx, win ? 'You win!' : 'Game over', WIDTH / 2, y + 62, { size: 56, color: win ? '#1f7a3a' : '#b4232a' });
  text(ctx, over.reason, WIDTH / 2, y + 124, { size: 26, color: COLORS.ink, bold: false });
  if (again) text(ctx, 'Press Enter to play again', WIDTH / 2, y + 174, { size: 22, color: '#56607a' });
}
