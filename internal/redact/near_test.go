package redact

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Only what is near a placeholder is looked at again, but nothing is left that a look at all of the text would
// find: neither where a value, a line or a table reaches from before what is near into it, nor behind it.
func TestMaskNear(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	var pieces []string
	for _, p := range positives(21) {
		pieces = append(pieces, p.String())
		if before, after, ok := strings.Cut(p.text, "@@"); ok {
			pieces = append(pieces, before, after)
		}
	}
	for _, l := range leaks(t, 21) {
		pieces = append(pieces, l.text, l.text[:l.secrets[0].start], l.text[l.secrets[0].end:])
	}
	pieces = slices.DeleteFunc(pieces, func(s string) bool { return s == "" })
	// What a rule may read on through: one long line, or many short ones.
	fill := []string{
		" ", "\n", "\t", "a", "x ", "a, ", "\\n", "word\n", "- ", "| a | b |\n", "\"a\", ", "12, ", "0x4f,", "&a=b", "a=b;", "    \n", "# \n",
		"QUFB", "%41", "app | \n", "\u200b", "a b\n", "key: x\n", ".", "/", "\x1b[0m", "é", "[masked:token:ab12]",
	}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(2, 5).Draw(t, "n") {
			b.WriteString(pieces[rapid.IntRange(0, len(pieces)-1).Draw(t, "piece")])
			if rapid.Bool().Draw(t, "far") {
				unit := rapid.SampledFrom(fill).Draw(t, "fill")
				b.WriteString(strings.Repeat(unit, 1+(reachBefore+rapid.IntRange(-700, 700).Draw(t, "len"))/len(unit)))
			}
		}
		s := b.String()
		masked, hits := m.Mask(s)
		more := new(Masker).find(masked)
		if len(more) > 0 {
			h := more[0]
			before := masked[max(0, h.Start-300):h.Start]
			t.Errorf("still found in %d bytes with %d hits: %v %.200q behind %.300q", len(s), len(hits), h, masked[h.Start:h.End], before)
		}
	})
}

// TestBlanks: blanks behind a name are no value, however many they are.
func TestBlanks(t *testing.T) {
	t.Parallel()
	for _, head := range []string{"wifi:T:WPA;S:home;P:", "password: ", "PASSWORD=", "the password is ", `"token": "`} {
		for _, n := range []int{1, 40, 300, 9000} {
			s := head + strings.Repeat(" ", n)
			if out, hits := New([]byte("key")).Mask(s); len(hits) > 0 {
				t.Errorf("%q and %d blanks: %.80q", head, n, out)
			}
		}
	}
}

// TestWithoutEnd: of a value without an end that is longer than a rule reads at once, nothing is left, nor of what goes
// on behind another secret in it.
func TestWithoutEnd(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	other := "sk-proj-" + strings.Repeat("Zq9xW3", 8)
	for n := 6000; n < 12000; n += 157 {
		s := "wifi:T:WPA;S:home;P:" + strings.Repeat("a", n) + " " + other + " for that"
		masked, _ := m.Mask(s)
		if more := new(Masker).find(masked); len(more) > 0 {
			t.Errorf("of %d letters %q is found still", n, masked[more[0].Start:more[0].End])
		}
	}
}

// TestCutPlaceholders: a value that a rule reads up to a bound, which falls into the middle of a placeholder, ends before it.
func TestCutPlaceholders(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	const one = "[masked:token:ab12]"
	first := "use sk-proj-" + "c0adN8W9wgPjbYsXphz7" + " for that"
	last := " for thatuse sk-svcacct-" + "D5ulkBmgrYbqVOSdGiw8" + " for that"
	for n := range len(one) {
		// A text with escapes is read plain as well.
		s := first + strings.Repeat("a", n) + strings.Repeat(one, 432) + last + strings.Repeat(`\n`, 4097)
		masked, hits := m.Mask(s)
		if more := new(Masker).find(masked); len(more) > 0 || len(hits) < 2 {
			t.Errorf("behind %d letters %v is found still, %d hits", n, more, len(hits))
		}
		for _, h := range hits {
			if strings.HasPrefix(s[h.Start:h.End], "[mask") {
				t.Errorf("behind %d letters a placeholder is taken for a secret: %v", n, h)
			}
		}
	}
}
