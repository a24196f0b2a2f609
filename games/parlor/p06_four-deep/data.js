// @ts-check
/**
 * Four Deep, who is who: heroes and their skills, the creatures of the Brinehold, and which of them wait in which room.
 *
 * Ranks are counted from the middle: rank 1 is the front of either side.
 *
 * @typedef {{name: string, aim: 'enemy'|'hero', use: number[], at: number[], all?: boolean, melee?: boolean, accuracy?: number,
 *   damage?: number, crit?: number, pierce?: boolean, stun?: number, bleed?: number[], blight?: number[], push?: number, forward?: number,
 *   heal?: number[], calm?: number, cure?: boolean, guard?: boolean, drain?: number}} Skill
 *   damage: percent more or less than the hero's own; bleed, blight: [per turn, turns]; push: ranks that the target is pushed
 *   back; forward: ranks that the user goes forward; drain: what a hit heals the user by
 * @typedef {{title: string, hp: number, dodge: number, speed: number, protection: number, crit: number, damage: number[], skills: Skill[]}} Kind
 * @typedef {{name: string, use: number[], at: number[], all?: boolean, accuracy: number, damage: number[], crit?: number,
 *   stress?: number, stun?: number, bleed?: number[], pull?: number}} Blow
 * @typedef {{title: string, hp: number, dodge: number, speed: number, protection: number, steady: number, threat: number, blows: Blow[]}} Creature
 *   steady: percent that it resists being stunned
 */

const ANY = [1, 2, 3, 4];

/** @type {Record<string, Kind>} */
export const KINDS = {
  warden: {
    title: 'Warden', hp: 33, dodge: 5, speed: 1, protection: 10, crit: 3, damage: [6, 12],
    skills: [
      { name: 'Rally', aim: 'hero', use: ANY, at: ANY, calm: 8 },
      { name: 'Longsword', aim: 'enemy', use: [1, 2], at: [1, 2], melee: true, accuracy: 90, damage: 0, crit: 3 },
      { name: 'Shield Slam', aim: 'enemy', use: [1, 2], at: [1, 2], melee: true, accuracy: 90, damage: -50, stun: 110 },
      { name: 'Charge', aim: 'enemy', use: [3, 4], at: [1, 2], melee: true, accuracy: 85, damage: 0, forward: 2 },
    ],
  },
  duelist: {
    title: 'Duelist', hp: 24, dodge: 12, speed: 6, protection: 0, crit: 6, damage: [5, 10],
    skills: [
      { name: 'Pistol', aim: 'enemy', use: [2, 3, 4], at: [2, 3, 4], accuracy: 90, damage: 0, crit: 6 },
      { name: 'Open Vein', aim: 'enemy', use: [1, 2, 3], at: [1, 2], melee: true, accuracy: 95, damage: -20, bleed: [3, 3] },
      { name: 'Point Blank', aim: 'enemy', use: [1], at: [1], accuracy: 95, damage: 60, crit: 8, push: 1, forward: -1 },
      { name: 'Grapeshot', aim: 'enemy', use: [2, 3], at: [1, 2, 3], all: true, accuracy: 80, damage: -50 },
    ],
  },
  chantress: {
    title: 'Chantress', hp: 24, dodge: 5, speed: 4, protection: 0, crit: 2, damage: [4, 8],
    skills: [
      { name: 'Verdict', aim: 'enemy', use: [3, 4], at: ANY, accuracy: 90, damage: -20, drain: 3 },
      { name: 'Hymn', aim: 'hero', use: [3, 4], at: ANY, heal: [6, 9] },
      { name: 'Chorus', aim: 'hero', use: [2, 3, 4], at: ANY, all: true, heal: [2, 4], calm: 1 },
      { name: 'Glare', aim: 'enemy', use: [2, 3, 4], at: [1, 2, 3], accuracy: 95, damage: -60, stun: 115 },
    ],
  },
  apothecary: {
    title: 'Apothecary', hp: 22, dodge: 8, speed: 7, protection: 0, crit: 2, damage: [4, 7],
    skills: [
      { name: 'Caustic Flask', aim: 'enemy', use: [2, 3, 4], at: [3, 4], all: true, accuracy: 95, damage: -80, blight: [4, 3] },
      { name: 'Lancet', aim: 'enemy', use: [1, 2, 3], at: [1, 2], melee: true, accuracy: 90, damage: 0, blight: [2, 3] },
      { name: 'Pepper Dust', aim: 'enemy', use: [2, 3, 4], at: [3, 4], all: true, accuracy: 95, damage: -100, stun: 105 },
      { name: 'Salve', aim: 'hero', use: ANY, at: ANY, heal: [2, 4], calm: 3, cure: true },
    ],
  },
  bulwark: {
    title: 'Bulwark', hp: 36, dodge: 4, speed: 2, protection: 20, crit: 2, damage: [5, 10],
    skills: [
      { name: 'Old Stories', aim: 'hero', use: ANY, at: ANY, all: true, calm: 4 },
      { name: 'Mace', aim: 'enemy', use: [1, 2], at: [1, 2], melee: true, accuracy: 90, damage: 10, crit: 3 },
      { name: 'Ram', aim: 'enemy', use: [2, 3, 4], at: [1, 2], melee: true, accuracy: 90, damage: -40, stun: 105, push: 1, forward: 1 },
      { name: 'Stand Before', aim: 'hero', use: ANY, at: ANY, guard: true, heal: [2, 3] },
    ],
  },
  delver: {
    title: 'Delver', hp: 22, dodge: 15, speed: 8, protection: 0, crit: 6, damage: [5, 9],
    skills: [
      { name: 'Hard Bread', aim: 'hero', use: ANY, at: ANY, heal: [3, 5], calm: 2, cure: true },
      { name: 'Dart', aim: 'enemy', use: [3, 4], at: ANY, accuracy: 95, damage: -60, blight: [4, 3] },
      { name: 'Pick', aim: 'enemy', use: [1, 2, 3], at: [1, 2], melee: true, accuracy: 90, damage: 10, crit: 5, pierce: true },
      { name: 'Thrown Knife', aim: 'enemy', use: [2, 3, 4], at: [2, 3, 4], accuracy: 92, damage: 0, crit: 6 },
    ],
  },
};

/** Parties, from rank 1 to rank 4. @type {Record<string, string[][]>} */
export const PARTIES = {
  oath: [['warden', 'Ansgar'], ['duelist', 'Mirabel'], ['chantress', 'Odile'], ['apothecary', 'Quill']],
  hire: [['bulwark', 'Bertram'], ['delver', 'Tansy'], ['delver', 'Wick'], ['chantress', 'Ysolt']],
};

/** @type {Record<string, Creature>} */
export const CREATURES = {
  husk: {
    title: 'Salt Husk', hp: 11, dodge: 0, speed: 1, protection: 0, steady: 10, threat: 1,
    blows: [{ name: 'claws', use: ANY, at: [1, 2, 3], accuracy: 78, damage: [3, 6] }],
  },
  guard: {
    title: 'Rust Guard', hp: 18, dodge: 5, speed: 2, protection: 15, steady: 25, threat: 2,
    blows: [{ name: 'cuts down', use: [1, 2, 3], at: [1, 2], accuracy: 85, damage: [5, 9], crit: 8 }],
  },
  harpooner: {
    title: 'Harpooner', hp: 16, dodge: 8, speed: 4, protection: 0, steady: 15, threat: 3,
    blows: [
      { name: 'harpoons', use: [2, 3, 4], at: [2, 3, 4], accuracy: 88, damage: [4, 9], crit: 10, pull: 1 },
      { name: 'jabs', use: [1], at: [1, 2], accuracy: 75, damage: [2, 4] },
    ],
  },
  mourner: {
    title: 'Mourner', hp: 15, dodge: 8, speed: 5, protection: 0, steady: 20, threat: 4,
    blows: [
      { name: 'laments at', use: [2, 3, 4], at: ANY, accuracy: 95, damage: [0, 2], stress: 17 },
      { name: 'scratches', use: [1], at: [1, 2], accuracy: 80, damage: [2, 4], stress: 5 },
    ],
  },
  anchorite: {
    title: 'Anchorite', hp: 22, dodge: 0, speed: 0, protection: 30, steady: 40, threat: 3,
    blows: [{ name: 'swings an anchor at', use: [1, 2], at: [1, 2], accuracy: 84, damage: [5, 10], crit: 6, stun: 70 }],
  },
  wrecker: {
    title: 'Wrecker', hp: 15, dodge: 12, speed: 6, protection: 0, steady: 15, threat: 3,
    blows: [{ name: 'slashes', use: [1, 2, 3], at: [1, 2, 3], accuracy: 88, damage: [3, 6], crit: 10, bleed: [2, 3] }],
  },
  raver: {
    title: 'Raver', hp: 16, dodge: 16, speed: 7, protection: 0, steady: 15, threat: 5,
    blows: [
      { name: 'babbles at', use: ANY, at: ANY, accuracy: 95, damage: [0, 1], stress: 18 },
      { name: 'shrieks at', use: ANY, at: ANY, all: true, accuracy: 90, damage: [0, 0], stress: 7 },
    ],
  },
  captain: {
    title: 'Brine Captain', hp: 48, dodge: 8, speed: 5, protection: 10, steady: 50, threat: 5,
    blows: [
      { name: 'carves', use: [1, 2], at: [1, 2], accuracy: 88, damage: [6, 12], crit: 10 },
      { name: 'passes sentence on', use: ANY, at: ANY, accuracy: 92, damage: [2, 5], stress: 15 },
      { name: 'rakes', use: ANY, at: ANY, all: true, accuracy: 80, damage: [2, 5] },
    ],
  },
};

/** Creatures of the rooms, from rank 1 on: each room has one of its lists. @type {Record<string, string[][][]>} */
export const ROOMS = {
  oath: [
    [['husk', 'husk', 'harpooner'], ['husk', 'guard', 'mourner'], ['guard', 'husk', 'harpooner']],
    [['guard', 'wrecker', 'mourner'], ['wrecker', 'husk', 'harpooner', 'mourner'], ['husk', 'guard', 'harpooner', 'harpooner']],
    [['anchorite', 'wrecker', 'harpooner'], ['anchorite', 'husk', 'mourner', 'harpooner'], ['guard', 'guard', 'mourner', 'harpooner']],
    [['guard', 'anchorite', 'mourner', 'mourner'], ['wrecker', 'wrecker', 'harpooner', 'mourner'], ['anchorite', 'guard', 'harpooner', 'mourner']],
    [['guard', 'captain', 'mourner', 'harpooner'], ['anchorite', 'captain', 'harpooner', 'mourner']],
  ],
  hire: [
    [['husk', 'husk', 'raver'], ['husk', 'guard', 'mourner'], ['guard', 'husk', 'harpooner']],
    [['guard', 'wrecker', 'raver'], ['wrecker', 'husk', 'harpooner', 'mourner'], ['husk', 'guard', 'raver', 'harpooner']],
    [['anchorite', 'wrecker', 'harpooner'], ['anchorite', 'husk', 'raver', 'harpooner'], ['guard', 'guard', 'mourner', 'harpooner']],
    [['guard', 'anchorite', 'raver', 'mourner'], ['wrecker', 'wrecker', 'harpooner', 'raver'], ['anchorite', 'guard', 'harpooner', 'mourner']],
    [['guard', 'captain', 'raver', 'harpooner'], ['anchorite', 'captain', 'harpooner', 'raver']],
  ],
};
