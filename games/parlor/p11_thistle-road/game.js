// @ts-check
import { defineGame } from '../../commands/commands.js';
import { describe } from './describe.js';
import { draw } from './draw.js';
import { observe } from './observe.js';
import { update } from './play.js';
import { create } from './rules.js';
import { commands } from './tools.js';

defineGame({ id: 'p11_thistle-road', create, update, draw, observe, describe, commands });
