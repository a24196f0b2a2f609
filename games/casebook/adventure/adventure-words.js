// @ts-check
/** An adventure's screen in words: where one is, what can be seen and clicked and in which cell, what is carried. */

import { ON_A_PAGE, cellOf, targets, words } from './adventure-targets.js';

/** @param {import('./adventure.js').Story} story @param {any} s */
export function describeAdventure(story, s) {
  const all = targets(story, s);
  const cell = (/** @type {any} */ t) => `${t.name} (${cellOf(all, t)})`;
  const scene = story.scenes[s.scene];
  const status = (story.status?.(s) ?? []).map(([label, value]) => `${label}: ${value}.`).join(' ');
  const lines = [`${story.title}. ${status}`.trim()];
  if (s.ending) {
    lines.push(`The story has ended. ${s.ending.reason} There is nothing more to do.`);
    return lines.join('\n');
  }
  if (s.mode?.kind === 'talk') {
    const talk = /** @type {any} */ (story.talks)[s.mode.id];
    lines.push(`${story.people?.[talk.who].name} says: ${words(talk.nodes[s.mode.node].say, s)}`, 'You can answer:', ...all.map((t) => `- ${cell(t)}`));
    return lines.join('\n');
  }
  if (s.mode?.kind === 'book') {
    const shown = s.notes.slice(s.mode.page * ON_A_PAGE, (s.mode.page + 1) * ON_A_PAGE);
    lines.push(`${story.notebook}, page ${s.mode.page + 1}:`, ...(shown.length ? shown : ['Nothing yet.']).map((/** @type {string} */ n) => `- ${n}`));
    lines.push(`Buttons: ${all.map(cell).join(', ')}.`);
    return lines.join('\n');
  }
  lines.push(`You are here: ${words(scene.name, s)}. ${words(scene.tell, s)}`.trim());
  if (s.said) lines.push(`${s.said.who ? `${s.said.who}: ` : ''}${s.said.text}`);
  const spots = all.filter((t) => t.kind === 'spot');
  lines.push('In sight:', ...spots.map((t) => `- ${cell(t)}${t.spot?.tell ? `: ${words(t.spot.tell, s)}` : ''}`));
  const things = all.filter((t) => t.kind === 'item');
  if (things.length) lines.push(`You carry: ${things.map((t) => cell(t) + (s.held === t.id ? ', in your hand' : '')).join(', ')}.`);
  const buttons = all.filter((t) => t.kind !== 'item' && t.kind !== 'spot');
  if (buttons.length) lines.push(`Buttons: ${buttons.map(cell).join(', ')}.`);
  return lines.join('\n');
}
