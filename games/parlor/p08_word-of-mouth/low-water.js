// @ts-check
/**
 * The archive of the drowned village of Ollerby. In the drought of 1976 a body is found in the bed of a reservoir.
 *
 * Each recording has a line `@ date | time | who is seen | figure, hair, cloth, headgear`, followed by its clips in order.
 */

export const LOW_WATER = `
@ 23 August 1976 | 09:30 | two boys in football shirts, the elder talking | boys #7a4a2a #c23b3b none

We just went in to have a look, that is all. You can, now that the water has gone. It was my idea and not Kevin's, so
it is me you have to be cross with. He said we would get told off, and I said who by? There is nobody on the gate of a
Sunday.

There was this kid at our school who got a gold coin there, or he says he did, and his mum said she would let him keep
it, which I think is not fair. So we took my dad's good spade and two bags and we rode up on the Chopper, both of us,
Kevin on the back. It took us over an hour, and it was as hot as an oven by then.

You know what I want to be? A diver. But you do not have to dive for it now. You can walk in at what used to be the
door of somebody's house, and out of the back, and there is no up, no roof. I think it is the best place in the world.

Kevin, tell her about the chair. There was this chair. It was in the mud, all on its own, like it was waiting for an
old lady to come in with her cup and sit. But she would have to look out, which I did, because it had only three legs.
I did not like it. I said, let us go and look at the church first.

So then we come to the church, or what they have left of it. It is only walls, as high as me, and a lot of that green
stuff. He wanted to go back for his sandwiches, but I said no, we could have them in there, because it was cool, and
out of the sun, and you could see where they had all sat in their rows.

It was him that found the hole. He put his foot in it. I'll say that for Kevin, he may be only eleven but he can find
a hole. There was one big flat stone, and the end had gone, and you could see down into the dark. It was like when you
look in a well.

What would you do? You would get a torch, so that is what we did, off my bike. And I made him go first because he is
thin. I held on to his feet, to get him out if it was bad. He did not say a thing for so long that I thought he had
gone to sleep. Then he said, Al, there is a man in here.

I said there can't be. He said, well, there is, and he has got a good coat on. So I looked. It was not like on the
telly. It was more like a lot of sticks and some cloth, and then you see how they go together, and you see the way it
is lying, as if it was put.

I did not touch it. He did, he took hold of the watch to see if it would go. That was Kevin, not me. It did not go. He
put it back after, when I told him to. We are not thieves. You have to give it in, or it is like stealing from people,
even if they are dead, and you get their ghost.

Then we ran. I have never come down that hill so well in my life, and I will tell you the time, it was ten to four, if
you want to know. We went to Mr Tibbs at the keeper's house, because he is the only one with a telephone up there. He
gave us squash, and let us get our breath, and he said it must be a sheep.

Will it be in the paper with our names? My mum says she could do without it, but she has had her hair done, which
tells you. She says they will want to know what our dad was doing, to let us go up there on our own all day. He was in
bed. He works nights at the mill.

Can I ask you one? How long had he been in there? Because I said a hundred years and Kevin said it was since the war.
We have got a bag of chips on it. Our gran says it is the man her aunt ran off with, which she would. And do you think
he was good or bad, that man? You can't tell, can you, from just the bones of him.

@ 24 August 1976 | 17:00 | an elderly man in a keeper's cap | man #b8b8b8 #2f4a66 cap

I will take it from the start, if I may, and go on as far as you like. Harold Tibbs, keeper of this water for the
Authority these twenty years, and for the Corporation before that. I live in the house by the wall, with a dog and an
old gun, and I would not be without her, and I read the level at eight each day and write it down in the book.

In any other year it would be sixty feet over that church. It is the new people who let it get so low, if you want to
know what I think. There are two or three men in the office who could have done something about it in June, and I told
them so. But you do not tell that lot, you ask, and then you wait.

I knew there would be trouble as soon as I could see the tops of the walls. People came from all over just to look at
it. On one Sunday I would say there were two thousand of them, with their sandwiches, and children, and an ice cream
van. And only me to say no, with a stick and a whistle.

They take things in their bare hands. You would not think there was much to take. A bit of a gate, some tiles, a door
knob. There was a woman who went home with a pump in her pram, and the baby on her arm. I did not stop her. It was
hers, she said, it was from her own mother's yard, and who am I to say?

So then the two lads come in at my door, white as you like, and out of breath. They had a tale about a man in a hole.
I gave them a drink and I said it is a sheep, because most of the time it is. But I got my cap and my lamp and I went
up with them, since you never know.

I will not forget it. I was at Dunkirk, and I have seen what I have seen, and it was not that. It was how neat he was.
There was a good coat, and it had been done up, all of the buttons. Now who would do that? You do not do that for
yourself, down there, in the dark.

I went back for a sheet to put over him, and I sat by him till your people could come. It took two hours. It was a
fine evening. You may think me soft, but I talked to him, about this and that, as you would to any man who has had a
long wait. I said it will not be long now, old son, they are on their way.

What was said in the office? I rang it in to them at five, as I have to. And here is a thing that you can make of what
you will. Inside an hour I had the top man on, himself, from his home. He has never rung me in my life. He said, what
is all this about bones, and who else have you told?

He wanted me to shut the place up and let nobody in, not even you, until his own engineers could look at it. He said
it was a matter of safety. I had to say, sir, there is only one way to be safe with the police and that is to have the
kettle on for them. He did not laugh. He put the phone down.

No, I do not know who it is. I am not from here, I only came when it was full. I have never so much as had my feet on
that street before this year. But some of the old people come up, and just stand by the wall and look, and you can see
them count. They know which door was which. You want to ask them.

@ 26 August 1976 | 10:02 | a straw hat and a blue summer dress | woman #8d8577 #6f9bd1 straw

I will do what I can to be of use. I have lived in or by this valley all my life, as you know, and most of that with
my father at the post office. He was not a man for change, and on the day the water came it had to go round him.

You want to know how well I knew the man. I have said it at the desk and will say it now: not to speak of. He came to
us on a Monday with his papers, did as he was told to do by the Corporation, and in time he would be gone. People like
that do not stay for tea.

It is not easy to look at that picture on your wall and think of it as our street. I have to be told which way up to
see it. What do you make of a church with no roof for a hat, and in the mud two rows of doorsteps? He would weep, my
father, if he could.

All I can give you is what people would say at the counter, and some of that was not for a young woman to hear. He had
money, they said, he had a wife in the city, or none. I do not know, I have no way to. With only one road out, the
talk will be about any man who comes up it with a bag on his arm. It was as good as the pictures.

I was at the board that night, as I was on any night, and I do not remember a call from him. If I did I would have
said. You have to think of it: seven in the evening, the snow just going, every line down but one, and nobody in his
right mind about. Who would there be for me to talk with? He did not ring.

My name is Nora Calder. I am fifty-three, and I have never married. From the year the war began until the year they
drowned it, I kept the counter and the telephones at Ollerby, first for my father and then because there was nobody
else who could.

This heat. They say on the wireless it is the driest summer for two hundred years, and now they have made a minister
for it. You want to see our street at home: all of us out with buckets at the one standpipe, like a queue in the war.

So they found him on the Sunday. Two boys after coins, I heard, where the mud has gone hard like a plate. You can walk
right up to our church now, people say. They go by coach to look at it. Somebody sells them ices.

Leonard Pask was the Corporation's man, land agent or whatever it said on his card. He went from door to door with a
long measure and a soft voice, and when he came out again some family had one year to be gone. That is all he did. He
wrote it down.

No, he did not have enemies. Or he had them all, if you like, the way a bailiff would. But people who have to give up
their home are mostly too tired to hate anybody. They want to know about the bus, and where they can take the hens.

When did we see him last? You could ask any of us, there are a few left. In the March, at the end of the bad winter.
After that he was not at the inn, and the money was not in its box, and we put the two together, as you would.

The money? Four thousand and some hundreds, for the last of the houses. It came up from the bank by van, in a tin box.
With that, they said, a man could make a new start in Canada, and so he did. There were postcards. I sorted them.

Could I ask you something? Only what other things there were with him. In the paper it said a watch. Well, any man has
a watch. I thought, if there was some small thing besides, that it might be of use to know. No? Then no.

What I would like is to go home, if it is all one to you. I have a sister who worries. She will have got the tea on
and let it go cold. Tess is twenty-eight, and she looks after me as if I was the child.

My brother? Wilfred died five years ago, in the infirmary here. His chest. He had been in Burma, and he drove for the
Corporation after, when there was work, which made him no friends. You can't ask him anything now. Nor my father. It
is only me.

You have it in front of you, so why ask? Yes, that is my hand on the form. I reported him missing myself. I was the
post office, who else would they tell? I wrote that he had gone over the tops to the railway. I thought it likely.

I am not nervous. It's your machine. Does it take all this down, the picture as well? In my day you could listen
without being looked at. I sat twelve years in a room with a window the size of a tray, and I knew everybody's
business by the breathing.

Thank you, Constable, two sugars. Nobody under forty understands about sugar. We had our ration books until
fifty-four, and I still cannot leave a spoonful in the bottom. Look at that, cream on the milk. There is no drought in
this building, I can see.

If there is nothing else, then. You have my address, it is the end house in Almond Terrace, with the blue gate. I will
come on Tuesday if you want me. But you will be wasting your time over that man. He was nobody, and he went away.

@ 31 August 1976 | 14:10 | a white blouse, with a wet raincoat over the chair | woman #8d8577 #eef1f4 none

Well, it has come, hasn't it? Months without a drop, they appoint a man in London to pray for it, and on the bank
holiday the heavens open. I stood in the yard in my nightdress. I am not ashamed. Mrs Ogden next door was dancing.

Ollerby had forty-one houses, one street, a beck down the middle with slab bridges, and a chapel and a church who did
not speak. There was a smithy and a school. If you stood at the trough and coughed, they would ask after your chest at
the top farm by dinner time.

The exchange was a board on the wall of our back kitchen. Eighteen subscribers, each with a brass shutter that fell
when they cranked. You plugged a cord in, said 'Number, please' in your best voice, and rang whoever it was. I could
do it asleep. I often did.

You are not supposed to listen. You open the key to see if they are connected, that is all. But you hear a word, and a
second one. I learned to tell folk by their voices as you tell birds. I have never forgotten one. I could not if I
tried.

My father, Amos Calder, was sexton and wheelwright. He dug the graves and made the coffins, so between us we had the
village coming and going, telegrams in at my end and burials out at his. A hard man. He never raised his hand. He
never needed to.

Mother died when I was eight. It was diphtheria, from the school, and it was I who brought it home. Nobody ever said
so. Afterwards Wilfred did the cooking until he was called up, and he burned everything but eggs. We ate eggs for nine
years, Sergeant.

Miss Lumb taught all of us in one room, five years old to fourteen, with a stove and a map of the Empire. Agatha Lumb.
A tiny woman with a bicycle. She could do long sums in her head, pounds, shillings and pence, faster than the bank.

Jos Haigh had the high farm and eleven hundred sheep. He spoke perhaps once a week. He counted the flock in the old
numbers, yan, tan, tethera, and when the Corporation offered him a bungalow in Pickstone with a bath, he asked what
sort of animal you would keep in that.

Mrs Dacre was the Hall. Her people had been lying in the vault under the chancel since King Charles, in lead, and she
was proud of the company. She owned the only refrigerator in the valley. At Christmas she would let the school come
and see the ice.

Bessie Tranter ran the Drovers, four bedrooms and a tap room. It was there that Mr Pask lodged, the best front room
with the feather bed, at the Corporation's expense. Bessie said he was no trouble. He polished his own shoes, he kept
his door locked, and he tipped.

They had been talking of the dam since before I was born. An engineer with a theodolite came in my father's youth.
Then in thirty-eight the navvies arrived, with a railway, and huts, and a canteen, and a hospital for crushed fingers.
After Munich we hoped they would forget us.

The war stopped it. All the steel went for ships, and for six years there was half a wall across the bottom of the
dale like a row of bad teeth. Children played on it. Courting couples went. I never did. I had nobody to be courting
with, then.

In forty-three they sent us prisoners. There was a camp at Scarth Bridge, Italians first and after them some Germans.
They wore a brown battledress with a round patch sewn on the back, to aim at, Wilfred said. They mended walls. They
sang, God help us, in that drizzle.

When peace came the Corporation wanted its water more than ever, and labour was scarce, so those prisoners who had a
trade and no hurry were kept on under a contract. Masons, chiefly, for facing the spillway. You would see them on
Saturdays in the shop, buying hair oil.

Wilfred turned up in June of forty-six, yellow as a quince, without a word beforehand. A demob suit and a cardboard
suitcase. He would not talk about Rangoon. Mr Pask gave him the car to drive inside a week, a black Humber, and I
thought it was kindness.

The vicar was Mr Pell, who kept bees and was afraid of the bishop. It fell to him to arrange about the churchyard. You
may not flood the dead, Sergeant, there is an Act. Every one had to be taken up, with a list, and carried over to the
new cemetery.

I had a cupboard with a government lock: stamps, postal orders, the pension money, and the tin box whenever it came,
because the inn had no safe. So Mr Pask stopped by most evenings for his key. He would lean on the counter. He called
every woman 'my dear'.

Yes, he asked me to walk out with him. Once. It was in the autumn of forty-six, by the trough. I said that I was
obliged to him but there was the switchboard. He laughed and said a switchboard could be replaced. He was not a man
who asked twice.

You did not tell me last week that there was a crypt in it. You said mud. You said the open ground by the tower. If it
was in the vault, then I should like to sit a moment. No, not tea. Would you open that window? It smells of rain.

@ 3 September 1976 | 10:15 | a brown cardigan, buttoned to the neck | woman #8d8577 #7b5a3c none

It began on the Thursday, the twenty-third of January, with small dry flakes out of the east. Father looked at the sky
and brought the spades indoors. By the Sunday you walked out of our bedroom window on to the street. It did not stop,
to speak of, for seven weeks.

The plough train got as far as Scarth and stuck. They sent soldiers with flamethrowers, if you please, and all that
did was to glaze it. A jet engine on a wagon, they tried, from the aerodrome. The drift at the cutting was thirty
feet, and it laughed at them.

There were ninety of us shut in, and one who did not belong. Mr Pask had come up to pay out the last families and
could not get down again. So there he was at the Drovers, week upon week, with his tin box and nobody to charm but
Bessie's cat.

We ran short of flour first, then paraffin, then candles. Miss Lumb burned the desks one by one, beginning with the
dunces'. Mr Pell gave up the hymn books of the chapel people. He did ask them. We all moved into kitchens and lived
like badgers, nose to tail.

Jos Haigh dug for his sheep with a hazel rod, feeling for the soft place where the breath had melted a chimney. Some
he found alive after twenty days, having eaten each other's wool. He lost eight hundred. He came in and put his hat on
the counter and asked for a stamp.

Old Hannah Rudd died in the second week and we could not bury her. The ground rang like an anvil. Father made the
coffin and stood it in the woodshed, with the door snibbed against foxes, and there she kept till March, poor soul,
better than the butter did.

An aeroplane dropped bread, a Dakota, so low you saw the man push the sacks. One went through the schoolroom roof.
There was a sack of mail as well, and that was mine, and I sorted it on the bed with my gloves on: seed catalogues,
every single one.

The lines came down like harp strings, one farm after another. By the end I had only three: the Hall, the inn, and the
vestry, because that went underground with the dam's own cable. Eighteen shutters, and fifteen of them dead. You have
no idea how loud that is.

He was bored, you see. He offered to help with the school accounts and Miss Lumb would not have it, so he asked her to
help with his. It was vanity. He wanted someone to admire the hand. He wrote a beautiful copperplate, in violet ink,
in two ledgers.

One ledger was red and one was green. She was only given the green. But she had known since she was a girl what every
field in that dale was worth, and what each family had been paid, because they told her. The columns did not agree.
She went on ruling lines.

What he did was simple, she told me. He wrote a hundred and forty in the book for Kirkhaven and gave the widow ninety.
She signed with a cross, or she signed without her spectacles. Forty-one houses. It came to more than the whole of the
box.

The red one was the true one. A thief has to keep one honest book somewhere, or he loses count of himself, that was
Agatha's saying. She meant to have it. She was sixty-two and weighed seven stone, and she started visiting Bessie to
learn bezique.

How did I come to know? She told me through the board. She rang from the Hall, where she had gone to borrow a novel,
and she spoke in Latin, which she had taught me, because Mr Pask's receiver at the inn could be up. 'Habeo librum,'
she said. I have the book.

She wrote it all out fair on foolscap, eleven sheets, with the sums. It wanted taking to the town clerk at Kirkhaven,
and the road was shut. Whoever took it would have to go over Hagg Edge on foot, nineteen miles, with the cornices
ready to fall. She asked me who was strong.

Wilfred she would not trust with it, and she would not tell me why. I was angry. I said my brother had fought the
Japanese for her. She patted my arm. 'He drives the car, Nora,' she said, 'and who do you suppose carries the bag?' I
did not speak to her for two days.

We made skis from barrel staves, with the straps of my old satchel. I say we. It was somebody clever with his hands.
He soaked the ends in the copper to turn them up, and rubbed them with church wax, and fell down the whole of the
glebe field, laughing.

No, I don't believe I mentioned a name. I said somebody. There were ninety people in that village, Sergeant, and a
good many had hands. Is that clock of yours right? My bus goes at ten past, and since the cuts it's the last till
four.

Then the wind went round. It was the tenth of March, and in the night I heard a dripping, and thought someone had left
the tap. In the morning the whole valley was moving, grey and groaning, every gutter spouting. Bridges went. We'd
prayed for it, and it was worse than the frost.

You want the eighteenth. Everybody always does. I have told you that I was at the board and that there was no call. I
would sooner talk about it another time. I've a chill coming. A person can be cold, you know, even in a year like this
one.

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
