// @ts-check
/** Saw Yard, the picture: the dodge maze in sand and slate. */

import { paint } from '../../kit/dodge-look.js';
import { levelOf } from './rules.js';

const COLOURS = {
  back: '#4b5a78',
  floor: /** @type {[string, string]} */ (['#f6efdc', '#e9dfc4']),
  wall: '#1d2638',
  title: '#ffffff',
};

/** @param {CanvasRenderingContext2D} ctx @param {any} s */
export function draw(ctx, s) {
  paint(ctx, levelOf(s), s, COLOURS);
}
