package memory

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ken/internal/cli/term"
	"ken/internal/engine"
)

func TestNotSaved(t *testing.T) {
	t.Parallel()
	for _, err := range []error{&engine.SecretError{}, &engine.KindError{}, fmt.Errorf("remember: %w", engine.ErrEmpty)} {
		if got := term.NotSaved(err); !errors.Is(got, err) || strings.Contains(got.Error(), "not saved") {
			t.Errorf("a refusal reads %q", got)
		}
	}
	disk := errors.New("disk full")
	if got := term.NotSaved(disk); !errors.Is(got, disk) || got.Error() != "not saved: disk full" {
		t.Errorf("a fault reads %q", got)
	}
}

// TestSameText: an editor that changed nothing but the ends of lines has changed nothing.
func TestSameText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{{"a", "a\n", true}, {" a ", "a", true}, {"a\nb", "a\r\nb\r\n", true}, {"a\nb", "a b", false}, {"a", "b", false}, {"", " \n", true}} {
		if sameText(c.a, c.b) != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, !c.want)
		}
	}
}
