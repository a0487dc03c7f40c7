package engine

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"ken/internal/conflict"
	"ken/internal/memory"
)

// TestConflicts: the engine reports of a text and a memory what package conflict finds of two
// texts, with sketches and without, before and after the text is written; in another scope they
// do not conflict.
func TestConflicts(t *testing.T) {
	t.Parallel()
	var all string
	for _, file := range []string{"rivals", "others", "apart", "slots"} {
		b, err := os.ReadFile("../conflict/testdata/" + file + ".txt")
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
		want, _ := conflict.Read(b).Beside(a)
		quoted, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		stated := `{"id":1,"content":` + string(quoted) + `}`
		dir := t.TempDir()
		h.write(dir, stated+"\n")
		for name, e := range map[string]*Writer{"no sketches": newKit(t, stated).Writer, "sketches": h.openSketched(dir)} {
			check := func(r Receipt, err error, want conflict.Relation) {
				got := conflict.None
				if len(r.Near) > 0 {
					got = r.Near[0].Relation
				}
				if err != nil || got != want && r.Same.IsZero() {
					t.Errorf("%s: %q after %q is %v, %v; want %v", name, b, a, got, err, want)
				}
				if got.Contradicts() {
					told++
				}
			}
			d := Draft{Content: b, Near: true}
			r, err := e.Preview(t.Context(), d)
			check(r, err, want)
			d.Scope = "dir:~/elsewhere"
			r, err = e.Preview(t.Context(), d)
			check(r, err, conflict.None)
			d.Scope = ""
			r, err = e.Remember(t.Context(), d)
			check(r, err, want)
		}
	}
	if told < 100 {
		t.Errorf("only %d contradictions were told", told)
	}
}

// TestPreview: nothing is written, and what would be refused is refused.
func TestPreview(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":1,"content":"my editor is vim"}`, `{"id":2,"content":"my editor is helix","valid_from":"2030-01-01T00:00:00Z"}`)
	r, err := k.Preview(t.Context(), Draft{Content: "my editor is ed"})
	if err != nil || len(r.IDs) > 0 || len(r.Near) != 1 || r.Near[0].Ref() != "1" || r.Near[0].Why != "ed or vim" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = k.Preview(t.Context(), Draft{Content: "my editor is vim"}); err != nil || r.Same != memory.Num(1) {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = k.Preview(t.Context(), Draft{Content: "my editor is ed", Supersedes: []memory.ID{memory.Num(1)}}); err != nil || len(r.Near) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err = k.Preview(t.Context(), Draft{Content: " "}); !errors.Is(err, ErrEmpty) {
		t.Errorf("an empty text: %v", err)
	}
	if s, err := k.State(t.Context()); err != nil || s.MaxID("") != 2 {
		t.Errorf("something was written: %v", err)
	}
}

// TestEditFields: fields change, are taken away, and are refused where they say
// nothing.
func TestEditFields(t *testing.T) {
	t.Parallel()
	k := newKit(t, `{"id":1,"content":"tea","key":"k","importance":7,"tags":["a"],"expires":"2030-01-01T00:00:00Z","valid_to":"2029-01-01T00:00:00Z"}`, `{"id":2,"content":"cake"}`)
	key, none, nine, eleven := "leaf", "", 9, 11
	zero, early, late := time.Time{}, time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	ids, nobody, self := []memory.ID{memory.Num(2)}, []memory.ID{memory.Num(77)}, []memory.ID{memory.Num(1)}
	for _, c := range []struct {
		ed   Edit
		want string // of the line, behind its target; else the error
	}{
		{Edit{}, "nothing to change"},
		{Edit{Force: true}, "nothing to change"},
		{Edit{Key: &key, Importance: &nine}, `"key":"leaf","importance":9}`},
		{Edit{Key: &none, Expires: &zero, ValidTo: &zero}, `"key":null,"expires":null,"valid_to":null}`},
		{Edit{ValidFrom: &late}, `"valid_from":"2031-01-01T00:00:00Z"}`},
		{Edit{ValidTo: &early}, "at no time"}, // before the valid_from of the line above
		{Edit{ValidFrom: &late, ValidTo: &early}, "at no time"},
		{Edit{Importance: &eleven}, "must be 1 to 10"},
		{Edit{Supersedes: &ids}, `"supersedes":2}`},
		{Edit{Supersedes: &nobody}, "77: not active"},
		{Edit{Supersedes: &self}, "its own place"},
	} {
		r, err := k.Edit(t.Context(), memory.Num(1), c.ed)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			s, err := k.State(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			ch, _ := s.Line(r.IDs[0])
			got = string(ch.Record.AppendJSON(nil))
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
