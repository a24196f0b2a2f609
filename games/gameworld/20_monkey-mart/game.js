// @ts-check
import { defineGame } from '../../kit/game.js';
import { draw } from './draw.js';
import { create, observe, update } from './rules.js';
import { describe } from './words.js';

defineGame({ id: '20_monkey-mart', create, update, draw, observe, describe });
