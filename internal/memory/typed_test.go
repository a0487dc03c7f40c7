package memory

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTyped: what is printed anywhere is accepted everywhere.
func TestTyped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[2]": "2", "#1": "1", "[#1]": "1", "5,6": "5 6", "5, 6": "5 6", "7-8": "7 8", "#7-#8": "7 8", "[7-8]": "7 8", "(3),": "3",
		"laptop-7f3a/3": "laptop-7f3a/3", "[laptop-7f3a/3]": "laptop-7f3a/3", "laptop-7f3a/3-4": "laptop-7f3a/3 laptop-7f3a/4",
		"[h1a2b3c4d]": "h1a2b3c4d", "#2:": "2", "1; 2": "1 2", "3.": "3", "": "error",
		"x": "error", "2x": "error", "[2": "2", "8-7": "error", "1-200000": "error", "a/b/3": "error", "0": "error", "[]": "error", "-": "error", "7-": "error", "-7": "error",
	} {
		ids, err := ParseTyped(text)
		var got []string
		for _, id := range ids {
			got = append(got, id.String())
		}
		if s := strings.Join(got, " "); err == nil && s != want || (err != nil) != (want == "error") {
			t.Errorf("%q: %q, %v; want %q", text, s, err, want)
		}
	}
	if got := fmt.Sprint(TypedRefs("[p5]", "p6,p7", "[20261122T092234Z-ad86:1]")); got != "[p5 p6 p7 20261122T092234Z-ad86:1]" {
		t.Error(got)
	}
}

// TestTypedRoundTrip: a reference in any of the ways in which it is printed is that
// reference.
func TestTypedRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := Num(rapid.Int64Range(1, MaxID).Draw(t, "n"))
		if rapid.Bool().Draw(t, "hash") {
			id = ID{Hash: isHash | hash(rapid.Uint32().Draw(t, "sum"))}
		}
		if rapid.Bool().Draw(t, "log") {
			id.Log = rapid.StringMatching(`[a-z0-9]{1,9}(-[a-z0-9]{1,4})?`).Draw(t, "name")
		}
		form := rapid.SampledFrom([]string{"%s", "#%s", "[%s]", "[#%s]", "(%s)", "%s,", " %s ", "#%s:", "%s;"}).Draw(t, "form")
		ids, err := ParseTyped(fmt.Sprintf(form, id))
		if err != nil || len(ids) != 1 || ids[0] != id {
			t.Fatalf(form+": %v, %v", id, ids, err)
		}
	})
}

func FuzzParseAll(f *testing.F) {
	for _, s := range []string{"[2]", "1-3,#4", "a/1-2", "h1a2b3c4d", "--", "[[[", "9007199254740992"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ids, err := ParseTyped(text)
		for _, id := range ids {
			if id.IsZero() || err != nil {
				t.Errorf("%q: %v, %v", text, ids, err)
			}
		}
	})
}
