package undo_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/jsonl"
	"ken/internal/session"
	"ken/internal/session/acts"
	"ken/internal/tool/swap"
	"ken/internal/undo"
)

// mode is that of a file.
func (b *bench) mode(name string) fs.FileMode {
	fi, err := os.Stat(b.path(name))
	if err != nil {
		b.t.Fatal(err)
	}
	return fi.Mode().Perm()
}

// TestMode: what is put back may be done what could be done with it before, also after it was gone; a mode
// that somebody changed stays.
func TestMode(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
	b := newBench(t, t.TempDir())
	made := b.act("run.sh", "#!/bin/sh\n", "")
	chmod := func(name string, mode fs.FileMode) {
		if err := os.Chmod(b.path(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	chmod("run.sh", 0o753)
	if err := b.undo(made); err != nil || b.read("run.sh") != "-" {
		t.Fatal(err)
	}
	gone := b.acts[len(b.acts)-1]
	if again, ok := acts.ChangeOf(gone.Event()); !ok || again != gone || gone.Mode != 0o753 {
		t.Errorf("%+v, want %+v", again, gone)
	}
	if err := b.undo(gone); err != nil || b.read("run.sh") != "#!/bin/sh\n" || b.mode("run.sh") != 0o753 {
		t.Errorf("%q, %o, %v", b.read("run.sh"), b.mode("run.sh"), err)
	}
	if back := b.acts[len(b.acts)-1]; back.Mode != 0 {
		t.Errorf("%+v: a mode is kept of what is there", back)
	}
	b.other("a.txt", "one")
	chmod("a.txt", 0o640)
	edit := b.act("a.txt", "two", "")
	chmod("a.txt", 0o751)
	if err := b.undo(edit); err != nil || b.read("a.txt") != "one" || b.mode("a.txt") != 0o751 {
		t.Errorf("%q, %o, %v", b.read("a.txt"), b.mode("a.txt"), err)
	}
}

// TestForms: whatever a file holds, it is byte for byte as it was, and the difference says what is not
// seen in lines.
func TestForms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ was, is, shown string }{
		"CRLF":            {"a\r\nb\r\n", "a\r\nc\r\n", "-b\r\n+c\r\n"},
		"ends of lines":   {"a\r\nb\r\n", "a\nb\n", "-a\r\n-b\r\n+a\n+b\n"},
		"mark":            {"\ufeffa\n", "\ufeffb\n", "-\ufeffa\n+\ufeffb\n"},
		"no last break":   {"a\nb", "a\nb\n", "-b\n\\ No newline at end of file\n+b\n"},
		"binary":          {"a\x00b", "a\x00c", "binary: 3 bytes, then 3 bytes\n"},
		"no UTF-8":        {"a\xffb\n", "a\n", "binary: 4 bytes, then 2 bytes\n"},
		"emptied":         {"a\n", "", "-a\n"},
		"filled":          {"", "a\n", "+a\n"},
		"made empty":      {"-", "", "no lines: not there, then 0 bytes\n"},
		"one line of 1MB": {strings.Repeat("x", swap.Most-1) + "a", strings.Repeat("x", swap.Most-1) + "b", "xb\n\\ No newline"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, t.TempDir())
			if c.was != "-" {
				b.other("f", c.was)
			}
			a := b.act("f", c.is, "")
			if diff, err := b.room.Diff(a); err != nil || !strings.Contains(diff, c.shown) {
				t.Errorf("%.300q, %v; want %q", diff, err, c.shown)
			}
			if err := b.undo(a); err != nil || b.read("f") != c.was {
				t.Errorf("%.300q, %v", b.read("f"), err)
			}
			if err := b.undo(b.acts[len(b.acts)-1]); err != nil || b.read("f") != c.is {
				t.Errorf("%.300q, %v", b.read("f"), err)
			}
		})
	}
}

// TestInItsPlace: what stands where the file was is not touched, and said; of several acts none is then taken back.
func TestInItsPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func(b *bench, path string) error
		said string
	}{
		"gone":     {func(_ *bench, path string) error { return os.Remove(path) }, "is not there any more"},
		"renamed":  {func(_ *bench, path string) error { return os.Rename(path, path+".old") }, "is not there any more"},
		"too long": {func(_ *bench, path string) error { return os.Truncate(path, swap.Most+1) }, "has more than 1048576 bytes by now"},
		"a directory": {func(_ *bench, path string) error {
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o700))
		}, "is no file by now"},
		"a file above it": {func(_ *bench, path string) error {
			up := filepath.Dir(path)
			return errors.Join(os.RemoveAll(up), os.WriteFile(up, nil, 0o600))
		}, "is not there any more"},
		"a link to the same": {func(_ *bench, path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.Symlink(path+".old", path))
		}, "leads elsewhere by now"},
		"a link above it": {func(_ *bench, path string) error {
			up := filepath.Dir(path)
			return errors.Join(os.Rename(up, up+".old"), os.Symlink(up+".old", up))
		}, "leads elsewhere by now"},
		"another name": {func(_ *bench, path string) error { return os.Link(path, path+".also") }, "has several names"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, t.TempDir())
			if err := os.Mkdir(b.path("d"), 0o700); err != nil {
				t.Fatal(err)
			}
			b.other("d/f", "one\n")
			b.other("g", "one\n")
			first, last := b.act("d/f", "two\n", "7"), b.act("g", "two\n", "7")
			if err := c.make(b, b.path("d/f")); err != nil {
				if runtime.GOOS == "windows" {
					t.Skip("links take a right there: ", err)
				}
				t.Fatal(err)
			}
			_, err := b.room.Plan([]undo.Act{last, first}, "user", "")
			conflict := new(undo.Conflict)
			if !errors.As(err, &conflict) || !strings.Contains(err.Error(), c.said) || !strings.Contains(conflict.Show(), "+two") {
				t.Errorf("%v, %+v; want %q", err, conflict, c.said)
			}
			if err := b.undo(last, first); err == nil || b.read("g") != "two\n" {
				t.Errorf("%v, %q", err, b.read("g"))
			}
		})
	}
}

// taker is one of a new conversation that holds the acts of a bench.
func (b *bench) taker() (undo.Taker, *session.Writer) {
	sessions := session.Dir{Path: b.path("sessions"), Lock: b.path("state"), Run: b.path("run"), Now: b.room.Now}
	w, err := sessions.Create(session.Header{Channel: session.ChannelTerminal})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, a := range b.acts {
		if err := w.AppendEvent(a.Event()); err != nil {
			b.t.Fatal(err)
		}
	}
	return undo.Taker{Room: b.room, Sessions: sessions, Live: w, Who: "user"}, w
}

// TestOrder: acts are taken back the newest first, in whatever order they are named, and twice named once.
func TestOrder(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	b.other("a", "0")
	first, second := b.act("a", "1", ""), b.act("a", "2", "")
	taker, w := b.taker()
	defer w.Close()
	if steps, err := taker.Undo(t.Context(), first, second, first); err != nil || b.read("a") != "0" || len(steps) != 2 {
		t.Errorf("%q, %+v, %v", b.read("a"), steps, err)
	}
}

// TestAllOrNone: what fails in the middle leaves all as it was, and no conversation says otherwise.
func TestAllOrNone(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	b.other("a", "0")
	b.other("b", "0")
	first, second := b.act("a", "1", "7"), b.act("b", "1", "7")
	taker, w := b.taker()
	defer w.Close()
	// What is taken back first is seen by nobody before the second one is looked at again: so that is changed then.
	n := 0
	taker.Room.Now = func() time.Time {
		if n++; n == 4 { // one for each step that is planned, and for what is kept of each
			b.other("a", "mine")
		}
		return b.now
	}
	steps, err := taker.Undo(t.Context(), first, second)
	conflict := new(undo.Conflict)
	if !errors.As(err, &conflict) || len(steps) != 0 || b.read("a") != "mine" || b.read("b") != "1" {
		t.Fatalf("%q %q, %+v, %v (%d)", b.read("a"), b.read("b"), steps, err, n)
	}
	acts, err := taker.Acts()
	if err != nil || len(undo.Standing(acts)) != 2 || len(acts) != 2 {
		t.Errorf("%+v, %v", acts, err)
	}
	// A conversation that cannot be written to knows of nothing: nothing is undone.
	b.other("a", "1")
	taker.Room.Now = b.room.Now
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if steps, err := taker.Undo(t.Context(), first, second); err == nil || len(steps) != 0 || b.read("a") != "1" || b.read("b") != "1" {
		t.Errorf("%q %q, %+v, %v", b.read("a"), b.read("b"), steps, err)
	}
}

// TestNewest: what was interrupted before it was done, or was taken back by hand, is not the newest; one that
// is as before in between is left to those behind it.
func TestNewest(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	b.other("a", "0")
	b.other("b", "0")
	first := b.act("a", "1", "7")
	b.act("b", "1", "7")
	b.other("b", "0") // by hand
	taker, w := b.taker()
	defer w.Close()
	if a, err := taker.Newest(); err != nil || a.ID != first.ID {
		t.Errorf("%+v, %v", a, err)
	}
	if run, err := taker.NewestRun(); err != nil || len(run) != 1 || run[0].ID != first.ID {
		t.Errorf("%+v, %v", run, err)
	}
	back := b.act("a", "0", "7") // as it was, by a tool
	if err := w.AppendEvent(back.Event()); err != nil {
		t.Fatal(err)
	}
	if run, err := taker.NewestRun(); err != nil || len(run) != 2 || run[0].ID != back.ID {
		t.Errorf("%+v, %v", run, err)
	}
	if _, err := taker.Undo(t.Context(), back, first); err != nil || b.read("a") != "0" {
		t.Errorf("%q, %v", b.read("a"), err)
	}
	if a, err := taker.Newest(); !errors.Is(err, undo.ErrNothing) {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestNewestOf: of all conversations the newest act that stands is found, unless it is older than a time.
func TestNewestOf(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	b.now = time.Now().UTC().Truncate(time.Second)
	start := b.now
	b.other("a", "0")
	b.other("b", "0")
	none := undo.Taker{Sessions: session.Dir{Path: b.path("sessions")}}
	if a, err := none.NewestOf(t.Context(), time.Time{}); !errors.Is(err, undo.ErrNothing) {
		t.Errorf("%+v, %v", a, err)
	}
	b.act("a", "1", "")
	taker, w := b.taker()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b.acts, b.now = nil, b.now.Add(time.Second)
	newer := b.act("b", "1", "")
	_, w = b.taker()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	taker.Live = nil
	if a, err := taker.NewestOf(t.Context(), time.Time{}); err != nil || a.ID != newer.ID {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := taker.NewestOf(t.Context(), start.Add(time.Minute)); !errors.Is(err, undo.ErrNothing) {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestAtOnce: of all who change and take back one file at one time, each has what it replaced, and the acts say what
// became of the file: nothing that was written is lost without its act being refused.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir())
	b.other("a", "0")
	const hands, times = 8, 60
	var texts [hands][times][]byte
	if err := os.MkdirAll(b.room.Path, 0o700); err != nil {
		t.Fatal(err)
	}
	for who := range hands {
		for i := range times {
			texts[who][i] = fmt.Appendf(nil, "%d %d", who, i)
			b.other("state/undo/"+swap.Sum(texts[who][i]), string(texts[who][i])) // as Keep, which waits for the disk
		}
	}
	var mu sync.Mutex
	var done []undo.Act
	var wg sync.WaitGroup
	for who := range hands {
		wg.Go(func() {
			for i, text := range texts[who] {
				was, err := os.ReadFile(b.path("a"))
				if err != nil {
					t.Error(err)
					return
				}
				a := undo.Act{ID: undo.NewID(), Path: b.path("a"), Before: swap.Sum(was), After: swap.Sum(text)}
				err = b.room.Alone(t.Context(), swap.Swap{Path: a.Path, Before: a.Before, After: text}.Do)
				if err != nil && !errors.Is(err, swap.ErrChanged) && !errors.Is(err, jsonl.ErrBusy) { // a loaded machine has them wait
					t.Error(err)
				}
				if err != nil {
					continue
				}
				acts := []undo.Act{a}
				if i%4 == 0 {
					if steps, err := b.room.Plan(acts, "user", ""); err == nil && steps[0].Do(t.Context()) == nil {
						acts = append(acts, steps[0].Act)
					}
				}
				mu.Lock()
				done = append(done, acts...)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(done) < hands {
		t.Errorf("%d acts were done", len(done))
	}
	// Whatever came to stand in the file was replaced as often, but for what stands there last.
	in, out := map[string]int{swap.Sum([]byte("0")): 1}, map[string]int{swap.Sum([]byte(b.read("a"))): 1}
	for _, a := range done {
		in[a.After]++
		out[a.Before]++
	}
	for sum, n := range in {
		if out[sum] != n {
			t.Errorf("of %d acts: what came %d times was replaced %d times", len(done), n, out[sum])
		}
	}
}
