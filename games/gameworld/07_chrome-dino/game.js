// @ts-check
import { defineGame } from '../../kit/game.js';
import { draw } from './draw.js';
import { create, observe, update } from './rules.js';
import { describe } from './words.js';

defineGame({ id: '07_chrome-dino', create, update, draw, observe, describe });
