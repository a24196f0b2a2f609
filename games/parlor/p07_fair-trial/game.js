// @ts-check
import { defineGame } from '../../commands/commands.js';
import { describe } from './describe.js';
import { draw } from './draw.js';
import { commands, update } from './play.js';
import { create, observe } from './rules.js';

defineGame({ id: 'p07_fair-trial', create, update, draw, observe, describe, commands });
