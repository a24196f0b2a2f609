// @ts-check
/**
 * The fighters of Iron Bell and what they can do.
 *
 * A move winds up, strikes and recovers, each for some frames. `reach` is the gap between the bodies, in pixels, up to which
 * it strikes. `height`: low passes beneath a jump, mid too unless the jump is low, high also hits in the air; a grab and a
 * smash cannot be guarded, and a grab cannot hit in the air.
 *
 * @typedef {'low'|'mid'|'high'|'grab'|'smash'} Height
 * @typedef {{title: string, windup: number, strike: number, recover: number, damage: number, reach: number, height: Height,
 *   stun: number, push: number, down?: boolean, dash?: number, safe?: number, hits?: number, rise?: number, chip?: number,
 *   shot?: {speed: number, size: number}}} Move
 */

/** @type {Record<string, Move>} */
const COMMON = {
  low_punch: { title: 'Low Punch', windup: 4, strike: 2, recover: 7, damage: 5, reach: 46, height: 'mid', stun: 4, push: 5 },
  medium_punch: { title: 'Medium Punch', windup: 7, strike: 3, recover: 11, damage: 9, reach: 58, height: 'mid', stun: 7, push: 6 },
  high_punch: { title: 'High Punch', windup: 10, strike: 3, recover: 17, damage: 14, reach: 66, height: 'high', stun: 11, push: 8 },
  low_kick: { title: 'Low Kick', windup: 5, strike: 2, recover: 9, damage: 5, reach: 56, height: 'low', stun: 3, push: 5 },
  medium_kick: { title: 'Medium Kick', windup: 8, strike: 3, recover: 13, damage: 9, reach: 76, height: 'mid', stun: 6, push: 7 },
  high_kick: { title: 'High Kick', windup: 12, strike: 3, recover: 19, damage: 15, reach: 84, height: 'high', stun: 11, push: 9 },
  low_pair: { title: 'Low Punch+Low Kick', windup: 5, strike: 2, recover: 22, damage: 16, reach: 30, height: 'grab', stun: 8, push: 12, down: true },
  medium_pair: { title: 'Medium Punch+Medium Kick', windup: 20, strike: 3, recover: 16, damage: 12, reach: 64, height: 'smash', stun: 9, push: 7 },
  high_pair: { title: 'High Punch+High Kick', windup: 28, strike: 4, recover: 24, damage: 26, reach: 80, height: 'mid', stun: 20, push: 12, down: true },
};

/** @type {Record<string, {name: string, title: string, walk: number, jump: number, moves: Record<string, Move>}>} */
export const FIGHTERS = {
  mason: {
    name: 'Mason',
    title: 'a quarryman of few words',
    walk: 6,
    jump: 11,
    moves: {
      ...COMMON,
      special_1: { title: 'Cobble', windup: 14, strike: 1, recover: 22, damage: 10, reach: 0, height: 'mid', stun: 7, push: 8, chip: 2, shot: { speed: 8, size: 26 } },
      special_2: { title: 'Ox Yoke', windup: 9, strike: 2, recover: 34, damage: 24, reach: 52, height: 'grab', stun: 12, push: 12, down: true },
      special_3: { title: 'Crowbar', windup: 5, strike: 8, recover: 32, damage: 16, reach: 48, height: 'high', stun: 12, push: 9, down: true, safe: 9, chip: 2, rise: 8 },
      special_4: { title: 'Gate Ram', windup: 11, strike: 14, recover: 20, damage: 15, reach: 30, height: 'mid', stun: 12, push: 11, down: true, dash: 12, chip: 3 },
      super: { title: 'Quarry Fall', windup: 9, strike: 12, recover: 30, damage: 44, reach: 60, height: 'mid', stun: 10, push: 14, down: true, dash: 13, safe: 12, chip: 8 },
    },
  },
  sedge: {
    name: 'Sedge',
    title: 'a dancer from the reed beds',
    walk: 7,
    jump: 12,
    moves: {
      ...COMMON,
      low_punch: { ...COMMON.low_punch, windup: 3, damage: 4, reach: 42 },
      high_punch: { ...COMMON.high_punch, damage: 12, reach: 60 },
      medium_kick: { ...COMMON.medium_kick, windup: 7, reach: 82 },
      high_kick: { ...COMMON.high_kick, windup: 11, damage: 14, reach: 92 },
      low_pair: { ...COMMON.low_pair, damage: 13 },
      special_1: { title: 'Reed Dart', windup: 11, strike: 1, recover: 20, damage: 7, reach: 0, height: 'mid', stun: 5, push: 6, chip: 1, shot: { speed: 11, size: 18 } },
      special_2: { title: 'Mill Wheel', windup: 9, strike: 24, recover: 20, damage: 5, reach: 54, height: 'mid', stun: 4, push: 2, hits: 4, dash: 3, chip: 1 },
      special_3: { title: 'Heron Rise', windup: 4, strike: 8, recover: 34, damage: 14, reach: 50, height: 'high', stun: 10, push: 8, down: true, safe: 8, chip: 2, rise: 10 },
      special_4: { title: 'Skim', windup: 8, strike: 16, recover: 18, damage: 11, reach: 28, height: 'low', stun: 8, push: 9, down: true, dash: 13, chip: 2 },
      super: { title: 'Spring Flood', windup: 8, strike: 30, recover: 26, damage: 9, reach: 56, height: 'mid', stun: 3, push: 2, hits: 5, down: true, dash: 7, safe: 10, chip: 2 },
    },
  },
};

/** Keys of the two sides. */
export const KEYS = [
  { left: 'a', right: 'd', up: 'w', down: 's', low_punch: 'u', medium_punch: 'i', high_punch: 'o', low_kick: 'j', medium_kick: 'k', high_kick: 'l', super: 'Space' },
  { left: 'ArrowLeft', right: 'ArrowRight', up: 'ArrowUp', down: 'ArrowDown', low_punch: '7', medium_punch: '8', high_punch: '9', low_kick: '4', medium_kick: '5', high_kick: '6', super: '0' },
];
export const PUNCHES = ['low_punch', 'medium_punch', 'high_punch'];
export const KICKS = ['low_kick', 'medium_kick', 'high_kick'];
export const BUTTONS = [...PUNCHES, ...KICKS];
/** Both hits of one strength, pressed together. @type {Record<string, [string, string]>} */
export const PAIRS = { low_pair: ['low_punch', 'low_kick'], medium_pair: ['medium_punch', 'medium_kick'], high_pair: ['high_punch', 'high_kick'] };
/** The last two directions before the button of a special. @type {Record<string, [string, string, string[]]>} */
export const MOTIONS = {
  special_1: ['down', 'forward', PUNCHES],
  special_2: ['down', 'back', KICKS],
  special_3: ['forward', 'down', PUNCHES],
  special_4: ['back', 'forward', KICKS],
};

/** The ladder: who waits on each stage. */
export const LADDER = [
  { name: 'Tansy', kind: 'sedge' },
  { name: 'Old Bram', kind: 'mason' },
  { name: 'Wick', kind: 'sedge' },
  { name: 'Dole', kind: 'mason' },
  { name: 'Fenna', kind: 'sedge' },
  { name: 'Harl', kind: 'mason' },
  { name: 'The Ferryman', kind: 'mason' },
  { name: 'Ibis', kind: 'sedge' },
  { name: 'Anvil Jo', kind: 'mason' },
  { name: 'The Bell Keeper', kind: 'sedge' },
];
