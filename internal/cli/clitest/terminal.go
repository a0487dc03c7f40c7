//go:build unix

package clitest

import (
	"os/exec"
	"testing"

	"ken/internal/llm/llmtest"
	"ken/internal/ttytest"
)

// A Terminal is a real ken on a real pseudo-terminal.
type Terminal struct {
	*ttytest.Terminal
	t *testing.T
}

// Start runs ken on a terminal of 80 by 24 cells.
func Start(t *testing.T, dir string, model *llmtest.Server, args ...string) *Terminal {
	t.Helper()
	return Open(t, Command(t, dir, model, args...))
}

// StartEnv is Start without a model and with more variables.
func StartEnv(t *testing.T, dir string, env []string, args ...string) *Terminal {
	t.Helper()
	cmd := Command(t, dir, nil, args...)
	cmd.Env = append(cmd.Env, env...)
	return Open(t, cmd)
}

// Open runs a program there.
func Open(t *testing.T, cmd *exec.Cmd) *Terminal {
	t.Helper()
	return On(t, ttytest.Open(t, cmd))
}

// On is a ken that runs on a terminal already.
func On(t *testing.T, tty *ttytest.Terminal) *Terminal { return &Terminal{tty, t} }

// Quit leaves the shell, and fails unless that was all that was to be said.
func (x *Terminal) Quit() {
	x.t.Helper()
	x.Send(":quit\r")
	if code := x.Exit(); code != 0 {
		x.t.Errorf("exit code %d", code)
	}
}
