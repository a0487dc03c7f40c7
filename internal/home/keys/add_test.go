package keys_test

import (
	"crypto/rand"
	"strings"
	"testing"

	"ken/internal/config"
	"ken/internal/home/keys"
)

// TestAdd: a secret that ken was given in this run is masked from then on, wherever it stands.
func TestAdd(t *testing.T) {
	t.Parallel()
	k := keys.New(func(string) string { return "" }, func(error) {})
	k.Note(&config.Config{}, t.TempDir()+"/mask.key")
	token := strings.ToLower(rand.Text())
	text := "the word " + token + " stands here"
	if got := k.MaskText("nothing here"); got != "nothing here" {
		t.Errorf("%q", got)
	}
	k.Add(token)
	for range 2 {
		if got := k.MaskText(text); strings.Contains(got, token) || !k.Holds(text) {
			t.Errorf("%q", got)
		}
	}
	other := strings.ToLower(rand.Text())
	k.Add(other)
	k.Add("x") // is none
	got := k.MaskText(other + " x " + token)
	if strings.Contains(got, other) || strings.Contains(got, token) || !strings.Contains(got, " x ") {
		t.Errorf("%q", got)
	}
}
