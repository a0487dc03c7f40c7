package jsonl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ken/internal/proctest"
)

// lockEnv names, to a copy of this test program, the directory to lock.
const lockEnv = "KEN_TEST_LOCK_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(lockEnv); dir != "" {
		holdLock(dir)
		return
	}
	os.Exit(m.Run())
}

// holdLock takes the lock, says so, and holds it until its input ends.
func holdLock(dir string) {
	if _, err := LockDir(context.Background(), dir, time.Minute); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("locked")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

func TestLockExcludesGoroutines(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b") // made by the first
	var wg sync.WaitGroup
	// The race detector knows nothing of locks on files.
	var inside, total atomic.Int32
	for range 8 {
		wg.Go(func() {
			for range 50 {
				l, err := LockDir(t.Context(), dir, time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				total.Add(1)
				inside.Add(-1)
				if err := l.Unlock(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := total.Load(); n != 400 {
		t.Errorf("%d of 400", n)
	}
}

func TestLockBusy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l, err := LockDir(t.Context(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, wait := range []time.Duration{0, 5 * time.Millisecond} {
		_, err = LockDir(t.Context(), dir, wait)
		if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%v, want ErrBusy that names the directory", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := LockDir(ctx, dir, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
	late, done := context.WithTimeout(t.Context(), time.Millisecond) // whoever gives up first, it was held
	defer done()
	if _, err := LockDir(late, dir, time.Hour); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrBusy) {
		t.Errorf("%v, want ErrBusy and that time was up", err)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	l, err = LockDir(t.Context(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Unlock(); err != nil {
		t.Error(err)
	}
}

// TestLockOfAnotherProcess holds the lock in a process and kills it.
func TestLockOfAnotherProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := proctest.Self(t)
	cmd.Env = append(cmd.Env, lockEnv+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if s, err := bufio.NewReader(out).ReadString('\n'); s != "locked\n" {
		t.Fatalf("the other process says %q, %v", s, err)
	}
	if _, err := LockDir(t.Context(), dir, 5*time.Millisecond); !errors.Is(err, ErrBusy) {
		t.Errorf("%v, want ErrBusy", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	l, err := LockDir(t.Context(), dir, time.Minute)
	if err != nil {
		t.Fatalf("after the holder was killed: %v", err)
	}
	if err := l.Unlock(); err != nil {
		t.Error(err)
	}
}

// TestLockFileRemoved has somebody delete the lock file under a holder: who
// comes later must not believe in a lock on a file without a name.
func TestLockFileRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, err := LockDir(t.Context(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	remove(t, filepath.Join(dir, LockName))
	if one.named(filepath.Join(dir, LockName)) {
		t.Error("the lock says that its file has a name")
	}
	two, err := LockDir(t.Context(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LockDir(t.Context(), dir, 0); !errors.Is(err, ErrBusy) {
		t.Errorf("%v, want ErrBusy", err)
	}
	for _, l := range []*Lock{one, two} {
		if err := l.Unlock(); err != nil {
			t.Error(err)
		}
	}
}
