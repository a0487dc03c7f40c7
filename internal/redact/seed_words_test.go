package redact

import (
	"fmt"
	"strings"
	"testing"
)

const twelve = "orbit cactus velvet ladder pigeon marble tunnel walnut fabric goose puzzle rocket"

func TestRow(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{
		twelve: 12, twelve + " " + twelve: 24, twelve + " " + twelve + " zebra": 24,
		strings.ReplaceAll(twelve, " ", ", "): 12, strings.ReplaceAll(twelve, " ", "\n"): 12, "orbit\n2. cactus\n3: velvet": 3, "orbit cactus the velvet": 2,
		"orbit cac-tus": 1, "": 0, "Orbit": 0, "orbit to": 1, "orbit éa": 1, "this that then there they": 0,
	} {
		if end, words := seedRow(s, 0, len(s)); words != want || end > len(s) {
			t.Errorf("seedRow(%q) = %d words, end %d, want %d", s, words, end, want)
		}
	}
}

func TestNumbered(t *testing.T) {
	t.Parallel()
	var numbered, short strings.Builder
	for i, w := range strings.Fields(twelve) {
		fmt.Fprintf(&numbered, "%d. %s ", i+1, w)
		if i < 11 {
			fmt.Fprintf(&short, "%d) %s, ", i+1, w)
		}
	}
	for s, want := range map[string]bool{
		numbered.String(): true, " " + numbered.String() + "(the phone)": true, short.String(): false, twelve: false, "": false, "1. the 2. and": false,
		strings.Replace(numbered.String(), "7. ", "8. ", 1): false,
	} {
		if start, end, ok, _ := numberedSeed(s); ok != want || start > end || end > len(s) {
			t.Errorf("numberedSeed(%q) = %d, %d, %t, want %t", s, start, end, ok, want)
		}
	}
	if _, _, ok, open := numberedSeed("1. orbit 2. cac"); ok || !open {
		t.Error("two words are no seed, but may become one")
	}
}

// The key of the zero, and of it with one bit turned.
func TestIsKey(t *testing.T) {
	t.Parallel()
	// The checksum is of what the first 33 bytes say: made by the same rule, not by isWalletKey.
	for v, want := range map[string]bool{
		"5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf":  true, // the number one, as the wiki of Bitcoin gives it
		"KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn": true, // the same, compressed
		"KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWm": false,
		"5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchu0f":  false,
		"": false, strings.Repeat("1", 52): false, strings.Repeat("z", 52): false,
	} {
		if got := isWalletKey(v); got != want {
			t.Errorf("isWalletKey(%q) = %t, want %t", v, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	six := strings.Join(strings.Fields(twelve)[:6], " ")
	for s, want := range map[string]string{
		twelve: twelve, " \"" + twelve + ".\"": twelve, twelve + " " + six: twelve + " " + six, twelve + " " + twelve: twelve + " " + twelve,
		twelve + " zebra": "", six: "", twelve + " zebra tiger otter": "", twelve + ", ok": "", "words: " + twelve: "", strings.ToUpper(twelve): "",
		strings.Replace(twelve, "orbit", "the", 1): "", strings.Replace(twelve, "orbit cactus velvet ladder", "this that then there", 1): "", "": "", twelve + "  " + six: "",
	} {
		start, end, ok, _ := seedLine(s)
		got := ""
		if ok {
			got = s[start:end]
		}
		if got != want {
			t.Errorf("seedLine(%q) = %q, want %q", s, got, want)
		}
	}
}

// A line that can become a seed is open at each of its beginnings, so that a text
// that arrives in pieces is held back.
func TestLineOpen(t *testing.T) {
	t.Parallel()
	for i := range len(twelve) {
		if _, _, _, open := seedLine(twelve[:i]); !open {
			t.Errorf("seedLine(%q) is not open", twelve[:i])
		}
	}
	for _, s := range []string{"the", "orbit the", "Orbit", "orbit, ca", "orbit 12", strings.Repeat("orbit ", 25)} {
		if _, _, _, open := seedLine(s); open {
			t.Errorf("seedLine(%q) is open", s)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add(twelve)
	f.Add("1. " + twelve)
	f.Fuzz(func(t *testing.T, s string) {
		if start, end, ok, _ := seedLine(s); ok && (start < 0 || start >= end || end > len(s)) {
			t.Errorf("seedLine(%q): %d to %d", s, start, end)
		}
		for i := range len(s) {
			if end, words := seedRow(s, i, len(s)); end < i || end > len(s) || words > maxSeedWords {
				t.Errorf("seedRow(%q, %d): end %d, %d words", s, i, end, words)
			}
		}
	})
}
