// @ts-check
import { defineGame } from '../../commands/commands.js';
import { commands } from './commands.js';
import { describe } from './describe.js';
import { draw } from './draw.js';
import { observe } from './observe.js';
import { update } from './play.js';
import { create } from './rules.js';

defineGame({ id: 'p12_bare-hands', create, update, draw, observe, describe, commands });
