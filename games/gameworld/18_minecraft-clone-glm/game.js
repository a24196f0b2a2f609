// @ts-check
import { defineGame } from '../../kit/game.js';
import { draw } from './draw.js';
import { create, observe, update } from './rules.js';
import { describe } from './words.js';

defineGame({ id: '18_minecraft-clone-glm', create, update, draw, observe, describe });
