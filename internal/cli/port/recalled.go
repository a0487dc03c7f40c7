package port

import (
	"strings"

	"ken/internal/memory"
	"ken/internal/view"
)

// recalled is the JSON shape of what a program recalls through a port. Its lists
// are never null.
type recalled struct {
	Items      []preference `json:"items"`
	Provenance []ground     `json:"provenance"` // one for each item, in the same order
	Phase      string       `json:"phase"`      // "fluid": what is recalled may change with the next word
	Profile    string       `json:"profile"`
	Note       string       `json:"note"`
	Plan       plan         `json:"dry_run_plan"`
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
	Key   string `json:"key"` // "" if it has none
	Value string `json:"value"`
	Kind  string `json:"kind"`
	Scope string `json:"scope"`
	Phase string `json:"phase"`
	TS    string `json:"ts,omitempty"`
}

// A ground says where a recalled memory comes from.
type ground struct {
	Ref    string         `json:"ref"`
	Origin string         `json:"origin"`
	By     string         `json:"by,omitempty"`
	Log    string         `json:"log"`
	Line   int            `json:"line"`
	Source *memory.Source `json:"source"`
	Why    string         `json:"why"` // why it is here
}

// recalledOf is what was recalled, for a program. why says why an item is there, about
// what was asked for.
func recalledOf(items []memory.Item, why func(memory.Item) string, p args, scope memory.Scope, about, note string) recalled {
	r := recalled{
		Items: make([]preference, len(items)), Provenance: make([]ground, len(items)),
		Phase: string(memory.PhaseFluid), Profile: p.Profile, Note: note,
		Plan: plan{Scope: string(scope), Kinds: append([]string{}, p.Kinds...), About: about, Limit: *p.Limit, Writes: []string{}},
	}
	for i, it := range items {
		rec := it.Record
		r.Items[i] = preference{
			Ref: it.Ref(), Key: rec.Key, Value: valueOf(rec.Key, rec.Content), Kind: string(rec.Kind),
			Scope: string(view.ScopeOf(it)), Phase: string(it.Phase), TS: view.Stamp(rec.Time),
		}
		r.Provenance[i] = ground{it.Ref(), string(it.Origin), rec.By, it.Log, it.Line, rec.Source, why(it)}
	}
	return r
}

// valueOf is the value that a memory of that key states: what stands behind the key
// and a colon, or all of it.
func valueOf(key, content string) string {
	if key == "" {
		return content
	}
	return strings.TrimPrefix(content, key+": ")
}
