package chat

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"ken/internal/cli/term"
	"ken/internal/llm"
)

// TestPrinter: an answer is shown as it comes, cleaned across pieces, and ends
// its line.
func TestPrinter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		deltas []llm.Delta
		want   string
	}{
		{"nothing", nil, ""},
		{"no line end", []llm.Delta{{Text: "a"}, {Text: "b"}}, "ab\n"},
		{"a line end", []llm.Delta{{Text: "a\n"}}, "a\n"},
		{"an escape over pieces", []llm.Delta{{Text: "a\x1b"}, {Text: "[3"}, {Text: "1mb"}}, "ab\n"},
		{"an empty piece", []llm.Delta{{Text: ""}, {Text: "a"}, {Text: ""}}, "a\n"},
		{"it was thinking", []llm.Delta{{Text: "hm"}, {Rethought: true}, {Text: "yes"}}, "hm\n[ken] the text above was the model thinking; its answer follows\nyes\n"},
		{"thinking first", []llm.Delta{{Rethought: true, Text: "yes"}}, "yes\n"},
	} {
		var out bytes.Buffer
		p := &printer{a: appFor(t, &out)}
		p.begin("test")
		for _, d := range c.deltas {
			if err := p.show(d); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.end(); err != nil || out.String() != c.want {
			t.Errorf("%s: %v, %q, want %q", c.name, err, out.String(), c.want)
		}
	}
	var out bytes.Buffer
	held := &printer{a: appFor(t, &out), hold: true}
	held.begin("test")
	if err := errors.Join(held.show(llm.Delta{Text: "a"}), held.end()); err != nil || out.Len() > 0 {
		t.Errorf("held back: %v, %q", err, out.String())
	}
}

// appFor is a run whose outputs are both out.
func appFor(t *testing.T, out io.Writer) *term.Run {
	t.Helper()
	home := t.TempDir()
	return term.New(term.Env{Stdout: out, Stderr: out, Now: time.Now, Getenv: func(name string) string {
		if name == "KEN_HOME" {
			return home
		}
		return ""
	}})
}
