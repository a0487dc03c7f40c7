package rank

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/ranks.txt anew")

// TestGoldenRanks: where the right turns stand among all hits, question by question,
// in their conversation and among all. A change of the ranking shows here; whether it
// is a better one, `make bench-recall` says.
func TestGoldenRanks(t *testing.T) {
	t.Parallel()
	d, err := load("testdata")
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLibrary(d)
	if err != nil {
		t.Fatal(err)
	}
	find := l.find(t.Context(), nil)
	var b strings.Builder
	for i := range d.questions {
		q := &d.questions[i]
		fmt.Fprintf(&b, "%s %s", q.ID, q.Text)
		for _, scope := range []string{q.Conv, ""} {
			found := find(q, scope)
			b.WriteString(" |")
			for _, id := range q.Evidence {
				fmt.Fprintf(&b, " %d", slices.Index(found, id)+1)
			}
		}
		b.WriteString("\n")
	}
	const golden = "testdata/ranks.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
	f := d.figures(find)
	if n := float64(f.n); f.r10/n < 0.95 || f.mrr/n < 0.8 {
		t.Errorf("R@10 %.3f, MRR %.3f", f.r10/n, f.mrr/n)
	}
	if other, own := d.silence(find); other < 0.8 || own > 0 {
		t.Errorf("nothing is found for %.2f of the questions about something else, and for %.2f of the others", other, own)
	}
}

// TestFigures: against figures that were reckoned by hand.
func TestFigures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		found, right string
		want         figures
	}{
		{"a b c", "a", figures{1, 1, 1, 1, 1, 1}},
		{"", "a", figures{n: 1}},
		{"x a", "a b", figures{1, 0.5, 0.5, 0, (1 / math.Log2(3)) / (1 + 1/math.Log2(3)), 0.5}},
		{"1 2 3 4 5 a", "a", figures{1, 0, 1, 0, 1 / math.Log2(7), 1.0 / 6}},
		{"1 2 3 4 5 6 7 8 9 10 a", "a", figures{1, 0, 0, 0, 0, 1.0 / 11}},
	} {
		var f figures
		f.add(strings.Fields(c.found), strings.Fields(c.right))
		if f != c.want {
			t.Errorf("%s, right %s: %+v, want %+v", c.found, c.right, f, c.want)
		}
	}
}

// TestLoad: what cannot be read is told with its line.
func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := load(dir); err == nil {
		t.Error("no file: no error")
	}
	write("turns.jsonl", "{\"id\":\"a\",\"conv\":\"c\",\"date\":\"2025-01-01T10:00\",\"text\":\"x\",\"caption\":\"y\"}\n{")
	write("questions.jsonl", "{\"id\":\"q\",\"conv\":\"c\",\"question\":\"x\",\"evidence\":[\"a\"],\"scored\":true}\n")
	if _, err := load(dir); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a torn line: %v", err)
	}
	write("turns.jsonl", "{\"id\":\"a\",\"conv\":\"c\",\"date\":\"2025-01-01T10:00\",\"text\":\"x\",\"caption\":\"y\"}\n")
	d, err := load(dir)
	if err != nil || d.turns[0].said() != "x y" || len(d.questions) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}
