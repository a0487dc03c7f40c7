package crowd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/proctest"
)

// playing says as which program this test binary runs.
const playing = "KEN_TEST_PLAYING"

// TestMain lets this test binary be the programs that are talked to.
func TestMain(m *testing.M) {
	switch os.Getenv(playing) {
	case "":
		os.Exit(m.Run())
	case "server":
		serve(os.Stdin, os.Stdout, os.Getenv("MEMORY_FILE_PATH"))
	case "lines":
		fmt.Println("ready")
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			if strings.Contains(in.Text(), "no") {
				fmt.Println("not that")
				continue
			}
			fmt.Println("kept")
		}
	case "obey":
		if err := Obey(context.Background(), os.Getenv("KEN_TEST_HOME"), os.Stdin, os.Stdout, time.Now); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "mute":
	}
	os.Exit(0)
}

// serve is a memory server that keeps every entity but the second, which it
// acknowledges all the same, and refuses what says "no".
func serve(in io.Reader, out io.Writer, file string) {
	asked := bufio.NewScanner(in)
	kept := 0
	for asked.Scan() {
		var m struct {
			ID     *int
			Method string
			Params struct {
				Arguments struct{ Entities []struct{ Name string } }
			}
		}
		if err := json.Unmarshal(asked.Bytes(), &m); err != nil || m.ID == nil {
			continue
		}
		if m.Method == "initialize" {
			fmt.Fprintln(out, `{"jsonrpc":"2.0","method":"notifications/hello"}`)
			fmt.Fprintf(out, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n", *m.ID)
			continue
		}
		name := m.Params.Arguments.Entities[0].Name
		said, isError := "created "+name, false
		switch {
		case strings.Contains(name, "no!"):
			fmt.Fprintf(out, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"error\":{\"message\":\"broken\"}}\n", *m.ID)
			continue
		case strings.Contains(name, "no"):
			said, isError = "not that", true
		case strings.Contains(name, "twice"):
			said = "[]"
		default:
			if kept++; kept == 2 {
				break
			}
			f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				panic(err)
			}
			fmt.Fprintf(f, "{\"type\":\"entity\",\"name\":%q}\n", name)
			_ = f.Close()
		}
		fmt.Fprintf(out, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[{\"type\":\"text\",\"text\":%q}],\"isError\":%v}}\n", *m.ID, said, isError)
	}
}

func program(t *testing.T, play string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := proctest.Self(t)
	cmd.Env = append(append(cmd.Env, playing+"="+play), env...)
	return cmd
}

// TestServer counts what a server acknowledged, refused and lost.
func TestServer(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "graph")
	w, err := Serve(program(t, "server", "MEMORY_FILE_PATH="+file))
	if err != nil {
		t.Fatal(err)
	}
	o, err := Run(t.Context(), []Writer{w}, [][]string{{"a", "b", "no", "no!", "twice", "c"}}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	there, err := Entities(f)
	if err != nil {
		t.Fatal(err)
	}
	lost := o.Lost(func(text string) bool { return there[text] })
	if len(o.Kept) != 3 || o.Refused != 3 || o.Reason != "not that" || lost != 1 {
		t.Errorf("%+v, %d lost; want 3 kept of which 1 is lost, and 3 refused", o, lost)
	}
}

// TestEntities reads what it can of a damaged file.
func TestEntities(t *testing.T) {
	t.Parallel()
	const file = `{"type":"entity","name":"a","observations":["a"]}
{"type":"entity","na{"type":"entity","name":"b"}
{"type":"relation","name":"c"}
{"type":"entity","name":"d"}`
	there, err := Entities(strings.NewReader(file))
	if err != nil || len(there) != 2 || !there["a"] || !there["d"] {
		t.Errorf("%v, %v; want a and d", there, err)
	}
}

// TestLines talks to several programs at the same time.
func TestLines(t *testing.T) {
	t.Parallel()
	var all []Writer
	for range 3 {
		w, err := Start(program(t, "lines"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	o, err := Run(t.Context(), all, [][]string{{"a", "b"}, {"c", "no"}, {"no"}}, time.Now)
	if err != nil || len(o.Kept) != 3 || o.Refused != 2 || o.Reason != "not that" {
		t.Errorf("%+v, %v; want 3 kept and 2 refused", o, err)
	}
	for _, w := range all {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSilent: a program that ends without an answer is a fault, not a refusal.
func TestSilent(t *testing.T) {
	t.Parallel()
	if _, err := Start(program(t, "mute")); err == nil || !strings.Contains(err.Error(), `said "", want ready`) {
		t.Errorf("error %v, want one that says what was said", err)
	}
	if _, err := Serve(program(t, "mute")); err == nil || !strings.Contains(err.Error(), "read its answer: EOF") && !strings.Contains(err.Error(), "pipe") {
		t.Errorf("error %v, want one that says there was no answer", err)
	}
	nowhere := filepath.Join(t.TempDir(), "ken")
	o, err := Run(t.Context(), []Writer{Command(func(ctx context.Context, text string) *exec.Cmd {
		return proctest.CommandContext(t, ctx, nowhere, text)
	})}, [][]string{{"a", "b"}}, time.Now)
	if err == nil || len(o.Kept)+o.Refused > 0 {
		t.Errorf("%+v, %v; want nothing and an error", o, err)
	}
}

// TestCommand takes the exit code for the answer.
func TestCommand(t *testing.T) {
	t.Parallel()
	w := Command(func(ctx context.Context, text string) *exec.Cmd {
		return proctest.CommandContext(t, ctx, "/bin/sh", "-c", `echo "$0: well"; test "$0" != no`, text)
	})
	o, err := Run(t.Context(), []Writer{w}, [][]string{{"a", "no", "b"}}, time.Now)
	if err != nil || strings.Join(o.Kept, "") != "ab" || o.Refused != 1 || o.Reason != "exit status 1: no: well" {
		t.Errorf("%+v, %v; want a and b kept and one refused", o, err)
	}
}

// TestObey: two that hold one memory open lose nothing of each other's, and an
// empty text is refused.
func TestObey(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	var all []Writer
	for range 2 {
		w, err := Start(program(t, "obey", "KEN_TEST_HOME="+home))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	o, err := Run(t.Context(), all, [][]string{{"the kettle is red", "the cup is blue"}, {"the pot is green", " ", "the lid is white"}}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range all {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(home, "memory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lost := o.Lost(func(s string) bool { return bytes.Contains(text, []byte(s)) })
	if len(o.Kept) != 4 || lost != 0 || o.Refused != 1 {
		t.Errorf("%+v, %d lost; want 4 kept and one refused\n%s", o, lost, text)
	}
}
