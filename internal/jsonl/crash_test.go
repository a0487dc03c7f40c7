//ken:slow

package jsonl_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ken/internal/jsonl"
	"ken/internal/jsonl/jsonltest"
)

// An appender appends lines in some way; jsonl.Append is the right one.
type appender func(f jsonl.FS, path string, data []byte, sync bool) error

// batches are what a run appends, one append each; the last is longer than a
// sector.
func batches() []string {
	return []string{"1\n", "2a\n2b\n2c\n", "3\n", "4a\n4b\n", "5 " + strings.Repeat("x", 700) + "\n", "6\n"}
}

// A run is what became of the batches.
type run struct {
	dir, path string
	disk      *jsonltest.Disk
	acked     []string // lines whose append was acknowledged
	refused   []string // lines of appends that failed without a crash
}

// start makes a file with a torn last line and appends the batches to it, or to
// no file at all.
func start(t testing.TB, torn bool, faults func(d *jsonltest.Disk), add appender) *run {
	t.Helper()
	dir := jsonltest.Dir(t)
	r := &run{dir: dir, path: filepath.Join(dir, "log.jsonl")}
	if torn {
		if err := os.WriteFile(r.path, []byte("0\ntorn"), 0o600); err != nil {
			t.Fatal(err)
		}
		r.acked = append(r.acked, "0")
	}
	var err error
	if r.disk, err = jsonltest.New(dir); err != nil {
		t.Fatal(err)
	}
	faults(r.disk)
	for _, b := range batches() {
		lines := strings.Split(strings.TrimSuffix(b, "\n"), "\n")
		err := add(r.disk, r.path, []byte(b), true)
		switch {
		case err == nil:
			r.acked = append(r.acked, lines...)
		case errors.Is(err, jsonltest.ErrCrash):
			return r
		default:
			r.refused = append(r.refused, lines...)
		}
	}
	return r
}

// check says what is wrong with the file at path behind the run. crashed allows
// for remains of appends that nobody heard of.
func (r *run) check(path string, crashed bool) error {
	f, err := os.Open(path)
	if err != nil && len(r.acked) > 0 {
		return fmt.Errorf("%d lines were acknowledged: %w", len(r.acked), err)
	}
	if err != nil {
		return nil
	}
	defer f.Close()
	var got []string
	for l, err := range jsonl.Lines(f, 1<<20) {
		if err != nil {
			return err
		}
		got = append(got, string(l.Bytes))
	}
	known := r.acked
	for _, want := range r.acked {
		i := slices.Index(got, want)
		if i < 0 {
			return fmt.Errorf("the acknowledged line %.10q is lost: %.60q", want, got)
		}
		got = got[i+1:]
	}
	if crashed {
		return nil
	}
	f2, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(f2), "\n"), "\n") {
		if line != "torn" && !slices.Contains(known, line) {
			return fmt.Errorf("a line of an append that failed is there: %.10q", line)
		}
	}
	return nil
}

// faults are what may happen at a call, besides nothing.
func faults() []jsonltest.Fault {
	return []jsonltest.Fault{
		{},
		{Done: 1},
		{Done: 3},
		{Done: 1 << 20},
		{Err: syscall.ENOSPC},
		{Err: syscall.ENOSPC, Done: 1},
		{Err: syscall.ENOSPC, Done: 4},
		{Err: syscall.EIO},
		{Err: syscall.EIO, Done: 1 << 20},
		{Err: syscall.EDQUOT, Done: 2},
		{Err: syscall.EINTR},
		{Err: syscall.EMFILE},
	}
}

// battery runs add under every fault at every call, and looks at the file as a
// killed process leaves it and as states of power failures have it. It returns
// the first thing that is wrong, and how many cases it looked at.
func battery(t testing.TB, add appender, states int) (cases int, err error) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, torn := range []bool{false, true} {
		calls := len(start(t, torn, func(*jsonltest.Disk) {}, add).disk.Trace())
		for k := 1; k <= calls; k++ {
			for _, fault := range faults() {
				r := start(t, torn, func(d *jsonltest.Disk) { d.FailAt(k, fault) }, add)
				where := fmt.Sprintf("torn %v, call %d (%s), fault %+v", torn, k, r.disk.Trace()[k-1], fault)
				cases++
				if err := r.check(r.path, fault.Err == nil); err != nil {
					return cases, fmt.Errorf("%s: %w", where, err)
				}
				for range states {
					into := filepath.Join(r.dir, "after")
					if err := r.disk.PowerLoss(into, rng.IntN); err != nil {
						return cases, err
					}
					cases++
					if err := r.recovers(filepath.Join(into, "log.jsonl")); err != nil {
						return cases, fmt.Errorf("%s, power failure: %w", where, err)
					}
					if err := os.RemoveAll(into); err != nil {
						return cases, err
					}
				}
			}
		}
	}
	return cases, nil
}

// recovers checks a state after a power failure, and that the next append to it
// stands on a line of its own.
func (r *run) recovers(path string) error {
	if err := r.check(path, true); err != nil {
		return err
	}
	if err := jsonl.Append(jsonl.OS{}, path, []byte("next\n"), false); err != nil {
		return err
	}
	after := *r
	after.acked = append(slices.Clone(r.acked), "next")
	return after.check(path, true)
}

//ken:unraced
func TestF5F7Append(t *testing.T) {
	t.Parallel()
	states := 25
	if testing.Short() {
		states = 4
	}
	cases, err := battery(t, jsonl.Append, states)
	if err != nil {
		t.Errorf("case %d: %v", cases, err)
	}
	jsonltest.Survived(t, "F5/F7/Append", cases)
	if cases < 2000 {
		t.Errorf("only %d cases", cases)
	}
}

// TestBatteryCatches appends in ways that are wrong: a battery that lets one of
// them pass proves nothing.
//
//ken:unraced
func TestBatteryCatches(t *testing.T) {
	t.Parallel()
	wrong := map[string]wrongly{
		"no sync":          {noSync: true},
		"no sync of names": {noDirSync: true},
		"no guard":         {noGuard: true},
		"write by write":   {perLine: true},
		"nothing back":     {keepTorn: true},
		"sync asked again": {syncAgain: true},
		"a failed sync is kept": {
			keepUnsynced: true,
		},
	}
	for name, w := range wrong {
		if _, err := battery(t, w.append, 25); err == nil {
			t.Errorf("%s: nothing was found", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
	if _, err := battery(t, wrongly{}.append, 3); err != nil {
		t.Errorf("with nothing wrong: %v", err)
	}
}

// wrongly is Append as it is often written, with some of the usual mistakes.
type wrongly struct{ noSync, noDirSync, noGuard, perLine, keepTorn, syncAgain, keepUnsynced bool }

func (w wrongly) append(f jsonl.FS, path string, data []byte, _ bool) error {
	before, _ := os.ReadFile(path) // none is empty
	o, err := f.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer o.Close()
	if len(before) == 0 && !w.noDirSync {
		d, err := f.OpenFile(filepath.Dir(path), os.O_RDONLY, 0)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
	}
	parts := []string{string(data)}
	if w.perLine {
		parts = strings.SplitAfter(string(data), "\n")
		parts = parts[:len(parts)-1]
	}
	if len(before) > 0 && before[len(before)-1] != '\n' && !w.noGuard {
		parts[0] = "\n" + parts[0]
	}
	wrote := 0
	for _, p := range parts {
		n, err := o.Write([]byte(p))
		if err != nil {
			if !w.keepTorn && n > 0 {
				err = errors.Join(err, f.Truncate(path, int64(len(before)+wrote)))
			}
			return err
		}
		wrote += n
	}
	if w.noSync {
		return nil
	}
	err = o.Sync()
	if err != nil && w.syncAgain {
		err = o.Sync()
	}
	if err != nil {
		if !w.keepUnsynced {
			err = errors.Join(err, f.Truncate(path, int64(len(before))))
		}
		return err
	}
	return nil
}

// TestF5F7Rewrite replaces a file under every fault at every call: afterwards it
// is the old one or the new one, and the new one if that was acknowledged.
//
//ken:unraced
func TestF5F7Rewrite(t *testing.T) {
	t.Parallel()
	before, after := strings.Repeat("old line\n", 200), strings.Repeat("new\n", 300)
	rng, cases := rand.New(rand.NewPCG(3, 4)), 0
	try := func(prepare func(*jsonltest.Disk)) (d *jsonltest.Disk, path string, err error) {
		dir := jsonltest.Dir(t)
		path = filepath.Join(dir, "log.jsonl")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		fi, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if d, err = jsonltest.New(dir); err != nil {
			t.Fatal(err)
		}
		prepare(d)
		return d, path, jsonl.Rewrite(d, path, fi, func(w io.Writer) error {
			_, err := io.WriteString(w, after)
			return err
		})
	}
	d, path, err := try(func(*jsonltest.Disk) {})
	if err != nil {
		t.Fatal(err)
	}
	// What was rewritten may be appended to next, whatever became of it.
	appendNext := func(d *jsonltest.Disk, path, where string) {
		t.Helper()
		d.Calm()
		if err := jsonl.Append(d, path, []byte("next\n"), true); err != nil {
			t.Errorf("%s: append afterwards: %v", where, err)
			return
		}
		for range 10 {
			into := filepath.Join(filepath.Dir(path), "after")
			if err := d.PowerLoss(into, rng.IntN); err != nil {
				t.Fatal(err)
			}
			cases++
			got, err := os.ReadFile(filepath.Join(into, "log.jsonl"))
			if err != nil || !strings.HasSuffix(string(got), "\nnext\n") {
				t.Errorf("%s: an append was acknowledged and is lost: %v", where, err)
			}
			if err := os.RemoveAll(into); err != nil {
				t.Fatal(err)
			}
		}
	}
	check := func(path, where string, acked bool) {
		t.Helper()
		cases++
		got, err := os.ReadFile(path)
		if err != nil || string(got) != after && (acked || string(got) != before) {
			t.Errorf("%s: the file holds %.40q, %v; acknowledged: %v", where, got, err, acked)
		}
	}
	check(path, "no fault", true)
	for k := 1; k <= len(d.Trace()); k++ {
		for _, fault := range faults() {
			d, path, err := try(func(d *jsonltest.Disk) { d.FailAt(k, fault) })
			where := fmt.Sprintf("call %d (%s), fault %+v", k, d.Trace()[k-1], fault)
			check(path, where, err == nil)
			for range 40 {
				into := filepath.Join(filepath.Dir(path), "after")
				if err := d.PowerLoss(into, rng.IntN); err != nil {
					t.Fatal(err)
				}
				check(filepath.Join(into, "log.jsonl"), where+", power failure", err == nil)
				if err := os.RemoveAll(into); err != nil {
					t.Fatal(err)
				}
			}
			temp := filepath.Join(filepath.Dir(path), ".log.jsonl.new")
			if _, serr := os.Stat(temp); serr == nil && fault.Err != nil && !strings.HasPrefix(d.Trace()[k-1], "remove") {
				t.Errorf("%s: the new file is left behind", where)
			}
			appendNext(d, path, where)
		}
	}
	jsonltest.Survived(t, "F5/F7/Rewrite", cases)
}

// TestSyncError has a sync fail: the lines are taken back, and the error says
// so; if that fails too, it says that they are there.
func TestSyncError(t *testing.T) {
	t.Parallel()
	for _, stuck := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "log.jsonl")
		if err := os.WriteFile(path, []byte("a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := jsonltest.New(dir)
		if err != nil {
			t.Fatal(err)
		}
		d.FailAt(3, jsonltest.Fault{Err: syscall.EIO}) // open, write, sync
		want := "a\n"
		if stuck {
			d.FailAt(4, jsonltest.Fault{Err: syscall.EIO}) // truncate
			want = "a\nb\n"
		}
		err = jsonl.Append(d, path, []byte("b\n"), true)
		var se *jsonl.SyncError
		if !errors.As(err, &se) || se.Present != stuck || !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), "not saved") {
			t.Errorf("stuck %v: %v (calls %v)", stuck, err, d.Trace())
		}
		if got, err := os.ReadFile(path); string(got) != want {
			t.Errorf("stuck %v: the file holds %q, %v; want %q", stuck, got, err, want)
		}
	}
}

// TestAppendTwoCalls counts what a warm append costs: one write and one sync.
func TestAppendTwoCalls(t *testing.T) {
	t.Parallel()
	r := start(t, true, func(*jsonltest.Disk) {}, jsonl.Append)
	want := strings.Repeat("open log.jsonl,write log.jsonl,sync log.jsonl,close log.jsonl,", len(batches()))
	if got := strings.Join(r.disk.Trace(), ",") + ","; got != want {
		t.Errorf("calls %v", r.disk.Trace())
	}
}
