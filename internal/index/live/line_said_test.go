package live

import (
	"strings"
	"testing"
)

// TestHeaderOf: the first line that is not blank, however long, with an end or without.
func TestHeaderOf(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("h", 3*mostHeader)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"\n \n", ""},
		{"head\nturn\n", "head"},
		{"\n\nhead\nturn\n", "head"},
		{"head", "head"},
		{long + "\nturn\n", long},
		{long, long},
		{strings.Repeat("\n", 2*mostHeader) + "head\nturn", "head"},
		{long[:mostHeader-1] + "\nturn\n", long[:mostHeader-1]},
		{long[:mostHeader] + "\nturn\n", long[:mostHeader]},
	} {
		got, err := headerOf(strings.NewReader(c.text))
		if err != nil || string(got) != c.want {
			t.Errorf("%.20q of %d bytes: %d bytes, %v, want %d", c.text, len(c.text), len(got), err, len(c.want))
		}
	}
}
