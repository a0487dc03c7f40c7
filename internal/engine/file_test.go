package engine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/memory"
	"ken/internal/memory/filelog"
)

// A house is a data directory with a memory file and a state directory.
type house struct{ t testing.TB }

func (h house) options(dir string) filelog.Options {
	return filelog.Options{
		DeviceFile: filepath.Join(dir, "state", "device.json"), Head: filepath.Join(dir, "cache", "head"),
		Host: "laptop", Now: noon, Rand: bytes.NewReader([]byte{0x7f, 0x3a, 0x7f, 0x3a}),
	}
}

// open returns an engine over the file of dir, as a process of its own has it.
func (h house) open(dir string, replicas ...Replica) *Writer {
	return over(filelog.Open(filepath.Join(dir, "memory.jsonl"), h.options(dir)), replicas...)
}

func (h house) read(dir string) string {
	h.t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "memory.jsonl"))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(b)
}

func (h house) write(dir, text string) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h house) add(dir, text string) {
	h.t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "memory.jsonl"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// wants checks the active items as a look at the file shows them.
func (h house) wants(e *Writer, want string) {
	h.t.Helper()
	s, err := e.State(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	if got := texts(s); got != want {
		h.t.Errorf("active: %q, want %q", got, want)
	}
}

func (h house) did(want string) func(Receipt, error) {
	h.t.Helper()
	return func(r Receipt, err error) {
		h.t.Helper()
		if got := refs(r); err != nil || got != want {
			h.t.Fatalf("receipt %q, %v; want %q", got, err, want)
		}
	}
}

// TestFileRoundTrip: what is written is there in another process, whatever was
// written; nothing is there before.
func TestFileRoundTrip(t *testing.T) {
	t.Parallel()
	h, dir, ctx := house{t}, t.TempDir(), t.Context()
	e := h.open(dir)
	h.wants(e, "")
	if _, _, err := e.Undo(ctx); err == nil {
		t.Error("something was undone")
	}
	if _, err := os.Stat(filepath.Join(dir, "memory.jsonl")); !os.IsNotExist(err) {
		t.Errorf("a file was made for nothing: %v", err)
	}
	h.did("1")(e.Remember(ctx, Draft{Content: "a"}))
	h.did("2")(e.Remember(ctx, Draft{Content: "line\nbreak \u2028 \"quotes\" <b>"}))
	h.did("3")(e.Forget(ctx, "", memory.Num(1)))
	h.wants(e, "2 line\nbreak \n \"quotes\" <b>")
	h.wants(h.open(dir), "2 line\nbreak \n \"quotes\" <b>")
	h.did("4")(h.open(dir).Remember(ctx, Draft{Content: "b"}))
	if got := h.read(dir); !strings.HasPrefix(got, `{"meta":{"format":1,"log":"laptop-7f3a","created":"2026-11-21T12:00:00`) || strings.Count(got, "\n") != 5 {
		t.Errorf("the file:\n%s", got)
	}
}

// TestFileTwoEngines: two processes on one file, and a person with an editor.
func TestFileTwoEngines(t *testing.T) {
	t.Parallel()
	h, dir, ctx := house{t}, t.TempDir(), t.Context()
	a, b := h.open(dir), h.open(dir)
	h.did("1")(a.Remember(ctx, Draft{Content: "a"}))
	h.wants(b, "1 a")
	h.did("2")(b.Remember(ctx, Draft{Content: "b"}))
	h.did("3")(a.Forget(ctx, "", memory.Num(2)))
	if _, err := b.Pin(ctx, true, memory.Num(2)); err == nil {
		t.Error("pinned what is forgotten")
	}
	h.wants(b, "1 a")
	// An editor replaces the text; both go by what they find.
	h.write(dir, strings.Replace(h.read(dir), `"content":"a"`, `"content":"A, by hand"`, 1))
	h.wants(a, "1 A, by hand")
	h.did("4")(b.Edit(ctx, memory.Num(1), Edit{Tags: &[]string{"x"}}))
	h.wants(a, "1 A, by hand")
	// Everything is deleted: the name of the device stays, the numbers begin anew.
	if err := os.Remove(filepath.Join(dir, "memory.jsonl")); err != nil {
		t.Fatal(err)
	}
	h.wants(a, "")
	h.did("1")(b.Remember(ctx, Draft{Content: "again"}))
	h.wants(a, "1 again")
}

// TestFileTornTail: a line that a crash cut off is told, costs nothing else, is
// read again when it has grown, and nothing is glued to it.
func TestFileTornTail(t *testing.T) {
	t.Parallel()
	h, dir, ctx := house{t}, t.TempDir(), t.Context()
	e := h.open(dir)
	h.did("1")(e.Remember(ctx, Draft{Content: "a"}))
	h.add(dir, `{"id":7,"content":"b`)
	problems := func(want string) {
		t.Helper()
		s, err := e.State(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range s.Problems() {
			got = append(got, fmt.Sprintf("%d %t %t", p.Line, p.Unreadable, strings.Contains(p.What, "cut off at the end")))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("problems %v, want %q", s.Problems(), want)
		}
	}
	h.wants(e, "1 a")
	problems("3 true true")
	problems("3 true true")
	h.add(dir, `c"`)
	h.wants(e, "1 a")
	h.add(dir, `}`)
	h.wants(e, "7 bc; 1 a")
	problems("")
	h.add(dir, "\n"+`{"id"`)
	h.wants(e, "7 bc; 1 a")
	h.add(dir, `:9,"content":"torn`) // it grew: its number is known now
	if s, err := e.State(ctx); err != nil || s.MaxID("") != 9 {
		t.Errorf("numbers up to %d, %v", s.MaxID(""), err)
	}
	h.wants(e, "7 bc; 1 a")
	h.did("10")(e.Forget(ctx, "", memory.Num(7)))
	h.wants(e, "1 a")
	problems("4 true false")
	if got := h.read(dir); !strings.Contains(got, "\"torn\n{\"id\":10,") && !strings.Contains(got, "torn\n{\"id\":10,") {
		t.Errorf("the file:\n%s", got)
	}
	h.add(dir, `{"id":11,"content":"c"}`) // whole, without line end
	h.wants(e, "11 c; 1 a")
	h.did("12")(e.Remember(ctx, Draft{Content: "d"}))
	h.wants(e, "12 d; 11 c; 1 a")
	h.wants(h.open(dir), "12 d; 11 c; 1 a")
}

// TestFileWithoutMeta: a file that was written by hand has the device's name,
// also for what replicas say of it.
func TestFileWithoutMeta(t *testing.T) {
	t.Parallel()
	h, dir, ctx := house{t}, t.TempDir(), t.Context()
	h.write(dir, `{"id":1,"ts":"2026-01-01T00:00:00Z","content":"a"}`+"\n")
	h.did("2")(h.open(dir).Remember(ctx, Draft{Content: "b"}))
	peer := filepath.Join(dir, "peers", "desk-0001.jsonl")
	if err := os.MkdirAll(filepath.Dir(peer), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(peer, []byte(`{"id":1,"kind":"forget","targets":["laptop-7f3a/1","laptop-7f3a/8"]}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := h.open(dir, Replica{Name: "desk-0001", Log: filelog.Open(peer, filelog.Options{ReadOnly: true})})
	h.wants(e, "2 b")
	h.did("9")(e.Remember(ctx, Draft{Content: "c"}))
	h.did("10")(e.Forget(ctx, "", memory.Num(9)))
	h.wants(e, "2 b")
	if err := os.Remove(filepath.Join(dir, "memory.jsonl")); err != nil {
		t.Fatal(err)
	}
	h.wants(e, "")
	h.did("9")(e.Remember(ctx, Draft{Content: "what is left of us"}))
}

// benchLines are lines as use leaves them: one in ten changes another.
func benchLines(n int) string {
	var b strings.Builder
	b.WriteString(`{"meta":{"format":1,"log":"laptop-7f3a","created":"2026-05-13T19:00:00Z"}}` + "\n")
	for i := 1; i <= n; i++ {
		switch {
		case i%20 == 9:
			fmt.Fprintf(&b, `{"id":%d,"ts":"2026-05-13T19:01:01Z","kind":"forget","target":%d}`+"\n", i, i-7)
		case i%20 == 19:
			fmt.Fprintf(&b, `{"id":%d,"ts":"2026-05-13T19:01:01Z","kind":"edit","target":%d,"content":"The new text of item %d."}`+"\n", i, i-4, i-4)
		default:
			fmt.Fprintf(&b, `{"id":%d,"ts":"2026-05-13T19:01:01Z","kind":"fact","content":"The build of project %d runs on the small machine in the corner and takes %d minutes.","tags":["build"],"scope":"repo:github.com/me/p%d"}`+"\n", i, i%50, i%60, i%50)
		}
	}
	return b.String()
}

// BenchmarkRemember states one more memory in a process that runs, synced.
func BenchmarkRemember(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h, dir := house{b}, b.TempDir()
			h.write(dir, benchLines(n))
			e := h.open(dir)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Remember(b.Context(), Draft{Content: "one more"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkState asks for the state after each line that was added.
func BenchmarkState(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h, dir := house{b}, b.TempDir()
			h.write(dir, benchLines(n))
			e := h.open(dir)
			if _, err := e.State(b.Context()); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				b.StopTimer()
				h.add(dir, fmt.Sprintf(`{"id":%d,"ts":"2026-06-13T19:01:01Z","kind":"fact","content":"one more"}`+"\n", n+1+i))
				b.StartTimer()
				if s, err := e.State(b.Context()); err != nil || s.MaxID("") != int64(n+1+i) {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStateUnchanged asks again when nothing has happened.
func BenchmarkStateUnchanged(b *testing.B) {
	h, dir := house{b}, b.TempDir()
	h.write(dir, benchLines(10_000))
	e := h.open(dir)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.State(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
