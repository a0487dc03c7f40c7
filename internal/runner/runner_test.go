//go:build unix

package runner_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/runner"
)

// A stand is a runner with all that it stands on.
type stand struct {
	*runner.Runner
	dir   string // KEN_HOME, and where lines run
	at    string // where the person stands now
	ports runner.Ports
	rules []string
	asked int
	home  *app.View
}

// an approver that says what a test wants.
type says func(runner.Request) (gate.How, error)

func (s says) Approve(_ context.Context, q runner.Request) (gate.How, error) { return s(q) }

func open(t *testing.T, lines string, kind engine.ActorKind, answer says) *stand {
	t.Helper()
	s := &stand{dir: t.TempDir()}
	s.at = s.dir
	for name, text := range map[string]string{"memory.jsonl": lines, "config.toml": ""} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	getenv := func(name string) string {
		return map[string]string{"KEN_HOME": s.dir, "HOME": s.dir}[name]
	}
	h := app.Open(app.Options{
		Local:  []string{},
		Getenv: getenv,
		Now:    func() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) },
	}).View(app.Standing{Actor: engine.Actor{Kind: kind}, Dir: s.at})
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	s.ports = runner.Ports{
		Dir: func() string { return s.at }, Getenv: getenv,
		Environ:     func() []string { return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir} },
		FindProgram: exec.LookPath, Approved: new(gate.Session),
		Met: func(r gate.Rule) { s.rules = append(s.rules, r.Text) },
	}
	if answer != nil {
		s.ports.Approver = says(func(q runner.Request) (gate.How, error) {
			s.asked++
			return answer(q)
		})
	}
	s.Runner, s.home = runner.New(h, s.ports), h
	return s
}

func (s *stand) has(name string) bool {
	_, err := os.Stat(filepath.Join(s.dir, name))
	return err == nil
}

func (s *stand) audit(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func answer(how gate.How) says { return func(runner.Request) (gate.How, error) { return how, nil } }

// TestOnlyAYesRuns: what has to be asked about runs by a yes of the person, and by nothing
// else that an approver or its absence comes to; the audit says so.
func TestOnlyAYesRuns(t *testing.T) {
	t.Parallel()
	var moved *stand
	for _, c := range []struct {
		name  string
		kind  engine.ActorKind
		ans   says
		runs  bool
		asked int
	}{
		{"once", engine.Person, answer(gate.HowOnce), true, 1},
		{"for the session", engine.Person, answer(gate.HowSession), true, 1},
		{"always", engine.Person, answer(gate.HowAlways), true, 1},
		{"no", engine.Person, answer(gate.HowRefused), false, 1},
		{"nothing said", engine.Person, answer(""), false, 1},
		{"an answer that is none", engine.Person, answer("surely"), false, 1},
		{"nobody there", engine.Person, func(runner.Request) (gate.How, error) { return gate.HowOnce, runner.ErrNobody }, false, 1},
		{"no approver", engine.Person, nil, false, 0},
		{"a model", engine.Model, answer(gate.HowOnce), false, 0},
		{"a tool", engine.Tool, answer(gate.HowAlways), false, 0},
		{"the zero actor", "", answer(gate.HowOnce), false, 0},
		{"the person went elsewhere", engine.Person, func(runner.Request) (gate.How, error) {
			moved.at = t.TempDir()
			return gate.HowOnce, nil
		}, false, 1},
	} {
		s := open(t, "", c.kind, c.ans)
		moved = s
		r, err := s.RunModel(t.Context(), runner.Line{Text: "touch made"})
		if c.runs != (err == nil) || c.runs != s.has("made") || s.asked != c.asked {
			t.Errorf("%s: %v, made %t, asked %d times", c.name, err, s.has("made"), s.asked)
		}
		want := `"act":"run"`
		if !c.runs {
			want = `"act":"refuse"`
			if fault.KindOf(err) != fault.Refused {
				t.Errorf("%s: kind %v of %v", c.name, fault.KindOf(err), err)
			}
		} else if r.Exit != 0 {
			t.Errorf("%s: exit %d", c.name, r.Exit)
		}
		if got := s.audit(t); strings.Count(got, "\n") != 1 || !strings.Contains(got, want) {
			t.Errorf("%s: audit %s", c.name, got)
		}
	}
}

// TestLastingYes: a yes for the session or for good is not asked for again, and no
// approver can give one that lasts for a danger.
func TestLastingYes(t *testing.T) {
	t.Parallel()
	for _, how := range []gate.How{gate.HowSession, gate.HowAlways} {
		s := open(t, "", engine.Person, answer(how))
		for range 2 {
			if _, err := s.RunModel(t.Context(), runner.Line{Text: "touch made"}); err != nil {
				t.Fatalf("%s: %v", how, err)
			}
		}
		if s.asked != 1 {
			t.Errorf("%s: asked %d times", how, s.asked)
		}
		s = open(t, "", engine.Person, func(q runner.Request) (gate.How, error) {
			if q.Session || q.Always {
				t.Errorf("%s: a danger may be approved: %+v", how, q)
			}
			return how, nil
		})
		if err := os.Mkdir(filepath.Join(s.dir, "kept"), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := s.RunModel(t.Context(), runner.Line{Text: "rm -rf kept"}); fault.KindOf(err) != fault.Refused || !s.has("kept") {
			t.Errorf("%s: %v, kept %t", how, err, s.has("kept"))
		}
		if s.has("approvals.jsonl") {
			t.Errorf("%s: a danger is approved for good", how)
		}
	}
}

// TestOutputIsMasked: what a line prints is masked, live and captured; what is safe needs
// no approver.
func TestOutputIsMasked(t *testing.T) {
	t.Parallel()
	key := "ghp_" + strings.Repeat("a1B2", 9)
	s := open(t, "", engine.Person, nil)
	if err := os.WriteFile(filepath.Join(s.dir, "note"), []byte("the key is "+key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var live bytes.Buffer
	r, err := s.RunModel(t.Context(), runner.Line{Text: "cat note", Live: &live})
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"live": live.String(), "captured": r.Output} {
		if strings.Contains(got, key) || !strings.Contains(got, "the key is ") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestRulesAreTold: the subscriber is told each rule that a line meets, a model's and the
// person's own; such a rule has it asked about.
func TestRulesAreTold(t *testing.T) {
	t.Parallel()
	rule := `{"id":1,"ts":"2026-03-01T10:00:00Z","kind":"rule","content":"never list on Fridays","match":["ls","*"],"raise":"caution"}`
	s := open(t, rule+"\n", engine.Person, answer(gate.HowRefused))
	_, err := s.RunModel(t.Context(), runner.Line{Text: "ls -l"})
	if fault.KindOf(err) != fault.Refused || s.asked != 1 || fmt.Sprint(s.rules) != "[never list on Fridays]" {
		t.Errorf("%v, asked %d times, told %q", err, s.asked, s.rules)
	}
	s.Typed(t.Context(), "ls -l")
	if len(s.rules) != 2 {
		t.Errorf("told %q", s.rules)
	}
}

// TestApproverFails: what kept the person from answering ends the run with that error.
func TestApproverFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("the terminal is gone")
	s := open(t, "", engine.Person, func(runner.Request) (gate.How, error) { return gate.HowOnce, broken })
	if _, err := s.RunModel(t.Context(), runner.Line{Text: "touch made"}); !errors.Is(err, broken) || s.has("made") {
		t.Errorf("%v, made %t", err, s.has("made"))
	}
}
