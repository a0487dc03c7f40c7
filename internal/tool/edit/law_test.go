package edit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/tool/edit"
)

// texts draws texts of few and odd lines, so that quotes are found in several places.
func texts() *rapid.Generator[string] {
	line := rapid.OneOf(
		rapid.SampledFrom(strings.Split(program, "\n")),
		rapid.SampledFrom([]string{
			"", "\t", "    ", "}", "\t}", "    return the_same_thing", "\treturn the_same_thing", "return “the same thing”",
			`say "it" – now`, "4: numbered line here", `a \n \" b`, "\r", "\ufeff",
		}),
	)
	end := rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", ""})
	return rapid.Custom(func(t *rapid.T) string {
		var sb strings.Builder
		for range rapid.IntRange(0, 12).Draw(t, "lines") {
			sb.WriteString(line.Draw(t, "line"))
			sb.WriteString(end.Draw(t, "end"))
		}
		return sb.String()
	})
}

// quotes draws a piece of text, quoted badly or not at all.
func quotes(text string) *rapid.Generator[string] {
	lines := strings.SplitAfter(text, "\n")
	return rapid.Custom(func(t *rapid.T) string {
		from := rapid.IntRange(0, len(lines)-1).Draw(t, "from")
		quote := strings.Join(lines[from:rapid.IntRange(from, len(lines)).Draw(t, "to")], "")
		return rapid.SampledFrom([]func(string) string{
			func(s string) string { return s },
			func(s string) string { return strings.ReplaceAll(s, "\t", "    ") },
			func(s string) string { return strings.ReplaceAll(s, "    ", "\t") },
			func(s string) string { return strings.TrimSpace(s) },
			func(s string) string { return strings.ReplaceAll(s, "\n", " \n") },
			func(s string) string { return strings.ReplaceAll(s, `"`, "“") },
			func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, `"`, `\"`), "\n", `\n`) },
			func(s string) string { return "4: " + strings.ReplaceAll(s, "\n", "\n5: ") },
			func(string) string { return texts().Draw(t, "another") },
		}).Draw(t, "badly")(quote)
	})
}

// TestLaws: a refusal has an answer and replaces nothing; what is replaced is one piece of
// the text, and undoing it by the bytes gives the text back.
func TestLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		checkLaws(t, text, edit.Want{Old: quotes(text).Draw(t, "old"), New: quotes(text).Draw(t, "new"), All: rapid.Bool().Draw(t, "all")})
	})
}

func FuzzReplace(f *testing.F) {
	f.Add(program, "call(\"one thing\")", "x", false)
	f.Add("a\r\nb\r\n", "a\nb", "", true)
	f.Add(program, `if ok {\n\t\treturn nothing`, `\n`, false)
	f.Fuzz(func(t *testing.T, text, old, now string, all bool) {
		checkLaws(t, text, edit.Want{Old: old, New: now, All: all})
	})
}

func checkLaws(t interface{ Fatalf(string, ...any) }, text string, w edit.Want) {
	r, err := edit.Replace(text, w)
	if err != nil {
		var refusal *edit.Refusal
		if !errors.As(err, &refusal) || r != (edit.Result{}) || refusal.Answer("a") == "" || refusal.Error() == "" {
			t.Fatalf("%v with %+v", err, r)
		}
		return
	}
	if r.Text == text || r.Places < 1 || r.Answer("a") == "" {
		t.Fatalf("replaced nothing: %+v", r)
	}
	if r.Places > 1 && r.How != edit.Exact && r.How != edit.WholeLine {
		t.Fatalf("%d places that do not stand as quoted", r.Places)
	}
	if r.Places > 1 && !w.All {
		t.Fatalf("%d places", r.Places)
	}
	if strings.HasPrefix(text, "\ufeff") && !strings.HasPrefix(r.Text, "\ufeff") {
		t.Fatalf("the mark is gone")
	}
	if r.How == edit.Exact && !strings.ContainsAny(text+w.Old+w.New, "\r\ufeff") {
		if want := strings.Replace(text, w.Old, w.New, r.Places); want != r.Text {
			t.Fatalf("%q in the place of %q makes %q of %q, want %q", w.New, w.Old, r.Text, text, want)
		}
	}
	if r.Places == 1 {
		checkPlace(t, text, r.Text, w)
	}
}

// checkPlace: but for one piece the texts are alike byte for byte, and that piece of the text
// is not longer than what was quoted, however badly.
func checkPlace(t interface{ Fatalf(string, ...any) }, text, now string, w edit.Want) {
	was, is := strings.SplitAfter(text, "\n"), strings.SplitAfter(now, "\n")
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	quoted := strings.Count(strings.ReplaceAll(w.Old, `\n`, "\n"), "\n") + 1
	if len(was) > quoted+1 {
		t.Fatalf("%d lines changed (%q) for a quote of %d (%q)", len(was), was, quoted, w.Old)
	}
	if fresh := strings.Count(strings.ReplaceAll(w.New, `\n`, "\n"), "\n") + 1; len(is) > max(fresh, quoted)+1 {
		t.Fatalf("%d lines (%q) of %d new ones (%q)", len(is), is, fresh, w.New)
	}
}

// TestOnePlace: no rung takes one of two places. A text that stands twice, whatever is
// between, is refused however it is quoted.
func TestOnePlace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{
			"\tcall(\"one thing\")\n\tmore_of_it()\n", "say “it is so” – again\n", "x_of_it = 'a string'\n    y_of_it\n",
		}).Draw(t, "piece")
		between := texts().Draw(t, "between")
		if strings.ContainsAny(between, "\r\ufeff") {
			return
		}
		text := piece + between + "\n" + piece
		quote := quotes(piece).Draw(t, "quote")
		if !slices.ContainsFunc(strings.Fields(piece), func(word string) bool { return strings.Contains(quote, word) }) || len(quote) < 12 {
			return
		}
		if r, err := edit.Replace(text, edit.Want{Old: quote, New: "another"}); err == nil && strings.Count(text, strings.TrimSpace(quote)) != 1 {
			t.Fatalf("%q was found in one place, %s, of two: %q", quote, r.How, r.Text)
		}
	})
}

// TestOften: the same letter a million times, quoted half of it.
func TestOften(t *testing.T) {
	t.Parallel()
	same := strings.Repeat("a", 1<<20)
	if r, err := edit.Replace(same, edit.Want{Old: same[1<<19:], New: "b"}); err == nil {
		t.Errorf("replaced %d places", r.Places)
	}
	r, err := edit.Replace(same, edit.Want{Old: same[1<<19:], New: "b", All: true})
	if err != nil || r.Text != "bb" || r.Places != 2 {
		t.Errorf("%.9q, %v", r.Text, err)
	}
}

// TestLarge: what is long and all alike takes no time to speak of.
func TestLarge(t *testing.T) {
	t.Parallel()
	same := strings.Repeat("the same line of it\n", 50_000)
	for _, w := range []edit.Want{
		{Old: strings.Repeat("the same line of it \n", 20_000), New: "x"},
		{Old: strings.Repeat("  the same line of it\n", 20_000) + "another", New: "x"},
		{Old: strings.Repeat("a line of its own, a\n", 3000), New: strings.Repeat("a line of its own, b\n", 3000)},
		{Old: same[:len(same)-20] + "z", New: strings.Repeat("y\n", 50_000)},
		{Old: same[:len(same)-40], New: strings.Repeat("y\n", 50_000)},
	} {
		if r, err := edit.Replace(same, w); err == nil {
			t.Errorf("replaced %d places", r.Places)
		}
	}
}
