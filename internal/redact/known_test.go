package redact

import (
	"encoding/base64"
	"strings"
	"testing"

	"ken/internal/redact/literals"
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
	m := plain.Knowing([]literals.Secret{{Kind: "password", Text: secret}, {Kind: "password", Text: "orchid"}})
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

// TestKeysInUse: a key that ken uses is masked by its value whatever it looks like, inside
// words, disguised, encoded and cut into pieces; a very short one is none.
func TestKeysInUse(t *testing.T) {
	t.Parallel()
	const key, short = "local-proxy-word", "abc"
	m := New([]byte("key")).Knowing([]literals.Secret{{Kind: "api-key", Text: key, Key: true}, {Kind: "api-key", Text: short, Key: true}}).Knowing([]literals.Secret{{Kind: "password", Text: "hunter2/Zq9"}})
	for _, text := range []string{
		"why does local-proxy-word fail?", "OTHER=xlocal-proxy-wordx", "loc\u200bal-proxy\x1b[31m-word", `{"env":"A=local-proxy-word\nB=2"}`,
		"q=" + base64.StdEncoding.EncodeToString([]byte("the key is local-proxy-word for now")), "and hunter2/Zq9 too",
	} {
		out, hits := m.Mask(text)
		if len(hits) != 1 || strings.Contains(out, "proxy") || strings.Contains(out, "Zq9") {
			t.Errorf("%q became %q", text, out)
		}
		st, got := m.Stream(), ""
		for i := range len(text) {
			got += st.Write(text[i : i+1])
		}
		if got += st.Flush(); got != out {
			t.Errorf("%q in pieces became %q, want %q", text, got, out)
		}
	}
	if out, _ := m.Mask("the abc of it"); out != "the abc of it" {
		t.Errorf("a key of three letters: %q", out)
	}
}
