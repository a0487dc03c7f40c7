package scrub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/regular"
	"ken/internal/text"
	"ken/internal/typed"
)

// scrubTyped takes the lines out of what was typed at the prompt: those that hold a text,
// and of a scope that goes what was typed there.
func (e *Eraser) scrubTyped(ctx context.Context, p *Plan) error {
	path := e.Paths.LineHistory()
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return locked(ctx, filepath.Dir(path), func() error {
		lone, err := p.lone(path)
		if err != nil {
			return err
		}
		l := typedLook{plan: p}
		return e.dropLines(ctx, p, path, func(line jsonl.Line) bool {
			goes, _ := l.line(line)
			return goes || lone[line.Number]
		})
	})
}

// A typedLook looks at the lines of what was typed in their order.
type typedLook struct {
	plan *Plan
	r    typed.Reader
	last int // number
}

// line reports whether a line goes, and whether it is an entry. Lines too long to be given
// may be left out.
func (l *typedLook) line(line jsonl.Line) (goes, entry bool) {
	if line.Number != l.last+1 {
		l.r = typed.Reader{}
	}
	l.last = line.Number
	p := l.plan
	_, at, entry := l.r.Line(string(line.Bytes))
	scope := at.Holds()
	goes = p.holds(line.Bytes) || entry && p.typedShort(line.Bytes) || scope != "" && p.want.Scope != nil && p.want.Scope(scope)
	return goes, entry
}

// lone returns which lines of what was typed say where a line was that goes, by number: they
// would say it of the next one.
func (p *Plan) lone(path string) (map[int]bool, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("erase: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	found := make(map[int]bool)
	l := typedLook{plan: p}
	where := 0 // the line that said where last
	for line, err := range jsonl.Lines(f, maxTyped) {
		if err != nil {
			return nil, fmt.Errorf("erase: read %s: %w", path, err)
		}
		goes, entry := l.line(line)
		if !entry {
			where = line.Number
		} else if where == line.Number-1 && where > 0 && (goes || line.Bytes == nil && line.Len > 0) {
			found[where] = true
		}
	}
	return found, nil
}

// typedShort reports whether a line that was typed is a command with a short text
// at its end, as ":remember tea" is.
func (p *Plan) typedShort(line []byte) bool {
	n := text.Normal(string(line))
	for s := range p.short {
		if n == s || strings.HasPrefix(n, ":") && strings.HasSuffix(n, " "+s) {
			return true
		}
	}
	return false
}
