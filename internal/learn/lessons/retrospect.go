package lessons

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
	Scope  string // the repository or directory in which it was; "" if that is not known
}

// A Correction is a command line that the person has run in the place of one that was offered.
type Correction struct {
	From, To string
	Times    int
	Where    []session.Ref // the answers that offered it, the newest first
	Scope    string        // the repository or directory in which all of it was; "" if that is not known, or it was in several
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

// Scope is where all outcomes were; "" if that is not one place.
func (l Look) Scope() (scope string) {
	for i, o := range l.Outcomes {
		if i == 0 {
			scope = o.Scope
		}
		scope = common(scope, o.Scope)
	}
	return scope
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
		out := Outcome{Outcome: o, What: c.whatOf(o), Scope: c.scope(o.N)}
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
	if tr.Context.Profile || tr.Context.Sums() {
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

// common is where two things were; "" if that is not one place.
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

// scope is where the person was at a turn: a repository, or a directory that is in none; "" if that is not known.
func (c *conversation) scope(n int) string {
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
// revised it; of one that failed or that they did not want, the one that did it otherwise.
func (c *conversation) becameOf(o feedback.Outcome, what string) string {
	at := c.at(o)
	if at < 0 || what == "" {
		return ""
	}
	switch o.Kind {
	case feedback.Revised:
		for _, e := range slices.Backward(c.t.Entries[:at]) {
			if ran(e) {
				return differs(e.Event.Text("cmd"), what)
			}
		}
	case feedback.Failed, feedback.Rejected:
		if i := c.otherwise(at, what, o.Kind == feedback.Failed); i > 0 {
			return c.t.Entries[i].Event.Text("cmd")
		}
	}
	return ""
}

// at is the entry that says an outcome of a command; -1 if there is none.
func (c *conversation) at(o feedback.Outcome) int {
	return slices.IndexFunc(c.t.Entries, func(e session.Entry) bool {
		if e.Event == nil {
			return false
		}
		if got, ok := feedback.Of(*e.Event); ok {
			return got.Kind == o.Kind && got.Ref == o.Ref && got.Of == o.Of
		}
		a, ok := acts.Of(*e.Event)
		return ok && a.ID == o.Ref && a.State != acts.Begun
	})
}

// ran reports whether a line is that of a command which the person had run.
func ran(e session.Entry) bool { return e.Event != nil && e.Event.Name == session.EventExec }

// FewLines is within how many commands of the person one may be what they did in the place of what they refused.
const FewLines = 5

// otherwise is the entry of the command that did what a line was to do, which was refused or failed at an entry: one of the
// person's next few, before they said anything else; 0 if there is none. well: it must have ended well. What was refused for
// something else is revised by what they ran, whatever came of that.
func (c *conversation) otherwise(at int, what string, well bool) int {
	lines, working := 0, false // a model, towards a goal: what is said to it meanwhile is ken's
	for i, e := range c.t.Entries {
		if e.Event != nil {
			if p, ok := acts.PursuitOf(*e.Event); ok {
				working = p.State != acts.Ended
			}
		}
		switch {
		case i <= at:
		case e.Turn != nil && e.Turn.ByPerson() && !working, lines == FewLines:
			return 0
		case ran(e):
			lines++
			line := e.Event.Text("cmd")
			if (!well || e.Event.Int("exit") == 0) && feedback.Otherwise(what, line) && differs(line, what) != "" {
				return i
			}
		}
	}
	return 0
}

// A Revision is a command line that a person refused and then did otherwise.
type Revision struct {
	feedback.Outcome
	Lesson string // what could be learned; "" if nothing that could be said
}

// Revised returns what the last command of a conversation did in the place of what was refused; ok is false if it did not.
func Revised(t *session.Transcript) (r Revision, ok bool) {
	last := -1
	c := conversation{t: t, what: make(map[string]string)}
	for i, e := range t.Entries {
		if e.Event != nil {
			c.note(*e.Event)
		}
		if ran(e) {
			last = i
		}
	}
	for _, o := range slices.Backward(feedback.Read(t)) {
		if o.Kind != feedback.Rejected || o.Of != feedback.Command || last < 0 {
			continue
		}
		what := c.whatOf(o)
		at := c.at(o)
		if what == "" || at < 0 || c.otherwise(at, what, false) != last {
			continue
		}
		r.Outcome = feedback.Outcome{N: o.N, Kind: feedback.Revised, Of: o.Of, Ref: o.Ref}
		r.Lesson, _ = feedback.Instead(what, t.Entries[last].Event.Text("cmd"))
		return r, true
	}
	return r, false
}

// differs is a line if it is not the other one.
func differs(line, what string) string {
	if strings.Join(strings.Fields(line), " ") == strings.Join(strings.Fields(what), " ") || line == session.Gone {
		return ""
	}
	return line
}
