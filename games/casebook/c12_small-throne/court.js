// @ts-check
/**
 * Who comes before the throne, what they ask, and what comes of yes and no. Everybody keeps to their nature: who has cheated
 * once will cheat again, under another hat too, and who has kept a promise keeps the next.
 *
 * @typedef {{gold?: number, people?: number, joy?: number, later?: Effect, text?: string}} Effect  `later`: three petitions on.
 * @typedef {{who: string, asks: string, yes: Effect, no?: Effect}} Petition
 */

/** @type {Record<string, {name: string, face: import('../adventure/people.js').Face}>} */
export const PEOPLE = {
  miller: { name: 'Gusta the miller', face: { skin: '#ecc6a2', hair: '#8a5a2e', style: 'bun', coat: '#d8c9a0', extra: 'apron', mood: 'smile' } },
  vex: { name: 'Lord Vex', face: { skin: '#e3bd9a', hair: '#1f1a20', style: 'hat', topper: '#5a2f7a', coat: '#6b3f8a', beard: 'moustache', mood: 'smile' } },
  monk: { name: 'Brother Sincere', face: { skin: '#e3bd9a', hair: '#1f1a20', style: 'hood', topper: '#6b5238', coat: '#7a5f42', beard: 'moustache', mood: 'smile' } },
  bard: { name: 'Pip the bard', face: { skin: '#c98e66', hair: '#b5421f', style: 'cap', topper: '#3a8a5a', coat: '#3f9a68', mood: 'smile', extra: 'scarf' } },
  healer: { name: 'Mother Yarrow', face: { skin: '#8f5f42', hair: '#d8d4cc', style: 'long', coat: '#5f8a72', mood: 'plain' } },
  taxman: { name: 'Sir Nettle, taxes', face: { skin: '#f0d2b4', hair: '#5a5a60', style: 'bald', coat: '#3a3f4a', glasses: true, mood: 'frown', extra: 'tie' } },
  refugee: { name: 'Families from the marsh', face: { skin: '#dcb493', hair: '#3a2f2a', style: 'long', coat: '#8a7a6a', mood: 'frown', extra: 'scarf' } },
  builder: { name: 'Odo the builder', face: { skin: '#d9a47c', hair: '#6b4a2a', style: 'cap', topper: '#c9952f', coat: '#a5652f', beard: 'full', mood: 'plain' } },
  cook: { name: 'Cook Barberry', face: { skin: '#f2c9b0', hair: '#c97a4a', style: 'curls', coat: '#f2eee4', extra: 'apron', mood: 'smile' } },
  general: { name: 'General Thud', face: { skin: '#e0a98a', hair: '#9a9aa0', style: 'short', coat: '#8a2f2f', beard: 'moustache', mood: 'frown' } },
  merchant: { name: 'Signora Vela', face: { skin: '#b57f5a', hair: '#241a18', style: 'bun', coat: '#2f6a8a', mood: 'plain', extra: 'pearls' } },
  witch: { name: 'The Witch of Thursday', face: { skin: '#c9d2b0', hair: '#3a2f4a', style: 'long', coat: '#2f2a3f', mood: 'smile' } },
  child: { name: 'A very small girl', face: { skin: '#f0cda8', hair: '#e0b84c', style: 'curls', coat: '#e0808a', mood: 'smile' } },
  teacher: { name: 'Magister Slate', face: { skin: '#c9a07a', hair: '#4a4a52', style: 'short', coat: '#4a5a70', glasses: true, mood: 'plain' } },
};

/** @param {string} who @param {Effect} yes @param {Effect | undefined} no @param {...string} asks @returns {Petition[]} */
const all = (who, yes, no, ...asks) => asks.map((text) => ({ who, asks: text, yes, no }));

/** @type {Petition[]} */
export const PETITIONS = [
  ...all('miller', { gold: -30, later: { gold: 45, people: 12, text: 'Gusta pays back with interest, in coins and loaves.' } }, undefined,
    'My millstone is cracked, Majesty. Lend me 30 gold, and you shall have it back with bread on top.',
    'The mill wants a second wheel. 30 gold, and I keep my word as I keep my flour: dry.',
    'Mice in the sails, Majesty. It is not a joke. 30 gold, please, and it comes back.'),
  ...all('vex', { gold: -40, joy: -6, text: 'Lord Vex is gone, and so is the gold. The people laugh, but not happily.' }, undefined,
    'Invest 40 gold in my silver mine, Majesty! It lies just behind that hill. Or the next.',
    'A bridge to the moon! I need 40 gold for the first plank only. You will be remembered for it.',
    'Forty gold, and I sell you the north wind. Bottled. Fresh.'),
  ...all('monk', { gold: -40, joy: -6, text: 'Under the hood was a moustache that you had seen before. The gold is gone.' }, undefined,
    'A humble brother asks 40 gold for the poor of a country so far away that nobody can check.',
    'Bless you, bless you. 40 gold for a chapel without walls. It saves on walls.',
    'The saints told me in a dream: 40 gold. They were quite exact.'),
  ...all('bard', { gold: -10, joy: 8 }, { joy: -2 },
    'A song about you, Majesty? Ten gold. Fifteen verses. You come off well in most of them.',
    'The square is quiet, and quiet squares grumble. Ten gold, and I play until midnight.',
    'Ten gold for strings, Majesty, or I play on two, and you know what that sounds like.'),
  ...all('healer', { gold: -25, people: 22, joy: 3 }, { people: -14, text: 'The cough goes from house to house.' },
    'There is a cough in the lower town. 25 gold for herbs, and it stays a cough.',
    'The wells are green, and green is for meadows. 25 gold, and I clean them.',
    'Winter comes with its fevers. 25 gold now is cheap.'),
  ...all('taxman', { gold: 35, joy: -12 }, undefined,
    'A small tax on windows, Majesty. They have been looking out for free.',
    'I have counted the chimneys. Shall I count them with a bag in my hand?',
    'There is no tax on sneezing yet. Just say the word.'),
  ...all('refugee', { gold: -12, people: 34, joy: -1 }, { joy: -5 },
    'The river took our village. We can work. May we stay?',
    'Thirty-four of us, one cow. The cow works as well. Is there room?',
    'They say that your gate is open. Is it?'),
  ...all('builder', { gold: -35, people: 10, later: { people: 26, text: 'Odo’s houses are ready, and somebody has moved in everywhere.' } }, undefined,
    'Give me 35 gold and three petitions’ time, Majesty, and a street stands where the mud is.',
    'Houses, Majesty. People like to be in them. 35 gold.',
    'The roofs are getting old on us. 35 gold, and new families will come for the roofs alone.'),
  ...all('cook', { gold: -28, joy: 15 }, { joy: -1 },
    'A feast for the whole town, Majesty! 28 gold, and nobody is cross until Sunday.',
    'The cherries are ripe, all of them, today. 28 gold for sugar, quickly.',
    'Soup for everybody! 28 gold. It is a very large soup.'),
  ...all('general', { people: -45, joy: -14, gold: 55, text: 'A victory. The streets are emptier than before.' }, undefined,
    'A war, Majesty! A short one. They have gold on the other side.',
    'My soldiers rust. Let me march them out, and I march back with treasure.',
    'Their king said that your throne is small. 55 gold in plunder. Say yes.'),
  ...all('merchant', { gold: -20, later: { gold: 42, joy: 2, text: 'Signora Vela’s ship is back, low in the water.' } }, undefined,
    'My ship sails tonight. 20 gold in pepper, and you will see it doubled.',
    'Silk this time, Majesty. 20 gold. The sea and I have an understanding.',
    'Lemons. 20 gold. Trust me: nobody here has lemons.'),
  ...all('witch', { gold: 30, later: { people: -30, joy: -10, text: 'Thursday comes, and the witch takes what was promised.' } }, undefined,
    'Thirty gold for you, dear, now. I only take a little something on Thursday.',
    'Gold, gold, gold. Here, have 30. We shall talk about the price another time.',
    'Sign here. No, you need not read it. Thirty gold!'),
  ...all('child', { joy: 7, gold: -2 }, { joy: -9, text: 'She cries, and she is loud for her size.' },
    'My kitten is on your roof. Can you make somebody get it?',
    'Can the lions at the gate have hats? It is cold.',
    'May I be queen for one minute? I will be careful.'),
  ...all('teacher', { gold: -24, joy: 4, later: { gold: 18, people: 16, joy: 4, text: 'The pupils can count now. Trade has never been so honest.' } }, undefined,
    'A school, Majesty. 24 gold. They will thank you later, and they will spell it.',
    'Books, Majesty, 24 gold. We have one, and it is about turnips.',
    'The blackboard has fallen on the only globe. 24 gold, before they think the world is flat.'),
];
