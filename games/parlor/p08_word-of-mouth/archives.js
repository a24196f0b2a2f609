// @ts-check
/**
 * The archives: clips in the order of recording, and an index of the words that are said in them.
 *
 * @typedef {{date: string, time: string, seen: string, look: string[], text: string}} Clip
 *   `look`: figure, hair, cloth, headgear, for the picture
 * @typedef {{title: string, way: number, clips: Clip[], index: Map<string, number[]>, rare: string[]}} Archive
 *   `way`: how many words the scripted player's way has; `index`: the clips of each word, in order; `rare`: the words that may be on it
 */

import { LOW_WATER_1 } from './low-water-1.js';
import { LOW_WATER_2 } from './low-water-2.js';
import { LOW_WATER_3 } from './low-water-3.js';
import { WINTER_GARDEN } from './winter-garden.js';

/** Minutes between the beginnings of two clips of a recording. */
const MINUTES = 3;

/** A word as it is indexed: letters, with apostrophes inside. */
export const WORD = /[a-z]+(?:'[a-z]+)*/gi;

/** Letters of a word that may be on the way, and the fewest and the most clips in which it is said. */
const LETTERS = 4;
const [FEWEST, MOST] = [2, 8];

/** @type {Record<string, Archive>} */
export const ARCHIVES = {
  'low-water': archive('Low Water', 150, LOW_WATER_1 + LOW_WATER_2 + LOW_WATER_3),
  'winter-garden': archive('The Winter Garden', 38, WINTER_GARDEN),
};

/** @param {string} title @param {number} way @param {string} source @returns {Archive} */
function archive(title, way, source) {
  /** @type {Clip[]} */
  const clips = [];
  let [date, begins, seen, look] = ['', 0, '', ['']];
  for (const part of source.trim().split('\n\n')) {
    const text = part.replaceAll('\n', ' ');
    if (text.startsWith('@')) {
      const [day, time, who, drawn] = text.slice(1).split('|').map((field) => field.trim());
      const [hours, minutes] = time.split(':').map(Number);
      [date, begins, seen, look] = [day, 60 * hours + minutes, who, drawn.split(' ')];
      continue;
    }
    const time = `${Math.floor(begins / 60)}:${String(begins % 60).padStart(2, '0')}`;
    clips.push({ date, time, seen, look, text });
    begins += MINUTES;
  }
  /** @type {Map<string, number[]>} */
  const index = new Map();
  clips.forEach(({ text }, i) => {
    for (const word of new Set(text.toLowerCase().match(WORD))) index.set(word, [...(index.get(word) ?? []), i]);
  });
  const rare = [...index].filter(([word, said]) => /^[a-z]+$/.test(word) && word.length >= LETTERS && said.length >= FEWEST && said.length <= MOST);
  return { title, way, clips, index, rare: rare.map(([word]) => word) };
}
