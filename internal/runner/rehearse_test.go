//go:build linux

package runner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/risk"
	"ken/internal/runner"
	"ken/internal/session"
	"ken/internal/tool/rehearsal"
	"ken/internal/tool/swap"
	"ken/internal/undo"
)

// aside is a stand whose project is apart from ken's own files.
func aside(t *testing.T, ans says) *stand {
	t.Helper()
	if err := runner.CanRehearse(t.Context(), t.TempDir()); err != nil {
		t.Skipf("nothing can be rehearsed here: %v", err)
	}
	s := open(t, "", engine.Person, ans)
	at, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s.at = at
	for name, text := range map[string]string{"kept": "kept\n", "gone": "gone\n"} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// names are those in the project.
func (s *stand) names(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir(s.at)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func (s *stand) rehearse(t *testing.T, line string) *runner.Rehearsal {
	t.Helper()
	x, err := s.Rehearse(t.Context(), line, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func (s *stand) hand() rehearsal.Hand {
	return rehearsal.Hand{
		Room: undo.Room{Path: filepath.Join(s.dir, "undo"), Lock: s.dir, Now: time.Now}, Who: "user",
		Record: func(session.Event) error { return nil },
	}
}

// TestRehearse: what a line would change is not there before a yes, and is then; it runs with the environment of a
// model, sees nothing of ken, and reaches nothing outside.
func TestRehearse(t *testing.T) {
	t.Parallel()
	how := gate.HowRefused
	var asked runner.Request
	s := aside(t, func(q runner.Request) (gate.How, error) {
		asked = q
		return how, nil
	})
	outside := filepath.Join(t.TempDir(), "new")
	x := s.rehearse(t, `echo new >made; rm gone; echo $KEN_ORIGIN; cat `+s.dir+`/config.toml && echo own; echo x >`+outside+` || echo held`)
	if got := s.names(t); got != "gone kept" {
		t.Errorf("before: %s", got)
	}
	if out := x.Ran.Output; !strings.HasPrefix(out, "tool\n") || strings.Contains(out, "own\n") || !strings.Contains(out, "held\n") {
		t.Errorf("%q", out)
	}
	if text := x.Text(); !strings.HasPrefix(text, "- gone (5 bytes)\n+ made (4 bytes") {
		t.Error(text)
	}
	declined := new(runner.Declined)
	if _, err := x.Apply(t.Context(), s.hand()); !errors.As(err, &declined) || s.names(t) != "gone kept" {
		t.Errorf("%v: %s", err, s.names(t))
	}
	if op := asked.Operation; op == nil || asked.Session || asked.Always || op.Level < risk.Caution || !strings.Contains(op.Shown, "+new") {
		t.Errorf("%+v", asked)
	}
	how = gate.HowOnce
	acts, err := x.Apply(t.Context(), s.hand())
	if err != nil || len(acts) != 2 || s.names(t) != "kept made" || s.asked != 2 {
		t.Errorf("%v, %+v: %s", err, acts, s.names(t))
	}
	if _, err := x.Apply(t.Context(), s.hand()); !errors.Is(err, swap.ErrChanged) {
		t.Errorf("twice: %v", err)
	}
	if text := s.audit(t); strings.Count(text, `"lane":"user"`) != 3 {
		t.Error(text)
	}
}

// TestRehearsedLevel: the level of what is applied is that of the line or of what it touches, whichever is higher.
func TestRehearsedLevel(t *testing.T) {
	t.Parallel()
	s := aside(t, nil)
	for line, want := range map[string]risk.Level{
		"cp kept copy": risk.Caution,
		"rm -rf ./*":   risk.Danger, // the line is
		"mkdir -p .git/hooks; cp kept .git/hooks/x": risk.Danger,
		"cp kept .envrc":  risk.Danger,
		"chmod u+s kept":  risk.Danger,
		"ln -s /etc away": risk.Caution,
	} {
		x := s.rehearse(t, line)
		op := x.Operation()
		if op.Level != want || op.Level < x.Level || !op.Once || len(op.Why) == 0 {
			t.Errorf("%s: %s, want %s: %+v", line, op.Level, want, op.Why)
		}
		if _, err := x.Apply(t.Context(), s.hand()); fault.KindOf(err) != fault.Refused || s.names(t) != "gone kept" {
			t.Errorf("%s: nobody was asked: %v", line, err)
		}
	}
	model := open(t, "", engine.Model, answer(gate.HowOnce))
	if _, err := model.Rehearse(t.Context(), "touch made", nil); fault.KindOf(err) != fault.Refused {
		t.Errorf("a model rehearses: %v", err)
	}
}

// TestRehearsalEnds: a line that hangs ends at the limit, one that is broken off ends then, and neither leaves anything.
func TestRehearsalEnds(t *testing.T) {
	t.Parallel()
	s := aside(t, answer(gate.HowOnce))
	cfg, err := s.home.Settings.Read()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Shell.ModelTimeout = 300 * time.Millisecond
	s.home.Settings.Take(cfg)
	x := s.rehearse(t, "echo x >made; trap '' INT TERM HUP; sleep 60; echo y >late")
	if !x.Ran.TimedOut || s.names(t) != "gone kept" || !strings.HasPrefix(x.Text(), "+ made") || strings.Contains(x.Text(), "late") {
		t.Errorf("%+v: %s: %s", x.Ran, x.Text(), s.names(t))
	}
	cfg.Shell.ModelTimeout = time.Minute
	s.home.Settings.Take(cfg)
	temp := t.TempDir()
	s.ports.Getenv = func(name string) string {
		return map[string]string{"TMPDIR": temp, "HOME": s.dir, "KEN_HOME": s.dir}[name]
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if x, err := runner.New(s.home, s.ports).Rehearse(ctx, "echo x >made; sleep 60", nil); err == nil {
		t.Errorf("%+v", x.Ran)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 || s.names(t) != "gone kept" {
		t.Errorf("left: %v, %v: %s", left, err, s.names(t))
	}
}
