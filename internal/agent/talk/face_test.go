package talk_test

import (
	"bufio"
	"bytes"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/llm/llmtest"
)

// TestSmallFace: a face that converses is small, and stands on the host, the talk and the app alone; with that it answers, stops,
// does what verbs say, holds several conversations, and goes on with those that were closed to make room.
func TestSmallFace(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("lines_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(src, []byte("\n")); n > 350 {
		t.Errorf("it has %d lines, want at most 350", n)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "lines_test.go", src, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	may := []string{"agent/host", "agent/talk", "agent/turn", "app", "llm", "termsafe"}
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		if short, ours := strings.CutPrefix(path, "ken/internal/"); ours && !slices.Contains(may, short) {
			t.Errorf("it imports %s", path)
		}
	}

	model, home := llmtest.New(t), t.TempDir()
	env := map[string]string{"HOME": home, "KEN_HOME": filepath.Join(home, "ken"), "OPENAI_BASE_URL": model.URL, "KEN_MODEL": "test"}
	memory := app.Open(app.Options{Getenv: func(n string) string { return env[n] }, Now: time.Now, Clock: time.Now, Local: []string{}})
	in, typed := io.Pipe()
	said, out := io.Pipe()
	go func() {
		serve(t.Context(), memory, in, out)
		_ = out.Close()
	}()
	reader := bufio.NewReader(said)
	until := func(want string) (all string) {
		t.Helper()
		for {
			line, err := reader.ReadString('\n')
			if all += line; strings.HasPrefix(line, want) {
				return all
			}
			if err != nil {
				t.Fatalf("%q is not said: %q", want, all)
			}
		}
	}
	send := func(line string) { _, _ = io.WriteString(typed, line+"\n") }
	ask := func(line, end string) string { t.Helper(); send(line); return until(end) }

	model.Add(llmtest.Text("It is blue."))
	if got := ask("a what colour is the boat?", "a."); !strings.Contains(got, "a: It is blue.\n") {
		t.Error(got)
	}
	if got := ask("b /remember my boat is called Annabel", "b."); !strings.Contains(got, "b> remembered #1") {
		t.Error(got)
	}
	if got := ask("b /fly to the moon", "b!"); !strings.Contains(got, `no command "fly"`) {
		t.Error(got)
	}
	model.Add(llmtest.Hang("I begin\n"))
	send("b and now?")
	until("b: I begin")
	model.Add(llmtest.Text("Annabel."))
	if got := ask("c what is my boat called?", "c."); !strings.Contains(got, "c: Annabel.\n") { // a is closed
		t.Error(got)
	}
	if got := ask("b /stop", "b!"); !strings.Contains(got, "stopped") {
		t.Error(got)
	}
	model.Add(llmtest.Text("Still blue."))
	if got := ask("a and now?", "a."); !strings.Contains(got, "a: Still blue.\n") {
		t.Error(got)
	}
	all := model.Requests()
	if last := string(all[len(all)-1].Body); !strings.Contains(last, "It is blue.") || !strings.Contains(last, "what colour") {
		t.Errorf("it is not gone on with: %s", last)
	}
	_ = typed.Close()
	if rest, err := io.ReadAll(reader); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}
