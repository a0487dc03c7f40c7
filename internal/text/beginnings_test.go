package text_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/text"
)

// endings are what the rules of stems look at, and what comes before it.
const endings = "s es ed ing eed ly y ies ied ss us sses edly ingly ational tional enci ency anci ancy izer ization ation ator " +
	"alism aliti ality alli ally fulness ousli ously ousness iveness iviti ivity biliti bility bli bly ogi ogy fulli fully lessli lessly " +
	"alize icate iciti icity ical ful ness ative al ance ence er ic able ible ant ement ment ent ism ate iti ity ous ive ize " +
	"sion tion e l ll " +
	"at bl iz bb dd ff gg mm nn pp rr tt li 's ' '"

// begins reports whether a word begins with what words of its stem begin with.
func begins(w string) bool {
	return slices.ContainsFunc(text.Beginnings(text.Stem(w)), func(b string) bool { return strings.HasPrefix(w, b) })
}

// TestBeginnings (L2): whatever has a stem begins with one of its Beginnings.
func TestBeginnings(t *testing.T) {
	t.Parallel()
	heads := strings.Fields("a i o y t d l st sk tr ski cri hop rat abl bil sens relat gener commun arsen past univers later emerg organ " +
		"vowel yell boy say dy ly ty " +
		"tie die lie fly spy us on ear go went men mice sing think teach agr fe be 'a x1 é")
	list := strings.Fields(endings)
	for _, h := range heads {
		for _, a := range append(list, "") {
			for _, b := range append(list, "") {
				if w := text.FoldWord(h + a + b); !begins(w) {
					t.Errorf("%q has the stem %q, of which words begin with %q", w, text.Stem(w), text.Beginnings(text.Stem(w)))
				}
			}
		}
	}
	for _, w := range strings.Fields("went gone mice dying skies idly gently only news children thought men") {
		if !begins(w) {
			t.Errorf("%q: %q", w, text.Beginnings(text.Stem(w)))
		}
	}
	part := rapid.OneOf(rapid.SampledFrom(list), rapid.StringMatching(`[a-z']{1,3}`), rapid.SampledFrom(heads))
	rapid.Check(t, func(r *rapid.T) {
		w := text.FoldWord(strings.Join(rapid.SliceOfN(part, 1, 5).Draw(r, "word"), ""))
		if !begins(w) {
			r.Errorf("%q has the stem %q, of which words begin with %q", w, text.Stem(w), text.Beginnings(text.Stem(w)))
		}
	})
}

// FuzzBeginnings is TestBeginnings for any word.
func FuzzBeginnings(f *testing.F) {
	for w := range strings.FieldsSeq(endings) {
		f.Add("rel" + w)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if w := text.FoldWord(s); !begins(w) {
			t.Errorf("%q has the stem %q", w, text.Stem(w))
		}
	})
}

// TestASCII: wherever a byte stands that is not of ASCII, it is seen.
func TestASCII(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		plain := strings.Repeat("\x7f", n)
		if !text.ASCII(plain) {
			t.Errorf("%q is of ASCII", plain)
		}
		for i := range n {
			if s := plain[:i] + "\x80" + plain[i+1:]; text.ASCII(s) {
				t.Errorf("%q is not of ASCII", s)
			}
		}
	}
}
