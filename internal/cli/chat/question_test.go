package chat

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/cli/term"
	"ken/internal/llm"
)

// TestQuestion: what stands on the command line goes first; text that was not
// typed there is marked as somebody else's.
func TestQuestion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, input string
		text, from   string
		err          string
	}{
		{typed: "why?", text: "why?"},
		{typed: "why?", input: " \n\t\n", text: "why?"},
		{typed: "why?", input: "a\nb\n", text: "why?\n\n[stdin]\na\nb", from: "external"},
		{typed: "why?", input: "\n\n  if x {\n\n", text: "why?\n\n[stdin]\n  if x {", from: "external"},
		{input: "what now?\n", text: "what now?", from: "external"},
		{typed: "-", input: "what now?\n", text: "what now?", from: "external"},
		{typed: "why?", input: "\x1b[31mred\x1b[0m", text: "why?\n\n[stdin]\nred", from: "external"},
		{typed: "- ", input: "x", text: "- \n\n[stdin]\nx", from: "external"},
		{err: "ask what?"},
		{typed: "-", err: "ask what?"},
		{input: " \r\n", err: "ask what?"},
	} {
		a := newApp(t, c.input)
		text, from, err := question(t.Context(), a, c.typed)
		if text != c.text || from != c.from || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q with %q: %q from %q, %v", c.typed, c.input, text, from, err)
		}
	}
}

func TestQuestionClosedInput(t *testing.T) {
	t.Parallel()
	a := newApp(t, "x")
	if err := a.Env.Stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if text, from, err := question(t.Context(), a, "why?"); text != "why?" || from != "" || err != nil {
		t.Errorf("%q from %q, %v", text, from, err)
	}
	_, _, err := question(t.Context(), a, "")
	if err == nil || a.Report(err) != term.ExitUsage || err.Error() != "ask what? standard input is closed" {
		t.Errorf("without a question: %v", err)
	}
}

func TestQuestionTooLong(t *testing.T) {
	t.Parallel()
	a := newApp(t, strings.Repeat("x", 8<<20+1))
	_, _, err := question(t.Context(), a, "why?")
	if err == nil || a.Report(err) != term.ExitUsage || a.NextStep(err) != "send a part of it: head -c 8388608" {
		t.Errorf("%v, next %q", err, a.NextStep(err))
	}
}

// TestQuestionInShell: the lines of a script that runs in the shell are no text
// to go with a question.
func TestQuestionInShell(t *testing.T) {
	t.Parallel()
	a := newApp(t, ":quit\n")
	a.Shell = &REPL{}
	if text, from, err := question(t.Context(), a, "why?"); text != "why?" || from != "" || err != nil {
		t.Errorf("%q from %q, %v", text, from, err)
	}
	if _, _, err := question(t.Context(), a, ""); err == nil || a.NextStep(err) != `:ask "..."; or pipe the question in` {
		t.Errorf("without a question: %v, next %q", err, a.NextStep(err))
	}
}

// newApp is a run with input as its standard input.
func newApp(t *testing.T, input string) *term.Run {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, []byte(input), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	var out bytes.Buffer
	return term.New(term.Env{Stdin: f, Stdout: &out, Stderr: &out})
}

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
