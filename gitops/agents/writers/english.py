"""English words by what they do in a sentence: which are no topic, which open one that cannot stand alone."""

from __future__ import annotations

from gitops.agents.writers.phrases import key

_NOUNS = """
ability about account actually addition advice african age aim air am american amount answer anyone anything
approach arabic area argument around article asian aspect attention author average back bag balance band bar bars
base basis batch beginning bench best better big bit black block blue board body book bottle bottom bowl box break
brew bright british brown build building business buyer call calm case cause cent center centre century chance
change character check chinese choice class clean clear clock close cm cold color colour combination common commonly
company comparison compound concept concern condition contact content context control cool copy corner cost counter
country couple course cover cup curve customer cut dark date dawn day deal decade deep degree demand depth detail
development difference different difficult difficulty direction discussion distance door dozen drink drinker
drinking drop dry dutch early eastern easy edge effect effort eg eight element end english english-language entirely
entry error especially estimate etc european evening event everyone everything evidence exactly example experience
expert explanation extent eye face fact factor family feature feeling few field figure file final fine finest finish
first five flavor flavour floor focus food foot form formula four fraction free french fresh friend front full fully
function further future gap general generally german good grade gram great greek green ground group growth guess
guest guide habit half hand hard head health heart heat heavy help high highly hint hold home honestly hot hour
house hundred idea ie image impact important improvement increase indian information instance interest issue italian
item japanese job journey key kg kind km knowledge korean lab label lack land language large last late latin law
layer lead leaf length lesson level life lift light limit line link list liter litre little local long loss lot low
machine main maintain major maker man manner margin mark market mass master material matter maximum meaning means
measure medium meeting member memory menu message method mg middle milligram million min mind minimum minor minute
mistake mix ml model modern moment money month morning move movement name natural naturally nature near nearly need
new night nine nobody northern nose note nothing number object odd office often old older once one opening opinion
option order origin original other oz page pair paper part particle particular particularly parts party past path
pattern people per percent percentage period person phase picture piece pinch place plan plant pm point pool popular
portuguese position possibility possible potential power practice presence present pressure price problem process
producer product production profile program progress project property purpose quality quantity quarter question
quick quote range rate ratio reach reader reading ready real really reason recent recipe record red reference region
regular relation relationship relatively remark report research response rest result rich right rise risk role roll
roman room roughly round rule run russian sale same sample scale scene schedule science screen season sec second
section sense sentence series serving session set setting seven shape share sharp shelf shift shop short shot show
side sign similar simple simply single site situation six size slide slightly slow small smell smoke smooth society
soft solid somebody someone something sort sound source southern space spanish special species specific spot spread
stage standard star start state statement station stay steady step still stop store story strategy street strength
stretch strong structure stuff style subject substance success sum summary supply support surface surprise sweet
system table talk target task taste team technique temperature ten term test text thick thin thing third thought
thousand three time tin tip title today tone tool top total touch town trace track trade traditional transcript
trend trial trick trip trouble true truly turkish turn two type typical typically unit usage use user usual usually
value variation variety version video view visit voice volume vs wait walk wall warm waste watch water way week
weekend weight western while whisk white whole wide window word work worker world wrong yard year yellow yield young
younger zone
"""
_VERBS = """
add adding agree allow appear ask asking based become becoming begin beginning being believe bring bringing buy
buying call called calling care carry change changing choose come coming compare considered contain containing
continue cost count cover create deal decide depend depending describe described develop developed differ doing
drink drinking drive eat eating encourage end enjoy ensure expect explain fall feel fill find finding finish follow
following found get getting give given giving go going grow growing grown happen having held help hold holding
improve include including keep keeping kept know knowing known lead learn leave leaving led left let letting like
list listen live living look looking lose losing lost love made make making mean meaning meant measure meet mention
move moving need needing notice offer offering open opening paid pay paying place plan play playing point pour
pouring produce produced producing provide providing pull pulling push put putting raise reach reaching read reading
reduce remain remove require required rest return run say saying see seeing seem sell selling send sending serve
serving set setting share show showing shown sit sitting sold speak spend spent stand standing start starting stay
staying stop stopping suggest take taken taking talking taste teach tell telling tend tending think thinking thought
throw told travel tried try trying turn turned turning understand understanding understood use used using wait
waiting walk walking want wanting watch watching wear win wish work working worry write writing
"""
_BASES = """
accept accompany account achieve act adapt add adjust admit adopt advance affect agree aim allow alter amount
announce answer appear apply approach argue arise arrange arrive ask assume attach attract avoid bake balance ban
base bear beat become begin behave believe belong bind blend block blow boil border borrow brew bring build burn
call capture care carry cast cause change charge charm check choose cite claim clean clear climb close collapse
collect combine come compare compete complete comprise concern conclude conduct confirm connect consider consist
constitute consume contain continue contribute control convert cool correct correspond count cover crack create
cross cultivate cure cut date deal decide decline decrease define delay deliver demand demonstrate depend derive
describe deserve design destroy determine develop die differ digest discover discuss display dissolve distinguish
divide dominate double draft drag drain draw drift drink drive drop dry dull earn ease eat educate elect emerge emit
employ enable encourage end endure engage enhance enjoy ensure enter equal escape establish evaluate evolve examine
exceed exchange exclude exist expand expect experience explain explore export express extend extract face fade fail
fall favor favour feature feed feel ferment fight fill filter find finish fit fix flatten float flow fly follow
force form found fuel function gain gather generate give glance go govern grade grind group grow guarantee guide
halt handle happen harm harvest hate have head heal hear heat help hide hinder hit hold honor host house hover
identify ignore illustrate imagine impact import improve include increase indicate influence inform inhabit inherit
inhibit insert insist inspire install intend interact introduce invent invest investigate invite involve issue join
judge jump keep kick kill knock know label lack land last launch lay lead leak learn leave lend lift light limit
line linger link list live load locate lock lodge look lose lower maintain make manage mark marry mask match matter
mean measure meet melt mention merge migrate mill mimic miss mix modify monitor move multiply name narrow need
neglect nudge obey observe obtain occupy occur offer open operate oppose order originate outweigh overtake owe own
oxidise oxidize pack paint participate pass pay peak perceive perform permit persist pick place plan plant play
please point pour practice precede predict prefer prepare present preserve press prevent print proceed process
produce promise promote protect prove provide publish pull pulse purchase push put quadruple qualify question
quicken raise range rank rate reach react read realize receive recognize recommend record recover reduce refer
reflect refuse regard regulate reject relate relax release rely remain remember remove render repeat replace reply
report represent require resemble resist resolve respect respond rest restore result resume retain return reveal
reverse revive reward ring rise risk roast roll rotate rule run satisfy save say scale scatter score seal search
secure see seek seem sell send separate serve set settle shape share shift shine shorten show shrink sidestep sign
signal signify sing sink sip sit slacken sleep slide slip slow smell smooth soften solve sort sound span speak
specify spell spend spin split spoil spread spring squeeze stabilize stain stand start state stay steam steep stem
step stick stimulate stir stop store strengthen stretch strike study stunt submit succeed suffer suggest suit supply
support surround survive suspend sustain swallow sweep swell switch symbolize tackle take talk target taste teach
tear tell tend test thank thicken think thrive throw tie tolerate total touch trace track trade train transfer
transform translate transport travel treat trigger triple trust try turn undergo understand undertake unite urge use
vanish vary view visit voice vote wait wake walk want warm warn wash waste watch water weaken wear weigh welcome
widen win wish withdraw withstand wonder work worry worsen write yield
"""
_FORMS = """
am are aren't ate be beat became been began begun being blew bore bought bound broke brought built burnt came can
can't cannot cast chose clung cost could couldn't crept cut dealt did didn't does doesn't don't done drank drew
drove fed fell felt fled flew forbade forgot fought found froze gave given gone grew ground grown had hadn't has
hasn't haven't heard held hid hit hurt is isn't kept knew known laid lay learnt led left lent let lit lost made may
meant met might must paid proved put ran rang read rode rose said sang sank sat saw seen sent set sewed shall shone
shook shot should shouldn't showed shrank shut slept slid sold spent split spoke sprang spread spun stole stood
strode strove struck stuck swam swelled swept swore swung taken taught thought threw thrived thrown told took trod
understood undertook upheld upset was wasn't went wept were weren't will withdrew withheld withstood woke won won't
wore would wouldn't wound woven written wrote
"""
_POINTERS = """
accordingly additionally afterward afterwards again also although and another anything because being besides both
but consequently consider conversely either else everything except finally furthermore he hence her here him his how
however i i'll i'm i've if imagine instead it it's its just later let let's likewise me meanwhile mine moreover my
neither nevertheless next no nonetheless nor not note now once or other others otherwise our ours please pull
remember say see she similarly so still such that their theirs them then there therefore these they think this those
though thus together too us we we'd we'll we're we've welcome what when where which while who whom whose why yes yet
you you'll you're you've your yours
"""
_IMPERATIVES = """
add ask avoid buy choose come create do don't drink enjoy find get give go grab keep learn lift look make mix open
order pick place pour put reach read run save serve sip skip slow start stir stop store take tell try turn use visit
wait wash watch whisk write
"""
_LITTLE = """
a an and are as at by for from in into is of on or per than the to with
"""
_CALENDAR = """
april august autumn december february friday january july june march may monday november october saturday september
spring summer sunday thursday tuesday wednesday winter
"""
_DIRECTIONS = """
central east eastern lower new north northern south southern upper west western
"""
_COPULAS = """
are began belongs comes consists contains describes has have is means refers was were works
"""

PLAIN = frozenset(map(key, (*_NOUNS.split(), *_VERBS.split())))
"""Keys of words that come back in any text: of time, measure, kind, talk. None is a topic by itself."""
VERBAL = frozenset(map(key, _VERBS.split()))
"""Keys of those that end or begin no term."""
POINTERS = frozenset(_POINTERS.split())
"""A sentence that opens with one of these leans on what stood before it, or talks to its reader."""
ORDERS = frozenset(_IMPERATIVES.split())
"""With these a sentence begins that tells the reader what to do."""
LITTLE = frozenset(_LITTLE.split())
"""Words that are part of no name and no term."""
CALENDAR = frozenset(_CALENDAR.split())
"""Months, days and seasons: capitalised, and no names."""
DIRECTIONS = frozenset(_DIRECTIONS.split())
"""What makes another place of a place: South Asia is not Asia."""
COPULAS = frozenset(_COPULAS.split())
"""What follows the subject of a sentence that says what something is."""


def _inflected(base: str) -> tuple[str, str]:
    """A regular verb's forms with an ending: wants, wanted; carries, carried."""
    if base.endswith("y") and base[-2] not in "aeou":
        return base[:-1] + "ies", base[:-1] + "ied"
    past = base + ("d" if base.endswith("e") else "ed")
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s"), past


BARE = frozenset(_BASES.split())
"""Verbs without an ending: many of them are nouns, too."""
INFLECTED = frozenset((*_FORMS.split(), *(form for base in BARE for form in _inflected(base))))
"""Forms with an ending, and irregular ones. What has neither these nor a bare one is no sentence."""
