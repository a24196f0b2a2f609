// @ts-check
import { defineGame } from '../../commands/commands.js';
import { describe } from './describe.js';
import { draw } from './draw.js';
import { observe } from './observe.js';
import { commands, update } from './play.js';
import { create } from './rules.js';

defineGame({ id: 'p05_long-stair', create, update, draw, observe, describe, commands });
