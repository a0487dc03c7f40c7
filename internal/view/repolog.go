package view

import "fmt"

// A RepoLog is a log of a repository, and what a person decided about it; or a decision
// about a log of another repository.
type RepoLog struct {
	Log    string `json:"log"`    // its name
	Scope  string `json:"scope"`  // of the repository
	File   string `json:"file"`   // in the repository
	Status string `json:"status"` // used, ignored, never, new, changed, refused
	Why    string `json:"why,omitempty"`
	Lines  int    `json:"lines,omitempty"` // that are not let in
	Gone   int    `json:"gone,omitempty"`  // that were let in and are not there
	SHA256 string `json:"sha256,omitempty"`
	TS     string `json:"ts,omitempty"` // of the decision
}

// About is its file, with what is to be said about it, for a person.
func (l RepoLog) About() string {
	switch {
	case l.Why != "":
		return l.File + ": " + l.Why
	case l.Status == "changed":
		return fmt.Sprintf("%s: %s new, %d gone", l.File, Count(l.Lines, "line"), l.Gone)
	case l.Lines > 0:
		return fmt.Sprintf("%s: %s", l.File, Count(l.Lines, "line"))
	}
	return l.File
}
