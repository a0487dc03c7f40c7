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
	withAndWithout(t, func(p *typist) {
		p.says("note to self: the kettle is on shelf 3", "[ken] remembered #1 (undo: :undo 1)")
		p.says("no, the kettle is on shelf 7 now", "- [1] the kettle is on shelf 3", "replace it? [y] yes  [N] no > ", "n", "[ken] nothing was replaced")
		p.says("no, the kettle is on shelf 7 now", "replace it? [y] yes  [N] no > ", "y", "[ken] remembered #2 in the place of #1 (undo: :undo 2)")
		p.says("no, the kettle is on shelf 7 now", "replace it? [y] yes  [N] no > ", "y", "[ken] already remembered as #2")
		secret := "password=" + "hunter2" + "Zq9!x"
		p.says("no, the kettle is on "+secret+" now", "replace it? [y] yes  [N] no > ", "y", "not replaced: not stored: the text seems to hold a secret")
		p.says(":memory pin 2", "pinned")
		p.says("no, the kettle is on shelf 9 now", "replace it? [y] yes  [N] no > ", "y", "in the place of #2")
		p.says("I live in Porto and work mostly at night", "[ken] worth keeping? p1 waits: :review")
		p.says("no, the zeppelin is called Hilda now", "[ken] worth keeping? p2 waits: :review")
		p.says("don't forget this", "[ken] to keep something: :remember TEXT; to have something forgotten:")
		p.says(":memory list", "shelf 9")
		p.says(":config set memory.auto_extract off", "in force now")
		p.leaves()
		log := p.kept()
		if !strings.Contains(log, `"supersedes":1`) || strings.Contains(log, "Porto") || strings.Contains(log, "Hilda") {
			p.t.Errorf("the memory:\n%s", log)
		}
		_, last, _ := strings.Cut(log, "shelf 9")
		if last, _, _ = strings.Cut(last, "\n"); !strings.Contains(last, `"pinned":true`) {
			p.t.Errorf("what replaces a pinned memory is not pinned:\n%s", log)
		}

		// Who wants nothing extracted is left alone.
		p.says("I live in Lisbon and work mostly at night")
		p.leaves()
		queue, err := os.ReadFile(filepath.Join(p.dir, "ken", "review.jsonl"))
		if err != nil || strings.Contains(string(queue), "Lisbon") || !strings.Contains(string(queue), "Porto") {
			p.t.Errorf("the queue: %v\n%s", err, queue)
		}
	})
}

// TestCorrectionSlip: a slip at the question which memory is meant replaces none, is told,
// and keeps no line from the model.
func TestCorrectionSlip(t *testing.T) {
	t.Parallel()
	withAndWithout(t, func(p *typist) {
		p.says("remember that the blue kettle is on shelf 3", "remembered #1")
		p.says("remember that the red kettle is on shelf 4", "remembered #2")
		for _, answer := range []string{"77", "1 2", "both", "all"} {
			p.says("no, the kettle is on shelf 7 now", "replace which? ", answer, "not replaced: ")
		}
		p.says("no, the kettle is on shelf 7 now", "replace which? ", "2", "in the place of #2")
	})
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
				x.Await("[N] no > ")
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
