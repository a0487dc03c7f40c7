package learned

import (
	"fmt"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/rules"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Version is a set of rules that was in force, and what made it.
type Version struct {
	Version int      `json:"version"`
	TS      string   `json:"ts,omitempty"` // none of the beginning
	Rules   int      `json:"rules"`        // how many were in force
	Effect  string   `json:"effect"`       // of the step from the version before: computed
	By      string   `json:"by,omitempty"`
	Lines   []string `json:"lines"`            // of the memory that made it; never null
	From    []string `json:"from,omitempty"`   // the proposals that it came from
	Reason  string   `json:"reason,omitempty"` // masked
	Back    int      `json:"back,omitempty"`   // the version that was returned to
	Changes []Change `json:"changes"`          // never null
	Noted   bool     `json:"noted"`            // the account knows of it; else it was written by hand or by an older ken
}

// VersionsOf are versions as they are shown, the newest first. noted are the lines that the
// account has.
func VersionsOf(list []rules.Version, noted map[string]bool, clean func(string) string) []Version {
	out := make([]Version, 0, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		v := list[i]
		shown := Version{
			Version: v.N, TS: view.Stamp(v.At), Rules: len(v.Set), Effect: string(rules.Neutral), Lines: []string{}, Back: v.Back,
			Changes: []Change{}, Noted: i == 0,
		}
		if i > 0 {
			d := rules.Between(list[i-1].Set, v.Set)
			shown.Effect, shown.Changes = string(d.Effect), changesOf(d, clean)
		}
		for _, l := range v.Lines {
			id := l.ID.String()
			shown.Lines, shown.Noted = append(shown.Lines, id), shown.Noted || noted[id]
			by := string(memory.OriginUser)
			if l.Origin.Rank() > 0 {
				by = string(l.Origin)
				if l.By != "" {
					by += ", let in by " + l.By
				}
			}
			shown.By = by
			if l.Review > 0 {
				shown.From = append(shown.From, fmt.Sprintf("p%d", l.Review))
			}
			if l.Reason != "" {
				shown.Reason = clean(l.Reason)
			}
		}
		out = append(out, shown)
	}
	return out
}

// VersionsText are versions for a person, without a final line end.
func VersionsText(list []Version, now time.Time) string {
	var lines []string
	for i, v := range list {
		head := fmt.Sprintf("version %d", v.Version)
		if i == 0 {
			head += " (in force)"
		}
		head += ": " + view.Count(v.Rules, "rule")
		if len(v.Lines) == 0 {
			lines = append(lines, head+", before anything was said")
			continue
		}
		at, _ := time.Parse(time.RFC3339, v.TS)
		head += fmt.Sprintf(", %s, %s, by %s", view.Age(now, at), v.Effect, termsafe.Line(v.By))
		if len(v.From) > 0 {
			head += ", from " + strings.Join(v.From, " ")
		}
		if v.Back > 0 {
			head += fmt.Sprintf(", back to version %d", v.Back)
		}
		if !v.Noted {
			head += ", not in the account: by hand?"
		}
		lines = append(lines, head)
		if v.Reason != "" {
			lines = append(lines, "    why: "+termsafe.Line(v.Reason))
		}
		for _, c := range v.Changes {
			lines = append(lines, "  "+c.line(), "      "+checked(c))
		}
	}
	return strings.Join(lines, "\n")
}

// A Proposal is a change of the rules that waits for the person, and what it comes to.
type Proposal struct {
	Ref   string `json:"ref,omitempty"` // none if it was not made
	Why   string `json:"why"`           // masked
	New   bool   `json:"new"`
	Known string `json:"known,omitempty"` // why it is not new
	Difference
}

// Lines are a proposal for a person.
func (p Proposal) Lines() []string {
	head := p.Ref
	switch {
	case p.Ref == "" && p.Known != "":
		head = "not proposed (" + p.Known + ")"
	case p.Ref == "":
		head = "would be proposed"
	case !p.New && p.Known != "":
		head += " (" + p.Known + ")"
	}
	lines := p.Difference.Lines()
	lines[0] = head + ": " + lines[0]
	if p.Why != "" {
		lines = append(lines, "why: "+termsafe.Line(p.Why))
	}
	return lines
}

// Proposals are what a look back came to.
type Proposals struct {
	Proposals []Proposal `json:"proposals"` // never null
	Outcomes  int        `json:"outcomes"`  // how many objections of the person were read
	Left      int        `json:"left"`      // how many outcomes were left out, since there are more than are read
	Refused   []string   `json:"refused"`   // what a model answered that was not taken, and why; never null
	Model     string     `json:"model,omitempty"`
}
