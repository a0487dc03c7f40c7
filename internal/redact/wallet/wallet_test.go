package wallet

import (
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
		if end, words := Row(s, 0, len(s)); words != want || end > len(s) {
			t.Errorf("Row(%q) = %d words, end %d, want %d", s, words, end, want)
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
		start, end, ok, _ := Line(s)
		got := ""
		if ok {
			got = s[start:end]
		}
		if got != want {
			t.Errorf("Line(%q) = %q, want %q", s, got, want)
		}
	}
}

// A line that can become a seed is open at each of its beginnings, so that a text
// that arrives in pieces is held back.
func TestLineOpen(t *testing.T) {
	t.Parallel()
	for i := range len(twelve) {
		if _, _, _, open := Line(twelve[:i]); !open {
			t.Errorf("Line(%q) is not open", twelve[:i])
		}
	}
	for _, s := range []string{"the", "orbit the", "Orbit", "orbit, ca", "orbit 12", strings.Repeat("orbit ", 25)} {
		if _, _, _, open := Line(s); open {
			t.Errorf("Line(%q) is open", s)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add(twelve)
	f.Add("1. " + twelve)
	f.Fuzz(func(t *testing.T, s string) {
		if start, end, ok, _ := Line(s); ok && (start < 0 || start >= end || end > len(s)) {
			t.Errorf("Line(%q): %d to %d", s, start, end)
		}
		for i := range len(s) {
			if end, words := Row(s, i, len(s)); end < i || end > len(s) || words > MaxWords {
				t.Errorf("Row(%q, %d): end %d, %d words", s, i, end, words)
			}
		}
	})
}
