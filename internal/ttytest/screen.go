//go:build unix

package ttytest

import (
	"bytes"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hinshun/vt10x"
	"golang.org/x/term"

	"ken/internal/pty/pair"
)

// until waits until done says so, which is asked whenever something was printed, with the
// terminal at rest; it is false if that took too long, or nothing more can come.
func (x *Terminal) until(done func() bool) bool {
	late := false
	timeout := time.AfterFunc(Patience, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		late = true
		x.grown.Broadcast()
	})
	defer timeout.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for !done() {
		if late || x.closed {
			return false
		}
		x.grown.Wait()
	}
	return true
}

// Screen returns the text on the screen, a line for each row.
func (x *Terminal) Screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.String()
}

// Modes returns those of the screen, and whether its cursor is shown.
func (x *Terminal) Modes() (mode vt10x.ModeFlag, cursor bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.Mode(), x.screen.CursorVisible()
}

// Rows returns what the screen shows, without what is empty.
func (x *Terminal) Rows() []string {
	var rows []string
	for row := range strings.SplitSeq(x.Screen(), "\n") {
		if row = strings.TrimRight(row, " "); row != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// Unseen returns what was printed after what was last waited for.
func (x *Terminal) Unseen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.output.Bytes()[x.seen:])
}

// AwaitEnd waits until all that was printed is read.
func (x *Terminal) AwaitEnd() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for !x.closed {
		x.grown.Wait()
	}
}

// Ended waits until nothing more can come, and reports whether that is so.
func (x *Terminal) Ended() bool { return x.until(func() bool { return x.closed }) }

// AwaitRow waits until the row that the cursor is in says text and no more.
func (x *Terminal) AwaitRow(text string) {
	x.t.Helper()
	row := ""
	if !x.until(func() bool {
		row = strings.TrimRight(strings.Split(x.screen.String(), "\n")[x.screen.Cursor().Y], " ")
		return row == text
	}) {
		x.t.Fatalf("the row is %q, want %q; the screen:\n%s", row, text, x.Screen())
	}
}

// Holds waits until text stands on the screen, however it was drawn.
func (x *Terminal) Holds(text string) {
	x.t.Helper()
	if !x.until(func() bool { return strings.Contains(x.screen.String(), text) }) {
		x.t.Fatalf("%q is not on the screen:\n%s", text, x.Screen())
	}
}

// Shows waits until the screen is the one in the file at path, cell by cell but for
// blanks at the ends of lines. With write it is written there, after a moment.
func (x *Terminal) Shows(path string, write bool) {
	x.t.Helper()
	if write {
		time.Sleep(time.Second) // a person looks at what is written
		x.mu.Lock()
		defer x.mu.Unlock()
		if err := os.WriteFile(path, []byte(x.cells()), 0o600); err != nil {
			x.t.Error(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		x.t.Fatal(err)
	}
	got := ""
	if !x.until(func() bool {
		got = x.cells()
		return got == string(want)
	}) {
		x.t.Fatalf("the screen is not that of %s (-want +got):\n%s", path, cmp.Diff(string(want), got))
	}
}

// cells is the text on the screen.
func (x *Terminal) cells() string {
	lines := strings.Split(x.screen.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	text := strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
	return regexp.MustCompile(`127\.0\.0\.1:\d{5}`).ReplaceAllString(text, "127.0.0.1:PORT_") // as wide
}

// Resize gives the terminal another size, in cells.
func (x *Terminal) Resize(rows, cols int) {
	x.t.Helper()
	x.mu.Lock()
	x.screen.Resize(cols, rows)
	x.mu.Unlock()
	if err := pair.Resize(x.TTY, rows, cols); err != nil {
		x.t.Fatal(err)
	}
}

// Settings returns those of the terminal that the program runs on.
func (x *Terminal) Settings() *term.State {
	x.t.Helper()
	s, err := term.GetState(int(x.TTY.Fd()))
	if err != nil {
		x.t.Fatal(err)
	}
	return s
}

// IsAsBefore fails unless the terminal has the settings that it had, or soon gets them:
// a prompt may be seen before it is read at.
func (x *Terminal) IsAsBefore(before *term.State) {
	x.t.Helper()
	diff := ""
	for range 100 {
		if diff = cmp.Diff(before, x.Settings(), EveryField()); diff == "" {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	x.t.Errorf("the terminal's settings (-before +after):\n%s", diff)
}

// Pair returns both ends of a new terminal that no program runs on, until the test ends.
func Pair(t testing.TB) (keys, tty *os.File) {
	t.Helper()
	keys, tty, err := pair.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = keys.Close(), tty.Close() })
	return keys, tty
}

// Unused returns the settings of a terminal that no program has changed yet.
func Unused(t testing.TB) *term.State {
	t.Helper()
	master, _ := Pair(t)
	s, err := term.GetState(int(master.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// EveryField has unexported fields compared too.
func EveryField() cmp.Option { return cmp.Exporter(func(reflect.Type) bool { return true }) }

// Printed says how much was printed so far.
func (x *Terminal) Printed() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.output.Len()
}

// AwaitRest waits until what stands before the cursor in its row is what rests says, and a line was ended since so much was printed,
// unless that is negative. It gives what stands there; ok is false if the program ended before.
func (x *Terminal) AwaitRest(printed int, rests func(row string) bool) (row string, ok bool) {
	x.t.Helper()
	ok = x.until(func() bool {
		if printed >= 0 && bytes.IndexByte(x.output.Bytes()[printed:], '\n') < 0 {
			return false
		}
		at := x.screen.Cursor()
		cells := []rune(strings.Split(x.screen.String(), "\n")[at.Y])
		row = strings.TrimRight(string(cells[:min(at.X, len(cells))]), " ")
		return rests(row)
	})
	x.mu.Lock()
	defer x.mu.Unlock()
	if !ok && !x.closed {
		x.t.Fatalf("it is not waited for; the row is %q, the screen:\n%s", row, x.screen.String())
	}
	return row, ok
}
