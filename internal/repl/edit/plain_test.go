package edit

import (
	"bytes"
	"testing"
)

// TestPlain: colours go, whatever they are cut into, and all else stays.
func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                              "",
		"text\r\n":                      "text\r\n",
		"\x1b[1m\x1b[36mbold\x1b[0m":    "\x1b[1mbold\x1b[0m",
		"\x1b[1;30mx\x1b[m":             "\x1b[1mx\x1b[m",
		"\x1b[7;48;5;255;2mx":           "\x1b[7;2mx",
		"\x1b[38;2;1;2;3mx\x1b[97;101m": "x",
		"\x1b[39m\x1b[49m":              "",
		"\x1b[30C\x1b[?25l\x1b[6n":      "\x1b[30C\x1b[?25l\x1b[6n",
		"größe\x1b[33m日本\x1b[39m":       "größe日本",
	} {
		for size := 1; size <= len(in)+1; size++ {
			var out bytes.Buffer
			p := &plain{w: &out}
			for rest := in; rest != ""; {
				n := min(size, len(rest))
				if _, err := p.Write([]byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if out.String() != want {
				t.Errorf("%q in pieces of %d: %q, want %q", in, size, out.String(), want)
			}
		}
	}
}
