package habits

import (
	"encoding/json"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"ken/internal/frame"
	"ken/internal/gate"
	"ken/internal/jsonl"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/session/acts"
	"ken/internal/teach"
	"ken/internal/text"
)

const (
	// longestWish is the longest text that is a wish, in bytes: what is longer was pasted.
	longestWish = 500
	// fewestWords is how many words a wish needs to be about something.
	fewestWords = 2
	// mostOf is how many wishes, calls and commands of one conversation count, the newest.
	mostOf = 200
)

// A Trace is what of one conversation can show friction.
type Trace struct {
	Session string // its id
	Began   time.Time
	Wishes  []Wish
	Steps   []Step // calls of tools and commands of the person, in their order
}

// A Wish is what a person typed.
type Wish struct {
	Text string
	Turn int
	core []string // text.Core of it
}

// A Step is something that was run, or offered and not run.
type Step struct {
	Turn   int    // the last turn before it; 0: none
	Own    bool   // the person ran it
	Tool   string // "shell" of every command line
	On     string // the file, the program, or in a line what else it was called for
	Line   string // the command line; "" of other tools
	Failed bool   // it ran and did not work
	Passed bool   // it was offered, and did not run
}

// Of returns what a conversation shows. Left out are turns that are gone, since what they taught was forgotten, those that the
// person took back, what was done for either, and what was copied from another conversation. gone is asked about command lines
// as well, as turns of number 0; nil: none is.
func Of(t *session.Transcript, gone func(session.Turn) bool) Trace {
	tr := Trace{Session: t.Header.Session, Began: t.Header.Started}
	if gone == nil {
		gone = func(session.Turn) bool { return false }
	}
	r := reader{trace: &tr, gone: gone, began: make(map[string]acts.Act), files: make(map[string]string), lines: make(map[string]string)}
	for _, e := range t.Entries {
		at := time.Time{}
		if e.Turn != nil {
			at = e.Turn.Time
		} else {
			at = e.Event.Time
		}
		if t.Header.CopiedFrom != "" && at.Before(t.Header.Started) {
			continue
		}
		switch {
		case e.Turn == nil:
			r.event(*e.Event)
		case e.Left.Taken() || gone(*e.Turn):
			r.hidden = e.Turn.Role == session.RoleUser || r.hidden
		default:
			r.turn(*e.Turn)
		}
	}
	tr.Wishes = tr.Wishes[max(0, len(tr.Wishes)-mostOf):]
	tr.Steps = tr.Steps[max(0, len(tr.Steps)-mostOf):]
	return tr
}

// Enough reports whether there is anything in the conversation to learn from.
func (t Trace) Enough() bool { return len(t.Wishes)+len(t.Steps) > 0 }

// A reader makes a trace of the lines of a conversation.
type reader struct {
	trace  *Trace
	gone   func(session.Turn) bool
	at     int                 // the last turn
	hidden bool                // the last question is forgotten or was taken back, and what followed with it
	began  map[string]acts.Act // by id
	files  map[string]string   // by id of the call: the file that it is for
	lines  map[string]string   // by id of the call: the whole command line
}

// turn takes a turn in.
func (r *reader) turn(t session.Turn) {
	switch t.Role {
	case session.RoleUser:
		r.hidden, r.at = false, t.N
		if w, ok := wish(t); ok {
			r.trace.Wishes = append(r.trace.Wishes, w)
		}
	case session.RoleAssistant:
		r.at = t.N
		r.calls(t.ToolCalls)
		for i, line := range gate.Proposed(frame.Plain(t.Content)) {
			id := acts.LineID(t.N, i)
			r.lines[id] = line
			if !r.hidden {
				r.add(Step{Turn: t.N, Line: line, Passed: true}) // unless an act says that it ran
			}
		}
	}
}

// wish is what the person asks for in a turn; ok is false if it is nothing that a skill could do.
func wish(t session.Turn) (w Wish, ok bool) {
	s := strings.TrimSpace(t.Content)
	if t.From != "" || t.Recalled || t.Nudge || t.Speaker != "" || s == "" || len(s) > longestWish || !utf8.ValidString(s) {
		return w, false
	}
	if act := teach.Read(s).Act; act == teach.Keep || act == teach.Correct || act == teach.Forget {
		return w, false // it is for the memory
	}
	w = Wish{Text: s, Turn: t.N, core: text.Core(s)}
	return w, len(w.core) >= fewestWords
}

// calls notes what the calls of an answer are for.
func (r *reader) calls(raw json.RawMessage) {
	list, err := llm.ParseToolCalls(raw)
	if err != nil {
		return // not as a server sends them
	}
	for _, c := range list {
		var args map[string]json.RawMessage
		if json.Unmarshal([]byte(c.Arguments), &args) == nil && c.ID != "" {
			file, _ := jsonl.Value(args["path"]).Text()
			line, _ := jsonl.Value(args["command"]).Text()
			r.files[c.ID], r.lines[c.ID] = file, line
		}
	}
}

// event takes in what was done.
func (r *reader) event(e session.Event) {
	if r.hidden {
		return
	}
	if e.Name == session.EventExec {
		line := strings.TrimSpace(e.Text("cmd"))
		if line == "" || line == session.Gone {
			return
		}
		r.add(Step{Turn: r.at, Own: true, Line: line, Failed: e.Int("exit") != 0})
		return
	}
	a, ok := acts.Of(e)
	if !ok {
		return
	}
	if a.State == acts.Begun {
		r.began[a.ID] = a
		return
	}
	if was, ok := r.began[a.ID]; ok {
		a = was.After(a)
		delete(r.began, a.ID)
	}
	s := Step{
		Turn: r.at, Tool: a.Tool, On: r.files[a.ID], Line: r.lines[a.ID],
		Failed: a.State == acts.Done && (a.Outcome != "" && a.Outcome != "done" || a.Ended && a.Exit != 0),
		Passed: a.State == acts.Refused || a.State == acts.Skipped,
	}
	if line, ok := strings.CutPrefix(a.What, "$ "); ok && s.Line == "" && !strings.HasSuffix(line, "…") {
		s.Line = line
	}
	if s.On == "" && s.Line == "" {
		s.On = a.What
	}
	r.add(s)
}

// add takes a step in. A command line that was offered and is run now is one step.
func (r *reader) add(s Step) {
	if s.Line != "" {
		s.Tool, s.On = shell, program(s.Line)
		if n := len(r.trace.Steps); n > 0 && !s.Own {
			for i := n - 1; i >= 0 && r.trace.Steps[i].Turn == s.Turn; i-- {
				if was := r.trace.Steps[i]; was.Passed && !was.Own && was.Line == s.Line {
					r.trace.Steps = append(r.trace.Steps[:i], r.trace.Steps[i+1:]...)
					break
				}
			}
		}
	}
	if s.Tool != "" && s.On != "" && !r.gone(session.Turn{Content: s.Line + " " + s.On}) {
		r.trace.Steps = append(r.trace.Steps, s)
	}
}

// shell is the name of the tool that runs command lines.
const shell = "shell"

// program is the name of the program that a command line runs first; "" if that is not to be seen.
func program(line string) string {
	for _, w := range strings.Fields(line) {
		if strings.Contains(w, "=") {
			continue // a variable that is set for it
		}
		switch w = path.Base(strings.Trim(w, `"'`)); w {
		case "sudo", "env", "time", "command", "nohup":
			continue
		}
		return w
	}
	return ""
}
