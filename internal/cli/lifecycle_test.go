//go:build unix

package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/proctest"

	"ken/internal/cli/clitest"
	"ken/internal/jsonl"
	"ken/internal/llm/llmtest"
	"ken/internal/ttytest"
)

// agedLog writes a memory whose items were stated long before now.
func agedLog(t *testing.T, dir string, lines ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ken", "memory.jsonl"), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// sawThem says that a start has seen them long before now as well.
func sawThem(t *testing.T, dir string) {
	t.Helper()
	seen := `{"ts":"2026-05-01T13:00:00Z","seen":["1-9"]}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "ken", "usage.jsonl"), []byte(seen), 0o600); err != nil {
		t.Fatal(err)
	}
}

const (
	oldKettle = `{"id":1,"ts":"2026-05-01T12:00:00Z","content":"the kettle is red"}`
	oldFlow   = `{"id":2,"ts":"2026-05-01T12:00:00Z","kind":"workflow","content":"release with make dist"}`
	oldGoal   = `{"id":3,"ts":"2026-05-01T12:00:00Z","kind":"decision","content":"we ship on Fridays"}`
	newCup    = `{"id":4,"ts":"2026-07-30T12:00:00Z","content":"the cup is green"}`
	inAugust  = "KEN_NOW=2026-08-01T12:00:00Z"
)

// TestS70Together: several processes that run hygiene at once archive once.
func TestS70Together(t *testing.T) {
	t.Parallel()
	for range 5 {
		dir := t.TempDir()
		agedLog(t, dir, oldKettle, newCup)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				cmd := clitest.Command(t, dir, nil, "memory", "hygiene")
				cmd.Env = append(cmd.Env, inAugust)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			})
		}
		all.Wait()
		text, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte(`"kind":"tier"`)); n != 1 {
			t.Errorf("archived %d times:\n%s", n, text)
		}
		text, err = os.ReadFile(filepath.Join(dir, "ken", "audit.jsonl"))
		if n := bytes.Count(text, []byte("\n")); n != 1 {
			t.Errorf("%v, %d lines of audit:\n%s", err, n, text)
		}
	}
}

// TestS70LockHeld: a shell that is left while another process holds the lock ends soon,
// with one warning about the sweep.
func TestS70LockHeld(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	agedLog(t, dir, strings.Replace(oldKettle, "}", `,"scope":"repo:example.org/me/other"}`, 1), newCup)
	sawThem(t, dir)
	model := llmtest.New(t, llmtest.Text("fine"))
	x := clitest.Command(t, dir, model)
	x.Env = append(x.Env, inAugust)
	in, err := x.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	x.Stderr = &said
	if err := x.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("hello\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := model.Await(1); err != nil {
		t.Fatal(err)
	}
	// The turn has to be on the disk before the lock is taken for good.
	if !proctest.Within(ttytest.Patience, func() bool { return strings.Contains(clitest.Sessions(t, dir), `"role":"assistant"`) }) {
		t.Fatal("the turn was not saved")
	}
	lock, err := jsonl.LockDir(t.Context(), filepath.Join(dir, "ken"), ttytest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := x.Wait(); err != nil {
		t.Errorf("%v: %s", err, said.String())
	}
	if took := time.Since(began); took > ttytest.Patience {
		t.Errorf("it took %v to leave", took)
	}
	if n := strings.Count(said.String(), "ken: warning: memory hygiene was left out"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, said.String())
	}
	if text := clitest.Sessions(t, dir); !strings.Contains(text, `"role":"assistant"`) {
		t.Errorf("the session:\n%s", text)
	}
}

// TestS70Terminal: on a terminal the line stands below what was typed last, and inside
// the shell the commands are those of outside.
func TestS70Terminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	agedLog(t, dir, oldKettle, newCup)
	sawThem(t, dir)
	x := clitest.StartEnv(t, dir, []string{inAugust})
	x.Await("]> ")
	x.Send(":memory hygiene --dry-run\r")
	x.Await("would archive 1 memory: unused for more than 60 days")
	x.Await("]> ")
	x.Send(":memory stats\r")
	x.Await("2 memories: 2 hot, 0 archived, 0 pinned")
	x.Await("]> ")
	x.Send("\x04")
	x.Await("[ken] archived 1 memory (unused for more than 60 days); undo: ken undo 5")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestS73Together: while several processes forget, what is forgotten is on no page when
// the last of them has ended.
func TestS73Together(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var lines []string
	for i := range 12 {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"ts":"2026-07-30T12:00:00Z","content":"thing number %d"}`, i+1, i+1))
	}
	agedLog(t, dir, lines...)
	run := func(args ...string) {
		if out, err := clitest.Command(t, dir, nil, args...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
	run("memory", "page")
	var all sync.WaitGroup
	for i := range 11 {
		all.Go(func() { run("forget", fmt.Sprint(i+1)) })
	}
	all.Wait()
	text, err := os.ReadFile(filepath.Join(dir, "ken", "MEMORY.md"))
	if err != nil || bytes.Count(text, []byte("thing number")) != 1 || !bytes.Contains(text, []byte("- [12] ")) {
		t.Errorf("%v: %s", err, text)
	}
}

// TestS105Asks: apply asks once for what needs no review, and item by item where a
// person has to be asked; a yes is theirs, and each is reported with its undo.
func TestS105Asks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	agedLog(t, dir, oldKettle, oldFlow, oldGoal, newCup)
	if err := os.WriteFile(filepath.Join(dir, "p.json"), []byte(`{"schema_version":"markitect.memory.profile.v1","id":"team-v1",
"retention":{"fact":{"stale_after_days":30}},
"metadata":{"phase_transitions":[{"kind":"workflow","to_phase":"stabilized","reason":"proved"},{"kind":"decision","to_phase":"rigid","reason":"agreed"}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := clitest.Command(t, dir, nil, "memory", "apply", "--profile", "p.json")
	cmd.Env = append(cmd.Env, inAugust)
	x := clitest.Open(t, cmd)
	x.Await("archive 1 memory? [y] yes  [N] no > ")
	x.Send("y\r")
	x.Await("1 of 2: make stabilized #2 (proved): release with make dist")
	x.Await("[N] no > ")
	x.Send("\r")
	x.Await("2 of 2: make rigid #3 (agreed): we ship on Fridays")
	x.Await("[N] no > ")
	x.Send("y")
	x.Await("archived 1 memory: fact: unused for more than 30 days (undo: ken undo 5)")
	x.Await("would ask to make stabilized: proved")
	x.Await("made rigid 1 memory: agreed (undo: ken undo 6)")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"kind":"tier","target":1,"by":"policy:team-v1","tier":"archive"`,
		`"kind":"phase","target":3,"by":"user","phase":"rigid","reason":"agreed"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no line with %s:\n%s", want, text)
		}
	}
	if bytes.Contains(text, []byte(`"target":2`)) {
		t.Errorf("what was answered with no was done:\n%s", text)
	}
}

// TestR356Wizard: a policy is begun by a few questions; Enter takes what is offered.
func TestR356Wizard(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := clitest.Start(t, dir, nil, "memory", "policy", "init", "mine")
	x.Await("archive what was not used for how many days? (Enter: 60) ")
	x.Send("45\r")
	x.Await("(Enter: 30) ")
	x.Send("\r")
	x.Await("(Enter: 5) ")
	x.Send("\r")
	x.Await("(Enter: 48) ")
	x.Send("24\r")
	x.Await("(Enter: 800) ")
	x.Send("\r")
	x.Await("see what it would do: ken memory tidy --policy mine")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ken", "policies", "mine.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"hot_days = 45 ", `older_than = "24h"`, `newer_than = "30d"`, "max_tokens = 800 "} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s:\n%s", want, text)
		}
	}
}

// TestR268Proposals: what compact, stabilize and reset propose counts with a yes, and
// no sooner.
func TestR268Proposals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	agedLog(t, dir, `{"id":1,"content":"the kettle is red and stands on the shelf"}`, `{"id":2,"content":"The kettle is red and stands on the shelf."}`,
		`{"id":3,"kind":"workflow","content":"release with make dist"}`, `{"id":4,"content":"of a project","scope":"repo:example.org/a"}`)
	run := func(args ...string) string {
		out, err := clitest.Command(t, dir, nil, args...).Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	for _, tt := range []struct{ args, want string }{
		{"memory compact", "p1: forget #1: #2 says it too"},
		{"memory compact", "(it waits already)"},
		{"memory stabilize 3", "p2: stabilized #3: fluid, to be stabilized"},
		{"memory reset --scope repo:example.org/a", "p3: forget #4: begin anew: 1 memory of the scope repo:example.org/a"},
		{"memory reset --scope repo:example.org/b --json", "[]"},
		{"memory stats --json", `"waiting": 3`},
	} {
		if out := run(strings.Fields(tt.args)...); !strings.Contains(out, tt.want) {
			t.Errorf("ken %s: %s", tt.args, out)
		}
	}
	before := run("memory", "list", "--json")
	x := clitest.Start(t, dir, nil, "review")
	for _, want := range []string{"forget #1: the kettle", "phase #3: release", "forget #4: of a project"} {
		x.Await(want)
		x.Await("[Enter] next > ")
		x.Send("y")
	}
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	after := run("memory", "list", "--phase")
	if strings.Contains(after, "of a project") || !strings.Contains(after, "[stabilized] release") || strings.Count(after, "kettle") != 1 {
		t.Errorf("before %s, after\n%s", before, after)
	}
}
