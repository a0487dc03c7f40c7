package cli

import (
	"os/exec"
	"testing"

	"ken/internal/proctest"
)

// TestAskLine: what is offered in the place of words that are no command can be pasted into the
// person's shell, and asks these words.
func TestAskLine(t *testing.T) {
	t.Parallel()
	questions := []string{
		"what is a kettle?", "what's the difference between && and ;", `a "b" \c $HOME $(ls) ` + "`x` !! * ~ #", "plain", "äö 日本",
		`ends in a \`, "don't", "\\'",
	}
	for _, shell := range []string{"bash", "zsh", "fish", "sh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("there is no %s here", shell)
			continue
		}
		for _, q := range questions {
			line := askLine("/usr/bin/"+shell, q)
			script := `ken() { printf '%s\n' "$2"; }; ` + line
			if shell == "fish" {
				script = `function ken; printf '%s\n' $argv[2]; end; ` + line
			}
			out, err := proctest.Command(t, path, "-c", script).Output()
			if err != nil || string(out) != q+"\n" {
				t.Errorf("%s: %s asks %q, %v; want %q", shell, line, out, err, q)
			}
		}
	}
	if got := askLine("/bin/zsh", "-v is what?"); got != "ken ask -- '-v is what?'" {
		t.Errorf("a word like a flag: %s", got)
	}
	if got := askLine("/bin/bash", "two\nlines\x1b[2J"); got != `ken ask $'two\nlines\x1b[2J'` {
		t.Errorf("control characters: %s", got)
	}
}
