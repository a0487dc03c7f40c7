//go:build unix

package stdin

import (
	"testing"

	"ken/internal/ttytest"
)

// TestTerminal: a terminal is read only if the person asked for it, since
// nobody else was told to type.
func TestTerminal(t *testing.T) {
	t.Parallel()
	keys, tty := ttytest.Pair(t)
	for _, need := range []Need{Extra, Needed} {
		if got, err := quiet(t, tty).Text(t.Context(), need); got != "" || err != nil {
			t.Errorf("need %d: %q, %v", need, got, err)
		}
	}
	write(t, keys, "typed\n\x04")
	if got, err := quiet(t, tty).Text(t.Context(), Demanded); got != "typed\n" || err != nil {
		t.Errorf("demanded: %q, %v", got, err)
	}
}
