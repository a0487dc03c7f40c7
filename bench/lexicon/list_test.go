package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// small is a WordNet of a few words.
func small() fstest.MapFS {
	file := func(lines ...string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("  1 a licence\n" + strings.Join(lines, "\n") + "\n")}
	}
	return fstest.MapFS{
		"data.noun": file(
			"00000001 13 n 02 beverage 0 hot_drink 0 003 ~ 00000002 n 0000 ~ 00000003 n 0000 + 00000009 v 0101 | any liquid",
			"00000002 13 n 01 tea 0 002 @ 00000001 n 0000 ~ 00000004 n 0000 | made of leaves",
			"00000003 13 n 01 Moxie 0 001 @ 00000001 n 0000 | nobody says it",
			"00000004 13 n 01 oolong 0 001 @ 00000002 n 0000 | half of it black",
			"00000005 06 n 01 tea 1 000 | a meal, and rarely meant",
			"00000006 06 n 01 supper 0 001 ~ 00000005 n 0000 | a meal",
			"00000007 06 n 02 meal 0 repast 0 000 | what is eaten",
			"00000008 06 n 01 art 0 000 | the making of pictures",
		),
		"data.verb": file("00000009 34 v 01 drink 0 001 + 00000001 n 0101 01 + 02 00 | take in a liquid"),
		"data.adj": file("00000010 00 s 02 dry(p) 0 parched 0 001 & 00000011 a 0000 | without water",
			"00000011 00 a 01 thirsty 0 001 & 00000010 s 0000 | in need of a drink"),
		"data.adv": file("00000012 02 r 01 soon 0 000 | in a short time"),
		"index.sense": file(
			"art%1:06:00:: 00000008 1 40", "beverage%1:13:00:: 00000001 1 40",
			"drink%2:34:00:: 00000009 1 50", "dry%5:00:00:wet:00 00000010 1 40",
			"hot_drink%1:13:00:: 00000001 1 40",
			"meal%1:06:00:: 00000007 1 300", "moxie%1:13:00:: 00000003 1 0",
			"oolong%1:13:00:: 00000004 1 40", "parched%5:00:00:wet:00 00000010 1 40",
			"repast%1:06:00:: 00000007 1 31",
			"soon%4:02:00:: 00000012 1 40", "supper%1:06:00:: 00000006 1 60",
			"tea%1:13:00:: 00000002 1 60", "tea%1:06:00:: 00000005 2 2",
			"thirsty%3:00:00:: 00000011 1 40",
		),
	}
}

// TestList: a word calls up what means the same, is a kind of it, is made of it or is like
// it; not what nobody says, what is several words, nor what has that meaning rarely.
func TestList(t *testing.T) {
	t.Parallel()
	n, err := readNet(small())
	if err != nil {
		t.Fatal(err)
	}
	l := newList(n)
	l.says = map[string]int{l.stem("meal"): 3, l.stem("soon"): 5}
	l.words()
	l.names("name1,relationship,name2\nmichael,has_nickname,mike\nmichael,has_nickname,mick\nmelissa,has_nickname,mel\n" +
		"melanie,has_nickname,melly\narthur,has_nickname,art\nmichael,has_nickname,mike\n")
	var b bytes.Buffer
	l.write(&b)
	want := `beverag 10 drink tea oolong
dri 10 parch thirsti
drink 10 beverag
meal 3
mel 10 melissa melani
melani 10 melli mel
melissa 10 mel
melli 10 melani
michael 10 mike mick
mick 10 michael
mike 10 michael
oolong 10 tea
parch 10 dri thirsti
repast 10 
soon 5
tea 10 oolong beverag
thirsti 10 dri parch
`
	want = strings.ReplaceAll(want, "repast 10 \n", "") // what it calls up says little
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// TestSays: the words that are counted most often say little.
func TestSays(t *testing.T) {
	t.Parallel()
	n, err := readNet(small())
	if err != nil {
		t.Fatal(err)
	}
	l := newList(n)
	if l.says[l.stem("meal")] != 3 || len(l.says) > sayFive || l.known[l.stem("meal")] != 303 {
		t.Errorf("%v, known %v", l.says, l.known)
	}
}

// TestRunAgain: the same sources give the same list; a broken one is named.
func TestRunAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, f := range small() {
		if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names, out := filepath.Join(dir, "names.csv"), filepath.Join(dir, "out")
	if err := os.WriteFile(names, []byte("michael,has_nickname,mike\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var first []byte
	for range 3 {
		if err := run(dir, names, out); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(out)
		if err != nil || first != nil && !bytes.Equal(b, first) || !bytes.Contains(b, []byte("mike 10 michael\n")) {
			t.Fatalf("%v, first %q, then %q", err, first, b)
		}
		first = b
	}
	if err := run(dir, filepath.Join(dir, "none"), out); err == nil {
		t.Error("no error without names")
	}
	for name, line := range map[string]string{"data.verb": "00000009 34 v zz drink", "index.sense": "tea 1 2"} {
		files := small()
		files[name] = &fstest.MapFile{Data: []byte(line + "\n")}
		if _, err := readNet(files); err == nil || !strings.Contains(err.Error(), name+":1:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
