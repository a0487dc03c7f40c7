package term

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/models"
	"ken/internal/repl"
	"ken/internal/session"
)

// run is an Run in a home of its own, with what it printed.
type run struct {
	*Run
	out, err bytes.Buffer
}

func newRun(t *testing.T, settings string, env ...string) *run {
	t.Helper()
	home := t.TempDir()
	if settings != "" {
		if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := &run{}
	r.Run = New(Env{
		Stdout: &r.out, Stderr: &r.err, Dir: home, Local: []string{},
		Now: func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) },
		Getenv: func(name string) string {
			for i := 0; i < len(env); i += 2 {
				if env[i] == name {
					return env[i+1]
				}
			}
			return map[string]string{"KEN_HOME": home, "HOME": home}[name]
		},
	})
	return r
}

// TestExitCodes: each kind of error has its exit code, and no hint of a face that is
// not the person's.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	want := map[fault.Kind]int{
		fault.Failure: 1, fault.NotFound: 1, fault.Usage: 2, fault.Model: 3, fault.Refused: 4, fault.Limit: 5,
		fault.Incomplete: 6, fault.Interrupted: 130, fault.NotStarted: 127,
	}
	for k, code := range want {
		if got := exitOf(k); got != code {
			t.Errorf("%v: exit code %d, want %d", k, got, code)
		}
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "programs.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed := []int{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(string(page), -1) {
		code, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, code)
	}
	all := slices.Sorted(maps.Values(want))
	if diff := cmp.Diff(slices.Concat([]int{0}, slices.Compact(all), []int{ExitClosedPipe}), listed); diff != "" {
		t.Errorf("the page of exit codes (-codes +page):\n%s", diff)
	}
	if next := fault.Kind(len(want)); next.String() != fault.Failure.String() {
		t.Errorf("the kind %v is in no table", next)
	}
	r := newRun(t, "")
	r.Report(fault.Usagef("no").WithHint("see %s", fault.Command("why")))
	if got := r.err.String(); got != "ken: error: no\nken: hint: see ken why\n" {
		t.Errorf("on a command line %q", got)
	}
	if code := r.Report(fmt.Errorf("x: %w", Exit(42, errors.New("child")))); code != 42 {
		t.Errorf("the code of a child: %d", code)
	}
}

// TestReport: each error has its exit code and its next step, however deep it
// is wrapped, and what the person did themselves is not told.
func TestReport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		err  error
		code int
		want string
	}{
		{"any", errors.New("no luck"), 1, "ken: error: no luck\n"},
		{"several lines", errors.New("a\nb"), 1, "ken: error: a\nken: error: b\n"},
		{"escapes", errors.New("a\x1b[2Jb"), 1, "ken: error: ab\n"},
		{"usage", fault.Usagef("%d what?", 3), 2, "ken: error: 3 what?\n"},
		{"with a hint", fault.Usagef("what?").WithHint("say %q", "it"), 2, "ken: error: what?\nken: hint: say \"it\"\n"},
		{"wrapped", fmt.Errorf("x: %w", fault.New(fault.Refused, errors.New("no")).WithHint("ask")), 4, "ken: error: x: no\nken: hint: ask\n"},
		{"a code around a known fault", fault.Usagef("x: %w", fs.ErrPermission), 2, "ken: error: x: permission denied\nken: hint: check the owner"},
		{"told", Reported(fault.Usagef("what?")), 2, ""},
		{"told and wrapped", fmt.Errorf("x: %w", Reported(errors.New("no"))), 1, ""},
		{"joined with nil", errors.Join(nil, Reported(errors.New("no"))), 1, ""},
		{"a closed pipe", fmt.Errorf("write: %w", syscall.EPIPE), 141, ""},
		{"cancelled", fmt.Errorf("x: %w", context.Canceled), 130, ""},
		{"interrupted", repl.ErrInterrupted, 130, ""},
		{"nobody there", repl.ErrNoTerminal, 4, "ken: error: nobody to ask: not a terminal\nken: hint: say yes beforehand: add --yes\n"},
		{"no model", newNoModel(t), 3, "ken: error: no model is configured\nken: hint: start one here"},
		{"no such model", newNoSuchModel(t), 2, "ken: error: no preset \"x\": none is configured\n"},
		{"a model without its key", &models.KeyError{Preset: "a", Err: errors.New("no key")}, 3, "ken: error: preset a: no key\n"},
		{"model", &llm.Error{Kind: llm.Auth}, 3, "ken: error: "},
		{"incomplete", &llm.Error{Kind: llm.Incomplete}, 6, "ken: error: "},
		{"cancelled model", &llm.Error{Kind: llm.Cancelled}, 130, ""},
		{"secret", &engine.SecretError{Kinds: []string{"password"}}, 4, "ken: error: "},
		{"kind", &engine.KindError{}, 2, "ken: error: "},
		{"not active", fmt.Errorf("3: %w", engine.ErrNotActive), 1, "ken: error: 3: "},
		{"busy", memory.ErrBusy, 1, "ken: error: "},
		{"foreign", memory.ErrForeign, 1, "ken: error: "},
		{"held", session.ErrHeld, 1, "ken: error: "},
		{"read-only", syscall.EROFS, 1, "ken: error: "},
		{"full", fmt.Errorf("x: %w", syscall.ENOSPC), 1, "ken: error: "},
	} {
		r := newRun(t, "")
		code := r.Report(c.err)
		if code != c.code || !strings.HasPrefix(r.err.String(), c.want) || c.want == "" && r.err.Len() > 0 || r.out.Len() > 0 {
			t.Errorf("%s: exit code %d, told %q, want %d, %q", c.name, code, r.err.String(), c.code, c.want)
		}
	}
	for _, err := range []error{
		engine.ErrNotActive, memory.ErrBusy, memory.ErrForeign, session.ErrHeld, fs.ErrPermission, syscall.EROFS,
		syscall.ENOSPC, syscall.EDQUOT, &llm.Error{Kind: llm.Auth}, &engine.SecretError{}, repl.ErrNoTerminal,
	} {
		if newRun(t, "").NextStep(fmt.Errorf("x: %w", err)) == "" {
			t.Errorf("%v has no next step", err)
		}
	}
	if Reported(nil) != nil {
		t.Error("nothing, told, is an error")
	}
}

func TestVoice(t *testing.T) {
	t.Parallel()
	r := newRun(t, "")
	r.Warn(fmt.Errorf("x: %w", memory.ErrBusy))
	r.Status("%s is up", "a\nb")
	r.Flags.Quiet = true
	r.Status("unheard")
	if err := errors.Join(r.Println("a\x1b[2J\tb"), r.PrintJSON(map[string]string{"k": "\x1b<\u009b"})); err != nil {
		t.Fatal(err)
	}
	wantErr := "ken: warning: x: " + memory.ErrBusy.Error() + "\nken: hint: another ken is writing; try again\n[ken] a\n[ken] b is up\n"
	if diff := cmp.Diff(wantErr, r.err.String()); diff != "" {
		t.Errorf("standard error (-want +got):\n%s", diff)
	}
	if strings.ContainsAny(r.out.String(), "\x1b\u009b") || !strings.HasPrefix(r.out.String(), "a\tb\n{\n") {
		t.Errorf("standard output %q", r.out.String())
	}
	if err := r.PrintJSON(func() {}); err == nil {
		t.Error("a function is JSON")
	}
	quiet := newRun(t, "[ui]\nquiet = true\n")
	if _, err := quiet.Home.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	quiet.Status("unheard")
	if quiet.err.Len() > 0 {
		t.Errorf("said with ui.quiet: %q", quiet.err.String())
	}
}

// TestPreset: which model answers, and why none does.
func TestSettingsWrong(t *testing.T) {
	t.Parallel()
	r := newRun(t, "nonsense = 1\n")
	for _, open := range map[string]func() error{
		"settings": func() error { _, err := r.Home.Settings.Read(); return err },
		"memory":   func() error { _, err := r.Home.Memory.Engine(); return err },
		"preset":   func() error { _, err := r.Home.Models().Preset(""); return err },
		"model":    func() error { _, _, err := r.Home.Models().Ask(t.Context(), "", models.QuestionAlone); return err },
	} {
		if err := open(); err == nil || r.Report(err) != ExitUsage {
			t.Errorf("%v", err)
		}
	}
}

// TestTellProblems: what cannot be read is one line, whatever there is of it, and one with what looks at all of it.
func TestTellProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines int // that cannot be read
		want  []string
	}{
		{0, nil},
		{1, []string{"memory.jsonl: line 2: "}},
		{3, []string{"3 problems, on lines 2, 3, 4; the first: "}},
		{9, []string{"9 problems, on lines 2, 3, 4, 5, 6, 7, 8, 9, ...; the first: "}},
	} {
		r := newRun(t, "")
		if _, err := r.Home.Settings.Read(); err != nil {
			t.Fatal(err)
		}
		text := `{"id":1,"kind":"fact","content":"tea"}` + "\n" + strings.Repeat("{broken\n", c.lines)
		if err := os.WriteFile(r.Home.Settings.Paths().Memory(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := r.Home.Memory.State(t.Context())
		if err != nil || len(s.Items()) != 1 {
			t.Fatal(err)
		}
		r.Home.Memory.TellProblems(s)
		if n := strings.Count(r.err.String(), "\n"); n != 2*len(c.want) {
			t.Errorf("%d bad lines: %d lines told:\n%s", c.lines, n, r.err.String())
		}
		for _, want := range c.want {
			if !strings.Contains(r.err.String(), want) {
				t.Errorf("%d bad lines: no %q in:\n%s", c.lines, want, r.err.String())
			}
		}
	}
}

// inShell is a Shell that counts.
type inShell struct {
	term    repl.Terminal
	changed int
}

func (s *inShell) Terminal() *repl.Terminal { return &s.term }
func (s *inShell) Source() *memory.Source   { return &memory.Source{Session: "s", Turn: 3} }
func (s *inShell) MemoryChanged()           { s.changed++ }
func (s *inShell) Ran() []string            { return nil }
func (s *inShell) WorkingChanged()          {}
func (s *inShell) SessionPath() string      { return "/s" }

func TestShell(t *testing.T) {
	t.Parallel()
	r := newRun(t, "")
	r.Home.Memory.Changed()
	if r.Verb("undo 3") != "ken undo 3" || r.Source() != nil {
		t.Errorf("outside: %q, %v", r.Verb("undo 3"), r.Source())
	}
	s := &inShell{term: repl.Terminal{In: strings.NewReader("y\n"), Err: &r.err, Asks: true}}
	r.Shell = s
	r.Home.Memory.Changed()
	if r.Verb("undo 3") != ":undo 3" || r.Source().Turn != 3 || s.changed != 1 {
		t.Errorf("inside: %q, %v, changed %d times", r.Verb("undo 3"), r.Source(), s.changed)
	}
	if ok, err := r.Person.Confirm(t.Context(), "sure?"); !ok || err != nil || !r.Person.Present() {
		t.Errorf("asked in the shell: %v, %v", ok, err)
	}
	s.term.Asks = false
	if _, err := r.Person.EditText(t.Context(), "a"); r.Person.Present() || err == nil || r.Report(err) != ExitRefused {
		t.Errorf("an editor for nobody: %v", err)
	}
}

func newNoModel(t *testing.T) error {
	t.Helper()
	_, err := newRun(t, "").Home.Models().Preset("")
	return err
}

func newNoSuchModel(t *testing.T) error {
	t.Helper()
	_, err := newRun(t, "").Home.Models().Preset("x")
	return err
}
