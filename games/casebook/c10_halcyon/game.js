// @ts-check
/** The Halcyon: an airship that has got away with its only passenger, four locks, and a way down. */

import { clue, defineAdventure, drop, finish, give, go, say, used } from '../adventure/adventure.js';
import { closeUp } from '../adventure/adventure-closeups.js';
import { dialLock } from '../adventure/adventure-locks.js';
import { carried, near, see, way } from '../adventure/adventure-parts.js';
import { FLAGS, KINDS, LABELS, LOCKS, makeCase, ROOM, ROOMS, WAYS } from './case.js';
import { buttonsWith, CLUES, draws, flag, label, LOOK, plate, SLOTS } from './look.js';
import { SMALL } from './small.js';

/** @typedef {any} S */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */
/** @typedef {import('../adventure/adventure.js').Scene} Scene */

const SKY = ['#bfe6f4', '#5aa8cc'];
/** @type {Record<string, string>} */
const OF = { bar: 'cocktail cabinet', trunk: 'steamer trunk', chest: 'chart chest', locker: 'tin locker' };
/** @type {Record<string, [string, string, string, string]>} */
const THINGS = {
  handle: ['door handle', 'crank', '#e0a84c', 'A brass door handle. Somewhere a door must be missing it.'],
  fuse: ['fuse', 'fuse', '#e0a84c', 'A fuse, good for one electric door.'],
  wheel: ['valve wheel', 'gear', '#c8503c', 'The wheel of a valve. It says: “Only turn when you mean it.”'],
  ladder: ['rope ladder', 'rope', '#d8bd8a', 'A rope ladder, nine rungs long. One would have to be low.'],
};

const title = (/** @type {string} */ name) => name[0].toUpperCase() + name.slice(1);

/** What is told, in words. @type {Record<string, {name: string, words: string, tell: (s: S) => string, plate: (s: S) => string}>} */
const TOLD = {
  gauges: {
    name: 'three gauges', words: 'Three gauges that were screwed tight when the crew left. They have stuck where they stood.',
    tell: (s) => `Height stands at ${s.data.gauges.height}, wind at ${s.data.gauges.wind}, steam at ${s.data.gauges.steam}.`,
    plate: (s) => `The plate shows, from left to right: ${s.data.order.join(', ')}.`,
  },
  flags: {
    name: 'string of flags', words: 'Four flags on one line, one above the other.',
    tell: (s) => `From top to bottom: ${s.data.flags.join(', ')}.`,
    plate: (s) => `The plate shows a flagpole, and an arrow that points ${s.data.turned.flags ? 'up' : 'down'}.`,
  },
  cases: {
    name: 'four suitcases', words: 'Four suitcases, each with a picture on its label, and a tag from the scales.',
    tell: (s) => `${s.data.cases.map((/** @type {any} */ c) => `${c.label} ${c.weight} kg`).join(', ')}.`,
    plate: (s) => `The plate shows four suitcases that get ${s.data.turned.cases ? 'smaller' : 'larger'} from left to right.`,
  },
  route: {
    name: 'map of a journey', words: 'A journey in five legs, from the house to the star. North is at the top.',
    tell: (s) => `From the house: ${s.data.route.join(', ')}; there is the star.`,
    plate: (s) => `The plate shows ${s.data.turned.route ? 'an arrow from the star to the house: the way home' : 'an arrow from the house to the star: the way out'}.`,
  },
};

/** @param {S} s @param {string} lock */
function opened(s, lock) {
  s.flags[lock] = true;
  used(s, s.data.kinds[lock]);
  go(s, ROOM[lock]);
  say(s, `The ${OF[lock]} opens, with a sound like a small cheer.`);
}

/** A lock, and what lies behind it. @param {string} lock @param {number[]} at @returns {Spot[]} */
const locked = (lock, at) => [
  { id: lock, name: OF[lock], at, when: (s) => !s.flags[lock], act: (s) => go(s, `lock_${lock}_${s.data.kinds[lock]}`), tell: (s) => (s.data.kinds[lock] === 'route' ? 'shut by four buttons' : 'shut by dials') },
  {
    id: `in_${lock}`, name: (s) => THINGS[s.data.holds[lock]][0], at, when: (s) => s.flags[lock] && !s.flags[`took_in_${lock}`],
    act(s) {
      give(s, s.data.holds[lock]);
      s.flags[`took_in_${lock}`] = true;
      say(s, `You take the ${THINGS[s.data.holds[lock]][0]}.`);
    },
  },
];

/** @param {string} lock @param {string} kind @returns {Scene} */
function lockScene(lock, kind) {
  const tell = (/** @type {S} */ s) => TOLD[kind].plate(s);
  if (kind === 'route') {
    return {
      name: title(OF[lock]), back: ROOM[lock],
      tell: (s) => `Four buttons. Pressed last: ${s.vars.pressed.join(', ') || 'nothing'}. ${tell(s)}`,
      spots: Object.entries(WAYS).map(([leg, [x, y]]) => ({
        id: `press_${leg}`, name: `button ${leg}`, at: [586 + x * 130, 262 + y * 100, 108, 88],
        act(/** @type {S} */ s) {
          s.vars.pressed = [...s.vars.pressed, leg].slice(-5);
          if (s.vars.pressed.join() === s.data.codes.route.join()) opened(s, lock);
        },
      })),
      draw: buttonsWith(lock),
    };
  }
  const numbers = kind === 'gauges';
  return dialLock({
    id: lock, name: title(OF[lock]), back: ROOM[lock], count: numbers ? 3 : 4, symbols: numbers ? [...'0123456789'] : kind === 'flags' ? FLAGS : LABELS, metal: '#c98f4a', tell,
    symbol: numbers ? undefined : kind === 'flags' ? (ctx, what, x, y) => flag(ctx, what, x - 46, y - 34, 92, 68) : (ctx, what, x, y) => label(ctx, what, x, y, 1.4),
    picture: plate(lock, kind),
    solved: (s, shown) => shown.join() === s.data.codes[kind].join(),
    open: (s) => opened(s, lock),
  });
}

/** What hangs in a room, to be seen from near. @param {string} room @returns {Spot[]} */
const hanging = (room) =>
  KINDS.map((kind) => ({
    id: `see_${kind}`, name: TOLD[kind].name, at: (/** @type {S} */ s) => SLOTS[room][s.data.where[kind].slot],
    when: (/** @type {S} */ s) => s.data.where[kind].room === room, go: `near_${kind}_${room}`, tell: (/** @type {S} */ s) => TOLD[kind].tell(s),
  }));

/** Something that wants a thing, before and after. @param {string} id @param {string} name @param {number[]} at @param {string} thing @param {string} wants @param {string} done @param {string} after @returns {Spot} */
const wanting = (id, name, at, thing, wants, done, after) => ({
  id, name, at,
  look(s) {
    if (s.flags[id]) return after;
    clue(s, id);
    return wants;
  },
  tell: (s) => (s.flags[id] ? 'done' : 'something is missing'),
  use: {
    [thing](s) {
      drop(s, thing);
      s.flags[id] = true;
      used(s, id);
      say(s, done);
    },
  },
});

const low = (/** @type {S} */ s) => s.flags.valve;

/** @type {Spot} */
const HATCH = {
  id: 'hatch', name: 'boarding hatch', at: [40, 130, 140, 262],
  look(s) {
    clue(s, 'hatch');
    return low(s) ? 'Outside, just below, a meadow goes by. A little too far to jump; a ladder would do.' : 'Outside there is a great deal of down. She would have to sink first, and then one needs something to climb on.';
  },
  use: {
    ladder(s) {
      if (!low(s)) return say(s, 'Nine rungs, and the ground is four hundred away. First she has to come down.');
      drop(s, 'ladder');
      s.flags.out = true;
      used(s, 'hatch');
      finish(s, 'win', 'Nine rungs, one meadow, one surprised cow. The cake is fine.');
    },
  },
};

defineAdventure({
  id: 'c10_halcyon',
  title: 'The Halcyon',
  start: 'saloon',
  look: LOOK,
  intro: 'You only brought a cake on board. Then the airship Halcyon slipped her mooring, with you and the cake and nobody else. Bring her down to the meadows, and climb out.',
  refuse: ['That does not help here.', 'It would only fall a long way.'],
  flags: { bridge: false, panel: false, valve: false, out: false, ...Object.fromEntries(LOCKS.flatMap((l) => [[l, false], [`took_in_${l}`, false]])) },
  vars: { pressed: [] },
  setup: makeCase,
  clues: [...KINDS, 'bridge', 'panel', 'valve', 'hatch'],
  milestones: { bridge: (s) => s.flags.bridge, engine: (s) => s.flags.panel, sinking: low, escaped: (s) => s.flags.out },
  items: carried(THINGS),
  scenes: {
    saloon: {
      name: 'Saloon', draw: draws.saloon, tell: (s) => `The saloon of an airship. ${low(s) ? 'A meadow goes by outside.' : 'Clouds go by outside.'}`,
      spots: [
        HATCH,
        { ...wanting('bridge', 'door to the bridge', [1120, 110, 130, 282], 'handle', 'The door to the bridge, and a square hole where its handle should be.', 'The handle slides in and turns. The bridge is open.', ''), when: (s) => !s.flags.bridge },
        { ...way('to_bridge', 'door to the bridge', [1120, 110, 130, 282], 'bridge'), when: (s) => s.flags.bridge },
        ...hanging('saloon'),
        ...locked('bar', [210, 216, 190, 180]),
        ...locked('trunk', [850, 330, 190, 120]),
        way('tea', 'tea table', [680, 320, 150, 130], 'in_tea'),
        way('rack', 'magazine rack', [1044, 200, 68, 120], 'in_rack'),
        way('sofa', 'sofa', [430, 290, 220, 130], 'in_sofa'),
        see('clouds', 'window', [620, 40, 210, 160], (s) => (low(s) ? 'Grass, buttercups, and a cow that looks you in the eye.' : 'Clouds. One looks like a cake, but that may be you.')),
        see('lamp', 'lamp', [460, 200, 110, 70], 'It swings to the other side of everything.'),
      ],
    },
    bridge: {
      name: 'Bridge', draw: draws.bridge, tell: 'The bridge: a helm, a console, and glass all around.',
      spots: [
        way('to_saloon', 'door to the saloon', [40, 200, 130, 200], 'saloon'),
        ...hanging('bridge'),
        ...locked('chest', [770, 320, 200, 130]),
        way('console', 'console', [260, 300, 230, 150], 'in_console'),
        { ...wanting('panel', 'fuse panel', [1196, 210, 76, 130], 'fuse', 'A panel beside the engine room’s door, with two clips and nothing between them.', 'The fuse sits. The door to the engine room hums, and thinks about it, and opens.', 'It hums.') },
        { id: 'to_engine', name: 'door to the engine room', at: [1040, 200, 140, 200], act: (s) => (s.flags.panel ? go(s, 'engine') : say(s, 'An electric door without electricity is a wall.')) },
        way('coat', 'captain’s coat', [494, 212, 66, 84], 'in_coat'),
        see('helm', 'helm', [562, 230, 158, 210], 'You turn it. Somewhere far behind you something agrees, slowly.'),
        see('sky', 'windscreen', [300, 20, 680, 170], (s) => (low(s) ? 'A hedge, a pond, a steeple. All of them at a friendly height.' : 'Blue, white, and a goose that keeps its distance.')),
        see('tube', 'speaking tube', [190, 230, 64, 120], '“Engine room?” you say. “Engine room,” says the tube, in your voice.'),
      ],
    },
    engine: {
      name: 'Engine room', draw: draws.engine, tell: (s) => (low(s) ? 'The engine hums to itself; gas hisses out of the valve.' : 'Pipes, copper, a warm engine, and a valve without its wheel.'),
      spots: [
        way('to_bridge', 'door to the bridge', [40, 110, 130, 290], 'bridge'),
        ...hanging('engine'),
        ...locked('locker', [800, 150, 150, 250]),
        way('tools', 'tool shelf', [210, 250, 190, 150], 'in_tools'),
        wanting('valve', 'gas valve', [1010, 140, 210, 220], 'wheel', 'The gas valve. Its wheel has been taken off, so that nobody turns it for fun.', 'You fit the wheel, and turn it, and mean it. There is a long sigh, and your ears pop: she sinks.', 'It hisses. Down we go, gently.'),
        see('boiler', 'engine', [430, 140, 340, 270], 'It is called Edith, says a plate, and likes to be thanked. You thank it.'),
        way('basket', 'stoker’s basket', [1030, 390, 170, 100], 'in_basket'),
      ],
    },
    ...Object.fromEntries(
      KINDS.flatMap((kind) => ROOMS.map((room) => [`near_${kind}_${room}`, near(kind, title(TOLD[kind].name), room, SKY, (ctx, s) => CLUES[kind](ctx, s, 300, 20, 680, 480), TOLD[kind].words, (s) => TOLD[kind].tell(s))])),
    ),
    ...Object.fromEntries(LOCKS.flatMap((lock) => KINDS.map((kind) => [`lock_${lock}_${kind}`, lockScene(lock, kind)]))),
    ...Object.fromEntries(Object.entries(SMALL).map(([id, c]) => [id, closeUp(c)])),
  },
});
