package cli

import (
	"maps"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// using marks commands that read or write memory, but those that say otherwise.
func using(commands ...*cobra.Command) []*cobra.Command { return marked(term.UsesMemory(), commands) }

// without marks commands that do all that they do without memory, but those that say
// otherwise.
func without(commands ...*cobra.Command) []*cobra.Command {
	return marked(term.WithoutMemory(), commands)
}

func marked(as map[string]string, commands []*cobra.Command) []*cobra.Command {
	for _, c := range commands {
		if _, said := term.MemoryUse(c.Annotations); said {
			continue
		}
		if c.Annotations == nil {
			c.Annotations = make(map[string]string, len(as))
		}
		maps.Copy(c.Annotations, as)
	}
	return commands
}

// memoryAllowed refuses what uses memory in a run, or a conversation, without it. A
// command that does not say counts as one that uses it.
func (p *program) memoryAllowed(cmd *cobra.Command, _ []string) error {
	if p.app.Flags.NoMemory && usesMemory(cmd) {
		return p.app.MemoryIsOff()
	}
	return nil
}

func usesMemory(cmd *cobra.Command) bool {
	for c := cmd; c.HasParent(); c = c.Parent() {
		if uses, said := term.MemoryUse(c.Annotations); said {
			return uses
		}
		if isCompletion(c) {
			return false // what it offers of memory is asked about there
		}
	}
	return cmd.HasParent()
}
