// @ts-check
import { defineGame } from '../../kit/game.js';
import { draw } from './draw.js';
import { create, describe, observe, update } from './rules.js';

defineGame({ id: '13_flappy-bird', create, update, draw, observe, describe });
