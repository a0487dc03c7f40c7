package repl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// readLines reads to the end: the lines, and the errors between them.
func readLines(t *testing.T, term *Terminal) (lines []string, errs []error) {
	t.Helper()
	for {
		text, err := term.ReadLine(t.Context(), "> ")
		if errors.Is(err, io.EOF) {
			return lines, errs
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		lines = append(lines, text)
	}
}

func TestReadLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"one", "a\n", []string{"a"}},
		{"no final newline", "a\nb", []string{"a", "b"}},
		{"CR LF", "a\r\nb\r\n", []string{"a", "b"}},
		{"CR LF without the LF", "a\r\nb\r", []string{"a", "b"}},
		{"CR inside", "a\rb\n", []string{"a\rb"}},
		{"two CR", "a\r\r\n", []string{"a\r"}},
		{"empty lines", "\n\r\n\na\n", []string{"", "", "", "a"}},
		{"blanks stay", "  a \n", []string{"  a "}},
		{"bytes stay", "\xff\x00\x1b[A\n", []string{"\xff\x00\x1b[A"}},
		{"longer than the buffer", strings.Repeat("x", 200<<10) + "\ny\n", []string{strings.Repeat("x", 200<<10), "y"}},
		{"as long as it may be", strings.Repeat("x", MaxInput) + "\ny", []string{strings.Repeat("x", MaxInput), "y"}},
		{"with CR LF as well", strings.Repeat("x", MaxInput) + "\r\ny", []string{strings.Repeat("x", MaxInput), "y"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			got, errs := readLines(t, &Terminal{In: strings.NewReader(c.in), Err: &out})
			if diff := cmp.Diff(c.want, got); diff != "" || len(errs) > 0 {
				t.Errorf("errors %v, lines (-want +got):\n%.500s", errs, diff)
			}
			if out.Len() > 0 {
				t.Errorf("a script was shown the prompt: %q", out.String())
			}
		})
	}
}

// TestReadLineTooLong: a line over the limit costs itself, with or without an
// end, and the next one is read.
func TestReadLineTooLong(t *testing.T) {
	t.Parallel()
	for _, size := range []int{MaxInput + 1, MaxInput + 2, MaxInput + 3, 2*MaxInput + 7} {
		for _, end := range []string{"\n", "\r\n"} {
			got, errs := readLines(t, &Terminal{In: strings.NewReader("a\n" + strings.Repeat("x", size) + end + "b\n"), Err: io.Discard})
			if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" || len(errs) != 1 || !errors.Is(errs[0], ErrTooLong) {
				t.Errorf("%d bytes and %q: errors %v, lines (-want +got):\n%.200s", size, end, errs, diff)
			}
		}
	}
	got, errs := readLines(t, &Terminal{In: strings.NewReader("a\n" + strings.Repeat("x", MaxInput+3)), Err: io.Discard})
	if diff := cmp.Diff([]string{"a"}, got); diff != "" || len(errs) != 1 || !errors.Is(errs[0], ErrTooLong) {
		t.Errorf("without end: errors %v, lines (-want +got):\n%.200s", errs, diff)
	}
}

// endless is n bytes of one line that nobody holds.
type endless struct{ n int }

func (e *endless) Read(b []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	n := min(len(b), e.n)
	for i := range b[:n] {
		b[i] = 'x'
	}
	e.n -= n
	return n, nil
}

// TestReadLineBounded: a line of 256 MiB is refused in the memory of one that
// is allowed.
func TestReadLineBounded(t *testing.T) {
	var before, after runtime.MemStats
	term := &Terminal{In: io.MultiReader(&endless{256 << 20}, strings.NewReader("\nnext\n")), Err: io.Discard}
	runtime.ReadMemStats(&before)
	got, errs := readLines(t, term)
	runtime.ReadMemStats(&after)
	if diff := cmp.Diff([]string{"next"}, got); diff != "" || len(errs) != 1 || !errors.Is(errs[0], ErrTooLong) {
		t.Errorf("errors %v, lines (-want +got):\n%.200s", errs, diff)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8*MaxInput {
		t.Errorf("%d bytes were allocated for a refused line, want <= %d", grown, 8*MaxInput)
	}
}

// TestInterruptedRead: a read cannot be taken back; the line that it brings in
// the end goes to who asks next, once.
func TestInterruptedRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in, keys := io.Pipe()
		interrupts := make(chan os.Signal, 1)
		term := &Terminal{In: in, Err: io.Discard, Asks: true, Interrupts: interrupts}
		interrupts <- os.Interrupt
		if text, err := term.ReadLine(t.Context(), "> "); !errors.Is(err, ErrInterrupted) {
			t.Fatalf("interrupted: %q, %v", text, err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := errors.New("gone")
		cancel(gone)
		if text, err := term.ReadLine(ctx, "> "); !errors.Is(err, gone) {
			t.Fatalf("a context that ended: %q, %v", text, err)
		}
		go func() {
			_, _ = io.WriteString(keys, "first\nsecond\n")
			_ = keys.Close()
		}()
		got, errs := readLines(t, term)
		if diff := cmp.Diff([]string{"first", "second"}, got); diff != "" || len(errs) > 0 {
			t.Errorf("errors %v, lines (-want +got):\n%s", errs, diff)
		}
	})
}

func TestPrompt(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	term := &Terminal{In: strings.NewReader("a\n"), Err: &out, Asks: true}
	if _, err := term.ReadLine(t.Context(), "[ken]> "); err != nil || out.String() != "[ken]> " {
		t.Errorf("%v, prompt %q", err, out.String())
	}
	if _, err := term.ReadLine(t.Context(), ""); !errors.Is(err, io.EOF) || out.String() != "[ken]> " {
		t.Errorf("%v, after no prompt %q", err, out.String())
	}
	broken := errors.New("broken")
	term = &Terminal{In: strings.NewReader("a\n"), Err: failing{broken}, Asks: true}
	if _, err := term.ReadLine(t.Context(), "> "); !errors.Is(err, broken) {
		t.Errorf("a prompt that cannot be shown: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestConfirm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want bool
	}{
		{"y\n", true},
		{"yes\n", true},
		{"Y\n", true},
		{"YES\r\n", true},
		{"  y  \n", true},
		{"yes", true},
		{"\n", false},
		{"", false},
		{"n\n", false},
		{"no\n", false},
		{"yep\n", false},
		{"y y\n", false},
		{"yy\n", false},
		{"ye\n", false},
		{"j\n", false},
		{"1\n", false},
		{"true\n", false},
		{"\x1b[Ay\n", false},
	} {
		var out bytes.Buffer
		term := &Terminal{In: strings.NewReader(c.in), Err: &out, Asks: true}
		if got, err := term.Confirm(t.Context(), "forget all?"); got != c.want || err != nil {
			t.Errorf("%q: %v, %v, want %v", c.in, got, err, c.want)
		}
		if !strings.HasPrefix(out.String(), "forget all? [y] yes  [N] no > ") {
			t.Errorf("%q: asked %q", c.in, out.String())
		}
	}
	term := &Terminal{In: strings.NewReader("y\n"), Err: io.Discard}
	if got, err := term.Confirm(t.Context(), "sure?"); got || !errors.Is(err, ErrNoTerminal) {
		t.Errorf("with nobody there: %v, %v", got, err)
	}
	term = &Terminal{In: strings.NewReader(strings.Repeat("y", 2*MaxInput)), Err: io.Discard, Asks: true}
	if got, err := term.Confirm(t.Context(), "sure?"); got || !errors.Is(err, ErrTooLong) {
		t.Errorf("an answer over the limit: %v, %v", got, err)
	}
}

// TestConfirmInterrupted: Ctrl-C is no, whichever of the two that wait for it
// gets it, the question or the command that asked; the end of the program is
// an error.
func TestConfirmInterrupted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in, keys := io.Pipe()
		defer keys.Close()
		interrupts := make(chan os.Signal)
		term := &Terminal{In: in, Err: io.Discard, Asks: true, Interrupts: interrupts}

		ask := func(ctx context.Context, by string) {
			t.Helper()
			if got, err := term.Confirm(ctx, "sure?"); got || err != nil {
				t.Errorf("interrupted by %s: %v, %v", by, got, err)
			}
		}
		press := func() { interrupts <- os.Interrupt }

		go press()
		ask(t.Context(), "the question's own wait")

		ctx, stop := term.Interruptible(t.Context())
		synctest.Wait() // the command waits first, and gets it
		go press()
		ask(ctx, "the command")
		if ctx.Err() == nil {
			t.Error("the command went on")
		}
		stop()

		ctx, stop = term.Interruptible(t.Context())
		press()
		ask(ctx, "the command, before it asked")
		stop()

		ended := errors.New("terminated")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(ended)
		if got, err := term.Confirm(ctx, "sure?"); got || !errors.Is(err, ended) {
			t.Errorf("ended: %v, %v", got, err)
		}
	})
}

// TestInterruptible: Ctrl-C cancels with its own cause while something runs,
// and is left to others afterwards.
func TestInterruptible(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		interrupts := make(chan os.Signal, 1)
		term := &Terminal{Interrupts: interrupts}
		ctx, stop := term.Interruptible(t.Context())
		interrupts <- os.Interrupt
		<-ctx.Done()
		if !errors.Is(context.Cause(ctx), ErrInterrupted) {
			t.Errorf("cause %v", context.Cause(ctx))
		}
		stop()

		ctx, stop = term.Interruptible(t.Context())
		stop()
		if errors.Is(context.Cause(ctx), ErrInterrupted) {
			t.Error("stopping counts as an interrupt")
		}
		interrupts <- os.Interrupt
		synctest.Wait()
		if len(interrupts) != 1 {
			t.Error("an interrupt was taken after stop")
		}

		ctx, stop = (&Terminal{}).Interruptible(t.Context())
		if ctx.Err() != nil {
			t.Error("without interrupts it began cancelled")
		}
		stop()
		if ctx.Err() == nil {
			t.Error("stop did not end the context")
		}
	})
}

// script is a Program that notes what it is asked.
type script struct {
	said []string
	do   func(ctx context.Context, line string) error
}

func (p *script) Prompt() string { return "> " }
func (p *script) LineContext() LineContext {
	return LineContext{IsCommand: func(word string) bool { return word == "ls" }}
}

func (p *script) Do(ctx context.Context, intent Intent, line string) error {
	p.said = append(p.said, [...]string{"", "do ", "exec ", "say "}[intent]+line)
	switch {
	case intent == Command && line == "quit":
		return ErrQuit
	case intent != Command && p.do != nil:
		return p.do(ctx, line)
	}
	return nil
}

func fixed() time.Time { return time.Date(2026, 5, 10, 19, 0, 0, 0, time.UTC) }

func TestRun(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	in := "hello\n\n:ls\n/ls x\n/etc\n$ rm -rf /\n" + strings.Repeat("x", MaxInput+3) + "\nexit\nnever\n"
	p := &script{}
	if err := Run(t.Context(), &Terminal{In: strings.NewReader(in), Err: &out}, p, fixed); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"say hello", "do ls", "do ls x", "say /etc", "exec rm -rf /", "do quit"}, p.said); diff != "" {
		t.Errorf("ran (-want +got):\n%s", diff)
	}
	for _, want := range []string{"the line is longer than 1048576 bytes; it was not sent"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q was not told:\n%s", want, out.String())
		}
	}
}

// TestRunEnds: the end of the input is an end, that of the context its cause,
// and what fails to read an error.
func TestRunEnds(t *testing.T) {
	t.Parallel()
	p := &script{}
	if err := Run(t.Context(), &Terminal{In: strings.NewReader("last"), Err: io.Discard}, p, fixed); err != nil || len(p.said) != 1 {
		t.Errorf("end of input: %v, ran %q", err, p.said)
	}
	ended := errors.New("terminated")
	ctx, cancel := context.WithCancelCause(t.Context())
	p = &script{do: func(context.Context, string) error { cancel(ended); return nil }}
	if err := Run(ctx, &Terminal{In: strings.NewReader("one\ntwo\n"), Err: io.Discard}, p, fixed); !errors.Is(err, ended) || len(p.said) != 1 {
		t.Errorf("ended: %v, ran %q", err, p.said)
	}
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("one\n"), readError{broken})
	if err := Run(t.Context(), &Terminal{In: in, Err: io.Discard}, &script{}, fixed); !errors.Is(err, broken) {
		t.Errorf("a broken input: %v", err)
	}
}

type readError struct{ err error }

func (r readError) Read([]byte) (int, error) { return 0, r.err }

// TestRunInterrupts: two within two seconds at the prompt leave; a line, and
// two seconds, begin the count anew; during an answer only that ends.
func TestRunInterrupts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in, keys := io.Pipe()
		interrupts := make(chan os.Signal)
		p := &script{do: func(ctx context.Context, _ string) error { <-ctx.Done(); return nil }}
		done := make(chan error, 1)
		term := &Terminal{In: in, Err: io.Discard, Asks: true, Interrupts: interrupts}
		go func() { done <- Run(t.Context(), term, p, time.Now) }()
		press := func() {
			interrupts <- os.Interrupt
			synctest.Wait()
		}
		running := func(after string) {
			t.Helper()
			select {
			case err := <-done:
				t.Fatalf("after %s it left: %v", after, err)
			default:
			}
		}
		press()
		time.Sleep(again)
		press()
		running("two, two seconds apart")
		if _, err := io.WriteString(keys, "hello\n"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the line was taken
		press()
		running("one during an answer")
		press()
		running("one at the prompt after a line")
		press()
		if err := <-done; err != nil {
			t.Errorf("two at the prompt: %v", err)
		}
		_ = keys.Close()
	})
}

// FuzzReadLine: lines come out as they went in, whatever their bytes.
func FuzzReadLine(f *testing.F) {
	for _, seed := range []string{"", "a", "a\n", "a\r\nb", "\n\n", "\r", "\r\n\r", "\x00\xff\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, errs := readLines(t, &Terminal{In: strings.NewReader(in), Err: io.Discard})
		want := strings.Split(in, "\n")
		if last := len(want) - 1; want[last] == "" {
			want = want[:last]
		}
		for i := range want {
			want[i] = strings.TrimSuffix(want[i], "\r")
		}
		if len(errs) > 0 || !slices.Equal(want, got) {
			t.Errorf("%q: errors %v, lines %q, want %q", in, errs, got, want)
		}
	})
}
