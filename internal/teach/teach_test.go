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
	r := &reading{line: line, tokens: tokens, after: after, tongue: tongue, steps: mostSteps}
	r.split()
	if got := r.read(); got.Act != Keep || got.Text != "tea, is green" {
		t.Errorf("%+v", got)
	}
}
