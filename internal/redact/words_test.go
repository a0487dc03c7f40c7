package redact

import (
	"strings"
	"testing"
)

// TestTokensWithSequences: a token that its issuer's form makes one is masked
// also if a person made it up along the keyboard; one that says that it stands
// for another is not.
func TestTokensWithSequences(t *testing.T) {
	t.Parallel()
	m := New(nil)
	letters, digits := "abcdefghijklmnopqrstuvwxyz", "1234567890"
	for _, secret := range []string{
		"sk-" + letters + digits, "sk-proj-" + digits + letters, "sk-test-" + digits + letters[:6] + digits,
		"ghp_" + letters + digits, "AKIA" + digits + strings.ToUpper(letters[:6]),
	} {
		if got, _ := m.Mask("my key is " + secret + ", keep it"); strings.Contains(got, secret[5:]) {
			t.Errorf("not masked: %q", got)
		}
	}
	for _, text := range []string{"sk-" + strings.Repeat("x", 24), "sk-your-key-goes-here-please"} {
		if got, hits := m.Mask(text); len(hits) > 0 {
			t.Errorf("Mask(%q) = %q", text, got)
		}
	}
}

// TestPasswordIsAWord: password=value by itself is masked also if the value is an
// ordinary word; an argument in code, a type or a setting is not.
func TestPasswordIsAWord(t *testing.T) {
	t.Parallel()
	m := New(nil)
	for text, secret := range map[string]string{
		"password=" + "swordfish":                            "swordfish",
		"use password=" + "letmein for now":                  "letmein",
		"https://h.example/?user=a&password=" + "opensesame": "opensesame",
		"user=ada\npassword=" + "correcthorse\n":             "correcthorse",
	} {
		if got, _ := m.Mask(text); strings.Contains(got, secret) {
			t.Errorf("not masked: %q", got)
		}
	}
	for _, text := range []string{
		"connect(user=me, password=dbpassword)", "f(password=mysecret, x)", "f(x, password=mysecret)",
		"password=string", "password=required", "password=true", "password=optional", "password=", "password=$PASSWORD",
		"password=mypassword", "password=config.dbsecret",
	} {
		if got, hits := m.Mask(text); len(hits) > 0 {
			t.Errorf("Mask(%q) = %q", text, got)
		}
	}
}
