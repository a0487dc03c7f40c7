package repl

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestGATE18Joined: what stands between the marks is one message, with what is typed
// around it, and the person's Enter ends it.
func TestGATE18Joined(t *testing.T) {
	t.Parallel()
	const on, off = "\x1b[200~", "\x1b[201~"
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"no marks", "a\n$b\n", []string{"a", "$b"}},
		{"one line", on + "$a" + off + "\n", []string{"$a"}},
		{"lines", on + "a\n$b\nc" + off + "\nd\n", []string{"a\n$b\nc", "d"}},
		{"a line end at the end", on + "$a\n" + off + "\nd\n", []string{"$a", "d"}},
		{"typed around it", "see: " + on + "a\n$b" + off + " what is it\n", []string{"see: a\n$b what is it"}},
		{"two blocks", on + "a\nb" + off + "-" + on + "c\nd" + off + "\n", []string{"a\nb-c\nd"}},
		{"empty lines", on + "a\n\n\nb" + off + "\n", []string{"a\n\n\nb"}},
		{"a lone end", "a" + off + "\nb\n", []string{"a", "b"}},
		{"an end that never comes", on + "a\n$b\n", nil},
		{"controls", on + "a\x1b[31m\nb\x07" + off + "\n", []string{"a\nb"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, errs := readLines(t, &Terminal{Typed: strings.NewReader(c.in), Err: io.Discard})
			if diff := cmp.Diff(c.want, got); diff != "" || len(errs) > 0 {
				t.Errorf("errors %v, messages (-want +got):\n%s", errs, diff)
			}
		})
	}
}

// TestGATE18TooLong: a block that is too long is refused whole, and nothing of it is a line.
func TestGATE18TooLong(t *testing.T) {
	t.Parallel()
	in := "\x1b[200~" + strings.Repeat("$a\n", MaxInput/2) + "$b\x1b[201~\nlast\n"
	got, errs := readLines(t, &Terminal{Typed: strings.NewReader(in), Err: io.Discard})
	if diff := cmp.Diff([]string{"last"}, got); diff != "" || len(errs) != 1 || !errors.Is(errs[0], ErrTooLong) {
		t.Errorf("errors %v, messages (-want +got):\n%s", errs, diff)
	}
}

// TestGATE18Interrupted: Ctrl-C drops a block whose end was lost, which is told of, and
// the next line is one.
func TestGATE18Interrupted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		signals := make(chan os.Signal, 1)
		var told locked // what reads tells, beside the test
		x := &Terminal{Typed: r, Err: &told, Interrupts: signals}
		go func() {
			_, _ = io.WriteString(w, "\x1b[200~a\n$b\n")
			time.Sleep(5 * time.Second)
			_, _ = io.WriteString(w, "more\n")
			time.Sleep(5 * time.Second)
			signals <- os.Interrupt
			time.Sleep(5 * time.Second)
			_, _ = io.WriteString(w, "next\n")
			_ = w.Close()
		}()
		if text, err := x.ReadLine(t.Context(), ""); !errors.Is(err, ErrInterrupted) {
			t.Errorf("read %q, %v", text, err)
		}
		if !strings.Contains(told.String(), "has no end yet; Ctrl-C drops it") {
			t.Errorf("told %q", told.String())
		}
		if text, err := x.ReadLine(t.Context(), ""); text != "next" || err != nil {
			t.Errorf("read %q, %v", text, err)
		}
	})
}

// A locked buffer is for several goroutines at once.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
