package trust

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ken/internal/jsonl"
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

// Decisions is the file of decisions, read.
type Decisions struct {
	All []Decision // oldest first
	// Bad are the lines that cannot be read. They count for nothing.
	Bad []jsonl.Problem
}

// maxDecision is the longest line of the file of decisions, in bytes: the names
// of all the lines that a file of MaxFile may have.
const maxDecision = 8 << 20

func journal(path string) *jsonl.Journal[Decision] {
	return &jsonl.Journal[Decision]{
		Path: path, Name: "the decisions", Max: maxDecision, Parse: parseDecision,
		Encode: func(dst []byte, d Decision) []byte {
			d.Time = d.Time.UTC().Truncate(time.Second)
			return d.appendJSON(dst)
		},
	}
}

// Load reads the file of decisions at path. A missing file is an empty one.
func Load(path string) (Decisions, error) {
	var b Decisions
	lines, err := journal(path).Read()
	for _, r := range lines {
		if r.Err != nil {
			bad := r.Problem()
			bad.Path = path
			b.Bad = append(b.Bad, bad)
		} else {
			b.All = append(b.All, r.Value)
		}
	}
	return b, err
}

// Decide appends decisions to the file at path, durably: all of them or none.
func Decide(ctx context.Context, path string, list ...Decision) error {
	return journal(path).Add(ctx, list...)
}
