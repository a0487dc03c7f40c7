package memcmd

import (
	"fmt"

	"ken/internal/engine"
	"ken/internal/review"
)

// proposed is what became of what a model or a tool asked for; texts are what they said,
// one for each, where there is a text.
func proposed(r engine.Receipt, texts ...string) []deed {
	deeds := make([]deed, len(r.Proposed))
	for i, p := range r.Proposed {
		deeds[i] = deed{Did: "proposed", Ref: fmt.Sprintf("p%d", p.ID), note: ": it waits for the person (ken review)"}
		if i < len(texts) {
			deeds[i].Text = texts[i]
		}
		switch {
		case p.Known == engine.Remembered:
			deeds[i].Did, deeds[i].Ref, deeds[i].note = "not proposed", "", ": the memory says or said it already"
		case p.Known == string(review.Refused):
			deeds[i].Did, deeds[i].note = "not proposed", ": the person refused it"
		case !p.New:
			deeds[i].note = ": it was proposed before (" + p.Known + ")"
		}
	}
	return deeds
}
