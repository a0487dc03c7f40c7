package port

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"ken/internal/memory"
	"ken/internal/view"
	"ken/internal/view/why"
)

// DefaultLimit is how many items a call that names no limit is answered with.
const DefaultLimit = 50

// A Call is the arguments of a port. What is left out, or null, is not given; each port
// has a part of them and passes over the rest.
type Call struct {
	Key        string          `json:"key"`
	Value      json.RawMessage `json:"value"` // any JSON
	Kind       string          `json:"kind"`
	TTL        string          `json:"ttl"`   // a time, or a phase
	Phase      string          `json:"phase"` // how settled it is; that of its kind if not given
	Scope      string          `json:"scope"` // "cwd" if not given
	OnlyOf     bool            `json:"profile_only"`
	Rules      []string        `json:"safety_rules"`
	Rule       string          `json:"rule"`
	Rationale  string          `json:"rationale"`
	Profile    string          `json:"profile"`
	Kinds      []string        `json:"kinds"`
	Keys       []string        `json:"keys"`
	Limit      *int            `json:"limit"`
	TaskClass  string          `json:"task_class"`
	Activation json.RawMessage `json:"activation_context"`
	Outcome    string          `json:"outcome"`
	Lessons    []string        `json:"lessons"`
	Goals      []string        `json:"goals"`
	Session    string          `json:"session"`
	Turn       int             `json:"turn"`
	Agent      string          `json:"agent"`
	DryRun     bool            `json:"dry_run"`
}

// Dirs are the directories that the activation context says the call is for, the best
// first; none if it is no object, or names none.
func (c *Call) Dirs() (dirs []string) {
	var at struct {
		Cwd     string `json:"cwd"`
		GitRoot string `json:"git_root"`
	}
	if json.Unmarshal(c.Activation, &at) != nil {
		return nil // a text, or a list
	}
	for _, dir := range []string{at.Cwd, at.GitRoot} {
		if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// About is what the call is made for, as words to search by: the class of the task, and
// the strings of the activation context that name no place.
func (c *Call) About() string {
	words := []string{c.TaskClass}
	var v any
	if json.Unmarshal(c.Activation, &v) == nil {
		if m, ok := v.(map[string]any); ok { // places, and no words
			delete(m, "cwd")
			delete(m, "git_root")
		}
		words = append(words, leaves(v)...)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// leaves are the strings in a JSON value, names of fields left out.
func leaves(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v {
			out = append(out, leaves(e)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(out, leaves(v[name])...)
		}
	}
	return out
}

// A Result says what became of one thing that a port was asked to do. It is no view.Outcome,
// which names what was done in other words (did) and was promised to other programs.
type Result struct {
	Status string `json:"status"`        // "remembered", "duplicate", "forgot", "would forget", "proposed", "known"
	Ref    string `json:"ref,omitempty"` // of the memory, or of the proposal that waits
	Kind   string `json:"kind,omitempty"`
	Key    string `json:"key,omitempty"`
	Value  any    `json:"value,omitempty"` // as it was given: any JSON
	Scope  string `json:"scope,omitempty"`
	Phase  string `json:"phase,omitempty"`  // how settled it is, or would be
	Undo   string `json:"undo,omitempty"`   // the command that takes it back
	Decide string `json:"decide,omitempty"` // the command by which a person decides
}

// Kept is what became of a retrospection; Status is that of its first result.
type Kept struct {
	Status string   `json:"status"`
	Kept   []Result `json:"kept"`
}

// Forgotten is what became of a call to forget.
type Forgotten struct {
	Status    string   `json:"status"` // "forgot", "proposed", "would forget" or "nothing"
	Forgotten []Result `json:"forgotten"`
}

// An Export is a whole memory, with the profile that was asked for.
type Export struct {
	view.Export
	Profile string `json:"profile"`
}

// Recalled is what a program recalls through a port. Its lists are never null.
type Recalled struct {
	Items      []Preference   `json:"items"`
	Provenance []why.Envelope `json:"provenance"` // one, with the ground of each item in the same order; none without items
	Phase      string         `json:"phase"`      // "fluid": what is recalled may change with the next word
	Profile    string         `json:"profile"`
	Note       string         `json:"note"`
	Plan       Plan           `json:"dry_run_plan"`
}

// A Plan says how a call was understood, and what it writes: nothing.
type Plan struct {
	Scope  string   `json:"scope"` // in full, of what "cwd" stood for
	Kinds  []string `json:"kinds"` // none: all
	About  string   `json:"about"` // the words that came first
	Limit  int      `json:"limit"`
	Writes []string `json:"writes"`
}

// A Preference is a memory as a value of a key. It is no view.Item: a program that keeps
// values asks for no more, and for these names.
type Preference struct {
	Ref   string `json:"ref"`
	Key   string `json:"key"`   // "" if it has none
	Value any    `json:"value"` // as it was given: any JSON
	Kind  string `json:"kind"`
	Scope string `json:"scope"`
	Phase string `json:"phase"`
	TS    string `json:"ts,omitempty"`
}

// PreferenceOf is it for a program.
func PreferenceOf(it memory.Item) Preference {
	rec := it.Record
	return Preference{
		Ref: it.Ref(), Key: rec.Key, Value: ValueOf(rec.Key, rec.Content), Kind: string(rec.Kind),
		Scope: string(view.ScopeOf(it)), Phase: string(it.Phase), TS: view.Stamp(rec.Time),
	}
}

// RecalledOf is what was recalled. ground says why an item is there, in where and for what
// the call was made.
func RecalledOf(
	items []memory.Item, ground func(memory.Item) string, in why.Context, how Plan, profile, note string,
) Recalled {
	r := Recalled{
		Items: make([]Preference, len(items)), Provenance: []why.Envelope{},
		Phase: string(memory.PhaseFluid), Profile: profile, Note: note, Plan: how,
	}
	e := why.Envelope{Source: why.SourceMemory, Count: len(items), Context: in}
	for i, it := range items {
		r.Items[i] = PreferenceOf(it)
		e.Items = append(e.Items, why.GroundOf(it, ground(it)))
	}
	if len(items) > 0 {
		r.Provenance = append(r.Provenance, e)
	}
	return r
}
