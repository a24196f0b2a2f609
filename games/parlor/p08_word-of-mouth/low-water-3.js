// @ts-check
/**
 * The archive of the drowned village of Ollerby, part 3 of 3. In the drought of 1976 a body is found in the bed of a reservoir.
 *
 * Each recording has a line `@ date | time | who is seen | figure, hair, cloth, headgear`, followed by its clips in order.
 */

export const LOW_WATER_3 = `
@ 21 September 1976 | 09:15 | a nursing sister in a navy cape | woman #b06a3a #26365c nurse

Sister Quigley, men's medical. I've twelve minutes, so you'll get it neat. I nursed Wilfred Calder through his last
nine days, in November nineteen seventy-one, the third bed from the sluice. Lungs and liver. He was a lovely patient.
He apologised to the thermometer.

He'd no visitors but the sister, and she sat like a tombstone, holding his foot through the blanket. It was always the
foot. I asked her why. She told me that when they were small, they'd shared a bed, heads and tails, and that was how
they said good night.

He talked in the small hours, they do. I have heard everything, bigamy, a hatchet. His was all about a car. He would
have me turn the headlamps off. I'd click the bedside switch and he would say, 'No, he'll see us, leave it dark,' and
hold on to my apron.

Once he took me for a priest, it's the cape. He said, 'Bless me, I drove him to his death and I drove the other one to
his life, and I was paid for both.' I said ten Hail Marys and a sup of barley water, and God forgive me, he slept.

He wrote it down with my own pencil, on the back of diet sheets. Four nights. He made me find an envelope, and then he
wouldn't lick it, for fear she would taste that he'd been sick. I never read it. I read his face while he did it,
which was plenty.

On the wireless that last week was some banquet, speeches, a new aqueduct. He went rigid. He pointed at the set like a
child at a wasp. I thought it was the morphia. Who was speaking? I couldn't tell you, they're all one, those voices.
Somebody in water.

@ 24 September 1976 | 10:30 | a green coat, and a hat with a feather | woman #8d8577 #3f7a55 feather

I have not slept, but I've turned out the loft. That is the suitcase Wilfred came home with. When he was dying he
asked me to burn it and I said yes, and I put it behind the tank. You break your promises to the dead, I find, more
easily.

Look in the lining. That's a soldier's paybook, and it is not my brother's. Private Gough. Wilfred never went to
Rangoon, he walked off a troopship at Durban and came home by way of I don't know where, on a dead boy's papers. He
was a deserter. They still shot them, he believed.

Mr Pask knew. It was his business to read papers. He'd known inside a week, and that was the kindness, that was the
Humber. From then on Wilfred carried what he was given to carry, and put his name in the red book where he was told:
Wilfred Calder, witness, forty-one times.

Read this. It's in pencil, it's his writing at the end, all downhill. 'Nora, Dad came in and Pask was stood over him
with the sledge bar. He said, it is the Italian or it is your son. He said the both of them can hang or neither. Dad
put down the lamp.'

'I was outside in the car. I was always outside in the car. Pask made me take off his own coat and get it on the lad,
and the watch. He laughed, he said, now I am dead and it's a great saving. We drove to the railhead with no lights.'

'I never told you because Dad made me swear on Mother. He cried, Nora, I never saw it before nor after. He said a
prayer in there in Latin that he'd learned from him.' That is all. Then it's just my name, a good many times, like
somebody trying a pen.

So the three of us sat round one table for years with that under it, each saving the other two. I thought that I
protected Father. He was protecting Wilfred. And Wilfred drank. If any one of us had been a worse liar, we might have
been a family.

In the May they sent me to my Aunt Dorcas at Whitby, for my lungs. There was nothing amiss with my lungs. I gutted
herring until I could not get near the bench, and looked at the boats, and every one that was foreign I thought, well,
perhaps.

Tess was born on Remembrance Sunday, during the silence. I am not joking. All of Whitby stopped, the maroon went up
for the two minutes, and I had my teeth in a towel. When the second gun was fired she yelled. The midwife said, 'This
one is no respecter.'

I came back with my aunt's late baby, poor thing, that she was too old to rear. Nobody in Pickstone was deceived and
they were all very civil. It was a new town for us by then, streets of us, Ollerby folk in council houses, not knowing
how to sleep with no beck.

They had shut the valves in October, the day after the last furniture van. The Lord Mayor pulled a lever. It didn't
come with a rush, as you might fancy, it rose like damp. The hens' run, then the trough, then the school step. I was
told. I was in Whitby, counting weeks.

The tower they left, for a landmark, until the divers complained, and then they blew the top off it with gelignite in
fifty-one. Bits of the weathercock came down in Haigh's old tarn. Matteo would have been interested. He'd have told
them where to put the charge.

The postcards? There were four. The first was June of forty-seven, a harbour with a steamship. Halifax, Nova Scotia.
'Fair prospects here and no snow to mention. Regards to all.' Violet ink. I thought somebody had forged it, to help
us. I actually blessed them.

I'll tell you how I knew the ink was right and I still didn't see. When a thing is too big you can't see it, you are
stood inside it. A dead man was sending me his regards from Canada, in his own copperplate, and I thought, what a good
copy.

The last came in nineteen fifty. A moose. 'Returning shortly to the old country, under better stars.' Father read that
one, and went and sat in the privy for an hour. I imagined that he was afraid of blackmail. He was afraid of exactly
what it said.

They put me on at the Pickstone exchange, sixty girls in a row with headsets, and a supervisor on roller skates, very
nearly. I was happy. It went automatic in seventy-two. They gave me a carriage clock, and the next morning you could
dial Australia, and nobody said 'please' any more.

Miss Lumb got her bungalow. She taught Tess fractions. We never spoke about the ledger except for once, when she was
failing, and she said, 'You have it still? Good. A debt does not die, it only stops being collected.' She is in the
new cemetery, plot sixty-five.

No, I don't want a lawyer. What could they charge me with, listening? I'd plead guilty to that. I listened and I did
not speak. If I'd stood up in forty-seven with what I had in my ears, he would have been caught at the dockside in his
shirt sleeves.

You haven't asked me the real question. You're too nice, or else you're frightened of your superintendent. If those
bones are Matteo's, then Leonard Pask walked away from that church alive. He would be seventy-one. Don't you want to
know whether I have ever heard his voice again?

@ 28 September 1976 | 19:00 | a young woman in dungarees, clay on her sleeves | woman #2b2018 #3d6fa8 none

Teresa Calder. Tess. I teach pottery at the comprehensive, when they will let me near the kiln. I'm twenty-eight, I'll
be twenty-nine in November. You may as well write sister. I've been writing it on forms all my life, and it's never
once felt like spelling.

I had three parents and none of them was. There was a grandad I called Dad, a brother old enough to be my uncle, who
was, and Nora. Nora cut my toenails. Nora sat up with the croup. Who did they think they were fooling? You don't look
at a sister like that, like a loaf you've got in the oven.

At school they called me Eyetie, on account of my colouring, and I came home and asked. Wilfred dropped a plate.
Grandad said that there'd been Spaniards wrecked off Whitby, in the Armada. I did a project on it. I got a star. I'm
still quite good on galleons.

She'd switch off the wireless in the middle of an aria. Anything else she would put up with, the Goons, skiffle. I
bought her a record of Gigli one birthday with my paper round, as I'd heard she used to like singing. She thanked me,
and she carried it out to the dustbin in both hands.

When I was twelve I found the marble hand. It was inside a sock, in a Coronation tin. I put it against mine. I'd been
told my thumbs were a deformity. I stood in that bedroom fitting them together, and the stone one was warmer, I can't
explain it. I never let on.

Grandad taught me wood. He never hit me and he never kissed me. But he'd save all the offcuts of oak for me in a
bucket, and once, I'd be eight, he was watching me use a gouge and he had to go outside. I thought I had done it
wrong.

Every March he'd put on his funeral suit and walk to the dam. He let me come along, the last year. He took off his hat
and said something under his breath, and I asked what. He told me, 'It's a language for them as can't hear.' It was
Latin. I looked it up. Requiem.

Wilfred was drunk from Friday to Monday and sorry until Thursday. He used to wash my football boots. If there was a
programme with the police in, he'd get up and see to the fire. He told me once, 'Never sign owt, Tess.' That's been
the whole of my careers advice.

She's altered since July. She went into the library, she'd never been. I found Who's Who open on the draining board,
with a bus ticket in it. And she took to talking down the phone with nobody there, the same three words, 'You're
through, caller,' over and over, like an actress.

If you are going to tell me something, go ahead. I throw pots, I'm used to a thing changing shape. Is he dead, my dad?
Oh. Was he the one in the papers? Oh. You've had him in a box, all this time, half a mile from my classroom. I've
driven past him to work.

Then I'd like to see them. Not the face, the hands. Is that allowed? I only want to hold mine next to his for a
minute. You needn't come in. I've washed, but it doesn't come off, clay. I don't suppose he'd mind. He was in the same
trade, more or less.

She hasn't told me herself, so I'll wait. It has got to be her. I will look surprised, I have been practising in the
van. She's kept her face straight for twenty-nine years on my behalf, and the least I can do is manage it for one
evening.

I'm making her a jug. I know, everyone gets a jug. But it's the slip, I dug it myself, from up there, a bucketful,
just below the chancel step. It fires dark red. You would never guess from the look of it wet, it's only mud, till you
put it through something.

@ 7 October 1976 | 14:20 | a navy suit, with a brooch on the lapel | woman #8d8577 #24406f none

It was on the ninth of July, a Friday. I was topping gooseberries with the transistor on. There was a talk about
saving bath water, and they had got some bigwig in to say how we must all put a brick in the cistern. And I cut my
thumb to the bone.

He said, 'Nobody need be any the worse.' The vowels had been seen to. It had money on it, and a bit of America. But
underneath it was all there, the way he leaned upon a word, as on a counter. Sir Lionel Parr, the announcer said.
Chairman of the whole Water Authority.

I thought that I was going mad. I'd believed in his death more than I believe in the Resurrection. I went to the
library and asked for Who's Who. Born nineteen hundred and five, Toronto, it says. Contractor. Made his name in
culverts. Knighted for services to drainage.

You have his photograph on the wall in your corridor, opening this police station. I've walked beneath it seven times.
He's stouter. There's a beard, very distinguished. He has his head on one side. They did not photograph his voice, or
you'd have had me screaming in the passage.

Leonard, Lionel. Pask, Parr. He hadn't even troubled to change the initials. It would be the luggage, Agatha would
say, he had such good luggage. Pigskin, and all of it stamped in gold. Bessie used to dust it. A man will alter his
whole life sooner than his trunk.

So I knew, before your two boys found anything at all. I knew he was living. And then in August it's in the Echo, a
skeleton with the watch of Leonard Pask. I was the only one in England who knew for certain that it could not be. Who,
then? I came in here to find out who.

And why has it come to light? Ask yourself. In June the engineers begged leave to draw off the bottom water from
Ollermere. He overruled them. He'd rather have the mothers of Kirkhaven queueing with kettles. It was in the Echo,
nobody could make out why. He was keeping the lid on.

It was weather that beat him. He'd bribed, and drowned, and got himself a sword on the shoulder, and then it simply
didn't rain. I take a great deal of comfort from that. I never was religious, but I have been rained on. I know when a
thing is meant.

You'll want more than an old maid's ears. Very well. Have you any scissors? This is the eiderdown off my own bed,
Mother made it. Unpick that corner. Mind the feathers. I have slept under that book for twenty-nine years, and it has
kept me as warm as toast.

There it is, red. Forty-one houses. That column is what was entered and that is what was given, and this one, in the
margin, ticks. His hand, his ink. You must have something of Sir Lionel's down in the office, a signature on a cheque,
an order. Lay them side by side, the capitals.

And there's a thumb mark on the last page, do you see, brown. It isn't ink. He had cut himself, opening the box. You
can do things nowadays with a thumb, can't you? I've kept it in tissue. I was never quite sure what I was saving it
for.

Now I am going to ask a favour. I want the telephone. Not to talk with him, I've nothing to say. I would like to put a
call through, as I was trained, person to person, and for you to have your tape running. Tell your superintendent that
it's a test of the equipment.

'Kirkhaven two double four, the Chairman's office, please. I have a call for Sir Lionel from Ollerby one.' The girl
never blinked. She'd be nineteen, she wouldn't know there is no Ollerby. I could hear her heels. Then he picked up,
and I said, 'You're through, caller.' That's all I said.

It was eleven seconds. You have it there, count. He breathed in. A man who had never set foot in that dale would say
'Who?' or 'What number?' He said, very soft, 'That line was cut, my dear.' Then the click. I've waited a long while
for somebody to finish that sentence.

Play it to the others. There's Bessie Tranter in the almshouse, she's ninety and deaf as a post, but she can feel it
through the table. There's Jos. He has not spoken since Whitsun. Play it to him, he'll speak. We were eighteen
subscribers and there's five of us yet.

@ 12 October 1976 | 10:00 | a stout bearded man in a pinstripe suit | man #c9c9c9 #3a3f4d beard

Sir Lionel Parr, of Belvedere Lodge. My solicitor advises silence, and I have always found that one ought to pay for
advice and then not take it. Do sit down, Sergeant. I opened this building. I believe there's a tablet. They spelled
me correctly, which is rare.

Toronto, yes. A clapboard house and a Methodist childhood. The registry burned, I'm told, most inconvenient. I dug
drains for the Dominion. Then dykes, then a hydroelectric station on the Saguenay, where one learns about men and
cement. I came over with forty thousand dollars and a good tailor.

I have never set foot in Ollerby. I've set ten fathoms of water on it, or my predecessors did. One sees it on the map,
of course, as a surgeon may see an appendix. I am told it was picturesque. People do tell me so, usually as they are
turning on a bath.

The telephone? Oh, that. Some crank. One's office puts through all manner of thing. I said the first nonsense that
came into my head. You have it on a spool? How very modern. I should be careful of resting a case on six words and a
lady's imagination.

A comparison of handwriting. Two capitals and a flourish. My dear Sergeant, half the clerks of the Empire were beaten
into that hand. We were taught it like grace before meals. As to the colour, I get it from a little man in Jermyn
Street, and so does the Aga Khan.

The thumb. Ah. No, Rupert, I'm going to answer him. It is quite extraordinary. One carries the thing about for seventy
years and never looks at it. Would you pour me some water? From the tap, if you please. I have faith in the product. I
made it.

Very well, a hypothesis. Suppose an agent, underpaid and overworked, kept back some small commission, as was
universal. And suppose on a filthy night he goes to retrieve his own property, and finds a sexton, in drink, standing
over a dead foreigner. What should he do? He has a train to catch.

The sexton begs. He's afraid for his boy. And this agent, being soft hearted, agrees to say nothing, and even lends
the corpse an overcoat, for decency. I call that handsome. I would call it the one unselfish act of a busy life.
Naturally nobody could prove otherwise. They're all dead.

A soldier's letter, on diet sheets. Well. He was a deserter, a sot, and under morphine. Rupert, would a jury? No,
don't make that face. I know precisely what a jury would. They'd look at my cufflinks, and then they would think of
their own standpipe.

He laughed, do you know. That's what nobody will have told you. I offered him two hundred pounds for a satchel and he
laughed, with that tooth, and said, 'It is only the school, signor.' I took it he was mocking me. I'd no idea that it
was true. One dislikes being laughed at by labour.

I had the bar in my hand to force the chest, for no other purpose. It's remarkable how little is required. One's arm
simply continues. I have signed away whole valleys with more effort. And then that bell, going on and on. It was only
once? It didn't seem so. It never has.

What was he to me? An item. I didn't so much as learn the name until I read it off his papers at Liverpool. I sailed
on them, that's rather neat. Ferri, Matteo, mason. In Lisbon one could buy a Canadian birth for the price of a hat.
And I was considerate. I did send cards.

I knew that woman's voice. Of course I did. 'You're through, caller.' She had said it to me twice a night for two
winters. I asked her to dance attendance on me once, and she preferred a mangle of wires. I wonder would I have turned
out differently. No. But I'd have been better connected.

You want contrition. I gave three million people something to drink, Sergeant. They have never gone a day without it
until this year, and this year I did all I could. If you lift up any city you'll find a village under it, and a boy
beneath that. I merely happen to have met mine.

@ 20 October 1976 | 15:10 | a lilac coat, with gloves to match | woman #8d8577 #b493cf gloves

So he asked for his hat, when you went for him, and blamed my father. I knew he would. Amos Calder, or poor Wilfred,
or the snow. It's no odds now that the thumb has matched. You had forty-one witnesses in violet ink, and then he
couldn't resist the sound of himself.

I told Tess last night. I had it all prepared, and I got as far as 'Your father,' and she said, 'Was he foreign?'
She'd known since she was twelve there was something, from the way I switched off the opera. She asked was he
handsome. I told her about the tooth.

She wants to go to Carrara. She has found out there are some Ferris in the book still, nineteen of them, and she's
rung each one, with a phrasebook. The eleventh was a cousin. He wept down the line, and she held it out to me, and do
you know, it was the same voice.

They will let us have him on Saturday. Father Doyle is long dead, but there's a young man who plays the guitar. Plot
sixty-six, next to Agatha. Tess is having the stone sent from over there, and the lettering cut deep. Nobody should
arrive in heaven illegible.

And I shall wear the parachute. It's gone the colour of tea, and it will need letting out, and I don't care. I was
engaged to be married. I've a right to walk behind him in white, or as near as makes no difference. It was to have
been in May.

It's filling, they tell me. The doorsteps went on Monday. I walked up on Sunday to have a last look, and it was so
quiet, just the beck coming back down its own street. I said his verbs over to him. I go, I went, I have gone. You can
turn that off now, Sergeant.
`;
