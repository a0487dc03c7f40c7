package view

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/dates"
	"ken/internal/jsonl"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/wrap"
)

// Session is the JSON shape of a listed session.
type Session struct {
	Name    string `json:"name"`    // of the file, without suffix; other commands accept it
	Session string `json:"session"` // the id, which stays when the file is renamed
	Path    string `json:"path"`
	MTime   string `json:"mtime"`
	Started string `json:"started,omitempty"`
	Turns   int    `json:"turns"`
	Channel string `json:"channel,omitempty"`
	Agent   string `json:"agent,omitempty"` // another assistant: it notes what that was given, and is no conversation
	Scope   string `json:"scope,omitempty"`
	Model   string `json:"model,omitempty"`
	Title   string `json:"title,omitempty"`  // what the person called it
	First   string `json:"first"`            // what it began with
	Active  bool   `json:"active,omitempty"` // it is the one that is being held
	// Imported says that it is a transcript of another program.
	Imported bool `json:"imported,omitempty"`

	at        time.Time // that MTime says
	forgotten bool      // what it is called is not shown
}

// Forget leaves out what the conversation is called: it repeats what was forgotten.
func (s *Session) Forget(instead string) { s.First, s.Title, s.forgotten = instead, "", true }

// called is what the session is called in a list.
func (s *Session) called() string {
	switch title := cmp.Or(s.Title, s.First); {
	case s.Turns == 0 && s.Agent != "":
		return "(given to " + termsafe.Line(s.Agent) + ")"
	case s.Turns == 0:
		return "(commands only)"
	case s.forgotten:
		return "[forgotten]"
	case title == "":
		return "(no words)"
	default:
		return title
	}
}

// SessionOf is l for a program.
func SessionOf(l session.Listing, active bool) Session {
	title := ""
	if l.Title != l.First {
		title = l.Title
	}
	return Session{
		Name: l.Name, Session: l.Header.Session, Path: l.Path, MTime: Stamp(l.Written), Started: Stamp(l.Header.Started),
		Turns: l.Turns, Channel: string(l.Header.Channel), Agent: l.Header.Agent, Scope: l.Header.Scope, Model: l.Header.Model,
		Title: title, First: l.First, Active: active, at: l.Written,
	}
}

// namesFrom is how wide a terminal is on which sessions are listed with their names,
// which are longer than what most of them are called by.
const namesFrom = 72

// elsewhere reports whether a session was held, or noted, by another face than a terminal.
func (s Session) elsewhere() bool {
	switch session.Channel(s.Channel) {
	case "", session.ChannelTerminal, session.ChannelAsk, session.ChannelImport:
		return false
	}
	return true
}

// SessionTable lists sessions, one line each, for a terminal of width cells (0: no
// limit), with times as dates.Local has them. Where some were
// held by another face than a terminal, that stands there. An asterisk stands before the active one. On
// a narrow terminal names and faces are left out: words of a title name it too.
func SessionTable(sessions []Session, now time.Time, width int) string {
	head, faces := []string{"name", "written", "turns", "title"}, slices.ContainsFunc(sessions, Session.elsewhere)
	if faces {
		head = slices.Insert(head, 2, "from")
	}
	rows := make([][]string, len(sessions))
	for i, s := range sessions {
		mark := ""
		if s.Active {
			mark = "*"
		}
		title := s.called()
		if s.Imported {
			title += " (imported)"
		}
		rows[i] = []string{mark + s.Name, dates.Local(s.at, now), fmt.Sprint(s.Turns), title}
		if faces {
			rows[i] = slices.Insert(rows[i], 2, cmp.Or(termsafe.Line(s.Channel), "-"))
		}
		if narrow := width > 0 && width < namesFrom; narrow {
			rows[i] = []string{mark + dates.Local(s.at, now), fmt.Sprint(s.Turns), title}
			head = []string{"written", "turns", "title"}
		}
	}
	return Table(head, rows, width)
}

// Turn is the JSON shape of a turn.
type Turn struct {
	N       int    `json:"n"` // from 1, in its session
	TS      string `json:"ts,omitempty"`
	Role    string `json:"role"`
	Content string `json:"content"`
	Model   string `json:"model,omitempty"`
	Finish  string `json:"finish,omitempty"`
	From    string `json:"from,omitempty"` // the least trusted origin of text in it
	// Left says why it is not in the context: "unanswered", "dropped", "retried", "edited".
	Left      string                     `json:"left,omitempty"`
	Usage     json.RawMessage            `json:"usage,omitempty"`
	ToolCalls json.RawMessage            `json:"tool_calls,omitempty"`
	Nudge     bool                       `json:"nudge,omitempty"`    // ken wrote it by itself, in the role of the user
	Attached  json.RawMessage            `json:"attached,omitempty"` // what went along, as the session has it
	Raw       map[string]json.RawMessage `json:"raw,omitempty"`      // fields of the model's message as they came
}

// turnOf is t for a program.
func turnOf(t session.Turn) Turn {
	return Turn{
		N: t.N, TS: Stamp(t.Time), Role: string(t.Role), Content: t.Content, Model: t.Model,
		Finish: t.Finish, From: t.From, Usage: t.Usage, ToolCalls: t.ToolCalls, Nudge: t.Nudge, Attached: t.Attached, Raw: t.Raw,
	}
}

// Transcript is the JSON shape of a whole session.
type Transcript struct {
	Session string `json:"session"`
	Name    string `json:"name"`
	Started string `json:"started,omitempty"`
	Model   string `json:"model,omitempty"`
	Channel string `json:"channel,omitempty"`
	Scope   string `json:"scope,omitempty"`
	Turns   []Turn `json:"turns"` // never null
	// Commands are the command lines that ran beside the turns.
	Commands []Ran `json:"commands,omitempty"`
}

// Ran is the JSON shape of a command line that ran in a session.
type Ran struct {
	TS      string `json:"ts,omitempty"`
	Command string `json:"command"`
	Exit    int    `json:"exit"`
	Bytes   int    `json:"bytes"` // that it printed
	After   int    `json:"after"` // the turn before it; 0: none
}

// TranscriptOf is t for a program.
func TranscriptOf(t *session.Transcript) Transcript {
	v := Transcript{
		Session: t.Header.Session, Name: t.Name, Started: Stamp(t.Header.Started), Model: t.Header.Model,
		Channel: string(t.Header.Channel), Scope: t.Header.Scope, Turns: []Turn{},
	}
	after := 0
	for _, e := range t.Entries {
		switch {
		case e.Turn != nil:
			turn := turnOf(*e.Turn)
			turn.Left = termsafe.Line(string(e.Left))
			v.Turns = append(v.Turns, turn)
			after = e.Turn.N
		case e.Event.Name == session.EventExec:
			v.Commands = append(v.Commands, Ran{
				TS: Stamp(e.Event.Time), Command: e.Event.Text("cmd"), Exit: e.Event.Int("exit"),
				Bytes: e.Event.Int("bytes"), After: after,
			})
		}
	}
	return v
}

// TranscriptHead returns the line above the turns of a session.
func TranscriptHead(t *session.Transcript) string {
	head := fmt.Sprintf("session %s, begun %s, %s", termsafe.Line(t.Header.Session), When(t.Header.Started), Count(len(t.Turns()), "turn"))
	ran := 0
	for _, e := range t.Entries {
		if e.Event != nil && e.Event.Name == session.EventExec {
			ran++
		}
	}
	if ran > 0 {
		head += ", " + Count(ran, "command")
	}
	return head
}

// EntryText returns an entry of a session for a person: a turn as TurnText has it, or a
// command line that ran, "$" before it and its exit code behind, if it failed. ""
// is an entry that is not shown.
func EntryText(e session.Entry, width int) string {
	switch {
	case e.Turn != nil:
		return turnText(*e.Turn, e.Left, width)
	case e.Event.Name == session.EventWhy && e.Event.Text("agent") != "":
		return givenText(*e.Event)
	case e.Event.Name != session.EventExec:
		return ""
	}
	text := "$ " + strings.ReplaceAll(termsafe.Clean(e.Event.Text("cmd")), "\n", "\n  ")
	if exit := e.Event.Int("exit"); exit != 0 {
		text += fmt.Sprintf(" (exit %d)", exit)
	}
	return text
}

// givenText is what another assistant was given, by reference.
func givenText(e session.Event) string {
	var chosen []struct{ Ref string }
	if json.Unmarshal(e.Value("chosen"), &chosen) != nil {
		return ""
	}
	text := "given to " + termsafe.Line(e.Text("agent")) + ", " + When(e.Time) + ":"
	for _, c := range chosen {
		text += " #" + termsafe.Line(c.Ref)
	}
	return text
}

// TurnText returns a turn for a person: number and speaker, then the text, whose
// further lines stand below its first one. How an answer ended is shown where it
// did not simply end. On a terminal of width cells (0: no limit) lines are broken
// at blanks. The text does not end with a line end.
func TurnText(t session.Turn, width int) string { return turnText(t, "", width) }

func turnText(t session.Turn, why session.Left, width int) string {
	head := fmt.Sprintf("%d %s: ", t.N, who(t, why))
	lines := strings.Split(strings.TrimRight(termsafe.Clean(t.Content), "\n"), "\n")
	if calls := Calls(t.ToolCalls, width-termsafe.Width(head)); len(calls) > 0 && strings.TrimSpace(t.Content) == "" {
		lines = calls
	} else {
		lines = append(lines, calls...)
	}
	for i, line := range lines[1:] {
		if line != "" {
			lines[i+1] = strings.Repeat(" ", termsafe.Width(head)) + line
		}
	}
	return wrap.Text(head+strings.Join(lines, "\n"), width, termsafe.Width(head))
}

// Calls returns a line for each call of tools, as a model made them: the tool, and the first of
// its arguments that is a text, else all of them, cut to a terminal of width cells (0 or less: longestCall).
func Calls(raw json.RawMessage, width int) (lines []string) {
	list, err := llm.ParseToolCalls(raw)
	if err != nil {
		return nil // not as a server sends them
	}
	if width <= 0 {
		width = longestCall
	}
	for _, c := range list {
		what := c.Arguments
		fields, _, _ := jsonl.Fields([]byte(c.Arguments), nil)
		for _, f := range fields {
			if text, ok := jsonl.Value(f.Value).Text(); ok && strings.TrimSpace(text) != "" {
				what = text
				break
			}
		}
		if what == "{}" {
			what = ""
		}
		lines = append(lines, Excerpt("calls "+strings.TrimSpace(c.Name+" "+what), width))
	}
	return lines
}

// longestCall is how long the line of a call is where no width is known, in cells.
const longestCall = 120

// who is the speaker of a turn, and how it ended if not simply so, or why it left the context.
func who(t session.Turn, why session.Left) string {
	name := string(t.Role)
	switch {
	case t.Speaker != "":
		name = t.Speaker
	case t.ByPerson():
		name = "you"
	case t.Nudge:
		name = "ken, by itself"
	case t.Role == session.RoleAssistant:
		name = "ken"
	}
	if t.Finish == session.FinishCancelled || t.Finish == session.FinishTruncated || t.Finish == session.FinishError {
		name += " (" + t.Finish + ")"
	}
	if why != "" {
		name += " (" + why.Text() + ")"
	}
	return termsafe.Line(name)
}

// TranscriptText returns a whole session for a person, as a Markdown document without a
// final line end: a heading for each turn, its text below.
func TranscriptText(t *session.Transcript) string {
	var b strings.Builder
	title := termsafe.Line(t.Title())
	if title == "" {
		title = termsafe.Line(t.Name)
	}
	fmt.Fprintf(&b, "# %s\n\n%s", title, TranscriptHead(t))
	for _, e := range t.Entries {
		if e.Turn == nil {
			if text := EntryText(e, 0); text != "" { // as code
				fmt.Fprintf(&b, "\n\n    %s", strings.ReplaceAll(text, "\n", "\n    "))
			}
			continue
		}
		turn := *e.Turn
		fmt.Fprintf(&b, "\n\n## %d %s", turn.N, who(turn, e.Left))
		if !turn.Time.IsZero() {
			fmt.Fprintf(&b, ", %s", When(turn.Time))
		}
		if text := strings.Trim(termsafe.Clean(turn.Content), "\n"); text != "" {
			fmt.Fprintf(&b, "\n\n%s", text)
		}
		if calls := Calls(turn.ToolCalls, 0); len(calls) > 0 {
			fmt.Fprintf(&b, "\n\n    %s", strings.Join(calls, "\n    "))
		}
	}
	return b.String()
}
