package color

import "testing"

func TestStyle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to Style
		want     string
	}{
		{Plain, Plain, ""},
		{Bold, Bold, ""},
		{Plain, Bold, "\x1b[1m"},
		{Bold, Plain, "\x1b[0m"},
		{Bold, Bold | Underline, "\x1b[0;1;4m"},
		{Plain, Bold | Dim | Italic | Underline | Strike | Cyan, "\x1b[1;2;3;4;9;36m"},
		{Red, Green, "\x1b[0;32m"},
		{Plain, Yellow, "\x1b[33m"},
		{Plain, Magenta, "\x1b[35m"},
		{Plain, Red, "\x1b[31m"},
		{Plain, (Bold | Red).With(Cyan | Italic), "\x1b[1;3;36m"},
		{Plain, (Bold | Red).With(Italic), "\x1b[1;3;31m"},
	} {
		if got := string(c.from.AppendSwitch(nil, c.to)); got != c.want {
			t.Errorf("%b to %b: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
