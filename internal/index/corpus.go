package index

import (
	"errors"
	"math"
	"sync"

	"ken/internal/dates/said"
)

// A Corpus is what is searched at once: documents, numbered from 0 in their
// order, and which of them has which term. The turns of one conversation follow
// each other in the order in which they were said. What it holds must not be
// changed.
type Corpus struct {
	// Rows says of each document, by its number, what is known without its
	// text.
	Rows *Rows
	// Names are what the numbers in a Row stand for.
	Names []string
	Reader

	orderOnce sync.Once
	docOrder  *DocOrder
}

// Name returns what the number of a name in a Row stands for; "" for -1.
func (c *Corpus) Name(n int32) string {
	if n < 0 {
		return ""
	}
	return c.Names[n]
}

// A Reader is where a Corpus has its words and texts from. It is safe for
// concurrent use.
type Reader interface {
	// AppendPostings appends the documents that have the term to list: each once,
	// by ascending number, deleted ones included. The error is of reading
	// what is searched.
	AppendPostings(list []Posting, t Term) ([]Posting, error)
	// Document reads a document whole. The error wraps ErrChanged if where it
	// stood no longer says what was counted. The document must not be changed.
	Document(doc int32) (*Document, error)
}

// A preparer is a Reader to which it costs the same to be asked for one term or for many.
type preparer interface {
	Prepare(wanted []Term)
}

// Prepare says which terms AppendPostings is about to be asked for. It need not be called.
func (c *Corpus) Prepare(wanted []Term) { prepare(c.Reader, wanted) }

func prepare(r Reader, wanted []Term) {
	if p, ok := r.(preparer); ok {
		p.Prepare(wanted)
	}
}

// ErrChanged says that a text is no longer what the index was made of.
var ErrChanged = errors.New("the text has changed since it was indexed")

// A Field is a part of a document that is counted by itself.
type Field uint8

// The fields of a document. Fields is how many there are.
const (
	FieldContent Field = iota
	FieldTags          // tags and key
	FieldSpeaker       // of an imported turn
	Fields
)

// A Posting says how often a term stands in each field of a document: in one of
// them at least once. More than 65,535 times count as that.
type Posting struct {
	Doc    int32 // number of the document in its corpus
	Counts [Fields]uint16
}

// A Row is what is known of a document without its text. Numbers of names are
// places in Corpus.Names; -1 stands for no name.
type Row struct {
	// Time is when the item was stated or the turn said, in seconds of Unix time;
	// NoTime if not known.
	Time int64

	Scope, Kind int32 // as in Document
	Session     int32 // the conversation of a turn; of an item -1
	Speaker     int32 // who spoke: Document.Speaker, else the role of the turn
	Words       int32 // how many words the content has, pairs of dense scripts among them

	// Days are those that the content speaks of, seen from when it was said; none
	// if it names none.
	Days said.Days

	Flags      Flags
	Importance uint8 // of an item, 1 to 10; else 0
}

// NoTime is the Time of a Row whose time is not known.
const NoTime = math.MinInt64

// Flags say what a document is like.
type Flags uint16

// The flags of a Row. One that is neither a turn nor a command is an item of the
// memory.
const (
	Turn       Flags = 1 << iota // a turn of a conversation
	Command                      // a command line that ran in one
	Deleted                      // no longer there: counts nothing, and is no hit
	Pinned                       // an item that the person pinned
	Archived                     // an item of the tier archive
	Question                     // the content ends with a question, or the half of it does
	When                         // the content says when something is
	Lasting                      // it says how long something is
	Where                        // it has a name behind a word of place
	Stabilized                   // an item of that phase
	Rigid                        // an item of that phase
	Named                        // the content speaks of somebody or something by name
)
