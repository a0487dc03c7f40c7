package learned

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/rules"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Listing is the set of rules in force, everywhere.
type Listing struct {
	Version int    `json:"version"` // of the set, as the log of versions counts
	Rules   []Rule `json:"rules"`   // the first stated first; never null
	Of      int    `json:"of"`      // how many recorded commands they were held against
}

// A Rule is one of them.
type Rule struct {
	Ref     string   `json:"ref"`
	Kind    string   `json:"kind"` // rule, pref or lesson
	Text    string   `json:"text"`
	Scope   string   `json:"scope"`
	Match   []string `json:"match"` // words that a command begins with; empty where it can only stand in a prompt
	Unless  string   `json:"unless,omitempty"`
	Raise   string   `json:"raise,omitempty"`  // the level that a command has at least
	From    string   `json:"from,omitempty"`   // it holds from then on
	To      string   `json:"to,omitempty"`     // and until then
	Origin  string   `json:"origin,omitempty"` // who said it, where that was not the person
	By      string   `json:"by,omitempty"`     // the act that let it in, where it was not their own word
	Review  int64    `json:"review,omitempty"` // the proposal that it was
	Session string   `json:"session,omitempty"`
	Turn    int      `json:"turn,omitempty"`
	Stated  string   `json:"stated,omitempty"`
	Looked  string   `json:"reviewed,omitempty"` // when the person last decided on it
	Held    int      `json:"held"`               // how many of the recorded commands it is about
	Last    string   `json:"last,omitempty"`     // when the newest of them ran
}

// RuleOf is a rule with what it was about.
func RuleOf(r *rules.Rule, use rules.Use, clean func(string) string) Rule {
	v := Rule{
		Ref: r.Ref(), Kind: string(r.Kind), Text: clean(r.Text), Scope: cmp.Or(string(r.Scope), string(memory.ScopeUser)),
		Match: append([]string{}, r.Match...), Unless: r.Unless, From: view.Stamp(r.From), To: view.Stamp(r.To),
		Origin: string(r.Origin), By: r.By, Review: r.Review, Stated: view.Stamp(r.Stated), Looked: view.Stamp(latest(r.Stated, r.Changed)),
		Held: use.Times, Last: view.Stamp(use.Last),
	}
	if !r.PromptOnly() {
		v.Raise = r.Raise.String()
	}
	if r.Source != nil {
		v.Session, v.Turn = r.Source.Session, r.Source.Turn
	}
	return v
}

// latest is the later of two times.
func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// ListingOf is a set as it is listed. clean makes a text such as may be shown.
func ListingOf(set rules.Set, version, of int, uses map[memory.ID]rules.Use, clean func(string) string) Listing {
	l := Listing{Version: version, Rules: []Rule{}, Of: of}
	for i := range set {
		l.Rules = append(l.Rules, RuleOf(&set[i], uses[set[i].ID], clean))
	}
	return l
}

// Form is what is checked of the rule, for people.
func (r Rule) Form() string {
	if len(r.Match) == 0 {
		return "prompt only: no command is held against it"
	}
	form := termsafe.Visible(strings.Join(r.Match, " "))
	if r.Unless != "" {
		form += " without " + termsafe.Visible(r.Unless)
	}
	return form + " is at least a " + r.Raise
}

// From says where a rule comes from, in a few words.
func (r Rule) from() string {
	from := "your own word"
	if r.Origin != "" && r.Origin != string(memory.OriginUser) {
		from = "said by " + r.Origin
	}
	if r.Review > 0 {
		from += fmt.Sprintf(", approved as p%d", r.Review)
	}
	if r.Session != "" {
		from += " in " + r.Session
		if r.Turn > 0 {
			from += fmt.Sprintf(":%d", r.Turn)
		}
	}
	return from
}

// Text is a listing for people, without a final line end.
func (l Listing) Text(now time.Time) string {
	if len(l.Rules) == 0 {
		return fmt.Sprintf("(no rules are in force: version %d)", l.Version)
	}
	lines := []string{fmt.Sprintf("version %d, %s", l.Version, view.Count(len(l.Rules), "rule"))}
	for _, r := range l.Rules {
		lines = append(lines, fmt.Sprintf("#%s %s: %s", r.Ref, r.Kind, termsafe.Line(r.Text)))
		detail := []string{r.Form()}
		if r.Scope != string(memory.ScopeUser) {
			detail = append(detail, "in "+termsafe.Line(r.Scope))
		}
		if r.From != "" {
			detail = append(detail, "from "+r.From)
		}
		if r.To != "" {
			detail = append(detail, "until "+r.To)
		}
		if len(r.Match) > 0 {
			met := "no command met it"
			if r.Held > 0 {
				last, _ := time.Parse(time.RFC3339, r.Last)
				met = fmt.Sprintf("%d of %s met it, last %s", r.Held, view.Count(l.Of, "command"), view.Age(now, last))
			}
			detail = append(detail, met)
		}
		looked, _ := time.Parse(time.RFC3339, r.Looked)
		lines = append(lines, "    "+strings.Join(detail, "; "), "    "+termsafe.Line(r.from())+"; last looked at "+view.Age(now, looked))
	}
	return strings.Join(lines, "\n")
}
