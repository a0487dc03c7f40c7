//go:build unix

package runner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/runner"
	"ken/internal/tool/lane"
	"ken/internal/tool/sandbox"
)

func TestMain(m *testing.M) {
	if err := lane.Enter(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}

// held is a stand whose settings ask for a sandbox.
func held(t *testing.T, mode string, ans says) *stand {
	t.Helper()
	s := open(t, "", engine.Person, ans)
	cfg, err := s.home.Settings.Read()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Safety.Sandbox = mode
	s.home.Settings.Take(cfg)
	return s
}

// TestHeldOrNotRun: what cannot be held as the settings ask does not run, bare or otherwise,
// and nobody is asked about it.
func TestHeldOrNotRun(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"write", "write+net", "auto"} {
		s := held(t, mode, answer(gate.HowOnce)) // they stand where ken has its own files
		for _, line := range []string{"touch made", "ls"} {
			_, err := s.RunModel(t.Context(), runner.Line{Text: line})
			said := err != nil && strings.Contains(err.Error(), "not run, since safety.sandbox")
			if !said || fault.KindOf(err) != fault.Refused || s.has("made") || s.asked != 0 {
				t.Errorf("%s, %s: %v, made %t, asked %d times", mode, line, err, s.has("made"), s.asked)
			}
		}
	}
}

// TestHeld: the question says how a line is held; the result does, and why it was denied what
// it wanted; the level is what it is without a sandbox.
func TestHeld(t *testing.T) {
	t.Parallel()
	if sandbox.Here().Most() == "" {
		t.Skipf("this machine has %s", sandbox.Here())
	}
	var q runner.Request
	s := held(t, "write", func(r runner.Request) (gate.How, error) {
		q = r
		return gate.HowOnce, nil
	})
	s.at = t.TempDir()
	bare, err := open(t, "", engine.Person, answer(gate.HowOnce)).RunModel(t.Context(), runner.Line{Text: "touch made"})
	if err != nil || bare.Sandbox != "" {
		t.Fatalf("%v, %+v", err, bare)
	}
	r, err := s.RunModel(t.Context(), runner.Line{Text: "touch made"})
	if err != nil || r.Exit != 0 || q.Held == "" || r.Sandbox != q.Held || r.Level != bare.Level {
		t.Errorf("%v, %+v, asked with %q", err, r, q.Held)
	}
	if _, err := os.Stat(filepath.Join(s.at, "made")); err != nil {
		t.Error(err)
	}
	outside := filepath.Join(t.TempDir(), "made")
	r, err = s.RunModel(t.Context(), runner.Line{Text: "touch " + outside})
	if err != nil || r.Exit == 0 || !strings.Contains(r.Output, "\n[ken] a denial outside the project, or of the network, is the sandbox (") {
		t.Errorf("%v, %+v", err, r)
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("it was made")
	}
}
