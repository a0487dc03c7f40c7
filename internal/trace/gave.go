package trace

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/internal/assistant"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A To is another assistant that was given memories. All of it is what that assistant says of itself.
type To struct {
	Agent  string // its name; never "" in a To that is not the zero one
	Thread string // what it calls its own conversation; "" if it does not say
	By     string // the way: "recall", "why", "page", "block"
}

// agentField names the assistant in an event.
const agentField = "agent"

// gaveEvent is Trace.Event of what another assistant was given: what there was to be spent, and what was passed over, is not
// noted.
func (t Trace) gaveEvent(given []Given, seal *memory.Seal) session.Event {
	e := session.Event{Time: t.Time, Name: session.EventWhy}
	for _, f := range [...]struct{ name, text string }{{agentField, t.To.Agent}, {"thread", t.To.Thread}, {"by", t.To.By}} {
		if f.text != "" {
			e.Fields = append(e.Fields, session.StringField(f.name, f.text))
		}
	}
	e.Fields = append(e.Fields, session.Field{Name: "chosen", Value: jsonl.AppendList(nil, given, appendGiven)})
	if seal != nil && len(given) > 0 {
		e.Fields = append(e.Fields, session.Field{Name: keyedField, Value: json.RawMessage("true")})
	}
	return e
}

// Notes are what a process gave to another assistant, in a session of their own that is made at the first of them. The zero
// Notes is ready. It is safe for concurrent use: a note waits for the one before it.
type Notes struct {
	mu      sync.Mutex      // guards what follows, and is held while a note is written
	session *session.Writer // nil: nothing was noted yet
}

// noteWait is how long a note waits for who else writes: nobody is to wait for it.
const noteWait = 200 * time.Millisecond

// Add notes a trace to another assistant, who came by way of a face; h is where it was, and what wrote it. What cannot be
// written waits for the next note.
func (n *Notes) Add(dir session.Dir, h session.Header, t Trace, seal *memory.Seal) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.session == nil {
		dir.SyncLines, dir.Hold, dir.Wait = false, false, noteWait // a crash of the machine may lose the last of it
		h.Agent = t.To.Agent
		w, err := dir.Create(h)
		if err != nil {
			return err
		}
		n.session = w
	}
	err := n.session.AppendEvent(t.Event(seal))
	if errors.Is(err, session.ErrRemoved) { // a person deleted it: what follows goes to a new one
		return nil
	}
	return err
}

// Close has the notes on the disk.
func (n *Notes) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.session == nil {
		return nil
	}
	return n.session.Close()
}

// mostThread is how much of an assistant's own name of its conversation is kept, in bytes.
const mostThread = 64

// ThreadOf is what an assistant calls its conversation, without what no name has.
func ThreadOf(said string) string {
	name := termsafe.Line(said[:min(len(said), mostThread)])
	name, _, _ = strings.Cut(name, " ")
	return strings.ToValidUTF8(name, "")
}

// GivenTo is Receivers for people and programs, with where each keeps what it was told.
func GivenTo(dir session.Dir, is func(ref string) bool) ([]view.GivenTo, error) {
	list, err := Receivers(dir, is)
	if err != nil {
		return nil, err
	}
	var given []view.GivenTo
	for _, r := range list {
		given = append(given, view.GivenTo{
			Agent: termsafe.Line(r.Agent), Keeps: assistant.Keeps(r.Agent),
			Days: r.Days, First: view.Stamp(r.First), Last: view.Stamp(r.Last),
		})
	}
	return given, nil
}

// A Receiver is another assistant that was given memories.
type Receiver struct {
	Agent       string
	Days        int       // on so many days of the person's calendar
	First, Last time.Time // to the second
}

// Receivers returns the assistants that were given one of the memories that is accepts by its reference, by name. A session
// that cannot be read is left out; the error is that of the directory.
func Receivers(dir session.Dir, is func(ref string) bool) ([]Receiver, error) {
	found := make(map[string]*Receiver)
	days := make(map[[2]string]bool)
	for path, err := range dir.Gave() {
		if err != nil {
			return nil, err
		}
		s, err := session.Load(path)
		if err != nil {
			continue
		}
		for _, e := range s.Entries {
			if e.Event == nil {
				continue
			}
			t, ok := Read(*e.Event)
			if !ok || t.To.Agent == "" || !slices.ContainsFunc(t.Chosen, func(g Given) bool { return is(g.Ref) }) {
				continue
			}
			r := found[t.To.Agent]
			if r == nil {
				r = &Receiver{Agent: t.To.Agent, First: t.Time}
				found[t.To.Agent] = r
			}
			if t.Time.Before(r.First) {
				r.First = t.Time
			}
			if t.Time.After(r.Last) {
				r.Last = t.Time
			}
			if day := [2]string{t.To.Agent, t.Time.Local().Format(time.DateOnly)}; !days[day] {
				days[day] = true
				r.Days++
			}
		}
	}
	list := make([]Receiver, 0, len(found))
	for _, r := range found {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b Receiver) int { return cmp.Compare(a.Agent, b.Agent) })
	return list, nil
}
