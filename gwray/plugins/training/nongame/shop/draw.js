// @ts-check
/** The shop's pages as pictures: the instruction on top, as high as it is, then the search bar and buttons, then the page. */

import { box, text } from '../../kit/draw.js';
import { HEIGHT, WIDTH } from '../../kit/page.js';
import { catalogue, priceTag } from './catalogue.js';
import { PER_PAGE, cut, goalOf, label, linksOf, nameLine, optionsOf, shownOf } from './pages.js';

const INK = '#1f2733';
const BLUE = '#1a56b0';
const EDGE = '#c9d1dc';
const MARGIN = 28;
/** Where the page's own part begins, below the instruction. */
const TOP = 90;
const MOST_LINES = 8;

/** @typedef {CanvasRenderingContext2D} Context */

/** @param {Context} ctx @param {any} s */
export function draw(ctx, s) {
  box(ctx, 0, 0, WIDTH, HEIGHT, '#1d3557');
  const style = { width: WIDTH - 2 * MARGIN, lines: MOST_LINES, size: 22, color: '#ffffff' };
  const top = paragraph(ctx, `Instruction: ${goalOf(s).text}`, MARGIN, 28, style) - 10;
  const height = HEIGHT - top;
  ctx.save();
  ctx.translate(0, top);
  box(ctx, 0, 0, WIDTH, height, '#f3f5f8');
  const bar = s.page === 'search' ? { x: 240, y: 194, w: 800 } : { x: MARGIN, y: 12, w: 420 };
  box(ctx, bar.x, bar.y, bar.w, 54, '#ffffff', { radius: 10, edge: BLUE, line: 2 });
  paragraph(ctx, s.page === 'search' ? 'Search' : s.query, bar.x + 18, bar.y + 28, { width: bar.w - 36, size: 20, color: s.page === 'search' ? '#7b8696' : INK });
  let x = MARGIN + bar.w + 20;
  for (const { name } of linksOf(s).filter((l) => l.kind === 'button')) x += 12 + chip(ctx, name, x, 39, name === 'buy now' ? 'buy' : 'button');
  if (s.page === 'results') drawResults(ctx, s, height);
  else if (s.page === 'item') drawItem(ctx, s, height);
  else if (s.page !== 'search') drawText(ctx, s, height);
  ctx.restore();
}

/** @param {Context} ctx @param {any} s @param {number} height */
function drawResults(ctx, s, height) {
  text(ctx, `${s.found.length} products, page ${s.number}`, MARGIN, TOP - 6, { size: 18, color: INK, align: 'left', bold: false });
  const step = Math.min(101, Math.floor((height - TOP - 12) / (PER_PAGE / 2)));
  shownOf(s).forEach(([, product], i) => {
    const [x, y] = [MARGIN + (i % 2) * 618, TOP + 10 + Math.floor(i / 2) * step];
    box(ctx, x, y, 606, step - 8, '#ffffff', { radius: 8, edge: EDGE, line: 2 });
    text(ctx, product.asin.toLowerCase(), x + 14, y + 20, { size: 18, color: BLUE, align: 'left' });
    text(ctx, priceTag(product), x + 592, y + 20, { size: 18, color: '#9c2a10', align: 'right' });
    paragraph(ctx, product.title, x + 14, y + 47, { width: 578, lines: step < 92 ? 1 : 2, size: 18 });
  });
}

/** @param {Context} ctx @param {any} s @param {number} height */
function drawItem(ctx, s, height) {
  const product = catalogue().products[s.product];
  const y = paragraph(ctx, product.title, MARGIN, TOP + 16, { width: WIDTH - 2 * MARGIN, lines: 3, size: 25, bold: true });
  text(ctx, `Price: ${priceTag(product)}`, MARGIN, y + 10, { size: 24, color: '#9c2a10', align: 'left' });
  text(ctx, product.asin.toLowerCase(), WIDTH - MARGIN, y + 10, { size: 18, color: BLUE, align: 'right' });
  const placed = (/** @type {import('./pages.js').Option[]} */ options) => place(ctx, options, y + 50);
  const options = optionsOf(s, (some) => placed(some).every((part) => part.y < height - 20));
  for (const part of placed(options)) {
    if (part.look) chip(ctx, part.what, part.x, part.y, part.look);
    else paragraph(ctx, part.what, part.x, part.y, { width: WIDTH - 2 * MARGIN, size: 20 });
  }
}

/**
 * Options in rows from a height down: each name on a line, below it its values and how many more there are.
 * @param {Context} ctx @param {import('./pages.js').Option[]} options @param {number} top
 * @returns {{what: string, x: number, y: number, look?: 'option' | 'chosen'}[]}
 */
function place(ctx, options, top) {
  let y = top;
  return options.flatMap((option) => {
    const { chosen, values, more } = option;
    const chips = values.map((value) => ({ what: label(value), look: /** @type {const} */ (value === chosen ? 'chosen' : 'option') }));
    const title = { what: nameLine(option), x: MARGIN, y };
    let x = MARGIN;
    y += 34;
    const row = [...chips, ...(more ? [{ what: more }] : [])].map((part) => {
      const width = widthOf(ctx, part.what) + 40;
      if (x > MARGIN && x + width > WIDTH - MARGIN) [x, y] = [MARGIN, y + 46];
      x += width;
      return { ...part, x: x - width, y };
    });
    y += 44;
    return [title, ...row];
  });
}

/** @param {Context} ctx @param {any} s @param {number} height */
function drawText(ctx, s, height) {
  const { title, description, features } = catalogue().products[s.product];
  let y = paragraph(ctx, title, MARGIN, TOP + 16, { width: WIDTH - 2 * MARGIN, lines: 2, size: 22, bold: true }) + 16;
  const parts = s.page === 'features' ? features.map((feature) => `• ${feature}`) : [description || 'No description.'];
  for (const part of parts) {
    const lines = Math.floor((height - y) / 27);
    if (lines > 0) y = paragraph(ctx, part, MARGIN, y, { width: WIDTH - 2 * MARGIN, lines, size: 20 }) + 8;
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
  const fits = (/** @type {string} */ row) => ctx.measureText(row).width <= width - size;
  const pieces = cut(all, Math.floor(2 * most * lines)).split(' ').flatMap((word) => (fits(word) ? [` ${word}`] : [' ', ...word]));
  const rows = [''];
  for (const piece of pieces) {
    const longer = rows.at(-1) ? rows.at(-1) + piece : piece.trim();
    if (fits(longer)) rows[rows.length - 1] = longer;
    else rows.push(piece.trim());
  }
  const shown = rows.slice(0, lines);
  if (rows.length > lines) shown[lines - 1] += ' …';
  shown.forEach((row, n) => text(ctx, row, x, y + n * size * 1.35, { size, color, align: 'left', bold }));
  return y + shown.length * size * 1.35;
}
