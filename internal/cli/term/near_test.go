package term

import (
	"testing"

	"ken/internal/fault"

	"github.com/google/go-cmp/cmp"
)

func TestNear(t *testing.T) {
	t.Parallel()
	names := []string{"ask", "remember", "recall", "memory", "sessions", "undo"}
	for _, c := range []struct {
		word string
		want []string
	}{
		{"", nil},
		{"re", []string{"remember", "recall"}},
		{"me", []string{"memory"}},
		{"memroy", []string{"memory"}},
		{"Memory", []string{"memory"}},
		{"sesion", []string{"sessions"}},
		{"unod", []string{"undo"}},
		{"aks", []string{"ask"}},
		{"x", nil},
		{"what", nil},
		{"banana", nil},
	} {
		if diff := cmp.Diff(c.want, Near(c.word, names)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.word, diff)
		}
	}
}

func TestOneOf(t *testing.T) {
	t.Parallel()
	if err := OneOf("--format", "md", "md", "json"); err != nil {
		t.Error(err)
	}
	err := OneOf("--format", "jsno", "md", "jsonl", "json")
	if err == nil || err.Error() != `--format "jsno": want md, jsonl or json` || new(Run).NextStep(err) != "did you mean --format json?" {
		t.Errorf("%v, next %q", err, new(Run).NextStep(err))
	}
	if fault.KindOf(err) != fault.Usage {
		t.Errorf("not wrong usage: %v", err)
	}
	if err := OneOf("--format", "xml", "md"); new(Run).NextStep(err) != "" {
		t.Errorf("next %q", new(Run).NextStep(err))
	}
}
