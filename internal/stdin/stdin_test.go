package stdin

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// kinds of input that end by themselves give the same whatever is needed.
func TestEndingInputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		open func(t *testing.T) *os.File
		want string
	}{
		{"file", func(t *testing.T) *os.File { return fileWith(t, "a\nb") }, "a\nb"},
		{"empty file", func(t *testing.T) *os.File { return fileWith(t, "") }, ""},
		{"bytes", func(t *testing.T) *os.File { return fileWith(t, "\xff\x00\r\n") }, "\xff\x00\r\n"},
		{"null device", func(t *testing.T) *os.File { return opened(t, os.DevNull) }, ""},
		{"closed pipe", func(t *testing.T) *os.File {
			r, w := pipe(t)
			closeFile(t, w)
			return r
		}, ""},
		{"written pipe", func(t *testing.T) *os.File {
			r, w := pipe(t)
			write(t, w, "a\n")
			closeFile(t, w)
			return r
		}, "a\n"},
		{"one byte", func(t *testing.T) *os.File {
			r, w := pipe(t)
			write(t, w, "a")
			closeFile(t, w)
			return r
		}, "a"},
	} {
		for _, need := range []Need{Extra, Needed, Demanded} {
			r := quiet(t, c.open(t))
			if got, err := r.Text(t.Context(), need); got != c.want || err != nil {
				t.Errorf("%s, need %d: %q, %v, want %q", c.name, need, got, err, c.want)
			}
		}
	}
}

// TestClosedInput: a closed standard input is nothing to add, and an error if
// it is needed.
func TestClosedInput(t *testing.T) {
	t.Parallel()
	for need, want := range map[Need]error{Extra: nil, Needed: ErrClosed, Demanded: ErrClosed} {
		f := fileWith(t, "a")
		closeFile(t, f)
		if got, err := (Reader{File: f}).Text(t.Context(), need); got != "" || !errors.Is(err, want) {
			t.Errorf("need %d: %q, %v, want %v", need, got, err, want)
		}
	}
}

// TestSilentPipe: a pipe that nobody writes to costs the wait and no more; the
// waiting is told before it is given up.
func TestSilentPipe(t *testing.T) {
	t.Parallel()
	in, _ := pipe(t)
	var told []string
	r := Reader{
		File:    in,
		Waiting: func(atMost time.Duration) { told = append(told, "waiting "+atMost.String()) },
		GaveUp:  func() { told = append(told, "gave up") },
		silence: 40 * time.Millisecond, notice: time.Millisecond,
	}
	if got, err := r.Text(t.Context(), Extra); got != "" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got := strings.Join(told, ", "); got != "waiting 40ms, gave up" {
		t.Errorf("told: %s", got)
	}
	in, _ = pipe(t)
	if got, err := (Reader{File: in, silence: time.Millisecond, notice: time.Microsecond}).Text(t.Context(), Extra); got != "" || err != nil {
		t.Errorf("telling nobody: %q, %v", got, err)
	}
}

// TestSlowPipe: after the first byte nothing limits how long the rest takes.
func TestSlowPipe(t *testing.T) {
	t.Parallel()
	in, out := pipe(t)
	const silence = 30 * time.Millisecond
	r := Reader{File: in, GaveUp: func() { t.Error("gave up") }, silence: silence}
	write(t, out, "a") // it is there before the wait begins
	time.AfterFunc(4*silence, func() {
		_, _ = out.WriteString("b")
		_ = out.Close()
	})
	if got, err := r.Text(t.Context(), Extra); got != "ab" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestNeededPipe: what is needed is waited for, however long it is silent.
func TestNeededPipe(t *testing.T) {
	t.Parallel()
	for _, need := range []Need{Needed, Demanded} {
		in, out := pipe(t)
		r := quiet(t, in)
		r.silence, r.notice = time.Microsecond, time.Microsecond
		time.AfterFunc(20*time.Millisecond, func() {
			_, _ = out.WriteString("late")
			_ = out.Close()
		})
		if got, err := r.Text(t.Context(), need); got != "late" || err != nil {
			t.Errorf("need %d: %q, %v", need, got, err)
		}
	}
}

// TestInterrupted: the end of the context ends every wait, with its cause.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ended := errors.New("interrupted")
	for _, need := range []Need{Extra, Needed, Demanded} {
		for _, text := range []string{"", "begun"} {
			in, out := pipe(t)
			write(t, out, text)
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(5*time.Millisecond, func() { cancel(ended) })
			if got, err := quiet(t, in).Text(ctx, need); got != "" || !errors.Is(err, ended) {
				t.Errorf("need %d after %q: %q, %v", need, text, got, err)
			}
		}
	}
}

func TestTooLong(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("x", MaxBytes)
	if got, err := quiet(t, fileWith(t, whole)).Text(t.Context(), Extra); got != whole || err != nil {
		t.Errorf("as long as it may be: %d bytes, %v", len(got), err)
	}
	for _, need := range []Need{Extra, Needed} {
		if got, err := quiet(t, fileWith(t, whole+"x")).Text(t.Context(), need); got != "" || !errors.Is(err, ErrTooLong) {
			t.Errorf("one byte more: %d bytes, %v", len(got), err)
		}
	}
	in, out := pipe(t)
	go func() {
		_, _ = io.WriteString(out, whole+whole) // the reader leaves before the end
	}()
	if got, err := quiet(t, in).Text(t.Context(), Extra); got != "" || !errors.Is(err, ErrTooLong) {
		t.Errorf("a pipe: %d bytes, %v", len(got), err)
	}
}

func TestReadFails(t *testing.T) {
	t.Parallel()
	dir := opened(t, t.TempDir()) // reading a directory is an error
	if got, err := quiet(t, dir).Text(t.Context(), Extra); got != "" || err == nil || !strings.Contains(err.Error(), "read standard input: ") {
		t.Errorf("%q, %v", got, err)
	}
}

// quiet is a Reader that must not tell anything.
func quiet(t *testing.T, f *os.File) Reader {
	return Reader{File: f, GaveUp: func() { t.Error("gave up") }}
}

func fileWith(t *testing.T, text string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return opened(t, path)
}

func opened(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Close()
		r.Close()
	})
	return r, w
}

func write(t *testing.T, w *os.File, text string) {
	t.Helper()
	if _, err := w.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func closeFile(t *testing.T, f *os.File) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
