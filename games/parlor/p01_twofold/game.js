// @ts-check
import { defineGame } from '../../kit/game.js';
import { describe } from './describe.js';
import { draw } from './draw.js';
import { create, observe, update } from './rules.js';

defineGame({ id: 'p01_twofold', create, update, draw, observe, describe });
