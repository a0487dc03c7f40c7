package sandbox

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// A Mode is how much a command is held.
type Mode string

// The modes.
const (
	Off      Mode = "off"
	Write    Mode = "write"     // files change only where they may
	WriteNet Mode = "write+net" // and there is no network
	Auto     Mode = "auto"      // the most of these that the machine can do
)

// ErrUnavailable says that this machine cannot hold a command as was asked.
var ErrUnavailable = errors.New("this machine has no sandbox for it")

// A Wish is what a command is to be held to. Paths are absolute.
type Wish struct {
	Mode  Mode     // not Off
	Dir   string   // where it runs
	Write []string // directories below which it changes files; what is not there is left out
	Hide  []string // files and directories that it may not read, there or not
	// Aside are directories that it changes as it likes, and that stay as they are. It takes namespaces, and no network.
	Aside []Layer
}

// A Layer has what is changed below a directory land elsewhere, as a file system of the kind overlay has it. Nothing may be
// mounted below At. Upper and Work are empty, on one file system, and outside of At.
type Layer struct {
	At    string
	Upper string // what was made and changed, and marks for what was removed
	Work  string // what the system needs besides
}

// A Box is how a command is held.
type Box struct {
	Mode Mode // Write or WriteNet
	plan plan
}

// A plan is what a child is told to do to itself.
type plan struct {
	Dir    string
	Write  []string // resolved, and there
	Hide   []string // resolved
	Temp   string
	Aside  []Layer
	Closed bool // no network
	Spaces bool // in namespaces of its own
	ABI    int  // of Landlock
}

// A Machine is what a machine can hold a command with.
type Machine struct {
	Landlock int  // the version of its interface; 0: none
	Filter   bool // of system calls
	Spaces   bool // namespaces, made by a person
}

// Most is the strongest mode that a machine has; "" if none.
func (m Machine) Most() Mode {
	switch {
	case !m.Filter, m.Landlock == 0, m.Landlock < truncates && !m.Spaces:
		return ""
	}
	return WriteNet
}

// truncates is the first version of Landlock's interface that holds back who would cut a
// file to nothing.
const truncates = 3

// String says in words what a machine holds with.
func (m Machine) String() string {
	var has []string
	if m.Landlock > 0 {
		has = append(has, fmt.Sprintf("Landlock %d", m.Landlock))
	}
	if m.Filter {
		has = append(has, "a filter of system calls")
	}
	if m.Spaces {
		has = append(has, "namespaces")
	}
	if len(has) == 0 {
		return "nothing to hold a command with"
	}
	return strings.Join(has, ", ")
}

// Lacks says what a machine that can hold a command does not hold back; "" if nothing is
// known.
func (m Machine) Lacks() string {
	if m.Spaces {
		return ""
	}
	return "without namespaces the modes and times of files elsewhere can be changed, and a closed network has no loopback"
}

// WithTemp is the box with a directory of the command's own for temporary files, which has
// to be there.
func (b *Box) WithTemp(dir string) *Box {
	of := *b
	of.plan.Temp = dir
	return &of
}

// String says what the box holds back.
func (b *Box) String() string {
	if b.Mode == WriteNet {
		return "changes files only here, no network"
	}
	return "changes files only here"
}

// resolved returns the paths without links in them and without those below another of them.
// What is not there is left out, unless missing: then only what there is of it has no links.
func resolved(paths []string, missing bool) []string {
	var all []string
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			continue
		}
		rest := ""
		for at := filepath.Clean(p); ; at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest) {
			if real, err := filepath.EvalSymlinks(at); err == nil {
				all = append(all, filepath.Join(real, rest))
				break
			}
			if !missing || at == filepath.Dir(at) {
				break
			}
		}
	}
	var out []string
	for i, p := range all {
		covered := false
		for j, q := range all {
			covered = covered || i != j && isBelow(p, q) && (p != q || j < i)
		}
		if !covered {
			out = append(out, p)
		}
	}
	return out
}

// isBelow reports whether a path is dir or below it.
func isBelow(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}
