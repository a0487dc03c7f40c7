package battery

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/session"
)

// peak is the most memory that a process took, in bytes, as it says itself: what
// the system keeps of a child counts its parent in.
func peak(t *testing.T, c child) (bytes int64) {
	t.Helper()
	for c.said.Scan() {
		if _, err := fmt.Sscanf(c.said.Text(), "VmHWM: %d kB", &bytes); err != nil {
			t.Error(c.said.Text())
		}
	}
	if err := c.cmd.Wait(); err != nil {
		t.Error(err)
	}
	return bytes << 10
}

// readOnce reads everything there is, and says what it took.
func readOnce(ctx context.Context, dir string, _ uint64, _ int) error {
	h := NewHome(dir)
	_, serr := h.Engine().State(ctx)
	_, rerr := h.queue().Read()
	paths, err := h.sessionFiles()
	if err = errors.Join(err, serr, rerr); err != nil {
		return err
	}
	for _, path := range paths {
		if _, err := session.Load(path); err != nil {
			return err
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM:") {
			fmt.Println(strings.Join(strings.Fields(line), " "))
		}
	}
	return err
}

// TestF10Bounded reads files that are large, or that have a large line: what cannot be
// read takes no more than twice the file in memory, beside what a process takes
// without one; a million sound lines take eight times at most.
func TestF10Bounded(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("this system does not say what a process takes:", err)
	}
	if raced {
		t.Skip("with the race detector a process takes several times as much")
	}
	var r Report
	root := temp(t)
	empty := peak(t, startChild(t, root(), "read", 0, 0))
	type big struct {
		name  string
		lines int
		line  func(f form, n int) string
		times int64 // of the file, at most
	}
	junk := strings.Repeat("y", 64<<20)
	list := []big{{"a line of 64 MiB that is no JSON", 1, func(form, int) string { return junk }, 2}}
	if full() {
		pad := strings.Repeat("x", 1<<20)
		list = append(list,
			big{"a line of 64 MiB", 1, func(f form, _ int) string { return f.sized(64 << 20) }, 2},
			// What can be read is held as values of the program.
			big{"a million lines", 1_000_000, func(f form, n int) string {
				return f.line(n+10, fmt.Sprintf("what is known about the %d-th of a million things, in a line as people write them", n))
			}, 8},
			big{"1 GiB of lines of a mebibyte", 1024, func(form, int) string { return pad + "y" }, 2})
	}
	for _, f := range forms() {
		if f.kept.Add == nil {
			continue // imports are read by another program
		}
		for _, b := range list {
			h := NewHome(root())
			size, err := writeBig(f.place(h), f.head, b.lines, func(n int) string { return b.line(f, n) })
			if err != nil {
				t.Fatal(err)
			}
			took := peak(t, startChild(t, h.Dir, "read", 0, 0)) - empty
			t.Logf("%s, %s: %d MiB on the disk, %d MiB in memory", f.name, b.name, size>>20, took>>20)
			if took > b.times*size {
				err = fmt.Errorf("it takes %d bytes for a file of %d", took, size)
			}
			r.Add(err, "%s: %s", f.name, b.name)
			if err := os.RemoveAll(h.Dir); err != nil {
				t.Error(err)
			}
		}
	}
	report(t, r, nil)
}

// writeBig writes a file line by line.
func writeBig(path, head string, lines int, line func(n int) string) (size int64, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	n, err := w.WriteString(head)
	size = int64(n)
	for i := 0; i < lines && err == nil; i++ {
		n, err = w.WriteString(line(i) + "\n")
		size += int64(n)
	}
	return size, errors.Join(err, w.Flush(), f.Close())
}
