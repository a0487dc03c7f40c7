package edit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Why says why nothing was replaced.
type Why uint8

// The reasons.
const (
	NotFound    Why = iota // no rung finds it
	Ambiguous              // it stands in several places
	NoChange               // the text would stay as it is
	Empty                  // nothing was quoted
	Indentation            // an indentation of the quote stands for two of the text
	Numbers                // some of the new lines have line numbers, and some have none
	Readings               // its \n, \t and \" can be read in two ways
)

// A Refusal is why nothing was replaced.
type Refusal struct {
	Why   Why
	Lines []int // where it stands, numbers from 1; of Ambiguous at most mostPlaces
	Times int   // how often it stands there
	// From to To are the lines of Near, which stand in the text, and are the nearest to what was
	// not found or those that were meant; 0 if none are.
	From, To int
	Near     string
}

// mostPlaces is how many places an answer names, and mostNear how many lines it shows.
const (
	mostPlaces = 20
	mostNear   = 20
)

// Error is the first line of the answer, of a text without a name.
func (r *Refusal) Error() string {
	first, _, _ := strings.Cut(r.Answer("the text"), "\n")
	return first
}

// Answer is what a model is told: what is wrong and what to do, of the file called name.
func (r *Refusal) Answer(name string) string {
	near := ""
	if r.From > 0 {
		near = fmt.Sprintf("%d-%d:\n%s", r.From, r.To, r.Near)
	}
	switch r.Why {
	case Ambiguous:
		at := make([]string, len(r.Lines))
		for i, n := range r.Lines {
			at[i] = strconv.Itoa(n)
		}
		more := ""
		if r.Times > len(at) {
			more = ", ..."
		}
		return fmt.Sprintf("found %d times in %s, at lines %s%s: copy more lines, or all", r.Times, name, strings.Join(at, ", "), more)
	case NoChange:
		return "no change: old and new are equal"
	case Empty:
		return "old is empty: copy the lines that are to change, or use write_file"
	case Indentation:
		return "the indentation of old stands for two in " + name + ". Copy the lines as they are, " + near
	case Numbers:
		return "some lines of new have line numbers and some have none: write new without them"
	case Readings:
		return `the \n, \t and \" in old or new can be read in two ways: write line breaks, tabs and quotes as they are`
	}
	if near == "" {
		return "not found in " + name + ": read it again, and copy the lines"
	}
	return "not found in " + name + ". The nearest lines are " + near
}

// ambiguous refuses what stands at several offsets, times times or as often as offsets are
// given.
func (b *body) ambiguous(places []int, times int) *Refusal {
	r := &Refusal{Why: Ambiguous, Times: max(len(places), times)}
	for _, at := range places[:min(len(places), mostPlaces)] {
		r.Lines = append(r.Lines, b.number(at))
	}
	return r
}

// show has the lines from to to, from 0, in the refusal.
func (b *body) show(r *Refusal, from, to int) *Refusal {
	to = min(to, from+mostNear, len(b.rows))
	r.From, r.To = from+1, to
	r.Near = b.lf[b.rows[from]:b.end(to-1)]
	return r
}

// rare is in how many places a line may stand to say where another text is like this
// one.
const rare = 64

// notFound refuses what no rung finds, with the window of lines that has the most of the
// quoted ones, in their order, if it has half of them.
func (b *body) notFound(old string) *Refusal {
	r := &Refusal{Why: NotFound}
	quoted := strings.Split(old, "\n")
	wanted := 0
	at := map[string][]int{}
	for i, line := range b.lines() {
		line = strings.TrimSpace(line)
		at[line] = append(at[line], i)
	}
	votes := map[int]int{}
	first := len(quoted)
	for j, line := range quoted {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		first = min(first, j)
		wanted++
		if places := at[line]; len(places) <= rare {
			for _, i := range places {
				votes[i-j]++
			}
		}
	}
	best, most := 0, 0
	for start, n := range votes {
		if n > most || n == most && start < best {
			best, most = start, n
		}
	}
	if most == 0 || 2*most < wanted {
		return r
	}
	last := len(quoted) - 1 - slices.IndexFunc(reversed(quoted), func(s string) bool { return strings.TrimSpace(s) != "" })
	return b.show(r, max(best+first, 0), best+last+1)
}

func reversed(list []string) []string {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}
