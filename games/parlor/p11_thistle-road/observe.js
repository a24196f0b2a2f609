// @ts-check
/** The Thistle Road, what `getState()` tells: all of it, the unexplored maps too. Agents never read it. */

import { EVENTS } from './journal.js';
import { fullOf, kindOf, MOVES, nameOf } from './kinds.js';
import { beyond, cell, free, heightOf, isDoor, known, land, place, rim, thingAt, through, widthOf } from './land.js';
import { screen } from './rules.js';

/** @typedef {import('./rules.js').State} State */
const SIDES = /** @type {import('./land.js').Side[]} */ (['north', 'south', 'west', 'east']);

/** @param {import('./kinds.js').Creature} c */
const told = (c) => ({
  name: nameOf(c), type: kindOf(c).type, level: c.level, hp: c.hp, max: fullOf(c), poison: c.poison,
  moves: c.moves.map((m) => ({ name: MOVES[m.id].title, type: MOVES[m.id].type, power: MOVES[m.id].power, left: m.left })),
});

/** @param {State} s */
export function observe(s) {
  const { battle, talk } = s;
  return {
    game_state: {
      score: (100 * s.events.length) / EVENTS.length,
      progress: s.events.length,
      flags: s.events.length,
      all_flags: EVENTS.length,
      events: s.events,
      screen: screen(s),
      place: s.map,
      player: { x: s.x, y: s.y, facing: s.facing },
      board: board(s),
      entities: s.party.map(told),
      ahead: battle ? battle.mine : -1,
      enemy: battle ? { ...told(battle.foes[battle.foe]), duel: battle.duel, left: battle.foes.length - battle.foe, must: battle.must } : null,
      talk: talk ? { who: talk.who, page: talk.pages[talk.at], options: talk.options, cursor: talk.cursor } : null,
      menu: s.menu ? s.menu.page : '',
      bag: s.bag,
      coins: s.coins,
      starters: land(s).starters,
      mirrored: s.mirrored,
      answer: s.answer,
    },
    metrics: { party: s.party.length, level: Math.max(0, ...s.party.map((c) => c.level)) },
  };
}

/** The map as it is: `#` blocked, `.` free, `,` grass, `v` ledge, `W` door, `S` thing; known cells; things and doors. @param {State} s */
function board(s) {
  const p = place(s);
  const rows = [];
  const seen = [];
  const things = [];
  const doors = [];
  for (let y = 0; y < heightOf(p); y++) {
    let row = '';
    let line = '';
    for (let x = 0; x < widthOf(p); x++) {
      const c = cell(s, x, y);
      const thing = thingAt(s, x, y);
      if (thing) things.push({ x, y, name: thing.name, event: thing.event ?? '', duel: thing.duel ?? '' });
      if (isDoor(c)) doors.push({ x, y, to: through(s, s.map, c).map });
      row += thing ? 'S' : isDoor(c) ? 'W' : c === ',' || c === 'v' ? c : free(s, x, y) ? '.' : '#';
      line += known(s, x, y) ? '1' : '0';
    }
    rows.push(row);
    seen.push(line);
  }
  const sides = SIDES.flatMap((side) => (beyond(s, side) ? [{ side, to: beyond(s, side), at: rim(s, side) }] : []));
  return { rows, seen, things, doors, sides };
}
