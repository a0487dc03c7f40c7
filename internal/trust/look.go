package trust

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A Brought is a file that came with a repository, a log or a doc, and how it stands.
type Brought struct {
	File
	Standing
	// Refused is why it cannot be let in, whatever anybody says; nil if it can.
	Refused error
}

// Used reports whether l counts.
func (l Brought) Used() bool { return l.Refused == nil && l.Verdict == Use }

// Undecided reports whether there is something to be decided about l.
func (l Brought) Undecided() bool { return l.Refused == nil && l.Verdict == "" }

// Unused says in a few words why l does not count; "" if it does, or if nobody
// has decided yet.
func (l Brought) Unused() string {
	switch {
	case l.Refused != nil:
		return l.Refused.Error()
	case l.Verdict == Ignore, l.Verdict == Never:
		return fmt.Sprintf("you said %s", l.Verdict)
	}
	return ""
}

// Logs reads the logs of the repository whose top is top, by name, with what b
// says about each. here reports whether a scope is that of the repository; own
// are the names of the person's own logs, which no other may have.
func (b Decisions) Logs(top string, here func(scope string) bool, own map[string]bool) ([]Brought, error) {
	files, err := Read(top)
	if err != nil {
		return nil, err
	}
	logs := make([]Brought, len(files))
	for i, f := range files {
		l := Brought{File: f, Standing: b.Of(f, here)}
		switch {
		case f.Bad != nil:
			l.Refused = f.Bad
		case own[f.Log]:
			l.Refused = errors.New("one of your own logs has this name")
		case l.Clash != "":
			l.Refused = fmt.Errorf("a log of %s has this name: rename one", l.Clash)
		}
		logs[i] = l
	}
	return logs, nil
}

// Near reports whether the directory at, or one above it, has a place for logs:
// if not, nobody need know which repository it is in.
func Near(at string) bool {
	at, err := filepath.EvalSymlinks(at)
	for err == nil {
		if _, err := os.Lstat(filepath.Join(at, filepath.FromSlash(dir))); err == nil {
			return true
		}
		up := filepath.Dir(at)
		if up == at {
			break
		}
		at = up
	}
	return false
}
