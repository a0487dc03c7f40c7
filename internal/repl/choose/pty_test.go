//go:build linux || darwin

package choose

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hinshun/vt10x"

	"ken/internal/proctest"
	"ken/internal/ttytest"
)

// TestMain lets this test binary be a program that has somebody choose.
func TestMain(m *testing.M) {
	if os.Getenv("CHOOSE_PROGRAM") != "" {
		os.Exit(program())
	}
	os.Exit(m.Run())
}

// program lets choose from CHOOSE_PROGRAM entries and says what was chosen.
func program() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGHUP)
	go func() { cancel(fmt.Errorf("got %v", <-ended)) }()
	n := 0
	_, _ = fmt.Sscan(os.Getenv("CHOOSE_PROGRAM"), &n)
	slow := os.Getenv("CHOOSE_SLOW") != ""
	o := Options{Ask: "take which?", Scopes: []string{"here", "all"}, Filter: os.Getenv("CHOOSE_FILTER")}
	o.Entries = func(ctx context.Context) iter.Seq[Entry] {
		return func(yield func(Entry) bool) {
			for i := range n {
				if slow && i == 3 {
					<-ctx.Done()
				}
				e := Entry{ID: fmt.Sprint(i + 1), Text: fmt.Sprintf("entry %d of the kettle", i+1), Note: fmt.Sprintf("%d h ago", i), Scope: i % 2}
				if i == 4 {
					e.Text = "\x1b[31mFünf 東京\x07\nrow"
				}
				if !yield(e) {
					return
				}
			}
		}
	}
	o.Find = func(_ context.Context, text string) (map[string]bool, error) {
		return map[string]bool{"7": strings.Contains(text, "deep")}, nil
	}
	fmt.Println("before")
	if os.Getenv("CHOOSE_WAIT") != "" {
		time.Sleep(300 * time.Millisecond) // keys are typed ahead
	}
	c, err := Pick(ctx, os.Stdin, os.Stdout, o)
	fmt.Printf("=> %q %q %v %q %v\n", c.ID, c.Typed, c.Taken, c.Ahead, err)
	return 0
}

func open(t *testing.T, rows, cols int, env ...string) *ttytest.Terminal {
	t.Helper()
	cmd := proctest.Self(t)
	cmd.Env = append(append(cmd.Env, "TERM=xterm", "CHOOSE_PROGRAM=40"), env...)
	return ttytest.OpenSized(t, cmd, rows, cols)
}

// isClean fails unless the program ended and left nothing of the list behind.
func isClean(t *testing.T, x *ttytest.Terminal, want ...string) {
	t.Helper()
	if !x.Ended() {
		t.Fatal("it did not end")
	}
	if diff := cmp.Diff(want, x.Rows()); diff != "" {
		t.Errorf("the screen (-want +got):\n%s", diff)
	}
	mode, cursor := x.Modes()
	if !cursor || mode&vt10x.ModeWrap == 0 {
		t.Errorf("the cursor is shown %v, lines wrap %v", cursor, mode&vt10x.ModeWrap != 0)
	}
	text := x.Text()
	if strings.LastIndex(text, pasteOn) > strings.LastIndex(text, pasteOff) {
		t.Error("what is pasted is still marked")
	}
	if strings.Contains(text, "\x1b[?1049") || strings.Contains(text, "\x1b[?47") {
		t.Error("it took another screen")
	}
}

const (
	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
)

// TestPick: ways through the list, and out of it.
func TestPick(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  string
		do   func(x *ttytest.Terminal)
		want string
	}{
		{"the first", "", func(x *ttytest.Terminal) { x.Send("\r") }, `"1" "" true "" <nil>`},
		{"arrows, and an entry that would take the terminal", "", func(x *ttytest.Terminal) {
			x.Send("\x1b[B\x0e")
			x.Holds("> Fünf 東京 row")
			x.Send("\r")
		}, `"5" "" true "" <nil>`},
		{"typed", "", func(x *ttytest.Terminal) {
			x.Send("KETTLE 13")
			x.Holds("1 of 40, here")
			x.Send("\r")
		}, `"13" "KETTLE 13" true "" <nil>`},
		{"a scope", "", func(x *ttytest.Terminal) {
			x.Send("\t\x1b[B")
			x.Holds("> entry 2 of")
			x.Send("\r")
		}, `"2" "" true "" <nil>`},
		{"what is found elsewhere", "", func(x *ttytest.Terminal) {
			x.Send("deep")
			x.Holds("> entry 7 of")
			x.Send("\r")
		}, `"7" "deep" true "" <nil>`},
		{"pasted lines take nothing", "", func(x *ttytest.Terminal) {
			x.Send("\x1b[200~entry\n9\n\x1b[201~")
			x.Holds("> entry 9 of")
			x.Send("\r")
		}, `"9" "entry 9" true "" <nil>`},
		{"pasted lines that come slowly take nothing", "", func(x *ttytest.Terminal) {
			for _, piece := range []string{"\x1b[200~entry\r", "9\r", "\x1b[201~"} {
				x.Send(piece)
				time.Sleep(3 * escapeWait) // as over a slow line
			}
			x.Holds("> entry 9 of")
			x.Send("\r")
		}, `"9" "entry 9" true "" <nil>`},
		{"Esc", "", func(x *ttytest.Terminal) { x.Send("\x1b") }, `"" "" false "" <nil>`},
		{"Ctrl-C", "", func(x *ttytest.Terminal) { x.Send("abc\x03") }, `"" "abc" false "" <nil>`},
		{"as they come", "CHOOSE_SLOW=1", func(x *ttytest.Terminal) {
			x.Holds("2 of 3+, here")
			x.Send("\x1b[B\r")
		}, `"3" "" true "" <nil>`},
		{"terminated", "", func(x *ttytest.Terminal) {
			if err := x.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		}, `"" "" false "" got terminated`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := open(t, 24, 80, c.env)
			before := ttytest.Unused(t)
			x.Holds("> entry 1 of")
			c.do(x)
			isClean(t, x, "before", "=> "+c.want)
			x.IsAsBefore(before)
		})
	}
}

// TestHungUp: a terminal that is gone ends it.
func TestHungUp(t *testing.T) {
	t.Parallel()
	x := open(t, 24, 80, "CHOOSE_SLOW=1")
	x.Holds("> entry 1 of")
	if err := x.TTY.Close(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- x.Cmd.Wait() }()
	select {
	case err := <-done:
		t.Log(err) // it had nowhere to say it
	case <-time.After(ttytest.Patience):
		t.Error("it goes on without a terminal")
	}
}

// TestTypedAhead: what was typed before the list stood there chooses nothing, and is not
// lost; nor is what was typed behind the key that ended it.
func TestTypedAhead(t *testing.T) {
	t.Parallel()
	x := open(t, 24, 80, "CHOOSE_WAIT=1")
	x.Await("before")
	x.Send("next line\r")
	x.Holds("> entry 1 of")
	x.Send("\r")
	x.Await(`=> "1" "" true "next line`)

	x = open(t, 24, 80)
	x.Holds("> entry 1 of")
	x.Send("\x03and\x1b[Aso")
	x.Await(`=> "" "" false "and\x1b[Aso"`)
}

// TestResized: on another size the list is drawn anew, with nothing left of the old one.
func TestResized(t *testing.T) {
	t.Parallel()
	x := open(t, 24, 80)
	x.Holds("> entry 1 of")
	for _, size := range [][2]int{{24, 200}, {10, 40}, {4, 20}, {24, 80}} {
		x.Resize(size[0], size[1])
		x.Holds("> entry 1 of")
	}
	x.Send("\x1b[B")
	x.Holds("> entry 3 of")
	if n := strings.Count(x.Screen(), "take which?"); n != 1 {
		t.Errorf("the question stands there %d times:\n%s", n, x.Screen())
	}
	x.Send("\r")
	if !x.Ended() {
		t.Fatal("it did not end")
	}
	want := []string{"before", `=> "3" "" true "" <nil>`}
	if x.Rows()[0] != want[0] { // it got lower in the middle of a screen, which pushes out what stood above the cursor
		want = want[1:]
	}
	isClean(t, x, want...)
}

// TestStopped: stopped and going on, the list is there and takes keys.
func TestStopped(t *testing.T) {
	t.Parallel()
	x := open(t, 24, 80)
	x.Holds("> entry 1 of")
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		if err := x.Cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	x.Send("\x1b[B")
	x.Holds("> entry 3 of")
	x.Send("\x1b")
	isClean(t, x, "before", `=> "" "" false "" <nil>`)
}

// TestScreens: the list at each width, as a person sees it.
func TestScreens(t *testing.T) {
	t.Parallel()
	for _, wide := range []int{20, 40, 80, 200} {
		x := open(t, 18, wide)
		x.Holds("> entry 1 of")
		x.Send("\x1b[B\x1b[B")
		x.Shows(filepath.Join("testdata", fmt.Sprintf("list-%d.txt", wide)), os.Getenv("UPDATE") != "")
	}
}

// TestNoTerminal: without one nothing is drawn.
func TestNoTerminal(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	var out bytes.Buffer
	if _, err := Pick(t.Context(), r, &out, Options{}); !errors.Is(err, ErrUnable) || out.Len() > 0 {
		t.Errorf("error %v, printed %q", err, out.String())
	}
}

// BenchmarkFirstScreen is from the call to the first screen, over 10,000 entries that say
// as much as a conversation's first words and a page beside.
func BenchmarkFirstScreen(b *testing.B) {
	entries := many(10_000)
	for b.Loop() {
		firstScreen(entries)
	}
}

func firstScreen(entries []Entry) []string {
	l := newList(Options{Scopes: []string{"here", "all"}})
	l.add(entries)
	l.end()
	return l.draw(80)
}

// BenchmarkKey is one more character of the filter, over as many.
func BenchmarkKey(b *testing.B) {
	l := newList(Options{})
	l.add(many(10_000))
	filters := [][]rune{[]rune("kettle wor"), []rune("kettle word")}
	for i := range b.N {
		l.setFilter(filters[i%2])
	}
}

func many(n int) []Entry {
	entries := make([]Entry, n)
	for i := range entries {
		entries[i] = Entry{
			ID: fmt.Sprint(i), Text: fmt.Sprintf("why does the kettle test number %d hang?", i),
			Note: "3 h ago", Also: strings.Repeat("some word of a talk ", 20),
		}
	}
	return entries
}

// TestFirstScreen: over 10,000 entries the first screen is there at once, whatever comes
// behind: the goal is 50 ms, and here a loaded machine has some more.
func TestFirstScreen(t *testing.T) {
	keys, tty := ttytest.Pair(t)
	entries := many(10_000)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := make(chan time.Duration, 1)
	from := time.Now()
	go func() {
		buf := make([]byte, 64<<10)
		all := ""
		for {
			n, err := keys.Read(buf)
			all += string(buf[:n])
			if strings.Contains(all, "> ") && len(seen) == 0 {
				seen <- time.Since(from)
			}
			if err != nil {
				return
			}
		}
	}()
	done := make(chan error, 1)
	go func() {
		_, err := Pick(ctx, tty, tty, Options{Ask: "which", Entries: func(context.Context) iter.Seq[Entry] { return slices.Values(entries) }})
		done <- err
	}()
	select {
	case took := <-seen:
		t.Logf("first screen after %v", took)
		if took > 500*time.Millisecond {
			t.Errorf("the first screen took %v", took)
		}
	case <-time.After(ttytest.Patience):
		t.Error("no screen")
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
