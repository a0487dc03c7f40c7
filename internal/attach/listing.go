package attach

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/regular"
	"ken/internal/termsafe"
)

const (
	// mostListed is the most names of a listing.
	mostListed = 400
	// mostLooked is the most names that are looked at for it; what lies behind is not counted.
	mostLooked = 20000
	// deepest is how many directories a listing goes down.
	deepest = 6
	// longestIgnore is the most bytes of a .gitignore that are read.
	longestIgnore = 64 << 10
)

// list makes a listing of a directory: names and sizes, the upper ones first. Links are named and
// not followed.
func (r Reader) list(ctx context.Context, a Attachment) (Attachment, error) {
	if a.Kind = Directory; !strings.HasSuffix(a.Name, "/") {
		a.Name += "/"
	}
	top := topOf(a.Path)
	rel, err := filepath.Rel(top, a.Path)
	if err != nil {
		return a, failed(a.Name, err)
	}
	rules := rulesAbove(top, filepath.ToSlash(rel))
	type dir struct {
		at    string // below a.Path; "" for itself
		depth int
		rules []ignored
	}
	var lines []string
	looked, left, more := 0, 0, false
	for queue := []dir{{"", 0, rules}}; len(queue) > 0; queue = queue[1:] {
		d := queue[0]
		full := filepath.Join(a.Path, d.at)
		entries, err := readDir(full, mostLooked-looked)
		if err != nil && d.at == "" {
			return a, failed(a.Name, err)
		}
		if ctx.Err() != nil {
			return a, context.Cause(ctx)
		}
		looked += len(entries)
		more = more || looked >= mostLooked
		here := path.Join(filepath.ToSlash(rel), filepath.ToSlash(d.at))
		d.rules = append(slices.Clone(d.rules), readIgnored(full, here)...)
		for _, e := range entries {
			name := path.Join(filepath.ToSlash(d.at), e.Name())
			if strings.HasPrefix(e.Name(), ".") || ignores(d.rules, path.Join(here, e.Name()), e.IsDir()) {
				continue
			}
			if e.IsDir() && d.depth < deepest {
				queue = append(queue, dir{name, d.depth + 1, d.rules})
			}
			if len(lines) == mostListed {
				left++
				continue
			}
			lines = append(lines, lineOf(name, e))
		}
	}
	a.Entries = len(lines)
	slices.SortStableFunc(lines, func(x, y string) int { return strings.Count(x, "/") - strings.Count(y, "/") })
	switch {
	case more:
		lines = append(lines, "(more left out)")
	case left > 0:
		lines = append(lines, fmt.Sprintf("(%d more left out)", left))
	}
	a.Text, a.Masked = r.mask(strings.Join(lines, "\n"))
	a.Text = inert(a.Text)
	return a, nil
}

// lineOf is a name in a listing.
func lineOf(name string, e fs.DirEntry) string {
	name = termsafe.Line(name)
	switch info, err := e.Info(); {
	case e.IsDir():
		return name + "/"
	case e.Type()&fs.ModeSymlink != 0:
		return name + " (a link)"
	case err == nil && e.Type().IsRegular():
		return name + " " + Size(info.Size())
	}
	return name
}

// readDir returns at most so many names of a directory, in order.
func readDir(dir string, most int) ([]fs.DirEntry, error) {
	if most <= 0 {
		return nil, nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.ReadDir(most)
	slices.SortFunc(list, func(x, y fs.DirEntry) int { return strings.Compare(x.Name(), y.Name()) })
	if len(list) > 0 || errors.Is(err, io.EOF) {
		err = nil
	}
	return list, err
}

// topOf is the top of the repository that dir is in; dir itself if it is in none.
func topOf(dir string) string {
	for at := dir; ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}

// An ignored is a line of a .gitignore.
type ignored struct {
	dir     string // of the file, below the top; "" for the top
	glob    string // below dir, with slashes
	keeps   bool   // it begins with "!"
	dirs    bool   // it means directories alone
	anyDeep bool   // it has no slash: it means a name at any depth
}

// rulesAbove are the lines that hold for a directory, from the top down to above it.
func rulesAbove(top, rel string) (rules []ignored) {
	at := ""
	for part := range strings.SplitSeq(rel, "/") {
		if rel == "." || part == "" {
			break
		}
		rules = append(rules, readIgnored(filepath.Join(top, filepath.FromSlash(at)), at)...)
		at = path.Join(at, part)
	}
	return rules
}

// readIgnored reads the .gitignore of a directory; one that cannot be read says nothing.
func readIgnored(dir, at string) (rules []ignored) {
	b, err := regular.Read(filepath.Join(dir, ".gitignore"), longestIgnore)
	if err != nil {
		return nil
	}
	if at == "." {
		at = ""
	}
	for s := bufio.NewScanner(strings.NewReader(string(b))); s.Scan(); {
		line := strings.TrimRight(s.Text(), " \t\r")
		g := ignored{dir: at}
		if line == "" || line[0] == '#' {
			continue
		}
		line, g.keeps = strings.CutPrefix(line, "!")
		line, g.dirs = strings.CutSuffix(line, "/")
		g.anyDeep = !strings.Contains(line, "/")
		if g.glob = strings.TrimPrefix(line, "/"); g.glob != "" {
			rules = append(rules, g)
		}
	}
	return rules
}

// ignores reports whether a name below the top is left out: the last line that means it decides.
func ignores(rules []ignored, name string, isDir bool) bool {
	for _, g := range slices.Backward(rules) {
		if g.dirs && !isDir {
			continue
		}
		below := name
		if g.dir != "" {
			var ok bool
			if below, ok = strings.CutPrefix(name, g.dir+"/"); !ok {
				continue
			}
		}
		if g.anyDeep {
			below = path.Base(below)
		}
		if matches(strings.Split(g.glob, "/"), strings.Split(below, "/")) {
			return !g.keeps
		}
	}
	return false
}

// matches reports whether the parts of a path are those of a pattern, in which "**" stands for
// any number of them.
func matches(glob, parts []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			for len(glob) > 1 && glob[1] == "**" {
				glob = glob[1:]
			}
			if len(glob) == 1 {
				return len(parts) > 0
			}
			for i := range parts {
				if matches(glob[1:], parts[i:]) {
					return true
				}
			}
			return false
		}
		if len(parts) == 0 {
			return false
		}
		if ok, err := path.Match(glob[0], parts[0]); err != nil || !ok {
			return false
		}
		glob, parts = glob[1:], parts[1:]
	}
	return len(parts) == 0
}
