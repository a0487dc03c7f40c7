//go:build unix

package proctest_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/proctest"
)

// ended starts cmd, sends it a signal once it, or what it started, says "ready", and waits
// until nobody is left who could say more.
func ended(t *testing.T, cmd *exec.Cmd, sig syscall.Signal) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if err := r.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	said := bufio.NewReader(r)
	for line := ""; line != "ready\n"; {
		if line, err = said.ReadString('\n'); err != nil {
			t.Fatalf("it did not begin: %q, %v", line, err)
		}
	}
	if err := syscall.Kill(cmd.Process.Pid, sig); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if rest, err := io.ReadAll(said); err != nil {
		t.Errorf("after %v something goes on: %v; it said %q", sig, err, rest)
	}
}

// TestEndTogether: what a test started ends when the test is killed.
func TestEndTogether(t *testing.T) {
	t.Parallel()
	if os.Getenv("KEN_PROCTEST") == "parent" {
		cmd := proctest.Command(t, "sh", "-c", "echo; echo ready; exec sleep 3600")
		cmd.Stdout = os.Stdout
		_ = cmd.Run()
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a process with the one that started it")
	}
	cmd := proctest.Self(t, "-test.run=^TestEndTogether$")
	cmd.Env = append(cmd.Env, "KEN_PROCTEST=parent")
	ended(t, cmd, syscall.SIGKILL)
}

// stepsOf is the program of make check's steps beside a Makefile of its own.
func stepsOf(t *testing.T, makefile string) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("..", "..", ".ci", "steps"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	steps := filepath.Join(dir, ".ci", "steps")
	if err := os.Mkdir(filepath.Dir(steps), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{steps: string(script), filepath.Join(dir, "Makefile"): makefile} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return steps
}

// TestBeside: targets joined by + run beside each other, and one that fails fails the step.
func TestBeside(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	steps := stepsOf(t, "left:\n\t@touch left; until test -e right; do sleep .02; done\n"+
		"right:\n\t@touch right; until test -e left; do sleep .02; done\n"+
		"bad:\n\t@exit 7\nlast:\n\t@echo ran last\n")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := proctest.CommandContext(t, ctx, "bash", steps, "left+right", "last")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "ran last") {
		t.Errorf("%v: %s", err, out)
	}
	cmd = proctest.CommandContext(t, ctx, "bash", steps, "left+bad", "last")
	if out, err := cmd.CombinedOutput(); err == nil || strings.Contains(string(out), "ran last") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestSteps: make check leaves nothing behind, however it is ended.
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "make"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	steps := stepsOf(t, "first:\n\t@sleep 3600 & echo first\n"+
		"second:\n\t@sleep 3600 & echo ready; sh -c 'trap \"\" INT TERM HUP; while :; do sleep 60; done'\n")
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			ended(t, proctest.Command(t, "bash", steps, "first", "second"), sig)
		})
	}
}
