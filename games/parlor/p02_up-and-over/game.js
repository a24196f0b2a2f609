// @ts-check
import { defineGame } from '../../commands/commands.js';
import { describe } from './describe.js';
import { draw } from './draw.js';
import { commands, create, observe, update } from './rules.js';

defineGame({ id: 'p02_up-and-over', create, update, draw, observe, describe, commands });
