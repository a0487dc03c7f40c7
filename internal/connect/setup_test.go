package connect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// newSetup is a set-up in a home of its own, where no program is found.
func newSetup(t *testing.T) (Setup, Writer) {
	t.Helper()
	p := place(t)
	ken := filepath.Join(p.Home, "bin", "ken")
	write(t, ken, "")
	s, err := Setup{
		Place: p, Dir: p.Home, Self: ken, Find: func(string) (string, error) { return "", fs.ErrNotExist },
	}.WithCommand()
	if err != nil || s.Want.Command != ken {
		t.Fatal(s.Want.Command, err)
	}
	now := func() time.Time { return time.Date(2026, 5, 13, 19, 0, 0, 0, time.UTC) }
	return s, Writer{Dir: filepath.Join(p.Home, "state", "setup"), Lock: filepath.Join(p.Home, "state"), Now: now}
}

// TestStanding: each assistant is not here, then set up, whatever hooks it was set up with, then as it was; a change by hand
// and a file that cannot be read are seen, and what was asked for otherwise.
func TestStanding(t *testing.T) {
	t.Parallel()
	for _, agent := range Agents() {
		t.Run(agent.Name, func(t *testing.T) {
			t.Parallel()
			s, writer := newSetup(t)
			stands := func(s Setup, want Standing) {
				t.Helper()
				if is, why := s.Standing(agent); is != want {
					t.Errorf("%s (%s), want %s", is, why, want)
				}
			}
			stands(s, Absent)
			change := func(s Setup) (n int) {
				t.Helper()
				s, err := s.For(agent)
				if err != nil {
					t.Fatal(err)
				}
				changes, err := s.Plan(agent)
				if err != nil {
					t.Fatal(err)
				}
				done, unnoted, err := writer.Apply(t.Context(), agent, changes)
				if err != nil || unnoted != nil || len(done) != len(changes) {
					t.Fatal(err, unnoted)
				}
				return len(done)
			}
			if change(s) == 0 {
				t.Error("nothing changed")
			}
			stands(s, IsSet)
			if agent.Hooks {
				start := s
				start.Hooks = HooksPrompt
				asked, err := start.For(agent)
				if err != nil {
					t.Fatal(err)
				}
				stands(asked, Differs)
				change(start)
				stands(asked, IsSet)
			}
			other := s
			other.Want.Command = "/opt/other/ken"
			stands(other, Differs)
			s.Remove = true
			change(s)
			s.Remove = false
			stands(s, Absent)
			if _, err := os.Lstat(agent.Dir(s.Place)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a directory that was made stays: %v", err)
			}
		})
	}
}

// TestKeeps: the last three old texts of a file are kept, for nobody else to read.
func TestKeeps(t *testing.T) {
	t.Parallel()
	s, writer := newSetup(t)
	agent, _ := Find("copilot")
	at := writer.Now()
	writer.Now = func() time.Time { at = at.Add(time.Second); return at }
	for n := range 4 {
		s.Remove = n%2 == 1
		write(t, filepath.Join(s.Place.Home, ".copilot", "hooks", "mine.json"), "{}") // the directory stays
		changes, err := s.Plan(agent)
		if err == nil {
			_, _, err = writer.Apply(t.Context(), agent, changes)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	kept, err := filepath.Glob(filepath.Join(writer.Dir, "copilot-mcp-config.json-*"))
	if err != nil || len(kept) == 0 || len(kept) > keptCopies {
		t.Fatal(kept, err)
	}
	if fi, err := os.Stat(kept[0]); err != nil || fi.Mode().Perm() != 0o600 {
		t.Error(fi.Mode(), err)
	}
}

// TestFor: what an assistant does not have, and what no project may settle, is refused; so is a program of another name.
func TestFor(t *testing.T) {
	t.Parallel()
	s, _ := newSetup(t)
	claude, _ := Find("claude")
	desktop, _ := Find("claude-desktop")
	for name, tt := range map[string]struct {
		agent  Agent
		change func(*Setup)
		ok     bool
	}{
		"usual":              {claude, func(*Setup) {}, true},
		"no instructions":    {desktop, func(s *Setup) { s.Want.Lines = true }, false},
		"no projects":        {desktop, func(s *Setup) { s.InProject = true }, false},
		"home is no project": {claude, func(s *Setup) { s.InProject = true }, false},
		"hooks of a project": {claude, func(s *Setup) { s.InProject, s.Hooks, s.Dir = true, HooksStart, t.TempDir() }, false},
		"a project":          {claude, func(s *Setup) { s.InProject, s.Dir = true, t.TempDir() }, true},
	} {
		in := s
		tt.change(&in)
		got, err := in.For(tt.agent)
		if (err == nil) != tt.ok || err == nil && in.InProject && (got.Want.Command != "ken" || got.Want.Hooks != Never) {
			t.Errorf("%s: %v, %+v", name, err, got.Want)
		}
	}
	for _, name := range []string{"kenobi", "barbie"} {
		s.Command = filepath.Join(s.Place.Home, name)
		write(t, s.Command, "")
		if _, err := s.WithCommand(); err == nil {
			t.Errorf("%s is taken for ken", name)
		}
	}
}
