package wrap

import (
	"slices"
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
		{"a long word", "see https://example.org/a/b now", 10, 2, "see\n  https://example.org/a/b\n  now"},
		{"wide letters", "日本 日本 日本", 9, 2, "日本 日本\n  日本"},
		{"no blanks", "see 日本語の文章です。終", 9, 2, "see 日本\n  語の文\n  章で\n  す。終"},
		{"a percentage", "about 2 of 9 tokens (1 %), of 3", 24, 2, "about 2 of 9 tokens\n  (1 %), of 3"},
		{"no percentage", "about two of ten tokens a %", 25, 2, "about two of ten tokens a\n  %"},
		{"a narrow terminal", "1 you: one two", 8, 7, "1 you:\n    one\n    two"},
	} {
		if diff := cmp.Diff(c.want, Text(c.text, c.width, c.hang)); diff != "" {
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
		got := Text(text, width, rapid.IntRange(0, 10).Draw(t, "hang"))
		if diff := cmp.Diff(unblanked(text), unblanked(got)); diff != "" {
			t.Fatalf("(-before +after):\n%s", diff)
		}
		for _, word := range strings.Fields(text) { // only what is written without blanks is broken
			if !strings.ContainsFunc(word, termsafe.IsIdeograph) && !slices.Contains(strings.Fields(got), word) {
				t.Fatalf("%q was broken: %q", word, got)
			}
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

func unblanked(s string) string { return strings.Join(strings.Fields(s), "") }

// TestE8CommandsWhole: what is to be typed or copied stands on one line, its own if it
// does not fit behind what was said; and words that only look like it are wrapped.
func TestE8CommandsWhole(t *testing.T) {
	t.Parallel()
	const set = ":config set models.local.base_url=http://127.0.0.1:11434/v1 models.local.model=qwen3:8b"
	for _, c := range []struct {
		name, text string
		width      int
		want       string
	}{
		{
			"in brackets", "[ken] cleared 3 items of this repository (undo: ken undo 4-6)", 50,
			"[ken] cleared 3 items of this repository (undo:\n  ken undo 4-6)",
		},
		{
			"wider than the screen", "[ken] using qwen3:8b (found; keep it: " + set + ")", 40,
			"[ken] using qwen3:8b (found; keep it:\n  " + set + ")",
		},
		{
			"two of them", "to keep only the new one: ken forget 3 4; only what was there: ken undo 5", 34,
			"to keep only the new one:\n  ken forget 3 4; only what was\n  there: ken undo 5",
		},
		{"with parts", "ken: hint: see what there is: ken memory list", 40, "ken: hint: see what there is:\n  ken memory list"},
		{"quoted", `say it with: ken remember "the sky is blue" or not`, 30, "say it with:\n  ken remember \"the sky is blue\"\n  or not"},
		{
			"a line of the person's", "taken for words; to run it: $git push it all away", 30,
			"taken for words; to run it:\n  $git push it all away",
		},
		{"with words behind", ":memory on switches it on again for this one", 24, ":memory on switches it\n  on again for this one"},
		{
			"no command", "another ken is writing; ken keeps all of it as it was", 20,
			"another ken is\n  writing; ken keeps\n  all of it as it\n  was",
		},
		{
			"answers", "run it? [y] run  [e] edit  [?] why  [always] rm -f x  [N] no > ", 34,
			"run it? [y] run  [e] edit  [?] why\n  [always] rm -f x  [N] no >",
		},
		{
			"a path", "memory: kept in ~/.local/share/ken/memory.jsonl, a text file of yours", 30,
			"memory: kept in\n  ~/.local/share/ken/memory.jsonl,\n  a text file of yours",
		},
	} {
		if diff := cmp.Diff(c.want, Text(c.text, c.width, 2)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestWrapRows: what is continued stands below the last column of its row.
func TestRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{
			"  ask      one answer of the model to a question",
			"  ask      one answer\n           of the\n           model to a\n           question",
		},
		{"- [2] one two three four five", "- [2] one two three\n  four five"},
		{"- (fact) one two three four five", "- (fact) one two three\n  four five"},
		{"a very long column of its own  two three", "a very long column of\n  its own  two three"},
		{"short\n    deep  and long enough to go on", "short\n    deep  and long\n          enough to go\n          on"},
	} {
		if diff := cmp.Diff(c.want, Rows(c.text, 22)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	const text = "ein Wort  und noch eines"
	if Rows(text, 0) != text {
		t.Error("wrapped where there is no terminal")
	}
}

// TestWrapStyles: styles take no cells.
func TestWrapStyles(t *testing.T) {
	t.Parallel()
	const text = "\x1b[2m[ken] one two\x1b[0m three"
	if got := Text(text, 19, 2); got != text {
		t.Errorf("%q", got)
	}
}
