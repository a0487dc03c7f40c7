package proctest

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ken/internal/pty/inherit"
)

// A T is a test, a benchmark or a round of rapid.
type T interface {
	// Helper marks a function whose caller is to blame.
	Helper()
	// Context ends with the test, before what it cleans up.
	Context() context.Context
	// Fatalf ends the test.
	Fatalf(format string, args ...any)
}

// Command returns a process to start, killed with its group when the test is over. Its
// environment is Environ, to which more may be appended; its directory is that of the
// test.
func Command(t T, name string, args ...string) *exec.Cmd {
	t.Helper()
	return CommandContext(t, t.Context(), name, args...)
}

// CommandContext is Command with an end of its own.
func CommandContext(t T, ctx context.Context, name string, args ...string) *exec.Cmd { //nolint:revive // the test comes first, as in every helper
	t.Helper()
	inherit.Defaults()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = Environ(t)
	alone(cmd)
	return cmd
}

// Lent returns a process that a program of a test lends its own terminal: the program is one
// that Command started, and what it has is nobody else's.
func Lent(name string, args ...string) *exec.Cmd { return exec.Command(name, args...) }

// Self returns a copy of the program of this test, which TestMain knows by its environment
// what to be.
func Self(t T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatalf("%v", err)
	}
	return Command(t, exe, args...)
}

// Go returns the go command, with the caches and the settings of whoever runs the tests: it
// builds what they test.
func Go(t T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := Command(t, "go", args...)
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch {
		case strings.HasPrefix(name, "GO"), strings.HasPrefix(name, "CGO_"), name == "HOME", name == "XDG_CACHE_HOME", name == "XDG_CONFIG_HOME", name == "CC", strings.HasSuffix(strings.ToLower(name), "_proxy"):
			cmd.Env = append(cmd.Env, v)
		}
	}
	return cmd
}

// Environ returns the whole environment of a process of a test. Its home and its TMPDIR are
// a directory of the test's own, or, in a round of rapid, one that is not there.
func Environ(t T) []string {
	t.Helper()
	dir := filepath.Join(os.DevNull, "none")
	if owner, ok := t.(interface{ TempDir() string }); ok {
		dir = owner.TempDir()
	}
	return append(surroundings(),
		"HOME="+dir, "TMPDIR="+dir, "PATH="+Path(), "LANG=C.UTF-8", "TZ=UTC", "TERM=dumb", "SHELL=/bin/sh", AtOnce)
}

// Path returns the PATH of whoever runs the tests, without directories that this process may
// not look into: a shell would say of a program that is nowhere that it may not be run.
func Path() string {
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if opens(dir) {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// opens reports whether a directory may be looked into. One name says so: a directory of programs has thousands, and this is
// asked for every process of every test.
func opens(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	_, err = f.Readdirnames(1)
	return err == nil || errors.Is(err, io.EOF)
}

// AtOnce is the variable under which a program that was built with the race detector ends
// at once. It otherwise sleeps for a second, in case a goroutine that is left over races
// meanwhile. Programs are started hundreds of times, and what one does once it has ended
// is nobody's concern; it still fails if a race was seen. See
// go.dev/doc/articles/race_detector.
const AtOnce = "GORACE=atexit_sleep_ms=0"
