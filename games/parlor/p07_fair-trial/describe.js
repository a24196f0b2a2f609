// @ts-check
/** A Fair Trial in words: the conversation, the court record as it was last seen, the last choices and the options. */

import { PEOPLE } from './cases.js';
import { caseOf, evidence, LIVES, MOST_STEPS, optionsOf, PARTS, TITLES } from './rules.js';

/** Characters of the whole text. */
const MOST = 2950;

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const head = [
    `${caseOf(s).title}. Part ${s.part + 1} of ${PARTS.length}: ${TITLES[s.part].toLowerCase()}. Steps taken in it: ${s.steps} of ${MOST_STEPS}.${s.part ? ` Lives: ${s.lives} of ${LIVES}.` : ''}`,
    'Recent conversation, oldest line first (TESTIMONY: a statement under cross-examination):',
  ];
  const tail = [...record(s), `Your last choices: ${s.chosen.join('; ') || 'none'}.`, 'Options now:', ...optionsOf(s).map((o, i) => `${i + 1}: ${o.label}`)];
  const lines = s.lines.map((l, i) => `${i === s.lines.length - 1 ? 'NOW: ' : ''}${l.kind === 'testimony' ? 'TESTIMONY of ' : ''}${PEOPLE[l.who]}: ${l.text}`);
  // The oldest lines give way where the text would become too long.
  const text = () => [...head, ...lines, ...tail].join('\n');
  while (text().length > MOST) lines.shift();
  return text();
}

/** @param {import('./rules.js').State} s */
function record(s) {
  if (s.looked < 0) return ['Court record: not opened yet in this part.'];
  const ago = s.heard - s.looked;
  return [
    `Court record, ${s.open ? 'open now' : ago ? `last opened ${ago} ${ago === 1 ? 'line' : 'lines'} ago` : 'just closed'}:`,
    ...s.record.map((id) => {
      const [, name, text] = evidence(s, id);
      return `- ${name}${s.selected === id ? ' [selected]' : ''}: ${text}`;
    }),
    'People of the case:',
    ...caseOf(s).people.slice(3).map(([letter, text]) => `- ${PEOPLE[letter]}: ${text}`),
  ];
}
