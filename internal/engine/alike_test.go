package engine

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAlike: which texts are the same, and which are near.
func TestAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"tea at noon", "tea at noon", "same"},
		{"tea at noon", " tea\tat\n noon ", "same"},
		{"caf\u00e9 at noon", "cafe\u0301 at noon", "same"},
		{"tea at noon", "Tea at Noon", "near"},
		{"\uff54\uff45\uff41 at noon", "tea at noon", "near"},
		{"Straße", "STRASSE", "near"},
		{"\u212aelvin", "kelvin", "near"},
		{"tea at noon", "tea at noon.", "near"},
		{"tea, at noon!", "noon: tea at", "near"},
		{"tea at noon", "tea at one", ""},
		{"the staging host is called teapot", "the staging host is called kettle", "near"},
		{"the staging host is called teapot", "the old staging host was called kettle", ""},
		{"never push to main without review", "always push to main without review", "near"},
		{"the port is 80", "the port is 81", ""},
		{"用户喜欢简短的回答和代码示例", "用户喜欢简短的回答和代码样例", "near"},
		{"用户喜欢简短的回答", "用户讨厌冗长的会议", ""},
		{"!!!", "!!!", "same"},
		{"!!!", "???", ""},
		{"🍵", "🍵", "same"},
		{"🍵", "☕", ""},
		{"", "", "same"},
	} {
		for _, p := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			a, b := ReadText(p[0]), ReadText(p[1])
			got := ""
			switch {
			case a.Same(b):
				got = "same"
			case a.IsNear(b):
				got = "near"
			}
			if got != c.want {
				t.Errorf("%q and %q: %q, want %q", p[0], p[1], got, c.want)
			}
			if got != "" && !NewSketchFilter(Sketch(p[0])).Passes(Sketch(p[1])) {
				t.Errorf("%q and %q: the sketches say no", p[0], p[1])
			}
		}
	}
}

// TestSketchLaw: the sketches never part what is near, and a small change of a
// long text is near.
func TestSketchLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := words(t, rapid.SampledFrom([]int{3, 12, 40, 400}).Draw(t, "most"))
		other := append([]string(nil), list...)
		for range rapid.IntRange(0, 1+len(list)/4).Draw(t, "changes") {
			switch i := rapid.IntRange(0, len(other)).Draw(t, "at"); {
			case i == len(other):
				other = append(other, rapid.StringN(1, 4, 8).Draw(t, "new"))
			case rapid.Bool().Draw(t, "drop"):
				other = append(other[:i:i], other[i+1:]...)
			default:
				other[i] = rapid.StringN(1, 4, 8).Draw(t, "other")
			}
		}
		a, b := strings.Join(list, " "), strings.Join(other, rapid.SampledFrom([]string{" ", ", ", "\n"}).Draw(t, "between"))
		x, y := ReadText(a), ReadText(b)
		if x.IsNear(y) != y.IsNear(x) || x.Same(y) != y.Same(x) || x.Nearness(y) != y.Nearness(x) {
			t.Fatalf("%q and %q are alike one way only", a, b)
		}
		if (x.Same(y) || x.IsNear(y)) && !(NewSketchFilter(sketchOf(x.words)).Passes(sketchOf(y.words)) && NewSketchFilter(sketchOf(y.words)).Passes(sketchOf(x.words))) {
			t.Fatalf("%q and %q are alike (%v), and the sketches say no", a, b, x.Nearness(y))
		}
		if x.Same(y) && sketchOf(x.words) != sketchOf(y.words) {
			t.Fatalf("%q and %q are the same, and have different sketches", a, b)
		}
	})
}
