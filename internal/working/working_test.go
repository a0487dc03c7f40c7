package working

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/jsonl"
	"ken/internal/tokens"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

// TestS58Malformed: a file that is no working memory says nothing, and no line of
// its head is taken for text.
func TestS58Malformed(t *testing.T) {
	t.Parallel()
	now := at("2026-05-11T00:00:00Z")
	const updated, expires = "Updated: 2026-05-10T19:00:00Z\n", "Expires: 2026-05-24T19:00:00Z\n"
	for _, c := range []struct{ name, file, want string }{
		{"as it should be", head + "\n" + updated + expires + "\ntea\n", "tea"},
		{"the other order", head + "\n" + expires + updated + "\ntea\n", "tea"},
		{"CRLF", strings.ReplaceAll(head+"\n"+updated+expires+"\ntea\n", "\n", "\r\n"), "tea"},
		{"with a BOM", "\ufeff" + head + "\n" + updated + expires + "\ntea", "tea"},
		{"no text", head + "\n" + updated + expires + "\n", ""},
		{"lines of somebody's own", head + "\nOwner: me\n" + updated + "the door code is 7\n" + expires + "---\n\ntea", "tea"},
		{"dates", head + "\nUpdated: 2026-05-10\nExpires: 2026-12-10\n\ntea", "tea"},
		{"its last day", head + "\nUpdated: 2026-05-10\nExpires: 2026-05-11\n\ntea", "tea"},
		{"dates in words", head + "\nUpdated: May 10, 2026\nExpires: 10 December 2026\n\ntea", "tea"},
		{"times without a zone", head + "\nUpdated: 2026-05-10 19:00\nExpires: 2026-12-10T08:00:00\n\ntea", "tea"},
		{"a zone", head + "\nUpdated: 2026-05-10T21:00:00+02:00\n" + expires + "\ntea", "tea"},
	} {
		m, err := Parse([]byte(c.file), now)
		if err != nil || m.Text != c.want {
			t.Errorf("%s: %q, %v", c.name, m.Text, err)
		}
	}
	for name, file := range map[string]string{
		"nothing":             "",
		"no head":             updated + expires + "\ntea",
		"another head":        "# Notes\n" + updated + expires + "\ntea",
		"a second level":      "## Working Memory\n" + updated + expires + "\ntea",
		"no Updated":          head + "\n" + expires + "\ntea",
		"no Expires":          head + "\n" + updated + "\ntea",
		"neither":             head + "\n\ntea",
		"the head alone":      head,
		"a bad Updated":       head + "\nUpdated: yesterday\n" + expires + "\ntea",
		"a bad Expires":       head + "\n" + updated + "Expires: soon\n\ntea",
		"an impossible day":   head + "\n" + updated + "Expires: 2026-02-30T00:00:00Z\n\ntea",
		"no blank line":       head + "\n" + updated + expires + "tea\n",
		"no blank line, end":  head + "\n" + updated + expires,
		"cut inside the head": head + "\nUpdated: 2026-05-1",
		"too long":            head + "\n" + updated + expires + "\n" + strings.Repeat("tea ", MaxBytes/4),
	} {
		m, err := Parse([]byte(file), now)
		if !errors.Is(err, ErrMalformed) || m.Text != "" {
			t.Errorf("%s: %q, %v", name, m.Text, err)
		}
	}
}

// TestS57TTL: it is there a second before it expires, and not at that moment.
func TestS57TTL(t *testing.T) {
	t.Parallel()
	written := at("2026-05-10T19:00:00Z")
	b := New("tea", written, 14).Bytes(100)
	for _, c := range []struct {
		after time.Duration
		want  error
	}{{0, nil}, {13*24*time.Hour + 23*time.Hour, nil}, {14*24*time.Hour - time.Second, nil}, {14 * 24 * time.Hour, ErrExpired}, {1000 * 24 * time.Hour, ErrExpired}, {-365 * 24 * time.Hour, nil}} {
		m, err := Parse(b, written.Add(c.after))
		if !errors.Is(err, c.want) || (err == nil) != (m.Text == "tea") {
			t.Errorf("after %s: %q, %v", c.after, m.Text, err)
		}
	}
}

// TestLaws: what is written is read back; it is within the budget and never cut
// inside a character; to join loses nothing that the budget holds.
func TestLaws(t *testing.T) {
	t.Parallel()
	line := rapid.StringMatching(`(- |## )?[a-zäß日本\x{1F600} ]{0,30}`)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.TrimSpace(strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, "text"), "\n"))
		budget := rapid.IntRange(MinTokens, MaxTokens).Draw(t, "budget")
		now := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "now"), 0).UTC()
		m := New(text, now, rapid.IntRange(1, MostDays).Draw(t, "days"))
		back, err := Parse(m.Bytes(budget), now)
		if err != nil || !back.Updated.Equal(m.Updated) || !back.Expires.Equal(m.Expires) || back.Text != Cut(text, budget) {
			t.Fatalf("read back: %+v, %v; want %+v", back, err, m)
		}
		if tokens.Estimate(back.Text) > budget || !utf8.ValidString(back.Text) || utf8.RuneCountInString(back.Text) > 4*budget {
			t.Fatalf("%d tokens, the budget is %d", tokens.Estimate(back.Text), budget)
		}
		other := strings.TrimSpace(strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, "other"), "\n"))
		joined := Join(text, other, budget)
		if n := tokens.Estimate(joined); n > budget {
			t.Fatalf("joined: %d tokens, the budget is %d", n, budget)
		}
		if tokens.Estimate(text)+tokens.Estimate(other)+2 > budget {
			return
		}
		has := map[string]bool{}
		for l := range strings.Lines(joined) {
			has[key(l)] = true
		}
		for l := range strings.Lines(text + "\n" + other) {
			if !strings.HasPrefix(l, "#") && key(l) != "" && !has[key(l)] {
				t.Fatalf("joined without %q:\n%s", l, joined)
			}
		}
	})
}

// TestWriteAgain: a conversation that writes again takes its own lines back, and no others, however often and whenever those came;
// what was taken out of the file meanwhile does not come back.
func TestWriteAgain(t *testing.T) {
	t.Parallel()
	now := at("2026-05-10T12:00:00Z")
	f := file(t, &now)
	write := func(text string, known time.Time, last string) Memory {
		t.Helper()
		m, err := f.Write(t.Context(), text, known, last)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	says := func(want string) {
		t.Helper()
		if m, err := f.Read(); err != nil || strings.TrimSpace(m.Text) != want {
			t.Errorf("%v: %q, want %q", err, m.Text, want)
		}
	}
	one := write("- lisbon", time.Time{}, "")
	now = now.Add(time.Second)
	two := write("- boat", time.Time{}, "") // it began before the other wrote
	says("- boat\n\n- lisbon")
	two = write("- boat\n- harbour", two.Updated, "- boat")
	says("- boat\n- harbour\n\n- lisbon")
	write("- lisbon in june", one.Updated, "- lisbon") // in the same second
	says("- lisbon in june\n\n- boat\n- harbour")
	if err := f.Drop(t.Context(), func(line string) bool { return strings.Contains(line, "june") }); err != nil {
		t.Fatal(err)
	}
	write("- boat\n- harbour\n- winter", two.Updated, "- boat\n- harbour")
	says("- boat\n- harbour\n- winter")
	now = now.Add(time.Second)
	m, err := f.Read()
	if err != nil {
		t.Fatal(err)
	}
	write("- next", m.Updated, "") // it began with all of that
	says("- next")
}

func TestJoin(t *testing.T) {
	t.Parallel()
	got := Join("## Kettle\n- node 22\n- port 8080\n- caf\u00e9", "## Kettle\n- Port  8080\n- Cafe\u0301\n## Tea\n- oolong\n## Cups\n- node 22", 100)
	if diff := cmp.Diff("## Kettle\n- node 22\n- port 8080\n- caf\u00e9\n\n## Tea\n- oolong", got); diff != "" {
		t.Error(diff)
	}
}

func file(t *testing.T, now *time.Time) File {
	dir := t.TempDir()
	return File{Path: filepath.Join(dir, "working.md"), Lock: dir, Days: 14, Tokens: 100, Now: func() time.Time { return *now }}
}

// TestConcurrent: of two conversations that end beside each other both are there;
// one that knew of the other replaces it.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	now := at("2026-05-10T19:00:00Z")
	f := file(t, &now)
	if _, err := f.Read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is none: %v", err)
	}
	write := func(text string, known time.Time) time.Time {
		t.Helper()
		m, err := f.Write(t.Context(), text, known, "")
		if err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Minute)
		return m.Updated
	}
	first := write("- kettle", time.Time{})
	write("- tea", time.Time{}) // began before the first ended
	m, err := f.Read()
	if err != nil || m.Text != "- tea\n\n- kettle" {
		t.Errorf("both: %q, %v", m.Text, err)
	}
	write("- cups", m.Updated)
	if m, err = f.Read(); err != nil || m.Text != "- cups" {
		t.Errorf("replaced: %q, %v", m.Text, err)
	}
	write("  \n", first)
	if after, err := f.Read(); err != nil || !after.Updated.Equal(m.Updated) {
		t.Errorf("nothing was written: %v, %v", after, err)
	}
	now = at("2027-05-10T19:00:00Z")
	write("- saucer", time.Time{})
	if m, err = f.Read(); err != nil || m.Text != "- saucer" {
		t.Errorf("over one that expired: %q, %v", m.Text, err)
	}
	if fi, err := os.Stat(f.Path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode: %v, %v", fi, err)
	}
}

// TestKeepsOthers: what is no working memory is somebody's, and stays.
func TestKeepsOthers(t *testing.T) {
	t.Parallel()
	now := at("2026-05-10T19:00:00Z")
	f := file(t, &now)
	if err := os.WriteFile(f.Path, []byte("my own notes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(t.Context(), "- tea", time.Time{}, ""); !errors.Is(err, ErrMalformed) {
		t.Errorf("over notes: %v", err)
	}
	if b, err := os.ReadFile(f.Path); err != nil || string(b) != "my own notes\n" {
		t.Errorf("%q, %v", b, err)
	}
	if err := os.Truncate(f.Path, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(t.Context(), "- tea", time.Time{}, ""); err != nil {
		t.Errorf("over an empty file: %v", err)
	}
}

// failing is a machine whose disk is full, or that loses its power before the new
// file has its name.
type failing struct {
	jsonl.OS
	write, rename bool
}

type full struct{ jsonl.File }

func (full) Write(p []byte) (int, error) { return len(p) / 2, errors.New("no space left") }

func (f failing) OpenFile(name string, flag int, perm fs.FileMode) (jsonl.File, error) {
	file, err := f.OS.OpenFile(name, flag, perm)
	if err == nil && f.write && flag&os.O_CREATE != 0 {
		return full{file}, nil
	}
	return file, err
}

func (f failing) Rename(from, to string) error {
	if f.rename {
		return errors.New("killed")
	}
	return f.OS.Rename(from, to)
}

// TestWhole: whatever fails, the older one is there in full.
func TestWhole(t *testing.T) {
	t.Parallel()
	now := at("2026-05-10T19:00:00Z")
	f := file(t, &now)
	m, err := f.Write(t.Context(), "- kettle", time.Time{}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, sys := range []failing{{write: true}, {rename: true}} {
		g := f
		g.FS = sys
		if _, err := g.Write(t.Context(), "- tea", m.Updated, ""); err == nil {
			t.Errorf("%+v: no error", sys)
		}
		if m, err := f.Read(); err != nil || m.Text != "- kettle" {
			t.Errorf("%+v: %q, %v", sys, m.Text, err)
		}
	}
	if _, err := f.Write(t.Context(), "- tea", m.Updated, ""); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(head + "\nUpdated: 2026-05-10T19:00:00Z\nExpires: 2026-05-24T19:00:00Z\n\ntea\n"))
	f.Add([]byte(head + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Parse(b, at("2026-05-11T00:00:00Z"))
		if err != nil && m.Text != "" {
			t.Errorf("text %q with %v", m.Text, err)
		}
		if err == nil && (!utf8.ValidString(m.Text) || strings.Contains(m.Text, "\x1b")) {
			t.Errorf("text %q", m.Text)
		}
	})
}

// TestStrangeHead: what somebody wrote into the head of the file stays there when it is
// written anew.
func TestStrangeHead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "working.md")
	if err := os.WriteFile(path, []byte(head+"\nOwner: me\nUpdated: 2026-05-10\nExpires: 2026-12-10\n\n- tea\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := File{Path: path, Lock: dir, Days: 14, Tokens: 500, Now: func() time.Time { return at("2026-05-11T00:00:00Z") }}
	if _, err := f.Write(t.Context(), "- coffee", at("2026-05-10T00:00:00Z"), ""); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if want := head + "\nUpdated: 2026-05-11T00:00:00Z\nExpires: 2026-05-25T00:00:00Z\nOwner: me\n\n- coffee\n"; err != nil || string(text) != want {
		t.Errorf("%v:\n%s\nwant:\n%s", err, text, want)
	}
}

// TestDrop: lines that say something leave the file, its times and other lines stay; a file that
// says none of it, or is none, is not touched.
func TestDrop(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "working.md")
	f := File{Path: path, Lock: filepath.Dir(path), Days: 14, Tokens: 400, Now: func() time.Time { return at("2026-05-11T00:00:00Z") }}
	says := func(line string) bool { return strings.Contains(line, "shelf 3") }
	if err := f.Drop(t.Context(), says); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
	const times = "\nUpdated: 2026-05-10T19:00:00Z\nExpires: 2026-05-24T19:00:00Z\n"
	for was, want := range map[string]string{
		head + times + "\n## Said\n- the kettle is on shelf 3\n- tea\n": head + times + "\n## Said\n- tea\n",
		head + times + "\n- tea":                  head + times + "\n- tea",
		head + "\n\n- the kettle is on shelf 3\n": head + "\n\n- the kettle is on shelf 3\n",
	} {
		if err := os.WriteFile(path, []byte(was), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.Drop(t.Context(), says); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%q became %q, %v", was, got, err)
		}
	}
}
