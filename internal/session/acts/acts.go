package acts

import (
	"encoding/json"
	"fmt"
	"time"

	"ken/internal/session"
)

// Names of the events.
const (
	Event     = "act"  // what a model had done, before and after: an Act, and which file it changed: a Change
	EventAuto = "auto" // a run towards a goal, from its beginning to its end: a Pursuit
)

// A State is how far an act got.
type State string

// Shell is the tool of an act that is a command line.
const Shell = "shell"

// KilledIn is what there is to say of an act that begun and of which the session has no end, since ken was killed: a command
// line ended with it, of anything else nobody knows whether it was done. last is the last that is known of that ken.
func KilledIn(tool string, last time.Time) string {
	at := last.UTC().Format(time.TimeOnly)
	if tool == Shell {
		return "ended with ken, which was killed after " + at
	}
	return "unknown whether it ran: killed after " + at
}

// The states.
const (
	Begun   State = "begun"   // it may have been done: it was about to
	Done    State = "done"    // it is over
	Refused State = "refused" // it was not done
	Skipped State = "skipped" // the person passed it over
	Void    State = "void"    // a Change that was not made after all
)

// An Act is something that a model had done, as it stands in a session: a line on the disk before it is
// done (begun) and one after it, or one alone that says why it was not. Lines with one id are of one act.
//
//	{"ts":"...","event":"act","id":"call_1","tool":"shell","what":"$ ls","sum":"1f2e3d4c","risk":"safe","how":"level","state":"begun"}
//	{"ts":"...","event":"act","id":"call_1","state":"done","outcome":"done","exit":0,"ms":12}
type Act struct {
	ID    string // of the call of a model; of a command line in the text of turn 12: "12.1"
	Time  time.Time
	Tool  string
	What  string // in a line
	Sum   string // of all that would be done: 8 hexadecimal digits, sealed
	Risk  string // safe, caution or danger
	How   string // by what it was let: as in the audit
	State State

	Outcome string        // of one that is done: done, failed, stopped or expired
	Ended   bool          // it is a command line that came to its end, with Exit
	Exit    int           // its exit code
	Took    time.Duration // to the millisecond
	// Text is what it came to, as the model was shown, where no turn of a tool holds that.
	Text string
	From string // the least trusted origin of Text; "": tool
	Why  string // it was not done, in words
	Run  string // of which it is a part; "": of none
}

// LineID is the id of command line i, from 0, in the text of turn n.
func LineID(n, i int) string { return fmt.Sprintf("%d.%d", n, i+1) }

// Event is the act as a line.
func (a Act) Event() session.Event {
	e := session.Event{Time: a.Time, Name: Event}
	for _, f := range []struct{ name, value string }{
		{"id", a.ID},
		{"tool", a.Tool},
		{"what", a.What},
		{"sum", a.Sum},
		{"risk", a.Risk},
		{"how", a.How},
		{"state", string(a.State)},
		{"outcome", a.Outcome},
		{"text", a.Text},
		{"from", a.From},
		{"why", a.Why},
		{"run", a.Run},
	} {
		if f.value != "" {
			e.Fields = append(e.Fields, session.StringField(f.name, f.value))
		}
	}
	if a.Ended {
		e.Fields = append(e.Fields, session.IntField("exit", a.Exit))
	}
	if a.State == Done {
		e.Fields = append(e.Fields, session.IntField("ms", int(a.Took.Milliseconds())))
	}
	return e
}

// Of is the act of a line; ok is false if it is the line of none.
func Of(e session.Event) (a Act, ok bool) {
	a = Act{
		ID: e.Text("id"), Time: e.Time, Tool: e.Text("tool"), What: e.Text("what"), Sum: e.Text("sum"), Risk: e.Text("risk"), How: e.Text("how"),
		State: State(e.Text("state")), Outcome: e.Text("outcome"), Text: e.Text("text"), From: e.Text("from"), Why: e.Text("why"),
		Run: e.Text("run"), Ended: e.Value("exit") != nil, Exit: e.Int("exit"), Took: time.Duration(e.Int("ms")) * time.Millisecond,
	}
	switch a.State {
	case Begun, Done, Refused, Skipped: // others are those of a Change
		return a, e.Name == Event && a.ID != ""
	}
	return a, false
}

// After is the act as a later line of it says.
func (a Act) After(later Act) Act {
	next := a
	next.State, next.Outcome, next.Ended, next.Exit = later.State, later.Outcome, later.Ended, later.Exit
	next.Took, next.Text, next.From = later.Took, later.Text, later.From
	if later.Why != "" {
		next.Why = later.Why
	}
	if later.What != "" { // a line that stands alone
		next.Tool, next.What, next.Sum, next.Risk, next.How = later.Tool, later.What, later.Sum, later.Risk, later.How
	}
	return next
}

// A Pursuit is a line of a run of a model towards a goal: what was spent stands in each.
//
//	{"ts":"...","event":"auto","run":"r7k2mq4x","state":"begun","goal":"..."}
//	{"ts":"...","event":"auto","run":"r7k2mq4x","state":"step","steps":2,"tokens":1200,"ms":900,"acts_ms":20}
//	{"ts":"...","event":"auto","run":"r7k2mq4x","state":"ended","outcome":"done",...}
type Pursuit struct {
	Run     string
	Time    time.Time
	State   Stage
	Goal    string // of the lines that set it
	Outcome string // of the last one
	Why     string
	Plans   bool // nobody has agreed to its plan yet
	Spent
}

// A Stage says what a line of a run is.
type Stage string

// The states.
const (
	Started Stage = "begun"
	Resumed Stage = "resumed" // somebody goes on with it
	Step    Stage = "step"
	Goal    Stage = "goal" // the person gave it another one
	Ended   Stage = "ended"
)

// Spent is what a run used.
type Spent struct {
	Steps     int           // answers of a model
	Time      time.Duration // in which a model answered, to the millisecond
	Acts      time.Duration // in which was done what it asked for, and the person asked
	Tokens    int           // sent and received
	Estimated bool          // some of Tokens were not reported
	Skips     int           // acts that the person skipped one after another
	Halts     int           // acts that nobody could be asked about
	Cost      float64       // of all answers but Unpriced
	Currency  string        // of Cost; "": no price is known
	Unpriced  int           // answers whose price is not known, or is in another currency
}

// Event is the line.
func (p Pursuit) Event() session.Event {
	e := session.Event{Time: p.Time, Name: EventAuto}
	e.Fields = append(e.Fields, session.StringField("run", p.Run), session.StringField("state", string(p.State)))
	for _, f := range []struct{ name, value string }{{"goal", p.Goal}, {"outcome", p.Outcome}, {"why", p.Why}} {
		if f.value != "" {
			e.Fields = append(e.Fields, session.StringField(f.name, f.value))
		}
	}
	for _, f := range []struct {
		name  string
		value int
	}{
		{"steps", p.Steps},
		{"ms", int(p.Spent.Time.Milliseconds())},
		{"acts_ms", int(p.Acts.Milliseconds())},
		{"tokens", p.Tokens},
		{"skips", p.Skips},
		{"halts", p.Halts},
		{"unpriced", p.Unpriced},
	} {
		if f.value != 0 {
			e.Fields = append(e.Fields, session.IntField(f.name, f.value))
		}
	}
	if p.Plans {
		e.Fields = append(e.Fields, session.Field{Name: "plans", Value: json.RawMessage("true")})
	}
	if p.Estimated {
		e.Fields = append(e.Fields, session.Field{Name: "estimated", Value: json.RawMessage("true")})
	}
	if p.Currency != "" {
		const micro = 1e6 // of the currency
		e.Fields = append(e.Fields, session.IntField("micro_cost", int(p.Cost*micro)), session.StringField("currency", p.Currency))
	}
	return e
}

// PursuitOf is what a line says; ok is false if it is the line of none.
func PursuitOf(e session.Event) (p Pursuit, ok bool) {
	const micro = 1e6
	ms := func(name string) time.Duration { return time.Duration(e.Int(name)) * time.Millisecond }
	p = Pursuit{
		Run: e.Text("run"), Time: e.Time, State: Stage(e.Text("state")), Goal: e.Text("goal"), Outcome: e.Text("outcome"), Why: e.Text("why"),
		Plans: string(e.Value("plans")) == "true",
		Spent: Spent{
			Steps: e.Int("steps"), Time: ms("ms"), Acts: ms("acts_ms"), Tokens: e.Int("tokens"), Skips: e.Int("skips"), Halts: e.Int("halts"),
			Unpriced: e.Int("unpriced"), Estimated: string(e.Value("estimated")) == "true",
			Cost: float64(e.Int("micro_cost")) / micro, Currency: e.Text("currency"),
		},
	}
	return p, e.Name == EventAuto && p.Run != "" && p.State != ""
}
