package edits

import (
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestNoneWrong: of edits made up in the files of this tree and in two of other languages none
// is wrong, and of each kind that can be told apart most are right.
func TestNoneWrong(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for _, dir := range []string{"../../internal/jsonl", "../../internal/session", "../../docs", "testdata"} {
		more, err := Read(os.DirFS(dir), 60)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range more {
			texts[dir+"/"+name] = text
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	for _, few := range []map[string]string{texts, {"a.py": texts["testdata/queue.py"]}, {"a.ts": texts["testdata/cart.ts"]}} {
		all, err := Make(r, few, 150)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range Measure(r, all, func() time.Time { return time.Time{} }) {
			if row.Wrong > 0 {
				t.Errorf("%s: %d of %d wrong: %v", row.Kind.Name, row.Wrong, row.Cases(), row.Bad)
			}
			most := !row.Kind.Refuse && row.Kind.Name != "all indentation dropped"
			if most && row.Cases() > 20 && 100*row.Right < 90*row.Cases() {
				t.Errorf("%s: %d of %d right", row.Kind.Name, row.Right, row.Cases())
			}
			if row.Kind.Refuse && row.Cases() < 20 {
				t.Errorf("%s: only %d cases", row.Kind.Name, row.Cases())
			}
		}
	}
}

// TestJudged: what is not what was meant is not counted as right.
func TestJudged(t *testing.T) {
	t.Parallel()
	e, ok := makeOne(rand.New(rand.NewPCG(1, 1)), "a", strings.Repeat("one line\n", 3)+"two\n\tthree\nfour\nfive and more\nsix\nseven\n")
	for seed := uint64(0); !ok; seed++ {
		e, ok = makeOne(rand.New(rand.NewPCG(seed, 1)), "a", strings.Repeat("one line\n", 3)+"two\n\tthree\nfour\nfive and more\nsix\nseven\n")
	}
	for _, tt := range []struct {
		meant                string
		right, indent, wrong int
	}{
		{e.Want, 1, 0, 0},
		{"\t" + e.Want, 0, 1, 0},
		{"x" + e.Want, 0, 0, 1},
	} {
		row := Measure(rand.New(rand.NewPCG(1, 1)), []Edit{{Text: e.Text, Old: e.Old, New: e.New, Want: tt.meant}}, time.Now)[0]
		if row.Right != tt.right || row.Indented != tt.indent || row.Wrong != tt.wrong {
			t.Errorf("%+v, want %+v", row, tt)
		}
	}
}

// TestReport: files that are no texts are left out, and none at all is an error.
func TestReport(t *testing.T) {
	t.Parallel()
	var fsys fs.FS = fstest.MapFS{
		"a.bin": {Data: []byte("x")}, "a.go": {Data: []byte("package a\n")}, "b.md": {Data: []byte(strings.Repeat("\xff\n", 50))},
	}
	if err := Report(io.Discard, fsys, 10, time.Now); err == nil {
		t.Error("measured nothing")
	}
	var sb strings.Builder
	if err := Report(&sb, os.DirFS("testdata"), 20, time.Now); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(sb.String(), "20 edits in 2 files") || !strings.Contains(sb.String(), "a word changed (to be refused)") {
		t.Error(sb.String())
	}
}
