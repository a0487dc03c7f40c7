package view

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/termsafe"
)

// Export is the JSON shape of a whole memory: what there is, and what it is made
// of.
type Export struct {
	Status     string         `json:"status"`  // "ok"; "partial" where lines could not be read
	Items      []Item         `json:"items"`   // rules first, then newest first; never null
	ByKind     map[string]int `json:"by_kind"` // how many there are of each kind
	Provenance Provenance     `json:"provenance_summary"`
	Phases     []string       `json:"phases"` // those that occur, least settled first
	ByPhase    map[string]int `json:"by_phase"`
	Notes      []string       `json:"notes"` // what was left out or altered, and by which rule
}

// Provenance counts where memories come from. What names no session or agent
// stands in neither count.
type Provenance struct {
	ByOrigin  map[string]int `json:"by_origin"`
	BySession map[string]int `json:"by_session"`
	ByAgent   map[string]int `json:"by_agent"`
}

// ExportOf returns a memory for a program. partial says that not all of it could be
// read.
func ExportOf(items []memory.Item, notes []string, partial bool) Export {
	e := Export{
		Status: "ok", Items: itemsOf(items), ByKind: map[string]int{}, Phases: []string{}, ByPhase: map[string]int{}, Notes: notes,
		Provenance: Provenance{ByOrigin: map[string]int{}, BySession: map[string]int{}, ByAgent: map[string]int{}},
	}
	if partial {
		e.Status = "partial"
	}
	for _, it := range items {
		e.ByKind[string(it.Record.Kind)]++
		e.ByPhase[string(it.Phase)]++
		e.Provenance.ByOrigin[string(it.Origin)]++
		if src := it.Record.Source; src != nil && src.Session != "" {
			e.Provenance.BySession[src.Session]++
		}
		if src := it.Record.Source; src != nil && src.Agent != "" {
			e.Provenance.ByAgent[src.Agent]++
		}
	}
	settled := []memory.Phase{memory.PhaseEphemeral, memory.PhaseFluid, memory.PhaseStabilized, memory.PhaseRigid}
	for _, p := range settled {
		if e.ByPhase[string(p)] > 0 {
			e.Phases = append(e.Phases, string(p))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.ByPhase)) {
		if !slices.Contains(settled, memory.Phase(name)) {
			e.Phases = append(e.Phases, name)
		}
	}
	return e
}

// A chapter of an export for people holds the items of one kind, or those that
// are pinned.
type chapter struct {
	title string
	items []int32 // their numbers
	mixed bool    // of several kinds
}

// chapters puts items, in their order, below titles: what binds first, then what
// the person keeps in front, then kind by kind.
func chapters(items int, item func(n int) memory.Item) []chapter {
	var all []chapter
	byKind := make(map[memory.Kind]int)
	for _, k := range memory.Chapters() {
		byKind[k] = len(all)
		if all = append(all, chapter{title: k.Title()}); k == memory.KindRule {
			all = append(all, chapter{title: "Pinned", mixed: true})
		}
	}
	pinned := byKind[memory.KindRule] + 1
	for i := range items {
		it := item(i)
		kind := it.Record.Kind
		n, ok := byKind[kind]
		switch {
		case it.Pinned && kind != memory.KindRule:
			n = pinned
		case !ok: // a kind of another version
			n = len(all)
			byKind[kind] = n
			all = append(all, chapter{title: termsafe.Line(string(kind))})
		}
		all[n].items = append(all[n].items, int32(i))
	}
	return slices.DeleteFunc(all, func(c chapter) bool { return len(c.items) == 0 })
}

// ExportText writes a memory of so many items for a person, as a Markdown document without
// a final line end: chapter by chapter, each item with its reference, date and scope. item
// gives each, twice, and show what of it may be shown. at is when it was made.
func ExportText(w io.Writer, items int, item func(n int) memory.Item, show func(memory.Item) memory.Item, at time.Time) error {
	if _, err := fmt.Fprintf(w, "# Memory\n\n%s, %s", Count(items, "item"), When(at)); err != nil {
		return err
	}
	for _, c := range chapters(items, item) {
		if _, err := fmt.Fprintf(w, "\n\n## %s\n", c.title); err != nil {
			return err
		}
		for _, n := range c.items {
			it := show(item(int(n)))
			text := strings.ReplaceAll(strings.TrimSpace(termsafe.Clean(it.Record.Content)), "\n", "\n  ")
			if _, err := fmt.Fprintf(w, "\n- [%s] %s (%s)", it.Ref(), text, strings.Join(about(it, c.mixed), ", ")); err != nil {
				return err
			}
		}
	}
	return nil
}

// about is what stands behind an item in such a document.
func about(it memory.Item, mixed bool) []string {
	d := it.Record.Details()
	date := "no date"
	if !it.Record.Time.IsZero() {
		date = it.Record.Time.UTC().Format(time.DateOnly)
	}
	words := []string{date, string(ScopeOf(it))}
	if mixed {
		words = append([]string{string(it.Record.Kind)}, words...)
	} else if it.Pinned {
		words = append(words, "pinned")
	}
	if it.Tier == memory.TierArchive {
		words = append(words, "archived")
	}
	if it.Origin != memory.OriginUser {
		words = append(words, "origin "+string(it.Origin))
	}
	if !d.ValidFrom.IsZero() {
		words = append(words, "since "+d.ValidFrom.UTC().Format(time.DateOnly))
	}
	if !d.ValidTo.IsZero() {
		words = append(words, "until "+d.ValidTo.UTC().Format(time.DateOnly))
	}
	if !d.Expires.IsZero() {
		words = append(words, "expires "+d.Expires.UTC().Format(time.DateOnly))
	}
	for i, w := range words {
		words[i] = termsafe.Line(w)
	}
	return words
}

// Exported is what an export makes lines of: so many items, which Item makes when it is
// asked for one by number, and Show says what of one may be shown.
type Exported struct {
	Items int
	Item  func(n int) memory.Item
	Show  func(memory.Item) memory.Item
	Own   string // the name of the own log, whose items keep their numbers
	Next  int64  // from here on no line has a number
}

// Records yields the lines of a log that holds these items and nothing else, in
// the order of statement; read by themselves they fold to the same items. Those of other
// logs than the own one, and lines without a number, get numbers from Next on. None of the
// lines is kept.
//
// Decisions are not named, since their file is not here. What an item supersedes
// or cites is named by its log where it is not among the items.
func (x Exported) Records() iter.Seq[memory.Record] {
	type place struct{ order, n int32 }
	list := make([]place, x.Items)
	for n := range list {
		list[n] = place{int32(x.Item(n).Order), int32(n)}
	}
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Compare(a.order, b.order) })
	// each yields the items in their order, with the numbers that they get.
	each := func(yield func(memory.Item, memory.ID) bool) {
		next := x.Next
		for _, at := range list {
			it := x.Item(int(at.n))
			id := it.ID
			if id.Log != "" || id.N == 0 {
				id, next = memory.Num(next), next+1
			}
			if !yield(it, id) {
				return
			}
		}
	}
	numbers := make(map[memory.ID]memory.ID) // of the items that others name: these are few
	for it := range each {
		if d := it.Record.Detail; d != nil {
			for _, id := range slices.Concat(d.Supersedes, d.Cites) {
				numbers[id.In(it.Log)] = memory.ID{}
			}
		}
	}
	if len(numbers) > 0 {
		for it, gets := range each {
			is := it.ID.In(x.Own)
			if _, ok := numbers[is]; ok {
				numbers[is] = gets
			}
		}
	}
	return func(yield func(memory.Record) bool) {
		for it, gets := range each {
			if !yield(exportRecord(x.Show(it), gets, numbers)) {
				return
			}
		}
	}
}

// exportRecord is the line of an item that gets this number. numbers are those of the items
// that are named, zero where one is not here.
func exportRecord(it memory.Item, gets memory.ID, numbers map[memory.ID]memory.ID) memory.Record {
	rec, d := *it.Record, it.Record.Details()
	renamed := func(ids []memory.ID) []memory.ID {
		var list []memory.ID
		for _, id := range ids {
			id = id.In(it.Log)
			if n := numbers[id]; !n.IsZero() {
				list = append(list, n)
			} else if id.Log != "" {
				list = append(list, id)
			}
		}
		return list
	}
	rec.ID, rec.Origin, rec.Review, rec.Pinned = gets, it.Origin, 0, it.Pinned
	d.Phase, d.Tier = it.Phase, it.Tier
	d.Supersedes, d.Cites = renamed(d.Supersedes), renamed(d.Cites)
	rec.Detail = &d
	return rec
}
