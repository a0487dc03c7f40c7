//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/proctest"
)

// TestHourBegins plays the first minutes of the hour in each shell that is here: every step comes to its
// end and shows what it has to. make hour plays all of it.
func TestHourBegins(t *testing.T) {
	t.Parallel()
	ken := filepath.Join(t.TempDir(), "ken")
	build := proctest.Go(t, "build", "-trimpath", "-o", ken, "./cmd/ken")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(build.Env, "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build ken: %v: %s", err, out)
	}
	for shell := range starts() {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			for _, name := range []string{"tmux", "git", shell} {
				if _, err := exec.LookPath(name); err != nil {
					t.Skipf("%s is not installed", name)
				}
			}
			steps := memory()
			dir := filepath.Join(t.TempDir(), "screens")
			h := hour{ken: ken, steps: func(script) []step { return steps }, rows: 24, cols: 80}
			n, err := h.play(t.Context(), shell, dir)
			if err != nil || n != len(steps) {
				t.Fatalf("%d screens of %d steps: %v", n, len(steps), err)
			}
			all, err := os.ReadFile(filepath.Join(dir, "all.txt"))
			if err != nil || !strings.Contains(string(all), "kettle") {
				t.Errorf("what went by: %q, %v", all, err)
			}
			// A step that does not show what it has to is a fault.
			h.steps = func(script) []step { return []step{{"none", "echo tea\r", shellRow, []string{"coffee"}}} }
			if _, err := h.play(t.Context(), shell, dir); err == nil || !strings.Contains(err.Error(), `"coffee" is not shown`) {
				t.Errorf("nothing was found: %v", err)
			}
		})
	}
}
