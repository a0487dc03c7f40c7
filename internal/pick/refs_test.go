package pick

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/fault"
	"ken/internal/memory"
)

func TestRefs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		refs string
		want string
	}{
		{"", ""},
		{"3", "3"},
		{"#3", "3"},
		{"3 4 laptop-7f3a/5", "3 4 laptop-7f3a/5"},
		{"h1a2b3c4d", "h1a2b3c4d"},
		{"3-6", "3 4 5 6"},
		{"#3-#5 9", "3 4 5 9"},
		{"4-4", "4"},
	} {
		ids, err := Refs(strings.Fields(c.refs))
		names := make([]string, len(ids))
		for i, id := range ids {
			names[i] = id.String()
		}
		if diff := cmp.Diff(c.want, strings.Join(names, " ")); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", c.refs, err, diff)
		}
	}
	for _, ref := range []string{"", "x", "0", "-1", "3-", "-3", "5-3", "0-3", "1-100001", "3-4-5", "1-99999999999999999999", "[]", "3,x"} {
		if ids, err := Refs([]string{ref}); err == nil {
			t.Errorf("%q names %v", ref, ids)
		}
	}
	if ids, err := Refs([]string{"1-100000"}); err != nil || len(ids) != 100_000 {
		t.Errorf("the longest span: %d ids, %v", len(ids), err)
	}
	for text, want := range map[string]bool{"[2]": true, "2x": true, "#3 4": true, "milk": false, "2 eggs": false, "": false, "[]": false} {
		if AllNumbers([]string{text}) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// FuzzRefs: a reference that is read names the lines that it says, and
// never more than a span may.
func FuzzRefs(f *testing.F) {
	for _, seed := range []string{"3", "#3-#5", "a/3", "h1a2b3c4d", "9007199254740991-9007199254740992", "-", "1-1-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		ids, err := Refs([]string{ref})
		if err != nil {
			if fault.KindOf(err) != fault.Usage {
				t.Errorf("%q: %v is no error in what was typed", ref, err)
			}
			return
		}
		if len(ids) == 0 || len(ids) > 100_000 {
			t.Fatalf("%q names %d lines", ref, len(ids))
		}
		for _, id := range ids {
			if again, err := memory.ParseID(id.String()); err != nil || again != id {
				t.Errorf("%q: %s is read as %s, %v", ref, id, again, err)
			}
		}
	})
}
