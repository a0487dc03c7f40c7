package trust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

// A Verdict is what a person said about a file.
type Verdict string

// The verdicts. Use and Ignore are about the bytes that were shown, Never is
// about the file whatever it holds, and Revoke takes back all that was said
// about it.
const (
	Use    Verdict = "use"
	Ignore Verdict = "ignore"
	Never  Verdict = "never"
	Revoke Verdict = "revoke"
)

// A Decision is one line of the file of decisions.
type Decision struct {
	Time    time.Time
	Scope   string // of the repository, as place.Place.RepoScope has it
	File    string // in the repository, with slashes
	SHA256  string // of the file, 64 hexadecimal digits
	Verdict Verdict
	Lines   []string // of Use: the names of the file's lines, in their order
}

// appendJSON appends the line without its end.
func (d Decision) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	verdict := string(d.Verdict)
	for _, f := range []struct {
		name  string
		place any
	}{{"ts", &d.Time}, {"scope", &d.Scope}, {"file", &d.File}, {"sha256", &d.SHA256}, {"verdict", &verdict}, {"lines", &d.Lines}} {
		dst = jsonl.AppendField(dst, f.name, f.place)
	}
	return append(dst, '}')
}

// parseDecision reads a line. Fields that it does not know are passed over.
func parseDecision(line []byte) (Decision, error) {
	var d Decision
	for f, err := range jsonl.Object(line) {
		if err != nil {
			return Decision{}, err
		}
		ok, name := true, string(f.Name)
		switch value := jsonl.Value(f.Value); name {
		case "ts":
			d.Time, ok = value.Time()
		case "scope":
			d.Scope, ok = value.Text()
		case "file":
			d.File, ok = value.Text()
		case "sha256":
			d.SHA256, ok = value.Text()
		case "verdict":
			var text string
			text, ok = value.Text()
			d.Verdict = Verdict(text)
		case "lines":
			d.Lines, ok = value.Texts()
		}
		if !ok {
			return Decision{}, fmt.Errorf("%s: a value of the wrong type", name)
		}
	}
	switch {
	case d.Scope == "" || d.File == "":
		return Decision{}, errors.New("no scope or no file")
	case !slices.Contains([]Verdict{Use, Ignore, Never, Revoke}, d.Verdict):
		return Decision{}, fmt.Errorf("verdict %q: want use, ignore, never or revoke", jsonl.Clip(string(d.Verdict)))
	case d.SHA256 == "" && (d.Verdict == Use || d.Verdict == Ignore):
		return Decision{}, fmt.Errorf("%s without sha256", d.Verdict)
	}
	return d, nil
}

// A Book is the file of decisions, read.
type Book struct {
	Decisions []Decision // oldest first
	// Bad are the lines that cannot be read. They count for nothing.
	Bad []error
}

// maxDecision is the longest line of the file of decisions, in bytes: the names
// of all the lines that a file of MaxFile may have.
const maxDecision = 8 << 20

// Load reads the file of decisions at path. A missing file is an empty one.
func Load(path string) (Book, error) {
	var b Book
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return b, fmt.Errorf("read decisions: %w", err)
	}
	defer f.Close()
	for line, err := range jsonl.Lines(f, maxDecision) {
		if err != nil {
			return b, fmt.Errorf("read decisions %s: %w", path, err)
		}
		if line.Bytes != nil && len(bytes.TrimSpace(line.Bytes)) == 0 {
			continue
		}
		d, err := parseDecision(line.Bytes)
		if err != nil {
			b.Bad = append(b.Bad, fmt.Errorf("%s: line %d: %w", path, line.Number, err))
			continue
		}
		b.Decisions = append(b.Decisions, d)
	}
	return b, nil
}

// lockWait is how long Decide waits for another process that writes.
const lockWait = 5 * time.Second

// Decide appends decisions to the file at path, durably: all of them or none.
func Decide(ctx context.Context, path string, list ...Decision) error {
	var data []byte
	for _, d := range list {
		d.Time = d.Time.UTC().Truncate(time.Second)
		data = append(d.appendJSON(data), '\n')
	}
	if len(data) == 0 {
		return nil
	}
	lock, err := jsonl.LockDir(ctx, filepath.Dir(path), lockWait)
	if err != nil {
		return fmt.Errorf("keep decisions: %w", err)
	}
	err = jsonl.Append(jsonl.OS{}, path, data, true)
	if uerr := lock.Unlock(); err == nil {
		err = uerr
	}
	if err != nil {
		return fmt.Errorf("keep decisions: %w", err)
	}
	return nil
}
