// @ts-check
/** Five Letters, the words: a selection of everyday English words. */

/** Any of these can be hidden. */
export const WORDS = `
about above actor adapt admit adult after again agent agree ahead alarm album alert alike alive allow alone
along aloud alter amber among angel anger angle angry ankle apart apple apply april arena argue arise armor
arrow aside asset attic audio avoid awake award aware awful bacon badge badly baker basic basin basis beach
beard beast begin being below bench berry birth black blade blame blank blast blaze blend blind block blood
bloom board boast bonus boost booth bored bound brain brand brass brave bread break brick bride brief bring
broad broom brown brush build bunch burst buyer cabin cable camel candy canoe carry carve catch cause cedar
chain chair chalk charm chart chase cheap check cheek cheer chess chest chief child chill china choir chord
chose civil claim clash class clean clear clerk click cliff climb clock close cloth cloud clown coach coast
color comet comic coral couch cough could count court cover crack craft crane crash crazy cream creek crisp
cross crowd crown crumb crush curve cycle daily dairy daisy dance death delay dense depth diary dirty ditch
diver dizzy doing donor doubt dough dozen draft drain drama dream dress dried drift drink drive drove dusty
dwarf eager eagle early earth easel eight elbow elder elect empty enemy enjoy enter entry equal erase error
essay event every exact exist extra fable faint fairy faith false fancy fault feast fence ferry fever fiber
field fifth fifty fight final first flame flash fleet flesh float flock flood floor flour fluid flute focus
foggy force forge forth forty found frame fresh front frost fruit fudge funny fuzzy gauge ghost giant given
glass gleam globe glory glove going goose grace grade grain grand grape graph grass grave great green greet
grief grill group grown guard guess guest guide guilt habit happy harsh haste hatch heart heavy hedge hello
hence hobby honey honor horse hotel hound house human humor hurry ideal image index inner input issue ivory
jelly jewel joint jolly judge juice jumbo kayak kitty knife knock known label labor large laser later laugh
layer learn lease least leave lemon level lever light limit linen liver lobby local lodge logic loose lover
lower loyal lucky lunar lunch magic major maker maple march marsh match maybe mayor medal melon mercy merge
merit merry metal meter might minor minus mixed model moist money month moral motor mount mouse mouth movie
muddy mummy music naval nerve never newly night noble noise north novel nurse nylon oasis occur ocean offer
often olive onion opera orbit order other otter ought outer owner paint panel panic paper party paste patch
pause peace peach pearl pedal penny phase phone photo piano piece pilot pinch pizza place plain plane plant
plate plaza point polar porch pouch pound power press price pride prime print prize proof proud prove pulse
punch pupil puppy purse queen query quest quick quiet quilt quite quote radar radio raise rally ranch range
rapid ratio raven razor reach react ready realm rebel refer relax reply rhyme rider ridge rifle right rigid
rival river roast robin robot rocky rough round route royal ruler rural salad salty sandy sauce scale scare
scarf scene scent scold scoop score scout scrap screw seven shade shake shame shape share shark sharp sheep
sheet shelf shell shift shine shiny shirt shock shoes shore short shout shown shrub sight silly since sixth
sixty skate skill skirt skull slate sleep slice slide slope small smart smell smile smoke snack snail snake
sneak solar solid solve sorry sound south space spare spark speak spear speed spell spend spice spicy spill
spine split spoke spoon sport spray squad stack staff stage stain stair stake stamp stand stare start state
steak steal steam steel steep stick still sting stock stone stool store storm story stove straw strip study
stuff style sugar suite sunny super surge swamp swarm sweat sweep sweet swift swing sword table taste teach
tempo thank theme there thick thief thing think third thorn those three throw thumb tiger tight timer title
toast today token tooth topic torch total touch tough towel tower trace track trade trail train trash tread
treat trend trial tribe trick troop truck truly trunk trust truth tulip twice twist ultra uncle under union
unity until upper upset urban usual vague valid value valve vapor vault video visit vital vivid vocal voice
voter wagon waist waste watch water weary weave wedge weigh whale wheat wheel where which while white whole
whose widow width wired witch woman world worry worth would wound wreck wrist write wrong yacht yeast yield
young youth zebra
`.trim().split(/\s+/);

/** These are never hidden, but they are words: a guess may be one of them. */
const MORE = `
abbey abbot abide abode abort abuse abyss ached aches acids acorn acres acted acute adage added adieu admin
adobe adopt adore adorn aegis affix afoot agape agate agile aging aglow agony aided aides ailed aimed aisle
algae alibi alien align alley allot alloy aloft aloof alpha altar amass amaze amend amiss ample amuse angst
anime annex annoy antic antsy anvil aorta apron aptly arbor ardor areas arias armed aroma arose array arson
artsy ashen ashes asked askew atlas atoms atone attar audit aunts aunty avail avert avian awash awoke axiom
azure babes backs baggy bails baked bakes balls balmy bands bandy banjo banks barbs bared barge barks barns
baron based bases baste batch bathe baths baton bayou beads beady beaks beams beans bears beats beech beefy
beeps beers beets befit began beget begun beige belie belle bells belly belts bends beret berth beset bible
bikes bills binds binge bingo bison bites bleak bleat bleed bleep blimp bling blink bliss blitz bloat blobs
blond blown blows bluer blues bluff blunt blurb blurs blurt blush boars boats bogus boils bolts bombs bonds
boned bones bongo books boots booty booze borax bores borne bosom bossy botch bough bouts bowed bowel bowls
boxed boxer boxes brace braid brake brash brats brawl brawn breed brews briar bribe brims brine brink briny
brisk broil broke brood brook broth brows brunt brute bucks buddy budge buggy bugle built bulbs bulge bulks
bulky bulls bully bumps bumpy bunks bunny buoys burly burns burnt burps burro bushy busts busty butte butts
buzzy bylaw bytes cabby cacao cache cacti cadet cafes caged cages cagey cakes calls calms calve camps canal
caped caper capes cared cares caret cargo carol carts cased cases caste casts catty caulk caves cavil cease
ceded cello cells cents chafe chaff champ chant chaos chaps chasm chats cheat chefs chews chewy chick chide
chili chime chimp chins chips chirp chive chock choke chomp chops chore chuck chugs chump chums chunk churn
chute cider cigar cinch circa cited cites civic clack clamp clams clang clank claps claws clays cleat cleft
cling clink clips cloak clods clogs clone clots clout clove clubs cluck clued clues clump clung coals coats
cobra cocky cocoa codes coils coins colds colon colts comas combs comes comfy comma conch coned cones conic
cooks cools coops copes copse cords cored cores corgi corks corny corps costs coupe coups coven coves covet
cowed cower coyly cozen cramp crank crate crave crawl craze creak credo creed creep creme crepe crept cress
crest crews cribs cried crier cries crime crimp croak crock crony crook crops crude cruel cruet crust crypt
cubes cubic cubit cuffs cumin cupid curbs curds cured cures curls curly curry curse curvy cushy cutie cutup
cyber cynic daddy dames damps dandy dared dares darts dated dates datum daunt dawns dazed dazes deals dealt
deans dears debit debts debug debut decal decay decks decor decoy deeds deems deeps deers deity delta delve
demon demos demur denim dents depot derby deter detox deuce devil dials diced dices diets digit dimes dimly
dined diner dines dingo dingy disco discs dishy disks ditto ditty divan dived dives docks dodge dodgy dogma
doily doled dolls dolly domed domes donut dooms doors doped dopey doses dotes dotty doves dowdy dowel downs
downy dowry dozed dozes drabs drags drake drank drape drawl drawn draws dread drier dries drill drips droll
drone drool droop drops dross drown drugs druid drums drunk dryer dryly ducks ducts dudes duels duets dukes
dummy dumps dumpy dunce dunes dunks duped dusks dusky dusts duvet dwell dwelt dying earls earns eased eases
eaten eater eaves ebony edged edges edict edify eerie egret eject elate elegy elfin elite elope elude elves
email embed ember emcee emery emits emote enact ended endow ennui ensue envoy epics epoch epoxy equip erect
erode erupt ether ethic ethos evade evens evict evils evoke exalt exams excel exert exile exits expel extol
exude exult eying faced faces facet facts faded fades fails fairs faked fakes falls famed fangs farce fared
fares farms fatal fated fates fatty fauna favor fawns faxed feats feeds feels feign feint fells felon femur
fends feral fetal fetch fetid fetus feuds fewer fiend fiery fifes filed files filet fills filly films filmy
filth finch finds fined finer fines fired fires firms fists fitly fives fixed fixes fizzy fjord flack flags
flair flake flaky flank flaps flare flask flats flaws fleas fleck flees flick flier flies fling flint flips
flirt flits flogs flops flora floss flout flown flows flubs flues fluff fluky flung flunk flush flyer foams
foamy focal foils foist folds folks folly foods fools foray fords forgo forks forms forte forts forum fouls
fount fours foxes foyer frail franc frank fraud frays freak freed freer frees friar fried fries frill frisk
frizz frock frogs frond frown froze frump fuels fugue fully fumed fumes funds fungi funky furor furry fused
fuses fussy futon gaily gains gaits gales gamer games gamma gangs gaped gapes garbs gases gasps gates gauze
gauzy gavel gawky gazed gazes gears geeks geese genes genie genre gents germs ghoul giddy gifts gills gilts
girls girth giver gives glade gland glare glaze glens glide glint gloat gloom gloss glows glued glues gnash
gnats gnome goals goats godly golds golem goner gongs goods gooey goofy gored gorge gouge gourd gowns grabs
graft grams grasp grate gravy graze greed grids grime grimy grind grins gripe grips grist grits groan groin
groom grope gross grove growl grows grubs gruel gruff grunt guava guild guile guise gulch gulfs gully gulps
gumbo gummy guppy gusto gusts gusty gutsy hails hairs hairy halls halos halts halve hands handy hangs hardy
harem hares harms harps harpy harry hasty hated hater hates hauls haunt haven havoc hawks hazel heads heady
heals heaps heard hears heath heats heave heels hefty heirs heist helix helms helps herbs herds heron hertz
hides hiked hiker hikes hills hilly hilts hinge hints hippo hired hires hitch hives hoard hoary hoist holds
holed holes holly homed homes homey honed hooks hoops hoots hoped hopes horde horns hosed hoses hosts hotly
hours hover howdy howls hubby huffs hulks hulls humid humps humus hunch hunks hunts hurls hurts husks husky
hutch hydra hyena hymns hyper icier icily icing icons idiom idiot idled idler idles idols igloo imbue impel
imply inane inbox incur inept inert infer ingot inked inlay inlet intro irate irked irons irony isles islet
itchy items jacks jaded jails jaunt jazzy jeans jeeps jerks jerky jests jetty jiffy joins joist joked joker
jokes jolts joust judgy juicy jumps jumpy junks juror karma kebab keels keeps kicks kills kilns kilts kinds
kings kiosk kites knack knave knead kneel knees knelt knits knobs knoll knots knows koala kudos laced laces
lacks laden ladle lakes lamas lambs lamps lance lands lanes lanky lapel lapse larch lards larks larva lasso
lasts latch lathe latte lawns laxer leads leafy leaks leaky leans leant leaps leapt leash leech leeks lefty
legal lemur lends leper liars libel licks liege liens lifts liked liken likes lilac limbo limbs limes limps
lined liner lines lingo links lions lipid lists lithe lived liven lives llama loads loafs loamy loans loath
lobes locks locus lofts lofty login logos loner longs looks looms loons loops loopy loots lords lores lorry
loser loses lotto lotus louse lousy loved loves lowly lucid lulls lumen lumps lumpy lunge lurch lured lures
lurid lurks lusty lutes lying lymph lyric macaw macho macro madam madly mafia magma maids mails mains maize
males malls malts mambo mamma mango mangy mania manic manly manor marks marry masks mason masts mates mauve
maxim meals mealy means meant meats meaty medic meets melee melts memes memos mends menus meows mesas messy
metro micro midst miles milks milky mills mimed mimes mimic mince minds mined miner mines mingy minim mints
minty mirth miser missy mists misty miter mites mitts mixer mixes moans moats mocha modal modem modes molds
moldy moles momma mommy monks moods moody moons moors moose moped mopes moron morph mossy motel moths motif
motto mound mourn moved mover moves mowed mower mucky muffs mulch mules munch mural murky mused muses mushy
musky mussy musts musty muted mutes mutts muzzy myrrh myths nacho nails naive naked named names nanny nappy
nasal nasty natal navel nears necks needs needy neigh nerds nerdy nervy nests newer newsy newts nicer niche
niece nifty ninja ninth nobly nodes nomad nooks noose nosed noses notch noted notes nouns nudge nulls numbs
nutty nymph oaken oaths obese obeys octet oddly odors offal ogled ogres oiled olden older omega omens omits
onset oozed oozes opals opens opine opium opted optic organ ounce outdo ovals ovary ovens overt owing owned
oxide ozone paced paces packs pacts paddy padre pagan paged pager pages pails pains pairs paled paler pales
palms palsy panda panes pansy pants papal paras parka parks parry parse parts pasta pasty paths patio patsy
patty paved paves pawed pawns payed payee payer peaks peaky pears peats pecan pecks peeks peels peeps peers
peeve penal pence perch peril perks perky perms pesky pests petal petty phony picks picky piers piety piggy
pikes piled piles pills pined pines pinks pinky pints pious piped piper pipes pique pitch pithy pivot pixel
pixie plaid plait plank plans plays plead pleas pleat plied plier plies plods plots plows ploys pluck plugs
plume plump plums plunk plush poach pocks podia poems poets poise poked poker pokes poles polio polka polls
polyp ponds pools popes poppy pored pores ports posed poser poses posse posts potty pours pouts pouty prank
prawn prays preen preps preys prick pried pries primp prior prism privy probe prods promo prone prong props
prose prowl prows proxy prude prune psalm puffs puffy pulls pulps pulpy pumas pumps punks punts pupae puree
purer purge purrs pushy putts putty pygmy pylon pyres quack quail quake qualm quark quart quash quasi queer
quell queue quill quips quirk quota quoth rabbi rabid raced racer races racks radii radon rafts raged rages
raids rails rains rainy raked rakes ramps randy ranks rants rarer rased rated rates ratty raved raves rayon
razed reads reals reams reaps rears rebar rebus rebut recap recur reeds reefs reeks reels refit regal reign
reins relay relic remit remix renal rends renew rents repay repel resin rests retro retry reuse revel revue
rhino rices rides rigor riled rinds rings rinks rinse riots ripen riper risen riser rises risks risky rites
ritzy roads roams roars robed robes rocks rodeo rogue roles rolls roofs rooks rooms roomy roots roped ropes
roses rosin rotor rouge rouse routs roved rover rowdy rowed rower ruddy ruder rugby ruins ruled rules rumba
rumor rumps runes rungs runny runts rupee ruses rusts rusty saber sable sadly safer safes sagas sages saggy
sails saint sakes sales salon salsa salts salve salvo sands saner sassy satin satyr saucy sauna saute saved
saver saves savor savvy sawed saxes scabs scald scalp scaly scamp scams scans scant scars scary seals seams
seamy sears seats sects sedan sedge seeds seedy seeks seems seeps seine seize sells sends sense sepia serge
serum serve setup sever sewed sewer sexes shack shady shaft shaky shale shall shalt shams shank shard shave
shawl shear sheds sheen sheik shied shies shins ships shire shirk shoal shone shook shoot shops shorn shots
shove shows showy shred shrew shrug shuns shush shuts shyly siege sieve sighs sigma signs silks silky sills
silos silts sinew singe sings sinks siren sissy sitar sited sites sixes sized sizes skein skews skids skied
skier skies skiff skimp skims skins skips skits skulk skunk slabs slack slain slams slang slant slaps slash
slats slave slays sleds sleek sleet slept slick slily slime slimy sling slink slips slits slobs slosh sloth
slots slows slugs slump slums slung slunk slurp slurs slush slyly smack smash smear smelt smirk smite smith
smock smoky smote snags snaps snare snarl sneer snide sniff snipe snips snobs snoop snoot snore snort snots
snout snows snowy snubs snuck snuff soaks soaps soapy soars sober socks sodas sofas softy soggy soils soled
soles solos sonar songs sonic sooth sooty sorts souls soups soupy sours sowed spade spank spans spars spasm
spawn speck specs spent spied spiel spies spike spiky spins spiny spire spite splat spots spout spree sprig
spuds spurn spurs spurt squat squib squid stabs stags staid stale stalk stall stank stars stash stats stave
stays stead steed steer stems steno steps stern stews sties stiff stilt stink stint stirs stoic stoke stole
stomp stood stoop stops stork stout stows strap stray strew strum strut stubs stuck studs stump stung stunk
stuns stunt suave sucks suede suing suits sulks sulky sully sumac sumps sunup surer surfs surly sushi swabs
swami swans swaps swash swath sways swear swell swept swill swims swine swipe swirl swish swoon swoop swore
sworn swung synod syrup tabby taboo tacit tacks tacky tacos taffy tails taint taken taker takes tales talks
talky tally talon tamed tamer tango tangy tanks taped taper tapes tapir tardy tarot tarts tasks tasty tatty
taunt tawny taxed taxes taxis teams tears teary tease teddy teens teeth tells tempt tends tenet tenor tense
tenth tents tepee tepid terms terse tests testy texts thaws theft their thigh thins thong throb throe thugs
thump thyme tiara tibia ticks tidal tided tides tiers tiffs tilde tiled tiles tills tilts timed times timid
tinge tings tinny tints tipsy tired tires titan tithe toads toddy toffy togas toils tolls tombs tomes toned
toner tones tongs tonic tools toons topaz tores torso torte tossy toted totem totes touts towed toxic toxin
toyed tract trait tramp traps trawl trays tress triad trice tried tries trill trims trios tripe trips trite
troll tromp trope trots trout trove truce trump truss tryst tubas tubby tubed tuber tubes tucks tufts tulle
tummy tumor tunas tuned tuner tunes tunic turbo turfs turns tusks tutor tutus twang tweak tweed tweet twigs
twine twins twirl twits tying typed types typos udder ulcer umbra unfed unfit unify unite units unlit unpin
unsay untie unwed unzip urged urges urine usage users usher using usurp utter vases vaunt veers vegan veils
veins veldt venal vends venom vents venue verbs verge verse verve vests vexed vexes vials vibes vicar vices
views vigil vigor villa vines vinyl viola viper viral virus visas visor vista vixen vogue voids volts vomit
voted votes vouch vowed vowel vying wacky waded wader wades wafer waged wager wages waifs wails waits waive
waked waken wakes walks walls waltz wands waned wanes wants wards wares warms warns warps warts warty washy
wasps waved waver waves waxed waxen waxes weans wears webby weeds weedy weeks weeps weird welds wells welts
wench wends whack wharf wheal whelp whiff whims whine whiny whips whirl whirs whisk whist whoop wicks widen
wider wield wikis wilds wiles wills wilts wimps wimpy wince winch winds windy wined wines wings winks wiped
wiper wipes wires wiser wisps wispy witty wives wizen woken wolfs wombs women woods woody wooed woozy words
wordy works worms wormy worse worst woven wowed wraps wrath wreak wrens wring wrote wrung wryly yanks yards
yarns yawns yearn years yells yelps yodel yokel yokes yolks yours yucca yummy zappy zeros zesty zilch zippy
zonal zoned zones zooms
`.trim().split(/\s+/);

const ALL = new Set([...WORDS, ...MORE]);

/** The game knows this word. @param {string} word */
export function isWord(word) {
  return ALL.has(word);
}

/** Puzzles have numbers from 1 to this. */
export const PUZZLES = 99;

/** The next hidden word of a puzzle. @param {import('../../kit/random.js').Stream} r of the puzzle */
export const answer = (r) => r.pick(WORDS);
