package edit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHistory: what was entered is there again, whatever lines it had; blanks, repetitions
// and lines that begin with a blank are not kept.
func TestHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "history")
	h, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []string{"one", "one", "", "  ", " secret", "two\nlines", `back\slash \n`, "one", "größe 日本"} {
		if err := h.Add(e, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Add("not on disk", false); err != nil {
		t.Fatal(err)
	}
	if err := h.Add(strings.Repeat("x", MaxEntry+1), true); err != nil {
		t.Fatal(err)
	}
	want := []string{"one", "two\nlines", `back\slash \n`, "one", "größe 日本"}
	if diff := cmp.Diff(append(want[:len(want):len(want)], "not on disk"), h.Entries()[:6]); diff != "" || len(h.Entries()) != 7 {
		t.Errorf("here (-want +got):\n%s", diff)
	}
	again, err := OpenHistory(path)
	if diff := cmp.Diff(want, again.Entries()); diff != "" || err != nil {
		t.Errorf("%v, read again (-want +got):\n%s", err, diff)
	}
	text, err := os.ReadFile(path)
	if want := "one\ntwo\\nlines\nback\\\\slash \\\\n\none\ngröße 日本\n"; err != nil || string(text) != want {
		t.Errorf("%v, the file is %q", err, text)
	}
	for name, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if fi, err := os.Stat(name); err != nil || fi.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, err, fi.Mode())
		}
	}
}

// TestHistoryBounds: of a long file the newest entries are read; what is in it that
// no person typed is harmless; what cannot be read is an error and an empty history.
func TestHistoryBounds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "history")
	var b strings.Builder
	for i := range MaxEntries + 500 {
		fmt.Fprintf(&b, "entry %d %s\n", i, strings.Repeat("x", 500))
	}
	b.WriteString("\x1b]0;title\aevil\x1b[2J\n\n\xff\ncut off")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	e := h.Entries()
	if n := len(e); n > MaxEntries || n < 5000 {
		t.Errorf("%d entries", n)
	}
	if diff := cmp.Diff([]string{"evil", "\ufffd", "cut off"}, e[len(e)-3:]); diff != "" {
		t.Errorf("the newest (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(e[0], "entry ") {
		t.Errorf("the oldest is a part: %.40q", e[0])
	}
	for _, path := range []string{dir, filepath.Join(path, "below")} {
		h, err := OpenHistory(path)
		if err == nil || len(h.Entries()) != 0 {
			t.Errorf("%s: %v", path, err)
		}
		if err := h.Add("x", true); err == nil || len(h.Entries()) != 1 {
			t.Errorf("%s: added: %v, %d entries", path, err, len(h.Entries()))
		}
	}
}

// TestHistoryTogether: shells that write at the same time lose nothing.
func TestHistoryTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history")
	var all sync.WaitGroup
	for s := range 4 {
		all.Go(func() {
			h, err := OpenHistory(path)
			for i := range 100 {
				if err == nil {
					err = h.Add(fmt.Sprintf("shell %d, line %d\n%s", s, i, strings.Repeat("y", 3000)), true)
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	h, err := OpenHistory(path)
	seen := map[string]bool{}
	for _, e := range h.Entries() {
		seen[e] = true
	}
	if err != nil || len(seen) != 400 {
		t.Errorf("%v, %d entries of 400", err, len(seen))
	}
}

// TestFold: long texts are shown by a few words, which stand for them in full.
func TestFold(t *testing.T) {
	t.Parallel()
	var f folder
	long, wide := strings.Repeat("line\n", 9_999)+"line", strings.Repeat("x", 5_000)
	for _, c := range []struct{ text, want string }{
		{"short", "short"},
		{"a\nb", "a\nb"},
		{long, "[pasted #1: 10,000 lines]"},
		{wide, "[pasted #2: 5,000 characters]"},
		{long, "[pasted #1: 10,000 lines]"},
	} {
		if got := f.fold("pasted", c.text); got != c.want {
			t.Errorf("%.20q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := f.unfold("sum: [pasted #1: 10,000 lines], [pasted #2: 5,000 characters] [pasted #3: 1 lines]"); got != "sum: "+long+", "+wide+" [pasted #3: 1 lines]" {
		t.Errorf("unfolded: %.60q", got)
	}
	entry := f.foldEntry("explain this:\n" + long)
	if entry != "explain this:[and #3: 10,001 lines]" || f.unfold(entry) != "explain this:\n"+long {
		t.Errorf("an entry: %q", entry)
	}
	if got := f.foldEntry(strings.Repeat("é", 3000)); f.unfold(got) != strings.Repeat("é", 3000) || len(got) > 300 {
		t.Errorf("one long line: %q", got)
	}
}

// FuzzFold: nothing is lost by folding.
func FuzzFold(f *testing.F) {
	f.Add("a", 1)
	f.Add("[pasted #1: 3,000 characters]", 3000)
	f.Fuzz(func(t *testing.T, s string, n int) {
		text := clean(strings.Repeat(s, max(0, min(n, 5000)/(len(s)+1))))
		var x folder
		for _, got := range []string{x.unfold(x.fold("pasted", text)), x.unfold(x.foldEntry(text))} {
			if got != text {
				t.Errorf("%.60q of %d bytes came back as %.60q of %d", text, len(text), got, len(got))
			}
		}
	})
}
