// @ts-check
/**
 * The enemies of The Long Stair. An enemy repeats its moves in their order, from a drawn one on; what it does next is shown.
 *
 * @typedef {'hit'|'block'|'might'|'dim'|'mark'|'spikes'|'heal'} Does  `dim` and `mark` are done to you, the rest to itself
 * @typedef {[Does, number, number?][]} Move
 * @typedef {{name: string, hp: [number, number], moves: Move[], look: [string, number]}} Kind  `look`: colour, size
 */

/** @type {Record<string, Kind>} */
export const KINDS = {
  moth: { name: 'Dust Moth', hp: [12, 15], moves: [[['hit', 4]], [['hit', 4], ['dim', 1]], [['hit', 6]]], look: ['#b9a9d6', 46] },
  rat: { name: 'Stair Rat', hp: [16, 19], moves: [[['hit', 6]], [['hit', 3, 2]], [['might', 2], ['block', 4]]], look: ['#8d7a6b', 50] },
  snuffer: { name: 'Snuffer', hp: [36, 41], moves: [[['hit', 6], ['dim', 2]], [['hit', 9]], [['hit', 6], ['block', 7]]], look: ['#5b6b8a', 70] },
  gnawer: { name: 'Gnawer', hp: [39, 44], moves: [[['hit', 8]], [['might', 3], ['block', 6]], [['hit', 4, 2]]], look: ['#a3703f', 74] },
  sludge: { name: 'Creeping Damp', hp: [44, 49], moves: [[['hit', 8], ['mark', 2]], [['hit', 9]], [['block', 10], ['hit', 4]]], look: ['#5f8f7a', 80] },
  warden: { name: 'Bell Warden', hp: [75, 80], moves: [[['might', 2], ['block', 9]], [['hit', 11]], [['hit', 5, 2]], [['hit', 8], ['mark', 2]]], look: ['#c08f2e', 92] },
  keeper1: { name: 'Keeper of the Cellar', hp: [135, 135], moves: [[['hit', 10], ['mark', 2]], [['hit', 5, 3]], [['block', 14], ['might', 2]], [['hit', 18]]], look: ['#7d4b8f', 120] },
  bat: { name: 'Loft Bat', hp: [23, 26], moves: [[['hit', 8], ['heal', 3]], [['hit', 4, 2]], [['hit', 7], ['mark', 1]]], look: ['#6b5a7d', 52] },
  scribe: { name: 'Ink Scribe', hp: [47, 52], moves: [[['hit', 8], ['dim', 2]], [['might', 3], ['block', 10]], [['hit', 12]]], look: ['#3f5a8f', 72] },
  clock: { name: 'Wound Clock', hp: [61, 66], moves: [[['block', 14]], [['hit', 7, 2]], [['hit', 18]]], look: ['#b5803f', 82] },
  vine: { name: 'Grasping Vine', hp: [58, 62], moves: [[['hit', 9], ['mark', 2]], [['spikes', 2], ['block', 8]], [['hit', 5, 3]]], look: ['#4f8a3f', 84] },
  twin: { name: 'Cold Twin', hp: [50, 53], moves: [[['hit', 10]], [['hit', 6], ['dim', 2]], [['might', 2], ['block', 8]]], look: ['#7fb0c9', 72] },
  keeper2: { name: 'Keeper of the Gallery', hp: [194, 194], moves: [[['hit', 8, 2]], [['block', 20], ['might', 3]], [['hit', 12], ['dim', 2], ['mark', 2]], [['hit', 22]]], look: ['#a83f4f', 128] },
  raven: { name: 'Roof Raven', hp: [35, 40], moves: [[['hit', 10]], [['hit', 4, 3]], [['hit', 8], ['mark', 2]]], look: ['#39404d', 58] },
  golem: { name: 'Slate Golem', hp: [90, 96], moves: [[['hit', 16]], [['block', 20], ['might', 3]], [['hit', 8, 2]]], look: ['#8a93a0', 96] },
  storm: { name: 'Bottled Storm', hp: [74, 81], moves: [[['hit', 4, 4]], [['hit', 12], ['dim', 2]], [['might', 4], ['block', 12]]], look: ['#5f7fd0', 84] },
  moon: { name: 'Moon Eater', hp: [83, 86], moves: [[['hit', 11], ['heal', 8]], [['hit', 20]], [['hit', 10], ['mark', 2], ['dim', 2]]], look: ['#c9c3e8', 88] },
  captain: { name: 'Iron Captain', hp: [128, 134], moves: [[['hit', 10, 2]], [['might', 3], ['block', 18]], [['hit', 21]], [['hit', 11], ['mark', 2]]], look: ['#70757d', 104] },
  keeper3: { name: 'Keeper of the Light', hp: [290, 290], moves: [[['hit', 18]], [['hit', 6, 4]], [['block', 24], ['might', 4]], [['hit', 15], ['mark', 2], ['dim', 2]], [['hit', 28]]], look: ['#e8c04a', 136] },
};

/** Groups of enemies by act: of common battles, hard ones, and the keeper at the end. @type {{common: string[][], hard: string[][], boss: string[][]}[]} */
export const ACTS = [
  { common: [['snuffer'], ['gnawer'], ['sludge'], ['moth', 'moth', 'moth'], ['rat', 'rat'], ['rat', 'moth', 'moth']], hard: [['warden'], ['snuffer', 'snuffer']], boss: [['keeper1']] },
  { common: [['bat', 'bat', 'bat'], ['scribe', 'bat'], ['clock'], ['vine'], ['twin', 'bat'], ['scribe', 'rat', 'rat']], hard: [['twin', 'twin'], ['clock', 'vine']], boss: [['keeper2']] },
  { common: [['raven', 'raven', 'raven'], ['golem'], ['storm', 'raven'], ['moon'], ['storm', 'bat'], ['twin', 'scribe']], hard: [['captain'], ['moon', 'storm']], boss: [['keeper3']] },
];

/** What happens on the floors of an act between its first battles and its keeper, in a drawn order. */
export const BETWEEN = ['battle', 'battle', 'battle', 'battle', 'battle', 'hard', 'item', 'item', 'rest', 'rest', 'forge', 'forge', 'quiet'];
export const FLOORS = 50;
