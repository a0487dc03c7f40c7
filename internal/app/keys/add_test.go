package keys_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/app/keys"
	"ken/internal/config"
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

// TestBot: the token of the person's bot is masked, from a file and from a variable, and no command of a model gets the variable.
func TestBot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, two := strings.ToLower(rand.Text()), strings.ToLower(rand.Text())
	file := filepath.Join(dir, "bot")
	if err := os.WriteFile(file, []byte(one+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	k := keys.New(func(name string) string { return map[string]string{"MY_BOT": two}[name] }, func(error) {})
	k.Note(&config.Config{Telegram: config.Telegram{TokenFile: file, TokenEnv: "MY_BOT"}}, filepath.Join(dir, "mask.key"))
	if got := k.MaskText("here " + one + " and " + two); strings.Contains(got, one) || strings.Contains(got, two) {
		t.Errorf("%q", got)
	}
	if !slices.Contains(k.Variables(), "MY_BOT") {
		t.Errorf("%q", k.Variables())
	}
}
