//go:build linux || darwin

package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/proctest"
	"ken/internal/pty/pair"
	"ken/internal/typed"
)

// A wire is a program on a terminal that does nothing but answer where its
// cursor is.
type wire struct {
	b   *testing.B
	tty *os.File
	buf []byte
}

func newWire(b *testing.B, name string, env []string, args ...string) *wire {
	b.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		b.Skipf("there is no %s", name)
	}
	cmd := proctest.Command(b, path, args...)
	cmd.Env = append(append(cmd.Env, "TERM=xterm", "INPUTRC=/dev/null"), env...)
	w := &wire{b: b, buf: make([]byte, 64<<10)}
	if w.tty, err = pair.Start(cmd, 24, 200); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = w.tty.Close()
		_ = cmd.Wait()
	})
	return w
}

// await reads until text was printed.
func (w *wire) await(text string) {
	var got []byte
	for !bytes.Contains(got, []byte(text)) {
		n, err := w.tty.Read(w.buf)
		if err != nil {
			w.b.Fatalf("%v; it printed %q", err, got)
		}
		got = append(got, w.buf[:n]...)
		if bytes.Contains(w.buf[:n], []byte("\x1b[6n")) {
			w.send("\x1b[1;1R")
		}
	}
}

func (w *wire) send(keys string) {
	if _, err := w.tty.WriteString(keys); err != nil {
		w.b.Fatal(err)
	}
}

// echo measures from a key to its being on the screen, in a line that grows to a
// hundred characters. An echo of the line as a whole counts when it has that key.
func (w *wire) echo() {
	const keys = "abcdefghijklmnopqrstuvwxyz"
	var times []time.Duration
	i := 0
	for w.b.Loop() {
		key := keys[i%26 : i%26+1]
		from := time.Now()
		w.send(key)
		w.await(key)
		times = append(times, time.Since(from))
		if i++; i%100 == 0 {
			w.send("\x15")
			time.Sleep(5 * time.Millisecond) // until nothing of it comes any more
			w.send("=")
			w.await("=")
			w.send("\x15")
			time.Sleep(5 * time.Millisecond)
		}
	}
	slices.Sort(times)
	w.b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-us")
	w.b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-us")
	w.b.ReportMetric(0, "ns/op")
}

// BenchmarkKey is from a key to its echo; the others are what people are used to.
func BenchmarkKey(b *testing.B) {
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("ken", func(b *testing.B) {
		w := newWire(b, exe, []string{"EDIT_PROGRAM=1"})
		w.await("> ")
		w.await("\x1b[?25h")
		w.echo()
	})
	// With something behind the line to be found at each key, and to be drawn.
	for _, n := range []int{10, MaxEntries} {
		history := filepath.Join(b.TempDir(), "history")
		var text []byte
		for i := range n - 1 {
			at := typed.Where{Dir: fmt.Sprintf("~/dir%d", i%7), Scope: "repo:example.org/a"}
			text = typed.Append(text, fmt.Sprintf("entry %d of them", i), at)
		}
		line := strings.Repeat("abcdefghijklmnopqrstuvwxyz", 4) + " and more"
		text = append(typed.Append(nil, line, typed.Where{}), text...) // the oldest: all the others are passed
		if err := os.WriteFile(history, text, 0o600); err != nil {
			b.Fatal(err)
		}
		for _, on := range []string{"", "1"} {
			b.Run(fmt.Sprintf("history=%d/suggest=%s", n, cmp.Or(on, "0")), func(b *testing.B) {
				w := newWire(b, exe, []string{"EDIT_PROGRAM=1", "EDIT_HISTORY=" + history, "EDIT_DIR=~/dir1", "EDIT_SUGGEST=" + on})
				w.await("> ")
				w.await("\x1b[?25h")
				w.echo()
			})
		}
	}
	b.Run("bash", func(b *testing.B) {
		w := newWire(b, "bash", []string{"PS1=> "}, "--norc", "--noprofile", "-i")
		w.await("> ")
		w.echo()
	})
	b.Run("python", func(b *testing.B) {
		w := newWire(b, "python3", []string{"PYTHON_BASIC_REPL=1"}, "-q", "-i", "-c", "import sys; sys.ps1='] '")
		w.await("] ")
		w.echo()
	})
}

// BenchmarkPasteMegabyte is from the end of a paste to its standing in the line.
func BenchmarkPasteMegabyte(b *testing.B) {
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	w := newWire(b, exe, []string{"EDIT_PROGRAM=1"})
	w.await("> ")
	w.await("\x1b[?25h")
	text := block(strings.Repeat("0123456789abcde\r", 1<<16)[:1<<20-1])
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		go func() { _, _ = w.tty.WriteString(text) }()
		w.await("lines]")
		w.send("\x15")
		w.await("\x1b[?25h")
	}
}
