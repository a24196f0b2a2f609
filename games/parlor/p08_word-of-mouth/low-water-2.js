// @ts-check
/**
 * The archive of the drowned village of Ollerby, part 2 of 3. In the drought of 1976 a body is found in the bed of a reservoir.
 *
 * Each recording has a line `@ date | time | who is seen | figure, hair, cloth, headgear`, followed by its clips in order.
 */

export const LOW_WATER_2 = `
@ 6 September 1976 | 14:30 | a very old woman with an ear trumpet | woman #efefef #5d4a66 trumpet

You will have to shout, love. I'm ninety and I've only the one ear, and that one is choosy. Bessie Tranter. I had the
licence of the Drovers from my husband going down with the Hampshire till the day they shut the cellar for good.

We brewed our own until the Kaiser. After him it came up by dray, mild and bitter, and I never watered it, there was
enough of that coming. On quarter days we'd have forty farmers in the tap, and not one chair without a dog beneath.

Mr Pask had number two, with the feather bed and a washstand. Kept his razors in a roll. Paid by cheque, if you
please, on the first of the month. I've had worse. I have had a bishop. But I'd not have turned my back on him with a
drawer open.

He had such luggage. Three pieces, pigskin, with gold letters on the lid, and I used to go over it with a bit of
cream. I said to him, 'You could go round the world with that.' 'I may,' he said, 'Mrs Tranter, I may have to.' And
winked.

During the snow he taught me bezique and I let him win, he got so sour. He would sit in the window with the ink out,
doing those books of his. Like a child with a copybook, his tongue in the corner of his mouth. Loops on everything.

That schoolteacher took it, yes. I lent her the pass key. Why shouldn't I? She had it down her stays and half way up
the yard before the kettle boiled. I never held with reading, but that was as good as Dick Barton. You may put it down
to me.

The Italian lad mended my step. He'd not take money, so I gave him a glass, and he stood holding it to the light as if
it was church. He says, 'In my home, signora, the wine is for the wall and the water for the man.' Or the other way
about.

The night the thaw took the bridge I had nobody in. I remember, as I stood on a crate to save the pictures. I heard
that car, the Humber, it had a bad tappet. Past my door it went without a lamp, down towards Scarth, with the road all
river.

There were two in it. I have never been asked that. Twenty-nine years, and you're the first that has asked me how
many. There was Wilfred bent over the wheel, and next to him a fellow in a prisoner's tunic, that brown, with the
patch. I took him for the Italian.

Only he lifted his hat to me. I've thought of it since, in here, there's little else to do. An Italian would have
waved, they're all arms. That one put up two fingers to the brim, just so, as he did every evening coming in to his
chop. And he never wore a cap right.

@ 8 September 1976 | 14:05 | a black dress, with the hair pinned up | woman #8d8577 #22242c pinned

I have brought you this. It is marble, yes, a hand no bigger than a walnut, a woman's. You can see where the cord of
the switchboard goes round the finger. It was made for me by Matteo Ferri. There. I've not said that aloud in this
town for twenty-nine years.

He came from Carrara, where the mountains are white, and not with snow, he said, you English think everything is snow.
His people had been cutting stone since the Caesars. He was taken in the desert at Beda Fomm with a pencil behind his
ear, and never fired a shot.

He was twenty-six. He had a broken tooth, and big scarred thumbs, and he was vain about his moustache. He sang flat. I
tell you so you won't think I've made him up, the way women on their own are said to do. I didn't invent that tooth.

The first thing that he ever said to me was 'Registered, please.' He was sending his mother a photograph of himself in
front of the dam, as if it was his. I said it would be one and tuppence. He said, 'For this wall? It is not finished.'
I did laugh.

His English came from a hymnal and the Farmers' Weekly. He'd say 'Abide with me, there is liver fluke.' I gave him
lessons on Sundays in the post office with the blind up, for decency, and the whole of chapel going past in hats. We
did the irregular verbs. I go, I went, I have gone.

Round his neck was Saint Barbara on a bit of bootlace, a silver medal worn quite smooth. She looks after quarrymen,
because of the blasting, and anybody in danger of sudden death. His grandmother had it from a priest. He never took it
off, not to wash, not ever. I'd know it in the dark.

You have gone quiet, Sergeant. You were writing, and when I said about the medal, you stopped. I have spent my life
listening to people stop. No, I don't expect you to answer. I'll go on, shall I, and you can look at your blotter.

Father had him up to the churchyard that winter, to help lift the stones. Each headstone was chalked with a number and
each grave had the same, and it all went down in the vicar's list. Matteo recut the letters where the frost had got
in. He said nobody should arrive in heaven illegible.

Sixty-four graves and the Dacre vault. They took the lead coffins out of there in February, when the ground outside
was too hard, down planks and on a sledge to the lychgate. So the vault stood empty with its slab off. I have thought
about that hole every day since. You can't imagine.

They got on, my father and he. I never saw Father take to anyone before. They would eat their bread sitting on a tomb,
not talking, passing the mustard. Once he let Matteo use the good chisels. I thought, if he will lend his chisels, he
might some day part with me.

We weren't ashamed. It was forbidden till the Christmas of forty-six, fraternizing, with a fine, and then it was only
sinful. There was a hay loft at Haigh's, above the tups, and it was the one warm place in the dale. I shall not be
describing it to a machine, young man.

It was to be in May. Mr Pell would not marry us, on account of the Pope, but there was a Father Doyle in Kirkhaven
who'd do it for a bottle. I had eleven clothing coupons and a parachute. Yes, a real one. It'd come down with the
bread.

I did not tell a soul that I was expecting, since I hardly knew. I told him, on the fifteenth, behind the smithy, with
the gutters all pouring. He took his cap off. He stood there in the wet bareheaded, as they do for a procession, and
said 'Now I am finished, like the wall.' He meant complete.

So when Miss Lumb asked me who was strong, who else would I say? I gave her the name myself. I've gone round and round
on it. He had boots. He could walk on marble dust in the sun and he could walk on Hagg Edge. He'd start on the
eighteenth, as soon as it was dark.

He was to have the eleven sheets inside his shirt, in oilcloth, and the red ledger in the satchel. It was going from
hand to hand at the vestry, half past six, where Father would let him have the lantern. That was all my father had to
do with it. A lantern.

He never reached Kirkhaven. I waited three days for a wire. On the fourth Father said, with his back to me, that the
Italian had been sent for; his ship was at Liverpool, and he had gone to catch it sooner than say goodbye. 'They are
like that,' he said.

And I believed it. That's what I can't get past. I had sat with the man conjugating. I go, I went. I believed it
because I'd heard other things that night which were worse, and if Matteo had run for his boat, then at least he had
heard none of it.

I wrote to his mother in Carrara, and again at Easter, and the third time it came back marked 'sconosciuto'. I was a
postmistress, I know how a letter gets lost. They had been shelled, that town. It might be the street had gone. Or
else she'd been told not to answer.

What things that night? Not today. I have used up my whole week's talk. You are a patient lad. Is it true you've a
baby coming? I heard your constable through the wall. Then go home, and take your boots off in the hall, so that you
don't wake her.

@ 10 September 1976 | 11:30 | a frail clergyman in a panama | man #e4e4e4 #202329 panama

Cuthbert Pell. They made me a canon, chiefly to stop me writing to them. I was vicar of Saint Oswald's from nineteen
thirty-one until there was no Saint Oswald's to be vicar of. I may be the only incumbent in the Church of England to
have been dissolved.

I kept four hives along the south wall. When the removal was ordered I carried them over to Pickstone by night, with
the entrances plugged, in a borrowed hearse. One must tell the bees, you know, of a death in the house. I didn't know
how one tells them of a parish.

The faculty ran to sixty pages. Each grave to be opened under canvas, screened from view, and in the presence of the
sexton and a medical officer. The remains to be placed in a new box, two feet by one. I read the service sixty-four
times. I had it by heart at nine.

I have the list with me. Amos Calder kept the count and I the register. You will see my tick down the side, and there,
on the twentieth of March, in a shakier hand: vault, emptied and sealed. I'd had influenza. I did not inspect it. I
signed for what I was told.

Amos came to me that week, at night, to the study, and stood dripping on the Turkey carpet. He asked whether a man who
buries another without the words has damned him, or only himself. I supposed that he meant Hannah Rudd. I gave him
some sherry and a comfortable answer.

He asked then if it could be said afterwards, through stone. I told him that God was not deaf. So each year on the
eighteenth of March he would walk up to the dam, in all weathers, and stand at the railing with his hat off. I thought
it was for the village. We all thought so.

I refused to marry them. I should like that recorded. The boy came to me in his clean collar, with his papers, and I
lectured him on the Council of Trent. He heard me out. He said, 'Padre, it is only a door.' I have had a good many
years to prepare my reply.

There was a treble bell, the smallest, cast in sixteen hundred and two. It had a sweet crack in it. When the engineers
lowered the frame in August I saw a smear on the sally of the rope, about so high. Rust, I said. One says rust. It is
a great word for clergymen.

@ 12 September 1976 | 16:00 | an old shepherd with a crook | man #dcdcdc #6b6a45 flat

Aye. Josiah Haigh. I don't talk much. It's not that I can't. You start with a man by saying nowt and you can always
add to it, but you never get a word back in once it's out. It's the same with tups. I'll say what I saw, and no
trimmings.

They give me a bungalow. I keep coal in the bath. I'm told that everybody says that for a joke, well, I do. It's dry,
it's handy, and it's white so you can see what you've got. I have never got used to a floor that doesn't creak.

Yan, tan, tethera, methera, pip. I'd eleven hundred and three before that back end, and two hundred and ninety when it
melted. You could hear them ticking under the drift. I lay on my belly with a rod. Him with the tooth lay next to me.
He found thirty-one.

He was a good hand. He could clip, he could wall. I'd have left him the farm if there had been any farm. He slept over
the tups, and who came visiting up the ladder was none of my concern. I whistled when I crossed the yard. It's only
manners.

I was on the fell, that night, seeing to what was left. I saw a lantern go into church. Then I saw another come out,
and it wasn't swung the same. You know a man by how he swings a lamp. That was Amos. The first one never came out,
only the light went.

She asked me once, at the trough, did he say owt to me about leaving. I told her no. I ought to have said more. I
ought to have said, lass, he'd left his pay in my tea caddy, eleven pound, and his best shirt on my line. No man goes
home without his shirt.

@ 14 September 1976 | 11:00 | the brown cardigan again, and red eyes | woman #8d8577 #7b5a3c none

Put it in my hand. No, out of the bag. It doesn't weigh anything, does it? The loop is bent, he did that on a nail at
Haigh's. That is Saint Barbara, and that is her tower. Twenty-nine years. And you had it in a drawer on the first day,
when I asked.

Give me a minute. I want to be angry and I can't find where to put it. I have hated him, do you understand, for going.
I taught my girl to eat her crusts and sing in tune, so that there should be nothing of him in her.

I'll tell it in order now. At twenty to seven the vestry shutter dropped. I plugged in and said 'Number, please,' and
nobody spoke. The receiver was off and lying on something. I could hear the clock in there, and the rain on the leads,
and two men, a long way off, down a well.

One was Mr Pask. I would have known him at the bottom of the sea. He was using the soft voice, and he said 'Nobody
need be any the worse, my dear fellow. You have something belonging to me, and I can make it worth your while.' Then
boots. Then the satchel buckle.

The other I couldn't tell. He spoke once, low, with his face turned away. I've gone over it and over it. I never
forget a voice, but you must give me a voice. It was five words or six, and the rain coming on as if it was shot from
a gun.

Then there was the blow. I'm not going to say what it was like. Something of iron fell on flagstones and rolled, and I
heard it roll right up against the wall. After that came one stroke of the bell, the small treble, as though somebody
had caught hold of the rope to stay upright.

And I heard my father cough. That is what I've kept from you. He had a cough like a gate, he'd breathed sawdust for
forty years, there was no other such in the Riding. It was afterwards, it might be two minutes. He coughed, and said
'Oh, what's been done here?' And the line was cut.

So you see what I thought. I thought Father had gone in with his lantern and found Mr Pask robbing the lad, and struck
him, and that Matteo took fright and ran. One dead, one fled, and one an old man who would hang. What would you have
done? I pulled the cord out.

He came home at four in the morning. I was in the kitchen in the dark. He washed at the pump and not at the sink. He
had gone out in his brown overcoat and he came back in his shirt, and his trousers were white to the knee. It was
lime.

We kept quicklime for the privies, two sacks, by the hearse house. Next day there was none. The barrow had been
scrubbed, in a flood, when every mortal thing in the village was under mud to the axle. I never knew a clean barrow
look so guilty. I put it out in the rain and dirtied it.

He mortared the slab down over the vault that same week and told Mr Pell that it was on account of the smell. Mr Pell
wrote in his list, 'vault, emptied and sealed'. I saw the entry. It is still there, in Kirkhaven, in a glass case,
next to a model of the sluice.

At breakfast he said to me, 'Pask has cleared out with the money, gone over the tops. You'll report it, Nora, since
you are the post office. And we'll say no more.' I looked at his hands round the mug. I got the form down from the
pigeonhole and filled my pen.

The box was gone as well, that's true. I had given Mr Pask his key at five, the same as ever. He had on his camel coat
and the watch with the lid, and he wished me good night. He said, 'You are wasted here, my dear.' It's the last thing
he said to me. In that life, anyhow.

And the red ledger, I suppose you will ask. It was never in the satchel. That was Agatha's notion, she was cunning as
a cat. She'd put in the school register, same colour, same size, in case. The real one had been with me since noon,
under the telegram forms.

So he was killed for a list of children, present and absent. He did not know. Or perhaps he did, he was no fool, he
could feel the weight. I should like to think that he knew, and that he went up there with it all the same, to draw
the fox.

I never asked Father. He lived until sixty-three and I cooked his dinner every day of it, and we never once said the
word vestry. You may think that is hard to credit. You aren't from up here. We could have kept quiet through the
Crucifixion, my family. We'd have talked about the weather.

But now you show me the medal, and it was on those bones. So it's the wrong man. It's my lad that was under the slab,
with another man's watch on his wrist, and another man's coat, and the lime. Somebody dressed him. I've to think what
my father was coughing at.

'Oh, what's been done here?' He said it like a question. I have had that in my ear for half a lifetime, and I took it
for remorse. It wasn't. It was what you'd say if you came in upon a thing already finished. He'd only brought the
lantern.

Then why did he bury him? Why not run out and ring the bell and rouse the Drovers? He thought the world of that boy.
You tell me what could make a straight man take a shovel and do the devil's tidying. There is only one thing he
feared. It was for Wilfred.

I need the lavatory, and then I need my sister. She is not my sister. You'll have worked that out, you've a pencil and
a calendar. November, forty-seven. I have never said it in a room with anybody else there. She has his thumbs,
Sergeant. She breaks cups with them.

@ 17 September 1976 | 15:30 | a man in rolled shirtsleeves, with a slide rule | man #5b4632 #dfe6ee glasses

Donald Stannard, principal engineer, eastern division. I'd better say that I have not cleared this with anybody. I've
been told that all enquiries go through the press office. But I've a slide rule and a conscience, and they have both
been giving me the same result.

Ollermere holds three thousand million gallons at top level. By midsummer we were at eleven per cent, and what is left
is dead storage, below the lowest draw-off. You can pump that. It's muddy, it needs a barge and some hose. Every
undertaking in Britain was doing so.

I put in a memorandum on the second of June. Six pages, costed. It came back inside a day. In twenty years I've not
had a paper clip approved in a day. Across the top was written 'Not in any circumstances', with a flourish, in that
purple stuff that he affects.

I appealed. I got four minutes in his office, standing. There's a carpet you sink in. He had the old survey open, the
nineteen thirty-seven sheets, and his finger was on the church. He told me that the sediment was contaminated. I asked
with what. 'With history, Mr Stannard,' he said.

So Kirkhaven got standpipes. A hundred and ninety thousand people, hospitals on bowsers, and we had eight weeks'
supply sitting in a puddle. I thought he was protecting the trout. He has a syndicate, they fish from the tower. You
invent reasons for such men. You have to.

The odd part is that he knew the bed better than the charts did. He once corrected me on a culvert beneath the smithy,
which isn't drawn anywhere. I said, 'Did you know the place, sir?' He said that he'd had it described to him, by an
uncle. He doesn't have uncles. It says so in the profile.

After your bones turned up we had orders to refill from the Scarth tunnel, at night, by gravity. It would have put
nine feet over the vault before morning. My foreman mislaid the key of the penstock. I want it understood that he
mislaid it at my instruction.

I went through the plan chest last weekend, with my own torch. The agent's correspondence for forty-seven is missing,
all of it, weeded. But they forgot the petrol dockets. Scarth railhead, eighteenth of March, four gallons, signed for
the Corporation. Look at that capital. Now look at my memorandum.

I've a pension in eleven years, or had. My wife says to tell you she is behind me. It's only water, people say, it
comes from the tap. Somebody has to care where it's been. I never in my life saw a reservoir hold its breath before,
but that one did, all summer.
`;
