//go:build unix

package inherit_test

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"ken/internal/proctest"
	"ken/internal/pty/inherit"
)

// deaf tells, to a copy of this test program, whether to call Defaults.
const deaf = "KEN_TEST_DEAF"

func TestMain(m *testing.M) {
	switch os.Getenv(deaf) {
	case "":
		os.Exit(m.Run())
	case "mended":
		inherit.Defaults()
		inherit.Defaults() // again changes nothing
	}
	// The program is what replaces this one's child: a shell that tells what it ignores.
	sh := proctest.Lent("/bin/sh", "-c", "kill -HUP $$; echo lived")
	sh.Stdout, sh.Stderr = os.Stdout, os.Stderr
	err := sh.Start()
	if err == nil {
		_ = sh.Wait() // it is hung up
	}
	// This process itself is left as it was.
	if own, oerr := os.FindProcess(os.Getpid()); oerr == nil && os.Getenv(deaf) == "mended" {
		err = own.Signal(syscall.SIGHUP)
	}
	fmt.Println("over", err)
}

// TestDefaults: what a process that was started with SIGHUP ignored starts is not, and the
// process still is not ended by it.
func TestDefaults(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{"mended": "over <nil>\n", "left": "lived\nover <nil>\n"} {
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := proctest.Command(t, "/bin/sh", "-c", `trap '' HUP; exec "$0"`, exe)
		cmd.Env = append(cmd.Env, deaf+"="+how)
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != want {
			t.Errorf("%s: %v, %q, want %q", how, err, strings.TrimSpace(string(out)), want)
		}
	}
	if signal.Ignored(syscall.SIGHUP) {
		t.Error("a process of a test was started, and this one still ignores SIGHUP")
	}
}
