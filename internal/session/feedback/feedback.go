package feedback

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strconv"
	"time"

	"ken/internal/session"
)

// Event is the name of the event.
const Event = "feedback"

// A Kind says what became of it.
type Kind string

// The kinds.
const (
	Accepted Kind = "accepted" // it ran, or was kept, as it was offered
	Revised  Kind = "revised"  // the person changed it first, or refused it and then did it otherwise
	Rejected Kind = "rejected" // it was not let: the person or a setting of theirs said no, or nobody could be asked
	Retried  Kind = "retried"  // it was asked for again
	Failed   Kind = "failed"   // it ran and did not work
	Undone   Kind = "undone"   // it was taken back
)

// A Thing says what it is about.
type Thing string

// The things.
const (
	Command    Thing = "command"
	Memory     Thing = "memory"
	Answer     Thing = "answer"
	File       Thing = "file"
	Tool       Thing = "tool"
	Suggestion Thing = "suggestion"
)

// Kinds are all kinds, the order in which they are told.
func Kinds() []Kind { return []Kind{Accepted, Revised, Rejected, Retried, Failed, Undone} }

// known reports whether k is one of Kinds.
func (k Kind) known() bool {
	switch k {
	case Accepted, Revised, Rejected, Retried, Failed, Undone:
		return true
	}
	return false
}

// known reports whether t is one of the things.
func (t Thing) known() bool {
	switch t {
	case Command, Memory, Answer, File, Tool, Suggestion:
		return true
	}
	return false
}

// longestRef is how long a reference is at most, in bytes: ids of calls are what a model's server makes them.
const longestRef = 128

// An Outcome is what became of one thing.
type Outcome struct {
	Session string // its id; "" of one that is not in a session yet
	N       int    // the turn that it is about, from 1; 0: none
	At      time.Time
	Kind    Kind
	Of      Thing
	Ref     string // see the package
}

// OfTurn is the outcome of an answer.
func OfTurn(kind Kind, n int) Outcome {
	return Outcome{Kind: kind, Of: Answer, Ref: strconv.Itoa(n), N: n}
}

// OfLine is the outcome of command line i, from 0, of the answer in turn n.
func OfLine(kind Kind, n, i int) Outcome {
	return Outcome{Kind: kind, Of: Command, Ref: fmt.Sprintf("%d.%d", n, i+1), N: n}
}

// Event is the outcome as a line. A reference that could be a text (too long, or with a space) is left out.
func (o Outcome) Event() session.Event {
	e := session.Event{Time: o.At, Name: Event}
	e.Fields = append(e.Fields, session.StringField("kind", string(o.Kind)), session.StringField("of", string(o.Of)))
	if isRef(o.Ref) {
		e.Fields = append(e.Fields, session.StringField("ref", o.Ref))
	}
	if o.N > 0 {
		e.Fields = append(e.Fields, session.IntField("n", o.N))
	}
	return e
}

// isRef reports whether s is fit for a reference: printable ASCII without a space, 1 to 128 bytes.
func isRef(s string) bool {
	if s == "" || len(s) > longestRef {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Of is the outcome of a line; ok is false if it is the line of none, or of a kind that is not known here. Session is not set.
func Of(e session.Event) (o Outcome, ok bool) {
	o = Outcome{N: e.Int("n"), At: e.Time, Kind: Kind(e.Text("kind")), Of: Thing(e.Text("of")), Ref: e.Text("ref")}
	if !isRef(o.Ref) {
		o.Ref = ""
	}
	return o, e.Name == Event && o.Kind.known() && o.Of.known()
}

// OfSuggestion is the outcome of what waited for review.
func OfSuggestion(kept, changed bool, ref string) Outcome {
	o := Outcome{Kind: Rejected, Of: Suggestion, Ref: ref}
	switch {
	case kept && changed:
		o.Kind = Revised
	case kept:
		o.Kind = Accepted
	}
	return o
}

// Most is how many sessions Newest reads at most, unless it is told otherwise.
const Most = 200

// slack is by how much the clock of the files may be behind that of their lines.
const slack = 24 * time.Hour

// Newest yields the sessions of a directory that may have been written to since a time, those first whose files are the newest; the
// zero time is the beginning. Of more than most (0: Most) it yields those that began last: in a directory that was copied or
// restored all files are new. What has an older file is not opened, however many there are, and imported conversations are not
// among them. A session may hold older lines as well: look at their times. One that cannot be read is an error among them. It ends
// when ctx does.
func Newest(ctx context.Context, dir session.Dir, since time.Time, most int) iter.Seq2[*session.Transcript, error] {
	if most <= 0 {
		most = Most
	}
	return func(yield func(*session.Transcript, error) bool) {
		paths, err := dir.Paths()
		if err != nil {
			yield(nil, err)
			return
		}
		for i, path := range paths {
			if fi, err := os.Stat(path); err == nil && fi.ModTime().Before(since.Add(-slack)) {
				paths = paths[:i] // and so are all that follow
				break
			}
		}
		for _, path := range latest(paths, most) {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			t, err := dir.Load(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue // it was removed meanwhile
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// latest are those of paths whose names are the last ones, most of them at most, in the order of paths: the name of a session is
// the time at which it began, until the person calls it otherwise.
func latest(paths []string, most int) []string {
	if len(paths) <= most {
		return paths
	}
	names := slices.Clone(paths)
	slices.Sort(names)
	first := names[len(names)-most]
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p < first })
}
