package safety

import (
	"fmt"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/gate"
	"ken/internal/termsafe"
	"ken/internal/tool/environ"
	"ken/internal/view"
)

// A Listing is what was said beforehand about commands. Its lists are never null.
type Listing struct {
	Allow     []string   `json:"allow"`
	Ask       []string   `json:"ask"`
	Deny      []string   `json:"deny"`
	Approvals []Approval `json:"approvals"`
	Rules     []Rule     `json:"rules"`             // that hold here
	Kept      []Kept     `json:"kept"`              // variables that a model's commands do not get
	Session   int        `json:"session"`           // how many commands are approved for the session
	Damaged   string     `json:"damaged,omitempty"` // why approvals count for nothing
}

// An Approval is a pattern that a person approved for good. Times are not rounded.
type Approval struct {
	N       int64     `json:"n"`
	Pattern string    `json:"pattern"`
	Shape   string    `json:"shape"` // what the pattern goes for
	Since   time.Time `json:"since"`
	Uses    int       `json:"uses"`
	Last    time.Time `json:"last,omitzero"`
}

// A Rule is a memory that is checked before commands run.
type Rule struct {
	Ref    string   `json:"ref"`
	Kind   string   `json:"kind"`
	Match  []string `json:"match"`
	Unless string   `json:"unless,omitempty"`
	Raise  string   `json:"raise"` // the level that a line has at least
	Text   string   `json:"text"`
}

// A Kept is a variable that a model's commands do not get.
type Kept struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// ListingOf is what the settings, the approvals and the memory say.
func ListingOf(set config.Safety, stand []gate.Approval, uses map[int64]gate.Use, rules []gate.Rule, kept []environ.Kept) Listing {
	l := Listing{
		Allow: some(set.Allow), Ask: some(set.Ask), Deny: some(set.Deny),
		Approvals: make([]Approval, len(stand)), Rules: make([]Rule, len(rules)), Kept: make([]Kept, len(kept)),
	}
	for i, k := range kept {
		l.Kept[i] = Kept{k.Name, k.Why}
	}
	for i, p := range stand {
		u := uses[p.ID]
		l.Approvals[i] = Approval{p.ID, p.Pattern.String(), p.Pattern.Shape(), p.Time, u.Runs, u.Last}
	}
	for i, r := range rules {
		l.Rules[i] = Rule{r.Ref, r.Kind, r.Match, r.Unless, r.Raise.String(), r.Text}
	}
	return l
}

// some is a list that JSON shows as one.
func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Text is a listing for people. It does not end with a line end.
func (l Listing) Text(now time.Time) string {
	var lines []string
	for _, c := range []struct {
		name, does string
		list       []string
	}{{"safety.deny", "never runs", l.Deny}, {"safety.ask", "is asked about", l.Ask}, {"safety.allow", "runs without a question", l.Allow}} {
		for _, p := range c.list {
			lines = append(lines, fmt.Sprintf("%-24s %s (%s)", termsafe.Visible(p), c.does, c.name))
		}
	}
	for _, r := range l.Rules {
		line := fmt.Sprintf("%-24s is at least a %s", termsafe.Visible(strings.Join(r.Match, " ")), r.Raise)
		if r.Unless != "" {
			line += " unless it has " + termsafe.Visible(r.Unless)
		}
		lines = append(lines, line+fmt.Sprintf(" (%s #%s)", r.Kind, r.Ref))
	}
	for _, p := range l.Approvals {
		used := "not used yet"
		if p.Uses > 0 {
			used = fmt.Sprintf("ran %s, last %s", view.Count(p.Uses, "time"), view.Age(now, p.Last))
		}
		lines = append(lines, fmt.Sprintf("%-24s approved #%d %s; %s", termsafe.Visible(p.Shape), p.N, view.Age(now, p.Since), used))
	}
	if l.Session > 0 {
		lines = append(lines, view.Count(l.Session, "command")+" approved for this session")
	}
	if len(lines) == 0 {
		lines = append(lines, "(nothing was said beforehand: what a model asks for is asked about)")
	}
	for _, k := range l.Kept {
		lines = append(lines, fmt.Sprintf("%-24s stays at home: %s (shell.model_env_pass)", termsafe.Visible(k.Name), k.Why))
	}
	return strings.Join(lines, "\n")
}
