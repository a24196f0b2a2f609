// @ts-check
/**
 * Thirty Tides, the talks: three people, eight topics each, and to every topic a plain, a curious and a playful answer.
 *
 * @typedef {[string, string, string, string]} Topic  What they say, then the answers in the order plain, curious, playful.
 */

/** What somebody says who likes this kind of answer. @type {Record<string, string>} */
export const LIKES = {
  plain: 'I like people who say what they think. Short, if they can.',
  curious: 'I like people who ask. Most only wait until they may talk again.',
  playful: 'I like people who make me laugh. The rest is weather.',
};

/** @type {Record<string, {name: string, first: string, good: string, fine: string, bad: string, done: string, topics: Topic[]}>} */
export const LINES = {
  tove: {
    name: 'Tove Rask',
    first: '“So you have the tea house for a month. I build boats, up to the point where they swim. Tove.”',
    good: '“Ha. Yes.” She puts the plane down, which she does not do for everybody.',
    fine: 'She nods, and planes on.',
    bad: '“Hm.” The plane gets louder.',
    done: 'You sit on the slip together, and watch the tide do the talking.',
    topics: [
      ['“This one leaks at the third plank. Everybody tells me she is fine.”', 'She leaks. Take the plank out.', 'How do you hear where it comes from?', 'Perhaps she is thirsty.'],
      ['“My father wants the yard to make garden chairs.”', 'Then he should make them himself.', 'What did you want to build when you were ten?', 'Chairs that float would settle it.'],
      ['“I named the last boat after nobody. People were offended.”', 'Nobody is a good name.', 'Who asked you to be on it?', 'Call the next one Somebody Else.'],
      ['“I am afraid of deep water. A boat builder! You may laugh.”', 'Most sensible people are.', 'Since when?', 'I run a tea house and burn water.'],
      ['“The regatta wants me as a judge.”', 'You would be strict. Do it.', 'What makes a boat win, really?', 'Give the prize to the gulls.'],
      ['“I broke my best chisel today. It was my mother’s.”', 'That is a loss. I am sorry.', 'What did she make with it?', 'Bury it at sea with a small salute.'],
      ['“Somebody offered me work in the city.”', 'I would rather you stayed.', 'What would you do there all day?', 'Do they have a city with a slip?'],
      ['“She swims on Sunday, the new one. I never sleep before that.”', 'She will swim. I have seen the seams.', 'What do you listen for, that first minute?', 'Then we stay up and insult the moon.'],
    ],
  },
  emil: {
    name: 'Emil Quist',
    first: '“A reader, or a lost person? We take both. I am Emil; I have the library, or it has me.”',
    good: 'He forgets to whisper, and blushes at himself.',
    fine: '“Quite,” he says, and stamps a date.',
    bad: 'He looks for something under the desk until you have finished.',
    done: 'You read at the same table. Now and then a page turns, which is plenty.',
    topics: [
      ['“Somebody returned this after forty years. With jam.”', 'Forty years is rude. The jam is worse.', 'On which page is the jam?', 'Fine them in toast.'],
      ['“They want to sell the third floor for a hotel.”', 'Do not let them.', 'What stands up there?', 'The ghosts will want breakfast included.'],
      ['“I have written a book. It is in that drawer. It may stay there.”', 'Take it out. It cannot breathe.', 'What is the first sentence?', 'I shall rob the drawer at midnight.'],
      ['“Nobody borrows poetry here. I put it under Cookery.”', 'Good. People are hungry.', 'Which poem would you serve first?', 'Stir gently, do not let it rhyme over.'],
      ['“My brother writes once a year. It is always about his car.”', 'Write to him that you miss him.', 'What did you two do as children?', 'Answer as a bicycle.'],
      ['“I am asked to speak at the school. I speak to nobody, as a rule.”', 'You speak to me. It will go well.', 'What did you need to hear at their age?', 'Throw a dictionary and run.'],
      ['“A storm is coming. The roof has opinions about storms.”', 'Then we carry the books down now.', 'Which ones would you save first?', 'We read until we float.'],
      ['“I read a page of it aloud last night. To the cat. It stayed.”', 'The cat is right. Print it.', 'Which page did you choose?', 'Cats only leave for bad endings.'],
    ],
  },
  ida: {
    name: 'Ida Moen',
    first: '“Stand still, they only want to smell you. There. Ida. These forty thousand are with me.”',
    good: 'She laughs so that the bees look up.',
    fine: '“Could be,” she says, and lifts a frame.',
    bad: 'A bee lands on your nose. It seems to have been sent.',
    done: 'You lie in the grass and listen to the humming. It has no plot, and you follow it easily.',
    topics: [
      ['“The old queen has left, with half of them. I was at the dentist.”', 'That hurts. You could not have known.', 'How do they decide who goes along?', 'Did she leave a note? In honey?'],
      ['“My grandmother told the bees everything. I only tell them lies.”', 'Tell them the truth. They can take it.', 'What did you tell them today?', 'Do they spread it?'],
      ['“The council wants my meadow for parking.”', 'Say no, loudly.', 'What flowers here that grows nowhere else?', 'Let them park. The bees will direct traffic.'],
      ['“I was stung on the eyelid before my own wedding. I took it as advice.”', 'You were right to.', 'What became of him?', 'The bee gave a speech, I hope.'],
      ['“I have not seen the sea in two years. It is ten minutes from here.”', 'Then come on Thursday.', 'What keeps you from going?', 'The sea says it has seen you.'],
      ['“They are swarming in the church tower. The priest wants smoke.”', 'No smoke. I hold the ladder.', 'What do they find in a bell?', 'At last somebody sings up there.'],
      ['“This year’s honey tastes of something that I cannot name.”', 'It tastes of smoke. I like it.', 'Where did they fly in May?', 'Of Tuesday. Clearly of Tuesday.'],
      ['“The young queen danced today. I cried like a tap.”', 'Of course you did.', 'What does the dance say?', 'You need a smaller tap.'],
    ],
  },
};

/** The things on the market, in words. @type {Record<string, [string, string, string]>} name, colour, what is said of it */
export const THINGS = {
  shell: ['shell', '#f2b8a8', 'A shell with a whole sea in it, for five coins.'],
  book: ['old book', '#7a5a8a', 'An atlas of places that have moved since.'],
  flower: ['flower', '#f0c94a', 'A marsh marigold in a pot. It has seen worse pots.'],
  bell: ['little bell', '#d9a520', 'A bell that belonged to a goat of standing.'],
  teapot: ['teapot', '#5fa8a0', 'A teapot with a dent, and a reason for it.'],
  yarn: ['ball of yarn', '#c8607a', 'Hand-spun, hand-dyed, and hand-tangled.'],
};
