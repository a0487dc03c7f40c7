package live

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ken/internal/index/segment"
	"ken/internal/jsonl"
	"ken/internal/session"
)

// TestSaidMeta: a table is read as it was written, and no part of one, nor one about more
// documents than there are, is a table.
func TestSaidMeta(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "conversations")
		m := make(saidMeta, n)
		docs := int32(0)
		for i := range m {
			m[i] = saidEntry{
				saidFile: saidFile{rapid.SampledFrom([]string{"/a/sessions", "/a/sessions/import", ""}).Draw(t, "dir"), rapid.String().Draw(t, "name")},
				Stamp: jsonl.Stamp{
					Dev: rapid.Uint64().Draw(t, "dev"), Ino: rapid.Uint64().Draw(t, "ino"), Size: rapid.Int64().Draw(t, "size"),
					Mtime: rapid.Int64().Draw(t, "mtime"), Ctime: rapid.Int64().Draw(t, "ctime"),
				},
				ID: rapid.String().Draw(t, "id"), Warning: rapid.String().Draw(t, "warning"), From: docs,
			}
			docs += rapid.Int32Range(0, 5).Draw(t, "docs")
			m[i].To = docs
		}
		b := m.append(nil)
		if got, ok := readSaidMeta(b, int(docs)); !ok || !slices.Equal(got, m) {
			t.Fatalf("read %v, %v\nwant %v", got, ok, m)
		}
		if _, ok := readSaidMeta(b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")], int(docs)); ok {
			t.Error("a part is a table")
		}
		if _, ok := readSaidMeta(append(b, 0), int(docs)); ok {
			t.Error("more than a table is one")
		}
		if _, ok := readSaidMeta(b, int(docs)-1); ok && docs > 0 {
			t.Error("a table about more than there is")
		}
		at := rapid.IntRange(0, len(b)-1).Draw(t, "at")
		b[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "other"))
		if got, ok := readSaidMeta(b, int(docs)); ok { // whatever it says, it stays within
			for _, e := range got {
				if e.From > e.To || e.To > docs {
					t.Errorf("documents %d to %d of %d", e.From, e.To, docs)
				}
			}
		}
	})
}

// TestSaidMetaAllocates: reading the table takes no memory for each conversation but its
// entry, since every question reads all of it.
func TestSaidMetaAllocates(t *testing.T) {
	m := make(saidMeta, 2000)
	for i := range m {
		id := fmt.Sprintf("s%05d", i)
		m[i] = saidEntry{saidFile: saidFile{"/data/sessions", id + ".jsonl"}, ID: id, From: int32(i), To: int32(i + 1)}
	}
	b := m.append(nil)
	if n := testing.AllocsPerRun(10, func() {
		if _, ok := readSaidMeta(b, len(m)); !ok {
			t.Error("it is no table")
		}
	}); n > 8 {
		t.Errorf("%.0f allocations", n)
	}
}

// TestHeaders: of the lines of one conversation the header is read once, and again when the
// file is another one or was written to.
func TestHeaders(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.jsonl")
	line := `{"ts":"2026-05-10T12:00:00Z","role":"user","content":"tea","n":1}`
	write := func(given string) segment.Locator {
		head := `{"meta":{"v":1,"session":"a","given":"` + given + `"}}` + "\n"
		if err := os.WriteFile(path, []byte(head+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := segment.LineRef{Offset: int64(len(head)), Length: uint32(len(line)), Sum: segment.SumOf([]byte(line))}
		return segment.Locator{Ref: "a:1", Lines: []segment.LineRef{at}}
	}
	known := headers{clock: func() time.Time { return time.Now().Add(2 * time.Hour) }}
	read := func(l segment.Locator) string {
		t.Helper()
		d, err := readSaid(path, l, "", &known)
		if err != nil {
			t.Fatal(err)
		}
		return string(d.GivenSession)
	}
	l := write("one")
	first := read(l)
	was := known.of[path]
	if was.Session != "a" || was.stamp == (jsonl.Stamp{}) && stamped(t, path) {
		t.Fatalf("known is %+v", was)
	}
	was.Session = "known"
	known.of[path] = was
	if d, err := readSaid(path, l, "", &known); err != nil || stamped(t, path) && d.Session != "known" {
		t.Errorf("the header was read again: %v, %v", d, err)
	}
	l = write("another")
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if second := read(l); !strings.Contains(second, "another") || second == first {
		t.Errorf("%s, then %s", first, second)
	}
}

// stamped reports whether the system says which file is which.
func stamped(t *testing.T, path string) bool {
	t.Helper()
	fi, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	_, ok := jsonl.StampOf(fi)
	return ok
}

// TestListed: a file of a conversation is listed with the stamp of what it is, a link with
// that of what it leads to; what cannot be one is not there.
func TestListed(t *testing.T) {
	t.Parallel()
	dir := session.Dir{Path: filepath.Join(t.TempDir(), "sessions")}
	other := filepath.Join(t.TempDir(), "b.jsonl")
	if err := os.Mkdir(dir.Path, 0o700); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir.Path, name) }
	for _, path := range []string{in("a.jsonl"), in(".c.jsonl"), in("d.txt"), other} {
		if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir.Path, "empty.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(dir.Path, "b.jsonl")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(other+".gone", filepath.Join(dir.Path, "gone.jsonl")); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	got, err := list([]session.Dir{dir}, later)
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	for i, path := range []string{filepath.Join(dir.Path, "a.jsonl"), other} {
		if want, _ := jsonl.StampAt(path, later); got[i].stamp != want {
			t.Errorf("%s has the stamp %v, want %v", got[i].path(), got[i].stamp, want)
		}
	}
}
