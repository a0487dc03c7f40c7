package memory

import "time"

// An Item is what a state holds of one stating line and of all lines that
// change it.
type Item struct {
	// ID names the stating line. Its Log is set unless the log is the own one.
	ID ID
	// Record holds the current fields: the stating line's, with what edit,
	// phase, tier, pin and unpin lines say applied. Its Time is when the item
	// was first stated.
	Record Record
	Log    string // the name of the log that the stating line stands in

	Origin     Origin // the least trusted of the stating line, its edits and the log's ceiling
	Phase      Phase  // never empty
	Tier       Tier   // never empty
	Pinned     bool
	Importance int       // 1..10
	Changed    time.Time // the ts of the newest line that shaped the item
	Line       int       // the stating line's number
	Hash       string    // the stating line's hash, for traces
	Order      int       // position in the order of statement, from 0 for the oldest
	Edited     bool      // some line changed the fields
}

// Ref returns the reference that a person sees and types: "3" for an item of
// the own log, "laptop-7f3a/3" for one of another.
func (it Item) Ref() string { return it.ID.String() }

// Active reports whether a human act lets the item in: its origin is the user,
// or its line says by what act. A rule takes the user's own act; a policy or a
// trusted file is not enough.
func (it Item) Active() bool { return admitted(it.Record.Kind, it.Origin, it.Record.By) }

func admitted(kind Kind, origin Origin, by string) bool {
	if origin.Rank() == 0 || by == byUser {
		return true
	}
	return by != "" && kind != KindRule
}

// byUser is the By of what a person approved themselves.
const byUser = "user"

// Current reports whether the item holds at that time: it has not expired, and
// lies between valid_from and valid_to, the latter excluded. The zero time
// means that nobody asks for a time: true.
func (it Item) Current(at time.Time) bool {
	r := &it.Record
	switch {
	case at.IsZero():
		return true
	case !r.Expires.IsZero() && !at.Before(r.Expires):
		return false
	case !r.ValidFrom.IsZero() && at.Before(r.ValidFrom):
		return false
	case !r.ValidTo.IsZero() && !at.Before(r.ValidTo):
		return false
	}
	return true
}

// A Status says how an ID stands in a state.
type Status int

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
	switch s {
	case StatusActive:
		return "active"
	case StatusWaiting:
		return "waiting"
	case StatusForgotten:
		return "forgotten"
	case StatusErased:
		return "erased"
	case StatusSuperseded:
		return "superseded"
	case StatusUndone:
		return "undone"
	case StatusChange:
		return "change"
	}
	return "unknown"
}

// A Change is one line that states or changes an item.
type Change struct {
	ID     ID     // of the line; Log set unless it is the own one
	Log    string // the name of the log the line stands in
	Record Record // as written
	Line   int    // the line's number in its log
	Undone bool   // an undo line makes it count as unwritten
	Waits  bool   // no human act has let it in: it has no effect yet
}
