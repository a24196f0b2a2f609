/**
 * Plays at random (or `way`, a list of timelines) and listens to `gameAPI.describe`: does telling change the game, and does it tell what is hidden?
 *
 * What nobody at the screen can see is changed in a copy of the state: what chance will bring (the random streams), and
 * for some games more, named below. The words must stay the same.
 */
async ({ moves, role, game, seed, way }) => {
  // Of Word of Mouth, what is said in the clips is no part of the state.
  const archives = game === 'p08_word-of-mouth' ? (await import('./archives.js')).ARCHIVES : {};
  // Nor are the maps of The Thistle Road.
  const lands = game === 'p11_thistle-road' ? (await import('./land.js')).LANDS : {};
  /** Changes everything hidden in a state, beside the random streams. What else was changed is undone by the function that
   * it may return. @type {Record<string, (s: any) => void | (() => void)>} */
  const HIDDEN = {
    // The ground, spikes and coins beyond the right edge of the picture.
    '04_boxel-rebound': (s) => {
      const first = Math.ceil((s.x - 300 + 1280) / 60);
      s.floor = s.floor.slice(0, first) + [...s.floor.slice(first)].map((c) => (c === '0' ? '.' : '0')).join('');
      s.marks = s.marks.slice(0, first) + [...s.marks.slice(first)].map((c) => (c === ' ' ? '^' : ' ')).join('');
    },
    '07_chrome-dino': (s) => {
      s.next += 100;
      for (const o of s.obstacles) if (o.x >= 1280) Object.assign(o, { kind: o.kind === 'rock' ? 'hawk' : 'rock', x: o.x + 50 });
    },
    // Cubes beside the picture and those that the mist hides.
    '09_cubefield': (s) => {
      for (const c of s.cubes) {
        const depth = c.z - s.distance + 7.5;
        if (depth > 104 || Math.abs(c.x - s.x) - 2 > depth) c.x += 200;
      }
    },
    // Pads above and below the picture.
    '10_doodle-jump': (s) => {
      s.peak += 1;
      for (const p of s.pads) {
        const y = 700 - (p.h - s.camera);
        if (y < -30 || y > 740) Object.assign(p, { x: 1280 - p.x, kind: p.kind === 'dry' ? 'green' : 'dry', flower: !p.flower });
      }
    },
    // What lies below the picture, and what has gone out of it above.
    '11_edge-surf': (s) => {
      s.way = (s.way + 3) % 8;
      s.nextRow += 20;
      for (const t of s.things) {
        const y = t.y - s.distance + 190;
        if (y - t.r >= 720 || y + t.r <= 0) Object.assign(t, { x: 1280 - t.x, kind: t.kind === 'rock' ? 'bolt' : 'rock' });
      }
    },
    '14_geodash': (s) => {
      for (const t of s.things) if (t.x - s.x + 300 >= 1280) Object.assign(t, { x: t.x + 60, up: !t.up, kind: t.kind === 'orb' ? 'spike' : 'orb' });
    },
    // What is in the blocks, and what lies beside the picture.
    '17_mario-game': (s) => {
      const view = Math.max(0, Math.min(100 * 48 - 1280, s.hero.x + 17 - 640));
      const outside = (x) => x + 60 < view || x - 30 > view + 1280;
      for (const k of s.blocks) {
        if ('?!'.includes(k.kind)) k.kind = k.kind === '?' ? '!' : '?';
        if (outside(k.x)) k.kind = k.kind === 'B' ? 'u' : 'B';
      }
      for (const e of s.enemies) if (outside(e.x)) Object.assign(e, { kind: e.kind === 'S' ? 'H' : 'S', vx: -e.vx });
      for (const e of s.enemies) e.wait += 7;
      for (const c of s.coins) if (outside(c.x)) c.taken = !c.taken;
    },
    // The mines under closed cells, moved among cells that have the same open neighbours: all numbers stay.
    '19_minesweeper': (s) => {
      if (s.over) return;
      if (!s.laid) s.mines[4][4] = true;
      const like = {};
      s.open.forEach((line, row) =>
        line.forEach((open, col) => {
          if (open) return;
          const near = s.open.flatMap((l, r) => l.flatMap((o, c) => (o && Math.abs(r - row) < 2 && Math.abs(c - col) < 2 ? [`${c},${r}`] : [])));
          (like[near.join(' ')] ??= []).push([col, row]);
        }),
      );
      for (const cells of Object.values(like)) {
        const mines = cells.map(([col, row]) => s.mines[row][col]).reverse();
        cells.forEach(([col, row], i) => (s.mines[row][col] = mines[i]));
      }
    },
    '21_ns-shaft': (s) => {
      // Ledges below the picture, how far a cracked one is worn, which were landed on.
      for (const l of s.ledges) {
        l.used = !l.used;
        if (l.worn) l.worn += 5;
        if (l.y >= 720) Object.assign(l, { x: 700, kind: 'sand' });
      }
    },
    '22_ovo': (s) => {
      // What lies outside the picture, and how long a jump is forgiven.
      const away = (o) => Math.abs(o.x - s.hero.x) > 1300;
      s.cracked = s.cracked.filter((c) => !away(c));
      for (const c of s.coins) if (away(c)) c.y += 48;
      Object.assign(s.hero, { coyote: 3, buffer: 3, locked: 5, grace: 5 });
    },
    '23_pacman': (s) => {
      // How long slimes sleep and are pale, which of the pale ones is which, how long cherries lie.
      for (const g of s.slimes) {
        if (g.asleep) g.asleep += 50;
        if (g.scared) Object.assign(g, { kind: 'hunter', scared: g.scared < 90 ? 45 : 200 });
      }
      if (s.cherry) s.cherry.left += 100;
      s.wanted = 'up';
    },
    '25_rocket-league-2d': (s) => {
      // What the rival is like, knows and has left; when a pad is back; who played the ball last.
      Object.assign(s, { temper: 'eager', seen: [[100, 100, 0]], calm: 500, idle: 0, last: 1 - s.last });
      s.cars[1].boost = 3;
      s.pads = s.pads.map((rest) => (rest ? rest + 60 : 0));
    },
    '26_run-3': (s) => {
      // Rings in the dark, and where the way through leads.
      s.tunnel.rings.slice(Math.floor(s.z / 3) - s.tunnel.first + 26).forEach((ring) => (ring.tiles = 0));
      s.tunnel.column = 5;
    },
    '27_stack': (s) => {
      s.flush += 1;
    },
    '28_temple-run-2': (s) => {
      // What the mist and the corner after the next hide.
      const [, here, next] = s.path;
      here.items = here.items.filter((o) => o.at < s.along + 84);
      next.items = next.items.filter((o) => o.at < 84);
      next.turn = -next.turn;
      s.path[3] = { ...s.path[3], items: [], coins: [], length: 5 };
      s.order = 1;
    },
    '29_tetris': (s) => Object.assign(s, { bag: [...s.bag].reverse().slice(1), fall: 1, resting: 1, heldFor: 1 }),
    '30_vex-3': (s) => {
      // Blocks outside the picture; when a crumbled one is back.
      for (const c of s.crumbles) {
        if (Math.abs(c.x - s.hero.x) > 1300) c.gone = c.gone ? 0 : 9;
        else if (c.gone) c.gone += 20;
        else if (c.worn) c.worn += 3;
      }
      Object.assign(s.hero, { coyote: 3, buffer: 3 });
    },
    // What lies deep under the meadow: now it is iron.
    '18_minecraft-clone-glm': (s) => {
      for (let cell = 48 * 48; cell < 3 * 48 * 48; cell++) s.edits[cell] = 7;
    },
    // Everything far outside the picture.
    '06_captaincallisto': (s) => {
      const near = (t) => Math.abs(t.x - s.hero.x) < 1350;
      for (const list of ['foes', 'cans', 'coins']) s[list] = s[list].filter((t) => t.taken || near(t));
    },
    // When the next customer comes, fruit gets ripe and helpers fall asleep.
    '20_monkey-mart': (s) => {
      s.nextCustomer += 33;
      for (const p of s.plants) p.growing += 7;
      for (const h of s.helpers) h.awake += 50;
    },
    // When bandits will fire, and everything far outside the picture.
    '02_another-gentlemans-adventure': (s) => {
      const near = (t) => Math.abs(t.x - s.hero.x) < 1350;
      for (const e of s.bandits) e.wait += 40;
      for (const list of ['bandits', 'coins', 'blocks', 'crates', 'bullets']) s[list] = s[list].filter(near);
    },
    // What came before, by which the next colours are drawn.
    '16_hextris': (s) => {
      s.sent = s.sent.map(() => [0, 1, 0]);
      s.wait += 5;
    },
    // What guards know, where those are whom a wall hides, and everything behind the one who looks.
    '31_wolf3d': (s) => {
      const { entities } = gameAPI.getState().game_state;
      s.guards.forEach((g, i) => entities[i].visible || Object.assign(g, { x: 0.5, y: 0.5, angle: 17, health: 3 }));
      const a = (s.player.angle * Math.PI) / 180;
      const behind = (t) => (t.x - s.player.x) * Math.cos(a) + (t.y - s.player.y) * Math.sin(a) < -0.1;
      for (const g of s.guards) {
        g.wait += 9;
        g.alert = !g.alert;
        if (behind(g)) Object.assign(g, { x: s.player.x - 0.5 * Math.cos(a), y: s.player.y - 0.5 * Math.sin(a), angle: 17, health: 3 });
      }
      s.things = s.things.filter((t) => !behind(t));
    },
    // How much harder the stunned are to stun again.
    'p06_four-deep': (s) => [...s.heroes, ...s.foes].forEach((u) => (u.firm += 20)),
    // The order of a record that has not been opened, and of answers to questions that are not asked now.
    'p07_fair-trial': (s) => {
      if (s.looked < 0) s.record.reverse();
      s.answers.forEach((order, i) => s.now.question === i || order.reverse());
    },
    // Another word; the marks that guesses got stay.
    '32_wordle': (s) => {
      s.hidden = s.hidden === 'zebra' ? 'quilt' : 'zebra';
    },
    // The order of the draw pile, and what the floors above hold.
    'p05_long-stair': (s) => {
      s.pile.reverse();
      s.floors = s.floors.map((floor, i) => (i <= s.cleared ? floor : floor === 'battle' ? 'rest' : 'battle'));
    },
    // What stands to the right of the picture, and where a ditch or the thorns that lead out of it end. The flag stays: how
    // far it is can be seen.
    'p02_up-and-over': (s) => {
      const edge = s.hero.x + 1020;
      for (const list of [s.solids, s.foes]) for (const o of list) if (o.x >= edge) Object.assign(o, { x: o.x + 30, h: 48 });
      for (const o of [...s.ditches, ...s.thorns]) if (o.x >= edge || o.x + o.w > edge) Object.assign(o, { w: o.w + 40 });
    },
    // What lies where nothing has been seen, on this map and on all others; and which events of the story are behind, but for
    // the map of the roads, which one has.
    'p11_thistle-road': (s) => {
      s.events = s.events.length > 1 ? s.events.filter((e, i) => e === 'map' || i < s.events.length - 1) : ['home', 'warden', 'companion'];
      const { maps } = lands[s.land];
      const were = Object.entries(maps).map(([id, { rows }]) => [id, rows]);
      for (const [id, rows] of were) {
        const turned = s.mirrored.includes(maps[id].kind === 'indoor' ? id : 'open');
        const seen = (x, y) => id === s.map && s.known[id][y][turned ? rows[y].length - 1 - x : x] === '!';
        maps[id].rows = rows.map((row, y) => [...row].map((c, x) => (seen(x, y) ? c : c === '#' ? ',' : '#')).join(''));
      }
      s.mirrored = s.mirrored.filter((id) => id === 'open' || id === s.map);
      return () => were.forEach(([id, rows]) => (maps[id].rows = rows));
    },
    // Everything of the other side that was not seen, and what yards hold that have no toy chest of one's own.
    'p10_wound-up': (s) => {
      const [own, other] = role === 'blue' ? [s.sides[1], s.sides[0]] : s.sides;
      Object.assign(other, { tin: 9000, oil: 9000, known: ['blades_1'], news: [], lost: 1, killed: 1 });
      for (const u of other.toys) Object.assign(u, { kind: 'bear', x: 640, y: 250, hp: 1 });
      for (const h of other.houses) Object.assign(h, { kind: 'shelf', x: h.x + 9, queue: [{ what: 'bear', left: 9 }] });
      s.left.forEach((yard, n) => own.houses.some((h) => h.kind === 'chest' && h.yard === n) || Object.assign(yard, { tin: 1, oil: 1 }));
      if (s.bot) Object.assign(s.bot, { plan: 1 - s.bot.plan, phase: 'attack', strike: 0 });
    },
    // What is said in the clips that were not watched since the search, listed or not.
    'p08_word-of-mouth': (s) => {
      const { clips } = archives[s.archive];
      const texts = clips.map((clip) => clip.text);
      clips.forEach((clip, i) => s.played.includes(i) || (clip.text = 'Nothing.'));
      s.way = s.heard;
      return () => clips.forEach((clip, i) => (clip.text = texts[i]));
    },
  };
  HIDDEN['p10d_wound-up'] = HIDDEN['p10_wound-up'];

  /** Every random stream of the state, wherever it is kept. */
  const reseed = (value) => {
    if (!value || typeof value !== 'object') return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'rng') value[key] = { seed: 'another', streams: {} };
      else reseed(inner);
    }
  };
  const lab = gameAPI.lab;
  const whole = () => JSON.stringify(lab.snapshot());
  const pixels = () => (gameAPI.draw(), document.querySelector('canvas').toDataURL());
  let random = seed;
  const draw = (n) => ((random = (random * 1664525 + 1013904223) >>> 0), Math.floor((random / 2 ** 32) * n));

  lab.reset(42);
  const said = new Set();
  const out = { changed: [], leaks: [], lengths: [], different: 0 };
  for (let i = 0; i < (way?.length ?? 40); i++) {
    const before = whole();
    const seen = i % 8 === 0 && !way ? pixels() : '';
    const text = gameAPI.describe(role);
    if (typeof text !== 'string') throw new Error(`describe('${role}') gave ${typeof text}`);
    if (whole() !== before || gameAPI.describe(role) !== text) out.changed.push(i);
    if (seen && pixels() !== seen) out.changed.push(`pixels ${i}`);
    said.add(text);
    out.lengths.push(text.length);
    const saved = lab.snapshot();
    const other = structuredClone(saved);
    reseed(other.state);
    const undo = HIDDEN[game]?.(other.state);
    lab.restore(other);
    if (gameAPI.describe(role) !== text) out.leaks.push(i);
    if (typeof undo === 'function') undo();
    lab.restore(saved);
    // A game that is over stands still: the next one begins.
    if (saved.state.over) lab.reset(43 + i);
    else lab.run(way?.[i] ?? moves[draw(moves.length)]);
  }
  out.different = said.size;
  out.said = [...said];
  return out;
}
