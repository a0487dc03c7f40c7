package engine

import (
	"slices"

	"ken/internal/memory"
	"ken/internal/risk"
)

// Binding returns the part of a rule, preference or lesson that is checked before a command
// runs: what its line says of it or, where that says nothing, what its text says
// plainly. A preference or lesson binds only as the person's own words, and makes ken
// ask: it raises to caution and no further. It is false for what can stand in a prompt
// only, and for all other kinds.
func Binding(rec *memory.Record) (risk.Rule, bool) {
	most, ok := binds(rec.Kind, rec.Origin)
	if !ok {
		return risk.Rule{}, false
	}
	d := rec.Details()
	if len(d.Match) == 0 {
		r, ok := risk.ParseRule(rec.Content)
		r.Raise = min(r.Raise, most)
		return r, ok
	}
	r := risk.Rule{Match: d.Match, Unless: d.Unless, Raise: risk.Caution}
	if d.Raise == risk.Danger.String() {
		r.Raise = most
	}
	return r, d.Raise == risk.Danger.String() || d.Raise == risk.Caution.String()
}

// binds reports whether what is remembered in a kind may bind, and to which level it
// may raise.
func binds(kind memory.Kind, origin memory.Origin) (most risk.Level, ok bool) {
	switch {
	case kind == memory.KindRule:
		return risk.Danger, true
	case kind.Is(memory.Checked):
		return risk.Caution, origin.Rank() == 0
	}
	return risk.Safe, false
}

// bind writes what a text binds into its line, as it was understood when the person
// let it in: a later version may understand more, and they have not seen that.
func bind(rec *memory.Record) {
	d := rec.Details()
	if len(d.Match) > 0 {
		return
	}
	if r, ok := Binding(rec); ok {
		d.Match, d.Unless, d.Raise = r.Match, r.Unless, r.Raise.String()
		rec.Detail = &d
	}
}

// rebind is bind for a line that gives an item another text: what the old one bound
// goes with it. most is the level that the item may raise to.
func rebind(edit *memory.Record, old memory.Detail, clear []string, most risk.Level) {
	d := edit.Detail
	d.Match, d.Unless, d.Raise, d.Clear = nil, "", "", clear
	was := map[string]bool{"match": len(old.Match) > 0, "unless": old.Unless != "", "raise": old.Raise != ""}
	now := map[string]bool{}
	if r, ok := risk.ParseRule(edit.Content); ok {
		d.Match, d.Unless, d.Raise = r.Match, r.Unless, min(r.Raise, most).String()
		now["match"], now["unless"], now["raise"] = true, r.Unless != "", true
	}
	for _, name := range []string{"match", "unless", "raise"} {
		if was[name] && !now[name] {
			d.Clear = append(d.Clear[:len(d.Clear):len(d.Clear)], name)
		}
	}
}

// rebound completes an edit that gives an item another text by what the new text binds, as an edit
// of the person does: see rebind.
func rebound(s *memory.State, edit *memory.Record) {
	if edit.Kind != memory.KindEdit || edit.Content == "" {
		return
	}
	it, _ := s.Get(edit.Target)
	if it.Record == nil {
		return
	}
	if most, ok := binds(it.Record.Kind, it.Origin); ok {
		d := edit.Details()
		d.Clear = slices.DeleteFunc(slices.Clone(d.Clear), func(name string) bool {
			return name == "match" || name == "unless" || name == "raise"
		})
		edit.Detail = &d
		rebind(edit, it.Record.Details(), d.Clear, most)
	}
}

// Kept returns a waiting record as the yes of a person writes it into the memory s, with the part
// of it that is checked.
func Kept(s *memory.State, rec memory.Record) memory.Record {
	rec.By = "user"
	bind(&rec)
	rebound(s, &rec)
	return rec
}
