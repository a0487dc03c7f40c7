package habits

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/session"
	"ken/internal/text"
)

// The bounds of what is a signal.
const (
	Fewest  = 3  // conversations with anything in them, or nothing is looked for
	Newest  = 20 // conversations that are looked at
	like    = 0.5
	wishes  = 3 // alike, for a signal
	apart   = 2 // conversations that they stand in
	failing = 3 // failures one after another
	twice   = 2 // corrections of one kind
	within  = 5 // steps behind a command in which the person corrects it
	longest = 4 // words that a correction changes at most
)

// A Kind says what a signal is.
type Kind string

// The kinds of signals.
const (
	Repeated  Kind = "repeated"  // a wish that comes again and again
	Failing   Kind = "failing"   // a tool that fails over and over on one file or program
	Corrected Kind = "corrected" // a command that the person corrects by hand the same way
)

// A Signal is something that costs the same effort again and again.
type Signal struct {
	Kind     Kind
	Text     string        // one of the texts: the wish, "TOOL on FILE", "COMMAND -> COMMAND"
	Words    []string      // what it is about: text.Core of what all of it shares
	Count    int           // how often
	Sessions int           // in how many conversations
	At       []session.Ref // where, sorted; a turn of 0 is the beginning of its conversation
}

// A Found is what was found.
type Found struct {
	Read    int      // conversations that were looked at
	Signals []Signal // the most frequent first
	Covered int      // signals that are left out, since a skill is there for them
}

// Find returns what the newest of traces show. covered are the keywords of the skills that are in force, one list for each
// phrase: a wish or a command that has all words of one is not a signal. That a tool fails is one all the same.
func Find(traces []Trace, covered [][]string) Found {
	traces = slices.DeleteFunc(slices.Clone(traces), func(t Trace) bool { return !t.Enough() })
	slices.SortFunc(traces, func(a, b Trace) int {
		return cmp.Or(b.Began.Compare(a.Began), strings.Compare(b.Session, a.Session))
	})
	traces = slices.CompactFunc(traces, func(a, b Trace) bool { return a.Session == b.Session })
	traces = traces[:min(len(traces), Newest)]
	r := Found{Read: len(traces)}
	if r.Read < Fewest {
		return r
	}
	for _, s := range slices.Concat(repeated(traces), failingOn(traces), corrected(traces)) {
		if s.Kind != Failing && slices.ContainsFunc(covered, func(phrase []string) bool {
			return len(phrase) > 0 && text.Shared(phrase, s.Words) == len(phrase)
		}) {
			r.Covered++
			continue
		}
		r.Signals = append(r.Signals, s)
	}
	slices.SortFunc(r.Signals, func(a, b Signal) int {
		return cmp.Or(
			cmp.Compare(b.Count, a.Count), cmp.Compare(b.Sessions, a.Sessions),
			strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Text, b.Text),
		)
	})
	return r
}

// A said is one way to say a wish, with everywhere it was said.
type said struct {
	core []string
	text string
	at   []session.Ref
}

// repeated are the wishes that come again. The one with the most others near it is the middle of a cluster, and takes
// those with it: a chain of wishes, each near the next, is none.
func repeated(traces []Trace) (signals []Signal) {
	byCore := make(map[string]*said)
	for _, t := range traces {
		for _, w := range t.Wishes {
			key := strings.Join(w.core, " ")
			s := byCore[key]
			if s == nil {
				s = &said{core: w.core, text: w.Text}
				byCore[key] = s
			}
			s.text = min(s.text, w.Text)
			s.at = append(s.at, session.Ref{Session: t.Session, Turn: w.Turn})
		}
	}
	var ways []*said
	for _, s := range byCore {
		ways = append(ways, s)
	}
	slices.SortFunc(ways, func(a, b *said) int { return slices.Compare(a.core, b.core) })
	near := make([][]int, len(ways))
	for i := range ways {
		near[i] = append(near[i], i)
		for j := range i {
			if share, _ := text.Similarity(ways[i].core, ways[j].core); share >= like {
				near[i], near[j] = append(near[i], j), append(near[j], i)
			}
		}
	}
	taken := make([]bool, len(ways))
	for {
		best, most := -1, 0
		for i := range ways {
			n := 0
			for _, j := range near[i] {
				if !taken[j] {
					n += len(ways[j].at)
				}
			}
			if !taken[i] && n > most {
				best, most = i, n
			}
		}
		if most < wishes {
			return signals
		}
		s := Signal{Kind: Repeated, Text: ways[best].text, Words: ways[best].core}
		for _, j := range near[best] {
			if !taken[j] {
				taken[j] = true
				s.At = append(s.At, ways[j].at...)
			}
		}
		if s.count(); s.Sessions >= apart {
			signals = append(signals, s)
		}
	}
}

// count sets what follows from where a signal was found.
func (s *Signal) count() {
	s.Count = len(s.At)
	slices.SortFunc(s.At, compareRefs)
	s.At = slices.Compact(s.At)
	seen := make(map[string]bool)
	for _, at := range s.At {
		seen[at.Session] = true
	}
	s.Sessions = len(seen)
}

func compareRefs(a, b session.Ref) int {
	return cmp.Or(strings.Compare(a.Session, b.Session), cmp.Compare(a.Turn, b.Turn))
}

// failingOn are the tools that fail over and over.
func failingOn(traces []Trace) (signals []Signal) {
	by := make(map[string]*Signal)
	for _, t := range traces {
		var row []Step
		end := func() {
			if len(row) >= failing {
				of := row[0].Tool + " on " + row[0].On
				s := by[of]
				if s == nil {
					s = &Signal{Kind: Failing, Text: of, Words: text.Core(of)}
					by[of] = s
				}
				for _, step := range row {
					s.At = append(s.At, session.Ref{Session: t.Session, Turn: step.Turn})
				}
			}
			row = nil
		}
		for _, s := range t.Steps {
			if len(row) > 0 && (row[0].Tool != s.Tool || row[0].On != s.On) {
				end()
			}
			switch {
			case s.Own: // the person works beside it: it is no call
			case s.Failed:
				row = append(row, s)
			default:
				end()
			}
		}
		end()
	}
	for _, s := range by {
		s.count()
		signals = append(signals, *s)
	}
	return signals
}

// corrected are the commands that the person corrects by hand the same way.
func corrected(traces []Trace) (signals []Signal) {
	by := make(map[string]*Signal)
	for _, t := range traces {
		for i, to := range t.Steps {
			if !to.Own || to.Failed {
				continue
			}
			for _, from := range slices.Backward(t.Steps[max(0, i-within):i]) {
				if from.Own && !from.Failed {
					break // what came before is over
				}
				how, ok := change(from, to)
				if !ok {
					continue
				}
				pair := from.Line + " -> " + to.Line
				s := by[how]
				if s == nil {
					s = &Signal{Kind: Corrected, Text: pair, Words: text.Core(to.Line)}
					by[how] = s
				}
				if pair < s.Text {
					s.Text, s.Words = pair, text.Core(to.Line)
				}
				s.At = append(s.At, session.Ref{Session: t.Session, Turn: to.Turn})
				break
			}
		}
	}
	for _, s := range by {
		if s.count(); s.Count >= twice {
			signals = append(signals, *s)
		}
	}
	return signals
}

// change is what the person changed in a command line, as words; ok is false if they ran another command, or mended what
// they had mistyped themselves.
func change(from, to Step) (how string, ok bool) {
	if from.Tool != shell || !from.Failed && !from.Passed {
		return "", false
	}
	was, is := strings.Fields(from.Line), strings.Fields(to.Line)
	gone, come := without(was, is), without(is, was)
	same := len(was) - len(gone)
	switch {
	case len(gone)+len(come) == 0, len(gone)+len(come) > longest, same == 0, 2*same < min(len(was), len(is)):
		return "", false
	case from.Own && len(gone) == len(come):
		return "", false // a slip of the fingers puts a word in the place of another
	}
	return program(to.Line) + "\x00" + strings.Join(gone, " ") + "\x00" + strings.Join(come, " "), true
}

// without returns the words of a that b has not, as often as a has them more, in their order.
func without(a, b []string) (rest []string) {
	left := make(map[string]int)
	for _, w := range b {
		left[w]++
	}
	for _, w := range a {
		if left[w]--; left[w] < 0 {
			rest = append(rest, w)
		}
	}
	return rest
}
