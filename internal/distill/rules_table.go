package distill

import (
	"strings"
	"sync"

	"ken/internal/memory"
	"ken/internal/text"
)

// tasks begin a message that hands over something to be done, so that sentences in it may
// be part of what is to be written.
var tasks = sync.OnceValue(func() []phrase {
	return readPhrases(
		"^ please|can|could|would|now|hey|ok you|please write|draft|compose|translate|summari*|rewrite|proofread|rephrase|reply|pretend|imagine|act|roleplay|generate",
		"^ write|draft|compose|translate|summari*|rewrite|proofread|rephrase|pretend|imagine|act|roleplay|generate|reply|"+
			"answer|correct|improve|explain|parse|say|repeat|quote|fill|complete|continue",
		"^ please write|draft|compose|translate|summari*|rewrite|proofread|rephrase|pretend|imagine|generate|reply|explain|say|repeat",
		"^ what|how|why does|do|did|would|should|is .. mean|say|translate", "^ in the story|book|film|movie|novel|game|play|scene",
		"^ you are", "^ youre", "^ schreibe|ubersetze|formuliere", "^ escribe|traduce", "^ ecris|traduis",
	)
})

// loose is what makes a sentence a guess, a wish of the moment, a joke or a story.
var loose = sync.OnceValue(func() []phrase {
	return readPhrases(
		"if i|we|you|they|it|he|she|someone|somebody|only", "would|could|might|maybe|perhaps|probably|possibly|supposedly|apparently|hypothetically",
		"id|wed|youd|hed|shed|theyd", "i guess|suppose|assume|wonder|wish|hope|bet|doubt|imagine|dream",
		"not sure|certain", "i think|thought|believe|believed|figured i|we|it|that|this",
		"pretend|imagine|suppose|assuming|joking|kidding|lol|haha|hahaha|jk|sarcasm|lmao|rofl",
		"for example|instance", "for now|once|today|tonight", "at the|this moment",
		"this time|once", "just this|once|today|now|curious|wondering", "only this|here|once|today",
		"for this|the one|question|answer|file|task|time|reply|test|example|exercise|demo|commit|pr",
		"in this|the function|file|case|answer|reply|email|mail|letter|paragraph|sentence|story|example|test|question|snippet|loop|exercise|scene|sketch",
		"used to", "no longer sure", "dont know|care|think|remember|believe|mean|mind|understand", "or|whether not", "any more questions",
		"almost|nearly|wanted|supposed|tempted|hesitant|unsure|undecided", "as a joke|kid|child|boy|girl",
		"when i was", "years|months|weeks|days|hours|minutes ago", "yesterday|last",
		"wenn ich|wir|du|man", "wurde|konnte|vielleicht|hatte|falls|angenommen", "si yo|fuera|tuviera",
		"quizas|podria|gustaria|tal", "si je|j|on|javais|jetais", "peut etre", "aimerais|pourrais|voudrais",
	)
})

// others is what somebody else says, thinks or does.
var others = sync.OnceValue(func() []phrase {
	return readPhrases(
		"he|she|they|who|someone|somebody|everybody|everyone|people|colleague|coworker|boss|friend|client|customer|teacher|"+
			"author|docs|documentation|article|readme|page|book|mail|email|message|letter|sign|song|wife|husband|brother|sister|"+
			"mother|father|mom|dad|manager|lead|stackoverflow|wikipedia|chatgpt|model|log|error|output says|said|say|tells|told|"+
			"thinks|thought|claims|claimed|writes|wrote|asked|asks|suggests|suggested|recommends|recommended|believes|insists|"+
			"insisted|replied|mentions|mentioned|shouts|reads",
		"according to", "he|she|they is|are|was|prefers|likes|uses|wants|decided|works|lives|has",
		"it says|said|reads", "i quote", "quote ..", "says|said|wrote that|i|we|he|she",
		"i told|asked|said|wrote|answered|replied|heard|read", "i heard|read|saw that",
		"telling|told|asked me|us|him|her|them", "er|sie sagt|sagte|meint|meinte", "el|ella dice|dijo",
		"il|elle dit|disait",
	)
})

// relative are words for days that depend on the day they are said.
var relative = sync.OnceValue(func() []phrase {
	return readPhrases(
		"tomorrow|tonight|today|yesterday",
		"next|this|coming|last|following week|weekend|month|year|quarter|spring|summer|autumn|fall|winter|monday|tuesday|"+
			"wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|"+
			"december",
		"on|by|until|before|till|since monday|tuesday|wednesday|thursday|friday|saturday|sunday",
		"in|within a|one|two|three|four|five|six|seven|ten|2|3|4|5|6|7|10|14 day|days|week|weeks|month|months|year|years",
	)
})

// pointing are words whose meaning is in another sentence.
var pointing = sync.OnceValue(func() []string {
	return text.WordsInOrder(`it its this that these those them they he she him her you your yours both either neither such same so too here there
		option former latter what how when why where who das es dies diese dieses sie ihn lo la eso esto ese esta ca cela ce cette tu vous`)
})

// verbs of things that people do again and again, for "always", "never" and "we".
const verbs = "use|run|write|work|commit|push|deploy|test|review|eat|drink|take|start|keep|prefer|name|put|format|sign|" +
	"squash|rebase|merge|check|read|buy|order|pay|fly|travel|sleep|wake|add|include|ask|answer|reply|show|" +
	"explain|set|call|return|wrap|log|store|save|quote|indent|follow|avoid|make|create|open|close|tag|release|" +
	"build|pin|lock|send|delete|remove|force|edit|touch|import|mock|skip|leave|document|end|begin|capitalize|" +
	"abbreviate|assume|suggest|change|install|update|upgrade|generate|print|pass|cache|hardcode|drive|cook|" +
	"train|practice|schedule|book|mention|respond|translate|round|measure|target|ship|version|prefix|suffix|" +
	"lint|spell|drop|rename|share|post|publish|backup|encrypt|rotate|require|declare|define|nest|inline|split|" +
	"validate|escape|catch|throw|raise|handle|comment"

// owned are things of which a person has one, or that stay with them.
const owned = "name names|wife|wifes|husband|husbands|partner|partners|spouse|girlfriend|boyfriend|fiance|son|sons|" +
	"daughter|daughters|kid|kids|child|children|dog|dogs|cat|cats|pet|boss|manager|team|company|employer|" +
	"mother|mothers|father|fathers|mom|dad|brother|sister|grandmother|grandfather|birthday|email|phone|" +
	"address|timezone|editor|shell|terminal|laptop|desktop|machine|computer|keyboard|layout|monitor|phone|job|" +
	"title|role|profession|pronouns|doctor|dentist|accountant|adviser|advisor|lawyer|landlord|home|hometown|" +
	"office|server|homelab|nas|router|printer|domain|blog|website|project|thesis|repo|repository|username|" +
	"handle|login|github|gitlab|language|mother|native|nationality|surname|nickname|initials|car|bike|bank|" +
	"school|university|employer|salary|height|weight|size|shoe|blood|allergy|allergies|diet|religion|hobby|" +
	"hobbies|instrument|browser|os|distro|database|stack|framework|theme|font|locale|calendar|gym|branch|" +
	"workspace"

// shared are things that a team has.
const shared = "staging|production|prod|dev|test|ci|api|app|backend|frontend|server|servers|host|database|db|cluster|" +
	"repo|repository|monorepo|main|default|branch|pipeline|build|builds|registry|domain|port|gateway|proxy|" +
	"bucket|stack|service|services|team|standup|sprint|sprints|release|releases|deadline|budget|company|" +
	"office|customers|clients|users|codebase|project|product|website|schema|tests|logs|metrics|deploys|" +
	"deployments|infrastructure|infra|kubernetes|queue|cache|vpn|wiki|tracker|board|minimum|target|license|" +
	"coding|commit|commits|linter|formatter|framework|cloud|region|oncall|meeting|retro|mascot|family|house|" +
	"flat|apartment|wedding|daughter|son|dog|cat|kids|school|landlord|car|bank"

// openings are all ways to begin a statement, the narrower ones first.
var openings = sync.OnceValue(func() []opening {
	var list []opening
	add := func(kind memory.Kind, not, near string, phrases ...string) {
		for _, p := range readPhrases(phrases...) {
			list = append(list, opening{kind, p, text.WordsInOrder(not), text.WordsInOrder(near)})
		}
	}
	things := func(names string) string { return strings.ReplaceAll(names, " ", "|") }
	// Who the person is.
	add(memory.KindFact, "a not the", "", "^ my name is|s", "^ my full|first|last|middle|nick name is",
		"^ im called|named", "^ i am called|named", "^ people call me", "^ ich heisse|heise", "^ mein name ist",
		"^ me llamo", "^ mi nombre es", "^ je mappelle", "^ mon nom est")
	add(memory.KindPref,
		"back later when if tomorrow at a an crazy on once before after again now tonight stupid old in the", "",
		"^ call me", "^ you can|may call me", "^ address me as")
	add(memory.KindFact, "not",
		"developer engineer programmer teacher nurse doctor physician student designer manager researcher lawyer writer "+
			"author scientist analyst architect consultant freelancer contractor translator musician photographer journalist "+
			"accountant electrician carpenter plumber pilot professor physicist chemist biologist mathematician economist "+
			"historian librarian admin administrator sysadmin devops maintainer founder ceo cto tester dba operator technician "+
			"mechanic chef baker farmer gardener vegetarian vegan pescatarian celiac diabetic dyslexic beginner novice retiree",
		"^ im|i a|an|the", "^ i am a|an|the", "^ i work as")
	add(memory.KindFact, "", "", "^ im|i allergic to", "^ i am allergic to")
	add(memory.KindFact, "not",
		"vegetarian vegan pescatarian colorblind colourblind dyslexic diabetic lefthanded deaf retired celiac pregnant married divorced single bilingual",
		"^ im|i", "^ i am")
	add(memory.KindFact, "on it out this that too all so hard with", "",
		"^ i work at|for|in|from|remotely|nights|mornings", "^ ich arbeite bei|fur|als|in", "^ trabajo en|para|como",
		"^ je travaille chez|comme|pour|a")
	add(memory.KindFact, "for a the", "", "^ i live in|near|at|with", "^ im|i based in", "^ i am based in",
		"^ i am from", "^ im from", "^ i come from", "^ i moved to", "^ i was born in|on", "^ i grew up in",
		"^ ich wohne in", "^ ich komme aus", "^ vivo en", "^ soy de", "^ jhabite a|en|dans", "^ je viens de")
	add(memory.KindFact, "",
		"fluent native english german french spanish italian dutch polish portuguese russian chinese japanese korean arabic hindi turkish swedish",
		"^ i speak", "^ ich spreche", "^ hablo", "^ je parle")
	add(memory.KindFact, "question idea problem",
		"kids children child daughter daughters son sons dog dogs cat cats brother brothers sister sisters twins allergy "+
			"degree phd diabetes asthma adhd dyslexia nephew niece grandchildren horse parrot",
		"^ i have", "^ we have", "^ i've got", "^ ive got")
	add(memory.KindPref, "", "", "^ my favorite|favourite|preferred|usual|default .. is|are")
	add(memory.KindGoal, "", "", "^ my|our goal|aim|objective|target|resolution .. is|are", "^ the goal|aim is",
		"^ mein ziel ist", "^ mi objetivo es", "^ mon objectif est")
	add(memory.KindFact, "like our not wrong broken down slow stuck right here weird hanging crashing killing",
		"", "^ my "+things(owned)+" is|are|was", "^ my "+things(owned)+" "+things(owned)+" is|are",
		"^ my|our "+things(owned)+" "+"runs|uses|lives|works", "^ my "+things(owned)+" .. is called|named|at|on|in",
		"^ our "+things(shared)+" is|are|runs|uses|lives|live|run|use|needs|need|starts|closes",
		"^ our "+things(shared)+" "+things(shared)+" is|are|runs|uses|lives|live|run|use|starts",
		"^ our "+things(shared)+" .. is called|named|at|on")
	// Corrections name their subject.
	add(memory.KindFact, "not", "", "^ actually|correction|no the|my|our .. is|are|runs|uses|listens|lives",
		"^ i meant the|our|my .. is|are", "^ it isnt .. its",
		"^ the .. is|was|has moved|renamed|changed|now to|from|called|on|at", "^ the .. moved|changed to|from",
		"^ the .. is now", "^ we|i moved|switched|migrated|changed from .. to")
	// What was decided.
	add(memory.KindDecision, "", "", "^ we|i decided|agreed|chose|settled|opted on|to|against|that|for|not",
		"^ weve|ive decided|agreed|chosen|settled|opted on|to|against|that|for|not",
		"^ we|i have decided|agreed|chosen|settled|opted on|to|against|that|for|not",
		"^ we|i just|finally decided|agreed|chose|settled on|to|against|that|for",
		"^ weve|ive just|finally decided|agreed|chosen|settled on|to|against|that|for", "^ we|i chose",
		"^ weve|ive chosen", "^ decision", "^ the|our|my decision is|was", "^ lets go|stick|stay with",
		"^ were|im going|sticking|staying with", "^ we are going|sticking|staying with", "^ well go|stick|stay with",
		"^ we will go|stick|stay with", "^ well switch|migrate|move to|from", "^ we will switch|migrate|move to|from",
		"^ well use|adopt", "^ we will use|adopt", "^ i will|ill use|go|stick with", "^ wir haben uns .. entschieden",
		"^ wir haben beschlossen", "^ ich habe mich .. entschieden", "^ hemos decidido", "^ decidimos",
		"^ nous avons decide|choisi", "^ on a decide|choisi")
	add(memory.KindDecision, "", "decided agreed chosen settled", "^ it|its|was is|was|has")
	// What is always done so.
	add(memory.KindConvention, "", "",
		"^ in|for this|our|the repo|repository|project|codebase|team|company|monorepo|workspace|house we|i|never|always|use|"+
			"tests|all|every|commits|branches|functions|names|errors|dates|code|migrations",
		"^ commit|commits|branches|branch|tests|test|variables|functions|files|file|migrations|pull|prs|pr|imports|error|"+
			"log|logs|docs|dates|names|tags|releases|changelog|comments|constants|modules|packages|endpoints|tables|timestamps|"+
			"prices|ids must|should|always|never|go|live|goes|lives|have",
		"^ commit|branch|test|variable|function|file|error|log|pull|table|package|endpoint messages|message|names|name|texts|lines|requests|files|titles must|should|always|never|go|live|have")
	add(memory.KindConvention, "been had wanted thought knew", "",
		"^ we|everyone always|never|only|usually|normally "+verbs, "^ everybody always|never",
		"^ our convention|rule|policy|style|standard|habit .. is|says",
		"^ the convention|rule|policy|standard here|is")
	add(memory.KindConvention, "the time", "",
		"^ we use|write|name|format|deploy|keep|squash|rebase|tag|release|review|indent|follow|store|prefix|document|target|support|host|log|measure",
		"^ we dont use|write|commit|push|deploy|squash|rebase|merge|support",
		"^ wir verwenden|nutzen|benutzen|schreiben", "^ usamos", "^ nous utilisons", "^ on utilise")
	// What the person likes.
	add(memory.KindPref, "the not to", "", "^ i really|strongly|generally|usually|always|much prefer", "^ i prefer|favor|favour")
	add(memory.KindPref, "", "", "^ i prefer to|not", "^ i prefer the", "^ ich bevorzuge", "^ ich mag lieber", "^ prefiero", "^ je prefere")
	add(memory.KindPref, "all the to your a an and being seeing hearing that", "",
		"^ i really|absolutely|also like|love|enjoy|hate|dislike|detest|adore",
		"^ i like|love|enjoy|hate|dislike|detest|adore", "^ i cant stand", "^ im|i a fan of",
		"^ im a big|huge fan of")
	add(memory.KindPref, "", "", "^ i always|never|usually|only|mostly|rarely "+verbs)
	add(memory.KindPref, "", "", "^ i use|using", "^ im|i using", "^ i dont eat|drink|smoke|drive|use|like")
	add(memory.KindPref, "", "", "^ always|never "+verbs, "^ dont ever "+verbs, "^ from now on",
		"^ going forward", "^ in future|general|principle "+verbs+"|please|i|always|never|dont",
		"^ in the future|long "+verbs+"|please|i|always|never|dont|run", "^ by default "+verbs+"|i", "^ as a rule",
		"^ make sure|sure to|you always|never", "^ make sure you always|never", "^ be sure to always|never",
		"^ i|id want|expect|need you to always|never", "^ you should|must always|never",
		"^ keep your|all|the|my|our answers|replies|responses|messages|explanations|output|summaries|code",
		"^ keep answers|replies|responses|messages|explanations",
		"^ answer|reply|respond|write|speak always|only in|with",
		"^ immer|nie|niemals .. verwenden|benutzen|antworten|schreiben|nutzen", "^ ab jetzt|sofort",
		"^ a partir de ahora", "^ a partir de maintenant", "^ dorenavant")
	// What the person aims at and works on.
	add(memory.KindGoal, "", "",
		"^ i want|plan|intend|aim to learn|become|finish|ship|lose|improve|master|pass|save|migrate|switch|launch|publish|"+
			"quit|retire|graduate|understand|contribute|win|complete|reduce|read|write|run|build|move|buy|visit",
		"^ im trying|planning|aiming|hoping to learn|become|finish|ship|lose|improve|master|pass|save|migrate|switch|launch|"+
			"publish|quit|retire|graduate|reduce|read|write|run|build|move|buy|visit",
		"^ i am trying|planning|aiming|hoping to learn|become|finish|ship|lose|improve|master|pass|save|migrate|switch|"+
			"launch|publish|quit|reduce|read|write|run|build|move|buy|visit",
		"^ we want|plan|intend|aim to ship|launch|release|migrate|switch|move|finish|reduce|replace|rewrite|deprecate",
		"^ i|we need|have|must to|finish|ship|deliver|submit .. by|before")
	add(memory.KindSetting, "", "",
		"^ the|our|my deadline|release|launch|demo|exam|interview|trip|wedding|move|presentation|defense|review|freeze|migration|flight|vacation|holiday .. is|starts|begins|happens|ends")
	add(memory.KindSetting, "it this that what something some a an the", "",
		"^ im|i currently|now|still working on", "^ im|i working on", "^ i am currently|now|still working on")
	add(memory.KindSetting, "", "", "^ im|i working on|with a|an|the|our|my", "^ i am working on a|an|the|our|my",
		"^ im|were currently|now migrating|building|writing|preparing|porting|refactoring|rewriting|moving|switching|learning|studying|training|planning|renovating|reading",
		"^ im|were migrating|building|preparing|porting|rewriting|learning|studying|renovating",
		"^ i|we am|are migrating|building|preparing|porting|rewriting|learning|studying|renovating",
		"^ i|we am|are currently|now migrating|building|writing|preparing|porting|rewriting|moving|switching|learning|studying|planning|renovating|reading",
		"^ im|were blocked|stuck on|by", "^ i|we am|are blocked|stuck by|on",
		"^ currently|right migrating|working|building|preparing|learning", "^ i start|started|begin a|my new",
		"^ im starting a|my new")
	return list
})
