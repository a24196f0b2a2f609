// @ts-check
import { defineGame } from '../../kit/game.js';
import { draw } from './draw.js';
import { create, observe, update } from './rules.js';
import { describe } from './words.js';

defineGame({ id: '11_edge-surf', create, update, draw, observe, describe });
