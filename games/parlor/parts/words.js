// @ts-check
/** Text that has to fit: lines broken at words, and single lines that are narrowed. */

import { text } from '../../kit/draw.js';

/** Breaks a text into lines of at most so many characters. @param {string} line @param {number} most */
export function wrapped(line, most) {
  const out = [''];
  for (const word of line.split(' ')) {
    const last = out[out.length - 1];
    if (last && last.length + word.length + 1 > most) out.push(word);
    else out[out.length - 1] = last ? `${last} ${word}` : word;
  }
  return out;
}

/**
 * One line of text as in the kit, narrowed to at most so many pixels.
 * @param {CanvasRenderingContext2D} ctx @param {string} what @param {number} x @param {number} y @param {number} most
 * @param {{size: number, color: string, align?: CanvasTextAlign, bold?: boolean, outline?: string}} style
 */
export function fitted(ctx, what, x, y, most, style) {
  ctx.save();
  ctx.translate(x, y);
  ctx.font = `${(style.bold ?? true) ? 'bold ' : ''}${style.size}px sans-serif`;
  ctx.scale(Math.min(1, most / ctx.measureText(what).width), 1);
  text(ctx, what, 0, 0, style);
  ctx.restore();
}
