// @ts-check
import { defineGame } from '../../kit/game.js';
import { draw } from './draw.js';
import { create, describe, observe, update } from './rules.js';

defineGame({ id: '08_core-ball', create, update, draw, observe, describe });
