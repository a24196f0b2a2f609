// @ts-check
/**
 * The archive of the drowned village of Ollerby, part 1 of 3. In the drought of 1976 a body is found in the bed of a reservoir.
 *
 * Each recording has a line `@ date | time | who is seen | figure, hair, cloth, headgear`, followed by its clips in order.
 */

export const LOW_WATER_1 = `
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
`;
