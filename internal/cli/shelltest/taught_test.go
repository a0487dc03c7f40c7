//go:build unix

package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// TestR155Correction: what a correction is about is found, shown and replaced after a yes, and
// stays in the history; where nothing is found, and of what is only stated, a suggestion waits.
// A wish that is half understood gets a line that says what to type. A model hears all of it.
func TestR155Correction(t *testing.T) {
	t.Parallel()
	for _, asked := range []bool{false, true} {
		name := "without a model"
		if asked {
			name = "with a model"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var model *llmtest.Server
			if asked {
				model = llmtest.New(t)
				model.Always(llmtest.Text("fine"))
			}
			x := clitest.Start(t, dir, model)
			says := func(line string, answers ...string) {
				t.Helper()
				x.Await("]> ")
				x.Send(line + "\r")
				for _, want := range answers {
					if want == "y" || want == "n" {
						x.Send(want + "\r")
						continue
					}
					x.Await(want)
				}
				if asked && !strings.HasPrefix(line, ":") {
					x.Await("fine\r\n")
				}
			}
			says("note to self: the kettle is on shelf 3", "[ken] remembered #1 (undo: :undo 1)")
			says("no, the kettle is on shelf 7 now", "- [1] the kettle is on shelf 3", "replace it? [y/N] ", "n", "[ken] nothing was replaced")
			says("no, the kettle is on shelf 7 now", "replace it? [y/N] ", "y", "[ken] remembered #2 in the place of #1 (undo: :undo 2)")
			says("no, the kettle is on shelf 7 now", "replace it? [y/N] ", "y", "[ken] already remembered as #2")
			secret := "password=" + "hunter2" + "Zq9!x"
			says("no, the kettle is on "+secret+" now", "replace it? [y/N] ", "y", "not replaced: not stored: the text seems to hold a secret")
			says(":memory pin 2", "pinned")
			says("no, the kettle is on shelf 9 now", "replace it? [y/N] ", "y", "in the place of #2")
			says("I live in Porto and work mostly at night", "[ken] worth keeping? p1 waits: :review")
			says("no, the zeppelin is called Hilda now", "[ken] worth keeping? p2 waits: :review")
			says("don't forget this", "[ken] to keep something: :remember TEXT; to have something forgotten:")
			says(":memory list", "shelf 9")
			says(":config set memory.auto_extract off", "in force now")
			x.Await("]> ")
			x.Send(":quit\r")
			x.Exit()
			log, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(log), `"supersedes":1`) || strings.Contains(string(log), "Porto") || strings.Contains(string(log), "Hilda") {
				t.Errorf("the memory:\n%s", log)
			}

			_, last, _ := strings.Cut(string(log), "shelf 9")
			if last, _, _ = strings.Cut(last, "\n"); !strings.Contains(last, `"pinned":true`) {
				t.Errorf("what replaces a pinned memory is not pinned:\n%s", log)
			}

			// Who wants nothing extracted is left alone.
			x = clitest.Start(t, dir, model)
			x.Await("]> ")
			x.Send("I live in Lisbon and work mostly at night\r")
			if asked {
				x.Await("fine\r\n")
			}
			x.Await("]> ")
			x.Send(":quit\r")
			x.Exit()
			queue, err := os.ReadFile(filepath.Join(dir, "ken", "review.jsonl"))
			if err != nil || strings.Contains(string(queue), "Lisbon") || !strings.Contains(string(queue), "Porto") {
				t.Errorf("the queue: %v\n%s", err, queue)
			}
		})
	}
}

// TestCorrectionSlip: a slip at the question which memory is meant replaces none, is told,
// and keeps no line from the model.
func TestCorrectionSlip(t *testing.T) {
	t.Parallel()
	for _, asked := range []bool{false, true} {
		name := "without a model"
		if asked {
			name = "with a model"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var model *llmtest.Server
			if asked {
				model = llmtest.New(t)
				model.Always(llmtest.Text("fine"))
			}
			x := clitest.Start(t, dir, model)
			says := func(line, question, answer, told string) {
				t.Helper()
				x.Await("]> ")
				x.Send(line + "\r")
				if question != "" {
					x.Await(question)
					x.Send(answer + "\r")
				}
				x.Await(told)
				if asked {
					x.Await("fine\r\n")
				}
			}
			says("remember that the blue kettle is on shelf 3", "", "", "remembered #1")
			says("remember that the red kettle is on shelf 4", "", "", "remembered #2")
			for _, answer := range []string{"77", "1 2", "both", "all"} {
				says("no, the kettle is on shelf 7 now", "replace which? ", answer, "not replaced: ")
			}
			says("no, the kettle is on shelf 7 now", "replace which? ", "2", "in the place of #2")
			x.Await("]> ")
			x.Send(":quit\r")
			x.Exit()
		})
	}
}

// TestCorrectedContext: what a correction replaced is in nothing that a conversation begins with
// or leaves, whether it was said in that one or in one before, and whoever replaced it.
func TestCorrectedContext(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Configure(t, dir, keeping)
	model := llmtest.New(t)
	model.Always(llmtest.Text("fine"))
	path := filepath.Join(dir, "ken", "working.md")
	recent := func(want, not string) {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(b), want) || strings.Contains(string(b), not) {
			t.Errorf("%v\n%s\nis to have %q, and not %q", err, b, want, not)
		}
	}
	talk := func(lines ...[]string) {
		t.Helper()
		x := clitest.Start(t, dir, model)
		for _, line := range lines {
			x.Await("]> ")
			x.Send(line[0] + "\r")
			for _, answer := range line[1:] {
				x.Await("[y/N] ")
				x.Send(answer + "\r")
			}
			x.Await("fine\r\n")
		}
		x.Await("]> ")
		x.Send(":quit\r")
		x.Exit()
	}
	talk([]string{"note to self: the kettle is on shelf 3"}, []string{"We never deploy on Fridays."}, []string{"how do I get there?"})
	recent("the kettle is on shelf 3", "shelf 7")
	talk([]string{"no, the kettle is on shelf 7 now", "y"})
	recent("We never deploy on Fridays.", "shelf 3")
	reqs := model.Requests()
	if system := reqs[len(reqs)-1].Messages()[0].Content; !strings.Contains(system, "shelf 7") || strings.Contains(system, "shelf 3") {
		t.Errorf("sent with the correction:\n%s", system)
	}
	talk([]string{"note to self: the lamp hangs in bay 4"}, []string{"We always squash commits."},
		[]string{"no, the lamp hangs in bay 8 now", "y"}, []string{"why so?"})
	recent("We always squash commits.", "lamp hangs in bay 4")
	for _, args := range [][]string{
		{"remember", "the key hangs in the hall"},
		{"remember", "the key hangs in the shed"},
		{"memory", "edit", "--supersedes", "5", "6"},
		{"memory", "edit", "6", "the key hangs in the barn"},
	} {
		if args[0] == "memory" {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err = os.WriteFile(path, append(file, "- the key hangs in the hall\n- the key hangs in the shed\n"...), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := clitest.Command(t, dir, nil, args...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	recent("We always squash commits.", "the key hangs in the hall")
	recent("We always squash commits.", "the key hangs in the shed")
}
