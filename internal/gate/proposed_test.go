package gate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/gate"
)

// TestR13Proposed: the mark at the very beginning of a line offers a command, and
// nothing else does.
func TestR13Proposed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, answer string
		want         []string
	}{
		{"one", "Try this:\nCMD: ls -la\n", []string{"ls -la"}},
		{"without a line end", "CMD: ls", []string{"ls"}},
		{"two, in order", "CMD: a\ntext\nCMD: b", []string{"a", "b"}},
		{"as it stands", "CMD:  printf 'a\tb'  \r\n", []string{" printf 'a\tb'  "}},
		{"indented", "  CMD: rm x\n\tCMD: rm y\n\u00a0CMD: rm z", nil},
		{"quoted", "> CMD: rm x\n>CMD: rm y", nil},
		{"in a list", "- CMD: rm x\n1. CMD: rm y", nil},
		{"in a line", "then CMD: rm x", nil},
		{"other spellings", "cmd: rm\nCMD : rm\nCMD:rm\nCmd: rm\n**CMD: rm**\n`CMD: rm`\n\u0421MD: rm\nCMD\uff1a rm", nil},
		{"empty", "CMD: \nCMD:   \nCMD:", nil},
		{"fenced", "```\nCMD: rm x\n```\nCMD: ls\n~~~sh\nCMD: rm y\n~~~\n", []string{"ls"}},
		{"a fence that is not closed", "CMD: ls\n```\nCMD: rm x\n", []string{"ls"}},
		{"a longer fence", "````\n```\nCMD: rm x\n```\n````\nCMD: ls", []string{"ls"}},
		{"another fence inside", "```\n~~~\nCMD: rm x\n```\nCMD: ls", []string{"ls"}},
		{"a fence in a list", "- ```\nCMD: rm x\n  ```\nCMD: ls", []string{"ls"}},
		{"a fence in a quote", "> ```\nCMD: rm x\n> ```\nCMD: ls", []string{"ls"}},
		{"code in a line is no fence", "```ls``` does it\nCMD: ls", []string{"ls"}},
		{"a carriage return begins no line", "text\rCMD: rm x", nil},
		{"nor does a separator", "text\u2028CMD: rm x\u0085CMD: rm y", nil},
	} {
		if diff := cmp.Diff(c.want, gate.Proposed(c.answer)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What is offered stands in the answer behind the mark at the beginning of a line,
// and an answer whose every line is indented offers nothing.
func TestR13ProposedLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.SampledFrom([]string{"CMD: ls", " CMD: rm", "```", "~~~", "> CMD: x", "text", "", "CMD: a\rb", "- ```", "````"})).Draw(t, "lines")
		answer := strings.Join(lines, "\n")
		for _, c := range gate.Proposed(answer) {
			if !strings.Contains("\n"+answer, "\n"+gate.CommandMark+c) {
				t.Fatalf("%q was not offered by %q", c, answer)
			}
		}
		if got := gate.Proposed(" " + strings.Join(lines, "\n ")); got != nil {
			t.Fatalf("indented: %q", got)
		}
	})
}
