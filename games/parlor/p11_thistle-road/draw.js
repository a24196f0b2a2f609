// @ts-check
import { sky, text } from '../../kit/draw.js';
/** @param {CanvasRenderingContext2D} ctx @param {any} s */
export function draw(ctx, s) { sky(ctx, '#123'); text(ctx, s.map + s.x + s.y, 300, 300, {color: '#fff'}); }
