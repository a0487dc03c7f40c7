//go:build unix

package cli_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/llm/llmtest"
)

var updateScreens = flag.Bool("update-screens", false, "write the screens that the tests see to testdata/screens")

// shows waits until the screen is the one in testdata/screens/NAME.txt, cell by cell
// but for blanks at the ends of lines.
func (x *terminal) shows(name string) {
	x.t.Helper()
	path := filepath.Join("testdata", "screens", name+".txt")
	if *updateScreens {
		time.Sleep(time.Second) // a person looks at what is written
		x.mu.Lock()
		defer x.mu.Unlock()
		if err := os.WriteFile(path, []byte(x.cells()), 0o600); err != nil {
			x.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		x.t.Fatal(err)
	}
	late := false
	timeout := time.AfterFunc(patience, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		late = true
		x.grown.Broadcast()
	})
	defer timeout.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for x.cells() != string(want) {
		if late || x.closed {
			x.t.Fatalf("the screen is not that of %s (-want +got):\n%s", path, cmp.Diff(string(want), x.cells()))
		}
		x.grown.Wait()
	}
}

// cells is the text on the screen.
func (x *terminal) cells() string {
	lines := strings.Split(x.screen.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	text := strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
	return regexp.MustCompile(`127\.0\.0\.1:\d{5}`).ReplaceAllString(text, "127.0.0.1:PORT_") // as wide
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
func screenAt(t *testing.T, dir string, rows, cols int, model *llmtest.Server, env ...string) *terminal {
	t.Helper()
	cmd := kenCommand(t, dir, model)
	cmd.Env = append(append(cmd.Env, "KEN_NOW=2026-05-10T12:00:00Z", "LANG=C.UTF-8", "TERM=xterm-256color"), env...)
	return (&terminal{t: t, cmd: cmd, high: rows, wide: cols}).start()
}

func (x *terminal) leave() {
	x.t.Helper()
	x.send(":quit\r")
	if code := x.exit(); code != 0 {
		x.t.Errorf("exit code %d", code)
	}
}

// TestScreenFirstStart: what a person sees who starts ken for the first time and has
// no model.
func TestScreenFirstStart(t *testing.T) {
	t.Parallel()
	x := screenAt(t, t.TempDir(), 24, 80, nil, "KEN_TEST_LOCAL=none")
	x.await("]> ")
	x.send("how do I find big files?\r")
	x.await("Nothing is known about that.")
	x.await("]> ")
	x.send(":remember the staging host is kettle\r")
	x.await("]> ")
	x.send("which host is staging?\r")
	x.await("(2026-05-10, user)")
	x.await("]> ")
	x.send(":rember x\r")
	x.await("]> ")
	x.send("cd /nowhere\r")
	x.await("]> ")
	x.shows("first_start")
	x.leave()
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
			x.await("]> ")
			x.send("how do I find big files?\r")
			x.await("CMD: ")
			x.await("[N]o > ")
			x.send("n")
			x.await("]> ")
			x.shows(test.name)
			if coloured := regexp.MustCompile(`\x1b\[([1-79]|3[0-8]|4[0-8]|9[0-7])[;m]`).MatchString(x.text()); coloured != test.colours {
				t.Errorf("coloured: %t: %q", coloured, x.text())
			}
			x.leave()
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
	x := screenAt(t, dir, 24, 80, model)
	for _, line := range []string{
		":remember the staging host is kettle.example.org", ":memory add pref answers are short, and never end with a summary of what was said",
		":remember --pin 日本語の資料 are in ~/docs", ":remember --here tests are run with make check",
	} {
		x.await("]> ")
		x.send(line + "\r")
		x.await("(undo: ")
	}
	x.await("]> ")
	x.send("\x0c") // Ctrl-L clears the screen
	x.send(":memory list\r")
	x.await("kettle")
	x.await("]> ")
	x.shows("memory_list")
	x.send("which host is staging?\r")
	x.await("kettle.example.org.")
	x.await("]> ")
	x.send(":save trip\r")
	x.await("saved ")
	x.await("]> ")
	x.leave()

	x = screenAt(t, dir, 24, 80, model)
	x.await("]> ")
	x.send(":resume trip\r")
	x.await("going on with trip")
	x.await("]> ")
	x.send(":history\r")
	x.await("It is kettle.example.org.")
	x.await("]> ")
	x.send("and now?\r")
	x.await("not loaded")
	x.await("]> ")
	x.shows("resume_and_error")
	x.leave()
}
