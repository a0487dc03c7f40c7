//go:build linux

package pair_test

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"ken/internal/pty/pair"
)

// TestAskedForMeanwhile: a terminal opens while others ask for its name, which they find missing now and then.
func TestAskedForMeanwhile(t *testing.T) {
	t.Parallel()
	var done atomic.Bool
	var asking sync.WaitGroup
	for n := range 3 {
		asking.Go(func() {
			for !done.Load() {
				_, _ = os.Lstat(fmt.Sprintf("/dev/pts/%d", n))
			}
		})
	}
	for range 20_000 {
		master, slave, err := pair.Open()
		if err != nil {
			t.Error(err)
			break
		}
		_, _ = master.Close(), slave.Close()
	}
	done.Store(true)
	asking.Wait()
}

// TestAgain: what is written to the second end, opened in any way, comes out of the first; what is
// opened for writing cannot be read.
func TestAgain(t *testing.T) {
	t.Parallel()
	master, slave, err := pair.Open()
	if err != nil {
		t.Fatal(err)
	}
	shows, err := pair.Again(master, slave, os.O_WRONLY)
	if err != nil {
		t.Fatal(err)
	}
	if shows.Name() != slave.Name() {
		t.Errorf("named %s and %s", slave.Name(), shows.Name())
	}
	for _, f := range []*os.File{slave, shows} {
		b := make([]byte, 8)
		if _, err := f.WriteString("one"); err != nil {
			t.Fatal(err)
		}
		if n, err := master.Read(b); err != nil || string(b[:n]) != "one" {
			t.Errorf("%q, %v", b[:n], err)
		}
		if flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
			t.Errorf("a child would have it: %v, %v", flags, err)
		}
	}
	if _, err := shows.Read(make([]byte, 1)); err == nil {
		t.Error("what only shows can be read")
	}
	_, _, _ = master.Close(), slave.Close(), shows.Close()
}
