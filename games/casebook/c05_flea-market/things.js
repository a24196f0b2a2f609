// @ts-check
/** The stock of the stall: forty-odd things with a riddle each, the places where they stand, and colours that hide them. */

/** @type {Record<string, {name: string, riddle: string}>} */
export const THINGS = {
  key: { name: 'key', riddle: 'it has teeth, eats nothing' },
  letter: { name: 'sealed letter', riddle: 'it speaks once, when opened' },
  photo: { name: 'photograph', riddle: 'a face that never ages' },
  coin: { name: 'coin', riddle: 'it has a head and no hat' },
  bottle: { name: 'bottle', riddle: 'a neck, but no head' },
  knife: { name: 'knife', riddle: 'the sharpest at the table' },
  rope: { name: 'coil of rope', riddle: 'it is long, and ties you down' },
  lamp: { name: 'lantern', riddle: 'it carries a sunset in a cage' },
  candle: { name: 'candle', riddle: 'the longer it lives, the shorter' },
  gear: { name: 'gear wheel', riddle: 'teeth all around, no mouth' },
  book: { name: 'book', riddle: 'leaves, but no tree' },
  ring: { name: 'ring', riddle: 'a hole with gold around it' },
  feather: { name: 'feather', riddle: 'it flew, and later it wrote' },
  magnet: { name: 'magnet', riddle: 'iron finds it charming' },
  hammer: { name: 'hammer', riddle: 'it hits the nail on the head' },
  cup: { name: 'cup', riddle: 'one ear and no eyes' },
  flower: { name: 'flower', riddle: 'it sleeps in a bed of earth' },
  apple: { name: 'apple', riddle: 'one a day, says the doctor' },
  watch: { name: 'pocket watch', riddle: 'two hands, no fingers' },
  scissors: { name: 'scissors', riddle: 'two friends who part cloth' },
  umbrella: { name: 'umbrella', riddle: 'it goes up when rain comes down' },
  hat: { name: 'top hat', riddle: 'a home for rabbits and heads' },
  shoe: { name: 'shoe', riddle: 'it has a tongue and keeps silent' },
  fish: { name: 'fish', riddle: 'it has scales, and weighs nothing' },
  bell: { name: 'bell', riddle: 'it calls with its tongue' },
  horn: { name: 'horn', riddle: 'brass with good lungs' },
  violin: { name: 'violin', riddle: 'it has a waist and four strings' },
  dice: { name: 'die', riddle: 'twenty-one eyes' },
  crown: { name: 'crown', riddle: 'heavy is the head under it' },
  anchor: { name: 'anchor', riddle: 'thrown when it is needed' },
  shell: { name: 'shell', riddle: 'the sea is still in it' },
  spoon: { name: 'spoon', riddle: 'it stirs, and is never upset' },
  comb: { name: 'comb', riddle: 'teeth that never bite' },
  globe: { name: 'globe', riddle: 'the whole world on one foot' },
  yarn: { name: 'ball of yarn', riddle: 'a jumper before it is one' },
  star: { name: 'star', riddle: 'five points, lost from the sky' },
  gem: { name: 'gem', riddle: 'a stone that is dear' },
  mask: { name: 'mask', riddle: 'another face for the ball' },
  teapot: { name: 'teapot', riddle: 'short and stout' },
  lens: { name: 'magnifying glass', riddle: 'it makes much of little' },
  duck: { name: 'duck', riddle: 'its bill is never paid' },
  pear: { name: 'pear', riddle: 'alone, and still a pair' },
  mouse: { name: 'mouse', riddle: 'the cat’s idea of a present' },
  pipe: { name: 'pipe', riddle: 'it smokes, but the chimney is small' },
  crank: { name: 'crank', riddle: 'turn it and something turns' },
};

/** Middles of the places: on the line above, on three shelves, on the table and on the ground before it. */
export const PLACES = [
  ...[70, 190, 310, 430, 550, 670, 790, 910].map((x) => [x, 74]),
  ...[100, 220, 340, 460, 580, 700, 820, 930].map((x) => [x, 172]),
  ...[64, 184, 304, 424, 544, 664, 784, 904].map((x) => [x, 270]),
  ...[90, 215, 335, 455, 575, 695, 815, 925].map((x) => [x, 368]),
  ...[60, 180, 300, 420, 540, 660, 780, 900].map((x) => [x, 470]),
].map(([x, y]) => [Math.round(x * 0.88) + 4, y]);

export const COLORS = ['#a9743f', '#8f5b4a', '#7a7f5c', '#b08a4e', '#6d7f86', '#9c5d63', '#c09a5b', '#77648a', '#5f8a72', '#b5714a'];
