package scan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/conflict"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/session"
	"ken/internal/text"
)

// A Kind says what is wrong.
type Kind string

// The kinds, in the order in which they are reported.
const (
	Secret        Kind = "secret"        // a text seems to hold one
	Contradiction Kind = "contradiction" // hardly both are true
	Duplicate     Kind = "duplicate"     // the same twice
	Stale         Kind = "stale"         // its time has passed, or seems to have
	Loop          Kind = "loop"          // it came out of the memory, or goes round in a circle
	Rests         Kind = "rests"         // it cites what is not there any more
	Unknown       Kind = "kind"          // of a kind that this version does not know
	Damage        Kind = "damage"        // a line that cannot be read, or not as it was meant
)

// Kinds are the kinds of findings, in that order.
func Kinds() []Kind {
	return []Kind{Secret, Contradiction, Duplicate, Stale, Loop, Rests, Unknown, Damage}
}

// A Finding is one thing that a person should look at.
type Finding struct {
	Kind  Kind
	Ref   string // of the memory or turn; "" if it has none
	Other string // the memory that it is measured against
	Where string // file:line, of what has to be mended by hand
	Text  string // the beginning of what it is about, masked
	Why   string
	Fix   Fix
}

// A Fix is the command that mends a finding, without the program's name; empty if
// there is none.
type Fix string

// Input is what is looked through.
type Input struct {
	State       *memory.State
	Transcripts []*session.Transcript
	Now         time.Time
}

// Memory looks through the items that hold, and what they come from.
func Memory(in Input) []Finding {
	all := asof.All(in.State, in.Now)
	slices.Reverse(all) // oldest first
	var holding []memory.Item
	for _, it := range all {
		if it.Status == memory.StatusActive.String() {
			holding = append(holding, it.Item)
		}
	}
	list := conflicts(holding)
	list = append(list, stale(all, in.Now)...)
	list = append(list, loops(in, holding)...)
	for i := range holding {
		list = append(list, rests(in.State, &holding[i])...)
		if it := &holding[i]; !it.Record.Kind.Known() {
			f := about(Unknown, it, fmt.Sprintf("the kind %q is not known; it is shown as it is", it.Record.Kind))
			f.Fix = Fix("remember --supersedes " + f.Ref + " --kind fact ...")
			list = append(list, f)
		}
	}
	return append(list, problems(in.State)...)
}

// about is a finding about an item.
func about(k Kind, it *memory.Item, why string) Finding {
	return Finding{Kind: k, Ref: it.Ref(), Text: it.Record.Content, Why: why}
}

// conflicts finds items of one scope that say the same or contradict each other. Of
// several, each is measured against the one that was stated before it.
func conflicts(items []memory.Item) []Finding {
	type bucket struct {
		scope memory.Scope
		key   string
	}
	patterns := make([][]conflict.Pattern, len(items))
	last := make(map[bucket]int)
	told := make(map[[2]int]bool)
	var list []Finding
	for i := range items {
		it := &items[i]
		patterns[i] = conflict.Patterns(it.Record.Content)
		for _, f := range patterns[i] {
			b := bucket{it.Record.Scope, f.Key}
			j, met := last[b]
			last[b] = i
			if !met || told[[2]int{i, j}] {
				continue
			}
			old := &items[j]
			verdict, why := conflict.ComparePatterns(patterns[j], patterns[i])
			if verdict == conflict.None {
				continue
			}
			told[[2]int{i, j}] = true
			f := about(Contradiction, it, why)
			f.Other, f.Fix = old.Ref(), Fix(fmt.Sprintf("memory edit --supersedes %s %s", old.Ref(), it.Ref()))
			if verdict == conflict.Same {
				f.Kind, f.Fix = Duplicate, Fix("forget "+old.Ref())
			}
			list = append(list, f)
		}
	}
	return list
}

// stale finds what has passed its time, by its fields or by its words.
func stale(all []asof.Standing, now time.Time) []Finding {
	var list []Finding
	for i := range all {
		it := &all[i]
		f := about(Stale, &it.Item, "")
		switch d := it.Record.Details(); it.Status {
		case "expired":
			f.Why, f.Fix = "expired "+day(d.Expires), Fix("forget "+f.Ref)
		case "ended":
			f.Why, f.Fix = "not valid since "+day(d.ValidTo), Fix("forget "+f.Ref)
		case memory.StatusActive.String():
			stated := it.Changed
			if stated.IsZero() {
				stated = it.Record.Time
			}
			words, life := passing(it.Record.Content)
			if words == "" || stated.IsZero() || !d.Expires.IsZero() || !d.ValidTo.IsZero() || now.Sub(stated) < life {
				continue
			}
			f.Why = fmt.Sprintf("it says %q, and was last touched %s", words, day(stated))
			f.Fix = Fix(fmt.Sprintf("memory edit --valid-to %s %s", day(stated.Add(life)), f.Ref))
		default:
			continue
		}
		list = append(list, f)
	}
	return list
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// passing is the wording by which a text is soon over, and how long it is good
// for at most; "" if there is none.
func passing(said string) (words string, life time.Duration) {
	const day = 24 * time.Hour
	said = " " + strings.Join(text.Spoken(said), " ") + " "
	for _, p := range [...]struct {
		words string
		life  time.Duration
	}{
		{"today", 2 * day},
		{"tonight", 2 * day},
		{"tomorrow", 3 * day},
		{"this morning", 2 * day},
		{"this afternoon", 2 * day},
		{"right now", 7 * day},
		{"this week", 8 * day},
		{"next week", 15 * day},
		{"this weekend", 8 * day},
		{"until monday", 8 * day},
		{"until tuesday", 8 * day},
		{"until wednesday", 8 * day},
		{"until thursday", 8 * day},
		{"until friday", 8 * day},
		{"until saturday", 8 * day},
		{"until sunday", 8 * day},
		{"by friday", 8 * day},
		{"by monday", 8 * day},
		{"until tomorrow", 3 * day},
		{"this month", 32 * day},
		{"next month", 63 * day},
		{"at the moment", 60 * day},
		{"for now", 60 * day},
		{"for the time being", 60 * day},
		{"temporarily", 60 * day},
		{"currently", 180 * day},
		{"this year", 366 * day},
	} {
		if strings.Contains(said, " "+p.words+" ") {
			return p.words, p.life
		}
	}
	return "", 0
}

// rests finds what an item cites and is not there any more.
func rests(s *memory.State, it *memory.Item) []Finding {
	var list []Finding
	for _, id := range it.Record.Details().Cites {
		if it.ID.Log != "" {
			id = id.In(it.ID.Log)
		}
		switch st := s.Status(id); st {
		case memory.StatusForgotten, memory.StatusErased, memory.StatusUndone, memory.StatusUnknown:
			what := "is " + st.String()
			if st == memory.StatusUnknown {
				what = "was never there"
			}
			f := about(Rests, it, fmt.Sprintf("it rests on #%s, which %s", id, what))
			f.Other, f.Fix = id.String(), Fix("forget "+f.Ref)
			list = append(list, f)
		}
	}
	return list
}

// problems returns what the fold of the lines reported.
func problems(s *memory.State) []Finding {
	var list []Finding
	for _, p := range s.Problems() {
		f := Finding{Kind: Damage, Why: p.What, Where: fmt.Sprintf("line %d", p.Line)}
		if p.Log != "" && p.Log != s.OwnLog() {
			f.Where = fmt.Sprintf("%s, line %d", p.Log, p.Line)
		}
		if !p.ID.IsZero() {
			f.Ref = p.ID.String()
			f.Fix = Fix("memory history " + f.Ref)
		}
		if strings.Contains(p.What, "circle") {
			f.Kind = Loop
		}
		list = append(list, f)
	}
	return list
}
