// @ts-check
/**
 * The archive of a violin that vanished from a cloakroom in 1934, as the woman in charge of it remembers it in 1969.
 *
 * Each recording has a line `@ date | time | who is seen | figure, hair, cloth, headgear`, followed by its clips in order.
 */

export const WINTER_GARDEN = `
@ 14 July 1969 | 15:00 | a flowered overall and curlers under a scarf | woman #b9b3aa #d98aa5 scarf

Is this on? What would you have me do, smile? I will not. I have sat in that hatch of a night for forty years, with a
saucer by me, and if there is one thing I get, it is what they are all about, the ladies and their gentlemen. She will
go up in an old fur of her aunt's, and say it is from Paris. He may be a lord, but look at his cuffs as he pays, or
who he has come out with, which is not to say so. We see it all. My life is on those pegs, if you want your answer.

What is my name for your list, or do you want all of it? Dorothea Finch. It is the one I was born with, as I have not
had an offer that would get me out of it. I was on at the hatch by twenty, with a Mrs Bold, who is up there now, and
she will be at their coats, if they let her. We had this Mr Gadd, from Hull, but you had only to cry and he would go
so red, and say, which of you has upset her, and give me his hat. That is about all I can do in history.

You do see what this is, there, on your left? That is what they will pull down, or as much as would go in a lorry by
Friday, for a car park. I have been up to look at it with my nephew, and he put his hand out, and said, Auntie, there
is not one pane in all that roof. But who is to get the good of it, or which of them, they do not say. She was an old
lady with her hat off. It has to be about their money, if you ask me. We go from this world as we come in, so I am
told.

So it will be about the fiddle. It is always about that, with you people, or what would you have come all this way
for? There is one from your lot each week, and I say to them as I do to you, he did not give it to me, I was in charge
of a ticket. If she had to go by her ticket, the Queen, she would get an hour at my hatch. But they have been up, and
out at the back, in their boots, and which of us had it, or who? We had his cap on a peg.

What is my view of the moon? This is it: I do not hold with it. We have not got a bus on your Sundays, but they will
send a rocket up to get a bag of dirt, and who asked for it? The boy from next door has to be told to eat, or so his
mother tells me. He would go himself, with an egg in his cap, if you let him out at the top. All about us there are
people with not one tile on their roof. That poor moon, I say, to be walked on, and by men, at her age. She was happy
as she was, which is more than most.

Saltcombe was smart then. You would not credit it. There were charabancs on the front, a band, bathing machines with a
man to pull them, and in the season the Winter Garden gave two concerts daily. Dukes sat in there with their feet wet.
I dried their galoshes.

A cloakroom is a bank, Mr Gadd used to say. You take a thing in trust and give a number for it. Brass discs we had
before the war, then paper ones in two halves. In forty years I lost one umbrella, one opera hat, and the most famous
fiddle in England.

They called it the Fox. It was the colour of one, red going to gold underneath. Some Italian made it, Tolli of
Brescia, with a tail of darker grain down the back. It was two hundred years old and had its own seat on the train, by
the window.

It belonged to Sebastian Orme. You'll have seen the statue, only they have given him too much chin. He led the Alder
Quartet, four of them, and they came to us each December because the sea air was good for the cello. He had a bad
temper and lovely cuffs.

On the second of December, nineteen thirty-four, a Sunday, they did the Schubert. Full house, and a gale. Afterwards
he handed me the case through the hatch, and I gave him his disc. One hundred and seventeen. He went up to supper.
When he came down again there wasn't any fox.

The peg was empty. I told the inspector so, and the insurance, and the Evening Argus. Somebody must have reached in
while I was fetching a lady's boa. That is what I said in thirty-four and that's what you may print. Put the kettle
on, will you? My throat's like a cinder.

They suspected me, of course, for about a fortnight. They had the boards up in my lodgings. My brother laughed until
he had to have his oxygen. What would the likes of us do with it, he said, play it to the cat? And they looked at him
in his chair, and they went away.

Everybody knows how it ended. Mr Orme never performed again. Seven thousand pounds were paid, and he gave every penny
to a school for blind children, which is why he has got a statue. So it was an ill wind. I have dusted that plaque. Is
that enough for you?

@ 17 July 1969 | 11:30 | a pink blouse and her good pearls | woman #b9b3aa #eaa6b8 pearls

Well, they are off. I watched it go up, at Mrs Pring's, in colour. She has the only one in the terrace, and we all
took our own chairs. You feel such a fool, cheering at furniture. Then my ears went, thinking of the noise, and I
thought about the gale.

That glass roof held eleven hundred panes. When it blew from the south they hummed, each at its own pitch, and the
quartet used to tune against it for a joke. That Sunday it was past a joke. Two panes came in on the wicker chairs
during the slow movement.

I could hear it all from the hatch. No one ever thinks the cloakroom listens. I'd no schooling in music, but hang up
coats to a thing three years running and you know where it should go. And that night it didn't go there. He was late,
in the Schubert, on the runs.

There were the four. Mr Orme. Then Clara Voss, second violin, thin as a bow and always in grey. Hubert Lyle on the
viola, who proposed to me annually. And old Bruno at the cello, that couldn't see a yard and played with his eyes shut
so as not to be reminded.

Percy Stubbs was the stoker. He looked after the boiler below the stage, for the palms as much as the public, they
catch cold sooner. He'd been at sea. He had a parrot which knew the whole of the Trout. He would let me sit there on
my break and toast a bun.

My brother Ted lived with me, or I with him. He was gassed at Ypres, the second time, when he was nineteen, and came
home with half a lung and a wheeled chair. He had been a joiner. He couldn't manage a plank any more, so he made
things that were small.

He had a shed at the bottom of the yard with a stove and a skylight. Dolls' chairs at first, and cigar boxes. Then
somebody brought him a cracked fiddle from the pier orchestra to be glued. He had it in pieces on the bench for a
month, and he wouldn't come in to his meals.

The inspector was a Mr Crane, and well named, all neck. He had the staff lined up beneath the palms. He asked for our
movements. I said that mine were from the hatch to the pegs and back. He put that down. He had a very small pencil and
he licked it.

What nobody remembers is the visitor. There was a gentleman from London in the third row that night, with an eyeglass
on a ribbon. Hallam, of Wardour Street. He valued violins. The insurance had sent him to look at the Fox after the
concert, since it hadn't been examined for ten years.

So it was taken not one hour before an expert was to have had it under his lens. I thought everybody would remark on
that. I waited for it. Inspector Crane only said what rotten luck for the poor gentleman, coming all that way down on
a Sunday train.

You're sharper than he was. You have stopped chewing your pen. I'll have to be careful of you. Did I say Hallam? I may
have dreamt it. When you get to sixty-eight your dreams get in among your washing. Turn that lamp, it's in my eyes.

I'll tell you a cloakroom secret instead. You can tell by the weight. A man's hat when he has been jilted, a coat with
a bottle in it. I can tell you what a violin weighs in its case, within an ounce, and what the case weighs by itself.
I've good wrists.

No. I never married. Hubert was a dear, but he was a viola. And there was Ted to be turned at two in the morning and
again at five. You don't resent it. It's like the tide. Though I'd have liked somebody, once, to hang up my coat for
me.

They dock with something, don't they, or it comes apart and half of them go round the back where no wireless can
reach. That's the one I'd be. Not him with the flag. The third man, alone round the dark side, minding everybody's
things. Come on Monday, I'll have made up my mind.

@ 21 July 1969 | 10:00 | a tartan rug over her shoulders | woman #b9b3aa #a8483c none

Were you up? I sat through the whole night at Mrs Pring's, with a rug. Four in the morning and there he comes down the
ladder, like a man getting into a cold bath. You couldn't make out a thing. And I thought, Dolly, if they can say that
out loud, so can you.

There wasn't a thief. There, that's my one small step. Nobody reached across. I handed that case to Sebastian Orme
myself, at ten minutes to eleven, by the coke door, and he went down the iron stairs with it to Percy's boiler. He'd
asked me to keep watch. I kept it.

You must go back three years, to thirty-one. He came to my hatch in the afternoon with no one about, and he'd been
crying, so that his collar was soft. He said that he'd heard of a man in a shed. Could that man make a copy, and could
he hold his tongue?

It was his wife, you see. Marian. She was in a sanatorium in Switzerland and he could not go on paying. Two guineas a
day, and she'd been there six winters. He had an offer for the Fox from an American, on condition it was private.
Toothpaste. He had more money than teeth, Ted said.

So for five weeks that spring the real one lay on our kitchen table, on a clean blanket, among the bread. Ted measured
it with callipers, in tenths. He hung it up by its scroll and tapped it and listened. He talked to it. I used to come
in and find the pair of them whispering.

The belly was from a church pew, two hundred years dry. The back was a piece of Bosnian maple he'd had off a barge.
For the varnish he tried forty recipes, there was dragon's blood in it, and linseed, and I won't say what from the
cat. We ate out of jam jars all summer.

He gave it the fox's tail. You'd not think a stain could be taught to run like that. Mr Orme held the two up to the
skylight, one in each hand, and he turned round and couldn't tell which. Then he played them. He sat down on the coal.
'Oh, my God, Finch,' he said.

I don't say that it was better. Ted said it was younger. It had a way of opening on the low string like a door into a
warm room. The Times wrote that winter that the Fox had never sung so darkly, and Ted had me read it out twice. He cut
that out.

Three seasons he performed on it. London, Vienna, the King. Each time there'd be a notice on the genius of old Tolli.
And in the shed there was my brother with a blanket on his knees, planing a doll's chair, and grinning like a dog.
He'd promised. He never told a soul but me.

She died all the same, in the March of thirty-four. It had been for nothing, very nearly. It's then that his fingers
started. A shake, in the fourth one, the little. You could see it on a teacup. By December he couldn't do the runs.
And then came the letter about Hallam.

He would have been ruined. Not for the shake, people forgive a shake. For the copy. He'd sold the one and insured the
other, do you follow, and took the applause for it. He said, 'They will send me to prison, Miss Finch, and they'll
send your brother along to hold the door.'

The plan was his. Hand it in, lose it, burn it. He could not do that himself. He got as far as the furnace with it and
stood there. Percy said after that he held it to his cheek. Then he put it into my arms, like a child one can't keep,
and said, 'You.'

I opened the fire door. The parrot was going through the Trout. I had the thing by the neck. I thought of Ted with his
callipers, and the pew, and how he could hardly breathe for varnish, and I thought, no, Dolly Finch, you have never
lost an article yet.

So I burned the case. It was crocodile, and stank like a circus. What Percy saw me put in was a case, and he swore to
it in good faith till he died. Mr Orme wrote to thank me. I had it under my skirts. You try walking home in a gale
like that.

@ 24 July 1969 | 14:00 | a grey Sunday costume and a hat | woman #b9b3aa #7d8390 feather

Splashed down, have they? I am glad. I don't mind them going, but I like things handed back. Now shut the door. Is
your machine all right? And who is this you have brought? What a little scrap. How old are you, my love? Twelve. And
is that your own bow?

I told Ted that night. I laid it in his lap. I thought he'd be pleased, and he cried. He said, 'Then it can't ever be
played, Doll.' I hadn't considered that. I'd only thought of it as safe. It was the stupidest clever thing I ever did.

He died in thirty-six, in February, with the window open. It was my turn at five. He'd got it there beside him under
the quilt and his hand was on the scroll. I've never known was it a comfort to him or a torment. I took it out before
the doctor came.

And Sebastian Orme I saw just once more. He came for the funeral in a plain black scarf, and sat at the back. He
couldn't hold the hymn book steady. Outside he said to me, 'Your brother was the greatest maker living, and I'm the
only man who knows it.' Then tell them, I said.

He meant to. I do believe he meant to. He said, 'When I am gone, then.' He drafted something for his solicitor. But
there was the war, and a bomb on Lincoln's Inn, and he went himself that same autumn. It burned with the deeds. So
that left me, and a parrot.

Why did I keep quiet? The school. Sixty blind children, built out of that insurance. If it was fraud, they'd have
wanted it back with interest. You can't ask blind children for seven thousand pounds. I rang them up on Tuesday. The
company was wound up in nineteen fifty-eight. I needn't have waited so long.

The true Fox is in Ohio. I've a picture from a magazine. The toothpaste man put it in a steel room with a dial for the
damp, and when he went it passed to a museum. No one is let play it. It's behind glass, with a guard. I'd say that one
was stolen, wouldn't you?

Pull the trunk out, will you, dear? Under the bed, behind the commode. It's wrapped in my mother's shawl and then the
blackout. Thirty-five years it's had of me humming at it. I've slackened the strings each autumn, and I've put fresh
ones on every Coronation. That makes two.

There. See how she goes red, where the light gets her? And the tail. Put your eye up to the hole, my lamb, you've
young eyes, and read what's written on the label. Go on, loud, for the gentleman's tape. He never could resist. He did
sign it, inside, where nobody would look.

'Edward Finch made me, in a shed, for want of breath. Saltcombe, nineteen thirty-one.' That's what it says. He told me
it was only the date. Thirty-five years, and I'd never once held a torch to it. For want of breath. Oh, Ted.

No, you aren't to be careful with it. I've been careful. Tuck it in. That's how he sat, with his elbow so. What'll you
give us? I don't mind what, pet, so long as it isn't the Trout. Give us the slow one. Never mind the wrong notes, he
was late himself.

Hush, don't speak yet. Did you hear it, on the low string? That was the door. I'd forgotten that you feel it in the
floor. They've sent three men a quarter of a million miles to fetch some stones, and that was in my bedroom. All that
time. It was only waiting to be called for.

She's to have the lend of it, till she's grown, and then another one. Put that in your programme. Finch, not Tolli.
And here, this is for you. It's brass, they don't make them now. One hundred and seventeen. I've kept its twin.
Whoever comes with that, you give them the violin.
`;
