// @ts-check
/** Iron Bell for two: the rules, pictures and words of the ladder's game. */
import { defineGame } from '../../commands/commands.js';
import { describe } from '../p09_iron-bell/describe.js';
import { draw } from '../p09_iron-bell/draw.js';
import { observe } from '../p09_iron-bell/observe.js';
import { create, update } from '../p09_iron-bell/rules.js';
import { commands } from '../p09_iron-bell/scripts.js';

/** @param {any} options @param {any} rng */
const duel = (options, rng) => create({ ...options, mode: 'duel' }, rng);
defineGame({ id: 'p09d_iron-bell', create: duel, update, draw, observe, describe, commands });
