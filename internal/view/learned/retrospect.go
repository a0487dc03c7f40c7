package learned

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/learn/lessons"
	"ken/internal/session"
	"ken/internal/session/feedback"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Look is the JSON shape of a look back.
type Look struct {
	Since    time.Time `json:"since"`
	Sessions int       `json:"sessions"`
	Answers  int       `json:"answers"`
	// RecentContext is how many answers had the person's recent context, which is no memory of its own.
	RecentContext int          `json:"recent_context,omitempty"`
	Used          []Use        `json:"used"`
	Outcomes      []Outcome    `json:"outcomes"`
	Corrections   []Correction `json:"corrections"`
	Drafts        []Draft      `json:"drafts"`
	Findings      []Finding    `json:"findings"`        // what could be learned, of every sort, the most worth first
	More          int          `json:"more,omitempty"`  // findings of less worth that are left out
	Scope         string       `json:"scope,omitempty"` // the repository or directory of all outcomes; "" if that is not one
}

// A Use is a memory that answers had.
type Use struct {
	Ref       string   `json:"ref"`
	Kind      string   `json:"kind,omitempty"`    // "" if it is not in force any more
	Content   string   `json:"content,omitempty"` // the same
	Activated int      `json:"activated"`         // answers to questions that called it up
	Standing  int      `json:"standing"`          // answers that had it in the start-up block alone
	Answers   []string `json:"answers"`           // SESSION:TURN, of those that called it up; the newest first
}

// An Outcome is what became of one thing.
type Outcome struct {
	Session string    `json:"session"`
	N       int       `json:"n,omitempty"` // the turn that it is about
	At      time.Time `json:"at"`
	Kind    string    `json:"kind"` // accepted, revised, rejected, retried, failed or undone
	Of      string    `json:"of"`   // command, memory, answer, file, tool or suggestion
	Ref     string    `json:"ref,omitempty"`
	What    string    `json:"what,omitempty"`   // the command line, or what the act was
	Became  string    `json:"became,omitempty"` // the line that the person ran in its place
}

// A Correction is a command line that the person ran in the place of one that was offered.
type Correction struct {
	From  string   `json:"from"`
	To    string   `json:"to"`
	Times int      `json:"times"`
	Where []string `json:"where"` // SESSION:TURN
}

// A Draft is what could be learned; nothing of it is memory.
type Draft struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	Why  string `json:"why"`
	// Scope is where it would hold: the repository or directory in which all of it was seen; "" is everywhere.
	Scope string `json:"scope,omitempty"`
	Ref   string `json:"ref,omitempty"` // pN of one that waits for review
}

// A Finding is something that could be learned; nothing of it is memory.
type Finding struct {
	Sort   string     `json:"sort"` // correction, wish, pattern, rule, skill or statement
	Kind   string     `json:"kind,omitempty"`
	Text   string     `json:"text"`
	Why    string     `json:"why"`
	Goes   string     `json:"goes"`            // where it goes after a yes
	Step   string     `json:"step"`            // the command that has it alone, without ken in front
	Scope  string     `json:"scope,omitempty"` // where it would hold; "" is everywhere
	Ref    string     `json:"ref,omitempty"`   // pN of one that waits for review
	Times  int        `json:"times"`
	Last   *time.Time `json:"last,omitempty"`
	Tokens int        `json:"tokens"` // of the answers or memories that it rests on
	Danger bool       `json:"danger,omitempty"`
	Worth  float64    `json:"worth"`
}

// LookOf is the shape of a look. says gives the kind and the text of a memory that is in force, and mask takes secrets out.
func LookOf(l lessons.Look, says func(ref string) (kind, text string), mask func(string) string) Look {
	v := Look{
		Since: l.Since, Sessions: l.Sessions, Answers: l.Answers, RecentContext: l.Recent, Outcomes: Outcomes(l.Outcomes, mask),
		Used: []Use{}, Corrections: []Correction{}, Drafts: []Draft{}, Findings: []Finding{}, Scope: l.Scope(),
	}
	for _, u := range l.Used {
		kind, text := says(u.Ref)
		v.Used = append(v.Used, Use{
			Ref: u.Ref, Kind: kind, Content: mask(text), Activated: u.Activated, Standing: u.Standing, Answers: placesOf(u.Answers),
		})
	}
	for _, c := range l.Corrections {
		v.Corrections = append(v.Corrections, Correction{mask(c.From), mask(c.To), c.Times, placesOf(c.Where)})
	}
	for _, d := range l.Drafts() {
		v.Drafts = append(v.Drafts, Draft{Kind: string(d.Kind), Text: mask(d.Text), Why: d.Why, Scope: d.Scope})
	}
	return v
}

// Outcomes are the shapes of outcomes, in their order; never nil.
func Outcomes(list []lessons.Outcome, mask func(string) string) []Outcome {
	out := make([]Outcome, len(list))
	for i, o := range list {
		out[i] = Outcome{o.Session, o.N, o.At, string(o.Kind), string(o.Of), o.Ref, mask(o.What), mask(o.Became)}
	}
	return out
}

func placesOf(list []session.Ref) []string {
	out := make([]string, len(list))
	for i, r := range list {
		out[i] = r.String()
	}
	return out
}

// about is what an outcome is about, for a person.
func (o Outcome) about() string {
	text := cmp.Or(o.What, strings.TrimSpace(o.Of+" "+o.Ref))
	if o.Became != "" {
		text += " -> " + o.Became
	}
	return termsafe.Line(text)
}

// where names the turn, or the conversation alone.
func (o Outcome) where() string {
	if o.N == 0 {
		return o.Session
	}
	return session.Ref{Session: o.Session, Turn: o.N}.String()
}

// OutcomeTable lists the outcomes of one conversation.
func OutcomeTable(list []Outcome, width int) string {
	rows := make([][]string, len(list))
	for i, o := range list {
		turn := "-"
		if o.N > 0 {
			turn = fmt.Sprint(o.N)
		}
		rows[i] = []string{view.When(o.At), turn, o.Kind, o.Of, o.about()}
	}
	return view.Table([]string{"time", "turn", "became", "of", "what"}, rows, width)
}

// most is how many lines a part of the text has.
const most = 8

// Text is the look for a person, whose screen is so many cells wide (0: any).
func (v Look) Text(width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "since %s: %s, %s", v.Since.Format(time.DateOnly), view.Count(v.Sessions, "conversation"), view.Count(v.Answers, "answer"))
	if v.RecentContext > 0 {
		fmt.Fprintf(&b, ", %d with your recent context", v.RecentContext)
	}
	b.WriteString("\n\nwhat was used\n")
	b.WriteString(v.used(width))
	b.WriteString("\nwhat became of it\n")
	b.WriteString(v.became(width))
	return strings.TrimRight(b.String(), "\n")
}

// Nothing is said where nothing was found: what would make a look find something.
const Nothing = "nothing to learn yet: a command that you correct or refuse, the same wish in 3 conversations, " +
	"or 3 memories of one matter make a look back find something"

// Learned lists the findings for a person who is not asked about them, or says that there are none.
func (v Look) Learned(width int) string {
	if len(v.Findings) == 0 {
		return "\n" + Nothing
	}
	var b strings.Builder
	for _, f := range v.Findings {
		b.WriteString(cut("  "+f.Label()+": "+termsafe.Line(f.Text), width) + "\n      " + f.Because() + "\n      goes to: " + f.Goes)
		if f.Ref == "" && f.Step != "retrospect" {
			b.WriteString(" (ken " + f.Step + ")")
		}
		b.WriteByte('\n')
	}
	if v.More > 0 {
		fmt.Fprintf(&b, "  and %d more of less worth\n", v.More)
	}
	return "\nwhat could be learned\n" + strings.TrimRight(b.String(), "\n")
}

// Label is what a finding is called: the kind that it would be, or its sort.
func (f Finding) Label() string {
	if f.Sort == "correction" || f.Sort == "statement" {
		return f.Kind
	}
	return f.Sort
}

// Because is what a finding was seen in, and where it would hold.
func (f Finding) Because() string {
	why := termsafe.Line(f.Why)
	if f.Scope != "" {
		why += "; it would hold in " + termsafe.Line(f.Scope)
	}
	switch {
	case f.Sort == "skill" && f.Ref != "":
		why += "; it waits (ken " + f.Step + ")"
	case f.Ref != "":
		why += "; it waits (ken review yes " + f.Ref + ")"
	}
	return why
}

func (v Look) used(width int) string {
	if len(v.Used) == 0 {
		return "  no memory\n"
	}
	var b strings.Builder
	for _, u := range v.Used[:min(len(v.Used), most)] {
		text := cmp.Or(termsafe.Line(u.Content), "(not in force any more)")
		how := "only in the start-up block, of " + view.Count(u.Standing, "answer")
		if u.Activated > 0 {
			how = fmt.Sprintf("called up for %s, last %s", view.Count(u.Activated, "answer"), u.Answers[0])
		}
		b.WriteString(cut(fmt.Sprintf("  #%s %s: %s", u.Ref, cmp.Or(u.Kind, "gone"), text), width) + "\n      " + how + "\n")
	}
	if left := len(v.Used) - most; left > 0 {
		fmt.Fprintf(&b, "  and %d more\n", left)
	}
	return b.String()
}

func (v Look) became(width int) string {
	if len(v.Outcomes) == 0 {
		return "  nothing is noted\n"
	}
	var counts []string
	for _, k := range feedback.Kinds() {
		n := 0
		for _, o := range v.Outcomes {
			if o.Kind == string(k) {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, k))
		}
	}
	var b strings.Builder
	b.WriteString("  " + strings.Join(counts, ", ") + "\n")
	// What went well need not be told one by one.
	bad := slices.DeleteFunc(slices.Clone(v.Outcomes), func(o Outcome) bool { return o.Kind == string(feedback.Accepted) })
	slices.SortStableFunc(bad, func(x, y Outcome) int { return y.At.Compare(x.At) })
	for _, o := range bad[:min(len(bad), most)] {
		b.WriteString(cut(fmt.Sprintf("  %-8s %s", o.Kind, o.about()), width) + "\n      " + o.where() + "\n")
	}
	if left := len(bad) - most; left > 0 {
		fmt.Fprintf(&b, "  and %d more (ken sessions show SESSION --outcomes)\n", left)
	}
	return b.String()
}

// cut is a line on a screen of so many cells; 0: any.
func cut(line string, width int) string {
	if width <= 0 {
		return line
	}
	return termsafe.Cut(line, width)
}
