package app

import (
	"fmt"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/review"
	"ken/internal/view"
)

// Remembered returns what became of a draft. verb is how a command of ken is written where
// the person is: "undo 3" as "ken undo 3" or ":undo 3".
func Remembered(r engine.Receipt, d engine.Draft, verb func(string) string) view.Outcome {
	switch {
	case len(r.Proposed) > 0:
		return Proposed(r, d.Content)[0]
	case !r.Same.IsZero():
		same := r.Same.String()
		return view.Outcome{Did: "duplicate", Ref: same, Text: d.Content, Duplicate: same}
	}
	id := r.IDs[0].String()
	done := view.Outcome{Did: "remembered", Ref: id, Line: id, Text: d.Content, Undo: verb("undo " + id)}
	for _, it := range r.Near {
		done.Near = append(done.Near, it.Ref())
		if it.Relation.Contradicts() {
			done.Contradicts = append(done.Contradicts, it.Ref())
		}
	}
	done.Binds = Understood(d)
	return done
}

// Understood says what of a draft would be checked before commands run, "prompt only" of a rule of which nothing is, and
// nothing of all else.
func Understood(d engine.Draft) string {
	kind, _ := memory.ParseKind(string(d.Kind))
	rec := memory.Record{Kind: kind, Content: d.Content}
	if b, ok := engine.Binding(&rec); ok {
		return "checked: " + b.String()
	}
	if kind == memory.KindRule {
		return "prompt only"
	}
	return ""
}

// Proposed returns what became of what waits now; texts are what was said, one for each,
// where there is a text.
func Proposed(r engine.Receipt, texts ...string) []view.Outcome {
	done := make([]view.Outcome, len(r.Proposed))
	for i, p := range r.Proposed {
		done[i] = view.Outcome{Did: "proposed", Ref: fmt.Sprintf("p%d", p.ID), Note: ": it waits for the person (ken review)"}
		if i < len(texts) {
			done[i].Text = texts[i]
		}
		switch {
		case p.Known == engine.Remembered:
			done[i].Did, done[i].Ref, done[i].Note = "not proposed", "", ": the memory says or said it already"
		case p.Known == engine.Relaxing:
			done[i].Did, done[i].Ref, done[i].Note = "not proposed", "", ": it would relax a rule, which no suggestion does"
		case p.Known == string(review.Refused):
			done[i].Did, done[i].Note = "not proposed", ": the person refused it"
		case !p.New:
			done[i].Note = ": it was proposed before (" + p.Known + ")"
		}
	}
	return done
}
