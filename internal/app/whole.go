package app

import (
	"encoding/json"
	"fmt"
	"slices"

	"ken/internal/memory"
	"ken/internal/view"
)

// Notes say what is left out of an export, and what is altered in it.
func Notes(s *memory.State, left, masked int) (notes []string) {
	if masked > 0 {
		notes = append(notes, fmt.Sprintf("secrets are masked in %s", view.Count(masked, "item")))
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("left out, since expired, ended or not valid yet: %s (--all)", view.Count(left, "item")))
	}
	if n := len(s.Waiting()); n > 0 {
		notes = append(notes, fmt.Sprintf("left out, since nobody has said yes: %s", view.Count(n, "item")))
	}
	return notes
}

// Whole returns an export for a program, which gets besides what a person
// knows or reads among the warnings.
func Whole(s *memory.State, items []memory.Item, notes []string) view.Export {
	notes = append([]string{"what was forgotten or erased is left out"}, notes...)
	bad := 0
	for _, p := range s.Problems() {
		if p.Unreadable {
			bad++
		}
	}
	if bad > 0 {
		notes = append(notes, fmt.Sprintf("left out, since it cannot be read: %s", view.Count(bad, "line")))
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(x, y memory.Item) int { // what binds first
		return rank(x.Record.Kind) - rank(y.Record.Kind)
	})
	return view.ExportOf(items, notes, bad > 0)
}

func rank(k memory.Kind) int {
	if k == memory.KindRule {
		return 0
	}
	return 1
}

// Masked masks the secrets in items: what was kept with --force, or written by
// hand, is for the file alone. n is how many items had any;
// safe is items where none had.
func Masked(a *View, items []memory.Item) (safe []memory.Item, n int) {
	safe = items
	for i, it := range items {
		if it, found := MaskedItem(a, it); found {
			if n == 0 {
				safe = slices.Clone(items)
			}
			safe[i] = it
			n++
		}
	}
	return safe, n
}

// MaskedItem is Masked of one item. It changes nothing that the item shares.
func MaskedItem(a *View, it memory.Item) (safe memory.Item, found bool) {
	mask := func(text string) string {
		text, hits := a.Keys.Mask(text)
		found = found || len(hits) > 0
		return text
	}
	rec, d := *it.Record, it.Record.Details()
	rec.Content, rec.Key, rec.Tags = mask(rec.Content), mask(rec.Key), slices.Clone(rec.Tags)
	for j, tag := range rec.Tags {
		rec.Tags[j] = mask(tag)
	}
	d.Extra = slices.Clone(d.Extra)
	for j, f := range d.Extra {
		if value := json.RawMessage(mask(string(f.Value))); json.Valid(value) {
			d.Extra[j].Value = value
		} else {
			d.Extra[j].Value = json.RawMessage("null")
		}
	}
	if found {
		rec.Detail, it.Record = &d, &rec
	}
	return it, found
}
