// @ts-check
import { defineGame } from '../../kit/game.js';
import { draw } from './draw.js';
import { create, describe, observe, update } from './rules.js';

defineGame({ id: '01_2048', create, update, draw, observe, describe });
