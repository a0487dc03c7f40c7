package pipe

import (
	"ken/internal/cli/term"
	"ken/internal/memory"
	"ken/internal/view"
	"ken/internal/view/why"
)

// recalled is the JSON shape of what a program recalls through a port. Its lists
// are never null.
type recalled struct {
	Items      []preference   `json:"items"`
	Provenance []why.Envelope `json:"provenance"` // one, with the ground of each item in the same order; none without items
	Phase      string         `json:"phase"`      // "fluid": what is recalled may change with the next word
	Profile    string         `json:"profile"`
	Note       string         `json:"note"`
	Plan       plan           `json:"dry_run_plan"`
}

// A plan says how a call was understood, and what it writes: nothing.
type plan struct {
	Scope  string   `json:"scope"` // in full, of what "cwd" stood for
	Kinds  []string `json:"kinds"` // none: all
	About  string   `json:"about"` // the words that came first
	Limit  int      `json:"limit"`
	Writes []string `json:"writes"`
}

// A preference is a memory as a value of a key.
type preference struct {
	Ref   string `json:"ref"`
	Key   string `json:"key"`   // "" if it has none
	Value any    `json:"value"` // as it was given: any JSON
	Kind  string `json:"kind"`
	Scope string `json:"scope"`
	Phase string `json:"phase"`
	TS    string `json:"ts,omitempty"`
}

// planOf is the plan of a call.
func planOf(a *term.Run, p args, scope memory.Scope) plan {
	return plan{
		Scope: string(scope), Kinds: append([]string{}, p.Kinds...), About: a.Home.Keys.MaskText(p.about()), Limit: *p.Limit, Writes: []string{},
	}
}

// recalledOf is what was recalled, for a program. ground says why an item is there,
// in where and for what the call was made.
func recalledOf(items []memory.Item, ground func(memory.Item) string, in why.Context, how plan, profile, note string) recalled {
	r := recalled{
		Items: make([]preference, len(items)), Provenance: []why.Envelope{},
		Phase: string(memory.PhaseFluid), Profile: profile, Note: note, Plan: how,
	}
	e := why.Envelope{Source: why.SourceMemory, Count: len(items), Context: in}
	for i, it := range items {
		rec := it.Record
		r.Items[i] = preference{
			Ref: it.Ref(), Key: rec.Key, Value: valueOf(rec.Key, rec.Content), Kind: string(rec.Kind),
			Scope: string(view.ScopeOf(it)), Phase: string(it.Phase), TS: view.Stamp(rec.Time),
		}
		e.Items = append(e.Items, why.GroundOf(it, ground(it)))
	}
	if len(items) > 0 {
		r.Provenance = append(r.Provenance, e)
	}
	return r
}
