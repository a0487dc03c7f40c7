package distill

import (
	"sync"

	"ken/internal/text"
)

// handing begins what is to be done with a text that follows.
var handing = sync.OnceValue(func() []phrase {
	return readPhrases(
		"summari* .. ", "translat* ..", "rewrite|rephrase|paraphrase|proofread|correct|polish|shorten|classify|parse|decode ..",
		"explain|review|analyse|analyze|check|improve|edit|fix|read .. this|following|text|page|mail|email|message|log|output|snippet|code",
		"write|draft|compose|generate|make .. that|which says|reads", "what does this .. mean|say", "what do you think of|about", "look at",
		"i got|received .. mail|email|message|letter|text", "he|she|they|it|page|mail|article|docs|colleague|boss says|said|wrote|writes",
		"uebersetze|ubersetze|fasse|korrigiere ..", "traduce|resume|corrige ..", "traduis|resume|corrige ..",
	)
})

// frames are words by which a model tells of the person what the person said in
// other words, and words that carry no meaning: they need not stand in the turn.
var frames = sync.OnceValue(func() map[string]bool {
	set := make(map[string]bool)
	for _, w := range text.WordsInOrder(`user users person persons the a an and or of to in on at for with by from as is are was were be been being am
		i im ive id ill me my mine we were weve our ours us you your he she they their its it this that these those there here
		has have had do does did will shall should would can could may must just also very really so then than
		prefer prefers preferred preferring preference like likes liked love loves want wants wanted use uses using used
		wish wishes work works working current currently project name named called said says states stated keep keeps
		who which what when where because since ever into about their them theirs over rather instead please
		der die das ein eine und oder ist sind ich mein meine wir unser nutzer benutzer
		el la los las un una y es son mi usuario le les et est une je mon ma nous utilisateur`) {
		set[w] = true
	}
	return set
})

// denials are words that turn a sentence around.
var denials = sync.OnceValue(func() map[string]bool {
	set := make(map[string]bool)
	for _, w := range text.WordsInOrder(`not no never none nobody nothing neither nor without dont doesnt didnt isnt arent wasnt werent wont wouldnt cant cannot
		couldnt shouldnt mustnt aint hardly unless except avoid stop skip refuse
		nicht kein keine keinen nie niemals ohne nunca jamas sin ningun pas jamais sans aucun`) {
		set[w] = true
	}
	return set
})
