// @ts-check
/**
 * A Fair Trial, the rules: a quiz and three cross-examinations, each from a fixed start with its history, in at most 50 steps.
 *
 * At each moment there is a numbered list of options; a step chooses one of them, whether by key, mouse or command.
 *
 * @typedef {{who: string, text: string, kind: 'said'|'testimony'|'asked'}} Line
 * @typedef {{kind: 'line'}|{kind: 'ask', question: number}|{kind: 'statement', index: number}} Moment
 * @typedef {{what: 'ok'|'open'|'close'|'answer'|'left'|'press'|'select'|'present', label: string, id: string}} Option
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { CASES, PEOPLE } from './cases.js';

export const PARTS = ['mc', 'ce1', 'ce2', 'ce3'];
export const TITLES = ['Quiz', 'First cross-examination', 'Second cross-examination', 'Third cross-examination'];
/** Steps of a part, and its lives. */
export const MOST_STEPS = 50;
export const LIVES = 5;
/** Lines of the conversation that are kept. */
export const KEPT = 20;
const RECENT = 5;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const name = oneOf(options, 'case', Object.keys(CASES), 'fair');
  const questions = CASES[name].quiz.filter((n) => typeof n !== 'string').length;
  const luck = stream(rng, 'order');
  const s = {
    rng,
    case: name,
    /** The order in which the record and the answers to each question are listed. */
    record: luck.shuffle(CASES[name].record.map((r) => r[0])),
    answers: Array.from({ length: questions }, () => luck.shuffle([0, 1, 2])),
    /** The order in which choices are listed; what is selected stands between `close` and `present`. @type {Option['what'][]} */
    places: luck.shuffle(['ok', 'open', 'left', 'press', 'close', 'present']),
    /** Index of the part, its steps, lives and right answers, and the results of finished parts. */
    part: 0,
    steps: 0,
    lives: LIVES,
    right: 0,
    court: /** @type {Record<string, {reward: number, steps: number}>} */ ({}),
    /** The conversation, its length, and its length when the record was opened last; -1: not yet in this part. */
    lines: /** @type {Line[]} */ ([]),
    heard: 0,
    looked: -1,
    open: false,
    selected: '',
    /** What comes next in the quiz, or the rest of an answer to a press. */
    next: 0,
    queue: /** @type {string[]} */ ([]),
    now: /** @type {Moment} */ ({ kind: 'line' }),
    /** Statement to go on with after a press, and whether the hidden one is part of the testimony. */
    back: 0,
    opened: false,
    /** The last choices. @type {string[]} */
    chosen: [],
    ok: true,
    said: '',
    over: /** @type {{outcome: string, reason: string}|null} */ (null),
  };
  startPart(s);
  return s;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s */
export const caseOf = (s) => CASES[s.case];
/** @param {State} s */
const crossOf = (s) => caseOf(s).crosses[s.part - 1];
/** Indices of the statements that are part of the testimony. @param {State} s */
const testimony = (s) => crossOf(s).statements.flatMap((t, i) => (t.hidden && !s.opened ? [] : [i]));
/** Questions of the quiz, in order. @param {State} s */
export const questions = (s) => caseOf(s).quiz.flatMap((n) => (typeof n === 'string' ? [] : [n]));
/** Name and description of a piece of evidence. @param {State} s @param {string} id */
export const evidence = (s, id) => /** @type {string[]} */ (caseOf(s).record.find((r) => r[0] === id));

/** Begins the part: its history stands in the conversation, the record is closed, all lives are there. @param {State} s */
function startPart(s) {
  Object.assign(s, { steps: 0, lives: LIVES, lines: [], heard: 0, looked: -1, open: false, selected: '', next: 0, queue: [], back: 0, opened: false, chosen: [] });
  for (const line of s.part ? crossOf(s).history : caseOf(s).history) speak(s, line);
  if (s.part) state(s, 0);
  else goOn(s);
}

/** @param {State} s @param {string} line @param {Line['kind']} [kind] */
function speak(s, line, kind = 'said') {
  s.lines.push({ who: line[0], text: line.slice(3), kind });
  s.heard += 1;
  if (s.lines.length > KEPT) s.lines.shift();
}

/** The witness makes a statement. @param {State} s @param {number} index */
function state(s, index) {
  s.now = { kind: 'statement', index };
  speak(s, `${caseOf(s).witness}: ${crossOf(s).statements[index].said}`, 'testimony');
}

/** The next line of the quiz or of an answer; after the last one the quiz ends, or the testimony goes on. @param {State} s */
function goOn(s) {
  const line = s.queue.shift();
  if (line) {
    s.now = { kind: 'line' };
    speak(s, line);
  } else if (s.part) {
    state(s, s.back);
  } else {
    const node = caseOf(s).quiz[s.next];
    if (!node) return endPart(s, s.right, s.steps);
    s.next += 1;
    if (typeof node === 'string') {
      s.now = { kind: 'line' };
      speak(s, node);
    } else {
      s.now = { kind: 'ask', question: questions(s).indexOf(node) };
      speak(s, node.ask, 'asked');
    }
  }
}

/** @param {State} s @param {number} reward @param {number} steps */
function endPart(s, reward, steps) {
  s.court[PARTS[s.part]] = { reward, steps };
  const passed = PARTS.slice(1).filter((p) => s.court[p]?.reward).length;
  if (s.part < PARTS.length - 1) {
    s.part += 1;
    startPart(s);
    return;
  }
  if (passed === 3) {
    for (const line of caseOf(s).verdict) speak(s, line);
    finish(s, 'win', 'Not guilty! Every lie is refuted.');
  } else finish(s, 'fail', `Guilty, for want of proof. Cross-examinations passed: ${passed} of 3.`);
}

/** What can be chosen now, from number 1 on. @param {State} s @returns {Option[]} */
export function optionsOf(s) {
  /** @param {Option['what']} what @param {string} label @param {string} [id] @returns {Option} */
  const option = (what, label, id = '') => ({ what, label, id });
  if (s.open) {
    const close = option('close', 'Close the court record');
    const pieces = s.record.map((id) => option('select', `Select: ${evidence(s, id)[1]}`, id));
    if (s.now.kind !== 'statement') return [close, ...pieces];
    const present = option('present', s.selected ? `Present: ${evidence(s, s.selected)[1]}` : 'Present (select a piece first)', s.selected);
    return s.places.indexOf('close') < s.places.indexOf('present') ? [close, ...pieces, present] : [present, ...pieces, close];
  }
  const testifies = s.now.kind === 'statement';
  const labels = { ok: testifies ? 'Ok (next statement)' : 'Ok', open: 'Open the court record', left: 'Left (previous statement)', press: 'Press the witness' };
  const always = Object.entries(labels)
    .map(([what, label]) => option(/** @type {Option['what']} */ (what), label))
    .filter(({ what }) => testifies || what === 'ok' || what === 'open')
    .sort((a, b) => s.places.indexOf(a.what) - s.places.indexOf(b.what));
  if (s.now.kind !== 'ask') return always;
  const { question } = s.now;
  return [...always, ...s.answers[question].map((i) => option('answer', questions(s)[question].options[i], String(i)))];
}

/** Chooses an option by its number. @param {State} s @param {number} number */
export function choose(s, number) {
  if (s.over) return;
  const options = optionsOf(s);
  const option = options[number - 1];
  s.steps += 1;
  s.chosen = [...s.chosen, `${number} ${option ? option.label : '(no such option)'}`].slice(-RECENT);
  s.ok = true;
  const { part } = s;
  if (option) carryOut(s, option);
  else refuse(s, `There is no option ${number}; the options are 1 to ${options.length}.`);
  if (s.part === part && !s.over && s.steps >= MOST_STEPS) endPart(s, part ? 0 : s.right, MOST_STEPS);
  const last = s.lines[s.lines.length - 1];
  if (s.part !== part) Object.assign(s, { ok: true, said: `${TITLES[part]} is over. ${TITLES[s.part]} begins.` });
  else if (s.ok) s.said = s.open ? 'The court record is open.' : `${PEOPLE[last.who]}: “${last.text}”`;
}

/** @param {State} s @param {string} why */
function refuse(s, why) {
  s.ok = false;
  s.said = why;
}

/** @param {State} s @param {Option} option */
function carryOut(s, { what, id }) {
  if (what === 'open') Object.assign(s, { open: true, looked: s.heard });
  else if (what === 'close') Object.assign(s, { open: false, selected: '' });
  else if (what === 'select') s.selected = id;
  else if (what === 'present' && !id) refuse(s, 'Select a piece of evidence first.');
  else if (what === 'present') present(s, id);
  else if (what === 'answer') answer(s, Number(id));
  else if (s.now.kind === 'ask') refuse(s, 'The judge waits for an answer.');
  else if (s.now.kind === 'line') goOn(s);
  else turn(s, s.now.index, what);
}

/** Next or previous statement, or a press. @param {State} s @param {number} index @param {Option['what']} what */
function turn(s, index, what) {
  const all = testimony(s);
  const at = all.indexOf(index);
  if (what === 'ok') return state(s, all[(at + 1) % all.length]);
  if (what === 'left') return at ? state(s, all[at - 1]) : refuse(s, 'This is the first statement.');
  const { press, opens } = crossOf(s).statements[index];
  if (opens) s.opened = true;
  const after = testimony(s);
  s.back = after[(after.indexOf(index) + 1) % after.length];
  s.queue = [...press];
  goOn(s);
}

/** @param {State} s @param {number} picked */
function answer(s, picked) {
  if (s.now.kind !== 'ask') return;
  const { right, wrong } = questions(s)[s.now.question];
  if (!picked) s.right += 1;
  s.queue = [picked ? wrong : right];
  goOn(s);
}

/** @param {State} s @param {string} id */
function present(s, id) {
  if (s.now.kind !== 'statement') return;
  Object.assign(s, { open: false, selected: '' });
  const { index } = s.now;
  const { lie, proof } = crossOf(s);
  if (index === lie && id === proof) return endPart(s, 1, s.steps);
  s.lives -= 1;
  if (!s.lives) return endPart(s, 0, MOST_STEPS);
  speak(s, 'Y: My lord, look at this!');
  speak(s, `J: “${evidence(s, id)[1]}”? That contradicts nothing he has just said. Take care, counsel.`);
  state(s, index);
  refuse(s, `The judge sees no contradiction. Lives left: ${s.lives}.`);
}

/** @param {State} s */
export function observe(s) {
  return {
    game_state: {
      score: Object.values(s.court).reduce((sum, r) => sum + r.reward, 0),
      level: s.part + 1,
      progress: Object.keys(s.court).length,
      case: s.case,
      part: PARTS[s.part],
      steps: s.steps,
      lives: s.lives,
      court: s.court,
      statement: s.now.kind === 'statement' ? s.now.index : -1,
      opened: s.opened,
      open: s.open,
      selected: s.selected,
      options: optionsOf(s),
      heard: s.heard,
      said: s.said,
    },
    metrics: { right: s.right },
  };
}
