package attach

import (
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

	"ken/internal/ignore"
	"ken/internal/termsafe"
)

const (
	// mostListed is the most names of a listing.
	mostListed = 400
	// mostLooked is the most names that are looked at for it; what lies behind is not counted.
	mostLooked = 20000
	// deepest is how many directories a listing goes down.
	deepest = 6
)

// list makes a listing of a directory: names and sizes, the upper ones first. Links are named and
// not followed.
func (r Reader) list(ctx context.Context, a Attachment) (Attachment, error) {
	if a.Kind = Directory; !strings.HasSuffix(a.Name, "/") {
		a.Name += "/"
	}
	top := ignore.Top(a.Path)
	rel, err := filepath.Rel(top, a.Path)
	if err != nil {
		return a, failed(a.Name, err)
	}
	rules := ignore.Above(top, filepath.ToSlash(rel))
	type dir struct {
		at    string // below a.Path; "" for itself
		depth int
		rules ignore.Rules
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
		d.rules = d.rules.With(full, here)
		for _, e := range entries {
			name := path.Join(filepath.ToSlash(d.at), e.Name())
			if strings.HasPrefix(e.Name(), ".") || d.rules.Ignore(path.Join(here, e.Name()), e.IsDir()) {
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
