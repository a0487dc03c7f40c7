package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/chat"
	"ken/internal/cli/term"
)

// TestR16HelpListsEveryCommand: `:help` has one line for each command of the tree
// that is not hidden, with what it does; and what it lists is a command.
func TestR16HelpListsEveryCommand(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	home := t.TempDir()
	p := &program{app: term.New(Env{
		Stdin: os.Stdin, Stdout: &out, Stderr: &out, Dir: home, Now: time.Now, Local: []string{},
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": home, "HOME": home}[name] },
	})}
	p.shell = chat.NewREPL(p.app, p.upkeep, p)
	if err := p.Run(t.Context(), []string{"help"}); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{} // by command, what it does
	for line := range strings.SplitSeq(out.String(), "\n") {
		if use, about, ok := strings.Cut(line, "  "); ok && strings.HasPrefix(use, ":") {
			var words []string
			for w := range strings.FieldsSeq(use[1:]) {
				if w != strings.ToLower(w) || strings.HasPrefix(w, "-") || strings.ContainsAny(w, "[.") {
					break // an operand
				}
				words = append(words, w)
			}
			said[strings.Join(words, " ")] = strings.TrimSpace(about)
		}
	}
	n := 0
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		for _, c := range cmd.Commands() {
			name := strings.TrimSpace(path + " " + c.Name())
			if c.Hidden || name == "completion" {
				continue
			}
			n++
			if about, ok := said[name]; !ok || about != c.Short || about == "" {
				t.Errorf(":help says %q of :%s, whose line is %q", about, name, c.Short)
			}
			walk(c, name)
		}
	}
	walk(p.Root(), "")
	if n < 20 || n != len(said) {
		t.Errorf(":help lists %d commands, of %d", len(said), n)
	}
	for _, name := range strings.Fields("help quit reset history model tokens save resume exec remember recall forget undo ask sessions clear") {
		if said[name] == "" {
			t.Errorf(":%s is not in\n%s", name, out.String())
		}
	}
}
