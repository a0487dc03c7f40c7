package memory

import (
	"strconv"
	"strings"
	"time"
)

// An Item is what a state holds of one stating line and of all lines that
// change it.
type Item struct {
	// ID names the stating line. Its Log is set unless the log is the own one.
	ID ID
	// Record holds the current fields: the stating line's, with what edit,
	// phase, tier, pin and unpin lines say applied. Its Time is when the item
	// was first stated. It may be the state's own: it must not be changed.
	Record *Record
	Log    string // the name of the log that the stating line stands in

	Origin     Origin // the least trusted of the stating line, its edits and the log's ceiling
	Phase      Phase  // never empty
	Tier       Tier   // never empty
	Pinned     bool
	Importance int       // 1..10
	Changed    time.Time // the ts of the newest line that shaped the item
	Line       int       // the stating line's number
	Sum        Sum       // of the stating line's bytes, for traces
	Order      int       // position in the order of statement, from 0 for the oldest; -1 if undone
	Edited     bool      // an edit line changed it
}

// Ref returns the reference that a person sees and types: "3" for an item of
// the own log, "laptop-7f3a/3" for one of another.
func (it Item) Ref() string { return it.ID.String() }

// Active reports whether a human act lets the item in: its origin is the user,
// or its line says by what act. A rule takes the user's own act; a policy or a
// trusted file is not enough.
func (it Item) Active() bool { return admitted(it.Record.Kind, it.Origin, it.Record.By) }

// byUser is the By of what a person approved themselves.
const byUser = "user"

func admitted(kind Kind, origin Origin, by string) bool {
	return origin.Rank() == 0 || by == byUser || by != "" && kind != KindRule
}

// Current reports whether the item holds at that time: it has not expired, and the time lies
// between valid_from and valid_to, the latter excluded. For the zero time it returns true.
func (it Item) Current(at time.Time) bool {
	d := it.Record.Detail
	ended := func(t time.Time) bool { return !t.IsZero() && !at.Before(t) }
	return at.IsZero() || d == nil || !ended(d.Expires) && !ended(d.ValidTo) && !at.Before(d.ValidFrom)
}

// A Status says how an ID stands in a state.
type Status int8

// The statuses. Where several hold, the first one in the order erased, undone,
// forgotten, waiting, superseded counts.
const (
	StatusUnknown    Status = iota // no line has that id
	StatusActive                   // an item that counts
	StatusWaiting                  // an item that no human act has let in yet
	StatusForgotten                // an item with a tombstone
	StatusErased                   // its text is gone, or to be gone
	StatusSuperseded               // an item that another one replaces
	StatusUndone                   // a line, of any kind, that was undone
	StatusChange                   // a line that states nothing: it changes another
)

// String returns the status as a word for people.
func (s Status) String() string {
	return [...]string{"unknown", "active", "waiting", "forgotten", "erased", "superseded", "undone", "change"}[s]
}

// A Change is one line that states or changes an item.
type Change struct {
	ID     ID     // of the line; Log set unless it is the own one
	Log    string // the name of the log the line stands in
	Record Record // as written
	Line   int    // the line's number in its log
	Undone bool   // an undo line makes it count as unwritten
	Waits  bool   // a change that no human act has let in: it has no effect yet
}

// A Problem is something about a line that a person should know. The line
// stays as it is.
type Problem struct {
	Log        string
	Line       int    // 0 if the log has no line numbers
	ID         ID     // of the line; zero if it cannot be read
	What       string // lower case, no full stop
	Unreadable bool   // the line counts for nothing, since it cannot be read
	Remark     bool   // nothing is lost or in doubt: it names a line that is not there
}

// A Turn names one turn of a session.
type Turn struct {
	Session string
	N       int // from 1
}

// String returns the reference form, "session:n". ParseTurn reads it back.
func (t Turn) String() string { return t.Session + ":" + strconv.Itoa(t.N) }

// ParseTurn reads the reference of a turn; false if s is none.
func ParseTurn(s string) (Turn, bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return Turn{}, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return Turn{s[:i], n}, err == nil && n > 0
}

// Hidden says which parts of conversations must not be shown any more, since
// what they taught was forgotten. The zero Hidden hides nothing.
type Hidden struct {
	Turns    map[Turn]bool
	Sessions map[string]bool // whole sessions
}

// Has reports whether turn n of that session is hidden.
func (h Hidden) Has(session string, n int) bool {
	return h.Sessions[session] || h.Turns[Turn{session, n}]
}
