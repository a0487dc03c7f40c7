package teach

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

func TestDev(t *testing.T) {
	name := os.Getenv("TEACH")
	if name == "" {
		t.Skip()
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	type key struct{ lang, label string }
	ok, all := map[string]int{}, map[string]int{}
	kinds, texts, n := 0, 0, 0
	want := map[string]string{"explicit": "keep", "implicit": "propose", "correction": "correct", "forget": "forget", "none": "none"}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var q struct{ ID, Text, Lang, Label, Kind, Content string }
		if json.Unmarshal(sc.Bytes(), &q) != nil {
			continue
		}
		if l := os.Getenv("TONGUE"); l != "" && l != q.Lang {
			continue
		}
		r := Read(q.Text)
		all[q.Label]++
		good := r.Act.String() == want[q.Label] || q.Label == "none" && r.Act == Hint
		if good {
			ok[q.Label]++
		} else {
			fmt.Printf("%s %-10s %-8s %s %q -> %q\n", q.Lang, q.Label, r.Act, r.Tongue, q.Text, r.Text)
		}
		if good && q.Content != "" && r.Act != Forget {
			n++
			if string(r.Kind) == q.Kind {
				kinds++
			} else if os.Getenv("V") != "" {
				fmt.Printf("   kind %s want %s: %q\n", r.Kind, q.Kind, q.Text)
			}
			if r.Text == q.Content {
				texts++
			} else if os.Getenv("V") != "" {
				fmt.Printf("   text %q\n   want %q\n", r.Text, q.Content)
			}
		}
	}
	for l := range all {
		fmt.Printf("%-10s %d/%d\n", l, ok[l], all[l])
	}
	fmt.Println("kinds", kinds, "texts", texts, "of", n)
}
