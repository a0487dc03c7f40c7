package extract

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/memory"
	"ken/internal/teach"
)

// readerLines are lines as people type them, of all acts: those of package teach, and some with what
// only one of two readers would see.
func readerLines(t *testing.T) (list []string) {
	t.Helper()
	files, err := filepath.Glob("../../teach/testdata/lines/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("lines of teach: %v, %v", files, err)
	}
	for _, name := range append(files, "testdata/sentences.txt") {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			line = strings.TrimRight(line, "\n")
			if line == "" || line[0] == '#' {
				continue
			}
			if parts := strings.Split(line, "|"); !strings.HasPrefix(line, "- ") && len(parts) > 1 {
				line = parts[len(parts)-1]
			}
			line, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- "), " => ")
			list = append(list, line)
		}
	}
	return append(list,
		"remember that the guest wlan is heron-guest", "from now on answer in metric units", "no, the port is 4712 now",
		"forget what I said about the port, it is 4712", "forget the port", "forget everything about Tom", "what do you know about Tom?",
		"the build is broken again", "we use pnpm here, and npm breaks the lockfile", "Merk dir, dass der Drucker im Keller steht",
		"recuerda que la clave está en la caja fuerte", "let's see", "fix the parser", "I live in Rome. Where is the next station?",
	)
}

// TestOneReader: what a conversation is read for, and what the shell does with a line, is one reading: the
// same verdict, kind and text for every line. What was quoted at length, and secrets, are no candidates.
func TestOneReader(t *testing.T) {
	t.Parallel()
	lines := readerLines(t)
	kept := 0
	for _, line := range lines {
		shell := teach.Read(line)
		want := shell.Act == teach.Keep || shell.Act == teach.Propose || shell.Act == teach.Correct
		list := PassagesOf([]Said{{Role: "user", Content: line}})
		if len(list) != 1 || list[0].Text != line {
			if got := Stated(list); len(got) > 0 && !want {
				t.Errorf("%q: %+v, and the shell keeps nothing", line, got)
			}
			continue // something in it is another's
		}
		got := Stated(list)
		switch {
		case !want && len(got) > 0:
			t.Errorf("%q: %+v, and the shell keeps nothing (%v)", line, got, shell.Act)
		case want && len(got) == 0:
			if len(Candidates([]Line{{Kind: memory.KindFact, Content: shell.Text}}, list)) > 0 {
				t.Errorf("%q is nothing, and the shell: %+v", line, shell)
			}
		case want:
			kept++
			kind := shell.Kind
			if kind == memory.KindRule {
				kind = memory.KindPref // that is for the person to say
			}
			if got[0].Kind != kind || got[0].Content != shell.Text || got[0].Origin != memory.OriginUser {
				t.Errorf("%q: %+v, the shell: %+v", line, got[0], shell)
			}
		}
	}
	t.Logf("%d lines, %d with something to keep", len(lines), kept)
	if kept < 100 {
		t.Errorf("%d of %d lines have something to keep", kept, len(lines))
	}
}
