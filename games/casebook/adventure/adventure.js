// @ts-check
/**
 * Point-and-click adventures: `defineAdventure` plays a story, which is data plus its own pictures.
 *
 * A story is scenes with spots, things to carry, people to talk to. Rules are small functions of the state that call
 * the verbs below (`say`, `give`, `go`, `clue` …). Everything is done by clicking one target after the other, so a
 * player with a mouse and a player with a grid of cells can do the same; a thing can also be dragged onto a spot.
 * Where targets lie is in adventure-targets.js, how they look in adventure-look.js, how they read in adventure-words.js.
 *
 * @typedef {any} State
 * @typedef {string | ((s: State) => string)} Words
 * @typedef {{id: string, name: Words, at: number[] | ((s: State) => number[]), when?: (s: State) => boolean, look?: Words,
 *   take?: string, go?: string, act?: (s: State) => void, use?: Record<string, (s: State, item: string) => void>,
 *   tell?: Words}} Spot
 *   `at`: x, y, width, height in the scene's picture (1280×524). `take`: picked up once, then gone. `use`: by the thing
 *   in hand, `any` for all others. `tell`: what can be seen of it, for players that read.
 * @typedef {{name: Words, draw: (ctx: CanvasRenderingContext2D, s: State) => void, spots: Spot[] | ((s: State) => Spot[]),
 *   back?: string, tell?: Words, enter?: (s: State) => void}} Scene
 * @typedef {{name: Words, look: Words, icon: (ctx: CanvasRenderingContext2D) => void, with?: Record<string, (s: State) => void>}} Item
 *   `icon` draws within 64×64 around the origin. `with`: put together with another thing.
 * @typedef {{text: Words, when?: (s: State) => boolean, to?: string, act?: (s: State) => void}} Choice
 * @typedef {{who: string, nodes: Record<string, {say: Words, act?: (s: State) => void, choices?: Choice[]}>}} Talk
 *   A choice without `to` ends the talk.
 * @typedef {{
 *   id: string, title: string, start: string, intro?: Words, flags?: object, vars?: object,
 *   setup?: (options: any, rng: any) => object, scenes: Record<string, Scene>, items: Record<string, Item>,
 *   people?: Record<string, {name: string, face: any}>, talks?: Record<string, Talk>, clues?: string[],
 *   milestones: Record<string, (s: State) => boolean>, notebook?: string, map?: string,
 *   status?: (s: State) => [string, string | number][], look: import('./adventure-look.js').Look, refuse?: string[], quiet?: boolean,
 * }} Story  `notebook`: its title, where the case has one. `map`: the scene that the map button opens, once `flags.map` is set.
 *   `quiet`: the pointer is not told what it is on, where finding is the game.
 */

import { drawAdventure, drawWithGrid } from './adventure-look.js';
import { cellOf, hit, targets, words } from './adventure-targets.js';
import { describeAdventure } from './adventure-words.js';
import { defineGame, finish as stop } from '../../kit/game.js';

/** Updates between a happy end and the end of the game: time to see it, and to say that one is done. */
const FAREWELL = 240;

/** Ends the story. A happy end stays on the screen for a while before the game is over. @param {State} s
 * @param {'win'|'fail'} outcome @param {string} reason */
export function finish(s, outcome, reason) {
  if (outcome === 'win') s.ending ??= { reason, left: FAREWELL };
  else stop(s, outcome, reason);
}

/** Shows words under the picture until the next click. @param {State} s @param {string} text @param {string} [who] */
export function say(s, text, who = '') {
  s.said = { who, text };
}

/** @param {State} s @param {string} item */
export const has = (s, item) => s.items.includes(item);

/** @param {State} s @param {string} item */
export function give(s, item) {
  if (!has(s, item)) s.items.push(item);
}

/** @param {State} s @param {string} item */
export function drop(s, item) {
  s.items = s.items.filter((/** @type {string} */ i) => i !== item);
  if (s.held === item) s.held = null;
}

/** @param {State} s @param {string} scene */
export function go(s, scene) {
  s.scene = scene;
  s.arrived = true;
}

/** The player has met a clue. @param {State} s @param {string} id */
export function clue(s, id) {
  s.clues[id].seen ??= s.inputs;
}

/** The player has acted on a clue. @param {State} s @param {string} id */
export function used(s, id) {
  s.clues[id].used ??= s.inputs;
}

/** Writes into the notebook, each thing once. @param {State} s @param {string} text */
export function note(s, text) {
  if (!s.notes.includes(text)) s.notes.push(text);
}

/** Begins a talk, or goes on at one of its nodes. @param {State} s @param {string} id @param {string} [node] */
export function talk(s, id, node = 'start') {
  s.mode = { kind: 'talk', id, node };
  s.arrived = true;
}

/** @param {Story} story */
export function defineAdventure(story) {
  const refusals = story.refuse ?? ['That does not help here.'];

  const create = (/** @type {any} */ options, /** @type {any} */ rng) => {
    const clues = Object.fromEntries((story.clues ?? []).map((id) => [id, { seen: null, used: null }]));
    const milestones = Object.fromEntries(Object.keys(story.milestones).map((id) => [id, false]));
    const s = {
      rng, data: {}, scene: story.start, arrived: true, items: [], held: null, drag: null, flags: structuredClone(story.flags ?? {}),
      vars: structuredClone(story.vars ?? {}), notes: [], clues, milestones, mode: null, said: null, inputs: 0, ticks: 0,
      pointer: { x: 640, y: 300 }, visited: {}, dials: {}, ending: /** @type {{reason: string, left: number} | null} */ (null),
    };
    s.data = story.setup?.(options, rng) ?? {};
    const intro = words(story.intro, s);
    if (intro) say(s, intro);
    return s;
  };

  /** @param {State} s @param {Spot} spot */
  const touch = (s, spot) => {
    const item = s.held;
    s.held = null;
    if (item) {
      const use = spot.use?.[item] ?? spot.use?.any;
      if (use) return use(s, item);
      if (!spot.go) return say(s, refusals[s.inputs % refusals.length]);
    }
    if (spot.look) say(s, words(spot.look, s));
    if (spot.take) {
      give(s, spot.take);
      s.flags[`took_${spot.id}`] = true;
    }
    spot.act?.(s);
    if (spot.go) go(s, spot.go);
  };

  /** @param {State} s @param {string} id */
  const touchItem = (s, id) => {
    const other = s.held;
    s.held = null;
    if (other === id) return;
    if (other) {
      const join = story.items[other].with?.[id] ?? story.items[id].with?.[other];
      return join ? join(s) : say(s, 'These two do not go together.');
    }
    s.held = id;
    say(s, words(story.items[id].look, s));
  };

  /** @param {State} s @param {import('./adventure-targets.js').Target} t */
  const act = (s, t) => {
    if (t.spot) touch(s, t.spot);
    else if (t.kind === 'item') touchItem(s, t.id);
    else if (t.kind === 'back') go(s, /** @type {string} */ (story.scenes[s.scene].back));
    else if (t.kind === 'map') go(s, /** @type {string} */ (story.map));
    else if (t.kind === 'book') s.mode = { kind: 'book', page: 0 };
    else if (t.kind === 'turn') s.mode.page += t.step ?? 0;
    else if (t.kind === 'close') s.mode = null;
    else if (t.choice) {
      const before = s.mode;
      if (t.choice.to) talk(s, before.id, t.choice.to);
      else s.mode = null;
      t.choice.act?.(s);
    }
  };

  /** Runs what arriving somewhere brings, until nothing new comes. @param {State} s */
  const arrive = (s) => {
    for (let n = 0; s.arrived && n < 8; n++) {
      s.arrived = false;
      if (s.mode?.kind === 'talk') story.talks?.[s.mode.id].nodes[s.mode.node].act?.(s);
      else {
        s.visited[s.scene] = true;
        story.scenes[s.scene].enter?.(s);
      }
    }
  };

  /** @param {State} s @param {number} x @param {number} y */
  const press = (s, x, y) => {
    const target = hit(targets(story, s), x, y);
    s.said = null;
    if (target) act(s, target);
    else s.held = null;
    arrive(s);
  };

  /** @param {State} s @param {import('../../kit/input.js').Input} input */
  const update = (s, input) => {
    s.ticks += 1;
    if (s.ending) {
      s.ending.left -= 1;
      if (s.ending.left <= 0) stop(s, 'win', s.ending.reason);
      return;
    }
    if (input.moved) s.pointer = { x: input.mouse.x, y: input.mouse.y };
    if (s.arrived) arrive(s);
    for (const c of input.clicks) {
      s.inputs += 1;
      if (c.button !== 'left') {
        s.held = null;
        continue;
      }
      const before = s.held;
      press(s, c.x, c.y);
      s.drag = s.held && s.held !== before ? { x: c.x, y: c.y } : null;
    }
    for (const l of input.lifts) {
      // A thing that was picked up by this very press and carried away is used where it is let go.
      if (s.drag && s.held && Math.hypot(l.x - s.drag.x, l.y - s.drag.y) > 40) press(s, l.x, l.y);
      s.drag = null;
    }
    if (s.mode?.kind === 'book' && input.wheel.y) {
      s.inputs += 1;
      const turn = targets(story, s).find((t) => t.kind === 'turn' && t.step === Math.sign(input.wheel.y));
      if (turn) act(s, turn);
    }
    for (const [id, reached] of Object.entries(story.milestones)) s.milestones[id] ||= reached(s);
  };

  const observe = (/** @type {State} */ s) => {
    const reached = Object.values(s.milestones).filter(Boolean).length;
    return {
      game_state: {
        score: reached, level: 1, progress: reached / Object.keys(s.milestones).length, scene: s.scene,
        inventory: s.items, held: s.held, flags: s.flags, vars: s.vars, milestones: s.milestones, clues: s.clues,
        mode: s.mode?.kind ?? 'scene', ended: s.ending !== null, said: s.said?.text ?? '', visited: Object.keys(s.visited),
        entities: targets(story, s).map((t, i, all) => ({ id: t.id, name: t.name, kind: t.kind, cell: cellOf(all, t) })),
      },
      metrics: { inputs: s.inputs, milestones: reached },
      raw: { data: s.data },
    };
  };

  defineGame({
    id: story.id,
    create,
    update,
    draw: (ctx, s) => drawAdventure(ctx, story, s),
    observe,
    describe: (s) => describeAdventure(story, s),
    views: { grid: (ctx, s) => drawWithGrid(ctx, story, s) },
  });
}
