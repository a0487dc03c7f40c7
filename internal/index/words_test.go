package index

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"ken/internal/text"
)

// allTerms are the terms of a text: words as they are, stems behind "~",
// characters behind "'".
func allTerms(s string) []string {
	var list []string
	text.Chunks(s, func(c string) {
		for _, t := range terms(c) {
			list = append(list, [...]string{"", "~", "'"}[t.Form]+t.Text)
		}
	})
	return list
}

// TestTerms: how texts are read.
func TestTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" .,!? ", ""},
		{"Running shoes", "running ~run shoes ~shoe"},
		{"went, bought, children", "went ~go bought ~buy children ~child"},
		{"Ada's boat", "ada ~ada boat ~boat"},
		{"Ada’s", "ada ~ada"},
		{"'quoted'", "quoted ~quot"},
		{"don't", "don't ~don't"},
		{"l'avion", "l ~l avion ~avion l'avion ~l'avion"},
		{"We'll", "we'll ~we'll"},
		{"fetchUser", "fetch ~fetch user ~user fetchuser ~fetchus"},
		{"HTTPServer", "http ~http server ~server httpserver ~httpserver"},
		{"APIs", "apis ~api"},
		{"a_b", "a ~a b ~b a_b"},
		{"well-known", "well ~well known ~know well-known"},
		{"/etc/hosts.", "etc ~etc hosts ~host etc/hosts"},
		{"--force", "force ~forc"},
		{"v1.2", "v1 ~v1 2 ~2 v1.2"},
		{"1,000", "1 ~1 000 ~000 1,000 ~1,000"},
		{"me@example.org", "me ~me example ~exampl org ~org me@example.org"},
		{"C++ and C#", "c ~c c++ and ~and c ~c c#"},
		{"Crème ÇA", "creme ~creme ca ~ca"},
		{"Straße", "strasse ~strass"},
		{"ＦＵＬＬ", "full ~full"},
		{"Όσος όσοσ", "οσοσ ~οσοσ οσοσ ~οσοσ"},
		{"Всё йод", "всё ~всё йод ~йод"},
		{"茶", "'茶"},
		{"紅茶杯", "'紅 '茶 紅茶 ~紅茶 '杯 茶杯 ~茶杯"},
		{"Go言語", "go ~go '言 '語 言語 ~言語"},
		{"カタカ", "'カ 'タ カタ ~カタ 'カ タカ ~タカ"},
		{"🎉 hi", "🎉 ~🎉 hi ~hi"},
		{"Kern\u00adkraft", "kernkraft ~kernkraft"},
		{"00 \u200d🌈", "00 ~00 🌈 ~🌈"},
		{"a\xffb", "a ~a b ~b"},
		{"a\ufffdb", "a ~a b ~b"},
		{"0\n\xf70", "0 ~0 0 ~0"},
	} {
		if got := strings.Join(allTerms(c.text), " "); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestQueryTerms: words without meaning count only if there are no others, and a
// character alone only where it stands alone.
func TestQueryTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query string
		want  []Term
	}{
		{"what is the kettle", []Term{{Word, "kettle"}, {Stem, "kettl"}}},
		{"kettle Kettle", []Term{{Word, "kettle"}, {Stem, "kettl"}}},
		{"is it", []Term{{Word, "is"}, {Stem, "is"}, {Word, "it"}, {Stem, "it"}}},
		{"紅茶", []Term{{Word, "紅茶"}, {Stem, "紅茶"}}},
		{"茶", []Term{{Single, "茶"}}},
		{"?", nil},
	} {
		if diff := cmp.Diff(c.want, Terms(c.query)); diff != "" {
			t.Errorf("%q:\n%s", c.query, diff)
		}
	}
}

// TestLongTexts: a text without spaces is read to its end, and none takes more
// than its length asks for.
//
//ken:unraced
func TestLongTexts(t *testing.T) {
	t.Parallel()
	if got := allTerms(strings.Repeat("紅", 5000) + "茶杯"); got[len(got)-1] != "~茶杯" {
		t.Errorf("the last of %d terms is %s", len(got), got[len(got)-1])
	}
	for _, unit := range []string{"a'", "l'avion'", "aB", "A", "a.", "茶", "🎉", "a\u0301", "\u200d", "🇩🇪", "א\""} {
		if len(allTerms(strings.Repeat(unit, 100_000))) == 0 && unit != "\u200d" {
			t.Errorf("%q has no terms", unit)
		}
	}
}

// TestLongQuery: a page that is pasted costs no more than a question.
//
//ken:unraced
func TestLongQuery(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 200_000 {
		b.WriteString(strconv.Itoa(i) + " ")
	}
	if n := len(Terms(b.String())); n != MaxTerms {
		t.Errorf("%d terms, want %d", n, MaxTerms)
	}
}

// TestLongWord: what no language has is cut, between two characters.
func TestLongWord(t *testing.T) {
	t.Parallel()
	for _, w := range []string{strings.Repeat("x", 10_000), "x" + strings.Repeat("ü", 10_000), strings.Repeat("ж", 10_000)} {
		for _, got := range allTerms(w) {
			if len(strings.TrimPrefix(got, "~")) > text.MaxWord || !utf8.ValidString(got) {
				t.Errorf("%.20q: a term of %d bytes, valid %v", w, len(got), utf8.ValidString(got))
			}
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"fetchUser's /etc/hosts", "紅茶は v1.2", "C++ l'avion", "İstanbul ǅ ẞ", "a\xff\u0301b", "e\u0301 한국어 ตลาด", "🏳️‍🌈x"} {
		f.Add(s, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		one, two := allTerms(a), allTerms(b)
		for _, s := range one {
			if s == "" || s == "~" || s == "'" || strings.ContainsAny(s, " \n\t") || !utf8.ValidString(s) {
				t.Fatalf("%q has the term %q", a, s)
			}
		}
		both := allTerms(a + "\n" + b)
		if want := append(slices.Clone(one), two...); !slices.Equal(both, want) {
			t.Fatalf("%q and %q:\n together %q\n line by line %q", a, b, both, want)
		}
		Terms(a)
	})
}
