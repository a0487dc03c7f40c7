//ken:slow

package filelog

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ken/internal/jsonl"
	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
)

// sample is a log of 200 records and about 64 KiB, with the marks behind its
// lines: ends[0] is the start.
func sample() (text []byte, ends []jsonl.Mark) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"prefers", "ünïcode", "日本語", "a\nline", `"quoted"`, "repo", "never", "test", "🙂", "tab\t", "back\\slash"}
	var b []byte
	b = append(memory.Meta{Format: 1, Log: "laptop-7f3a", Created: fact(1, "").Time}.AppendJSON(b), '\n')
	for n := int64(1); n <= 200; n++ {
		var s []string
		for range 20 + rng.IntN(30) {
			s = append(s, words[rng.IntN(len(words))])
		}
		rec := fact(n, fmt.Sprintf("%d %s", n, strings.Join(s, " ")))
		if n%10 == 0 {
			rec = memory.Record{ID: memory.Num(n), Time: rec.Time, Kind: memory.KindForget, Target: memory.Num(n - 5), Detail: &memory.Detail{Reason: strings.Join(s, " ")}}
		}
		b = append(rec.AppendJSON(b), '\n')
	}
	ends = []jsonl.Mark{{}}
	for l := range jsonl.Lines(bytes.NewReader(b), memory.MaxLine) {
		ends = append(ends, l.End)
	}
	return b, ends
}

// sampleLog is a log with the sample in it. Its file is made ready for any cut.
func sampleLog(t *testing.T, dir string, text []byte) *Log {
	t.Helper()
	l := openIn(dir)
	l.o.FS = unsynced{}
	write(t, l.path, string(text))
	return l
}

// unsynced is a file system without faults that does not wait for a disk.
type unsynced struct{ jsonl.OS }

func (u unsynced) OpenFile(name string, flag int, perm os.FileMode) (jsonl.File, error) {
	f, err := u.OS.OpenFile(name, flag, perm)
	return unsyncedFile{f}, err
}

type unsyncedFile struct{ jsonl.File }

func (unsyncedFile) Sync() error { return nil }

// lineOf returns the index of the line that has byte n, and whether n is the
// first byte of it.
func lineOf(ends []jsonl.Mark, n int) (i int, first bool) {
	for i+1 < len(ends) && ends[i+1].Offset <= int64(n) {
		i++
	}
	return i, ends[i].Offset == int64(n)
}

// TestF3TruncateEveryByte cuts the log at every byte, opens it, lists it,
// appends to it and opens it again. Every cut is read from two lines before it,
// every 64th from the start.
func TestF3TruncateEveryByte(t *testing.T) {
	t.Parallel()
	text, ends := sample()
	step := 1
	if brief() {
		step = 13
	}
	const parts = 2
	for part := range parts {
		t.Run(fmt.Sprintf("Part%d", part), func(t *testing.T) {
			t.Parallel()
			l := sampleLog(t, jsonltest.Dir(t), text)
			cases, whole := 0, 0
			// From the longest to the shortest: what a case appends, the next one cuts.
			for n := len(text) - part; n >= 0; n -= step * parts {
				if err := os.Truncate(l.path, int64(n)); err != nil {
					t.Fatal(err)
				}
				i, clean := lineOf(ends, n)
				from := jsonl.Mark{}
				if cases%64 != 0 && i > 2 {
					from = ends[i-2]
				} else {
					whole++
				}
				cases++
				if err := cutCase(t, l, text, ends, n, i, clean, from); err != nil {
					t.Fatalf("cut at byte %d, in line %d: %v", n, i+1, err)
				}
			}
			jsonltest.Survived(t, "F3/Log", cases)
			t.Logf("%d of them were read from the start", whole)
		})
	}
}

// cutCase checks the log cut at byte n, in the line with index i, from the
// position from.
func cutCase(t *testing.T, l *Log, text []byte, ends []jsonl.Mark, n, i int, clean bool, from jsonl.Mark) error {
	t.Helper()
	// A line that lacks its end alone is whole.
	whole := i
	if !clean && int64(n) == ends[i+1].Offset-1 {
		whole, clean = i+1, true
	}
	look := func(torn bool, more string) error {
		list := entries(t, Open(l.path, l.o), cursor(from))
		if len(list) < whole-from.Lines {
			return fmt.Errorf("%d entries, want %d whole lines", len(list), whole-from.Lines)
		}
		for k := from.Lines; k < whole; k++ {
			e := list[k-from.Lines]
			line := text[ends[k].Offset : ends[k+1].Offset-1]
			if e.Bad != nil || e.Line != k+1 || e.Sum != memory.SumOf(line) {
				return fmt.Errorf("line %d is read as %+v", k+1, e)
			}
		}
		rest := shown(list[whole-from.Lines:])
		want := more
		if !clean && torn {
			want = fmt.Sprintf("torn %d", i+1)
		} else if !clean {
			want = fmt.Sprintf("bad %d, %s", i+1, more)
		}
		if rest != want {
			return fmt.Errorf("behind the whole lines: %q, want %q", rest, want)
		}
		return nil
	}
	if err := look(true, ""); err != nil {
		return err
	}
	if n == 0 {
		return nil // an empty file gets a meta line
	}
	at := cursor(from)
	_, err := l.Append(t.Context(), at, func(later []memory.Entry) ([]memory.Record, error) {
		return []memory.Record{fact(1000, "new")}, nil
	})
	if err != nil {
		return err
	}
	return look(false, "new")
}

// TestF3OnDisk is a part of TestF3TruncateEveryByte with real syncs.
func TestF3OnDisk(t *testing.T) {
	t.Parallel()
	text, ends := sample()
	l := openIn(t.TempDir())
	rng := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		n := 1 + rng.IntN(len(text))
		write(t, l.path, string(text[:n]))
		i, clean := lineOf(ends, n)
		if err := cutCase(t, l, text, ends, n, i, clean, jsonl.Mark{}); err != nil {
			t.Fatalf("cut at byte %d: %v", n, err)
		}
	}
}

// TestF4FlipEveryByte flips one bit of every byte. The line that has it, or the
// two lines that lose the end between them, may be read as anything; all others
// are read as before.
//
//ken:unraced
func TestF4FlipEveryByte(t *testing.T) {
	t.Parallel()
	text, ends := sample()
	l := sampleLog(t, jsonltest.Dir(t), text)
	f, err := os.OpenFile(l.path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rng := rand.New(rand.NewPCG(5, 6))
	step := 1
	if brief() {
		step = 13
	}
	cases, bad := 0, 0
	for n := 0; n < len(text); n += step {
		flipped := text[n] ^ 1<<rng.IntN(8)
		if _, err := f.WriteAt([]byte{flipped}, int64(n)); err != nil {
			t.Fatal(err)
		}
		i, _ := lineOf(ends, n)
		first, last := max(i-1, 0), min(i+3, len(ends)-1)
		var list []memory.Placed
		var hashes []string
		for e := range Open(l.path, l.o).Records(t.Context(), cursor(ends[first])) {
			list = append(list, e)
			hashes = append(hashes, e.Sum.String())
			if e.Bad != nil {
				bad++
			}
			if e.Line > i+4 {
				break
			}
		}
		has := strings.Join(hashes, " ")
		for k := first; k < last; k++ {
			if k == i || k == i+1 && text[n] == '\n' {
				continue
			}
			if line := text[ends[k].Offset : ends[k+1].Offset-1]; !strings.Contains(has, memory.SumOf(line).String()) {
				t.Fatalf("byte %d flipped from %q to %q: line %d is lost: %s", n, text[n], flipped, k+1, shown(list))
			}
		}
		if cases%500 == 0 {
			before := content(t, l)
			if _, err := l.Append(t.Context(), "", func([]memory.Entry) ([]memory.Record, error) {
				return []memory.Record{fact(memory.MaxID-1, "new")}, nil
			}); err != nil && !errors.Is(err, memory.ErrForeign) {
				t.Fatalf("byte %d flipped: %v", n, err)
			}
			if !strings.HasPrefix(content(t, l), before) {
				t.Fatalf("byte %d flipped: an append changed what was there", n)
			}
			if err := os.Truncate(l.path, int64(len(text))); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(l.o.DeviceFile); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		cases++
		if _, err := f.WriteAt(text[n:n+1], int64(n)); err != nil {
			t.Fatal(err)
		}
	}
	jsonltest.Survived(t, "F4/Log", cases)
	t.Logf("%d lines could not be read", bad)
}

// scenario is a life of a log: a first append, more, an erasure, and one more.
// It returns what was acknowledged.
func scenario(t *testing.T, l *Log) (acked []int64, erased bool, err error) {
	t.Helper()
	add := func(ns ...int64) error {
		_, err := l.Append(t.Context(), "", func([]memory.Entry) ([]memory.Record, error) {
			var recs []memory.Record
			for _, n := range ns {
				recs = append(recs, fact(n, fmt.Sprintf("fact%d secret%d", n, n)))
			}
			return recs, nil
		})
		if err == nil {
			acked = append(acked, ns...)
		}
		return err
	}
	var errs []error
	errs = append(errs, add(1), add(2, 3), add(4))
	_, err = l.Erase(t.Context(), memory.Num(3))
	erased = err == nil
	errs = append(errs, err, add(5))
	return acked, erased, errors.Join(errs...)
}

// TestF2F7Faults has every call of a log's life fail in every way, or be the
// last one before a crash or a power failure.
func TestF2F7Faults(t *testing.T) {
	t.Parallel()
	states, faults := 12, []jsonltest.Fault{
		{},
		{Done: 1},
		{Done: 90},
		{Done: 1 << 20},
		{Err: syscall.ENOSPC},
		{Err: syscall.ENOSPC, Done: 1},
		{Err: syscall.ENOSPC, Done: 90},
		{Err: syscall.EIO},
		{Err: syscall.EINTR},
	}
	if brief() {
		states, faults = 2, faults[1:5]
	}
	life := func(k int, fault jsonltest.Fault) (l *Log, d *jsonltest.Disk, acked []int64, erased bool, err error) {
		dir := jsonltest.Dir(t)
		l = openIn(dir)
		d, derr := jsonltest.New(dir)
		if derr != nil {
			t.Fatal(derr)
		}
		l.o.FS = d
		if k > 0 {
			d.FailAt(k, fault)
		}
		acked, erased, err = scenario(t, l)
		return l, d, acked, erased, err
	}
	l, d, _, _, err := life(0, jsonltest.Fault{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(l *Log, where string, acked []int64, erased bool) {
		t.Helper()
		list := entries(t, l, "")
		said := shown(list)
		for _, n := range acked {
			if n == 3 && !strings.Contains(said, "fact3 ") {
				// It may have been erased without anybody hearing of it.
				found := erased
				for _, e := range list {
					found = found || e.Record.ID == memory.Num(3)
				}
				if found {
					continue
				}
			}
			if !strings.Contains(said, fmt.Sprintf("fact%d secret%d", n, n)) && (n != 3 || !erased) {
				t.Errorf("%s: the acknowledged record %d is lost: %s", where, n, said)
			}
		}
		if b, _ := os.ReadFile(l.path); erased && strings.Contains(string(b), "secret3") { // no file has no text
			t.Errorf("%s: the erased text is there", where)
		}
		// Everything works afterwards.
		if _, err := l.Erase(t.Context(), memory.Num(3)); err != nil {
			t.Errorf("%s: erase afterwards: %v", where, err)
		}
		appended(t, l, "", "afterwards")
		list = entries(t, l, "")
		if len(list) == 0 || list[len(list)-1].Record.Content != "afterwards" {
			t.Errorf("%s: an append afterwards leads to %s", where, shown(list))
		}
		names, err := os.ReadDir(filepath.Dir(l.path))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			b, _ := os.ReadFile(filepath.Join(filepath.Dir(l.path), name.Name())) // directories have no text
			if strings.Contains(string(b), "secret3") {
				t.Errorf("%s: the erased text is in %s", where, name.Name())
			}
		}
	}
	check(l, "no fault", []int64{1, 2, 3, 4, 5}, true)
	cases := 0
	rng := rand.New(rand.NewPCG(7, 8))
	for k := 1; k <= len(d.Trace()); k++ {
		for _, fault := range faults {
			l, d, acked, erased, _ := life(k, fault)
			if len(d.Trace()) < k {
				continue // a fault further up made the life shorter
			}
			where := fmt.Sprintf("call %d (%s), fault %+v", k, d.Trace()[k-1], fault)
			for range states {
				into := jsonltest.Dir(t)
				if err := d.PowerLoss(into, rng.IntN); err != nil {
					t.Fatal(err)
				}
				after := openIn(into)
				after.o.FS = unsynced{}
				check(after, where+", power failure", acked, erased)
				cases++
			}
			d.Calm()
			check(l, where, acked, erased)
			cases++
		}
	}
	jsonltest.Survived(t, "F2/F5/F7/Log", cases)
	t.Logf("over %d calls", len(d.Trace()))
}

// replacedOnce is a file system on which an editor that saves by renaming comes
// in the middle of the first append to a log.
type replacedOnce struct {
	jsonl.OS
	path string
	edit func(now []byte) []byte
	done *bool
	late bool // the editor reads what was appended, else what was there before
	sync *int // counts the syncs of the file that was put there
}

func (r replacedOnce) OpenFile(name string, flag int, perm os.FileMode) (jsonl.File, error) {
	before, _ := os.ReadFile(r.path) // none is empty
	f, err := r.OS.OpenFile(name, flag, perm)
	if err == nil && name == r.path && *r.done {
		return countingFile{f, r.sync}, nil
	}
	if err != nil || name != r.path {
		return f, err
	}
	*r.done = true
	return replacingFile{f, r, before}, nil
}

type countingFile struct {
	jsonl.File
	n *int
}

func (f countingFile) Sync() error { *f.n++; return f.File.Sync() }

type replacingFile struct {
	jsonl.File
	fs     replacedOnce
	before []byte
}

func (f replacingFile) Sync() error {
	now := f.before
	if f.fs.late {
		var err error
		if now, err = os.ReadFile(f.fs.path); err != nil {
			return err
		}
	}
	if err := os.WriteFile(f.fs.path+"~", f.fs.edit(now), 0o600); err != nil {
		return err
	}
	return errors.Join(os.Rename(f.fs.path+"~", f.fs.path), f.File.Sync())
}

// TestReplacedWhileAppending wants the new record in the file that has the name
// afterwards, once, and that file on the disk before it is acknowledged.
func TestReplacedWhileAppending(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		l := holding(t, `{"id":1,"content":"one"}`+"\n")
		done, syncs := false, 0
		edit := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`"one"`), []byte(`"edited"`)) }
		l.o.FS = replacedOnce{path: l.path, edit: edit, done: &done, late: late, sync: &syncs}
		if _, err := l.Append(t.Context(), "", func([]memory.Entry) ([]memory.Record, error) {
			return []memory.Record{fact(2, "two")}, nil
		}); err != nil {
			t.Fatal(err)
		}
		if got := shown(entries(t, l, "")); got != "edited, two" {
			t.Errorf("late %v: the log holds %q, want the edit and the new record", late, got)
		}
		if syncs == 0 {
			t.Errorf("late %v: acknowledged without a sync of the file that has the name", late)
		}
	}
}
