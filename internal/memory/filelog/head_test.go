package filelog

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// usesHead reports whether a new Log believes the head file.
func usesHead(t *testing.T, l *Log) bool {
	t.Helper()
	r, err := Open(l.path, l.o).open("")
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	return r.head != head{}
}

func TestHead(t *testing.T) {
	t.Parallel()
	l := openIn(t.TempDir())
	end, _ := appended(t, l, "", "one")
	if _, ok := jsonl.StampOf(mustStat(t, l.path)); !ok {
		t.Skip("no stamps here")
	}
	if !usesHead(t, l) {
		t.Fatal("an append leaves no head that is believed")
	}
	tip, err := Open(l.path, l.o).Tip(t.Context())
	if err != nil || tip.At != end || tip.MaxID != 1 {
		t.Errorf("Tip = %+v, %v; the append ended at %q", tip, err, end)
	}
	for range 5 { // one process after the other
		end, _ = appended(t, Open(l.path, l.o), end, "more")
		if !usesHead(t, l) {
			t.Fatal("an append that used the head leaves none")
		}
	}
	edited := strings.Replace(content(t, l), "one", "ONE", 1)
	inPlace(t, l.path, edited)
	if usesHead(t, l) {
		t.Error("an edit of the same length in the same moment is not seen")
	}
	for _, err := range l.Records(t.Context(), end) {
		if !errors.Is(err, memory.ErrStale) {
			t.Errorf("behind the edit: %v, want ErrStale", err)
		}
	}
}

func mustStat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	fi, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fi
}

// TestHeadNotBelieved damages the head file in every way: all answers stay what
// they are without one.
func TestHeadNotBelieved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := openIn(dir)
	end, _ := appended(t, l, "", "one")
	end, _ = appended(t, l, end, "two")
	good, err := os.ReadFile(l.o.Head)
	if err != nil {
		t.Fatal(err)
	}
	other := openIn(filepath.Join(dir, "other"))
	appended(t, other, "", "of another log")
	foreign, err := os.ReadFile(other.o.Head)
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string][]byte{
		"empty":       nil,
		"another's":   foreign,
		"no end":      bytes.TrimSuffix(good, []byte("\n")),
		"NUL":         make([]byte, len(good)),
		"text":        []byte("hello\n"),
		"too long":    bytes.Repeat([]byte("x"), 1<<20),
		"of a newer":  []byte("00000000 {\"v\":2}\n"),
		"cut":         good[:len(good)/2],
		"with a tail": append(bytes.Clone(good), "left of a longer one\n"...),
	}
	for i := range good {
		flipped := bytes.Clone(good)
		flipped[i] ^= 1
		bad["byte "+string(rune('0'+i%10))+strings.Repeat("'", i/10)] = flipped
	}
	check := func(name string) {
		t.Helper()
		tip, err := Open(l.path, l.o).Tip(t.Context())
		if err != nil || tip.At != end || tip.MaxID != 2 {
			t.Errorf("%s: Tip = %+v, %v; want %q and 2", name, tip, err, end)
		}
		if got := shown(entries(t, Open(l.path, l.o), "")); got != "meta, one, two" {
			t.Errorf("%s: the log holds %q", name, got)
		}
	}
	for name, text := range bad {
		write(t, l.o.Head, string(text))
		check(name)
	}
	if err := os.Remove(l.o.Head); err != nil {
		t.Fatal(err)
	}
	check("none")
	if err := os.Mkdir(l.o.Head, 0o700); err != nil {
		t.Fatal(err)
	}
	check("a directory")
	appended(t, Open(l.path, l.o), end, "three")
	if got := shown(entries(t, l, "")); got != "meta, one, two, three" {
		t.Errorf("the log holds %q", got)
	}
}

// TestChain has two processes append in turn: each knows where it was without
// reading what it has read before, until a person edits the file.
func TestChain(t *testing.T) {
	t.Parallel()
	a := openIn(t.TempDir())
	at, _ := appended(t, a, "", "one")
	if _, ok := jsonl.StampOf(mustStat(t, a.path)); !ok {
		t.Skip("no stamps here")
	}
	b := Open(a.path, a.o)
	appended(t, b, at, "two")
	appended(t, b, at, "three")
	if ka, kb := a.knownHead(), b.knownHead(); ka.Chain == 0 || ka.Chain != kb.Chain {
		t.Errorf("the chains are %d and %d", ka.Chain, kb.Chain)
	}
	// If the chain is believed the bytes before are not read again. To see
	// that, the sum of the position is a wrong one that only a is told of.
	wrong := a.knownHead()
	wrong.Mark.Sum++
	a.know(wrong)
	if got := shown(entries(t, a, cursor(wrong.Mark))); got != "two, three" {
		t.Errorf("behind its last position a reads %q", got)
	}
	a.know(wrong)
	typed(t, a.path, `{"id":9,"content":"typed"}`+"\n")
	for _, err := range a.Records(t.Context(), cursor(wrong.Mark)) {
		if !errors.Is(err, memory.ErrStale) {
			t.Errorf("after an edit the chain is still believed: %v", err)
		}
	}
	old := b.knownHead().Chain
	appended(t, b, "", "four")
	if now := b.knownHead().Chain; now == old || now == 0 {
		t.Errorf("the chain after an edit is %d, before it was %d", now, old)
	}
}

// TestHeadIsNoMemory wants nothing of what is remembered in the head file.
func TestHeadIsNoMemory(t *testing.T) {
	t.Parallel()
	l := openIn(t.TempDir())
	appended(t, l, "", "the plum cake")
	b, err := os.ReadFile(l.o.Head)
	if err != nil || bytes.Contains(b, []byte("plum")) {
		t.Errorf("the head file holds %q, %v", b, err)
	}
	if fi := mustStat(t, l.o.Head); fi.Mode().Perm() != 0o600 {
		t.Errorf("the head file has the mode %v", fi.Mode())
	}
}

func FuzzHead(f *testing.F) {
	s, err := head{Mark: jsonl.Mark{Offset: 5, Lines: 1, Sum: 7}, MaxID: 3, Stamp: jsonl.Stamp{Ino: 4}, Chain: 5}.format()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(s)
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		h := parseHead(s)
		if h == (head{}) {
			return
		}
		again, err := h.format()
		if err != nil || parseHead(again) != h {
			t.Errorf("%+v is written as %q", h, again)
		}
	})
}
