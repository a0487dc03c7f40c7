package ageing

import (
	"slices"

	"ken/internal/lifecycle"
)

// A Diagnosis is something wrong with a policy.
type Diagnosis struct {
	Field string `json:"field"`
	Row   int    `json:"row,omitempty"` // in its file, from 1
	Text  string `json:"text"`
	Note  bool   `json:"note,omitempty"` // it does no harm
}

// DiagnosesOf are what is to be said of a policy, faults first; nil if nothing is.
func DiagnosesOf(r lifecycle.Reading, clean func(string) string) []Diagnosis {
	var out []Diagnosis
	for i, f := range slices.Concat(r.Faults, r.Notes) {
		out = append(out, Diagnosis{Field: clean(f.Field), Row: f.Row, Text: clean(f.What), Note: i >= len(r.Faults)})
	}
	return out
}

// A Policy is one that can be named.
type Policy struct {
	Name   string `json:"name"`
	Title  string `json:"title,omitempty"`
	Path   string `json:"path"`
	Rules  int    `json:"rules"`
	Faults int    `json:"faults"`
	Active bool   `json:"active"` // it is in force
}

// A Begun is a policy that was written, to be changed.
type Begun struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// A Checked is a policy that was looked at.
type Checked struct {
	Policy      string      `json:"policy"` // its name
	Rules       int         `json:"rules"`
	Diagnostics []Diagnosis `json:"diagnostics"` // never null
}

// CheckedOf is what is to be said of a policy, for a program.
func CheckedOf(r lifecycle.Reading, clean func(string) string) Checked {
	v := Checked{Policy: r.Policy.Name, Rules: len(r.Policy.Rules), Diagnostics: DiagnosesOf(r, clean)}
	if v.Diagnostics == nil {
		v.Diagnostics = []Diagnosis{}
	}
	return v
}
