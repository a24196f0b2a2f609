// @ts-check
/**
 * Commands of a game on the kit: actions that the game carries out itself and answers with `{ok, feedback}`.
 *
 * `defineGame` takes the place of the kit's: the game has one more part, `commands`. See games/kit/README.md.
 *
 * @typedef {{ok: boolean, feedback: string}} Answer
 * @typedef {(string | import('../kit/input.js').InputEvent)[]} Frame  keys that are down, and events, of one frame
 * @typedef {(state: any, args: any, role: string) => Answer | Generator<Frame | undefined, Answer, void>} Command
 * @typedef {import('../kit/game.js').Game & {commands: Record<string, Command>}} CommandGame
 */

import { defineGame as defineKitGame, FRAME_MS } from '../kit/game.js';

/** What the kit's input has of one frame only. @type {('pressed' | 'released' | 'path' | 'clicks' | 'lifts')[]} */
const EDGES = ['pressed', 'released', 'path', 'clicks', 'lifts'];

/** Frames of the longest command: 60 s. */
const MOST_FRAMES = 3600;

/** Makes the page play this game. @param {CommandGame} game */
export function defineGame(game) {
  /** @type {Map<string, Run>} */
  const running = new Map();
  const { commands, ...rest } = game;

  const update = (/** @type {any} */ state, /** @type {import('../kit/input.js').Input} */ input) => {
    for (const run of running.values()) run.feed(input);
    game.update(state, input);
    for (const [role, run] of running) {
      if (!run.advance(state, input)) running.delete(role);
    }
  };
  defineKitGame({ ...rest, update });
  const api = /** @type {any} */ (window).gameAPI;
  if (!api?.lab) return;

  api.commands = Object.keys(commands);
  /** @param {string} role @param {string} name @param {any} args @returns {Answer | Run} */
  const begin = (role, name, args) => {
    const command = Object.hasOwn(commands, name) ? commands[name] : null;
    if (!command) throw new Error(`${game.id} has no command '${name}'; its commands: ${api.commands.join(', ')}`);
    const state = api.lab.peek();
    if (state.over) return atEnd(state);
    const said = command(state, args, role);
    if (!isGenerator(said)) return state.over ? atEnd(state) : said;
    const run = new Run(said);
    if (run.next(state)) running.set(role, run);
    return run;
  };
  /** @param {string} role @param {string} name @param {any} args @returns {Answer | Promise<Answer>} */
  api.command = (role, name, args) => {
    const begun = begin(role, name, args);
    return begun instanceof Run ? begun.promise : begun;
  };

  const { run: runEvents } = api.lab;
  /** The kit's `run`, with events of kind `command`: it lasts until they have ended, and `lab.answers` has their answers
   * by role. @param {any[]} events */
  api.lab.run = (events) => {
    const given = events.filter((e) => e.kind === 'command');
    if (!given.length) return runEvents.call(api.lab, events);
    const begun = given.map((e) => [e.role, begin(e.role, e.command, e.args)]);
    const others = events.filter((e) => e.kind !== 'command');
    if (others.length) runEvents.call(api.lab, others);
    let length = FRAME_MS - api.lab.snapshot().rest;
    for (let frames = 0; frames === 0 || running.size; frames++) {
      if (frames === MOST_FRAMES) throw new Error(`a command has not ended after ${MOST_FRAMES} frames`);
      runEvents.call(api.lab, [{ at_ms: length, kind: 'end' }]);
      length = FRAME_MS;
    }
    api.lab.answers = Object.fromEntries(begun.map(([role, run]) => [role, run instanceof Run ? run.result() : run]));
    return runEvents.call(api.lab, []);
  };
}

/** A command that takes time. */
class Run {
  /** @param {Generator<Frame | undefined, Answer, void>} steps */
  constructor(steps) {
    this.steps = steps;
    /** @type {Set<string>} */
    this.down = new Set();
    /** @type {import('../kit/input.js').InputEvent[]} */
    this.events = [];
    /** @type {() => Answer} the answer, or the error, once it has ended */
    this.result = () => ({ ok: false, feedback: '' });
    /** @type {(ended: void) => void} */
    this.end = () => {};
    this.promise = new Promise((resolve) => (this.end = resolve)).then(() => this.result());
  }

  /** Takes what the command does in the next frame; false when it has ended. @param {any} state */
  next(state) {
    try {
      const step = state.over ? { done: true, value: atEnd(state) } : this.steps.next();
      if (!step.done) {
        this.press(/** @type {Frame} */ (step.value ?? []));
        return true;
      }
      this.result = () => /** @type {Answer} */ (step.value);
    } catch (error) {
      this.result = () => {
        throw error;
      };
    }
    this.end();
    this.press([]);
    return false;
  }

  /** @param {Frame} frame */
  press(frame) {
    if (!Array.isArray(frame)) throw new Error(`a command yields a list of keys and events, not ${JSON.stringify(frame)}`);
    /** @type {string[]} */
    const keys = [];
    for (const e of frame) {
      if (typeof e === 'string') keys.push(e);
      else this.events.push(e);
    }
    for (const key of this.down) if (!keys.includes(key)) this.events.push({ kind: 'key_up', key });
    for (const key of keys) if (!this.down.has(key)) this.events.push({ kind: 'key_down', key });
    this.down = new Set(keys);
  }

  /** Adds its events to the input of this frame. @param {import('../kit/input.js').Input} input */
  feed(input) {
    const { now } = input;
    const before = EDGES.map((name) => [...now[name]]);
    const { text, moved, wheelX, wheelY } = now;
    for (const e of this.events) input.feed(e);
    this.events = [];
    input.begin();
    EDGES.forEach((name, i) => /** @type {any[]} */ (now[name]).unshift(...before[i]));
    now.text = text + now.text;
    now.moved ||= moved;
    now.wheelX += wheelX;
    now.wheelY += wheelY;
  }

  /** After a frame. Returns whether it still runs. @param {any} state @param {import('../kit/input.js').Input} input */
  advance(state, input) {
    if (this.next(state)) return true;
    for (const e of this.events) input.feed(e);
    return false;
  }
}

/** @param {any} said @returns {said is Generator<Frame | undefined, Answer, void>} */
function isGenerator(said) {
  return typeof said?.next === 'function';
}

/** The answer of a command that ends the game, or comes after its end. @param {any} state @returns {Answer} */
function atEnd(state) {
  return { ok: state.over.outcome === 'win', feedback: state.over.reason };
}
