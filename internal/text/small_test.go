package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSmallWords: each language that ken is taught in has its words, in the spelling in which they are asked.
func TestSmallWords(t *testing.T) {
	t.Parallel()
	tables, err := filepath.Glob("../teach/tables/*.txt")
	if err != nil || len(tables) < 10 {
		t.Fatal(tables, err)
	}
	for _, path := range tables {
		if name := strings.TrimSuffix(filepath.Base(path), ".txt"); !strings.Contains(smallText, "\n["+name+"]\n") {
			t.Errorf("%s has no small words", name)
		}
	}
	for line := range dataLines(smallText) {
		if line[0] == '[' {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			if !Small(FoldWord(word)) {
				t.Errorf("%q is not found", word)
			}
		}
	}
	if b, err := os.ReadFile("small.txt"); err != nil || string(b) != smallText {
		t.Error("the file is not what is embedded", err)
	}
}

// TestCore: what is left of a wish is what it is about, however it is asked.
func TestCore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want string
		said []string
	}{
		{"convert csv json", []string{
			"convert csv to json please", "please convert this CSV to JSON again",
			"could you convert another csv to json?", "Converting a new csv to json",
		}},
		{"csv json konvertieren", []string{"bitte csv in json konvertieren", "Kannst du noch eine neue CSV zu JSON konvertieren?"}},
		{"convertir csv json", []string{"convertir le csv en json s'il te plaît", "peux-tu convertir encore un autre CSV en JSON"}},
		{"convertir csv json", []string{"¿puedes convertir otro csv a json?", "convertir csv a json, por favor"}},
		{"csv json 変 換", []string{"csvをjsonに変換してください", "もう一度CSVをJSONに変換して"}},
		{"csv json 换 转", []string{"请把csv转换json", "再帮我把另一个 CSV 转换成 JSON 吧"}},
		{"", []string{"ok", "yes please", "danke", "do it again", "もう一度", "1 2 3"}},
	} {
		for _, s := range c.said {
			if diff := cmp.Diff(c.want, strings.Join(Core(s), " ")); diff != "" {
				t.Errorf("%q (-want +got):\n%s", s, diff)
			}
		}
	}
}
