package view

import (
	"fmt"
	"strings"
	"testing"

	"ken/internal/memory"
)

// TestChangeText: what a line did fits a person's eye, whatever it names.
func TestChangeText(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 500 {
		many = append(many, fmt.Sprint(i+1))
	}
	for line, want := range map[string]string{
		`{"id":9,"content":"the kettle\nis red"}`:                                             "fact: the kettle is red",
		`{"id":9,"kind":"forget","target":3}`:                                                 "forget #3",
		`{"id":9,"kind":"tier","targets":[1,2],"tier":"archive"}`:                             "tier #1 #2",
		`{"id":9,"kind":"tier","targets":[` + strings.Join(many, ",") + `],"tier":"archive"}`: "tier #" + strings.Join(many[:20], " #") + " and 480 more",
	} {
		if got := ChangeText(memory.Change{Record: *memory.ParseLine([]byte(line)).Record}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
