// @ts-check
/** The Halcyon: tables, racks and shelves; nothing in them is needed, and some of it nods in the right direction. */

import { small } from '../adventure/adventure-closeups.js';

/** @type {Record<string, Parameters<import('../adventure/adventure-closeups.js').closeUp>[0]>} */
export const SMALL = {
  in_tea: {
    name: 'Tea table', back: 'saloon', wood: '#c98f5a', cloth: '#3f8a86',
    things: [
      small('teapot', 'teapot', 'teapot', '#f2ede0', 'Still warm. They left in the middle of a cup, and of a sentence.'),
      small('cup', 'cup', 'cup', '#f2b8a0', 'It slides to the left, and then to the right. So do you.'),
      small('spoon', 'spoon', 'spoon', '#c8cdd6', 'Engraved: “Stolen from the Halcyon”. They thought ahead.'),
      small('pear', 'pear', 'pear', '#b8c04a', 'It is in season, at this height.'),
      small('card', 'menu', 'note', '#fdf8ec', '“Clouds (fresh). Clouds (with cream). Ask for our rain.”'),
    ],
  },
  in_rack: {
    name: 'Magazine rack', back: 'saloon', wood: '#b97f4a', cloth: '#a8564a',
    things: [
      small('weekly', 'Balloon Weekly', 'book', '#3f8ab0', '“Going home is going out, backwards: the last leg first, and each the other way.”'),
      small('flagbook', 'Flags', 'book', '#c8503c', '“A hoist is read from the top, unless the arrow says otherwise.” Somebody has added: “It does.”'),
      small('porter', 'The Porter', 'book', '#5a7a4a', 'A monthly for porters. This month: “Light first, or heavy first? Ask the bars.”'),
      small('ticket', 'ticket', 'ticket', '#f0d8a0', 'First class, window seat, round trip. You have the feeling that yours is only round.'),
      small('photo', 'photograph', 'photo', '#6aa8c8', 'The crew, eleven people, all waving. It was taken from the ground, you notice now.'),
    ],
  },
  in_sofa: {
    name: 'Between the cushions', back: 'saloon', wood: '#a8402c', cloth: '#f2785a',
    things: [
      small('coin', 'coin', 'coin', '#e0b84c', 'From a country that you have just flown over.'),
      small('feather', 'feather', 'feather', '#fdf8ec', 'From the inside of the sofa, or from a very quiet passenger.'),
      small('comb', 'comb', 'comb', '#8a5a34', 'Whoever lost it was going somewhere windy.'),
      small('die', 'die', 'dice', '#fdf8ec', 'It shows a three. In this weather it may be a five by dinner.'),
      small('earring', 'ring', 'ring', '#e0b84c', 'Somebody said yes on this sofa, and then went to look at the view.'),
    ],
  },
  in_coat: {
    name: 'Pockets of the captain’s coat', back: 'bridge', wood: '#2a4a6a', cloth: '#1c3450',
    things: [
      small('pipe', 'pipe', 'pipe', '#8a5a34', 'Never lit. Under forty tons of gas one only holds it.'),
      small('letter', 'letter', 'letter', '#fdf8ec', '“Darling, I get off for five minutes at Lower Wick to post this.” He did get off.'),
      small('apple', 'apple', 'apple', '#c8403c', 'One bite is missing. It was a short watch.'),
      small('shell', 'shell', 'shell', '#f2c8b0', 'You hold it to your ear, and hear wind. Of course you do.'),
    ],
  },
  in_basket: {
    name: 'Stoker’s basket', back: 'engine', wood: '#8a6a3c', cloth: '#4a3a2c',
    things: [
      small('bottle', 'cold tea', 'bottle', '#a8703c', 'Cold once. It stands too near to Edith.'),
      small('fish', 'herring', 'fish', '#7a9aa8', 'Smoked, by accident.'),
      small('gloves', 'left shoe', 'shoe', '#5a4030', 'The stoker has left in one shoe. It must have been sudden.'),
      small('poem', 'poem', 'note', '#fdf8ec', '“Oh Edith, when thy pressure climbs” … the rest has been oiled over, by one of them.'),
    ],
  },
  in_console: {
    name: 'Console', back: 'bridge', wood: '#8a5a34', cloth: '#20485c',
    things: [
      small('whistle', 'horn', 'horn', '#e0a84c', 'You toot. A goose answers, and overtakes.'),
      small('watch', 'watch', 'watch', '#e0a84c', 'The captain’s. It goes by the sun, which up here is early.'),
      small('globe', 'globe', 'globe', '#c98f4a', 'Somebody has marked “us” on it, in seven places.'),
      small('log', 'log', 'book', '#a8403c', '“Height, wind and steam, in that order,” it says on page one; and on every other page the order is another one.'),
      small('lens', 'lens', 'lens', '#e0a84c', 'For small islands, and for the small print of the weather.'),
    ],
  },
  in_tools: {
    name: 'Tool shelf', back: 'engine', wood: '#5a4a44', cloth: '#243a40',
    things: [
      small('hammer', 'hammer', 'hammer', '#a8703c', 'Labelled “percussive maintenance”. It is the most used thing on board.'),
      small('oil', 'oil can', 'oil', '#c98f4a', 'One drop for the engine, one for the stoker’s elbow.'),
      small('gear', 'gear wheel', 'gear', '#b8a07a', 'It fits nowhere. It has been everywhere.'),
      small('magnet', 'magnet', 'magnet', '#c8403c', 'It points at the engine with its whole heart.'),
      small('duck', 'rubber duck', 'duck', '#f0c040', 'The ship’s lifeboat, according to its papers.'),
    ],
  },
};
