package account

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ken/internal/session"
	"ken/internal/session/acts"
	"ken/internal/undo"
)

// An Account is a run of a model towards a goal, or with no Run what it did while it answered questions.
type Account struct {
	Session string    `json:"session"`
	Run     string    `json:"run,omitempty"`
	Goal    string    `json:"goal,omitempty"`
	Outcome string    `json:"outcome,omitempty"` // done, stalled, aborted, stopped, budget, refused, failed or killed
	Why     string    `json:"why,omitempty"`
	Began   time.Time `json:"began"`
	Ended   time.Time `json:"ended"` // the last line of it, where it was killed

	Steps     int     `json:"steps,omitempty"`
	Tokens    int     `json:"tokens,omitempty"`
	Estimated bool    `json:"estimated,omitempty"` // some of Tokens
	MS        int64   `json:"ms,omitempty"`        // in which a model answered
	ActsMS    int64   `json:"acts_ms,omitempty"`   // in which its acts were done, and asked about
	Cost      float64 `json:"cost,omitempty"`
	Currency  string  `json:"currency,omitempty"`
	Unpriced  int     `json:"unpriced,omitempty"` // answers that Cost does not count

	Acts  []Act  `json:"acts"`
	Files []File `json:"files"`
	// Undo is the command that takes back all changes of files; "" if there are none.
	Undo string `json:"undo,omitempty"`
	// Stays are the commands and tools of servers that may have changed something: Undo does not reach that.
	Stays []string `json:"stays,omitempty"`

	last acts.Pursuit
}

// Outcomes of an act beside done, failed, stopped and expired.
const (
	Refused = "refused"
	Skipped = "skipped"
	Unknown = "unknown" // it had begun when the run was killed; a command line is Killed then
)

// Killed is the outcome of a run that has no end in the session, and of a command line that ended with it.
const Killed = "killed"

// An Act is one thing that a model wanted done.
type Act struct {
	Nr      int       `json:"nr"`
	ID      string    `json:"id"`
	Time    time.Time `json:"time"`
	Tool    string    `json:"tool"`
	What    string    `json:"what"`
	Risk    string    `json:"risk"`
	How     string    `json:"how"` // the right by which it was let: level, allow, always, session, once; refused, deny
	Outcome string    `json:"outcome"`
	Exit    *int      `json:"exit,omitempty"` // of a command line that came to its end
	MS      int64     `json:"ms"`
	Why     string    `json:"why,omitempty"`

	state acts.State
}

// A File is a file that was changed.
type File struct {
	Path   string `json:"path"`
	Change string `json:"change"` // created, changed or deleted
	Undo   string `json:"undo"`   // the reference that takes it back
}

// Of returns what was done in a conversation: what belongs to no run first, then the runs, the oldest first.
func Of(t *session.Transcript) []Account {
	r := reader{session: t.Header.Session, open: make(map[string]*Account)}
	for _, e := range t.Entries {
		if e.Event == nil {
			continue
		}
		if p, ok := acts.PursuitOf(*e.Event); ok {
			r.pursuit(p)
		} else if a, ok := acts.Of(*e.Event); ok {
			r.act(a)
		}
	}
	return r.all(acts.Changes(t))
}

// Load is Of for the session in the file at path.
func Load(path string) ([]Account, error) {
	t, err := acts.Read(path)
	if err != nil {
		return nil, err
	}
	return Of(t), nil
}

// Last returns the newest run of a conversation; ok is false if it has none.
func Last(t *session.Transcript) (last acts.Pursuit, a Account, ok bool) {
	all := Of(t)
	if len(all) == 0 || all[len(all)-1].Run == "" {
		return last, a, false
	}
	a = all[len(all)-1]
	a.last.Goal = a.Goal
	return a.last, a, true
}

// A reader makes accounts of the lines of a session.
type reader struct {
	session string
	open    map[string]*Account
	order   []string
}

// of is the account of a run, "" for what belongs to none.
func (r *reader) of(run string, at time.Time) *Account {
	a := r.open[run]
	if a == nil {
		a = &Account{Session: r.session, Run: run, Began: at, Acts: []Act{}, Files: []File{}}
		r.open[run] = a
		r.order = append(r.order, run)
	}
	if !at.IsZero() {
		a.Ended = at
	}
	return a
}

func (r *reader) pursuit(p acts.Pursuit) {
	a := r.of(p.Run, p.Time)
	a.Goal, a.last = cmp.Or(p.Goal, a.Goal), p
	a.Steps, a.Tokens, a.Estimated, a.Cost, a.Currency = p.Steps, p.Tokens, p.Estimated, p.Cost, p.Currency
	a.Unpriced = p.Unpriced
	a.MS, a.ActsMS = p.Spent.Time.Milliseconds(), p.Acts.Milliseconds()
	a.Outcome, a.Why = Killed, ""
	if p.State == acts.Ended {
		a.Outcome, a.Why = p.Outcome, p.Why
	}
}

func (r *reader) act(l acts.Act) {
	if r.open[l.Run] == nil {
		l.Run = "" // of a question
	}
	a := r.of(l.Run, l.Time)
	if l.State == acts.Done {
		for i, act := range slices.Backward(a.Acts) {
			if act.ID == l.ID && act.state == acts.Begun {
				act.state, act.Outcome, act.MS = l.State, l.Outcome, l.Took.Milliseconds()
				if l.Ended {
					act.Exit = &l.Exit
				}
				a.Acts[i] = act
				return
			}
		}
	}
	act := Act{
		Nr: len(a.Acts) + 1, ID: l.ID, Time: l.Time, Tool: l.Tool, What: l.What, Risk: l.Risk, How: l.How, Why: l.Why, state: l.State,
		Outcome: Unknown,
	}
	switch l.State {
	case acts.Refused:
		act.Outcome = Refused
	case acts.Skipped:
		act.Outcome = Skipped
	case acts.Begun, acts.Done:
		if l.Tool == acts.Shell {
			act.Outcome = Killed
		}
	}
	a.Acts = append(a.Acts, act)
}

// files are those that the acts of a run changed, and that nobody changed back.
func files(changes []undo.Act, run string) []File {
	list := []File{}
	for _, c := range slices.Backward(undo.RunOf(changes, run)) {
		f := File{Path: c.Path, Change: "changed", Undo: c.ID}
		switch {
		case c.Before == "":
			f.Change = "created"
		case c.After == "":
			f.Change = "deleted"
		}
		list = append(list, f)
	}
	return list
}

// stays are the acts whose effects nobody but themselves knows: those that came to be done and are no change of a file by ken.
func (a Account) stays() (list []string) {
	for _, act := range a.Acts {
		beyond := act.Tool == acts.Shell || strings.Contains(act.Tool, "__")
		what := strings.TrimPrefix(act.What, "$ ")
		if beyond && act.Risk != "safe" && act.state != acts.Refused && act.state != acts.Skipped && !slices.Contains(list, what) {
			list = append(list, what)
		}
	}
	return list
}

func (r *reader) all(changes []undo.Act) []Account {
	var list []Account
	for _, run := range r.order {
		a := *r.open[run]
		a.Files, a.Stays = files(changes, run), a.stays()
		if run != "" && len(a.Files) > 0 {
			a.Undo = "undo"
			for _, f := range slices.Backward(a.Files) {
				a.Undo += " " + f.Undo
			}
		}
		if run == "" {
			list = slices.Insert(list, 0, a)
			continue
		}
		list = append(list, a)
	}
	return list
}
