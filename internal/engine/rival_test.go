package engine

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"ken/internal/memory"
	"ken/internal/rival"
)

// TestRivals: what package rival tells of two texts is told of a text and the
// memory too, with sketches and without, before and after it is written; and in
// another scope it is no contradiction.
func TestRivals(t *testing.T) {
	t.Parallel()
	var all string
	for _, file := range []string{"rivals", "others", "apart"} {
		b, err := os.ReadFile("../rival/testdata/" + file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		all += string(b)
	}
	h := house{t}
	told := 0
	for line := range strings.Lines(all) {
		a, b, ok := strings.Cut(strings.TrimLeft(strings.TrimSpace(line), "!= "), " | ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		want, _ := rival.Compare(b, a)
		quoted, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		stated := `{"id":1,"content":` + string(quoted) + `}`
		dir := t.TempDir()
		h.write(dir, stated+"\n")
		for name, e := range map[string]*Engine{"no sketches": newKit(t, stated).Engine, "sketches": h.openSketched(dir)} {
			check := func(r Receipt, err error, want rival.Verdict) {
				got := rival.None
				if len(r.Near) > 0 {
					got = r.Near[0].Verdict
				}
				if err != nil || got != want && r.Same.IsZero() {
					t.Errorf("%s: %q after %q is %v, %v; want %v", name, b, a, got, err, want)
				}
				if got == rival.Against {
					told++
				}
			}
			d := Draft{Content: b, Near: true}
			r, err := e.Look(t.Context(), d)
			check(r, err, want)
			d.Scope = "dir:~/elsewhere"
			r, err = e.Look(t.Context(), d)
			check(r, err, rival.None)
			d.Scope = ""
			r, err = e.Remember(t.Context(), d)
			check(r, err, want)
		}
	}
	if told < 100 {
		t.Errorf("only %d contradictions were told", told)
	}
}

// TestLook: nothing is written, and what would be refused is refused.
func TestLook(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":1,"content":"my editor is vim"}`, `{"id":2,"content":"my editor is helix","valid_from":"2030-01-01T00:00:00Z"}`)
	r, err := k.Look(t.Context(), Draft{Content: "my editor is ed"})
	if err != nil || len(r.IDs) > 0 || len(r.Near) != 1 || r.Near[0].Ref() != "1" || r.Near[0].Why != "ed or vim" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = k.Look(t.Context(), Draft{Content: "my editor is vim"}); err != nil || r.Same != memory.Num(1) {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = k.Look(t.Context(), Draft{Content: "my editor is ed", Supersedes: []memory.ID{memory.Num(1)}}); err != nil || len(r.Near) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err = k.Look(t.Context(), Draft{Content: " "}); err != ErrEmpty {
		t.Errorf("an empty text: %v", err)
	}
	if s, err := k.State(t.Context()); err != nil || s.MaxID("") != 2 {
		t.Errorf("something was written: %v", err)
	}
}
