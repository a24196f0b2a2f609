// @ts-check
import { defineGame } from '../../kit/game.js';
import { draw } from './draw.js';
import { create, describe, observe, update } from './rules.js';

defineGame({ id: '34_worlds-hardest-game-2', create, update, draw, observe, describe });
