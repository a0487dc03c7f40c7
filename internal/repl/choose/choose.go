package choose

import (
	"context"
	"errors"
	"iter"
)

// ErrUnable says that no list can be drawn on this terminal: Numbered does without.
var ErrUnable = errors.New("no list can be drawn here")

// An Entry is one of those to choose from.
type Entry struct {
	ID    string // what is chosen, for the caller; not shown
	Text  string // what is shown: a row, cut to the terminal's width
	Note  string // beside it at the right, where there is room: a time, a size
	Also  string // is searched as Text and Note are, and not shown
	Order int64  // those with a larger one stand first, whenever they come
	Scope int    // the narrowest of Options.Scopes that it is in; it is in all behind it
}

// Options are what is chosen from, and how.
type Options struct {
	Ask    string // what stands before what is typed: "resume which?"
	Filter string // what is there as if it had been typed
	// Scopes are the names of what Tab changes between, narrow to wide: "here", "all".
	// nil is one without a name. The first that has entries is shown first.
	Scopes []string
	// Entries yields what there is, in the order in which it is shown unless Entry.Order
	// says another. It is read while the person looks, on another goroutine, and is over soon
	// after ctx.
	Entries func(ctx context.Context) iter.Seq[Entry]
	// Find, if there is one, names by ID further entries that text means, as a search of
	// something that is too large for Also. It is called on another goroutine whenever
	// the filter has changed and rests, and is over soon after ctx.
	Find func(ctx context.Context, text string) (map[string]bool, error)
	// Empty is said where there are none at all; "" is "there are none".
	Empty string
	// ASCII says that the terminal shows no more than that: what is cut ends in a sign of it.
	ASCII bool
	// Typed has Enter take what was typed where nothing matches it.
	Typed bool
}

// A Choice is what came of it.
type Choice struct {
	ID    string // of the entry; "" for none
	Typed string // what was typed, also if nothing was chosen; with Options.Typed it may be the choice
	Taken bool   // a choice was made: ID, or Typed if that is empty
	Ahead []byte // what was typed before the list was there: the next line's
}
