// @ts-check
/**
 * Thirteen Days, the rules: a field that is tilled, sown, watered and harvested day by day, on little energy.
 *
 * A person and a command begin the same jobs (`begin`); `update` carries a job out, one tile every few updates.
 *
 * @typedef {'parsnip'|'bean'|'cauliflower'|'potato'} Crop
 * @typedef {{kind: Crop, left: number}} Plant  days of growth that are left
 * @typedef {{tilled: boolean, wet: boolean, stone: boolean, plant: Plant|null}} Tile
 * @typedef {{task: string, tiles: number[], age: number, done: number}} Job
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';

export const COLUMNS = 8;
export const ROWS = 5;
export const LAST_DAY = 13;
export const GOLD = 200;
const TIRED = 26;
const FAINT = -15;
const TOOL = 2;
/** Tiles of the field on which nothing grows, because a stone lies there. */
const STONES = 3;
/** Qualities of a harvested crop: the chance of each, and what its price is multiplied by. */
export const QUALITIES = [{ name: 'plain', chance: 0.68, worth: 1 }, { name: 'fine', chance: 0.25, worth: 1.25 }, { name: 'superb', chance: 0.07, worth: 1.5 }];

/** @type {Record<Crop, {seed: string, buy: number, sell: number, days: number, again: number, twice: number}>} */
export const CROPS = {
  parsnip: { seed: 'Parsnip Seeds', buy: 20, sell: 35, days: 4, again: 0, twice: 0 },
  bean: { seed: 'Bean Starter', buy: 60, sell: 40, days: 10, again: 3, twice: 0 },
  cauliflower: { seed: 'Cauliflower Seeds', buy: 80, sell: 175, days: 12, again: 0, twice: 0 },
  potato: { seed: 'Potato Seeds', buy: 50, sell: 80, days: 6, again: 0, twice: 0.2 },
};
export const NAMES = /** @type {Crop[]} */ (Object.keys(CROPS));

/** Farms: energy of a day, chance of rain, chance that empty tilled soil is grown over in a night. */
export const FARMS = {
  valley: { energy: 50, rain: 0.15, weeds: 0.1 },
  hill: { energy: 40, rain: 0, weeds: 0.2 },
};

/** Updates that a job takes for each tile. @type {Record<string, number>} */
export const PACE = { till: 6, water: 5, plant: 4, harvest: 4, walk: 20, sleep: 40 };

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const stones = stream(rng, 'stones').shuffle(Array.from({ length: COLUMNS * ROWS }, (_, i) => i)).slice(0, STONES);
  const farm = /** @type {keyof typeof FARMS} */ (oneOf(options, 'farm', Object.keys(FARMS), 'valley'));
  return {
    rng,
    farm,
    day: 1,
    place: 'house',
    gold: GOLD,
    energy: FARMS[farm].energy,
    rain: false,
    /** @type {Tile[]} row by row */
    field: Array.from({ length: COLUMNS * ROWS }, (_, i) => ({
      tilled: false,
      wet: false,
      stone: stones.includes(i),
      plant: /** @type {Plant|null} */ (null),
    })),
    /** @type {Record<string, number>} */
    seeds: Object.fromEntries(NAMES.map((n) => [n, 0])),
    /** Harvested crops by quality. @type {Record<string, number[]>} */
    store: Object.fromEntries(NAMES.map((n) => [n, QUALITIES.map(() => 0)])),
    /** The tile where the farmer stands. */
    at: 0,
    /** @type {Job|null} */
    job: null,
    /** The answer to the last job. */
    ok: true,
    said: 'A new farm. Go out, till, sow and water.',
    /** Updates since the start, for the picture. */
    age: 0,
    harvested: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** Ends a job. @param {State} s @param {boolean} ok @param {string} said */
function answer(s, ok, said) {
  s.job = null;
  s.ok = ok;
  s.said = said;
}

/** Begins a job, or answers at once if it takes no time or cannot be done.
 * @param {State} s @param {string} task @param {{item?: string, count?: number}} [given] */
export function begin(s, task, given = {}) {
  if (s.job || s.over) return;
  const count = given.count ?? 1;
  if (task === 'buy') return buy(s, /** @type {Crop} */ (given.item), count);
  if (task === 'sell') return sell(s);
  if (task === 'leave') {
    if (s.place === 'farm') return answer(s, false, 'You are on the farm already.');
    s.job = { task: 'walk', tiles: [0], age: 0, done: 0 };
    return;
  }
  if (task === 'sleep') {
    s.job = { task, tiles: [0], age: 0, done: 0 };
    return;
  }
  if (s.place !== 'farm') return answer(s, false, 'You are in the house; go out to the farm first.');
  const tiles = tilesFor(s, task, count);
  if (!tiles.length) return answer(s, false, NOTHING[task]);
  s.job = { task, tiles, age: 0, done: 0 };
}

/** @type {Record<string, string>} */
const NOTHING = {
  till: 'All soil is tilled.',
  plant: 'You need seeds and empty tilled soil to plant.',
  water: 'There is no crop that needs water.',
  harvest: 'No crop is ready to harvest.',
};

/** The tiles that a job works on, in their fixed order. @param {State} s @param {string} task @param {number} count */
function tilesFor(s, task, count) {
  const all = s.field.map((_, i) => i);
  const seeds = NAMES.reduce((n, name) => n + s.seeds[name], 0);
  if (task === 'till') return all.filter((i) => !s.field[i].tilled && !s.field[i].stone).slice(0, count);
  if (task === 'plant') return all.filter((i) => s.field[i].tilled && !s.field[i].plant).slice(0, seeds);
  if (task === 'water') return all.filter((i) => s.field[i].plant && !s.field[i].wet);
  return all.filter((i) => s.field[i].plant?.left === 0);
}

/** @param {State} s @param {Crop} item @param {number} count */
function buy(s, item, count) {
  const { buy: price, seed } = CROPS[item];
  const n = Math.min(count, Math.floor(s.gold / price));
  if (n < 1) return answer(s, false, `${seed} cost ${price} gold each, and you have ${s.gold} gold.`);
  s.gold -= n * price;
  s.seeds[item] += n;
  answer(s, true, `Bought ${n} ${seed} for ${n * price} gold${n < count ? ', as many as you could pay' : ''}.`);
}

/** @param {State} s */
function sell(s) {
  let sold = 0;
  let gold = 0;
  for (const name of NAMES) {
    s.store[name].forEach((n, q) => {
      sold += n;
      gold += n * Math.floor(CROPS[name].sell * QUALITIES[q].worth);
    });
    s.store[name] = QUALITIES.map(() => 0);
  }
  if (!sold) return answer(s, false, 'You have no crops to sell.');
  s.gold += gold;
  answer(s, true, `Sold ${sold} crops for ${gold} gold.`);
}

/** One update of the job in hand. @param {State} s */
export function work(s) {
  s.age += 1;
  const { job } = s;
  if (!job) return;
  job.age += 1;
  if (job.task !== 'walk' && job.task !== 'sleep') s.at = job.tiles[job.done];
  if (job.age < PACE[job.task]) return;
  job.age = 0;
  if (job.task === 'sleep') return night(s, 'You slept.');
  if (job.task === 'walk') {
    s.place = 'farm';
    return answer(s, true, 'You are on the farm.');
  }
  const tile = s.field[job.tiles[job.done]];
  if (job.task === 'till') tile.tilled = true;
  else if (job.task === 'water') tile.wet = true;
  else if (job.task === 'plant') plant(s, tile);
  else harvest(s, tile);
  job.done += 1;
  if (job.task === 'till' || job.task === 'water') {
    s.energy -= TOOL;
    if (s.energy <= FAINT) {
      const lost = Math.floor(s.gold / 10);
      s.gold -= lost;
      return night(s, `You fainted from exhaustion and lost ${lost} gold.`);
    }
  }
  if (job.done < job.tiles.length) return;
  const tired = s.energy <= 0 ? ' You are exhausted.' : '';
  answer(s, true, `${DONE[job.task]} ${job.done} ${job.done === 1 ? 'tile' : 'tiles'}.${tired}`);
}

/** @type {Record<string, string>} */
const DONE = { till: 'Tilled', plant: 'Planted', water: 'Watered', harvest: 'Harvested' };

/** Sows the first kind of seed that is there. @param {State} s @param {Tile} tile */
function plant(s, tile) {
  const kind = NAMES.find((n) => s.seeds[n] > 0);
  if (!kind) return;
  s.seeds[kind] -= 1;
  tile.plant = { kind, left: CROPS[kind].days };
  tile.wet = s.rain;
}

/** @param {State} s @param {Tile} tile */
function harvest(s, tile) {
  const { kind } = /** @type {Plant} */ (tile.plant);
  const { again, twice } = CROPS[kind];
  const luck = stream(s.rng, `harvest ${kind}`);
  const roll = luck.float();
  const second = luck.float() < twice;
  const quality = roll < QUALITIES[2].chance ? 2 : roll < QUALITIES[2].chance + QUALITIES[1].chance ? 1 : 0;
  s.store[kind][quality] += 1;
  if (second) s.store[kind][0] += 1;
  s.harvested += 1;
  tile.plant = again ? { kind, left: again } : null;
}

/** The day ends. @param {State} s @param {string} how */
function night(s, how) {
  const { energy, rain, weeds } = FARMS[s.farm];
  const soil = stream(s.rng, 'soil');
  for (const tile of s.field) {
    const grownOver = soil.chance(weeds);
    if (tile.plant && tile.wet && tile.plant.left > 0) tile.plant.left -= 1;
    if (tile.tilled && !tile.plant && grownOver) tile.tilled = false;
    tile.wet = false;
  }
  const exhausted = s.energy <= 0;
  s.energy = exhausted ? TIRED : energy;
  s.day += 1;
  s.place = 'house';
  s.at = 0;
  s.rain = stream(s.rng, 'weather').chance(rain);
  if (s.rain) for (const tile of s.field) if (tile.plant) tile.wet = true;
  if (s.day > LAST_DAY) {
    answer(s, true, how);
    finish(s, s.gold > GOLD ? 'win' : 'fail', `The thirteen days are over. You have ${s.gold} gold; you began with ${GOLD}.`);
    return;
  }
  answer(s, true, `${how} It is day ${s.day}${s.rain ? ', and it rains' : ''}. You have ${s.energy} energy.`);
}
