"""Small word lists of English: what is common, what means the same, what means the opposite, what is irregular.

Every list is short enough to be read. Words stand in their base form; `words.stem` makes them comparable.
"""

from __future__ import annotations


def listed(words: str) -> tuple[str, ...]:
    """The words of a list."""
    return tuple(words.split())


def groups(listed: str) -> list[list[str]]:
    """The groups of a list: words between semicolons."""
    return [group.split() for group in listed.replace("\n", " ").split(";") if group.strip()]


FUNCTION = frozenset(
    listed(
        """
    a an the this that these those some any each every either neither both such same other another i me my mine
    myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
    ourselves they them their theirs themselves one who whom whose which what and or but nor so yet if then else
    than as because since while whereas although though unless until whether of in on at by for with from to
    into onto upon over under above below between among through during before after about against along around
    across behind beside besides beyond near off out up down toward towards via within without per like except
    despite be am is are was were been being do does did done doing have has had having will would shall should
    can could may might must ought cannot ain't not no n't never none nothing nobody nowhere there here where
    when why how also too very just only even still again ever once now later often more most much many less
    least few several all half own well quite rather almost nearly however therefore thus hence meanwhile
    moreover furthermore instead etc s t d ll ve re m
    """
    )
)
"""Words that carry grammar; the ones that change a meaning are looked at in `turns`."""

COMMON = frozenset(
    listed(
        """
    make take get give go come see know say tell use find think look want show seem become keep let put set turn
    work call try ask need feel leave move live believe bring happen write provide sit stand lose pay meet
    include continue learn change lead understand follow stop create speak allow add spend grow open walk offer
    remember consider appear serve expect stay reach remain suggest raise pass sell require report decide begin
    start play run help hold produce receive release announce state note describe know involve feature base name
    new old good great high low small large big long short own different important early late young few public
    able main major several various many current recent former common general certain whole full number part
    place case week month year day time way thing people man woman person life world group company member area
    end side kind home city country state first last next second well known know way result point name lot fact
    type form popular place world different people used
    """
    )
)
"""Content words so frequent that finding them in a source proves little."""

SYNONYMS = """
film movie picture motion-picture; begin start commence launch initiate open; end finish conclude terminate close
buy purchase acquire acquisition; sell sale; kill murder assassinate slay; die death dead decease pass-away; bear
birth win victory triumph victorious; lose defeat loss; defeat beat overcome; write author pen written writer; song
track record tune; album record lp; show program series programme; actor actress star performer cast; perform
performance singer vocalist; band group; publish release issue publication; create make produce build develop
establish found form founder creator co-founder; establish found set-up institute; company firm corporation business
enterprise job position post role; work employ employment; boss chief head leader director; lead head direct;
teacher educator instructor; teach instruct educate; school academy; student pupil; university college; doctor
physician; child kid son daughter; marry wife husband wed spouse marriage; parent father mother; brother sibling
sister; big large huge great massive; small little tiny minor; fast quick rapid swift; near close nearby adjacent;
important significant major key essential; difficult hard challenging; easy simple; famous well-known renowned
popular notable celebrated; rich wealthy; increase rise grow gain climb growth expand jump surge; decrease decline
fall drop reduce reduction lower shrink cut; get receive obtain gain earn; give grant award donate present; award
prize honor honour; choose select pick elect appoint name nominate; allow permit let enable; prevent stop block
avert; forbid ban prohibit bar; need require requirement; help assist aid support; show demonstrate reveal indicate
display; find discover identify detect; cause lead result produce trigger; use utilize employ usage; show exhibit;
say state claim assert tell announce declare; think believe consider regard; call name title dub known; includes
contain comprise consist; live reside dwell residence; house home residence; town city village municipality; country
nation state; area region zone district; road street highway route; car automobile vehicle; plane aircraft airplane;
ship vessel boat; attack assault strike raid; war conflict battle; soldier troop; army military; police officer;
crime offense offence; prison jail incarcerate; law legislation act statute; court tribunal; judge justice; vote
ballot poll election; money fund cash funding; cost price expense; pay payment; illness disease disorder condition
sickness; patient sufferer; drug medicine medication treatment therapy; treat therapy treatment; pain ache; food
meal; eat consume; drink beverage; game match; team club side squad; player athlete; season campaign; coach manager
trainer; goal score; debut premiere first-appearance; return come-back; leave depart exit resign quit departure;
join enter enroll; arrive reach come; travel journey trip; race ethnicity; woman female girl; man male boy; person
individual people; old elderly aged; young youth; anniversary birthday; also additionally; often frequently commonly
usually; about approximately roughly; entire whole full complete total; original initial first; former previous
prior ex; current present; later subsequent afterwards; annual yearly; daily everyday; million m; billion bn;
percent per-cent; american us usa united-states; british uk britain united-kingdom; english england; french france;
german germany; italian italy; spanish spain; chinese china; japanese japan; russian russia; canadian canada;
australian australia; indian india; european europe; nfl football; movie cinema; website site web; photo photograph
picture image; study research investigation trial; scientist researcher; test trial experiment; suggest propose
recommend; plan intend aim; reject refuse deny decline; accept agree approve approval; support back endorse; oppose
against opposition; change alter modify; replace substitute succeed; similar alike like comparable; different
distinct; combine merge merger unite; separate split divide; destroy demolish ruin; damage harm injure injury;
protect defend guard; danger risk hazard threat; safe secure; effect impact influence; critic reviewer review;
praise acclaim laud; criticize condemn denounce; location place site venue; base headquarter headquarters locate;
feature include star; sport athletics; origin originate derive come; type kind sort form variety; method approach
technique way; fish fishing; dance dancing; cook cooking cuisine; language tongue; book novel volume; story tale
narrative; character role; letter missive; picture painting; death mortality fatality; weight mass; height tall;
length long; age old; speed velocity; amount quantity; average mean; maximum max; minimum min; covid coronavirus
sars ncov; heart cardiac coronary; kidney renal; liver hepatic; lung pulmonary; cancer carcinoma tumor tumour
neoplasm malignancy; brain cerebral; vaccine vaccination immunization inoculation; smoking tobacco cigarette smoker;
obesity obese overweight; newborn neonate infant baby; pregnancy pregnant gestation; skin dermal; blood hematologic;
bone skeletal; fever febrile; diabetes diabetic; surgery surgical operation; flu influenza
"""
"""Groups of words close enough to answer for one another, a group between semicolons."""

OPPOSITES = """
increase decrease; rise fall; grow shrink; gain lose; gain loss; more fewer; more less; higher lower; high low;
above below; over under; up down; better worse; best worst; improve worsen; strengthen weaken; accelerate slow;
expand contract; raise lower; begin end; start stop; start finish; open close; accept reject; approve reject; allow
forbid; allow prevent; allow ban; permit prohibit; enable disable; support oppose; agree disagree; confirm deny;
include exclude; win lose; victory defeat; success failure; succeed fail; pass fail; love hate; like dislike; true
false; right wrong; correct incorrect; legal illegal; possible impossible; likely unlikely; safe dangerous; safe
unsafe; effective ineffective; positive negative; advantage disadvantage; benefit harm; cause prevent; first last;
early late; before after; old new; old young; ancient modern; former current; long short; large small; big small;
tall short; wide narrow; thick thin; heavy light; fast slow; hot cold; warm cool; wet dry; hard soft; hard easy;
difficult easy; rich poor; strong weak; full empty; hard gentle; rare common; common uncommon; popular unpopular;
usual unusual; public private; internal external; inside outside; north south; east west; northern southern; eastern
western; left right; top bottom; front back; male female; man woman; boy girl; father mother; son daughter; brother
sister; husband wife; king queen; alive dead; born die; marry divorce; join leave; arrive depart; enter exit; buy
sell; import export; borrow lend; send receive; push pull; attack defend; war peace; friend enemy; guilty innocent;
convict acquit; hire fire; appoint dismiss; employ unemployed; remember forget; majority minority; maximum minimum;
always never; everybody nobody; all none; with without; present absent; active inactive; single married; amateur
professional; domestic foreign; upper lower; major minor; deep shallow; clean dirty; day night; morning evening;
summer winter; spring autumn; add remove; create destroy; build demolish; fill drain; attract repel; appear
disappear; reveal conceal; visible invisible; known unknown; natural artificial; simple complex
"""
"""Pairs that can hardly both be true of one thing, a pair between semicolons."""

RISING = listed("increase rise grow climb jump surge soar gain growth")
FALLING = listed("decrease decline fall drop shrink plunge plummet slump dwindle lose")
"""Each of the one is the opposite of each of the other."""

IRREGULAR = """
go went gone; win won; write wrote written; begin began begun; make made; take took taken; say said; see saw seen;
come came; give gave given; get got gotten; know knew known; become became; leave left; find found; tell told; hold
held; keep kept; lead led; lose lost; meet met; pay paid; run ran; sell sold; send sent; sit sat; speak spoke
spoken; spend spent; stand stood; think thought; understand understood; wear wore worn; bring brought; build built;
buy bought; catch caught; choose chose chosen; draw drew drawn; drink drank drunk; drive drove driven; eat ate
eaten; fall fell fallen; feel felt; fight fought; fly flew flown; forget forgot forgotten; grow grew grown; hear
heard; hide hid hidden; lie lay lain; rise rose risen; sing sang sung; sleep slept; steal stole stolen; strike
struck; swim swam swum; teach taught; throw threw thrown; wake woke woken; break broke broken; bear bore born borne;
child children; man men; woman women; person persons people; foot feet; tooth teeth; mouse mice; life lives; wife
wives; half halves; leaf leaves; good better best; bad worse worst; shoot shot; show shown; die dying died; shrink
shrank shrunk; freeze froze frozen; bind bound; seek sought; lend lent; mean meant; deal dealt; beat beaten; forbid
forbade forbidden; analysis analyses; crisis crises; hypothesis hypotheses; bacterium bacteria; datum data;
criterion criteria; phenomenon phenomena; withdraw withdrew withdrawn; overcome overcame; undergo underwent
undergone; oversee oversaw overseen; spread spread; swear swore sworn; tear tore torn
"""
"""A base form and the forms that no rule leads back to it, between semicolons."""

MONTHS = listed(
    """
    january february march april may june july august september october november december
    """
)
"""The months in order."""
