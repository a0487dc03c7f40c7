package learned

import (
	"fmt"
	"strings"
	"time"

	"ken/internal/rules"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Difference is what makes one set of rules of another, and what that comes to.
type Difference struct {
	Effect  string   `json:"effect"`  // tightens, neutral or relaxes: computed
	Changes []Change `json:"changes"` // never null
	Impact  Impact   `json:"impact"`
	Usual   Impact   `json:"usual"`          // the same for commands that people run everywhere
	Near    string   `json:"near,omitempty"` // of a rule that waits: one in force that is nearly the same, or contradicts it
}

// A Change is a rule that is added (+), taken away (-) or changed (~).
type Change struct {
	Sign   string `json:"sign"`
	Ref    string `json:"ref,omitempty"` // of a rule that there is
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Checks string `json:"checks"`         // what is checked of it; "" where it can only stand in a prompt
	Was    string `json:"was,omitempty"`  // its text before
	From   string `json:"from,omitempty"` // what was checked of it before
	Scope  string `json:"scope,omitempty"`
	Effect string `json:"effect"`
}

// An Impact is what a difference would have meant for recorded commands.
type Impact struct {
	Of      int   `json:"of"`
	Asked   int   `json:"asked"` // a rule holds them now, and none did before
	Freed   int   `json:"freed"` // a rule held them, and none does now
	Raised  int   `json:"raised"`
	Lowered int   `json:"lowered"`
	Shown   []Met `json:"shown"` // some of those, each command line once; never null
}

// A Met is a command that is held otherwise.
type Met struct {
	Line   string `json:"line"` // masked
	Before string `json:"before"`
	After  string `json:"after"`
	Times  int    `json:"times"`
}

// Basis is what a difference is held against.
type Basis struct {
	Commands []rules.Command
	Judge    rules.Judge
	Now      time.Time
	Clean    func(string) string // makes a text such as may be shown
}

// mostShown is how many commands of an impact are shown.
const mostShown = 5

// DifferenceOf is the difference of two sets as it is shown.
func DifferenceOf(d rules.Difference, old, next rules.Set, to Basis) Difference {
	v := Difference{Effect: string(d.Effect), Changes: changesOf(d, to.Clean)}
	v.Impact = impactOf(rules.ImpactOf(old, next, to.Commands, to.Judge, to.Now), to.Clean)
	v.Usual = impactOf(rules.ImpactOf(old, next, rules.Usual(), to.Judge, to.Now), to.Clean)
	return v
}

// changesOf are the changes of a difference as they are shown.
func changesOf(d rules.Difference, clean func(string) string) []Change {
	list := []Change{}
	for _, c := range d.Changes {
		r := c.Rule()
		line := Change{
			Sign: c.Sign(), Kind: string(r.Kind), Text: clean(r.Text), Checks: r.Form(), Scope: string(r.Scope), Effect: string(c.Effect),
		}
		if c.Old != nil {
			line.Ref = c.Old.Ref()
		}
		if c.Old != nil && c.New != nil {
			if c.Old.Text != c.New.Text {
				line.Was = clean(c.Old.Text)
			}
			line.From = c.Old.Form()
		}
		list = append(list, line)
	}
	return list
}

func impactOf(i rules.Impact, clean func(string) string) Impact {
	v := Impact{Of: i.Of, Asked: len(i.Asked), Freed: len(i.Freed), Raised: len(i.Raised), Lowered: len(i.Lowered), Shown: []Met{}}
	at := make(map[string]int)
	counted := make(map[rules.Command]bool) // in an earlier list
	for _, list := range [][]rules.Met{i.Freed, i.Lowered, i.Asked, i.Raised} {
		for _, m := range list {
			if counted[m.Command] {
				continue
			}
			line := clean(m.Line)
			n, ok := at[line]
			if !ok && len(v.Shown) < mostShown {
				at[line] = len(v.Shown)
				v.Shown = append(v.Shown, Met{Line: line, Before: m.Before.String(), After: m.After.String()})
				n, ok = at[line], true
			}
			if ok {
				v.Shown[n].Times++
			}
		}
		for _, m := range list {
			counted[m.Command] = true
		}
	}
	return v
}

// Summary is the difference in a line: "+1 rule, tightens".
func (d Difference) Summary() string {
	count := map[string]int{}
	for _, c := range d.Changes {
		count[c.Sign]++
	}
	var parts []string
	for _, sign := range []string{"+", "-", "~"} {
		if n := count[sign]; n > 0 {
			parts = append(parts, sign+view.Count(n, "rule"))
		}
	}
	return strings.Join(append(parts, "safety impact: "+d.Effect), ", ")
}

// Lines are the difference for a person.
func (d Difference) Lines() []string {
	lines := []string{d.Summary()}
	for _, c := range d.Changes {
		lines = append(lines, c.line())
		if c.Was != "" {
			lines = append(lines, "    was: "+termsafe.Line(c.Was))
		}
		lines = append(lines, "    "+checked(c))
	}
	lines = append(lines, d.Impact.lines("your last")...)
	if d.Near != "" {
		lines = append(lines, "near: "+termsafe.Line(d.Near))
	}
	return lines
}

// line is a change on one line.
func (c Change) line() string {
	name := c.Kind
	if c.Ref != "" {
		name += " #" + c.Ref
	}
	return fmt.Sprintf("%s %s: %s", c.Sign, name, termsafe.Line(c.Text))
}

// checked says what is checked of a changed rule.
func checked(c Change) string {
	form := func(s string) string {
		if s == "" {
			return "prompt only"
		}
		return termsafe.Visible(s)
	}
	text := form(c.Checks)
	if c.Sign == "~" && c.From != c.Checks {
		text = form(c.From) + " -> " + text
	}
	if c.Scope != "" {
		text += ", in " + termsafe.Line(c.Scope)
	}
	return text + " (" + c.Effect + ")"
}

// lines say what an impact is, and name some of its commands.
func (i Impact) lines(whose string) []string {
	said := 0
	var lines []string
	say := func(n int, what string) {
		if n > 0 {
			said++
			lines = append(lines, fmt.Sprintf("%d of %s %s %s", n, whose, view.Count(i.Of, "command"), what))
		}
	}
	say(i.Freed, "would no longer be asked about by a rule")
	say(i.Lowered, "would be of a lower level")
	say(i.Asked, "would have been asked about")
	if i.Raised != i.Asked {
		say(i.Raised, "would have been of a higher level")
	}
	if said == 0 && i.Of == 0 {
		return []string{"no command is recorded that it could be held against"}
	}
	if said == 0 {
		return []string{fmt.Sprintf("none of %s %s would have been held otherwise", whose, view.Count(i.Of, "command"))}
	}
	for _, m := range i.Shown {
		line := "    " + termsafe.Visible(m.Line)
		if m.Before != m.After {
			line += ": " + m.Before + " -> " + m.After
		}
		if m.Times > 1 {
			line += fmt.Sprintf(" (%d times)", m.Times)
		}
		lines = append(lines, line)
	}
	return lines
}
