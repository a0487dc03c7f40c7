package typed

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/termsafe"
)

// An entry is what a Reader makes of a line.
type entry struct {
	Text string
	At   Where
}

// entries reads the lines of a text.
func entries(text string) (got []entry) {
	var r Reader
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if e, at, ok := r.Line(line); ok {
			got = append(got, entry{e, at})
		}
	}
	return got
}

// TestAppend: entries come back with where they were typed; where they cannot be said to
// have been typed they have none, and none has that of another.
func TestAppend(t *testing.T) {
	t.Parallel()
	tea := Where{"~/tea", "repo:github.com/me/tea"}
	odd := Where{Dir: `~/a "b" \n größe`}
	var b []byte
	b = Append(b, "brew", tea)
	b = Append(b, "two\nlines", odd)
	b = append(b, "of an older ken\n"...)
	for _, dir := range []string{"", "/bell\a", "/line\nend", "/\xff", "/\x1b[2J", "/" + strings.Repeat("x", maxWhere)} {
		b = Append(b, "nowhere", Where{Dir: dir})
	}
	b = Append(b, "last", Where{Dir: "/"})
	none := entry{"nowhere", Where{}}
	want := []entry{
		{"brew", tea},
		{"two\nlines", odd},
		{"of an older ken", Where{}},
		none, none, none, none, none, none,
		{"last", Where{Dir: "/"}},
	}
	if diff := cmp.Diff(want, entries(string(b))); diff != "" {
		t.Errorf("read (-want +got):\n%s\n%q", diff, b)
	}
	if !strings.HasPrefix(string(b), "\x1b]ken;{\"dir\":\"~/tea\",\"scope\":\"repo:github.com/me/tea\"}\a\nbrew\n") {
		t.Errorf("the file is %q", b)
	}
}

// TestForeign: a line that says where and has lost its entry, is cut off or says
// nothing, makes no entry and places none.
func TestForeign(t *testing.T) {
	t.Parallel()
	line := whereLine(Where{Dir: "/a"}) + "\n"
	for text, want := range map[string][]entry{
		line:                             nil,
		line + line + "x":                {{"x", Where{Dir: "/a"}}},
		line + "x\ny":                    {{"x", Where{Dir: "/a"}}, {"y", Where{}}},
		head + "{\"dir\":1}" + tail:      nil,
		head + tail + "\nx":              {{"x", Where{}}},
		head + `{"dir":"/a` + "\nx":      {{head + `{"dir":"/a`, Where{}}, {"x", Where{}}},
		head + `{"dir":"\u001b"}` + tail: nil,
	} {
		if diff := cmp.Diff(want, entries(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestHolds: what was typed belongs to the repository, else to the directory.
func TestHolds(t *testing.T) {
	t.Parallel()
	for at, want := range map[Where]string{
		{}:                        "",
		{"~/a", ""}:               "dir:~/a",
		{"~/a/b", "dir:~/a"}:      "dir:~/a/b",
		{"~/a", "repo:root-1a2b"}: "repo:root-1a2b",
	} {
		if got := at.Holds(); got != want {
			t.Errorf("%+v: %q, want %q", at, got, want)
		}
	}
}

// FuzzWhere: whatever a directory is called, an entry is one line behind at most one that
// says where; that line is nothing to a ken that knows nothing of it, which takes control
// sequences out of each line; and both come back.
func FuzzWhere(f *testing.F) {
	for _, seed := range []string{"~/tea", `C:\x`, "\x07", "\u009c", "\u2028", "a\nb", "Üß", `\n`, "\x1b\\"} {
		f.Add(seed, "repo:x")
	}
	f.Fuzz(func(t *testing.T, dir, scope string) {
		at := Where{dir, scope}
		text := string(Append(nil, "entry", at))
		lines := strings.Split(text, "\n")
		if len(lines) > 3 || lines[len(lines)-2] != "entry" {
			t.Fatalf("%q", text)
		}
		if len(lines) == 3 {
			if old := termsafe.Clean(Unescape(lines[0])); strings.TrimRight(old, "\n") != "" {
				t.Errorf("an older ken shows %q of %q", old, lines[0])
			}
		} else if at = (Where{}); termsafe.Line(dir) == dir && termsafe.Line(scope) == scope && dir != "" && len(dir+scope) < 1000 {
			t.Errorf("%q, %q is not said", dir, scope)
		}
		if diff := cmp.Diff([]entry{{"entry", at}}, entries(text)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// FuzzEscape: entries come back as they were, each in one line.
func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "a\nb", `\n`, `\\`, "\\\n", `\`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := Escape(s)
		if got := Unescape(line); got != s || strings.Contains(line, "\n") {
			t.Errorf("%q: %q, again %q", s, line, got)
		}
	})
}
