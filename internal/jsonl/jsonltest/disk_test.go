package jsonltest_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ken/internal/jsonl"
	"ken/internal/jsonl/jsonltest"
)

func disk(t *testing.T) (d *jsonltest.Disk, dir string) {
	t.Helper()
	dir = t.TempDir()
	d, err := jsonltest.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d, dir
}

// create makes a file on d with text in it.
func create(t *testing.T, d *jsonltest.Disk, path, text string) jsonl.File {
	t.Helper()
	f, err := d.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return f
}

func syncDir(t *testing.T, d *jsonltest.Disk, dir string) {
	t.Helper()
	f, err := d.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// outcomes lists what the file may hold after a power failure, "-" for no file:
// all answers of pick are tried.
func outcomes(t *testing.T, d *jsonltest.Disk, name string) []string {
	t.Helper()
	var found []string
	var answers, mosts []int
	for more := true; more; {
		asked := 0
		into := filepath.Join(t.TempDir(), "x")
		err := d.PowerLoss(into, func(most int) int {
			if asked == len(answers) {
				answers, mosts = append(answers, 0), append(mosts, most)
			}
			asked++
			return answers[asked-1]
		})
		if err != nil {
			t.Fatal(err)
		}
		text := "-"
		if b, err := os.ReadFile(filepath.Join(into, name)); err == nil {
			text = string(b)
		}
		if !slices.Contains(found, text) {
			found = append(found, text)
		}
		more = false
		for i := len(answers) - 1; i >= 0 && !more; i-- {
			if answers[i]++; answers[i] < mosts[i] {
				answers, mosts, more = answers[:i+1], mosts[:i+1], true
			}
		}
	}
	slices.Sort(found)
	return found
}

func want(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s may become %q, want %q", what, got, want)
	}
}

func TestPowerLoss(t *testing.T) {
	t.Parallel()
	d, dir := disk(t)
	f := create(t, d, filepath.Join(dir, "a"), "xy")
	want(t, "a file without any sync", outcomes(t, d, "a"), "-", "", "x", "\x00", "xy", "\x00\x00")
	syncDir(t, d, dir)
	want(t, "a file whose name is synced", outcomes(t, d, "a"), "", "x", "\x00", "xy", "\x00\x00")
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	want(t, "a synced file", outcomes(t, d, "a"), "xy")
	if _, err := f.Write([]byte("z")); err != nil {
		t.Fatal(err)
	}
	want(t, "a file appended to", outcomes(t, d, "a"), "xy", "xy\x00", "xyz")
	if err := d.Truncate(filepath.Join(dir, "a"), 1); err != nil {
		t.Fatal(err)
	}
	want(t, "a file cut", outcomes(t, d, "a"), "x", "x\x00", "xy")
	if err := d.Settle(); err != nil {
		t.Fatal(err)
	}
	want(t, "a file that is settled", outcomes(t, d, "a"), "x")
}

func TestPowerLossNames(t *testing.T) {
	t.Parallel()
	d, dir := disk(t)
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for path, text := range map[string]string{a: "old", b: "new"} {
		if err := create(t, d, path, text).Sync(); err != nil {
			t.Fatal(err)
		}
	}
	syncDir(t, d, dir)
	if err := d.Rename(b, a); err != nil {
		t.Fatal(err)
	}
	want(t, "the target of a rename", outcomes(t, d, "a"), "old", "new")
	want(t, "the source of a rename", outcomes(t, d, "b"), "-", "new")
	syncDir(t, d, dir)
	want(t, "the target of a synced rename", outcomes(t, d, "a"), "new")
	want(t, "the source of a synced rename", outcomes(t, d, "b"), "-")
	if err := d.Remove(a); err != nil {
		t.Fatal(err)
	}
	want(t, "a removed file", outcomes(t, d, "a"), "-", "new")
	if err := create(t, d, a, "").Close(); err != nil {
		t.Fatal(err)
	}
	want(t, "a file made again", outcomes(t, d, "a"), "-", "", "new")
}

// TestFailedSync says what kernels do: what a failed sync did not write is not
// written by the next one either, unless it was changed again.
func TestFailedSync(t *testing.T) {
	t.Parallel()
	d, dir := disk(t)
	path := filepath.Join(dir, "a")
	f := create(t, d, path, "x\n")
	syncDir(t, d, dir)
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("lost\n")); err != nil {
		t.Fatal(err)
	}
	d.FailAt(1, jsonltest.Fault{Err: syscall.EIO})
	if err := f.Sync(); !errors.Is(err, syscall.EIO) {
		t.Fatalf("Sync: %v", err)
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	want(t, "a file after a failed sync and a good one", outcomes(t, d, "a"), "x\n\x00\x00\x00\x00\x00")
	if _, err := f.Write([]byte("y\n")); err != nil {
		t.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	want(t, "a file whose sector was written to again", outcomes(t, d, "a"), "x\nlost\ny\n")
}

func TestFaults(t *testing.T) {
	t.Parallel()
	d, dir := disk(t)
	path := filepath.Join(dir, "a")
	f := create(t, d, path, "x")
	d.FailAt(1, jsonltest.Fault{Err: syscall.ENOSPC, Done: 1})
	if n, err := f.Write([]byte("yz")); n != 1 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a short write: %d, %v", n, err)
	}
	d.FailAt(2, jsonltest.Fault{Done: 1})
	if _, err := f.Write([]byte("b")); err != nil {
		t.Errorf("a call before the fault: %v", err)
	}
	if n, err := f.Write([]byte("cd")); n != 1 || !errors.Is(err, jsonltest.ErrCrash) {
		t.Errorf("the crash: %d, %v", n, err)
	}
	_, werr := f.Write([]byte("e"))
	_, oerr := d.OpenFile(path, os.O_RDONLY, 0)
	for _, err := range []error{werr, oerr, f.Sync(), f.Close(), d.Rename(path, path+"2"), d.Remove(path), d.Truncate(path, 0)} {
		if !errors.Is(err, jsonltest.ErrCrash) {
			t.Errorf("after the crash: %v", err)
		}
	}
	if b, err := os.ReadFile(path); string(b) != "xybc" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	d.Calm()
	if err := d.Truncate(path, 0); err != nil {
		t.Errorf("after the restart: %v", err)
	}
	if got := strings.Join(d.Trace(), ", "); got != "open a, write a, write a, write a, write a, truncate a" {
		t.Errorf("calls: %s", got)
	}
}

// TestDiedBeforeSync: who dies before a sync gives nothing up; the next process
// syncs what it finds.
func TestDiedBeforeSync(t *testing.T) {
	t.Parallel()
	d, dir := disk(t)
	path := filepath.Join(dir, "a")
	f := create(t, d, path, "x\n")
	syncDir(t, d, dir)
	d.FailAt(1, jsonltest.Fault{})
	if err := f.Sync(); !errors.Is(err, jsonltest.ErrCrash) {
		t.Fatalf("Sync: %v", err)
	}
	d.Calm()
	next, err := d.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(next.Sync(), next.Close()); err != nil {
		t.Fatal(err)
	}
	want(t, "a file that the next process synced", outcomes(t, d, "a"), "x\n")
	files, err := d.Remains(func(int) int { return 0 })
	if err != nil || string(files["a"]) != "x\n" || files.Sum() != (jsonltest.Files{"a": []byte("x\n")}).Sum() || files.Sum() == (jsonltest.Files{"a": []byte("y\n")}).Sum() {
		t.Errorf("what remains is %q, %v", files, err)
	}
}
