package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"ken/internal/jsonl"
)

// An Approval is a pattern that the person said always to.
type Approval struct {
	ID      int64 // from 1, never used again
	Time    time.Time
	Pattern Pattern
}

// Approvals is the file of approvals, read.
type Approvals struct {
	Standing []Approval // those that were not revoked, oldest first
	last     int64      // the largest number
}

// maxApproval is the longest line of the file, in bytes.
const maxApproval = 64 << 10

// ErrNoApproval says that no approval has that number, or not any more.
var ErrNoApproval = errors.New("no such approval")

// A DamagedError says that the file of approvals cannot be trusted. None of them counts then.
type DamagedError struct {
	Path string
	Line int // 0: the file as a whole
	Err  error
}

func (e *DamagedError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s counts for nothing: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s counts for nothing: line %d: %v", e.Path, e.Line, e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// Hint returns the next step.
func (e *DamagedError) Hint() string {
	return "put the file right or delete it; until then nothing in it is approved"
}

func journal(path string) *jsonl.Journal[line] {
	return &jsonl.Journal[line]{
		Path: path, Name: "the approvals", Max: maxApproval, Parse: parseLine, Encode: appendLine,
		Accept: func(fi fs.FileInfo) error {
			if othersWrite(fi.Mode()) {
				return &DamagedError{path, 0, fmt.Errorf("others may write to it (mode %04o)", fi.Mode().Perm())}
			}
			return nil
		},
	}
}

// Load reads the file of approvals at path; a missing one is empty. An error is a
// *DamagedError, and then nothing is approved.
func Load(path string) (Approvals, error) {
	lines, err := journal(path).Read()
	if d := (*DamagedError)(nil); errors.As(err, &d) {
		return Approvals{}, d
	}
	if err != nil {
		return Approvals{}, &DamagedError{path, 0, errors.Unwrap(err)}
	}
	return fold(path, lines)
}

// fold makes the approvals of lines.
func fold(path string, lines []jsonl.Record[line]) (Approvals, error) {
	var b Approvals
	for _, r := range lines {
		err := r.Err
		if err == nil {
			err = b.take(r.Value)
		}
		if err != nil {
			return Approvals{}, &DamagedError{path, r.Line, err}
		}
	}
	return b, nil
}

// A line is an approval, or says that one was taken back.
type line struct {
	Approval
	back   bool
	revoke int64 // the number of what was taken back
}

func appendLine(dst []byte, l line) []byte {
	if l.back {
		return object(dst, "ts", &l.Time, "revoke", &l.revoke)
	}
	text := l.Pattern.String()
	return object(dst, "id", &l.ID, "ts", &l.Time, "pattern", &text, "seen", &l.Pattern.seen)
}

// object is a line of names and places, without its end.
func object(line []byte, fields ...any) []byte {
	line = append(line, '{')
	for i := 0; i+1 < len(fields); i += 2 {
		name, _ := fields[i].(string)
		line = jsonl.AppendField(line, name, fields[i+1])
	}
	return append(line, '}')
}

// parseLine reads one line.
func parseLine(text []byte) (l line, err error) {
	var (
		pattern string
		seen    []string
		hasID   bool
	)
	for f, err := range jsonl.Object(text) {
		if err != nil {
			return l, err
		}
		ok := true
		switch value := f.Value; string(f.Name) {
		case "id":
			l.ID, ok = value.Int()
			hasID = true
		case "ts":
			l.Time, ok = value.Time()
		case "pattern":
			pattern, ok = value.Text()
		case "seen":
			seen, ok = value.Texts()
		case "revoke":
			l.revoke, ok = value.Int()
			l.back = true
		}
		if !ok {
			return l, fmt.Errorf("%s: a value of the wrong type", f.Name)
		}
	}
	switch {
	case l.back && !hasID && pattern == "":
		return l, nil
	case l.back:
		return l, errors.New("an approval, and one that is taken back")
	}
	if l.Pattern, err = ParsePattern(pattern); err != nil {
		return l, err
	}
	if len(l.Pattern.words) == 0 {
		return l, errors.New("a pattern that is everything")
	}
	if l.Pattern.open {
		if l.Pattern.seen = seen; seen == nil {
			seen = l.Pattern.shape()
		}
		if len(seen) < len(l.Pattern.words) || !slices.Equal(seen[:len(l.Pattern.words)], l.Pattern.words) {
			return l, errors.New("seen: not a command that the pattern is about")
		}
		l.Pattern.seen = seen
	}
	return l, nil
}

// take takes one line in.
func (b *Approvals) take(l line) error {
	switch {
	case l.back:
		b.Standing = slices.DeleteFunc(slices.Clip(b.Standing), func(a Approval) bool { return a.ID == l.revoke })
	case l.ID <= b.last:
		return errors.New("no approval: its number is not above the earlier ones")
	default:
		b.last = l.ID
		b.Standing = append(b.Standing, l.Approval)
	}
	return nil
}

// Approve appends an approval of p to the file at path, durably. The caller has
// shown p to a person, who said always. A pattern that stands is not appended again.
func Approve(ctx context.Context, path string, p Pattern, now time.Time) (Approval, error) {
	a := Approval{Time: now.UTC().Truncate(time.Second), Pattern: p}
	err := change(ctx, path, func(b Approvals) ([]line, error) {
		for _, old := range b.Standing {
			if old.Pattern.String() == p.String() && slices.Equal(old.Pattern.seen, p.shape()) {
				a = old
				return nil, nil
			}
		}
		a.ID = b.last + 1
		return []line{{Approval: a}}, nil
	})
	return a, err
}

// Revoke takes approvals back by their numbers: all of them or, with an error that
// is ErrNoApproval, none.
func Revoke(ctx context.Context, path string, now time.Time, ids ...int64) error {
	now = now.UTC().Truncate(time.Second)
	return change(ctx, path, func(b Approvals) (list []line, err error) {
		for _, id := range ids {
			if !slices.ContainsFunc(b.Standing, func(a Approval) bool { return a.ID == id }) {
				return nil, fmt.Errorf("%d: %w", id, ErrNoApproval)
			}
			list = append(list, line{Approval: Approval{Time: now}, back: true, revoke: id})
		}
		return list, nil
	})
}

// change appends the lines that plan makes of the approvals.
func change(ctx context.Context, path string, plan func(Approvals) ([]line, error)) error {
	return journal(path).Append(ctx, func(lines []jsonl.Record[line]) ([]line, error) {
		b, err := fold(path, lines)
		if err != nil {
			return nil, fmt.Errorf("keep approvals: %w", err)
		}
		return plan(b)
	})
}
