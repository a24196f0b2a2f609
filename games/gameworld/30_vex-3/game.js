// @ts-check
import { defineGame } from '../../kit/game.js';
import { draw } from './draw.js';
import { create, observe, update } from './rules.js';
import { describe } from './words.js';

defineGame({ id: '30_vex-3', create, update, draw, observe, describe });
