// @ts-check
import { defineGame } from '../../commands/commands.js';
import { describe } from './describe.js';
import { draw } from './draw.js';
import { observe } from './observe.js';
import { create, update } from './rules.js';
import { commands } from './scripts.js';

defineGame({ id: 'p09_iron-bell', create, update, draw, observe, describe, commands });
