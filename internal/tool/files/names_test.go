package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/tool/edit"
)

// TestNames: a name that is written in another form of Unicode means the file that is there; one with line breaks is
// shown on one line, also in a difference; one that ends as a directory does makes no file; what the system
// says of a file comes with its name alone.
func TestNames(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	const two, one = "cafe\u0301.txt", "caf\u00e9.txt"
	path := g.write("work/"+two, "a\n")
	if at := g.find(one, true); at.Path != path && at.Path != filepath.Join(filepath.Dir(path), one) || !at.There {
		t.Errorf("%+v", at)
	}
	g.write("work/"+one, "b\n")
	for _, name := range []string{one, two} {
		if at := g.find(name, true); !strings.HasSuffix(at.Path, name) {
			t.Errorf("%+q means %+q", name, at.Path)
		}
	}
	const broken = "a.txt\n@@ -1,1 +1,1 @@\n-x\n+y"
	g.write("work/"+broken, "a\n")
	at := g.find(broken, true)
	c, err := g.Edit(nil, at, edit.Want{Old: "a\n", New: "b\n"})
	if err != nil || strings.Contains(at.Name, "\n") || strings.Count(c.Diff, "\n") != 5 || strings.Contains(c.Done, "\n") {
		t.Errorf("%q %q %q, %v", at.Name, c.Diff, c.Done, err)
	}
	g.write("work/d/f", "a\n")
	if c, err = g.Edit(nil, g.find("d/f", true), edit.Want{Old: "a\n", New: "b\n"}); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(g.Dir, "d")); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(); err == nil || err.Error() != "not written: d/f: no such file or directory" {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"new/", "deep/new/", "./new//"} {
		if at, err := g.Find(name, true); err == nil {
			t.Errorf("%s means %+v", name, at)
		}
	}
	if err := os.Mkdir(filepath.Join(g.Dir, "there"), 0o700); err != nil {
		t.Fatal(err)
	}
	if at := g.find("there/", true); !at.Dir {
		t.Errorf("%+v", at)
	}
}
