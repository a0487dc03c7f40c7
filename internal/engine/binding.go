package engine

import (
	"ken/internal/memory"
	"ken/internal/risk"
)

// Binding is the part of a rule that is checked before a command runs: what its line
// says of it or, where that says nothing, what its text says plainly. It is false for
// a rule that can stand in a prompt only, and for what is no rule.
func Binding(rec *memory.Record) (risk.Rule, bool) {
	if rec.Kind != memory.KindRule {
		return risk.Rule{}, false
	}
	d := rec.Details()
	if len(d.Match) == 0 {
		return risk.ParseRule(rec.Content)
	}
	r := risk.Rule{Match: d.Match, Unless: d.Unless, Raise: risk.Caution}
	if d.Raise == risk.Danger.String() {
		r.Raise = risk.Danger
	}
	return r, d.Raise == r.Raise.String()
}

// bind writes what a rule binds into its line, as it was understood when the person
// let it in: a later version may understand more, and they have not seen that.
func bind(rec *memory.Record) {
	d := rec.Details()
	if rec.Kind != memory.KindRule || len(d.Match) > 0 {
		return
	}
	if r, ok := risk.ParseRule(rec.Content); ok {
		d.Match, d.Unless, d.Raise = r.Match, r.Unless, r.Raise.String()
		rec.Detail = &d
	}
}

// rebind is bind for a line that gives a rule another text: what the old one bound
// goes with it.
func rebind(edit *memory.Record, old memory.Detail, clear []string) {
	d := edit.Detail
	d.Match, d.Unless, d.Raise, d.Clear = nil, "", "", clear
	was := map[string]bool{"match": len(old.Match) > 0, "unless": old.Unless != "", "raise": old.Raise != ""}
	now := map[string]bool{}
	if r, ok := risk.ParseRule(edit.Content); ok {
		d.Match, d.Unless, d.Raise = r.Match, r.Unless, r.Raise.String()
		now["match"], now["unless"], now["raise"] = true, r.Unless != "", true
	}
	for _, name := range []string{"match", "unless", "raise"} {
		if was[name] && !now[name] {
			d.Clear = append(d.Clear[:len(d.Clear):len(d.Clear)], name)
		}
	}
}
