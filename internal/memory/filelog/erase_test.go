package filelog

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
)

// TestEraseKeepsBytes erases one item of a log whose lines are all written in an
// unusual way: the others keep every byte.
func TestEraseKeepsBytes(t *testing.T) {
	t.Parallel()
	lines := []string{
		"\ufeff" + `{ "id" : 1 , "content" : "one" }`,
		`{"id":2,"content":"The  Plum\u0020Cake","new":true}` + "\r",
		``,
		`  {"kind":"mood","content":"calm","id":3,"x":[1, 2]}` + "\r",
		`{"id":4,"kind":"edit","target":2,"content":"plum tart"}`,
		`<<<<<<< HEAD`,
		"\x00\x00",
		`{"id":5,"kind":"forget","target":2}`,
		`{"id":6,"kind":"forget","target":1,"reason":"kept"}`,
		`{"id":7,"content":"plum is another matter"}`,
		`{"id":8,"content":"no end"}`,
	}
	want := append([]string(nil), lines...)
	want[1] = `{"id":2,"kind":"erased"}` + "\r"
	want[4] = `{"id":4,"kind":"erased"}`
	l := holding(t, strings.Join(lines, "\n"))
	if _, err := l.Erase(t.Context(), memory.Num(2)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, strings.Split(content(t, l), "\n")); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if _, err := l.Erase(t.Context(), memory.Num(1), memory.Num(8)); err != nil {
		t.Fatal(err)
	}
	want[0] = "\ufeff" + `{"id":1,"kind":"erased"}`
	want[8] = `{"id":6,"kind":"forget","target":1}`
	want[10] = `{"id":8,"kind":"erased"}`
	want = append(want, "")
	if diff := cmp.Diff(want, strings.Split(content(t, l), "\n")); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// TestEraseDamaged finds the erased text in lines that cannot be read, however
// it is written there.
func TestEraseDamaged(t *testing.T) {
	t.Parallel()
	const text = `{"id":2,"content":"Größe: café\n5 Å \"fine\""}` + "\n"
	gone := []string{
		`{"id":9,"content":"Größe: café\n5 Å \"fine\"`,                            // cut off
		`x Größe: café 5 Å "fine" y`,                                              // plain text
		`{"c":"GRÖSSE: CAFÉ 5 å \"FINE\"`,                                         // other case
		`{"content":"gro\u0308\u00dfe:  cafe\u0301\t\t5 \u212b \"fine\" and more`, // other forms of Unicode
		`{"content":"größe: café\u00a05 Å \u0022fine\u0022`,                       // escapes
		`{"id":2,"content":"Grö`,                                                  // names the item
		`{"id":7,"kind":"edit","target": 2,"content":"something of it`,            // names it as its target
	}
	kept := []string{`{"id":21,"content":"Größe`, `{"target":22,"x`, `{"content":"Größe: caf 5 Å`, `id 2`, `{"id":"2x","content":"cut`}
	for i, line := range append(append([]string(nil), gone...), kept...) {
		l := holding(t, text+line+"\n"+`{"id":3,"content":"three"}`+"\n")
		if _, err := l.Erase(t.Context(), memory.Num(2)); err != nil {
			t.Fatal(err)
		}
		got := strings.Split(content(t, l), "\n")[1]
		switch {
		case i < len(gone) && (strings.Contains(got, "content") || memory.ParseLine([]byte(got)).Record.Kind != memory.KindErased):
			t.Errorf("%s became %s, want a line that says nothing", line, got)
		case i >= len(gone) && got != line:
			t.Errorf("%s became %s", line, got)
		}
		if got := shown(entries(t, l, "")); !strings.HasSuffix(got, ", three") {
			t.Errorf("%s: the log holds %q", line, got)
		}
	}
}

// TestEraseLongLine finds the text in a line that is too long to be read.
func TestEraseLongLine(t *testing.T) {
	t.Parallel()
	l := holding(t, `{"id":2,"content":"the plum cake"}`+"\n"+`{"id":9,"content":"`+strings.Repeat("x", memory.MaxLine)+` The Plum Cake"}`)
	if _, err := l.Erase(t.Context(), memory.Num(2)); err != nil {
		t.Fatal(err)
	}
	if got, want := content(t, l), `{"id":2,"kind":"erased"}`+"\n"+`{"id":9,"kind":"erased"}`+"\n"; got != want {
		t.Errorf("the log holds %.200q, want %q", got, want)
	}
}

// TestEraseSpends keeps the largest number named, whatever line is erased.
func TestEraseSpends(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"id":9,"content":"plum"}`,
		`{"id":1,"kind":"edit","target":9,"content":"plum"}`,
		`{"id":1,"content":"x"}` + "\n" + `{"id":9,"content":"plu`,
		`{"content":"plum cake"}` + "\n" + `{"kind":"forget","targets":[1,9],"reason":"plum cake`,
	} {
		l := holding(t, text)
		before, err := l.Tip(t.Context())
		if err != nil || before.MaxID != 9 {
			t.Fatalf("%s: Tip = %+v, %v", text, before, err)
		}
		if _, err := l.Erase(t.Context(), memory.Num(9), memory.HashID([]byte(`{"content":"plum cake"}`))); err != nil {
			t.Fatal(err)
		}
		after, err := Open(l.path, l.o).Tip(t.Context())
		if err != nil || after.MaxID != 9 {
			t.Errorf("%s: after erasing Tip = %+v, %v: a number is free again:\n%s", text, after, err, content(t, l))
		}
		if strings.Contains(content(t, l), "plu") {
			t.Errorf("%s became %s", text, content(t, l))
		}
	}
}

// TestEraseBadByHash erases a line that cannot be read by the name it is shown
// under.
func TestEraseBadByHash(t *testing.T) {
	t.Parallel()
	l := holding(t, "remember the plum cake\n"+`{"id":1,"content":"one"}`+"\n")
	id := memory.HashID([]byte("remember the plum cake"))
	if _, err := l.Erase(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got, want := shown(entries(t, l, "")), "erased "+id.String()+", one"; got != want {
		t.Errorf("the log holds %q, want %q", got, want)
	}
}

// TestEraseReplica removes the bytes from the log of another device, which takes
// no lines from this one.
func TestEraseReplica(t *testing.T) {
	t.Parallel()
	l := holding(t, `{"meta":{"format":1,"log":"desk-0001"}}`+"\n"+`{"id":1,"content":"plum"}`+"\n")
	write(t, l.o.DeviceFile, `{"log":"laptop-7f3a"}`)
	if _, err := l.Erase(t.Context(), memory.ID{Log: "desk-0001", N: 1}); err != nil {
		t.Fatal(err)
	}
	if got := shown(entries(t, l, "")); got != "meta, erased " {
		t.Errorf("the replica holds %q", got)
	}
	if _, err := l.Erase(t.Context(), memory.ID{Log: "third-0002", N: 1}); !errors.Is(err, memory.ErrForeign) {
		t.Errorf("a line for another log's item in a replica: %v, want ErrForeign", err)
	}
}

// TestEraseForeignReason strips the free text from lines about the item.
func TestEraseForeignText(t *testing.T) {
	t.Parallel()
	l := holding(t, `{"id":1,"content":"plum"}`+"\n"+
		`{"id":2,"kind":"forget","target":1,"reason":"it was plum","note":"plum","content":"plum"}`+"\n"+
		`{"id":3,"kind":"forget","target":1,"note":"unknown and kept"}`+"\n"+
		`{"id":4,"content":"four","cites":[1],"reason":"plum"}`+"\n")
	if _, err := l.Erase(t.Context(), memory.Num(1)); err != nil {
		t.Fatal(err)
	}
	want := `{"id":1,"kind":"erased"}` + "\n" +
		`{"id":2,"kind":"forget","target":1}` + "\n" +
		`{"id":3,"kind":"forget","target":1,"note":"unknown and kept"}` + "\n" +
		`{"id":4,"kind":"fact","content":"four","cites":[1]}` + "\n"
	if diff := cmp.Diff(want, content(t, l)); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

// TestEraseEdited gives up nothing when a person saves the file meanwhile.
func TestEraseEdited(t *testing.T) {
	t.Parallel()
	l := holding(t, `{"id":1,"content":"plum"}`+"\n")
	done := false
	l.o.FS = onRename{path: l.path, done: &done, text: `{"id":1,"content":"plum"}` + "\n" + `{"id":2,"content":"typed"}` + "\n"}
	if _, err := l.Erase(t.Context(), memory.Num(1)); err != nil {
		t.Fatal(err)
	}
	if got := shown(entries(t, l, "")); got != "erased , typed" {
		t.Errorf("the log holds %q", got)
	}
}

// onRename is a file system on which a person saves the log while it is being
// rewritten for the first time.
type onRename struct {
	unsynced
	path, text string
	done       *bool
}

func (o onRename) Remove(name string) error {
	if !*o.done {
		*o.done = true
		if err := os.WriteFile(o.path, []byte(o.text), 0o600); err != nil {
			return err
		}
	}
	return o.unsynced.Remove(name)
}

// TestEraseLeavesNoCopy looks for the text in every file around the log.
func TestEraseLeavesNoCopy(t *testing.T) {
	t.Parallel()
	dir := jsonltest.Dir(t)
	l := openIn(dir)
	at, n := appended(t, l, "", "the plum cake")
	appended(t, l, at, "other")
	if _, err := l.Erase(t.Context(), memory.Num(n)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), "plum") {
			t.Errorf("%s holds the text", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEraseAddsNoLine takes the text out of another device's log and adds no line to
// it, whatever else is erased.
func TestEraseAddsNoLine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "phone-19c4.jsonl")
	write(t, path, `{"meta":{"format":1,"log":"phone-19c4"}}`+"\n"+
		`{"id":1,"kind":"fact","content":"plum"}`+"\n"+`{"id":2,"kind":"edit","target":"desk-7f3a/4","content":"plum tart"}`+"\n")
	l := Open(path, Options{Replica: true})
	desk := memory.Num(4).In("desk-7f3a")
	if _, err := l.Erase(t.Context(), memory.Num(1).In("phone-19c4"), desk, memory.Num(9).In("desk-7f3a")); err != nil {
		t.Fatal(err)
	}
	want := `{"meta":{"format":1,"log":"phone-19c4"}}` + "\n" + `{"id":1,"kind":"erased"}` + "\n" + `{"id":2,"kind":"erased"}` + "\n"
	if diff := cmp.Diff(want, content(t, l)); diff != "" {
		t.Errorf("the replica (-want +got):\n%s", diff)
	}
	if _, err := l.Append(t.Context(), "", nil); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Append to a replica: %v", err)
	}
}
