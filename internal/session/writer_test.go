package session

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"ken/internal/jsonl"
	"ken/internal/jsonl/jsonltest"
	"ken/internal/proctest"
	"ken/internal/regular"
)

// TestMain also is the second process of the tests that need one.
func TestMain(m *testing.M) {
	if path := os.Getenv("KEN_TEST_HOLD"); path != "" {
		holdForTest(path)
	}
	os.Exit(m.Run())
}

// holdForTest opens a session, appends a turn, says so, and waits for a line or
// the end of its standard input before it closes the session.
func holdForTest(path string) {
	data := filepath.Dir(filepath.Dir(path))
	w, _, err := (Dir{Path: filepath.Dir(path), Lock: data, Run: filepath.Join(data, "run"), Now: start}).Open(path)
	if err == nil {
		_, err = w.AppendTurn(user("from the other process"))
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("holding")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	if err := w.Close(); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// otherProcess has another process open the session at path. end lets it close
// the session, kill does not.
func otherProcess(t *testing.T, path string) (end, kill func()) {
	t.Helper()
	cmd := proctest.Self(t)
	cmd.Env = append(cmd.Env, "KEN_TEST_HOLD="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "holding\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	end = func() {
		t.Helper()
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	kill = func() {
		t.Helper()
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // killed
	}
	return end, kill
}

func TestTwoProcessesCannotHoldOneSession(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	say(t, w, "one", "two")
	mustClose(t, w)

	end, _ := otherProcess(t, w.Path())
	if _, _, err := d.Open(w.Path()); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), w.ID()) {
		t.Fatalf("opened while another process has it: %v", err)
	}

	// --fork: a copy, also of what the other process wrote.
	f, tr, err := d.Fork(w.Path())
	if err != nil {
		t.Fatal(err)
	}
	wantContents(t, tr.Live().Turns, "one", "two", "from the other process")
	if f.ID() == w.ID() || f.Header().CopiedFrom != w.ID() || f.Header().CopiedTo != 3 || f.Path() != d.file(f.ID()) {
		t.Errorf("fork %q at %s: %+v", f.ID(), f.Path(), f.Header())
	}
	if n, err := f.AppendTurn(user("mine")); n != 4 || err != nil {
		t.Errorf("the fork goes on with turn %d, %v", n, err)
	}
	mustClose(t, f)
	wantContents(t, mustLoad(t, f.Path()).Turns(), "one", "two", "from the other process", "mine")

	end()
	again, _, err := d.Open(w.Path())
	if err != nil {
		t.Fatalf("after the other process closed it: %v", err)
	}
	mustClose(t, again)
	wantContents(t, mustLoad(t, w.Path()).Turns(), "one", "two", "from the other process")

	// A process that is killed holds nothing.
	_, kill := otherProcess(t, w.Path())
	kill()
	again, _, err = d.Open(w.Path())
	if err != nil {
		t.Fatalf("after the other process was killed: %v", err)
	}
	mustClose(t, again)
}

func TestTwoWritersOfOneProcess(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	say(t, w, "one")
	if _, err := w.Save("demo"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Open(w.Path()); !errors.Is(err, ErrHeld) {
		t.Fatalf("the renamed session was opened twice: %v", err)
	}
	mustClose(t, w)

	// A lock whose file was removed, and perhaps made anew, excludes nobody.
	path := filepath.Join(d.Run, "y.lock")
	lock := flock.New(path)
	if ok, err := lock.TryLock(); !ok || err != nil || !named(lock) {
		t.Fatalf("locked %v, %v, named %v", ok, err, named(lock))
	}
	defer lock.Close()
	if err := os.Remove(path); err != nil {
		t.Skipf("a locked file cannot be removed here: %v", err)
	}
	if named(lock) {
		t.Error("a file that was removed has a name")
	}
	write(t, path, "")
	if named(lock) {
		t.Error("another file is taken for the one that is locked")
	}

	// A lock that is given back and taken again, over and over, is always one.
	var wg sync.WaitGroup
	var mu sync.Mutex
	holders, most := 0, 0
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				h, err := holdSession(d.Run, "x")
				if errors.Is(err, ErrHeld) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				holders++
				most = max(most, holders)
				mu.Unlock()
				mu.Lock()
				holders--
				mu.Unlock()
				if err := h.release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d at once held the session", most)
	}
}

func TestGoroutinesShareAWriter(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if _, err := w.AppendTurn(user(strings.Repeat("x", 5000))); err != nil {
					t.Error(err)
				}
				if err := w.AppendEvent(Event{Name: EventExec}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	tr := mustLoad(t, w.Path())
	if len(tr.Entries) != 320 || tr.Warning() != "" {
		t.Errorf("%d entries, %s", len(tr.Entries), tr.Warning())
	}
	for i, turn := range tr.Turns() {
		if turn.N != i+1 {
			t.Fatalf("turn %d has number %d", i+1, turn.N)
		}
	}
}

func TestReopenAfterHandEdits(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		edit func(string) string
		want []string
		n    int
	}{
		"a line deleted":   {func(s string) string { return strings.Replace(s, plain(2), "", 1) }, []string{"t1", "t3"}, 4},
		"no final newline": {func(s string) string { return strings.TrimSuffix(s, "\n") }, []string{"t1", "t2", "t3"}, 4},
		"echoed behind":    {func(s string) string { return s + `{"role":"user","content":"by hand"}` }, []string{"t1", "t2", "t3", "by hand"}, 5},
		"carriage returns": {func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, []string{"t1", "t2", "t3"}, 4},
		"without header":   {func(s string) string { _, s, _ = strings.Cut(s, "\n"); return s }, []string{"t1", "t2", "t3"}, 4},
		"blank lines":      {func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n") }, []string{"t1", "t2", "t3"}, 4},
		"emptied":          {func(string) string { return "" }, nil, 1},
		"erased":           {func(s string) string { return strings.Replace(s, `"t2"`, `"[erased]"`, 1) }, []string{"t1", "[erased]", "t3"}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDir(t)
			w := create(t, d)
			say(t, w, "t1", "t2", "t3")
			mustClose(t, w)
			edited := tt.edit(mustRead(t, w.Path()))
			write(t, w.Path(), edited)
			again, tr, err := d.Open(w.Path())
			if err != nil {
				t.Fatal(err)
			}
			wantContents(t, tr.Turns(), tt.want...)
			if again.ID() != w.ID() {
				t.Errorf("id %q, was %q", again.ID(), w.ID())
			}
			if n, err := again.AppendTurn(user("next")); n != tt.n || err != nil {
				t.Errorf("the next turn has number %d, want %d; %v", n, tt.n, err)
			}
			mustClose(t, again)
			after := mustLoad(t, w.Path())
			wantContents(t, after.Turns(), append(tt.want, "next")...)
			if after.Warning() != "" || after.Header.Session != w.ID() {
				t.Errorf("warning %q, session %q", after.Warning(), after.Header.Session)
			}
			if !strings.HasPrefix(mustRead(t, w.Path()), edited) {
				t.Error("untouched lines changed")
			}
		})
	}
}

// plain is turn n of a session whose turns are t1, t2, ... by turns.
func plain(n int) string {
	turn := assistant(fmt.Sprint("t", n))
	turn.N, turn.Time = n, start()
	b, err := turn.Line()
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestEditsWhileASessionIsOpen(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	say(t, w, "one")

	// As vim does: a new file takes the name.
	temp := filepath.Join(d.Path, "4913")
	write(t, temp, strings.Replace(mustRead(t, w.Path()), `"one"`, `"ONE"`, 1))
	if err := os.Rename(temp, w.Path()); err != nil {
		t.Fatal(err)
	}
	say(t, w, "two")
	wantContents(t, mustLoad(t, w.Path()).Turns(), "ONE", "two")

	// As nano and >> do, without a line end.
	write(t, w.Path(), mustRead(t, w.Path())+`{"role":"user","content":"by hand"}`)
	say(t, w, "three")
	wantContents(t, mustLoad(t, w.Path()).Turns(), "ONE", "two", "by hand", "three")

	// Emptied: the header comes back, the turns do not.
	write(t, w.Path(), "")
	say(t, w, "four")
	tr := mustLoad(t, w.Path())
	wantContents(t, tr.Turns(), "four")
	if !tr.Headed || tr.Header.Session != w.ID() || tr.Turns()[0].N != 4 {
		t.Errorf("headed %v, session %q, turn %d", tr.Headed, tr.Header.Session, tr.Turns()[0].N)
	}
}

// A file that is removed while its session is open is told, and not brought
// back: only what comes after it is in the new one.
func TestF13RemovedWhileOpen(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	say(t, w, "one", "two")
	if err := os.Remove(w.Path()); err != nil {
		t.Fatal(err)
	}
	n, err := w.AppendTurn(user("three"))
	if n != 3 || !errors.Is(err, ErrRemoved) {
		t.Fatalf("turn %d, %v", n, err)
	}
	say(t, w, "four")
	tr := mustLoad(t, w.Path())
	wantContents(t, tr.Turns(), "three", "four")
	if !tr.Headed || tr.Header.Session != w.ID() || tr.Turns()[0].N != 3 {
		t.Errorf("headed %v, session %q, turn %d", tr.Headed, tr.Header.Session, tr.Turns()[0].N)
	}
	if err := os.Remove(w.Path()); err != nil {
		t.Fatal(err)
	}
	mustClose(t, w) // removed for good: nobody misses it
	if got := sessionFiles(t, d.Path); got != nil {
		t.Errorf("files %q", got)
	}
}

func TestF13NoRegularFile(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	if err := os.MkdirAll(d.file("dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	odd := append([]string{"dir"}, makePipe(t, d.file("pipe"))...)
	write(t, d.file("real"), sample)
	for name, target := range map[string]string{"link": d.file("real"), "dangling": d.file("nothing")} {
		if err := os.Symlink(target, d.file(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range odd { // a pipe would be waited for
		if _, err := Load(d.file(name)); !errors.Is(err, regular.ErrNotFile) {
			t.Errorf("Load of a %s: %v", name, err)
		}
		if _, _, err := d.Open(d.file(name)); !errors.Is(err, regular.ErrNotFile) {
			t.Errorf("Open of a %s: %v", name, err)
		}
		if _, _, err := d.Fork(d.file(name)); !errors.Is(err, regular.ErrNotFile) {
			t.Errorf("Fork of a %s: %v", name, err)
		}
	}
	list, warnings, err := d.List()
	if err != nil || len(list) != 2 || len(warnings) != len(odd) {
		t.Errorf("listed %d sessions, warnings %v, %v", len(list), warnings, err)
	}
	w, _, err := d.Open(d.file("link"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	say(t, w, "through the link")
	if got := mustLoad(t, d.file("real")).Turns(); got[len(got)-1].Content != "through the link" {
		t.Error("a link was not followed")
	}
}

func TestSaveWhileTheNameOfANewSessionIsTaken(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	w := create(t, d)
	write(t, w.Path(), "someone's\n")
	if _, err := w.AppendTurn(user("one")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("appended to a file that is not the session's: %v", err)
	}
	if got := mustRead(t, w.Path()); got != "someone's\n" {
		t.Errorf("it holds %q", got)
	}
	if err := w.Close(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("close: %v", err)
	}
}

// S39, and the second half of S22: where nothing can be written there is one
// error, and the conversation goes on.
func TestS22S39UnwritableDirectory(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	write(t, filepath.Join(d.Lock, "run"), "in the way") // this fails for root too
	if _, err := d.Create(Header{}); err == nil || !strings.Contains(err.Error(), "run") {
		t.Errorf("Create: %v", err)
	}
	d.Run = filepath.Join(d.Lock, "locks")
	w := create(t, d)
	write(t, d.Path, "in the way")
	n, err := w.AppendTurn(user("one"))
	if n != 1 || err == nil || !strings.Contains(err.Error(), d.Path) {
		t.Fatalf("turn %d, %v", n, err)
	}
	// What is in the way goes; nothing was lost.
	if err := os.Remove(d.Path); err != nil {
		t.Fatal(err)
	}
	say(t, w, "two")
	wantContents(t, mustLoad(t, w.Path()).Turns(), "one", "two")
}

func TestLockHeldBySomebodyElse(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	d.Wait = 300 * time.Millisecond
	w := create(t, d)
	say(t, w, "one")
	lock, err := jsonl.LockDir(t.Context(), d.Lock, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for want := 2; want <= 20; want++ {
		if n, err := w.AppendTurn(user(fmt.Sprint(want))); n != want || !errors.Is(err, jsonl.ErrBusy) {
			t.Fatalf("turn %d, %v", n, err)
		}
	}
	if took := time.Since(began); took < 300*time.Millisecond || took > 15*300*time.Millisecond {
		t.Errorf("19 turns took %v: the first waits %v, the others do not", took, d.Wait)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	mustClose(t, w)
	if got := mustLoad(t, w.Path()).Turns(); len(got) != 20 || got[19].N != 20 {
		t.Errorf("%d of 20 turns are there", len(got))
	}
}

// quickFS syncs nothing, for tests of many small files.
type quickFS struct{ jsonl.OS }

func (quickFS) OpenFile(name string, flag int, perm fs.FileMode) (jsonl.File, error) {
	f, err := jsonl.OS{}.OpenFile(name, flag, perm)
	return quickFile{f}, err
}

type quickFile struct{ jsonl.File }

func (quickFile) Sync() error { return nil }

// faultRun holds a conversation with all that can happen to its file, and
// returns what was acknowledged, with the number that each text got.
func faultRun(d Dir) (acked map[string]int, errs []error) {
	acked = map[string]int{}
	note := func(err error) bool {
		if err != nil {
			errs = append(errs, err)
		}
		return err == nil
	}
	turn := func(w *Writer, s string) {
		n, err := w.AppendTurn(user(s))
		if note(err) {
			acked[s] = n
		}
	}
	w, err := d.Create(Header{Channel: ChannelTerminal})
	if !note(err) {
		return acked, errs
	}
	turn(w, "first")
	turn(w, "second")
	note(w.AppendEvent(Event{Name: EventExec}))
	_, err = w.Save("demo")
	note(err)
	turn(w, "third")
	if note(w.Close()) {
		// Whatever failed on the way was written in the end.
		for i, s := range []string{"first", "second", "third"} {
			acked[s] = i + 1
		}
	}
	return acked, errs
}

// F7: any call that changes files fails once. What was acknowledged is there,
// what failed is told, and Close makes good for it.
func TestF7EveryCallFails(t *testing.T) {
	t.Parallel()
	calls, cases := 0, 0
	for _, lines := range []bool{false, true} {
		for k := 1; ; k++ {
			ran := false
			for _, fault := range []jsonltest.Fault{
				{Err: syscall.ENOSPC}, {Err: syscall.EIO}, {Err: syscall.EINTR}, {Err: syscall.ENOSPC, Done: 1}, {Err: syscall.ENOSPC, Done: 100},
			} {
				d := newDir(t)
				d.SyncLines = lines
				disk, err := jsonltest.New(d.Lock)
				if err != nil {
					t.Fatal(err)
				}
				d.FS = disk
				disk.FailAt(k, fault)
				acked, errs := faultRun(d)
				if k > len(disk.Trace()) {
					continue
				}
				ran = true
				cases++
				at := fmt.Sprintf("lines %v, call %d (%s), %+v", lines, k, disk.Trace()[k-1], fault)
				if len(errs) == 0 && !strings.HasPrefix(disk.Trace()[k-1], "close") {
					t.Errorf("%s: no error", at)
				}
				checkAcked(t, at, d, acked)
			}
			if !ran {
				calls += k - 1
				break
			}
		}
	}
	jsonltest.Survived(t, "F7/Writer", cases)
	if calls < 20 {
		t.Errorf("only %d calls failed", calls)
	}
}

// F2, F5: the process, or the machine, stops at any call.
func TestF2F5CrashAtEveryCall(t *testing.T) {
	t.Parallel()
	cases := 0
	for _, lines := range []bool{false, true} {
		for k := 1; ; k++ {
			d := newDir(t)
			d.SyncLines = lines
			disk, err := jsonltest.New(d.Lock)
			if err != nil {
				t.Fatal(err)
			}
			d.FS = disk
			disk.FailAt(k, jsonltest.Fault{})
			acked, _ := faultRun(d)
			at := fmt.Sprintf("lines %v, call %d", lines, k)
			checkAcked(t, at+", killed", d, acked)
			cases++
			random := rand.New(rand.NewPCG(uint64(k), 1))
			for range 20 {
				after := d
				after.Lock = t.TempDir()
				after.Path = filepath.Join(after.Lock, "sessions")
				if err := disk.PowerLoss(after.Lock, random.IntN); err != nil {
					t.Fatal(err)
				}
				if !lines && k <= len(disk.Trace()) {
					acked = nil // only "line" promises that a turn survives before Close
				}
				checkAcked(t, at+", without power", after, acked)
				cases++
			}
			if k > len(disk.Trace()) {
				break
			}
		}
	}
	jsonltest.Survived(t, "F2/F5/Writer", cases)
}

// checkAcked looks for the acknowledged turns in the files of d, and goes on
// with what is there.
func checkAcked(t *testing.T, at string, d Dir, acked map[string]int) {
	t.Helper()
	d.FS, d.Run = quickFS{}, t.TempDir()
	list, warnings, err := d.List()
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%s: %v, %v", at, err, warnings)
	}
	if len(list) > 1 {
		t.Fatalf("%s: %d files of one session", at, len(list))
	}
	found := map[string]int{}
	for _, l := range list {
		w, tr, err := d.Open(l.Path)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		for _, turn := range tr.Turns() {
			if _, twice := found[turn.Content]; twice {
				t.Errorf("%s: turn %q is there twice", at, turn.Content)
			}
			found[turn.Content] = turn.N
		}
		n, err := w.AppendTurn(user("after"))
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatalf("%s: going on: %v", at, err)
		}
		if got, ok := mustLoad(t, l.Path).Turn(n); !ok || got.Content != "after" {
			t.Errorf("%s: the next turn is %+v", at, got)
		}
	}
	for s, n := range acked {
		if found[s] != n {
			t.Errorf("%s: acknowledged turn %d, %q, is not there: %v", at, n, s, found)
		}
	}
}

// A sync fails, and the lines can not be taken back either: they are reported, and
// not written a second time.
func TestLinesThatCouldNotBeTakenBack(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	d.SyncLines = true
	disk, err := jsonltest.New(d.Lock)
	if err != nil {
		t.Fatal(err)
	}
	d.FS = disk
	w := create(t, d)
	say(t, w, "one")
	at := len(disk.Trace())
	disk.FailAt(3, jsonltest.Fault{Err: syscall.EIO})
	disk.FailAt(4, jsonltest.Fault{Err: syscall.EIO})
	n, err := w.AppendTurn(user("two"))
	var unsure *jsonl.SyncError
	if n != 2 || !errors.As(err, &unsure) || !unsure.Present {
		t.Fatalf("turn %d, %v; calls %q", n, err, disk.Trace()[at:])
	}
	say(t, w, "three")
	mustClose(t, w)
	wantContents(t, mustLoad(t, w.Path()).Turns(), "one", "two", "three")
}

// A copy that fails half-way leaves nothing that would take its name.
func TestF7CopyFails(t *testing.T) {
	t.Parallel()
	for k := 1; ; k++ {
		d := newDir(t)
		w := create(t, d)
		say(t, w, "one")
		disk, err := jsonltest.New(d.Lock)
		if err != nil {
			t.Fatal(err)
		}
		w.dir.FS = disk
		disk.FailAt(k, jsonltest.Fault{Err: syscall.ENOSPC})
		_, err = w.SaveCopy("copy")
		if k > len(disk.Trace()) {
			if err != nil || k < 4 {
				t.Errorf("after %d calls: %v", k-1, err)
			}
			return
		}
		call := disk.Trace()[k-1]
		if err == nil && !strings.HasPrefix(call, "close") {
			t.Errorf("call %d (%s): no error", k, call)
		}
		if err != nil {
			if got := sessionFiles(t, d.Path); len(got) != 1 {
				t.Errorf("call %d (%s): files %q", k, call, got)
			}
			if _, err := w.SaveCopy("copy"); err != nil {
				t.Errorf("call %d (%s): the second try: %v", k, call, err)
			}
		}
		if got := sessionFiles(t, d.Run); len(got) != 1 {
			t.Errorf("call %d (%s): locks %q", k, call, got)
		}
		wantContents(t, mustLoad(t, d.file("copy")).Turns(), "one")
	}
}

func TestForkKeepsEveryLine(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	damaged := "damaged\n\n" + `{"role":"user","content":"x","n":9}` + "\r\n"
	write(t, d.file("s"), sample+damaged+`{"role":"us`)
	w, tr, err := d.Fork(d.file("s"))
	if err != nil {
		t.Fatal(err)
	}
	mustClose(t, w)
	_, body, _ := strings.Cut(sample, "\n")
	head, got, _ := strings.Cut(mustRead(t, w.Path()), "\n")
	if got != body+damaged {
		t.Errorf("the copy holds\n%s\nwant\n%s", got, body+damaged)
	}
	want := `{"meta":{"format":1,"session":"` + w.ID() + `","started":"2026-05-10T19:00:01Z","model":"fast","channel":"terminal",` +
		`"copied_from":"20260510T190001Z-7f3a","copied_to":10,"later":{"a":[1]}}}`
	if head != want {
		t.Errorf("header\n%s\nwant\n%s", head, want)
	}
	if len(tr.Problems) != 1 || mustRead(t, d.file("s")) != sample+damaged+`{"role":"us` {
		t.Errorf("problems %v; or the original changed", tr.Problems)
	}
	write(t, d.file("empty"), `{"meta":{"session":"e"}}`+"\n")
	if _, _, err := d.Fork(d.file("empty")); !errors.Is(err, ErrEmpty) {
		t.Errorf("fork of a session without turns: %v", err)
	}
	if _, _, err := d.Fork(d.file("none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("fork of nothing: %v", err)
	}
}

func TestErrorsOfReading(t *testing.T) {
	t.Parallel()
	want := errors.New("the disk is gone")
	if _, err := Read(io.MultiReader(strings.NewReader(sample), failing{want}), "s"); !errors.Is(err, want) {
		t.Errorf("Read: %v", err)
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.jsonl")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "none.jsonl") {
		t.Errorf("Load: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
