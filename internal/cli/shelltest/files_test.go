//go:build unix

package shelltest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// filesIn are files that questions name.
func filesIn(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"main.go": "package main\n", "notes two.txt": "tea\n", "src/deep.txt": "x\n",
		"large.txt": strings.Repeat("the kettle boils at a hundred degrees\n", 1500) + "and that is all\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		clitest.Write(t, path, text)
	}
}

// TestGCompletion: what Tab offers behind "@", in a question and in :ask, and nowhere else.
func TestGCompletion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filesIn(t, dir)
	x := screenAt(t, dir, 24, 80, llmtest.New(t))
	for _, c := range []struct{ typed, want string }{
		{"what is @ma\t", "what is @main.go"},
		{"@no\t", `@notes\ two.txt`},
		{`@notes\ t` + "\t", `@notes\ two.txt`},
		{`see @"no` + "\t", `see @"notes two.txt"`},
		{"what is @sr\t", "what is @src/"},
		{"what is @src/de\t", "what is @src/deep.txt"},
		{"what is @~/ma\t", "what is @~/main.go"},
		{":ask what is @ma\t", ":ask what is @main.go"},
		{"mail ada@ma\t", "mail ada@ma"},
		{"what is main\t", "what is main"},
	} {
		x.AwaitRow("[ken:test ~]>")
		x.Send(c.typed)
		x.AwaitRow("[ken:test ~]> " + c.want)
		x.Send("\x03")
	}
	x.AwaitRow("[ken:test ~]>")
	x.Send(":quit\r")
	x.AwaitEnd()
}

// TestGScreens: what a person sees of files in a question, of a question that does not fit, and of
// what is refused, on terminals of three widths.
func TestGScreens(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 80, 200} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			filesIn(t, dir)
			model := llmtest.New(t)
			model.Always(llmtest.Text("Yes."))
			clitest.Configure(t, dir, "[models.test]\nbase_url = \""+model.URL+"\"\nmodel = \"m\"\ncontext_tokens = 8192\n")
			x := screenAt(t, dir, 40, width, nil)
			x.Await("]> ")
			x.Send("what is @main.go in @src?\r")
			x.Await("Yes.")
			x.Await("]> ")
			x.Send("sum up @large.txt\r")
			x.Await("[N] do not send it > ")
			x.Send("n")
			x.Await("]> ")
			x.Send("\x10") // nothing is lost: it is in the history
			x.Await("sum up @large.txt")
			x.Send("\r")
			x.Await("[N] do not send it > ")
			x.Send("y")
			x.Await("Yes.")
			x.Await("]> ")
			x.Send("what is @/dev/null\r")
			x.Await("a device")
			x.Await("]> ")
			x.Send("and @gone.txt?\r")
			x.Await("Yes.")
			x.Await("]> ")
			shows(x, fmt.Sprintf("files_%d", width))
			reqs := model.Requests()
			if len(reqs) < 3 {
				t.Fatalf("%d requests", len(reqs))
			}
			if cut := string(reqs[1].Body); !strings.Contains(cut, "and that is all") || !strings.Contains(cut, "left out ...]") || len(cut) > 34000 {
				t.Errorf("of what is cut %d bytes were sent", len(cut))
			}
			x.Quit()
		})
	}
}

// TestGPlain: on a terminal without an editor the same holds, and what was not sent is put aside.
func TestGPlain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filesIn(t, dir)
	model := llmtest.New(t)
	model.Always(llmtest.Text("Yes."))
	clitest.Configure(t, dir, "[models.test]\nbase_url = \""+model.URL+"\"\nmodel = \"m\"\ncontext_tokens = 8192\n")
	tmp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	x := screenAt(t, dir, 30, 80, nil, "TERM=dumb", "LC_ALL=C", "NO_COLOR=1", "TMPDIR="+tmp)
	x.Await("]> ")
	x.Send("sum up @large.txt\r")
	x.Await("[N] do not send it > ")
	x.Send("\r")
	x.Await("is kept for a week in")
	x.Await("]> ")
	x.Send("what is @main.go\r")
	x.Await("attached main.go")
	x.Await("Yes.")
	x.Await("]> ")
	kept, err := filepath.Glob(filepath.Join(dir, "ken", "drafts", "*", "question.txt"))
	if err != nil || len(kept) != 1 || len(model.Requests()) != 1 {
		t.Errorf("%q, %v, %d requests", kept, err, len(model.Requests()))
	}
	x.Send(":quit\r")
	x.AwaitEnd()
}
