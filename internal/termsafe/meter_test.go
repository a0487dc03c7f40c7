package termsafe

import (
	"testing"

	"pgregory.net/rapid"
)

// TestMeter: measured code point by code point, a text has the width that it has
// as a whole.
func TestMeter(t *testing.T) {
	t.Parallel()
	measure := func(s string) int {
		var m Meter
		sum := 0
		for _, r := range s {
			w, _ := m.Add(string(r))
			sum += w
		}
		return sum
	}
	for _, s := range benign() {
		if got := measure(s); got != Width(s) {
			t.Errorf("%+q: %d cells, want %d", s, got, Width(s))
		}
	}
	pieces := []string{"a", "1", " ", "e\u0301", "\u0301", "漢", "か", "\u3099", "한", "ᄒ", "ᅡ", "✅", "❤", "\ufe0f", "👩", "\u200d", "💻", "🇩", "🇪", "👍", "🏽", "\u20e3", "ก", "ำ", "नि", "→", "─", "é"}
	rapid.Check(t, func(t *rapid.T) {
		s := ""
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces") {
			s += p
		}
		if got := measure(s); got != Width(s) {
			t.Errorf("%+q: %d cells, want %d", s, got, Width(s))
		}
	})
}

func TestMeterJoins(t *testing.T) {
	t.Parallel()
	var m Meter
	for i, c := range []struct {
		s      string
		cells  int
		joined bool
	}{
		{"e", 1, false},
		{"\u0301", 0, true},
		{"🇩", 2, false},
		{"🇪", 0, true},
		{"🇫", 2, false},
		{"❤", 1, false},
		{"\ufe0f", 1, true},
		{"漢", 2, false},
	} {
		if cells, joined := m.Add(c.s); cells != c.cells || joined != c.joined {
			t.Errorf("%d, %+q: %d cells, joined %t; want %d, %t", i, c.s, cells, joined, c.cells, c.joined)
		}
	}
	m.Add("e")
	m.Reset()
	if _, joined := m.Add("\u0301"); joined {
		t.Error("joined to what was before Reset")
	}
	for range 10_000 { // one character without end is measured in bounded memory
		m.Add("\u0301")
	}
	if len(m.last) > 2*maxCluster {
		t.Errorf("%d bytes are held", len(m.last))
	}
}

func TestMayBreak(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b rune
		want bool
	}{
		{'a', 'b', false},
		{'漢', '字', true},
		{'a', '字', true},
		{'漢', 'b', true},
		{'か', 'な', true},
		{'한', '국', false},
		{'字', '。', false},
		{'字', '、', false},
		{'字', ')', false},
		{'字', '」', false},
		{'「', '字', false},
		{'(', '字', false},
		{'。', '字', true},
		{'」', '「', true},
		{' ', '字', false},
		{0, '字', false},
		{'字', 'ー', false},
		{'ら', 'っ', false},
		{'✅', '✅', false},
	} {
		if got := MayBreak(c.a, c.b); got != c.want {
			t.Errorf("between %q and %q: %t", c.a, c.b, got)
		}
	}
}
