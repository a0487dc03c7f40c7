package redact

import (
	"encoding/base64"
	"strings"
	"testing"

	"ken/internal/redact/known"
)

// A secret that is known is masked where nothing else tells it, in each form that
// others are found in, and with the placeholder that it has elsewhere.
func TestKnowing(t *testing.T) {
	t.Parallel()
	plain := New([]byte("key"))
	const secret = "hunter2/Zq9"
	first, hits := plain.Mask("password=" + secret)
	if len(hits) != 1 {
		t.Fatalf("hits %v", hits)
	}
	mark := strings.TrimPrefix(first, "password=")
	m := plain.Knowing([]known.Secret{{Kind: "password", Text: secret}, {Kind: "password", Text: "orchid"}})
	long := "it is the word " + secret + " that opens it"
	for text, want := range map[string]string{
		"say " + secret + ".":                    "say " + mark + ".",
		secret:                                   mark,
		"https://x.example.org/?q=hunter2%2FZq9": "",
		base64.StdEncoding.EncodeToString([]byte(long)):          "",
		"x " + base64.StdEncoding.EncodeToString([]byte(secret)): "",
		`{"a":"hunter2\/Zq9"}`:                                   "",
		"ahunter2/Zq9":                                           "ahunter2/Zq9",
		"hunter2/Zq99":                                           "hunter2/Zq99",
		"an orchid in the house":                                 "an orchid in the house",
	} {
		if unknown, _ := plain.Mask(text); unknown != text {
			t.Errorf("%q is masked without being known: the test shows nothing", text)
		}
		got, hits := m.Mask(text)
		switch {
		case want != "" && got != want:
			t.Errorf("%q becomes %q, want %q", text, got, want)
		case want == "" && (len(hits) != 1 || strings.Contains(got, "Zq9")):
			t.Errorf("%q becomes %q", text, got)
		}
		if again, _ := m.Mask(got); again != got {
			t.Errorf("%q, masked again, is %q", got, again)
		}
	}
}
