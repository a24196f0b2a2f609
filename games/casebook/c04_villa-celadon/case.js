// @ts-check
/**
 * A dinner for a number: who sat where, which sweet stood at which seat, and on whose napkin it was found.
 *
 * Six people sit at a long table, three on each side. What each says of the own seat fixes one after the other, and there
 * is one way only to seat them all; the thief's seat takes three of these sayings at least.
 *
 * Where each guest stands now is dealt too: one in each room, and the fifth in one of them.
 *
 * @typedef {{side: 'window'|'fire', along: 'clock'|'middle'|'door'}} Seat
 * @typedef {{kind: 'corner'|'opposite'|'beside'|'beyond', to?: string, past?: string}} Saying
 *   `beside`: in the middle, next to somebody at an end. `beyond`: at the other end, with `to` between oneself and `past`.
 */

import { deal } from '../adventure/adventure-closeups.js';
import { stream } from '../../kit/random.js';

export const GUESTS = ['basil', 'ines', 'otto', 'greta', 'lucan'];
export const HOST = 'celadon';
export const ALL = [HOST, ...GUESTS];
export const SIDES = ['window', 'fire'];
export const ALONG = ['clock', 'middle', 'door'];
export const SWEETS = ['cherry', 'mint', 'plum', 'lemon', 'chocolate', 'rose'];
export const GEMS = ['emerald', 'ruby', 'sapphire', 'topaz', 'pearl'];
export const HATS = ['hat', 'crown', 'hood'];

/** What is needed, and where it does not lie. @type {Record<string, string>} */
const NEEDED = { fuse: 'in_shelf', mirror: '', tap: '' };
/** Where it can lie, in words. @type {Record<string, string>} */
const PLACES = {
  in_stand: 'at the hat stand in the hall', in_drawer: 'in the kitchen drawer', in_shelf: 'on the shelf in the cellar', in_bench: 'in the piano bench of the music room',
};

/** Where guests can stand: the middle and the floor under them, in px; each picture has room for two. @type {Record<string, number[][]>} */
export const STANDS = { dining: [[1010, 436], [1150, 436]], music: [[710, 438], [1020, 436]], terrace: [[400, 440], [830, 440]], kitchen: [[690, 434], [920, 404]] };
/** In words. @type {Record<string, string>} */
const ROOMS = { dining: 'in the dining room', music: 'in the music room', terrace: 'on the terrace', kitchen: 'in the kitchen' };

/**
 * Where the guests stand and what that is in words, from the first to the last.
 * @param {import('../../kit/random.js').Stream} r
 */
function dealGuests(r) {
  const rooms = Object.keys(STANDS);
  const free = Object.fromEntries(rooms.map((room) => [room, r.shuffle([0, 1])]));
  const guests = r.shuffle(GUESTS);
  const stands = Object.fromEntries([...rooms, r.pick(rooms)].map((room, i) => [guests[i], { room, place: free[room].pop() }]));
  return { stands, about: Object.fromEntries(GUESTS.map((who) => [who, ROOMS[stands[who].room]])) };
}

/** @param {any} options @param {any} rng */
export function makeCase(options, rng) {
  const r = stream(options.case === undefined ? rng : { seed: `villa celadon ${options.case}`, streams: {} }, 'case');
  const thief = r.pick(GUESTS);
  const others = r.shuffle(ALL.filter((w) => w !== thief));
  const at = r.int(2, 5);
  const order = [...others.slice(0, at), thief, ...others.slice(at)];
  const [a, b, c, d, e, f] = order;
  const [near, far] = r.shuffle(SIDES);
  const [end, other] = r.shuffle(['clock', 'door']);
  /** @type {Record<string, Seat>} */
  const seats = {
    [a]: { side: near, along: end }, [b]: { side: far, along: end },
    [c]: { side: near, along: 'middle' }, [d]: { side: far, along: 'middle' },
    [e]: { side: near, along: other }, [f]: { side: far, along: other },
  };
  /** @type {Record<string, Saying>} */
  const says = {
    [a]: { kind: 'corner' },
    [b]: { kind: 'opposite', to: a },
    [c]: { kind: 'beside', to: a },
    [d]: r.pick([{ kind: 'opposite', to: c }, { kind: 'beside', to: b }]),
    [e]: { kind: 'beyond', to: c, past: a },
    [f]: r.pick([{ kind: 'opposite', to: e }, { kind: 'beyond', to: d, past: b }]),
  };
  const sweets = r.shuffle(SWEETS);
  const sweet = Object.fromEntries(SIDES.map((side, i) => [side, Object.fromEntries(ALONG.map((along, j) => [along, sweets[3 * i + j]]))]));
  const gems = r.shuffle(GEMS);
  const { side, along } = seats[thief];
  return {
    thief, seats, says, sweet, napkin: sweet[side][along],
    hung: r.shuffle(HATS), asked: r.shuffle(HATS), worn: Object.fromEntries(HATS.map((h, i) => [h, gems[i]])),
    ...deal(r, NEEDED, PLACES), ...dealGuests(r),
  };
}
