package tokens

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestC9Bounds holds the estimate against the counts of two vocabularies for
// texts of each kind: low and high are the smaller and the larger of what
// cl100k and o200k count.
func TestC9Bounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		text      string
		low, high int
	}{
		{"English", "The deploy failed again last night because the backup job held a lock on the orders table. Can you check whether it is safe to move it to five in the morning?", 34, 34},
		{"German", "Gestern habe ich den Bericht fertiggestellt, aber die Geschäftsführung möchte noch einige Änderungen an den Zahlen vom letzten Vierteljahr sehen.", 27, 38},
		{"Chinese", "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。", 35, 50},
		{"Japanese", "昨日レポートを書き終えましたが、サーバーのログをもう一度確認してください。", 23, 34},
		{"Korean", "어제 보고서를 끝냈지만 서버 로그를 다시 확인해 주세요.", 15, 26},
		{"Russian", "Вчера я закончил отчёт, но руководство хочет увидеть ещё несколько изменений в цифрах за последний квартал.", 23, 51},
		{"Thai", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ", 32, 65},
		{"Go", "if err := os.WriteFile(filepath.Join(dir, name), src, 0o600); err != nil {\n\treturn fmt.Errorf(\"write %s: %w\", name, err)\n}\n", 39, 39},
		{"JSON", `{"id":3,"ts":"2026-05-13T19:02:00Z","kind":"context","content":"Current project","tags":["a","b"],"scope":"repo:github.com/me/x"}`, 45, 46},
		{"digits", "3141592653 5897932384 6264338327 9502884197 1693993751", 24, 24},
		{"hexadecimal", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 43, 43},
	} {
		got := Estimate(c.text)
		// A third beside what one of the two counts is all that one number for
		// many vocabularies can promise.
		if lo, hi := c.low*2/3, c.high*4/3; got < lo || got > hi {
			t.Errorf("%s: Estimate = %d; vocabularies count %d to %d", c.name, got, c.low, c.high)
		}
	}
}

// TestC9FourRunes pins the bound that all budgets in characters rest on.
func TestC9FourRunes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"a", 1},
		{strings.Repeat("a", 400), 100},
		{strings.Repeat("a", 401), 101},
		{strings.Repeat(" ", 400), 100},
		{strings.Repeat("\n", 400), 100},
		{strings.Repeat("中", 100), 100},
	} {
		if got := Estimate(c.text); got != c.want {
			t.Errorf("Estimate(%.10q..., %d bytes) = %d, want %d", c.text, len(c.text), got, c.want)
		}
	}
}

func TestCutEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		most int
		want string
		cut  bool
	}{
		{"", 0, "", false},
		{"", 5, "", false},
		{"word", 0, "", true},
		{"word", -1, "", true},
		{"word", math.MinInt, "", true},
		{"word", math.MaxInt, "word", false},
		{"中文字", 2, "中文", true},
		{"中文字", 3, "中文字", false},
		{"\xff\xfe\xfd", 1, "\xff", true},
	} {
		got, cut := Cut(c.text, c.most)
		if got != c.want || cut != c.cut {
			t.Errorf("Cut(%q, %d) = %q, %v, want %q, %v", c.text, c.most, got, cut, c.want, c.cut)
		}
	}
}

// texts draws strings in which the pairs that costs depend on are frequent.
func texts() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"word", "Word", "camelCase", "HTTPServer", "x1", "42", "0xff", " ", "  ", "\n", "\t", "\r\n",
			"{}", "--", "é", "ł", "ệ", "ж", "中", "한", "ก", "ב", "😀", "👨‍👩‍👧", "→", "\u00a0", "\U000F0000", "\u0800",
		}),
		rapid.String(),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 12), func(p []string) string { return strings.Join(p, "") })
}

func TestC9Laws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := texts().Draw(t, "a"), texts().Draw(t, "b")
		if wrong := laws(a, b); wrong != "" {
			t.Fatal(wrong)
		}
	})
}

// laws says which law of the package a and b break; "" if none. Both are made
// valid first: half a character at an end is another character, when joined.
func laws(a, b string) string {
	a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?")
	ea, eb, eab := Estimate(a), Estimate(b), Estimate(a+b)
	switch {
	case ea < (utf8.RuneCountInString(a)+3)/4:
		return fmt.Sprintf("Estimate(%q) = %d: more than four characters a token", a, ea)
	case a != "" && ea == 0:
		return fmt.Sprintf("Estimate(%q) = 0", a)
	case eab < ea:
		return fmt.Sprintf("Estimate falls from %d to %d when %q is added to %q", ea, eab, b, a)
	case eab < eb-1:
		return fmt.Sprintf("Estimate falls from %d to %d when %q is put before %q", eb, eab, a, b)
	case eab > ea+eb+1:
		return fmt.Sprintf("Estimate(%q + %q) = %d, alone %d and %d", a, b, eab, ea, eb)
	}
	return ""
}

// cutLaws says which law of Cut s and most break; "" if none.
func cutLaws(s string, most int) string {
	got, cut := Cut(s, most)
	switch {
	case !strings.HasPrefix(s, got):
		return fmt.Sprintf("Cut(%q, %d) = %q: no beginning", s, most, got)
	case cut != (len(got) < len(s)):
		return fmt.Sprintf("Cut(%q, %d) = %q, %v", s, most, got, cut)
	case Estimate(got) > max(most, 0):
		return fmt.Sprintf("Cut(%q, %d) = %q of %d tokens", s, most, got, Estimate(got))
	}
	if cut {
		_, size := utf8.DecodeRuneInString(s[len(got):])
		if longer := s[:len(got)+size]; Estimate(longer) <= most {
			return fmt.Sprintf("Cut(%q, %d) = %q, but %q fits", s, most, got, longer)
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			return fmt.Sprintf("Cut(%q, %d) splits a character: %q", s, most, got)
		}
	}
	return ""
}

func TestCutLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := texts().Draw(t, "s")
		most := rapid.IntRange(-1, Estimate(s)+2).Draw(t, "most")
		if wrong := cutLaws(s, most); wrong != "" {
			t.Fatal(wrong)
		}
	})
}

// TestTables checks what the laws rest on: that tables have their size, that
// every class can be reached, and that no cost is further than a token from
// that at the beginning.
func TestTables(t *testing.T) {
	t.Parallel()
	if len(classOf) != utf8.RuneSelf || len(costOf) != classes*classes {
		t.Fatalf("tables have %d and %d entries", len(classOf), len(costOf))
	}
	want := func(c byte) int {
		switch {
		case c == '\n' || c == '\r':
			return newline
		case c <= ' ' || c == 0x7f:
			return space
		case c >= 'a' && c <= 'z':
			return lower
		case c >= 'A' && c <= 'Z':
			return upper
		case c >= '0' && c <= '9':
			return digit
		}
		return punct
	}
	for c := range byte(utf8.RuneSelf) {
		if got := int(classOf[c]); got != want(c) {
			t.Errorf("class of %q is %d, want %d", c, got, want(c))
		}
	}
	for before := range classes {
		for class := range other {
			d := int(costOf[before*classes+class]) - int(costOf[newline*classes+class])
			if d > one || d < -one {
				t.Errorf("cost of class %d behind %d is %d units from that at the beginning", class, before, d)
			}
		}
	}
	for r := rune(utf8.RuneSelf); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		size := utf8.RuneLen(r)
		if cost, class := wide(r, size); cost < perRune || cost > 2*one*size || class >= classes {
			t.Fatalf("wide(%U) = %d, %d", r, cost, class)
		}
	}
}

func FuzzEstimate(f *testing.F) {
	for _, s := range []string{"", "word", "camelCase HTTP2 x_1", "中文 한국어 ไทย", "😀👨‍👩‍👧\u200d", "\xff\xe4\xb8", "  \n\t\r\n", "a\u0301"} {
		f.Add(s, "b1 ", 3)
	}
	f.Fuzz(func(t *testing.T, a, b string, most int) {
		if wrong := laws(a, b); wrong != "" {
			t.Error(wrong)
		}
		if wrong := cutLaws(a, most); wrong != "" {
			t.Error(wrong)
		}
		if n := Estimate(a); n < (utf8.RuneCountInString(a)+3)/4 {
			t.Errorf("Estimate(%q) = %d", a, n)
		}
	})
}

func BenchmarkEstimate(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"prose", "The deploy failed again last night because the backup job held a lock. "},
		{"code", "\tif n := len(s.items[i:]); n > maxItems { return fmt.Errorf(\"x%d\", 1024) }\n"},
		{"chinese", "人人生而自由，在尊严和权利上一律平等。"},
	} {
		text := strings.Repeat(c.text, 1<<16/len(c.text))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Estimate(text)
			}
		})
	}
}
