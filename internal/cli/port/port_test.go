package port

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/foreign"
)

// TestValueRoundTrip: a value comes back as it was given.
func TestValueRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom([]string{"", "k", "a b", "k: k"}).Draw(t, "key")
		value := rapid.StringMatching(`(k: )?(k: k: )?[a-z: ]{0,12}`).Draw(t, "value")
		if got := valueOf(key, foreign.Stated(key, value)); got != value {
			t.Fatalf("%q of %q comes back as %q", value, key, got)
		}
	})
}

// TestAbout: what a call is about is its strings, whatever holds them.
func TestAbout(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                    "x",
		`null`:                                "x",
		`"a b"`:                               "x a b",
		`{"z":["a",{"b":"c"}],"n":7,"m":"d"}`: "x d a c",
	} {
		p := args{TaskClass: "x", Activation: json.RawMessage(text)}
		if got := p.about(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
