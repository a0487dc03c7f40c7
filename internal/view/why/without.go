package why

import (
	"fmt"
	"slices"
	"strings"

	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Without says what an answer would have been given if one memory had been forgotten
// before it was asked.
type Without struct {
	Ref     string `json:"ref"`
	Session string `json:"session"`
	N       int    `json:"n"`     // the turn of the answer
	Given   bool   `json:"given"` // the answer had it
	// Exact: the same way comes to what the answer was given, to the last part of a score.
	// Else something of that moment is not known any more.
	Exact      bool       `json:"exact"`
	Shaped     string     `json:"shaped,omitempty"` // as in a Report
	Gained     []string   `json:"gained"`           // references of what would have come in its place; never null
	Lost       []string   `json:"lost"`             // of what would have gone with it; never null
	Raised     []string   `json:"raised"`           // of what only stood there, and would have been called up; never null
	Lowered    []string   `json:"lowered"`          // of what was called up, and would only have stood there; never null
	Provenance []Envelope `json:"provenance"`       // never null
}

// WithoutOf compares what an answer was given with what it would have been given instead.
func WithoutOf(ref string, was, instead Report, exact bool) Without {
	v := Without{
		Ref: ref, Session: was.Session, N: was.N, Given: slices.Contains(was.Refs(), ref), Exact: exact,
		Shaped: instead.Shaped, Gained: []string{}, Lost: []string{}, Raised: []string{}, Lowered: []string{},
		Provenance: instead.Provenance,
	}
	before, after := was.activated(), instead.activated()
	for _, r := range instead.Refs() {
		switch called, stood := before[r]; {
		case !stood:
			v.Gained = append(v.Gained, r)
		case !called && after[r]:
			v.Raised = append(v.Raised, r)
		case called && !after[r]:
			v.Lowered = append(v.Lowered, r)
		}
	}
	for _, r := range was.Refs() {
		if _, stands := after[r]; r != ref && !stands {
			v.Lost = append(v.Lost, r)
		}
	}
	return v
}

// activated says of what an answer had whether the question called it up.
func (r Report) activated() map[string]bool {
	called := make(map[string]bool)
	for _, e := range r.Provenance {
		for _, it := range e.Items {
			called[it.Ref] = it.As == AsActivated
		}
	}
	return called
}

// Scopes and NameScopes are those of a Report.
func (v Without) Scopes() []string { return Report{Provenance: v.Provenance}.Scopes() }

// NameScopes is that of a Report.
func (v Without) NameScopes(name func(scope string) string) {
	Report{Provenance: v.Provenance}.NameScopes(name)
}

// Text is it for a person; answer names the answer.
func (v Without) Text(answer string) string {
	lines := []string{v.difference(answer)}
	if !v.Exact {
		lines = append(lines, "not exact: made again with it, the choice is not what the answer was given; "+
			"something of that moment is not known any more")
	}
	return strings.Join(append(lines, v.whole()...), "\n")
}

// difference says what would have been otherwise.
func (v Without) difference(answer string) string {
	ref := "[" + termsafe.Line(v.Ref) + "]"
	in := "besides"
	if v.Given {
		in = "in its place"
	}
	var says []string
	for _, d := range []struct {
		refs []string
		what string
	}{
		{v.Gained, in}, {v.Raised, "called up, and not only there"}, {v.Lowered, "only there, and not called up"}, {v.Lost, "gone as well"},
	} {
		if len(d.refs) > 0 {
			says = append(says, bracketed(d.refs)+" "+d.what)
		}
	}
	switch {
	case len(says) > 0 && !v.Given:
		return fmt.Sprintf("%s did not have %s; without it in the memory: %s", answer, ref, strings.Join(says, "; "))
	case len(says) > 0:
		return fmt.Sprintf("%s without %s: %s", answer, ref, strings.Join(says, "; "))
	case !v.Given:
		return fmt.Sprintf("%s did not have %s, and without it in the memory had the same", answer, ref)
	}
	return fmt.Sprintf("%s without %s: the rest, and nothing in its place", answer, ref)
}

// bracketed are references as they stand in reports.
func bracketed(refs []string) string {
	const most = 8
	var each []string
	for i, r := range refs {
		if i == most {
			each = append(each, fmt.Sprintf("%d more", len(refs)-most))
			break
		}
		each = append(each, "["+termsafe.Line(r)+"]")
	}
	return strings.Join(each, " ")
}

// whole is all that the answer would have been given, a line each.
func (v Without) whole() (lines []string) {
	for _, e := range v.Provenance {
		title := "it would have had, for the question"
		if e.Source == SourceBackground {
			title = "it would have had, in the start-up block"
		}
		lines = append(lines, fmt.Sprintf("%s (%d of %s)", title, e.Tokens, view.Count(e.Budget, "token")))
		for _, it := range e.Items {
			lines = append(lines, itemLines(it)...)
		}
	}
	return lines
}
