//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/jsonl"
	"ken/internal/llm/llmtest"
	"ken/internal/recall"
	"ken/internal/tokens"
)

// writeLog writes a memory of these contents below dir.
func writeLog(t *testing.T, dir string, contents ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	for i, text := range contents {
		fmt.Fprintf(&log, `{"id":%d,"ts":"2026-05-01T12:00:00Z","kind":"fact","content":%q}`+"\n", i+1, text)
	}
	if err := os.WriteFile(filepath.Join(dir, "ken", "memory.jsonl"), []byte(log.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestS82Budget: of 500 memories that have to do with a question those go with it
// that fit, and 20 times the same in the same order.
//
//ken:indexed
func TestS82Budget(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var texts []string
	for i := range 500 {
		texts = append(texts, fmt.Sprintf("kettle number %d stands in kitchen %d and is of copper", i, i%7))
	}
	writeLog(t, dir, texts...)
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	first := ""
	for i := range 20 {
		if out, err := clitest.Command(t, dir, model, "ask", "which kettle is of copper?").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		msgs := model.Requests()[i].Messages()
		block, _, ok := strings.Cut(msgs[1].Content, "\n\nwhich kettle")
		switch n := tokens.Estimate(block); {
		case !ok || n > 800 || n < 200 || !strings.HasPrefix(block, recall.ActivationHeader):
			t.Fatalf("%d tokens:\n%s", n, block)
		case strings.Count(block, "\n- ") > 12:
			t.Fatalf("%d items", strings.Count(block, "\n- "))
		case i == 0:
			first = block
		case block != first:
			t.Fatalf("run %d:\n%s\nat first:\n%s", i+1, block, first)
		}
	}
	out, err := clitest.Command(t, dir, model, "ask", "--budget", "100", "which kettle is of copper?").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	block, _, _ := strings.Cut(model.Requests()[20].Messages()[1].Content, "\n\nwhich kettle")
	if n := tokens.Estimate(block); n > 100 || n < 50 {
		t.Errorf("%d tokens of 100:\n%s", n, block)
	}
}

// TestS85Index: the same goes with a question whether the index is there, new, gone
// or damaged.
//
//ken:indexed
func TestS85Index(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var texts []string
	for i := range 2500 { // an index is kept from 2,000 on
		texts = append(texts, fmt.Sprintf("kettle number %d stands in kitchen %d", i, i%911))
	}
	writeLog(t, dir, texts...)
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	n := 0
	ask := func() string {
		t.Helper()
		out, err := clitest.Command(t, dir, model, "ask", "what stands in kitchen 77?").CombinedOutput()
		if err != nil || string(out) != "ok\n" {
			t.Fatalf("%v\n%s", err, out)
		}
		if err := os.Remove(filepath.Join(dir, "ken", "usage.jsonl")); err != nil {
			t.Fatal(err)
		}
		n++
		return model.Requests()[n-1].Messages()[1].Content
	}
	index := func() []string {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(dir, "ken", "cache", "index", "*", "memory-*.seg"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	want := ask()
	if !strings.Contains(want, "kitchen 77\n") || !strings.HasPrefix(want, recall.ActivationHeader) {
		t.Fatalf("sent:\n%s", want)
	}
	for tries := 0; len(index()) == 0; tries++ { // the stamp of a new file is not sure yet
		if tries == 50 {
			t.Fatal("no index was made")
		}
		ask()
	}
	if got := ask(); got != want {
		t.Errorf("with the index:\n%s\nwithout:\n%s", got, want)
	}
	for _, damage := range []func(string) error{
		func(path string) error { return os.Truncate(path, 100) },
		func(path string) error { return os.WriteFile(path, []byte("nothing of the kind"), 0o600) },
		os.Remove,
	} {
		for _, path := range index() {
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
		}
		if got := ask(); got != want {
			t.Errorf("with a damaged index:\n%s\nwithout:\n%s", got, want)
		}
	}
}

// TestS85LockHeld: who holds the lock of the data directory costs an answer its
// record and nothing else.
//
//ken:indexed
func TestS85LockHeld(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeLog(t, dir, "install with pnpm")
	lock, err := jsonl.LockDir(t.Context(), filepath.Join(dir, "ken"), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lock.Unlock() })
	model := llmtest.New(t, llmtest.Text("fine"))
	cmd := clitest.Command(t, dir, model, "ask", "how do I install?")
	var said strings.Builder
	cmd.Stderr = &said
	began := time.Now()
	out, err := cmd.Output()
	if err != nil || string(out) != "fine\n" {
		t.Errorf("%v, answered %q", err, out)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	if !strings.Contains(said.String(), "ken: warning: ") || strings.Contains(said.String(), "memories this answer had") {
		t.Errorf("stderr: %s", said.String())
	}
}

// TestR249Footer: under an answer stands how many memories shaped it, for a person
// who looks at it and does not mind.
//
//ken:indexed
func TestR249Footer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeLog(t, dir, "install with pnpm", "the kettle is red")
	model := llmtest.New(t)
	model.Always(llmtest.Text("fine"))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send("how do I install?\r")
	x.Await("[ken] shaped by the fact \"install with pnpm\"; 1 more was sent (why: :why)")
	x.Await("]> ")
	x.Send(":why\r")
	x.Await("in the start-up block")
	x.Await("[1] install with pnpm")
	x.Await("words: install")
	x.Await("]> ")
	x.Send(":why-not 2\r")
	x.Await("[2] was given to")
	x.Await("]> ")
	x.Send(":quit\r")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x = clitest.Start(t, dir, model, "-q")
	x.Await("]> ")
	x.Send("how do I install?\r")
	x.Await("fine")
	x.Await("]> ")
	x.Send(":quit\r")
	x.Exit()
	if strings.Contains(x.Text(), "shaped by") {
		t.Errorf("told to somebody who wants quiet:\n%s", x.Text())
	}
	if out, err := clitest.Command(t, dir, model, "ask", "install?").CombinedOutput(); err != nil || strings.Contains(string(out), "shaped") {
		t.Errorf("%v: told to a pipe:\n%s", err, out)
	}
}

// TestWhyUnsaved: an answer of a conversation that is in no file can be asked about
// while it lasts.
//
//ken:indexed
func TestWhyUnsaved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeLog(t, dir, "install with pnpm")
	if err := os.WriteFile(filepath.Join(dir, "ken", "config.toml"), []byte("[session]\nautosave = false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	model := llmtest.New(t)
	model.Always(llmtest.Text("fine"))
	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	x.Send(":why\r")
	x.Await("no answer was given in this project yet")
	x.Await("]> ")
	x.Send("how do I install?\r")
	x.Await("shaped by")
	x.Await("]> ")
	x.Send(":why\r")
	x.Await("[1] install with pnpm")
	x.Await("words: install")
	x.Await("]> ")
	x.Send(":why 9\r")
	x.Await("this conversation has no answer at turn 9")
	x.Await("]> ")
	x.Send(":quit\r")
	x.Exit()
}

// TestWhyFoldsNothing: what tells of an answer with which memories it was given is
// read from the index, where there is one: what the process allocates for it hardly
// depends on how many there are. Its table takes 300 bytes for each, folding 800 more.
//
//ken:indexed
func TestWhyFoldsNothing(t *testing.T) {
	t.Parallel()
	const few, many = 2000, 6000
	dirs := map[int]string{few: t.TempDir(), many: t.TempDir()}
	model := llmtest.New(t)
	model.Always(llmtest.Text("ok"))
	ask := func(n int, index string, args ...string) (allocated int, told string) {
		t.Helper()
		cmd := clitest.Command(t, dirs[n], model, append(append([]string{"ask"}, args...), "what stands in kitchen 77?")...)
		path := filepath.Join(dirs[n], "allocated")
		cmd.Env = append(cmd.Env, "KEN_TEST_ALLOCATED="+path, "KEN_NOW=2026-05-10T12:00:00Z", "KEN_INDEX="+index)
		if args == nil { // on a terminal
			x := clitest.Open(t, cmd)
			x.Await("shaped by")
			if code := x.Exit(); code != 0 {
				t.Fatalf("exit code %d", code)
			}
			told = x.Text()
		} else {
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			told = string(out)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if allocated, err = strconv.Atoi(string(text)); err != nil {
			t.Fatal(err)
		}
		return allocated, unnamed(told)
	}
	for n, dir := range dirs {
		texts := make([]string, n)
		for i := range texts {
			texts[i] = fmt.Sprintf("kettle number %d stands in kitchen %d", i, i)
		}
		writeLog(t, dir, texts...)
		ask(n, "always", "--json") // makes the index
	}
	for _, args := range [][]string{nil, {"--json"}, {"--explain-context"}} {
		small, _ := ask(few, "always", args...)
		large, told := ask(many, "always", args...)
		if large-small > 600*(many-few) {
			t.Errorf("%q: %d bytes allocated for %d memories, %d for %d", args, large, many, small, few)
		}
		if _, plain := ask(many, "never", args...); told != plain {
			t.Errorf("%q: with the index\n%s\nwithout\n%s", args, told, plain)
		}
	}
}

// unnamed is an answer without the name of its session, and without the sign of
// waiting that a slow machine shows.
func unnamed(told string) string {
	told = strings.ReplaceAll(regexp.MustCompile(`([\x{2800}-\x{28ff}] waiting for [^\x1b\r\n]*)?\r?\x1b\[K`).ReplaceAllString(strings.ReplaceAll(told, "\r\n", "\n"), ""), "\r", "")
	return regexp.MustCompile(`[0-9]{8}T[0-9]{6}Z-[0-9a-f]{4,}`).ReplaceAllString(told, "SESSION")
}
