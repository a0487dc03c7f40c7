package scan

import (
	"fmt"
	"strings"
	"time"

	"ken/internal/memory"
	"ken/internal/text"
)

// shortest is how many bytes a text has at least that is looked for in what was
// recalled: a shorter one is in many texts by chance.
const shortest = 12

// loops finds items that came out of the memory: said in a turn that recalled
// something, or in words that had just been recalled or summed up in the
// conversation that they are from.
func loops(in Input, items []memory.Item) []Finding {
	type recalled struct {
		n    int
		at   time.Time
		text string
	}
	by := make(map[string][]recalled) // by session
	for _, t := range in.Transcripts {
		id := t.Header.Session
		for _, e := range t.Entries {
			switch {
			case e.Turn != nil && e.Turn.Recalled:
				by[id] = append(by[id], recalled{e.Turn.N, e.Turn.Time, text.Normal(e.Turn.Content)})
			case e.Event != nil && e.Event.Name == "compact":
				by[id] = append(by[id], recalled{0, e.Event.Time, text.Normal(e.Event.Text("summary"))})
			}
		}
	}
	if len(by) == 0 {
		return nil
	}
	var list []Finding
	for i := range items {
		it := &items[i]
		src := it.Record.Source
		if src == nil || it.Origin.Rank() == 0 {
			continue // what a person says themselves is no echo
		}
		said := text.Normal(it.Record.Content)
		for _, r := range by[src.Session] {
			there := r.n > 0 && r.n == src.Turn
			echo := len(said) >= shortest && strings.Contains(r.text, said) && !it.Record.Time.Before(r.at)
			if !there && !echo {
				continue
			}
			what := "a summary"
			if r.n > 0 {
				what = fmt.Sprintf("what was recalled in %s:%d", src.Session, r.n)
			}
			f := about(Loop, it, "it comes from "+what+", and so from the memory itself")
			f.Fix = Fix("forget " + f.Ref)
			list = append(list, f)
			break
		}
	}
	return list
}
