//go:build linux || darwin

package pty

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// piped1 runs a line by Pipe and returns what came out of it.
func piped1(t *testing.T, line string, in *os.File) (r Result, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	r, err := Pipe(t.Context(), Command{Argv: []string{"/bin/sh", "-c", line}, In: in, Out: &o, Err: &e, Keep: 1 << 16})
	if err != nil {
		t.Errorf("%q: %v", line, err)
	}
	return r, o.String(), e.String()
}

// TestPipe: the two outputs stay apart, none of them is a terminal, there is none to
// open either, and the code is the command's.
func TestPipe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, out, errs string
		code            int
	}{
		{"echo a; echo b >&2; exit 7", "a\n", "b\n", 7},
		{"test -t 0 || test -t 1 || test -t 2 || echo none", "none\n", "", 0},
		{"{ cat /dev/tty; } 2>/dev/null || echo nobody", "nobody\n", "", 0},
		{"cat; echo end", "end\n", "", 0},
		{"printf 'a\\nb'", "a\nb", "", 0},
		{"kill -TERM $$", "", "", 143},
		{"kill -STOP $$; echo on", "on\n", "", 0},
	} {
		r, out, errs := piped1(t, c.line, nil)
		if r.Code != c.code || out != c.out || errs != c.errs {
			t.Errorf("%q: %d, %q, %q, want %d, %q, %q", c.line, r.Code, out, errs, c.code, c.out, c.errs)
		}
		if got := len(r.Output.Head) + len(r.Output.Tail); got != len(c.out)+len(c.errs) || r.Bytes != int64(got) {
			t.Errorf("%q: kept %d bytes of %d", c.line, got, r.Bytes)
		}
	}
}

// TestPipeInput: standard input is the command's, as it is.
func TestPipeInput(t *testing.T) {
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
	if _, out, _ := piped1(t, "cat", in); out != "the next line\n" {
		t.Errorf("it read %q", out)
	}
}

// TestPipeFile: a file is the command's own output, byte for byte.
func TestPipeFile(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	done := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(r)
		done <- b
	}()
	res, err := Pipe(t.Context(), Command{Argv: []string{"seq", "100000"}, Out: w, Err: os.Stderr})
	w.Close()
	if b := <-done; err != nil || res.Code != 0 || bytes.Count(b, []byte("\n")) != 100000 {
		t.Errorf("%v, code %d, %d bytes", err, res.Code, len(b))
	}
}

// TestPipeSlowReader: nothing is lost where the reader takes its time, and a process in
// the background keeps nobody waiting.
func TestPipeSlowReader(t *testing.T) {
	t.Parallel()
	var out slow
	r, err := Pipe(t.Context(), Command{Argv: []string{"seq", "30000"}, Out: &out, Keep: 10})
	if err != nil || r.Code != 0 || strings.Count(out.b.String(), "\n") != 30000 {
		t.Errorf("%v, code %d, %d lines", err, r.Code, strings.Count(out.b.String(), "\n"))
	}
	begin := time.Now()
	if _, got, _ := piped1(t, "sleep 60 & echo on", nil); got != "on\n" || time.Since(begin) > 20*time.Second {
		t.Errorf("%q after %s", got, time.Since(begin))
	}
}

// slow takes its time, longer than Pipe waits for silence.
type slow struct{ b bytes.Buffer }

func (s *slow) Write(p []byte) (int, error) {
	time.Sleep(2 * silence)
	return s.b.Write(p)
}

// TestPipeEnds: the end of the context, or of the reader, is that of the command.
func TestPipeEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	time.AfterFunc(100*time.Millisecond, func() { cancel(cause) })
	if _, err := Pipe(ctx, Command{Argv: []string{"sleep", "60"}, Out: io.Discard}); !errors.Is(err, cause) {
		t.Errorf("cancelled: %v", err)
	}
	broken := errors.New("no reader")
	r, err := Pipe(t.Context(), Command{Argv: []string{"sh", "-c", "yes"}, Out: failing{broken}, Keep: 10})
	if !errors.Is(err, broken) || r.Code == 0 {
		t.Errorf("without a reader: %v, code %d", err, r.Code)
	}
	if _, err := Pipe(t.Context(), Command{Argv: []string{"/nonexistent"}, Out: io.Discard}); err == nil {
		t.Error("what is not there ran")
	}
}

// TestNobodyDraws: what draws on a whole screen, and waits for a key that nobody can
// press, is ended; what shows such a drawing and ends is not.
func TestNobodyDraws(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(context.Context, Command) (Result, error){"run": Run, "pipe": Pipe} {
		begin := time.Now()
		r, err := run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "printf '\\033[?1049h'; exec sleep 60"}, Out: io.Discard, Keep: 10})
		if err != nil || r.Code != 129 || time.Since(begin) > 20*time.Second {
			t.Errorf("%s: code %d, %v, after %s", name, r.Code, err, time.Since(begin))
		}
		r, err = run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "printf '\\033[?1049hx\\033[?1049l'; sleep 3; exit 4"}, Out: io.Discard, Keep: 10})
		if err != nil || r.Code != 4 {
			t.Errorf("%s: a drawing that ends: code %d, %v", name, r.Code, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
