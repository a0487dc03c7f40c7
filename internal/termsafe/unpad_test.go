package termsafe

import (
	"strings"
	"testing"
)

func TestUnpad(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "ls -l": "ls -l", "a" + strings.Repeat(" ", 8) + "b": "a" + strings.Repeat(" ", 8) + "b",
		"a" + strings.Repeat(" ", 9) + "b c ": "a‹9 blanks›b c ", strings.Repeat(" ", 300): "‹300 blanks›",
		"ls" + strings.Repeat(" ", 40) + "; x" + strings.Repeat(" ", 10): "ls‹40 blanks›; x‹10 blanks›",
	} {
		if got := Unpad(in); got != want {
			t.Errorf("Unpad(%q) = %q, want %q", in, got, want)
		}
	}
}
