//go:build unix

package shelltest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/ttytest"
)

var updateScreens = flag.Bool("update-screens", false, "write the screens that the tests see to testdata/screens")

// shows waits until the screen is the one in testdata/screens/NAME.txt.
func shows(x *clitest.Terminal, name string) {
	x.Shows(filepath.Join("testdata", "screens", name+".txt"), *updateScreens)
}

// longAnswer is a model's answer with most of what answers are made of.
const longAnswer = "To find **big files**, use `du` and sort what it says:\n\n```sh\n# the ten largest\ndu -ah . | sort -rh | head -n 10\n```\n\n" +
	"| tool | what it does | notes |\n|:-----|:------------:|------:|\n| du | disk usage of *files* | 日本語 |\n| ncdu | interactive | install it first |\n\n" +
	"1. Run the line above.\n2. Look at the [manual](https://man7.org/linux/man-pages/man1/du.1.html) for `du -x`, which stays on one file system, so that what is mounted below it is not counted twice.\n\nCMD: du -ah . | sort -rh | head -n 10\n"

// pieces cuts a text as a model would send it.
func pieces(text string) llmtest.Script {
	return llmtest.Text(regexp.MustCompile(`(?s)\s*\S{1,7}`).FindAllString(text, -1)...)
}

// screenAt starts ken on a terminal of that size, with a clock that stands.
func screenAt(t *testing.T, dir string, rows, cols int, model *llmtest.Server, env ...string) *clitest.Terminal {
	t.Helper()
	cmd := clitest.Command(t, dir, model)
	cmd.Env = append(append(cmd.Env, "KEN_NOW=2026-05-10T12:00:00Z", "LANG=C.UTF-8", "TERM=xterm-256color"), env...)
	return clitest.On(t, ttytest.OpenSized(t, cmd, rows, cols))
}

// TestScreenFirstStart: what a person sees who starts ken for the first time and has
// no model.
func TestScreenFirstStart(t *testing.T) {
	t.Parallel()
	x := screenAt(t, t.TempDir(), 24, 80, nil, "KEN_TEST_LOCAL=none")
	x.Await("]> ")
	x.Send("how do I find big files?\r")
	x.Await("Nothing is known about that.")
	x.Await("]> ")
	x.Send(":remember the staging host is kettle\r")
	x.Await("]> ")
	x.Send("which host is staging?\r")
	x.Await("(2026-05-10, user)")
	x.Await("]> ")
	x.Send(":rember x\r")
	x.Await("]> ")
	x.Send("cd ./nowhere\r") // not a place of the machine: it may be there
	x.Await("]> ")
	shows(x, "first_start")
	x.Quit()
}

// TestScreenAnswer: an answer with a table, code, a list, a link and a command, on
// narrow, usual and wide terminals, and without colours.
func TestScreenAnswer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		rows, cols int
		env        []string
		colours    bool
	}{
		{"answer_60", 40, 60, nil, true},
		{"answer_80", 40, 80, nil, true},
		{"answer_200", 30, 200, nil, true},
		{"answer_no_color", 40, 80, []string{"NO_COLOR=1"}, false},
		{"answer_dumb", 40, 80, []string{"TERM=dumb"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			model := llmtest.New(t, pieces(longAnswer))
			x := screenAt(t, t.TempDir(), test.rows, test.cols, model, test.env...)
			x.Await("]> ")
			x.Send("how do I find big files?\r")
			x.Await("CMD: ")
			x.Await("[N] no > ")
			x.Send("n\r")
			x.Await("]> ")
			shows(x, test.name)
			if coloured := regexp.MustCompile(`\x1b\[([1-79]|3[0-8]|4[0-8]|9[0-7])[;m]`).MatchString(x.Raw()); coloured != test.colours {
				t.Errorf("coloured: %t: %q", coloured, x.Text())
			}
			x.Quit()
		})
	}
}

// TestScreenMemoryList: the list of memories, of a resumed conversation, and an error
// of the model.
func TestScreenMemoryList(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken := llmtest.Raw(`{"error":{"message":"the model is not loaded"}}`)
	broken.Status, broken.ContentType = 500, "application/json"
	model := llmtest.New(t, llmtest.Text("It is kettle.example.org."), broken)
	settings := filepath.Join(dir, "ken", "config.toml")
	if err := errors.Join(os.MkdirAll(filepath.Dir(settings), 0o700),
		os.WriteFile(settings, []byte("[context]\nenvironment = false\n"), 0o600)); err != nil { // it is another one elsewhere
		t.Fatal(err)
	}
	x := screenAt(t, dir, 24, 80, model)
	for _, line := range []string{
		":remember the staging host is kettle.example.org", ":memory add pref answers are short, and never end with a summary of what was said",
		":remember --pin 日本語の資料 are in ~/docs", ":remember --here tests are run with make check",
	} {
		x.Await("]> ")
		x.Send(line + "\r")
		x.Await("(undo: ")
	}
	x.Await("]> ")
	x.Send("\x0c") // Ctrl-L clears the screen
	x.Send(":memory list\r")
	x.Await("kettle")
	x.Await("]> ")
	shows(x, "memory_list")
	x.Send("which host is staging?\r")
	x.Await("kettle.example.org.")
	x.Await("]> ")
	x.Send(":save trip\r")
	x.Await("saved ")
	x.Await("]> ")
	x.Quit()

	x = screenAt(t, dir, 24, 80, model)
	x.Await("]> ")
	x.Send(":resume trip\r")
	x.Await("going on with trip")
	x.Await("]> ")
	x.Send(":history\r")
	x.Await("It is kettle.example.org.")
	x.Await("]> ")
	x.Send("and now?\r")
	x.Await("not loaded")
	x.Await("]> ")
	shows(x, "resume_and_error")
	x.Quit()
}

// TestE20ScreenWidths: notes, lists, an error with what to do and a question at the widths
// that terminals have: nothing is broken inside a word, and what is to be typed is whole.
func TestE20ScreenWidths(t *testing.T) {
	t.Parallel()
	for _, cols := range []int{20, 40, 80, 200} {
		t.Run(fmt.Sprint(cols), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			x := screenAt(t, dir, 60, cols, nil, "KEN_TEST_LOCAL=none")
			for _, line := range []string{
				":remember --scope repo:example.org/me/tea the leaves are kept in the second drawer from the left",
				":remember the staging host is kettle",
				":memory list", ":memory show 1", ":recall staging", ":memory shwo", ":forget kettle",
			} {
				x.Await("> ")
				x.Send(line + "\r")
			}
			x.Await("[N] no > ")
			x.Send("n\r")
			x.Await("> ")
			shows(x, fmt.Sprintf("widths_%d", cols))
		})
	}
}
