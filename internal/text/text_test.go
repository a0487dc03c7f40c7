package text_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/text"
)

func TestNormal(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"the staging host", "The  Staging\tHost", " the staging\n\nhost ", "the\u00a0staging\u3000host", "ｔｈｅ staging host", "the sta\u00adging ho\u200bst"},
		{"café 5 å", "CAFE\u0301 5 \u212b", "cafe\u0301 5 A\u030a"},
		{"straße", "STRASSE", "STRA\u1e9eE"},
		{"όσος", "ΌΣΟΣ", "ό\u03c3ο\u03c3"},
		{"", " ", "\n\t", "\u200b", "\ufe0f"},
		{"ﬁ", "fi", "FI"},
		{"①", "1"},
		{"k", "K", "\u212a"},
		{"x \ufffd", "X \ufffd"},
	} {
		for _, s := range same {
			if got, want := text.Normal(s), text.Normal(same[0]); got != want {
				t.Errorf("Normal(%q) = %q, that of %q is %q", s, got, same[0], want)
			}
		}
	}
	for _, other := range [][2]string{{"a b", "ab"}, {"cafe", "café"}, {"1.5", "15"}, {"a", "б"}} {
		if text.Normal(other[0]) == text.Normal(other[1]) {
			t.Errorf("%q and %q count as one text", other[0], other[1])
		}
	}
}

func TestUnescape(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{`plain`, `plain`},
		{`a\"b\\c\/d`, `a"b\c/d`},
		{`a\nb\tc\u000ad`, "a b c\nd"},
		{`\u00e9\u00E9`, "éé"},
		{`\ud83d\ude00`, "😀"},
		{`\ud83d`, "\ufffd"},
		{`\ud83d\u0041`, "\ufffdA"},
		{`\u12`, "u12"},
		{`\uzzzz`, "uzzzz"},
		{`end\`, `end\`},
	} {
		if got := string(text.Unescape([]byte(c[0]))); got != c[1] {
			t.Errorf("Unescape(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

// escaped is text inside JSON that stands in strings of JSON, so many levels
// deep.
func escaped(text string, levels int) []byte {
	b := []byte(text)
	for range levels {
		quoted, err := json.Marshal(string(b))
		if err != nil {
			panic(err) // a string can be quoted
		}
		b = fmt.Appendf(nil, `{"a":%s}`, quoted)
	}
	return b
}

// TestSetFinds: a text is found wherever it stands, and however deep in JSON.
func TestSetFinds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("abAB é\u0301ßſİ \n\t\"\\{}:/日本"))
		one := rapid.Custom(func(t *rapid.T) string {
			return string(rapid.SliceOfN(letters, 1, 12).Draw(t, "text"))
		})
		texts := rapid.SliceOfN(one, 1, 12).Draw(t, "texts")
		set := text.NewMatcher(texts...)
		hay := strings.Join(rapid.SliceOfN(one, 0, 8).Draw(t, "hay"), "")
		n, want := text.Normal(hay), false
		for _, s := range texts {
			if s := text.Normal(s); s != "" && strings.Contains(n, s) {
				want = true
			}
		}
		// A text that looks like an escape may be read as one: then more is found.
		if got := set.In(hay); got != want && (want || !strings.ContainsRune(hay, '\\')) {
			t.Fatalf("%q in %q: %v, want %v", texts, hay, got, want)
		}
		if !want || strings.ContainsRune(hay, '\\') {
			return
		}
		for level := range 3 {
			if b := escaped(hay, level); !set.InBytes(b) || set.Count(b) == 0 {
				t.Fatalf("%q is not found in %s", texts, b)
			}
		}
	})
}

func TestSetEmpty(t *testing.T) {
	t.Parallel()
	var none *text.Matcher
	for _, s := range []*text.Matcher{none, {}, text.NewMatcher(), text.NewMatcher("", " \u200b")} {
		if s.Len() != 0 || s.In("anything") || s.InBytes([]byte("anything")) || s.Longest() != 0 {
			t.Error("a Matcher of nothing finds something")
		}
	}
	if n := text.NewMatcher("tea", "tea and cake", "TEA").Len(); n != 1 {
		t.Errorf("%d texts are looked for: whoever holds the longer one holds the shorter", n)
	}
	if n := text.NewMatcher("tea").Count([]byte("tea, TEA\nand Te\u00ada")); n != 3 {
		t.Errorf("%d places, want 3", n)
	}
}

func TestLikeness(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"14", "don", "t", "tea", "日", "本"}, text.Words("Don't, TEA! 日本 14 tea")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"ช", "า"}, text.Words("ชา")); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		a, b   string
		share  float64
		within bool
	}{
		{"the staging host is kettle", "Kettle is the staging host.", 1, true},
		{"the staging host is kettle", "the staging host is teapot", 4. / 6, false},
		{"kettle", "the staging host is kettle", 1. / 5, true},
		{"tea", "coffee", 0, false},
		{"", "coffee", 0, false},
	} {
		share, within := text.Similarity(text.Words(c.a), text.Words(c.b))
		if share != c.share || within != c.within {
			t.Errorf("Similarity(%q, %q) = %v, %v, want %v, %v", c.a, c.b, share, within, c.share, c.within)
		}
	}
}

// FuzzNormal: to normalise twice changes nothing, and no escape makes trouble.
func FuzzNormal(f *testing.F) {
	for _, s := range []string{"The  Café", "e\u200d\u0301", "İSTANBUL ſ ß ẞ", "\u0345ᾳ", "a\xffb", "\u1e9b\u0323", `\u00e9\ud83d\ude00\`, "ǅ\u00ad\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := text.Normal(s)
		if twice := text.Normal(once); twice != once && utf8.ValidString(s) {
			t.Errorf("Normal(%q) = %q, again %q", s, once, twice)
		}
		if strings.Contains(once, "  ") || strings.TrimSpace(once) != once {
			t.Errorf("Normal(%q) = %q", s, once)
		}
		if once != "" && !text.NewMatcher(s).In("before "+s+" after") {
			t.Errorf("%q does not find itself", s)
		}
		text.Unescape([]byte(s))
		if w := text.Words(s); !slices.IsSorted(w) {
			t.Errorf("Words(%q) = %q", s, w)
		}
	})
}

func BenchmarkNormal(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":  strings.Repeat("User prefers terse responses; no end-of-turn summaries.\n", 1000),
		"german": strings.Repeat("Die Größe der Straße, schön und gut, möchte er wissen.\n", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				text.Normal(s)
			}
		})
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"tea": true, "Ada": true, "a b": true, "7": true, "...": true, "": true, "Kettle": true, "日本": true, "größe": true,
		"drinks tea": false, "kettle-7": false, "0170 1234567": false, "kettle.example.org": false, "Donaudampfschiff": false, "sk-a1b2": false,
	} {
		if got := text.Short(s); got != want {
			t.Errorf("Short(%q) = %v", s, got)
		}
	}
	set := text.NewMatcher(text.Whole("Tea")...)
	for line, want := range map[string]bool{
		`{"content":"tea"}`: true, `{"n":1,"content": " TEA ","x":1}`: false, `{"content":"TE\u0041"}`: true,
		`{"content":"tea time"}`: false, `{"role":"tea"}`: false, `{"arguments":"{\"text\":\"tea\"}"}`: true,
	} {
		if got := set.InBytes([]byte(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
