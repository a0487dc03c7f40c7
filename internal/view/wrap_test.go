package view

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/termsafe"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text  string
		width, hang int
		want        string
	}{
		{"no terminal", "one two three", 0, 2, "one two three"},
		{"fits", "one two", 7, 2, "one two"},
		{"at a blank", "one two three four", 9, 2, "one two\n  three\n  four"},
		{"each line for itself", "one two three\nfour", 9, 2, "one two\n  three\nfour"},
		{"its own indentation", "    one two three", 11, 2, "    one two\n    three"},
		{"a long word", "see https://example.org/a/b now", 10, 2, "see\n  https://example.org/a/b now"},
		{"wide letters", "日本 日本 日本", 9, 2, "日本 日本\n  日本"},
		{"a narrow terminal", "1 you: one two", 8, 7, "1 you:\n    one\n    two"},
	} {
		if diff := cmp.Diff(c.want, Wrap(c.text, c.width, c.hang)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestWrapLaw: nothing but blanks is changed, and a line is too wide only because of
// one word, or of its own indentation.
func TestWrapLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-z日本]{0,12}[ \n]{0,2}){0,12}`).Draw(t, "text")
		width := rapid.IntRange(1, 30).Draw(t, "width")
		got := Wrap(text, width, rapid.IntRange(0, 10).Draw(t, "hang"))
		if diff := cmp.Diff(strings.Fields(text), strings.Fields(got)); diff != "" {
			t.Fatalf("(-before +after):\n%s", diff)
		}
		for line := range strings.SplitSeq(got, "\n") {
			words := strings.Fields(line)
			wide := func(w string) bool { return termsafe.Width(w) > width/2 }
			if termsafe.Width(strings.TrimRight(line, " ")) > width && len(words) > 1 && !anyOf(words, wide) {
				t.Fatalf("%d cells of %d: %q", termsafe.Width(line), width, line)
			}
		}
	})
}

func anyOf(words []string, is func(string) bool) bool {
	for _, w := range words {
		if is(w) {
			return true
		}
	}
	return false
}
