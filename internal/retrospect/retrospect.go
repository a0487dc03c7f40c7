package retrospect

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"ken/internal/frame"
	"ken/internal/gate"
	"ken/internal/session"
	"ken/internal/session/acts"
	"ken/internal/session/feedback"
	"ken/internal/trace"
)

// A Look is what was seen in some conversations.
type Look struct {
	Since    time.Time // what is older was not looked at
	Sessions int       // in which something happened
	Answers  int
	Recent   int   // answers that had the recent context of the person, which is no memory of its own
	Used     []Use // most often called up first, then what stood in the start-up block alone
	// Outcomes are the newest last, conversation by conversation, as they were given.
	Outcomes    []Outcome
	Corrections []Correction // most often first
}

// A Use is a memory that answers had.
type Use struct {
	Ref       string
	Activated int           // answers to questions that called it up
	Standing  int           // answers that had it in the start-up block alone
	Answers   []session.Ref // that it was called up for, the newest first; at most MostAnswers
}

// MostAnswers is how many answers a Use names.
const MostAnswers = 3

// An Outcome is what became of something, with what that was.
type Outcome struct {
	feedback.Outcome
	What   string // the command line, or what the act was, in a line; "" if that cannot be read any more
	Became string // of a command that the person changed: the line that ran
	Scope  string // the repository in which it was; "" if it was in none
}

// A Correction is a command line that the person has run in the place of one that was offered.
type Correction struct {
	From, To string
	Times    int
	Where    []session.Ref // the answers that offered it, the newest first
	Scope    string        // the repository in which all of it was; "" if it was in none, or in several
}

// Of looks at conversations, at what happened since a time. A transcript may be nil.
func Of(since time.Time, list ...*session.Transcript) Look {
	b := builder{look: Look{Since: since}, uses: make(map[string]*Use)}
	for _, t := range list {
		if t != nil {
			b.add(t)
		}
	}
	l := b.look
	l.Used = slices.SortedFunc(maps.Values(b.values()), func(x, y Use) int {
		return cmp.Or(cmp.Compare(y.Activated, x.Activated), cmp.Compare(y.Standing, x.Standing), cmp.Compare(x.Ref, y.Ref))
	})
	slices.SortStableFunc(l.Corrections, func(x, y Correction) int { return cmp.Compare(y.Times, x.Times) })
	return l
}

// Count is how many outcomes of a kind there are.
func (l Look) Count(kind feedback.Kind) (n int) {
	for _, o := range l.Outcomes {
		if o.Kind == kind {
			n++
		}
	}
	return n
}

// A builder is a Look of which some conversations were read.
type builder struct {
	look Look
	uses map[string]*Use
}

func (b *builder) values() map[string]Use {
	all := make(map[string]Use, len(b.uses))
	for ref, u := range b.uses {
		slices.SortStableFunc(u.Answers, func(x, y session.Ref) int {
			return cmp.Or(strings.Compare(y.Session, x.Session), cmp.Compare(y.Turn, x.Turn))
		})
		u.Answers = u.Answers[:min(len(u.Answers), MostAnswers)]
		all[ref] = *u
	}
	return all
}

// add reads one conversation.
func (b *builder) add(t *session.Transcript) {
	c := conversation{t: t, what: make(map[string]string)}
	some := false
	for _, e := range t.Entries {
		if e.Turn != nil {
			if e.Turn.Role == session.RoleAssistant && !e.Turn.Time.Before(b.look.Since) && !t.Header.Copied(e.Turn.N) {
				b.look.Answers++
				some = true
			}
			continue
		}
		c.note(*e.Event)
		if tr, ok := trace.Read(*e.Event); ok && !e.Event.Time.Before(b.look.Since) && !t.Header.Copied(tr.N) {
			b.trace(t.Header.Session, tr)
		}
	}
	for _, o := range feedback.Read(t) {
		if o.At.Before(b.look.Since) {
			continue
		}
		some = true
		out := Outcome{Outcome: o, What: c.whatOf(o), Scope: c.repository(o.N)}
		if o.Of == feedback.Command {
			out.Became = c.becameOf(o, out.What)
		}
		if out.Became != "" {
			b.correct(out)
		}
		if o.Kind != feedback.Revised {
			out.Became = ""
		}
		b.look.Outcomes = append(b.look.Outcomes, out)
	}
	if some {
		b.look.Sessions++
	}
}

// trace notes which memories an answer had.
func (b *builder) trace(id string, tr trace.Trace) {
	if tr.Context.Profile || tr.Context.Working == trace.Sent {
		b.look.Recent++
	}
	for _, g := range tr.Chosen {
		u := b.uses[g.Ref]
		if u == nil {
			u = &Use{Ref: g.Ref}
			b.uses[g.Ref] = u
		}
		if !g.Activated() {
			u.Standing++
			continue
		}
		u.Activated++
		u.Answers = append(u.Answers, session.Ref{Session: id, Turn: tr.N})
	}
}

// correct notes a correction, once for each answer that offered the line.
func (b *builder) correct(o Outcome) {
	at := session.Ref{Session: o.Session, Turn: o.N}
	for i, c := range b.look.Corrections {
		if c.From != o.What || c.To != o.Became {
			continue
		}
		if !slices.Contains(c.Where, at) {
			b.look.Corrections[i].Times++
			b.look.Corrections[i].Where = append([]session.Ref{at}, c.Where...)
			b.look.Corrections[i].Scope = common(c.Scope, o.Scope)
		}
		return
	}
	b.look.Corrections = append(b.look.Corrections, Correction{o.What, o.Became, 1, []session.Ref{at}, o.Scope})
}

// common is the repository of two things; "" if they are of different ones.
func common(a, b string) string {
	if a != b {
		return ""
	}
	return a
}

// A conversation is one whose lines are looked up.
type conversation struct {
	t    *session.Transcript
	what map[string]string // what acts were, by their ids
}

// note takes what a line says an act is.
func (c *conversation) note(e session.Event) {
	if a, ok := acts.Of(e); ok && a.What != "" {
		c.what[a.ID] = strings.TrimPrefix(a.What, "$ ")
	} else if f, ok := acts.ChangeOf(e); ok {
		c.what[f.ID] = f.Path
	}
}

// repository is the one in which the person was at a turn; "" if that was none.
func (c *conversation) repository(n int) string {
	scope := c.t.Header.Scope
	for _, e := range c.t.Entries {
		if e.Turn == nil {
			continue
		}
		if e.Turn.N > n {
			break
		}
		scope = cmp.Or(e.Turn.Scope, scope) // written when it changed
	}
	if !strings.HasPrefix(scope, "repo:") {
		return ""
	}
	return scope
}

// whatOf is what an outcome is about: "" if that cannot be said, or is a reference to something else.
func (c *conversation) whatOf(o feedback.Outcome) string {
	if what := c.what[o.Ref]; what != "" {
		return what
	}
	if o.Of != feedback.Command || o.N == 0 {
		return ""
	}
	turn, ok := c.t.Turn(o.N)
	if !ok {
		return ""
	}
	for i, line := range gate.Proposed(frame.Plain(turn.Content)) {
		if acts.LineID(o.N, i) == o.Ref {
			return line
		}
	}
	return ""
}

// becameOf is the line that the person ran in the place of one that was offered: the one before the line that says that they
// revised it; of one that failed or that they did not want, the next one with a word of it that ended well, before they said
// anything else.
func (c *conversation) becameOf(o feedback.Outcome, what string) string {
	at := slices.IndexFunc(c.t.Entries, func(e session.Entry) bool {
		if e.Event == nil {
			return false
		}
		got, ok := feedback.Of(*e.Event)
		return ok && got.Kind == o.Kind && got.Ref == o.Ref && got.Of == o.Of
	})
	if at < 0 || what == "" {
		return ""
	}
	if o.Kind == feedback.Revised {
		for _, e := range slices.Backward(c.t.Entries[:at]) {
			if e.Event != nil && e.Event.Name == session.EventExec {
				return differs(e.Event.Text("cmd"), what)
			}
		}
		return ""
	}
	if o.Kind != feedback.Failed && o.Kind != feedback.Rejected {
		return ""
	}
	for _, e := range c.t.Entries[at+1:] {
		if e.Turn != nil {
			return ""
		}
		if e.Event.Name != session.EventExec || e.Event.Int("exit") != 0 {
			continue
		}
		if line := e.Event.Text("cmd"); feedback.ShareWord(line, what) {
			return differs(line, what)
		}
	}
	return ""
}

// differs is a line if it is not the other one.
func differs(line, what string) string {
	if strings.Join(strings.Fields(line), " ") == strings.Join(strings.Fields(what), " ") || line == session.Gone {
		return ""
	}
	return line
}
