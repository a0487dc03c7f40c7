package wrap

import (
	"strings"
	"testing"
	"time"
)

// TestLong: a line of any length takes time as it is long, whatever stands in it: each of these
// may not take the square of it, as texts without blanks and commands once did.
func TestLong(t *testing.T) {
	t.Parallel()
	const most = 10 * time.Second
	for name, line := range map[string]string{
		"a text without blanks":      strings.Repeat("東京の天気", 40_000),
		"one with a word behind":     strings.Repeat("x", 500_000) + "東",
		"a command":                  ":copy " + strings.Repeat("x ", 200_000),
		"a command with a quote":     `:copy "` + strings.Repeat("x ", 200_000),
		"many commands":              strings.Repeat("see: ken memory x ", 20_000),
		"many keys":                  strings.Repeat("[y] ", 100_000),
		"many columns":               strings.Repeat("a  ", 100_000),
		"many styles":                strings.Repeat("\x1b[1m ab ", 50_000),
		"a text with styles, no end": strings.Repeat("東\x1b[1m", 50_000),
	} {
		begun := time.Now()
		got := Rows(line, 80)
		if took := time.Since(begun); took > most {
			t.Errorf("%s: %v", name, took)
		}
		plain := func(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }
		if plain(got) != plain(line) {
			t.Errorf("%s: words were lost", name)
		}
	}
}
