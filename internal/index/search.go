package index

import "context"

// A Searcher finds documents. It is safe for concurrent use.
type Searcher interface {
	// Search returns the documents that the query is about, best first; of
	// equal ones the newer first, then in the order of the documents. None is
	// an answer. The error is that of ctx, or of reading what is searched.
	Search(ctx context.Context, q Query) ([]Hit, error)
}

// A Query says what to look for.
type Query struct {
	Text string
	// K is the most hits that are wanted; 0 or less: all.
	K int
	// Keep reports whether a document may be a hit; nil: any. What it leaves out
	// still counts when it comes to how rare a word is.
	Keep func(*Document) bool
}

// A Hit is a document that was found.
type Hit struct {
	*Document // must not be changed
	// Score is the sum of Parts, from the first to the last; above 0.
	Score float64
	Parts []Part // those that are not 0
}

// A Part is a share of a score.
type Part struct {
	Name  PartName
	Score float64 // above 0
}

// A PartName says where a share of a score comes from.
type PartName string

// The parts, in the order in which a hit has them.
const (
	PartWords   PartName = "words"   // words of the query that stand in the text as they are, identifiers included
	PartStems   PartName = "stems"   // words of the text with the same stem
	PartTags    PartName = "tags"    // in tags and key
	PartSpeaker PartName = "speaker" // in the name of who spoke
)

// The parameters of a score.
const (
	// K1 is BM25's: how soon more of the same word adds no more. BM25's b, the
	// share of length normalisation, is 0.
	K1 = 0.9
	// Few is how many documents there are taken to be where there are fewer: a
	// dozen texts do not tell which words are rare.
	Few = 1000
	// WeightWords, WeightStems, WeightTags and WeightSpeaker are what the BM25
	// scores of the parts are multiplied by. In tags and speaker a stem counts
	// WeightStems, and an equal word WeightWords besides.
	WeightWords   = 0.3
	WeightStems   = 1.0
	WeightTags    = 1.5
	WeightSpeaker = 2.0
	// Floor is the least share of the weight (the rarity, summed up) of the
	// query's words that a document has to have to be a hit.
	Floor = 0.12
)
