package teach

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLines: lines of each language, ACT|LINE, are read as that act.
func TestLines(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/lines/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for row := range strings.Lines(string(text)) {
			act, line, ok := strings.Cut(strings.TrimSpace(row), "|")
			if !ok {
				t.Errorf("%s: %q is no ACT|LINE", file, row)
			}
			if got := Read(line); got.Act.String() != act {
				t.Errorf("%s: %s: %s (%q), want %s", filepath.Base(file), line, got.Act, got.Text, act)
			}
		}
	}
}

// TestEmptyFrames: a frame that fits without taking a word ends no reading.
func TestEmptyFrames(t *testing.T) {
	t.Parallel()
	tongue, err := readTongue("xx", "[keep]\nremember @\n[link]\n,\n[cut]\n,\nplease?\n[tail]\n,\n[lead]\n,\n")
	if err != nil {
		t.Fatal(err)
	}
	line := "remember, tea, is green"
	tokens, after := tokenize(line)
	r := &reading{line: line, tokens: tokens, after: after, tongue: tongue}
	r.split()
	if got := r.read(mostSteps); got.Act != Keep || got.Text != "tea, is green" {
		t.Errorf("%+v", got)
	}
}

// TestSpentSteps: a line for which the steps do not suffice is nothing, in any language and
// wherever they end: a pattern that could not be compared is not one that does not fit.
func TestSpentSteps(t *testing.T) {
	t.Parallel()
	lines := []string{
		"remember that the lift is closed", "remember when we took the lift", "he said: remember that the lift is closed",
		"never take the lift",
		"maybe we should always take the stairs", "forget the lift", "forget this message",
		"forget what I said about the lift, it is repaired",
		"no, the lift is on floor 4 now", "we take the stairs, and my brother said never to take the lift",
		"please fix the lift. we always use the stairs",
		strings.Repeat("never, ", 40) + "remember that maybe he said no", strings.Repeat("vergiss ", 60) + "das nicht", strings.Repeat("请记住", 40),
	}
	kept := 0
	for _, line := range lines {
		tokens, after := tokenize(line)
		for _, read := range tongues() {
			tongue := read()
			r := &reading{line: line, tokens: tokens, after: after, tongue: tongue}
			r.split()
			full := r.read(mostSteps)
			needs := mostSteps - r.work.steps
			if full.Act == Keep {
				kept++
			}
			for _, steps := range []int{0, 1, needs / 7, needs / 3, needs / 2, needs * 9 / 10, needs - 2, needs - 1} {
				if steps >= needs {
					continue // it has no word that any frame needs: nothing can run out
				}
				if got := r.read(steps); got != (Reading{}) || !r.barred {
					t.Errorf("%q in %s with %d steps of %d: %+v, barred: %t", line, tongue.name, steps, needs, got, r.barred)
				}
			}
			if got := r.read(needs); got != full {
				t.Errorf("%q in %s: %+v, want %+v", line, tongue.name, got, full)
			}
		}
	}
	if kept == 0 {
		t.Error("none of the lines is kept with all steps")
	}
}

// TestLongestLine: a wish as long as a line may be is read, and has steps to spare.
func TestLongestLine(t *testing.T) {
	t.Parallel()
	for _, words := range []string{
		"the lift is closed ", "we never, ever use it; and so on. ",
		"der Aufzug steht immer still, und wir nicht ",
	} {
		line := "remember that " + strings.Repeat(words, (MaxLine-20)/len(words))
		if got := Read(line); got.Act != Keep {
			t.Errorf("%.60q: %v", line, got.Act)
		}
	}
}
