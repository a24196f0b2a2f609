// @ts-check
/** Saw Yard Keys, the picture: the dodge maze in mint and pine. */

import { paint } from '../../kit/dodge-look.js';
import { levelOf } from './rules.js';

const COLOURS = {
  back: '#2f5a55',
  floor: /** @type {[string, string]} */ (['#eef4ea', '#dbe7d6']),
  wall: '#10302c',
  title: '#ffffff',
};

/** @param {CanvasRenderingContext2D} ctx @param {any} s */
export function draw(ctx, s) {
  paint(ctx, levelOf(s), s, COLOURS);
}
