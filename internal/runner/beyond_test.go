//go:build unix

package runner_test

import (
	"os"
	"path/filepath"
	"testing"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/risk"
	"ken/internal/runner"
)

// TestForeign: once text from outside the project was read, what a pattern lets through is asked about where it may reach
// beyond the project, and what was said to exactly these bytes still counts.
func TestForeign(t *testing.T) {
	t.Parallel()
	how := gate.HowAlways
	s := open(t, "", engine.Person, func(runner.Request) (gate.How, error) { return how, nil })
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(s.dir, "link")); err != nil {
		t.Fatal(err)
	}
	run := func(line string) bool {
		t.Helper()
		_, err := s.RunModel(t.Context(), runner.Line{Text: line})
		if err != nil && fault.KindOf(err) != fault.Refused {
			t.Fatal(err)
		}
		return err == nil
	}
	for _, line := range []string{"touch a", "touch link/x", "touch " + elsewhere + "/y", "touch ../z", "git push somewhere"} {
		if !run(line) {
			t.Fatal(line)
		}
	}
	how = gate.HowRefused
	for _, foreign := range []bool{false, true} {
		s.Heed(foreign)
		for line, reaches := range map[string]bool{
			"touch a": false, "touch link/x": true, "touch " + elsewhere + "/y": true, "touch ../z": true, "git push nowhere": true,
		} {
			if ran := run(line); ran != (!foreign || !reaches) {
				t.Errorf("foreign %v: %s: ran %v", foreign, line, ran)
			}
		}
	}
	for line, from := range map[string]bool{
		"ls": false, "touch a": false, "make test": false, "cat link/x": true, "cat ../z": true, "git push nowhere": true, "curl https://h": true,
		"nosuch": true, "if": true,
	} {
		if s.ReadsForeign(t.Context(), line) != from {
			t.Errorf("what %s prints is from outside: %v", line, !from)
		}
	}
	const line = "touch ../z"
	s.ports.Approved.Approve(line, s.Here().Project)
	if !run(line) {
		t.Error("a yes to these bytes is forgotten")
	}
	d := runner.Operation{Title: "call", Shown: "{}", Level: risk.Caution, Lasting: "calls of this server", Beyond: true}
	how = gate.HowSession
	s.Heed(false)
	if _, err := s.Allow(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	how, d.Shown = gate.HowRefused, "{other}"
	for _, foreign := range []bool{false, true} {
		s.Heed(foreign)
		if _, err := s.Allow(t.Context(), d); (err == nil) == foreign {
			t.Errorf("foreign %v: %v", foreign, err)
		}
	}
}
