package termsafe

import (
	"strings"
	"testing"
)

// TestASCII: the signs that this package puts into a text have ASCII forms of the same width, and
// what others wrote stays.
func TestASCII(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"plain":                              "plain",
		Cut("a long line", 6):                "a lon~",
		Cut("a long line", 6) + "  3 d ago":  "a lon~  3 d ago",
		"(" + Cut("a long line", 6) + ")":    "(a lon~)",
		Cut("a long line", 6) + " (+5 more)": "a lon~ (+5 more)",
		"~/…/ken":                            "~/~/ken",
		Visible("a\u202eb"):                  "a<U+202E>b",
		Unpad("a" + strings.Repeat(" ", 30)): "a<30 blanks>",
		"Grüße… und ‹so› weiter, 東京":         "Grüße… und ‹so› weiter, 東京",
		"wait…what":                          "wait…what",
	} {
		got := ASCII(s)
		if got != want || Width(got) != Width(s) {
			t.Errorf("ASCII(%q) = %q, want %q", s, got, want)
		}
	}
}
