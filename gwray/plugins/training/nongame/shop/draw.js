// @ts-check
/** The shop's pages as pictures: the instruction on top, the search bar and buttons, then the page. */

import { box, text } from '../../kit/draw.js';
import { HEIGHT, WIDTH } from '../../kit/page.js';
import { catalogue, priceTag } from './catalogue.js';
import { cut, goalOf, linksOf, shownOf } from './pages.js';

const INK = '#1f2733';
const BLUE = '#1a56b0';
const EDGE = '#c9d1dc';
const EDGE_X = 28;
const TOP = 196;

/** @typedef {CanvasRenderingContext2D} Context */

/** @param {Context} ctx @param {any} s */
export function draw(ctx, s) {
  box(ctx, 0, 0, WIDTH, HEIGHT, '#f3f5f8');
  box(ctx, 0, 0, WIDTH, 106, '#1d3557');
  paragraph(ctx, `Instruction: ${goalOf(s).text}`, EDGE_X, 28, { width: WIDTH - 2 * EDGE_X, lines: 3, size: 22, color: '#ffffff' });
  const bar = s.page === 'search' ? { x: 240, y: 300, w: 800 } : { x: EDGE_X, y: 118, w: 420 };
  box(ctx, bar.x, bar.y, bar.w, 54, '#ffffff', { radius: 10, edge: BLUE, line: 2 });
  paragraph(ctx, s.page === 'search' ? 'Search' : s.query, bar.x + 18, bar.y + 28, { width: bar.w - 36, size: 20, color: s.page === 'search' ? '#7b8696' : INK });
  let x = EDGE_X + bar.w + 20;
  for (const { name } of linksOf(s).filter((l) => l.kind === 'button')) x += 12 + chip(ctx, name, x, 145, name === 'buy now' ? 'buy' : 'button');
  if (s.page === 'results') drawResults(ctx, s);
  else if (s.page === 'item') drawItem(ctx, s);
  else if (s.page !== 'search') drawText(ctx, s);
}

/** @param {Context} ctx @param {any} s */
function drawResults(ctx, s) {
  text(ctx, `${s.found.length} products, page ${s.number}`, EDGE_X, TOP - 6, { size: 18, color: INK, align: 'left', bold: false });
  shownOf(s).forEach(([, product], i) => {
    const [x, y] = [EDGE_X + (i % 2) * 618, TOP + 10 + Math.floor(i / 2) * 101];
    box(ctx, x, y, 606, 93, '#ffffff', { radius: 8, edge: EDGE, line: 2 });
    text(ctx, product.asin.toLowerCase(), x + 14, y + 20, { size: 18, color: BLUE, align: 'left' });
    text(ctx, priceTag(product), x + 592, y + 20, { size: 18, color: '#9c2a10', align: 'right' });
    paragraph(ctx, product.title, x + 14, y + 47, { width: 578, lines: 2, size: 18 });
  });
}

/** @param {Context} ctx @param {any} s */
function drawItem(ctx, s) {
  const product = catalogue().products[s.product];
  let y = paragraph(ctx, product.title, EDGE_X, TOP + 16, { width: WIDTH - 2 * EDGE_X, lines: 3, size: 25, bold: true });
  text(ctx, `Price: ${priceTag(product)}`, EDGE_X, y + 10, { size: 24, color: '#9c2a10', align: 'left' });
  text(ctx, product.asin.toLowerCase(), WIDTH - EDGE_X, y + 10, { size: 18, color: BLUE, align: 'right' });
  y += 56;
  for (const option of Object.keys(product.options)) {
    text(ctx, `${option}:`, EDGE_X, y, { size: 20, color: INK, align: 'left' });
    let x = EDGE_X + 160;
    for (const { name, to } of linksOf(s).filter((l) => l.option === option)) {
      const width = widthOf(ctx, name) + 36;
      if (x + width > WIDTH - EDGE_X && x > EDGE_X + 160) [x, y] = [EDGE_X + 160, y + 48];
      if (y > HEIGHT - 20) return;
      x += 12 + chip(ctx, name, x, y, to?.chosen[option] === s.chosen[option] ? 'chosen' : 'option');
    }
    y += 60;
  }
}

/** @param {Context} ctx @param {any} s */
function drawText(ctx, s) {
  const { title, description, features } = catalogue().products[s.product];
  let y = paragraph(ctx, title, EDGE_X, TOP + 16, { width: WIDTH - 2 * EDGE_X, lines: 2, size: 22, bold: true }) + 16;
  const parts = s.page === 'features' ? features.map((feature) => `• ${feature}`) : [description || 'No description.'];
  for (const part of parts) {
    const lines = Math.floor((HEIGHT - y) / 27);
    if (lines > 0) y = paragraph(ctx, part, EDGE_X, y, { width: WIDTH - 2 * EDGE_X, lines, size: 20 }) + 8;
  }
}

/** A button or a value of an option around the height y; its width. @param {Context} ctx @param {string} name @param {number} x
 * @param {number} y @param {'button' | 'buy' | 'option' | 'chosen'} look */
function chip(ctx, name, x, y, look) {
  const [fill, color] = { button: ['#dfe7f2', INK], buy: ['#f2a922', INK], option: ['#ffffff', INK], chosen: [BLUE, '#ffffff'] }[look];
  const width = widthOf(ctx, name) + 28;
  box(ctx, x, y - 20, width, 40, fill, { radius: 9, edge: look === 'chosen' ? BLUE : '#8d9bb0', line: 2 });
  text(ctx, name, x + 14, y + 1, { size: 19, color, align: 'left', bold: false });
  return width;
}

/** @param {Context} ctx @param {string} name */
function widthOf(ctx, name) {
  ctx.font = '19px sans-serif';
  return ctx.measureText(name).width;
}

/**
 * Text in lines of a width, from a first line's middle down; the height of the line after it.
 * @param {Context} ctx @param {string} all @param {number} x @param {number} y
 * @param {{width: number, size: number, lines?: number, color?: string, bold?: boolean}} style
 */
function paragraph(ctx, all, x, y, { width, size, lines = 1, color = INK, bold = false }) {
  ctx.font = `${bold ? 'bold ' : ''}${size}px sans-serif`;
  const most = width / ctx.measureText('n').width;
  const rows = [''];
  for (const word of cut(all, Math.floor(2 * most * lines)).split(' ')) {
    const longer = rows.at(-1) ? `${rows.at(-1)} ${word}` : word;
    if (ctx.measureText(longer).width <= width - size) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  const shown = rows.slice(0, lines);
  if (rows.length > lines) shown[lines - 1] += ' …';
  shown.forEach((row, n) => text(ctx, row, x, y + n * size * 1.35, { size, color, align: 'left', bold }));
  return y + shown.length * size * 1.35;
}
