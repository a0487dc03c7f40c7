package repl

import (
	"os"
	"strings"
	"testing"
)

// corpus reads lines of testdata; half is 0 for those that the rules were made by, 1
// for those that were held back from that.
func corpus(t *testing.T, file string, half int) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		if i%2 == half {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestSentencesDoNotRun: of the sentences that begin with the name of a program none
// is run, in either half of the list (F4).
func TestSentencesDoNotRun(t *testing.T) {
	t.Parallel()
	for half := range 2 {
		ran, all := 0, corpus(t, "sentences.txt", half)
		for _, line := range all {
			if intent, _ := Dispatch(line, testContext()); intent != Say {
				ran++
				t.Errorf("half %d: %q runs", half, line)
			}
		}
		t.Logf("half %d: %d of %d sentences run", half, ran, len(all))
	}
}

// TestCommandsRun: everyday command lines run without a sigil, but for one in fifty.
func TestCommandsRun(t *testing.T) {
	t.Parallel()
	for half := range 2 {
		said, all := 0, corpus(t, "commands.txt", half)
		for _, line := range all {
			if intent, _ := Dispatch(line, testContext()); intent != Exec {
				said++
				t.Logf("half %d: %q goes to the model", half, line)
			}
		}
		if said*50 > len(all) {
			t.Errorf("half %d: %d of %d commands go to the model, want 2 %% at most", half, said, len(all))
		}
		t.Logf("half %d: %d of %d commands go to the model", half, said, len(all))
	}
}
