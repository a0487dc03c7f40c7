//go:build unix

package connect

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ken/internal/proctest"
)

// TestPipe: a pipe is not waited for.
func TestPipe(t *testing.T) {
	t.Parallel()
	f, path := copilotFile(t)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	held := (*HeldError)(nil)
	if _, err := Plan(f, false); !errors.As(err, &held) {
		t.Error(err)
	}
}

// TestUnharmed: the shell that runs a hook ends with 0, whether ken is not there, dies or is well.
func TestUnharmed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "it's here")
	for name, program := range map[string]string{"missing": "nothing", "dies": "sh", "well": "echo"} { // a shell has no script hook
		path := filepath.Join(dir, name, "ken")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(filepath.Join("/bin", program), path)); err != nil {
			t.Fatal(err)
		}
		line := hookLine("copilot", Want{Command: path}, promptWord)
		out, err := proctest.Command(t, "sh", "-c", line).Output()
		if err != nil || name == "well" && string(out) != "hook copilot prompt\n" || !isHook(line, "copilot") || isHook(line, "claude") {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}
