package question

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/term"
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
		q, err := Of(t.Context(), a, c.typed, nil)
		if q.Text != c.text || q.From != c.from || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q with %q: %q from %q, %v", c.typed, c.input, q.Text, q.From, err)
		}
	}
}

func TestQuestionClosedInput(t *testing.T) {
	t.Parallel()
	a := newApp(t, "x")
	if err := a.Env.Stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if q, err := Of(t.Context(), a, "why?", nil); q.Text != "why?" || q.From != "" || err != nil {
		t.Errorf("%q from %q, %v", q.Text, q.From, err)
	}
	_, err := Of(t.Context(), a, "", nil)
	if err == nil || a.Report(err) != term.ExitUsage || err.Error() != "ask what? standard input is closed" {
		t.Errorf("without a question: %v", err)
	}
}

func TestQuestionTooLong(t *testing.T) {
	t.Parallel()
	a := newApp(t, strings.Repeat("x", 8<<20+1))
	_, err := Of(t.Context(), a, "why?", nil)
	if err == nil || a.Report(err) != term.ExitUsage || a.NextStep(err) != "send a part of it: head -c 8388608" {
		t.Errorf("%v, next %q", err, a.NextStep(err))
	}
}

// TestQuestionInShell: the lines of a script that runs in the shell are no text
// to go with a question.
func TestQuestionInShell(t *testing.T) {
	t.Parallel()
	a := newApp(t, ":quit\n")
	a.Shell = someShell{}
	if q, err := Of(t.Context(), a, "why?", nil); q.Text != "why?" || q.From != "" || err != nil {
		t.Errorf("%q from %q, %v", q.Text, q.From, err)
	}
	if _, err := Of(t.Context(), a, "", nil); err == nil || a.NextStep(err) != `:ask "..."; or pipe the question in` {
		t.Errorf("without a question: %v, next %q", err, a.NextStep(err))
	}
}

// someShell is a shell of which nothing is asked.
type someShell struct{ term.Shell }

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
	return term.New(term.Env{Stdin: f, Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }})
}
