package chat

import (
	"bytes"
	"context"
	"testing"

	"github.com/spf13/cobra"

	"ken/internal/repl/edit"
)

// A counted tree counts how often it is built.
type counted struct{ built int }

func (c *counted) Root() *cobra.Command {
	c.built++
	root := &cobra.Command{Use: "ken"}
	root.AddCommand(&cobra.Command{Use: "remember TEXT", Run: func(*cobra.Command, []string) {}})
	return root
}

func (c *counted) Run(context.Context, []string) error                  { return nil }
func (c *counted) Complete(context.Context, string) (e edit.Completion) { return e }

// TestTreeIsBuiltOnce: to find the commands of lines the tree of commands is built once
// in a run, however many lines there are.
func TestTreeIsBuiltOnce(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	tree := &counted{}
	s := NewREPL(appFor(t, &out), nil, tree)
	for range 3 {
		if err := s.command(t.Context(), "remember the kettle is red"); err != nil || out.Len() > 0 {
			t.Fatalf("%v, %q", err, out.String())
		}
	}
	if !s.isCommand("remember") || s.isCommand("forge") {
		t.Error("names are not found")
	}
	if tree.built != 1 {
		t.Errorf("built %d times, want 1", tree.built)
	}
}
