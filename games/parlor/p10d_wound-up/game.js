// @ts-check
/** Wound Up for two: the rules, pictures and words of the match against the built-in opponent. */
import { defineGame } from '../../commands/commands.js';
import { describe } from '../p10_wound-up/describe.js';
import { draw } from '../p10_wound-up/draw.js';
import { observe } from '../p10_wound-up/observe.js';
import { commands, update } from '../p10_wound-up/play.js';
import { create } from '../p10_wound-up/rules.js';

/** @param {any} options @param {any} rng */
const match = (options, rng) => create({ bot: 'none', ...options }, rng);
defineGame({ id: 'p10d_wound-up', create: match, update, draw, observe, describe, commands });
