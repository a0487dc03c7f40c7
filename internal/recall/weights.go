package recall

// A PartName is the name of a part of a score.
type PartName string

// The parts, in the order in which a hit has them.
const (
	PartWords    PartName = "words"    // words of the query that stand in the text as they are, identifiers included
	PartStems    PartName = "stems"    // words of the text with the same stem
	PartTags     PartName = "tags"     // words in tags and key
	partCoverage PartName = "coverage" // how much of the question's words the text has, by their rarity
	partRelated  PartName = "related"  // stems that go with one of the question that the text has not: tea, where a beverage is asked for
	// Of keywords, where nothing but words that carry meaning was typed: the words first.
	partEvery PartName = "every" // it has every one of them itself; or, of a question as well, all of its identifiers
	partTyped PartName = "typed" // how many of them it has as they were typed, by their rarity
	partBrief PartName = "brief" // it has every one, and the less it says besides, the more it is about them
	// Of turns of a conversation: what stands around them, and who said what when.
	partAround   PartName = "around"   // how much of the question's words the turn has with the two before and behind it
	partSession  PartName = "session"  // stems in the whole conversation
	partSeveral  PartName = "several"  // of a question for several, session taken back, for they are told in several conversations: below 0
	partAnswers  PartName = "answers"  // stems in the turn before, if that asks, squared: who asks that very thing is answered next
	partReply    PartName = "reply"    // of a question for how or why: stems in the turn before, whatever it is
	partEcho     PartName = "echo"     // of a question for when: the same; who tells of something says when, and not who replies: below 0
	partSpeaker  PartName = "speaker"  // the question names who spoke
	partSubject  PartName = "subject"  // and asks about them, not about what is theirs
	partName     PartName = "name"     // the question asks who, which or where, and the turn has a name
	partQuestion PartName = "question" // it asks itself, and questions are not answered by questions: below 0
	// Of all that has a time.
	partDate  PartName = "date"  // said at a date that the question names
	partAbout PartName = "about" // speaks of a date that the question names
	partWhen  PartName = "when"  // the question asks for a time, a duration or a place, and the text has one
	// Of what is no turn.
	partAlone PartName = "alone" // stems once more: nothing stands around an item that could speak for it
	// Of items, each a share of what their words are worth.
	PartScope      PartName = "scope"      // holds where the person stands, and not everywhere
	partKind       PartName = "kind"       // it binds, or is a lesson, rather than informs
	partPhase      PartName = "phase"      // was reviewed
	partPinned     PartName = "pinned"     // the person pinned it
	partImportance PartName = "importance" // above or below the usual
	partRecency    PartName = "recency"    // was stated lately
	partUse        PartName = "use"        // was used lately
	PartArchive    PartName = "archive"    // was put away, which leaves little: below 0
)

// parts are the names by number.
var parts = [...]PartName{
	PartWords, PartStems, PartTags, partCoverage, partRelated, partEvery, partTyped, partBrief,
	partAround, partSession, partSeveral, partAnswers, partReply, partEcho, partSpeaker, partSubject, partName, partQuestion,
	partDate, partAbout, partWhen, partAlone,
	PartScope, partKind, partPhase, partPinned, partImportance, partRecency, partUse, PartArchive,
}

// The numbers of the parts.
const (
	words = iota
	stems
	tags
	coverage
	related
	every
	typed
	brief
	around
	session
	several
	answers
	reply
	echo
	speaker
	subject
	name
	question
	date
	about
	when
	alone
	scope
	kind
	phase
	pinned
	importance
	recency
	use
	archive
	numParts
)

// partMeaning is the share of a score that package fuse adds.
const partMeaning PartName = "meaning" // how near it is to the question in meaning

// Weights say how much each part counts. Search uses DefaultWeights unless a Question has others,
// which are for measuring.
type Weights [numParts]float64

// DefaultWeights returns the weights that ken searches with. Those of turns were fitted to
// questions about long conversations, and rounded (docs/decisions/0019); those of
// items were set by hand.
func DefaultWeights() *Weights {
	return &Weights{
		words:    0.3,  // an equal word is better than a related one; by hand
		stems:    1,    // the unit
		tags:     1.5,  // who sets a tag says what a text is about; by hand
		coverage: 0.6,  // all words once are better than one of them often
		related:  1.9,  // tea, where a beverage is asked for
		every:    24,   // more than all the rest that a turn can have without; by hand, as the two below
		typed:    12,   // of the fourth power of the share: half of the words are no reason
		brief:    4,    // among what has every word, it decides
		around:   2.2,  // answers stand beside the question that has the words
		session:  0.65, // a conversation about it
		several:  -1.5, // more than session: of one conversation's turns, few are among the first
		answers:  1.6,
		reply:    1.6,
		echo:     -2,
		speaker:  1.1,
		subject:  0.6,
		name:     0.9,
		question: -0.2,
		date:     2.7,
		about:    0.95,
		when:     1,
		// What a turn gets from its neighbours at most, about.
		alone: 3,
		// Of what the words are worth. Together they double it at most, so that an
		// item with twice the words goes first whatever else there is.
		scope:      0.25,
		kind:       0.2,
		phase:      0.1,
		pinned:     0.15,
		importance: 0.1,  // of importance 10; of 1 nearly as much below 0
		recency:    0.1,  // of what was said now; half after recencyHalf
		use:        0.1,  // of what was used now; half after useHalf
		archive:    -0.7, // leaves x 0.3 of all parts before it
	}
}

// Names returns the parts, in the order of Weights.
func Names() []PartName {
	p := parts
	return append([]PartName(nil), p[:]...)
}

// The parameters of a score.
const (
	// k1 is BM25's: how soon more of the same word adds no more. BM25's b, the
	// share of length normalisation, is 0: memories and turns are short, and a
	// longer one is not about less.
	k1 = 0.9
	// k1Session is that of a whole conversation, which has a word more often.
	k1Session = 1.2
	// Few is the number of documents that is assumed if there are fewer: a dozen texts do not show
	// which words are rare.
	fewItems = 1000
	// Floor is the least share of the weight (the rarity, summed up) of the query's words that a
	// document needs to be a hit.
	leastShare = 0.12
	// floorTurn is that of a turn, with the two before and behind it.
	floorTurn = 0.05
	// Enough is the share that the best turn needs, with the turns around it. If no turn has it,
	// the question is about something else, and no turn is a hit. 0.2 turns away 46 of a hundred
	// questions about other conversations instead of 39, and twice as many of those that have an
	// answer.
	Enough = 0.18
	// aloneRelated is what related words count in alone, where a stem counts 1.
	aloneRelated = 0.4
	// tagWords is what an equal word adds in tags, where a stem counts 1.
	tagWords = 0.3
	// longText is the logarithm of a length, in words, of which nothing is brief: 6 is that
	// of 400.
	longText = 6
	// everyShare is the share of the query's weight that counts as every word: what
	// nearly every document has says nothing.
	everyShare = 0.999
	// mostIdle is how many words of keywords carry no meaning at most: one of so many.
	mostIdle = 4
	// recencyHalf and useHalf are after how many days those parts are worth half.
	recencyHalf, useHalf = 90, 30
)
