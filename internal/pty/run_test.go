//go:build linux || darwin

//ken:slow

package pty

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/proctest"
	"ken/internal/pty/pair"
)

// sh runs a line with nobody at a terminal.
func sh(t *testing.T, line string) (Result, string, error) {
	t.Helper()
	var out bytes.Buffer
	r, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", line}, Out: &out, Keep: 1 << 16})
	return r, out.String(), err
}

// TestR47R49ExitCodes: the code is the command's, 128 and more for a signal, and
// nothing but the command prints.
func TestR47R49ExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		code int
		out  string
	}{
		{"true", 0, ""},
		{"false", 1, ""},
		{"exit 7", 7, ""},
		{"exit 255", 255, ""},
		{"echo hi", 0, "hi\n"},
		{"ls /nonexistent 2>/dev/null || exit 2", 2, ""},
		{"kill -INT $$", 130, ""},
		{"kill -KILL $$", 137, ""},
		{"kill -TERM $$", 143, ""},
		{"printf 'a\\nb\\nc\\n'", 0, "a\nb\nc\n"},
		{"printf 'no end'", 0, "no end"},
		{"nonexistent-program 2>/dev/null", 127, ""},
		{"echo err >&2", 0, "err\n"},
		{"(exit 3) | true", 0, ""},
		{"test -t 1 && test -t 2 && echo terminal", 0, "terminal\n"},
		{"{ echo x >/dev/tty; } 2>/dev/null || echo nobody", 0, "nobody\n"},
		{"read -r x <&1 2>/dev/null || echo nobody", 0, "nobody\n"},
		{"read -r x <&2 2>/dev/null || echo nobody", 0, "nobody\n"},
	} {
		r, out, err := sh(t, c.line)
		if r.Code != c.code || out != c.out || err != nil || r.Bytes != int64(len(c.out)) {
			t.Errorf("%q: code %d, output %q (%d bytes), %v, want %d, %q", c.line, r.Code, out, r.Bytes, err, c.code, c.out)
		}
		if got := string(r.Output.Head) + string(r.Output.Tail); got != c.out || r.Output.Left != 0 {
			t.Errorf("%q: kept %q and left out %d", c.line, got, r.Output.Left)
		}
	}
}

// TestR48BytesExact: every byte comes out as it went in, however much there is
// and whoever is still writing when the command ends.
func TestR48BytesExact(t *testing.T) {
	t.Parallel()
	var want []byte
	for i := range 1 << 20 {
		want = append(want, byte(i*7+i>>8))
	}
	path := t.TempDir() + "/bytes"
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	r, out, err := sh(t, "cat '"+path+"'")
	if err != nil || r.Code != 0 || out != string(want) {
		t.Errorf("code %d, %v, %d bytes that are the same: %t", r.Code, err, len(out), out == string(want))
	}
	for range 50 {
		if _, out, err := sh(t, "seq 3000"); err != nil || strings.Count(out, "\n") != 3000 || !strings.HasSuffix(out, "\n3000\n") {
			t.Fatalf("%v, output ends %q", err, out[max(0, len(out)-20):])
		}
	}
}

// TestR45NobodyTypes: without a terminal standard input is empty, and what the
// caller has there stays.
func TestR45NobodyTypes(t *testing.T) {
	t.Parallel()
	in, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := w.WriteString("the next line\n"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	var out bytes.Buffer
	r, err := Run(t.Context(), Command{Argv: []string{"cat"}, In: in, Out: &out})
	if err != nil || r.Code != 0 || out.Len() > 0 {
		t.Errorf("cat: code %d, %v, %q", r.Code, err, out.String())
	}
	if rest, err := io.ReadAll(in); string(rest) != "the next line\n" || err != nil {
		t.Errorf("left in standard input: %q, %v", rest, err)
	}
}

// TestEnvironment: directory and variables are those that were given.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out bytes.Buffer
	_, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "pwd -P; echo $A"}, Dir: dir, Env: []string{"A=b c"}, Out: &out})
	if err != nil || !strings.HasSuffix(out.String(), "\nb c\n") || !strings.Contains(out.String(), dir[strings.LastIndex(dir, "/"):]) {
		t.Errorf("%v, %q", err, out.String())
	}
}

// TestBackground: a process that the command leaves behind and that holds the
// terminal does not hold the caller, and what the command printed is all there.
func TestBackground(t *testing.T) {
	t.Parallel()
	r, out, err := sh(t, "(trap '' HUP; exec sleep 100) & echo $!; exit 5")
	pid, perr := strconv.Atoi(strings.TrimSpace(out))
	if err != nil || perr != nil || r.Code != 5 {
		t.Fatalf("code %d, %v, output %q", r.Code, err, out)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("what was left behind is gone: %v", err)
	}
	// One that never stops printing does not hold the caller either.
	if r, _, err := sh(t, "(trap '' HUP; exec yes) & exit 6"); err != nil || r.Code != 6 {
		t.Errorf("with a noisy one: code %d, %v", r.Code, err)
	}
}

// TestR44HangUp: a command that closes its terminal and goes on is waited for.
func TestR44HangUp(t *testing.T) {
	t.Parallel()
	if r, out, err := sh(t, "echo last words; exec >/dev/null 2>&1 </dev/null; sleep 0.2; exit 9"); err != nil || r.Code != 9 || out != "last words\n" {
		t.Errorf("code %d, %v, %q", r.Code, err, out)
	}
}

// ready is a writer that says when a text has come.
type ready struct {
	text string
	seen bytes.Buffer
	come chan struct{}
}

func waitFor(text string) *ready { return &ready{text: text, come: make(chan struct{})} }

func (r *ready) Write(p []byte) (int, error) {
	had := strings.Contains(r.seen.String(), r.text)
	r.seen.Write(p)
	if !had && strings.Contains(r.seen.String(), r.text) {
		close(r.come)
	}
	return len(p), nil
}

// TestEnded: the end of the context hangs the command up, and one that does not
// care is killed.
func TestEnded(t *testing.T) {
	t.Parallel()
	cause := errors.New("terminated")
	for line, code := range map[string]int{
		"echo up; exec sleep 100":                                  129,
		"trap 'exit 4' HUP; echo up; while :; do sleep 0.01; done": 4,
		"trap '' HUP; echo up; while :; do sleep 0.01; done":       137,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			out := waitFor("up")
			go func() {
				<-out.come
				cancel(cause)
			}()
			r, err := Run(ctx, Command{Argv: []string{"/bin/sh", "-c", line}, Out: out})
			if !errors.Is(err, cause) || r.Code != code {
				t.Errorf("code %d, %v, want %d", r.Code, err, code)
			}
		})
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := Run(ctx, Command{Argv: []string{"/bin/sh", "-c", "exit 1"}, Out: io.Discard}); !errors.Is(err, cause) {
		t.Errorf("ended before: %v", err)
	}
}

// TestTerminalGone: a command whose person's terminal is gone is hung up, also where
// this process is told nothing of that, as under nohup.
func TestTerminalGone(t *testing.T) {
	t.Parallel()
	person, tty, err := pair.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	out := waitFor("up")
	go func() {
		<-out.come
		_ = person.Close()
	}()
	r, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "echo up; cat"}, In: tty, Out: out})
	if err != nil || r.Code != 129 {
		t.Errorf("code %d, %v, want 129", r.Code, err)
	}
}

// TestEndedUnderNohup: it is hung up as well where whoever started this process had hang-ups
// ignored.
func TestEndedUnderNohup(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := proctest.Command(t, "/bin/sh", "-c", `trap '' HUP INT QUIT; exec "$0" -test.run='^TestEnded$' -test.v`, exe)
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: TestEnded")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSignals: signals go to the processes in the foreground.
func TestSignals(t *testing.T) {
	t.Parallel()
	signals := make(chan os.Signal, 2)
	out := waitFor("up")
	go func() {
		<-out.come
		signals <- os.Interrupt
	}()
	r, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "trap 'exit 5' INT; echo up; while :; do sleep 0.01; done"}, Out: out, Signals: signals})
	if err != nil || r.Code != 5 {
		t.Errorf("code %d, %v", r.Code, err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestOutFails: a command whose output nobody takes is hung up.
func TestOutFails(t *testing.T) {
	t.Parallel()
	r, err := Run(t.Context(), Command{Argv: []string{"yes"}, Out: brokenPipe{}})
	if !errors.Is(err, syscall.EPIPE) || r.Code == 0 {
		t.Errorf("code %d, %v", r.Code, err)
	}
}

func TestNotStarted(t *testing.T) {
	t.Parallel()
	for _, argv := range [][]string{{"/nonexistent"}, {"nonexistent-program"}} {
		if _, err := Run(t.Context(), Command{Argv: argv, Out: io.Discard}); err == nil || !strings.HasPrefix(err.Error(), "run "+argv[0]+": ") {
			t.Errorf("%q: %v", argv, err)
		}
	}
	if _, err := Run(t.Context(), Command{Argv: []string{"/nonexistent"}, Out: io.Discard}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the cause is lost: %v", err)
	}
}

// TestNothingLeft: a run leaves no file open and no goroutine behind.
func TestNothingLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts files as Linux shows them")
	}
	count := func() int {
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	if _, _, err := sh(t, "true"); err != nil {
		t.Fatal(err)
	}
	files, before := count(), runtime.NumGoroutine()
	for range 20 {
		if _, _, err := sh(t, "true"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Run(t.Context(), Command{Argv: []string{"/nonexistent"}, Out: io.Discard}); err == nil {
		t.Fatal("started")
	}
	deadline := time.After(10 * time.Second)
	for runtime.NumGoroutine() > before || count() > files {
		select {
		case <-deadline:
			t.Fatalf("%d goroutines and %d files, before %d and %d", runtime.NumGoroutine(), count(), before, files)
		default:
			runtime.Gosched()
		}
	}
}

// TestOutputBounded: the memory for 256 MB of output is that for a little.
func TestOutputBounded(t *testing.T) {
	const size = 256 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "yes | head -c " + strconv.Itoa(size)}, Out: io.Discard, Keep: 64 << 10})
	runtime.ReadMemStats(&after)
	if err != nil || r.Bytes != size || len(r.Output.Head)+len(r.Output.Tail) != 64<<10 || r.Output.Left != size-64<<10 {
		t.Errorf("%v, %d bytes, kept %d and %d, left out %d", err, r.Bytes, len(r.Output.Head), len(r.Output.Tail), r.Output.Left)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

// TestFlood: memory does not grow with what a command prints: 64 MiB, and a whole GB where
// KEN_BATTERY=full.
func TestFlood(t *testing.T) {
	size := 64 << 20
	if os.Getenv("KEN_BATTERY") == "full" {
		size = 1 << 30
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "yes 0123456789abcdef | head -c " + strconv.Itoa(size)}, Out: io.Discard, Keep: 1 << 16})
	runtime.ReadMemStats(&after)
	if err != nil || r.Code != 0 || r.Bytes != int64(size) {
		t.Errorf("code %d, %d bytes, %v", r.Code, r.Bytes, err)
	}
	if n := len(r.Output.Head) + len(r.Output.Tail); n > 1<<16 {
		t.Errorf("%d bytes were kept", n)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 2<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}
