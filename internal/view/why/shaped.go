package why

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ken/internal/memory"
	"ken/internal/trace"
	"ken/internal/view"
)

// As is what a memory had to do with an answer whose request it stood in.
type As string

// The values of As.
const (
	AsActivated As = "activated" // the question called it up, wherever it stood
	AsRule      As = "rule"      // a rule of the start-up block, which holds whatever is asked
	AsStanding  As = "standing"  // it stood in the start-up block, and that is all
)

// Footer says in one line what shaped an answer, and how to learn more:
//
//	shaped by your preference for concise git output and 2 project conventions; 3 more were sent (why: :why)
//
// "" if the question called nothing up: see Report.Shaped.
func Footer(r Report, how string) string {
	if r.Shaped == "" {
		return ""
	}
	return fmt.Sprintf("%s (why: %s)", r.Shaped, how)
}

// shapedLine is what the report of an answer says of it.
func shapedLine(r Report) string {
	if r.Shaped == "" {
		return "nothing was called up for the question"
	}
	return r.Shaped
}

// shaped names what the question called up, and the rules; then it counts what was sent
// beside them. "" if nothing was called up, since rules and what stands in the block are
// the same for every answer.
func shaped(r Report) string {
	kinds := make(map[string][]Ground)
	activated, sent := 0, 0
	for _, e := range r.Provenance {
		for _, it := range e.Items {
			switch it.As {
			case AsActivated:
				activated++
			case AsRule:
			default:
				sent++
				continue
			}
			kind := cmp.Or(it.Kind, "other")
			kinds[kind] = append(kinds[kind], it)
		}
	}
	if activated == 0 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(kinds[a]), len(kinds[b])), cmp.Compare(a, b))
	})
	for i, k := range names {
		names[i] = named(k, kinds[k])
	}
	return "shaped by " + list(names) + beside(sent, r.Standing)
}

// beside says what was sent beside what shaped an answer; "" if that is nothing.
func beside(sent int, s *Standing) string {
	var each []string
	if sent > 0 {
		each = append(each, fmt.Sprintf("%d more", sent))
	}
	if s != nil && s.Working == trace.Sent {
		each = append(each, "your recent context")
	}
	if s != nil && s.Account == trace.Sent {
		each = append(each, "a model's account of your last conversation")
	}
	if s != nil && s.Profile {
		each = append(each, "your profile")
	}
	switch {
	case len(each) == 0:
		return ""
	case len(each) == 1 && sent <= 1:
		return "; " + each[0] + " was sent"
	}
	return "; " + list(each) + " were sent"
}

// list is "a", "a and b", "a, b and c".
func list(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// named is what a person calls memories of one kind: the one there is by its words,
// several by their number.
func named(kind string, of []Ground) string {
	name := view.Excerpt(kind, quotedWidth)
	if kind == string(memory.KindPref) {
		name = "preference"
	}
	here := !slices.ContainsFunc(of, func(g Ground) bool {
		return !strings.HasPrefix(g.Scope, "repo:") && !strings.HasPrefix(g.Scope, "dir:")
	})
	if here {
		name = "project " + name
	}
	switch {
	case len(of) > 1:
		return view.Count(len(of), name)
	case of[0].Content == "":
		return "a " + name + " that is " + cmp.Or(of[0].Since, "gone since")
	case here || !memory.Kind(kind).Is(memory.Yours):
		name = "the " + name
	default:
		name = "your " + name
	}
	content := view.Excerpt(of[0].Content, 4*quotedWidth)
	if does := phrase(kind, content); does != "" {
		return name + " " + does
	}
	return fmt.Sprintf("%s %q", name, view.Excerpt(content, quotedWidth))
}
