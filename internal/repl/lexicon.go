package repl

// sentenceWords hold sentences together, or say how something went: no command line has
// one bare, but as the name of a file that is there.
func sentenceWords() string {
	return " " +
		"oops lol wtf omg hmm ugh damn damnit argh sigh " +
		"a about acts actually advice after again against ago ain't all already also alternative alternatives although always " +
		"am among an and annoying another answer answers any anyone anything anywhere appeared appears are aren't arent as " +
		"asked asks at awful bad basically basics be became because becomes been before began beginner beginners begins behaved " +
		"behaves being best better between both breaking breaks broke broken bug buggy bugs but by can can't cannot cant caused " +
		"causes cheatsheet clarify complained complains conflict conflicting conflicts confused confuses confusing constantly " +
		"correct correctly could could've couldn't couldnt crash crashed crashes crashing dangerous dead denied denies describe " +
		"described did didn't didnt difference differences difficult do documentation does doesn't doesnt doing don't done dont " +
		"dummies during each easier easily easy either else ended endless endlessly ends enough error errored erroring errors " +
		"ever every everyone everything everywhere example examples exited exits explain explained explaining explains " +
		"explanation fail failed failing fails failure failures fast faster feels felt few for forever freezes freezing from " +
		"froze frozen gave gets gives giving goes gone gonna good got gotta gotten great guide had hadn't hadnt hang hanging " +
		"hangs happened happens hard harder has hasn't hasnt hate hates have haven't havent having he hello helpful her here " +
		"here's hey hi him himself his horrible how how's however hung i i'd i'll i'm i've if im impossible in incorrect " +
		"infinite instead into is isn't isnt issue issues it it'll it's its itself just keeps kept later least less let's lets " +
		"like looked looks lost lot lots love loves made makes many may maybe me meaning means meant might mine missing more " +
		"most much must mustn't my myself necessary needed needless needs neither never newbie nice no none noob nope nor not " +
		"nothing now odd of often ok okay on only onto or other otherwise our ours over perhaps permission permissions please " +
		"pls plz possible practice practices printed prints problem problems properly question questions quick quicker quickly " +
		"quite randomly rather really recently refused refuses rejected rejects repeatedly returned returns right risky rocks " +
		"safe safely safer said same saying says scary seemed seems shall she should should've shouldn't shouldnt showed shown " +
		"shows since slow slower slowest slowish slowly so some someone something sometimes somewhere soon sorry sounds stalled " +
		"started starts still stinks stopped stops strange stuck such suck sucks suddenly syntax taken takes tells terrible " +
		"than thank thanks that that's thats the their them themselves then there there's these they this those though threw " +
		"through thrown throws thx timed timeout timeouts tips to today told tomorrow tonight too took tricks trouble troubles " +
		"tutorial tutorials unclear under understand understood unknown unless unnecessary unsafe until upon us usage useful " +
		"useless versus very vs wanna wanted wants warning warnings was wasn't wasnt we weird went were weren't werent what " +
		"what's whats when where where's whether which while who who's whom whose why will with without won't wont worked " +
		"working works worse worst would would've wouldn't wouldnt wrong yeah yep yes yesterday you you're your yours yourself "
}

// foreignWords are those of other languages that are most often next to a program's name.
// One alone may be a name; behind other bare words it is none.
func foreignWords() string {
	return " " +
		"al altijd as auf aus avec bei bij bitte ce cette che com come comment como con cuando cómo dans das del della dem den " +
		"der des die dlaczego du działa e een ein eine einen el en error es est está et ett falla fehl funciona fungerar " +
		"funktioniert funziona för für gehen geht gli het hoe hvordan hvorfor hängt ich ikke il im immer inte ist jak je jest " +
		"kaputt kein keine la las le les lo los ma marche me med mein mes met meu mi mia mich mijn minha mio mir mit mon muy " +
		"nach nao ne nel nicht nie niet no noch non nous não o och oder og ohne op os ou para pas per perché plus por porque " +
		"pour pourquoi quand quando que qué sans schlägt schon se sem sempre siempre sin sind son sono sont sur são toujours tu " +
		"um uma un una und une unos utan van varför virker vom voor vous waarom war warum was wat wenn werkt wie wir y yo " +
		"zonder zum zur ça é "
}

// proseWords are ordinary words of English, in their shortest form. One may be a name;
// two in one command are a phrase.
func proseWords() string {
	return " " +
		"able abort above accept access account across action active actual add address adjust admin advance affect agree aid " +
		"aim alert alias align allow almost alone along amount analyze announce api app appear append apply approach approve " +
		"archive area argue argument around arrange array arrive article aside assign assume attach attack attempt attend " +
		"author auto automatically available avoid aware away back background backup balance band bank base basic batch battery " +
		"beach bear beat beautiful behave behavior behaviour behind believe belong below benefit beside beyond big bill bin " +
		"binary bit black block blog blue board body boot border borrow bottom bounce box brain branch branches brand bring " +
		"brother browser budget buffer build bunch burn business busy button buy cache calculate call calm camera cancel car " +
		"card care carry case cat catch category cause celebrate center central century certain certificate chain chair chance " +
		"change channel chapter character charge chart chat cheap check child choice choose chunk circle city claim class clean " +
		"clear clever click client climb clock clone close cloud cluster coffee cold collect color colour column combine come " +
		"comfort command commands comment commit commits common community company compare compile compiler complete completely " +
		"complex compose comprehension compress compute computer concept concern condition config configuration configure " +
		"confirm connect connection consider consist console constant contact contain container containers content context " +
		"continue control conversation convert cook cool copy core corner corrupt cost count country couple course cover create " +
		"creation credential critical cross crowd cry current cursor custom customer cut cycle daily damage dance dark data " +
		"database date day deadline deal debug decide decision declare decorator deep default define definition delay delete " +
		"deletion deliver demand denial depend dependency deploy deployment design desk desktop destroy detail detect develop " +
		"developer development device dialog die differ different dig digit direct direction directory disable disappear " +
		"discover discuss disk dismiss display distance divide document dog domain door double doubt down downgrade download " +
		"draft drag draw dream drink drive driver drop dry dump duplicate duty eager ear early earn earth eat edge edit editor " +
		"effect effort eight elect element email emergency emit empty enable encode encourage encrypt end endpoint energy " +
		"engine engineering enjoy ensure enter entire entirely entry environment equal erase escape establish estimate evening " +
		"event evidence exact exam exceed except exception exchange exclude execute exercise exist exit expand expect expensive " +
		"experience expert expire expose extend extension extra extract eye face fact factor fall false familiar family famous " +
		"fan far favor favorite fear feature feed feedback feel fetch field fight figure file files filter final find fine " +
		"finger finish fire firewall firm fish fit fix flag flat flow fly focus folder follow food force foreign forget form " +
		"formal format forward foundation frame free frequent fresh friend front full fun function fund further future game " +
		"garbage garden gas gather general generate generation generic gift give glad global globally go goal gold grab grade " +
		"grant graph gray green greet ground group grow guess gun guy habit half hand handle happen happy hardware hash head " +
		"header headers health hear heart heat heavy height help helper hero hidden hide high highlight hint history hit hobby " +
		"hold hole home hook hope horse host hot hour house huge human hundred hurt idea identify identity idle ignore image " +
		"images imagine immediate impact implement import important improve include increase indeed index individual inform " +
		"information initial inject inline input insert inside inspect install installation instance instruct instruction " +
		"integrate intend interact interest interface internal internet interrupt introduce invalid invent invite involve iron " +
		"isolate item job join joke journal journey judge jump junk justify keen keep kernel key keyboard kick kid kill kind " +
		"kitchen know knowledge label lack lag land language laptop large last late latest laugh launch law lay layer layout " +
		"lead leader leaf leak lean learn leave left leg legacy legal length lesson let letter level library license lie life " +
		"lift light limit line link list listen literal little live load local locally locate lock log logic login logout long " +
		"look loop loose lose loss loud low luck lunch machine macro magic mail maintain major make man manage manager manual " +
		"manually map march mark market mask match material matter mean measure meet member memory mention menu merge mess " +
		"message meta method middle migrate migration mind minimal minor minute mirror miss mistake mix mode model modern " +
		"modify module modules moment money monitor month morning mother mount mouse mouth move movie multiple music naive name " +
		"narrow nation native nature near neat neck negative neighbor nest network networking neutral new news next night noise " +
		"normal north nose note notice notification number object observe obtain obvious occasion occur offer office official " +
		"offline old older oldest once one online open operate operation operator opinion option optional orange order ordinary " +
		"organize original orphan outage output outside own owner pace pack package packages page pain paint pair panic paper " +
		"paragraph parallel parameter parent park parse part partial partially partition party pass password past paste patch " +
		"path pattern pause pay peace people percent perfect perform performance period persist person phase phone photo phrase " +
		"pick picture piece pin ping pipe pipeline place plain plan plane plant platform play player plenty plug plugin plus " +
		"pods point pointer policy polite poll pool poor pop popular port position positive post pot pound power practical pray " +
		"prefer prefix prepare present preserve press pressure pretend pretty prevent previous price primary print prior " +
		"private privilege prize process produce product production profile profit program progress project promise prompt " +
		"proof property propose protect protocol proud prove provide proxy public pull punish purchase pure purpose push put " +
		"quality quantity query queue quiet quit quota quote race radio rain raise random range rank rare rate raw reach " +
		"read reader ready real realize reason rebase reboot rebuild recall receive recent recipe recommend record recover " +
		"recovery recurse recursion red redirect redo reduce refactor refer reference reflect refresh refuse region register " +
		"registry regret regular reject relate relation relative release reliable rely remain remember remind remote remotely " +
		"remove rename render repair repeat replace replica reply repo report repository represent request require rescue " +
		"research reserve reset resize resolve resource respect respond response rest restart restore restrict result resume " +
		"retry return reuse reveal reverse revert review revision reward rewrite rice rich ride ring rise risk river road robot " +
		"role roll rollback room root rope rotate rough round route routine row rubbish rude rule run runtime rush sad sale " +
		"salt sample sand save scale scan scare schedule schema school science scope score scratch screen script scroll sea " +
		"search season seat second secret section secure security see seed seek select self sell send senior sense sensitive " +
		"sentence separate sequence serial serious serve server service session set setting settle setup several shadow shallow " +
		"shape share sharp shell shift ship shirt shock shoe shoot shop short shortcut show shrink shut shutdown sick side sign " +
		"signal signature silent silly similar simple simply single sink sister sit site situation six size skill skin skip sky " +
		"sleep slice slide slip small smart smell smile smooth snow social socket soft software solid solution solve song sort " +
		"sound source south space spaces spare spawn speak special specific speed spell spend split spoil spot spread spring " +
		"squash stable stack staff stage stale stamp stand standard star start state statement static station status stay steal " +
		"stem step stick storage store story straight strategy stream street strength stress stretch strict string strip strong " +
		"structure struggle student study stuff style subject submit succeed success suffer sugar suggest suit summary summer " +
		"sun super supply support suppose sure surface surprise survive suspect suspend swap sweet swim switch symbol symlink " +
		"sync system tab table tabs tag tail talk tall target task taste tax tea teach team tear technology temperature " +
		"template temporary tend term terminal terminate text theme theory thick thin thing think thirst thought thousand " +
		"thread threat thumb ticket tidy tie tight time tiny tired title token tone tongue tool tooth top topic total touch " +
		"tough tour track trade traffic train transfer transform translate transport trash travel treat tree trial trick " +
		"trigger trim trip true trust truth try tube tune tunnel tutor turn twice twist two type typical ugly ultimate unable uncle " +
		"undo unhappy unify uninstall union unique unit universe unlock unpack unstable untrack untracked up update upgrade " +
		"upload urge urgent use user usual utility vacation vague valid validate valley value vanish variable variant variety " +
		"various vary vast verbose verify version vertical view village virtual virus visible vision visit voice volume volumes " +
		"vote vulnerability wait wake walk wall want war warm warn wash waste watch water wave way weak wear weather week " +
		"weekend weight welcome well west wet wheel whole wide width wife wild willing win wind window wine winter wipe wire " +
		"wise wish woman wonder wood word work worker workflow world worry worth wound wrap write yard year yell yellow yet " +
		"yield young youth zero zone "
}
