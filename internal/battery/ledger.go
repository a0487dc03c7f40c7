package battery

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"ken/internal/jsonl"
	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
)

// A Realm is where a text stands.
type Realm string

// The realms.
const (
	Active  Realm = "memory"  // active in the memory
	Said    Realm = "session" // a turn of a conversation
	Asked   Realm = "queue"   // a proposal, however it was answered
	Refused Realm = "refused" // a proposal that was answered with no
	Bytes   Realm = "bytes"   // anywhere in any file
)

// A Want says what a reader must find.
type Want int

// The wants.
const (
	Either   Want = iota // nothing was reported to anybody
	Stands               // acknowledged
	UntilOff             // acknowledged as long as the power stays on
	Gone                 // reported as failed, hidden or removed
)

type entry struct {
	realm Realm
	text  string
}

// A Ledger holds what was reported to the person. It is safe for concurrent use.
type Ledger struct {
	mu    sync.Mutex
	wants map[entry]Want

	// IDs are what operations want to know of each other, by what it is for.
	IDs map[string]memory.ID
}

// NewLedger returns an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{wants: make(map[entry]Want), IDs: make(map[string]memory.ID)}
}

// Set notes what must be found from now on.
func (l *Ledger) Set(r Realm, text string, w Want) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wants[entry{r, text}] = w
}

// Get returns what was noted, and whether the text was ever spoken of.
func (l *Ledger) Get(r Realm, text string) (Want, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w, ok := l.wants[entry{r, text}]
	return w, ok
}

// Do notes what an operation on one text came to: nothing while it runs, ok if
// it returned no error, failed if it did and is sure of it.
func (l *Ledger) Do(r Realm, text string, ok, failed Want, op func() error) error {
	l.Set(r, text, Either)
	err := op()
	switch {
	case err == nil:
		l.Set(r, text, ok)
	case !unsure(err):
		l.Set(r, text, failed)
	}
	return err
}

// unsure reports whether an error leaves open what became of the text: the
// process was gone, or the error says that it may be there.
func unsure(err error) bool {
	var s *jsonl.SyncError
	return errors.Is(err, jsonltest.ErrCrash) || errors.As(err, &s) && s.Present ||
		strings.Contains(err.Error(), "could not be taken back") || errors.Is(err, jsonl.ErrReplaced)
}

// all calls do for every note.
func (l *Ledger) all(do func(Realm, string, Want)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for e, w := range l.wants {
		do(e.realm, e.text, w)
	}
}

// String is the same for the same notes.
func (l *Ledger) String() string {
	var lines []string
	l.all(func(r Realm, text string, w Want) { lines = append(lines, fmt.Sprintf("%s %d %q", r, w, text)) })
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Copy returns a ledger of its own with the same notes.
func (l *Ledger) Copy() *Ledger {
	c := NewLedger()
	l.all(func(r Realm, text string, w Want) { c.wants[entry{r, text}] = w })
	maps.Copy(c.IDs, l.IDs)
	return c
}
