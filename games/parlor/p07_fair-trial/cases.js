// @ts-check
/**
 * A Fair Trial, the two cases: who is who, the court record, and every line that is spoken.
 *
 * A line is `X: text`, where X is a letter of `PEOPLE`. A quiz is lines and questions; in a question the first option is right.
 * A cross-examination begins after its history. `opens`: pressing this statement brings in the hidden one that follows it.
 *
 * @typedef {{ask: string, options: string[], right: string, wrong: string}} Question
 * @typedef {{said: string, press: string[], hidden?: boolean, opens?: boolean}} Statement
 * @typedef {{history: string[], statements: Statement[], lie: number, proof: string}} Cross  lie: index of the statement that the proof refutes
 * @typedef {{title: string, accused: string, witness: string, people: string[][], record: string[][], history: string[], quiz: (string|Question)[],
 *   crosses: Cross[], verdict: string[]}} Case  people: letter, name and what is known; record: id, name and description
 */

/** Speakers of all cases, by letter. @type {Record<string, string>} */
export const PEOPLE = {
  J: 'Judge Harrowgate', Y: 'You', M: 'Morwenna Tull', P: 'Sterne Pike',
  T: 'Tilda Bracken', F: 'Gideon Flask', O: 'Odo Penhallow',
  C: 'Corin Vale', H: 'Horace Plum', B: 'Ottoline Brisk',
};

const PIN = ['pin', 'Counsel’s pin', 'Proves that you are counsel. Nobody has ever asked.'];
const COURT = [
  ['J', 'Judge, 75. Collects beetles.'],
  ['M', 'Senior counsel, 51. Your employer.'],
  ['P', 'Prosecutor, 39. Has never lost before lunch.'],
];

/** @type {Case} */
const LADLE = {
  title: 'The Ladle of Lower Wobbling',
  accused: 'T',
  witness: 'F',
  people: [
    ...COURT,
    ['T', 'The accused, 34. Cook, second in the soup contest.'],
    ['F', 'Witness, 46. Sells umbrellas at the fair.'],
    ['O', 'Chairman of the fair, 62. Owns the ladle.'],
  ],
  record: [
    PIN,
    ['ladle', 'Gilded ladle', 'First prize, 4 kg of iron under the gilding. Found on Saturday at eight in Tilda Bracken’s cart.'],
    ['programme', 'Fair programme', 'Saturday, six to seven: the brass band plays at the pavilion door, without a pause.'],
    ['key', 'Pavilion key', 'The only one. It hangs in the committee’s tent, where anybody can take it.'],
    ['plaster', 'Doctor’s note', 'Tilda Bracken’s right arm was in plaster, fingers to shoulder, from Thursday to Sunday.'],
    ['weather', 'Weather book', 'Church tower, Saturday: rain until three, then dry and clear until midnight.'],
    ['photo', 'Photograph', 'The pavilion at five: door shut, the ladle on its cushion behind the glass.'],
  ],
  history: ['J: Monday, nine in the morning. Is everybody awake? Then we begin.'],
  quiz: [
    'J: The court of Lower Wobbling is in session. Case number nine: the ladle.',
    'J: Is counsel for the defence ready? You look young. Stand up straight.',
    'Y: I am standing, my lord. Ready, my lord.',
    'M: Breathe. Read the court record when you are unsure. That is all my wisdom.',
    'P: The prosecution is ready, and has been since breakfast.',
    'J: First I shall see whether the defence knows what it is defending.',
    'J: Three questions. Whoever has read the court record need not fear them.',
    { ask: 'J: Who is the accused?', options: ['Tilda Bracken', 'Gideon Flask', 'Odo Penhallow'], right: 'J: Just so. The cook.', wrong: 'J: No! Miss Tilda Bracken, the cook, who is looking at you in horror.' },
    'M: Poor Tilda. Second in the soup contest, by a single vote.',
    'P: A motive! Nobody comes second without a grudge.',
    'J: I came second in the beetle show. Twice. Go on.',
    { ask: 'J: What was taken from the pavilion?', options: ['The gilded ladle', 'The cash box', 'The winning soup'], right: 'J: The first prize, yes.', wrong: 'J: No! The gilded ladle, the first prize.' },
    'P: It was taken at half past six on Saturday, while the whole fair was at the bandstand.',
    'O: It was my grandmother’s. She hit three bailiffs with it.',
    'J: The court thanks the chairman of the fair. Sit down, Mr Penhallow.',
    'M: One more. Think of where things were found, not of who shouts.',
    { ask: 'J: Where was the ladle found?', options: ['In the cook’s cart', 'Under the pavilion', 'At the umbrella stall'], right: 'J: In her cart, at eight. That looks bad.', wrong: 'J: No! In the cart of the accused, at eight.' },
    'P: One needs no more than that. But I have more: a witness.',
    'P: Mr Gideon Flask, seller of umbrellas, saw the theft with his own eyes.',
    'J: Then let us hear him.',
    'F: At your service. Umbrellas, parasols, half price after the trial.',
    'J: Testify, Mr Flask, and leave the parasols outside.',
  ],
  crosses: [
    {
      history: [
        'P: Mr Gideon Flask, seller of umbrellas, saw the theft with his own eyes.',
        'J: Testify, Mr Flask, and leave the parasols outside.',
        'F: My stall is straight across from the pavilion door. I see who goes in and who comes out.',
        'F: At half past six I turned my head towards that door.',
        'F: Out came Miss Bracken with the ladle, and off she went to her cart.',
        'J: Clear as soup. The defence may cross-examine.',
        'M: Go through it statement by statement. Press him where he is vague. When the record says otherwise, show it.',
      ],
      statements: [
        { said: 'My stall is straight across from the pavilion door. I see who goes in and who comes out.', press: ['Y: Is nothing in between?', 'F: Grass. And customers, when it rains.'] },
        {
          said: 'At half past six I turned my head towards that door.', opens: true,
          press: [
            'Y: Why then? You had a stall to mind.',
            'F: One turns one’s head. It is what the neck is for.',
            'P: The witness’s neck is not on trial!',
            'J: It is a fair question, Mr Pike. Why did you turn it, Mr Flask?',
            'F: If you must know: for a sound.',
            'Y: What sound? Please make it part of your testimony.',
          ],
        },
        { said: 'All was so still just then that I heard the key turn in the lock.', hidden: true, press: ['Y: Across the grass? One small key?', 'F: You could have heard a pin drop, counsel. Yours, for example.'] },
        { said: 'Out came Miss Bracken with the ladle, and off she went to her cart.', press: ['Y: You are sure that it was she?', 'F: There is only one hat like hers in the county. Thank heaven.'] },
      ],
      lie: 2,
      proof: 'programme',
    },
    {
      history: [
        'M: Still, Mr Flask? From six to seven the brass band played at that very door. Without a pause!',
        'F: The band. Well. One gets used to a band.',
        'J: I did not. Mr Flask, you will tell us again, and this time what happened.',
        'F: Well, the band! It was my eyes, then: with both hands she held the ladle up above her head, like a trophy.',
        'F: The gilding flashed in the evening sun. There is no other ladle like it.',
        'F: I would have called out, but a seller of umbrellas does not make a scene.',
        'M: He is improvising. Nobody improvises well about a cook’s arms.',
      ],
      statements: [
        { said: 'Well, the band! It was my eyes, then: with both hands she held the ladle up above her head, like a trophy.', press: ['Y: With both hands?', 'F: Left and right, the customary two.'] },
        { said: 'The gilding flashed in the evening sun. There is no other ladle like it.', press: ['Y: You know it well?', 'F: I have had it in my— I have had it in view every year.'] },
        { said: 'I would have called out, but a seller of umbrellas does not make a scene.', press: ['Y: You just let her go?', 'F: She had a ladle. I had a folding model with flowers.'] },
      ],
      lie: 0,
      proof: 'plaster',
    },
    {
      history: [
        'M: With both hands? Her right arm was in plaster from the fingers to the shoulder until Sunday.',
        'T: I could not even stir! Why else do you think I only came second?',
        'P: The witness… was mistaken about a hand. One hand is enough to steal.',
        'J: Mr Flask, my patience is in plaster too. A last time: what did you see?',
        'F: One hand, both hands: I saw her from the side, and from the side one sees half of everything.',
        'F: Besides, it poured so that I stood under my biggest umbrella, and its brim hid the rest.',
        'F: What I was doing with an umbrella is my trade, and nobody’s business.',
        'M: Now look at that umbrella of his.',
      ],
      statements: [
        { said: 'One hand, both hands: I saw her from the side, and from the side one sees half of everything.', press: ['Y: Which half?', 'F: The guilty one.'] },
        { said: 'Besides, it poured so that I stood under my biggest umbrella, and its brim hid the rest.', press: ['Y: How big is it?', 'F: Seven people fit under it. Or one, with luggage.'] },
        { said: 'What I was doing with an umbrella is my trade, and nobody’s business.', press: ['Y: Where is that umbrella now?', 'F: Sold. Lent. Eaten by a goat. I protest!'] },
      ],
      lie: 1,
      proof: 'weather',
    },
  ],
  verdict: [
    'Y: It was dry from three o’clock on. The only thing that your umbrella kept from being seen was the ladle in it.',
    'F: Four kilograms! Do you know what that does to a folding model? I had to leave it in the nearest cart!',
  ],
};

/** @type {Case} */
const TUBA = {
  title: 'The Tuba on the Ferry',
  accused: 'C',
  witness: 'H',
  people: [
    ...COURT,
    ['C', 'The accused, 22. Deckhand of the ferry Patience.'],
    ['H', 'Witness, 44. Confectioner, travels with a trunk.'],
    ['B', 'Bandmaster, 58. Owns the tuba, which is called Agatha.'],
  ],
  record: [
    PIN,
    ['log', 'Log of the ferry', 'Saturday: left Westbank at eight, moored at Eastbank at 8.41 p.m. and stayed for the night.'],
    ['slip', 'Repair slip', 'Stern lantern, smashed by a swan on Monday. New glass expected next month.'],
    ['scales', 'Luggage book', 'Mr Plum’s trunk: 19 kg when it came aboard, 31 kg when it was carried off.'],
    ['case', 'Tuba case', 'Stood empty on the stern after the crossing. The tuba weighs 12 kg.'],
    ['ticket', 'Mr Plum’s ticket', 'Westbank to Eastbank, second class, with one trunk.'],
    ['feather', 'Swan feather', 'Found on the stern. The swan declines to testify.'],
  ],
  history: ['J: Tuesday, nine in the morning. Whoever hums will be removed.'],
  quiz: [
    'J: The lake court is in session. Case number ten: the tuba.',
    'J: Is the defence aboard?',
    'Y: Aboard and ready, my lord.',
    'M: The record is your life-belt. Put it on before you jump.',
    'P: The prosecution has been ready since the last trial, which it would rather not discuss.',
    'J: Three questions first, as is my custom.',
    'J: Whoever sleeps in court can still read the court record.',
    { ask: 'J: Who is the accused?', options: ['Corin Vale', 'Horace Plum', 'Ottoline Brisk'], right: 'J: The deckhand, yes.', wrong: 'J: No! Corin Vale, the deckhand. He is the one in chains.' },
    'C: I only mop, my lord. I have never touched a tuba in anger.',
    'P: Every deckhand hates a tuba. It is heavier than it sounds.',
    'B: Her name is Agatha, and she sounds like the dawn!',
    { ask: 'J: What was in the case on the stern?', options: ['A tuba', 'A swan', 'Nineteen kilograms of fudge'], right: 'J: A tuba it was. Now it is air.', wrong: 'J: No! A tuba. Now it is air.' },
    'P: Thrown into the lake, my lord, in the dark, between the two banks.',
    'J: Was the lake searched?',
    'P: It is a large lake, my lord, and it was a long weekend.',
    'M: The last question is about time. It always is.',
    { ask: 'J: When did the ferry leave Westbank?', options: ['At eight', 'At nine', 'At 8.41 p.m.'], right: 'J: At eight. Even the swan was punctual.', wrong: 'J: No! At eight, says the log.' },
    'P: I call a passenger of the highest standing.',
    'P: Mr Horace Plum, confectioner to two mayors.',
    'J: Did he see it?',
    'H: I see everything, my lord. It comes of weighing sugar.',
    'J: Then weigh your words as well, and testify.',
  ],
  crosses: [
    {
      history: [
        'P: Mr Horace Plum, confectioner to two mayors.',
        'J: Weigh your words, and testify.',
        'H: I took the air on deck, as a gentleman does after supper.',
        'H: There I saw the deckhand lift that tuba over the rail.',
        'H: It sank with a long, low note. I have not slept well since.',
        'J: Terrible. The defence may cross-examine.',
        'M: He says where. He says what. He does not say when. Press him there.',
      ],
      statements: [
        { said: 'I took the air on deck, as a gentleman does after supper.', press: ['Y: What was there for supper?', 'H: Fudge. I do not discuss my work at table.'] },
        {
          said: 'There I saw the deckhand lift that tuba over the rail.', opens: true,
          press: [
            'Y: And when was that?',
            'H: In the evening. The sun was down.',
            'P: It was dark, my lord; what more does one want?',
            'J: A number, Mr Pike. I like numbers with my evenings.',
            'H: Then I can oblige. I carry a watch.',
            'Y: Good. Please make it part of your testimony.',
          ],
        },
        { said: 'It struck nine as he did it, and we were right in the middle of the lake.', hidden: true, press: ['Y: Nine, and not earlier?', 'H: My watch is set by the cathedral, and I by my watch.'] },
        { said: 'It sank with a long, low note. I have not slept well since.', press: ['Y: Tubas play as they sink?', 'H: The great ones do.'] },
      ],
      lie: 2,
      proof: 'log',
    },
    {
      history: [
        'M: At nine the ferry had been moored at Eastbank for nineteen minutes. There was no lake to be in the middle of!',
        'H: My watch may have been fast. It is a nervous watch.',
        'J: You will testify again, without the watch.',
        'H: Half past eight, then. And I knew him: the stern lantern shone full upon his face.',
        'H: He looked to the left, he looked to the right, and he smiled.',
        'H: I went below at once, to calm myself with a caramel.',
        'M: So much light in so few words.',
      ],
      statements: [
        { said: 'Half past eight, then. And I knew him: the stern lantern shone full upon his face.', press: ['Y: You saw it by the lantern?', 'H: As bright as a shop window.'] },
        { said: 'He looked to the left, he looked to the right, and he smiled.', press: ['Y: But not behind him, where you stood?', 'H: I was half a barrel to him. I have the figure for it.'] },
        { said: 'I went below at once, to calm myself with a caramel.', press: ['Y: You told nobody?', 'H: One does not speak with a caramel.'] },
      ],
      lie: 0,
      proof: 'slip',
    },
    {
      history: [
        'M: The stern lantern has been dark since Monday, when a swan smashed it. Nothing shone on anybody.',
        'C: I wrote the slip myself. It was a very angry swan.',
        'P: It is no crime to be mistaken about a lamp!',
        'J: It is becoming a habit. Once more, Mr Plum, and briefly.',
        'H: It was the moon, then, or a feeling. What does it matter who held the thing?',
        'H: I touched nothing. My trunk left the ferry just as it came aboard.',
        'H: And now I should like to return to my sugar.',
        'M: Who asked him about a trunk?',
      ],
      statements: [
        { said: 'It was the moon, then, or a feeling. What does it matter who held the thing?', press: ['Y: It matters to the one in chains.', 'H: They hardly show.'] },
        { said: 'I touched nothing. My trunk left the ferry just as it came aboard.', press: ['Y: Why do you mention your trunk?', 'H: It is a beautiful trunk. One mentions it.'] },
        { said: 'And now I should like to return to my sugar.', press: ['Y: In such a hurry?', 'H: Caramel waits for no man.'] },
      ],
      lie: 1,
      proof: 'scales',
    },
  ],
  verdict: [
    'Y: It came aboard with 19 kg and left with 31. Twelve more: exactly one Agatha!',
    'H: She would have made the finest jelly mould in the world. I regret nothing but the stairs.',
  ],
};

/** @type {Record<string, Case>} */
export const CASES = { fair: LADLE, ferry: TUBA };
