//go:build linux || darwin

package shelltest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// bounded fails unless a card that was printed since text is in at most so many rows as one has, says how many more there
// are and which key shows them, and that is how many there are.
func bounded(t *testing.T, name, text string) {
	t.Helper()
	const most = 60
	text = regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(text, "")
	rows := strings.Count(text, "\n  | ")
	said := regexp.MustCompile(`\n  \.\.\. ([0-9]+) rows of ([0-9]+) not shown: m shows all\r?\n`).FindStringSubmatch(text)
	if said == nil {
		t.Fatalf("%s: not said how many more rows there are, in %d:\n%.3000s", name, rows, text)
	}
	left, _ := strconv.Atoi(said[1]) // digits
	all, _ := strconv.Atoi(said[2])
	if rows > most || rows+left != all || all <= most {
		t.Errorf("%s: %d rows are shown, and %q", name, rows, said[0])
	}
}

// TestR91Bounded: whatever a model asks for (a change of ten thousand places, a command line without an end, another one of so
// many lines with what a terminal obeys in them, the arguments of a server's tool) stands above its question in at most 60 rows,
// with how many more there are; m shows all of it a screen at a time, and the question stands again. A yes is for the whole. In a
// run as in a question.
func TestR91Bounded(t *testing.T) {
	t.Parallel()
	const lines = 10_000
	dir, at := t.TempDir(), project(t)
	file := filepath.Join(at, "a.txt")
	clitest.Write(t, file, strings.Repeat("an old line\n", lines))
	long := "touch made; : " + strings.Repeat("x ", 1<<15) + "last"
	many := strings.Repeat(": \x1b[2J\u202e\n", lines) + "touch last"
	text, err := json.Marshal(map[string]string{"text": strings.Repeat("a line\n", lines)})
	if err != nil {
		t.Fatal(err)
	}
	model := llmtest.New(t,
		calls("ae", many), llmtest.Text("GOAL: complete"),
		llmtest.Call("aa", "edit_file", `{"path":"a.txt","old":"old","new":"new","all":true}`), llmtest.Text("One."),
		calls("ab", long), llmtest.Text("Two."),
		calls("ac", many), llmtest.Text("Three."),
		llmtest.Call("ad", "plain__echo", string(text)), llmtest.Text("Four."),
		llmtest.Text("CMD: "+long+"\nCMD: ls\n"))
	clitest.Configure(t, dir, "[tools]\n[models.test]\nbase_url = \""+model.URL+"\"\nmodel = \"m\"\n"+served(t, dir))
	cmd := clitest.Command(t, dir, model)
	cmd.Dir = at
	x := clitest.Open(t, cmd)
	x.Await("]> ")
	for _, c := range []struct{ line, card, question, key, then string }{
		{":auto do it", "halted: ", "[m] more  [q] quit the run  [N] skip it > ", "n", "auto: done"},
		{"change it", "a.txt, +10000 -10000:", "[N] no > ", "y", "One."},
		{"a long one", "the model wants to run", "[m] more  [N] no > ", "yes\r", "Two."},
		{"many", "the model wants to run", "[m] more  [N] no > ", "n", "Three."},
		{"call it", "plain.echo:", "[N] no > ", "n", "Four."},
		{"offer it", "the model offers to run, 1 of 2", "[c] copy  [N] no > ", "\x03", "was not asked about"},
	} {
		x.Send(c.line + "\r")
		x.Await(c.card)
		bounded(t, c.line, x.Await(c.question))
		x.Send("m")
		x.Await("page 1 of ")
		x.Send("\r")
		x.Await("page 2 of ")
		x.Send("q")
		x.Await(c.question)
		x.Send(c.key)
		x.Await(c.then)
		x.Await("]> ")
	}
	x.Quit()
	if strings.Contains(x.Raw(), "\x1b[2J\u202e") {
		t.Error("what a terminal obeys reached it")
	}
	if got, err := os.ReadFile(file); err != nil || strings.Count(string(got), "new") != lines {
		t.Errorf("%d places were changed, %v", strings.Count(string(got), "new"), err)
	}
	for name, want := range map[string]bool{"made": true, "last": false} {
		if exists(at, name) != want {
			t.Errorf("%s is there: %v", name, !want)
		}
	}
}
