package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/attach"
	"ken/internal/config"
	"ken/internal/regular"
	"ken/internal/risk"
	"ken/internal/termsafe"
	"ken/internal/text"
	"ken/internal/tool/swap"
)

// A Place is where a model works. It is not changed by what is done there.
type Place struct {
	Dir     string // absolute; relative paths count from it
	Project string // absolute; what lies below is inside. "": nothing is
	Home    string // absolute; "" if there is none
	// Own are ken's directories and files: see OwnOf.
	Own []string
	// Most is how many bytes of text an answer has, about; 0 for usual. It is kept by whole lines.
	Most int
	// Held is what the person's editor holds of a file that is there, or would be: what they did not save is in it. ok is false
	// where it does not say. nil: nobody is asked.
	Held func(path string) (text string, ok bool)
}

// usual is Place.Most where none is given.
const usual = 24 << 10

func (p Place) most() int {
	if p.Most > 0 {
		return p.Most
	}
	return usual
}

// OwnOf are the places of ken's files.
func OwnOf(paths config.Paths) []string {
	return []string{paths.Config, paths.Data, paths.State, paths.Cache, paths.Runtime, paths.ConfigFile(), paths.Memory()}
}

// Refused is why something is not done, for the model that asked.
type Refused string

func (r Refused) Error() string { return string(r) }

func refuse(form string, args ...any) error { return Refused(fmt.Sprintf(form, args...)) }

// A Target is a file or a directory that a path leads to.
type Target struct {
	Name  string // for people, on one line: below the project, with slashes, or absolute
	Path  string // absolute, without links
	Link  string // what the path was, if it led through a link; else ""
	There bool
	Dir   bool
	Risk  risk.Assessment
	// Starts says that another program may run the file or obey it: a yes to edits in general is none to this one.
	Starts bool
}

// Find returns what a path leads to, as it would be read or written.
func (p Place) Find(name string, write bool) (Target, error) {
	if strings.TrimSpace(name) == "" {
		return Target{}, refuse("no path: name a file")
	}
	if strings.ContainsRune(name, 0) {
		return Target{}, refuse("a path has no NUL")
	}
	full, _ := regular.Expand(name, p.Home)
	if !filepath.IsAbs(full) {
		full = filepath.Join(p.Dir, full)
	}
	real, there, err := swap.Real(full)
	if err == nil && !there {
		if as, ok := composed(real); ok {
			real, there, err = swap.Real(as)
		}
	}
	if err != nil {
		return Target{}, p.failed(name, err)
	}
	t := Target{Path: real, There: there}
	f := risk.File{Git: p.ofGit(real), Path: real, Home: p.Home, Write: write, Rel: p.below(real), Project: p.project(), Own: p.isOwn(real)}
	if f.Own && write { // a yes to a difference is none to what it would have ken remember, trust or allow
		return Target{}, refuse("ken's own files are not written by a tool; remember proposes a memory")
	}
	if there {
		fi, err := os.Stat(real)
		if err != nil {
			return Target{}, p.failed(name, err)
		}
		if t.Dir = fi.IsDir(); !t.Dir {
			f.Names = swap.Names(real, fi)
			t.Starts = fi.Mode().Perm()&0o111 != 0
		}
	}
	if t.Dir && p.is(real, p.Project) {
		f.Rel = "."
	}
	t.Risk = risk.JudgeFile(f)
	t.Starts = t.Starts || risk.Starts(f.Rel)
	if t.Name = f.Rel; t.Name == "" {
		t.Name = real
	}
	t.Name = termsafe.Line(t.Name)
	if last := name[len(name)-1]; write && !there && os.IsPathSeparator(last) {
		return Target{}, refuse("%s is a directory by its name, and there is none", termsafe.Line(name))
	}
	if clean := filepath.Clean(full); clean != real && p.below(clean) != f.Rel {
		t.Link = name
	}
	return t, nil
}

// composed is the path of the only file beside path whose name looks the same: letters that are made of two
// characters in one of the names, and of one in the other.
func composed(path string) (as string, ok bool) {
	dir, name := filepath.Split(path)
	if text.ASCII(name) {
		return "", false
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", false
	}
	for _, e := range entries {
		if text.Composed(e.Name()) != text.Composed(name) {
			continue
		}
		if ok {
			return "", false
		}
		as, ok = filepath.Join(dir, e.Name()), true
	}
	return as, ok
}

// project is the project, links resolved; "" if there is none.
func (p Place) project() string {
	if p.Project == "" {
		return ""
	}
	real, err := filepath.EvalSymlinks(p.Project)
	if err != nil {
		return ""
	}
	return real
}

// is reports whether two paths are one directory or file.
func (Place) is(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// below is a path below the project, with slashes; "" if it is not there, or is the project. The
// project is found by what it is, not by its name: one directory may have several.
func (p Place) below(real string) string {
	top, err := os.Stat(p.Project)
	if p.Project == "" || err != nil {
		return ""
	}
	rest := filepath.Base(real)
	for dir := filepath.Dir(real); ; {
		if fi, err := os.Stat(dir); err == nil && os.SameFile(fi, top) {
			return filepath.ToSlash(rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		rest, dir = filepath.Join(filepath.Base(dir), rest), up
	}
}

// ofGit says that a path is, or lies in, what git keeps of a repository, whatever that is called. What is above the project does
// not matter.
func (p Place) ofGit(real string) bool {
	for dir := real; !p.is(dir, p.Project); dir = filepath.Dir(dir) {
		if keepsRepository(dir) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
	return keepsRepository(p.Project)
}

// keepsRepository reports whether a directory looks to git like one that it keeps a repository in.
func keepsRepository(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// isOwn says that a path is one of ken's, or below one.
func (p Place) isOwn(real string) bool {
	for _, own := range p.Own {
		if own == "" {
			continue
		}
		mine, mineErr := os.Stat(own)
		named, _, err := swap.Real(own)
		for dir := real; ; {
			if err == nil && strings.EqualFold(dir, named) || strings.EqualFold(dir, own) {
				return true
			}
			if mineErr == nil {
				if fi, err := os.Stat(dir); err == nil && os.SameFile(fi, mine) {
					return true
				}
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	return false
}

// owned are ken's directories and files that are there.
func (p Place) owned() (list []fs.FileInfo) {
	for _, own := range p.Own {
		if fi, err := os.Stat(own); own != "" && err == nil {
			list = append(list, fi)
		}
	}
	return list
}

// failed says what the system said of a path, as a model can use it.
func (p Place) failed(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("no such file: %s", name)
	case errors.Is(err, fs.ErrPermission):
		return refuse("not allowed: %s", name)
	}
	return refuse("cannot open %s: %v", name, regular.Cause(err))
}

// irregular says what stands where a file should be.
func irregular(name string, mode fs.FileMode) error {
	return refuse("%s is %s", name, regular.Kind(mode))
}

// binary is what is said of a file that is no text.
func binary(size int64, what string) string {
	text := "binary, " + attach.Size(size)
	if what != "" {
		text += ", " + what
	}
	return text
}
