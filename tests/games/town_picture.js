// @ts-check
/** What is in a picture of the harbour and what is not: it is drawn again without a thing, or with something else in the state. */

/** @param {string} file */
const part = (file) => import(new URL(file, location.href).href);

/** Everything that the page shows, or one of its side views. @param {string} [view] @returns {Uint8ClampedArray} */
function shown(view = '') {
  const page = /** @type {any} */ (window).gameAPI;
  if (!view) page.draw();
  const canvas = view ? page.look(view) : document.querySelector('canvas');
  return canvas.getContext('2d').getImageData(0, 0, 1280, 720).data;
}

/** Where two pictures differ: in how many pixels, from which column to which. @param {Uint8ClampedArray} a @param {Uint8ClampedArray} b */
function difference(a, b) {
  const [one, two] = [a, b].map((p) => new Uint32Array(p.buffer));
  let [count, from, to] = [0, 1280, -1];
  for (let i = 0; i < one.length; i++) {
    if (one[i] === two[i]) continue;
    count += 1;
    from = Math.min(from, i % 1280);
    to = Math.max(to, i % 1280);
  }
  return { count, from, to };
}

/** Draws the town without things: those of a name, within a box of the map if there is one.
 * @param {{name: string, x?: number[], z?: number[]}} thing @param {() => any} draw */
async function without({ name, x, z }, draw) {
  const [{ Picture }, { NAMES }] = [await part('raster.js'), await part('build.js')];
  const id = NAMES.indexOf(name);
  const within = (/** @type {number} */ v, /** @type {number[]|undefined} */ [low, high] = [-Infinity, Infinity]) => low <= v && v <= high;
  const is = (/** @type {any} */ f) => f.id === id && within(f.middle[0], x) && within(f.middle[2], z);
  const faces = Picture.prototype.faces;
  Picture.prototype.faces = function (/** @type {any[][]} */ lists) {
    return faces.call(this, lists.map((list) => list.filter((f) => !is(f))));
  };
  try {
    return draw();
  } finally {
    Picture.prototype.faces = faces;
  }
}

/** Names that the words say and no look at the picture confirms where they say it. */
async function unconfirmed() {
  const before = shown();
  const { cameraOf } = await part('body.js');
  const { back } = cameraOf(/** @type {any} */ (window).gameAPI.lab.peek(), 0);
  const told = /** @type {any} */ (window).gameAPI.describe('player').split('\n').filter((/** @type {string} */ l) => l.startsWith('- '));
  const out = [];
  for (const line of told) {
    const [, name, far, turn, side] = /** @type {RegExpMatchArray} */ (line.match(/^- (.*): ([\d.]+) away, (?:(\d+) (left|right)|straight on)/));
    const d = await without({ name }, () => difference(before, shown()));
    const angle = (Number(turn ?? 0) * (side === 'left' ? -1 : 1) * Math.PI) / 180;
    const column = 640 + ((Math.sin(angle) * Number(far)) / (Math.cos(angle) * Number(far) + back) / 0.7265) * 640;
    if (d.count < 20 || column < d.from - 120 || column > d.to + 120) out.push(`${line} (${JSON.stringify(d)})`);
  }
  return { told: told.length, wrong: out };
}

/** Ways to change a state without a look at what is seen of it. @returns {Promise<Record<string, (s: any) => void>>} */
async function hidings() {
  const { SOMEONE } = await part('people.js');
  const { QUESTS } = await part('quests.js');
  const quests = Object.keys(QUESTS);
  /** @type {Record<string, (s: any) => void>} */
  const out = {
    chance: (s) => (s.rng = { seed: 'another', streams: {} }),
    flags: (s) => Object.keys(s.flags).forEach((f) => f !== 'gate_open' && (s.flags[f] = !s.flags[f])),
    'the gate': (s) => (s.flags.gate_open = !s.flags.gate_open),
    'whom one has asked': (s) => ['baker', 'shells', 'painter'].forEach((who) => (s.flags[`asked_${who}`] = !s.flags[`asked_${who}`])),
    'the quest': (s) => (s.quest = quests[(quests.indexOf(s.quest) + 3) % quests.length]),
    hearts: (s) => (s.hearts = 1),
    'the clock of the fight': (s) => Object.assign(s.mump, { clock: s.mump.clock + 3, shouted: 2, dashX: 0.3, dashZ: 0.4, way: -s.mump.way }),
    'where the cat goes': (s) => Object.assign(s.cat, { rest: 33 }),
    'the cat elsewhere': (s) => Object.assign(s.cat, { z: 57.2 - s.cat.z }),
    'the child elsewhere': (s) => s.quest === 'm3' && (s.quest = 'n1'),
    'the truth of what is said': (s) => SOMEONE.forEach((/** @type {any} */ o) => o.id !== s.talk?.who && (o.says = () => ['Take the lift.'])),
  };
  for (const mode of ['asleep', 'pace', 'puff', 'dash', 'rest', 'flee', 'gone']) {
    out[`the mump: ${mode}`] = (s) => Object.assign(s.mump, { mode, clock: 18 });
    out[`the mump elsewhere: ${mode}`] = (s) => Object.assign(s.mump, { mode, clock: 18, x: 42.6, z: -8, yaw: 40 });
  }
  return out;
}

/** What of a state the picture does not show, and whether the words do: by kind how often it was hidden, and where the words told it. */
async function hidden() {
  const { lab, describe } = /** @type {any} */ (window).gameAPI;
  const { SOMEONE } = await part('people.js');
  const speech = SOMEONE.map((/** @type {any} */ o) => o.says);
  const [saved, before, words] = [lab.snapshot(), shown(), describe('player')];
  const [same, told] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  for (const [kind, change] of Object.entries(await hidings())) {
    const other = structuredClone(saved);
    change(other.state);
    lab.restore(other);
    const picture = new Uint32Array(shown().buffer);
    if (new Uint32Array(before.buffer).every((v, i) => v === picture[i])) {
      same.push(kind);
      if (describe('player') !== words) told.push(`${kind}: ${words} | ${describe('player')}`);
    }
    SOMEONE.forEach((/** @type {any} */ o, /** @type {number} */ i) => (o.says = speech[i]));
  }
  lab.restore(saved);
  return { same, told };
}

/** In how many pixels a view changes when a thing is taken out of the town. @param {{name: string, x?: number[], z?: number[]}} thing @param {string} view */
async function share(thing, view) {
  const before = shown(view);
  return without(thing, () => difference(before, shown(view)).count);
}

/** In how many pixels a side view differs from what is drawn ahead of one who has turned there, and from what is drawn ahead.
 * Columns near the middle, where the figure stands, are left out. @param {string} view @param {number} turn */
async function sideways(view, turn) {
  const { drawTown } = await part('view.js');
  const { lab, look } = /** @type {any} */ (window).gameAPI;
  const drawn = (/** @type {number} */ by) => {
    const s = structuredClone(lab.peek());
    s.player.yaw += by;
    const ctx = look(view).getContext('2d');
    drawTown(ctx, s, 0);
    return ctx.getImageData(0, 0, 1280, 720).data;
  };
  const beside = (/** @type {Uint8ClampedArray} */ p) => new Uint32Array(p.buffer).map((v, i) => (Math.abs((i % 1280) - 640) < 160 ? 0 : v));
  const [side, turned, front] = [shown(view), drawn(turn), drawn(0)].map(beside);
  const differ = (/** @type {Uint32Array} */ other) => side.reduce((n, v, i) => n + Number(v !== other[i]), 0);
  return { turned: differ(turned), front: differ(front) };
}
