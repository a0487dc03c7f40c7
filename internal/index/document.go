package index

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"ken/internal/frame"
	"ken/internal/memory"
	"ken/internal/session"
)

// A Source says what a document is.
type Source string

// The sources.
const (
	Memory   Source = "memory"   // an item of the memory
	Sessions Source = "sessions" // a turn of a conversation
	Commands Source = "commands" // a command line that ran in one
)

// A Document is what can be found. Its fields are searched apart: a word in a
// tag is worth more than one in the text.
type Document struct {
	// Ref names it in other commands: "3" or "<session>:<n>".
	Ref  string // of a command: "<session>"
	In   Source
	Kind string // of an item: "fact", ...; of a turn: its role; of a command: "exec"
	// Scope is the item's, or the one in which the turn was said; never empty
	// for an item.
	Scope string
	// Time is when the item was stated or the turn said; zero if not known.
	Time time.Time

	Content string
	Speaker string // of an imported turn
	Exit    int    // of a command: its exit code
	Tags    []string
	Key     string
	// Pinned, Archived and Importance (1 to 10) are of an item.
	Pinned, Archived bool
	Importance       int
	Phase            memory.Phase // of an item

	// Session is the conversation of a turn, or the one an item comes from; ""
	// if there is none. GivenSession is what an imported transcript calls it
	// where that is no string: verbatim JSON, else nil.
	Session      string
	GivenSession json.RawMessage
	// Turn is the turn's number, or what an imported transcript calls it:
	// verbatim JSON, nil if there is none.
	Turn json.RawMessage
}

// Items returns the documents of a memory: the active items that hold at that time.
func Items(s *memory.State, at time.Time) []Document {
	items := s.Items()
	docs := make([]Document, 0, len(items))
	for i := range items {
		if items[i].Current(at) {
			docs = append(docs, Item(&items[i]))
		}
	}
	return docs
}

// Item returns the document of an item.
func Item(it *memory.Item) Document {
	r := it.Record
	d := Document{
		Ref: it.Ref(), In: Memory, Kind: string(r.Kind), Scope: string(r.Scope), Time: r.Time,
		Content: r.Content, Tags: r.Tags, Key: r.Key,
		Pinned: it.Pinned, Archived: it.Tier == memory.TierArchive, Importance: it.Importance,
		Phase: it.Phase,
	}
	if d.Scope == "" {
		d.Scope = string(memory.ScopeUser)
	}
	if r.Source != nil {
		d.Session = r.Source.Session
		if r.Source.Turn > 0 {
			d.Turn = strconv.AppendInt(nil, int64(r.Source.Turn), 10)
		}
	}
	return d
}

// Turns returns the documents of a conversation. Left out are turns that hidden
// covers; what came from memory, which would be found twice; what was copied
// from another session; turns that a later line with their number replaces; and those that
// the person dropped, or had asked and answered anew.
func Turns(t *session.Transcript, hidden memory.Hidden) []Document {
	var docs []Document
	at := make(map[int]int) // by number: the place in docs
	scope := t.Header.Scope
	for _, e := range t.Entries {
		turn := e.Turn
		if turn == nil {
			continue
		}
		if turn.Scope != "" {
			scope = turn.Scope
		}
		if e.Left.Taken() {
			continue
		}
		if turn.Nudge && !strings.HasPrefix(turn.Content, frame.Output) { // nobody's words
			continue
		}
		if turn.Recalled || t.Header.Copied(turn.N) || hidden.Has(t.Header.Session, turn.N) {
			continue
		}
		d := Said(t.Header, *turn, scope)
		if i, again := at[turn.N]; again {
			docs[i] = d
			continue
		}
		at[turn.N] = len(docs)
		docs = append(docs, d)
	}
	return docs
}

// RanCommands returns the documents of the command lines that ran in a conversation,
// in the order in which each ran last. Left out are those of a session that
// hidden covers or that was copied, and those that run ken itself: what they say
// to the memory is the memory's to show or to hide.
func RanCommands(t *session.Transcript, hidden memory.Hidden) []Document {
	id, scope := t.Header.Session, t.Header.Scope
	if hidden.Sessions[id] {
		return nil
	}
	var docs []Document
	for _, e := range t.Entries {
		if e.Turn != nil {
			scope = cmp.Or(e.Turn.Scope, scope)
			continue
		}
		line := e.Event.Text("cmd")
		copied := t.Header.CopiedFrom != "" && e.Event.Time.Before(t.Header.Started)
		if e.Event.Name != session.EventExec || strings.TrimSpace(line) == "" || copied || RunsKen(line) {
			continue
		}
		docs = slices.DeleteFunc(docs, func(d Document) bool { return d.Content == line })
		docs = append(docs, Ran(t.Header, *e.Event, scope))
	}
	return docs
}

// Ran returns the document of a command line that ran in the conversation with the
// header h.
func Ran(h session.Header, e session.Event, scope string) Document {
	return Document{
		Ref: h.Session, In: Commands, Kind: session.EventExec, Scope: scope, Time: e.Time,
		Content: e.Text("cmd"), Exit: e.Int("exit"), Session: h.Session,
	}
}

// RunsKen reports whether a word of a command line is this program's name: then it
// may hold what was remembered and is forgotten now.
func RunsKen(line string) bool {
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(";&|()<>`'\"", r) }) {
		if word == "ken" || strings.HasSuffix(word, "/ken") {
			return true
		}
	}
	return false
}

// Said returns the document of a turn of the conversation with the header h, said in
// scope.
func Said(h session.Header, turn session.Turn, scope string) Document {
	d := Document{
		Ref: session.Ref{Session: h.Session, Turn: turn.N}.String(), In: Sessions, Kind: string(turn.Role),
		Scope: scope, Time: turn.Time, Content: turn.Content, Speaker: turn.Speaker, Session: h.Session,
		Turn: strconv.AppendInt(nil, int64(turn.N), 10),
	}
	if turn.Nudge {
		d.Kind = string(session.RoleTool) // what commands printed
	}
	if given := valueOf(turn.Extra, session.Given); given != nil {
		d.Turn = given
	}
	d.GivenSession = valueOf(h.Extra, session.Given)
	return d
}

// valueOf is the value of the last field of that name; nil if there is none.
func valueOf(fields []session.Field, name string) json.RawMessage {
	for _, f := range slices.Backward(fields) {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}
