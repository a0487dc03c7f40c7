//go:build unix

package shelltest

import (
	"os"
	"path/filepath"
	"testing"

	"ken/internal/cli/clitest"
)

// TestR267LaneTerminal: the lane of a model has a terminal too. There no sentence
// teaches, nobody lets in what a repository brings, and no setting changes.
func TestR267LaneTerminal(t *testing.T) {
	t.Parallel()
	c := newClone(t, `{"meta":{"format":1,"log":"team"}}`, `{"id":1,"content":"use pnpm"}`)
	for _, origin := range []string{"tool", "agent:bot", "model", "no such origin"} {
		start := func(args ...string) *clitest.Terminal {
			cmd := clitest.Command(t, c.home, c.model, args...)
			cmd.Dir = filepath.Join(c.home, "tea")
			cmd.Env = append(cmd.Env, "KEN_ORIGIN="+origin)
			return clitest.Open(t, cmd)
		}
		for _, args := range [][]string{
			{"memory", "trust", "use", "team"},
			{"memory", "trust", "revoke", "team"},
			{"config", "set", "shell.confirm_cmd=false"},
			{"config", "init"},
			{"config", "edit"},
		} {
			x := start(args...)
			x.Await("ken: error: ")
			if code := x.Exit(); code != 4 {
				t.Errorf("%s: %v: exit code %d", origin, args, code)
			}
		}
		x := start()
		x.Await("]> ") // and no question before it
		x.Send("remember that the vpn is called mole\r")
		x.Await("fine")
		x.Await("]> ")
		x.Send("\x04")
		x.Exit()
	}
	for _, name := range []string{"memory.jsonl", "config.toml", "trust.jsonl"} {
		if b, err := os.ReadFile(filepath.Join(c.home, "ken", name)); !os.IsNotExist(err) {
			t.Errorf("%s: %v\n%s", name, err, b)
		}
	}
}
