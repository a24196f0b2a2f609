// @ts-check
/** Word of Mouth in words: how far one is, the last search, its clips with what was heard of them, earlier searches. */

import { ARCHIVES } from './archives.js';
import { transcript } from './rules.js';

/** Characters of a description. */
const MOST = 2950;

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const { title, clips } = ARCHIVES[s.archive];
  const lines = [
    `Archive: ${title}. You have watched ${s.watched.length} of ${clips.length} clips.`,
    ...(s.done ? [] : [`In the search field: ${s.typed}`]),
    `Last search: ${s.query}. Clips with this word: ${s.hits}. Listed: ${s.listed.length}.`,
    ...s.listed.map((i, n) => {
      const { date, time, seen } = clips[i];
      const state = s.played.includes(i) ? `watched: ${transcript(s, i)}` : s.watched.includes(i) ? 'watched before this search' : 'new';
      return `${n + 1}. ${date}, ${time}, ${seen}; ${state}`;
    }),
    `What happened last: ${s.said}`,
  ];
  const told = lines.join('\n');
  // The newest words stay where there is no room for all.
  const words = [...s.searched];
  const earlier = () => `\nSearched until now (${s.searched.length}): ${words.length < s.searched.length ? '… ' : ''}${words.join(' ')}`;
  while (words.length && told.length + earlier().length > MOST) words.shift();
  return told + earlier();
}
