//go:build linux || darwin

//ken:slow

package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/proctest"
	"ken/internal/ttytest"
	"ken/internal/typed"
)

// TestMain lets this test binary be a program whose lines are edited.
func TestMain(m *testing.M) {
	if os.Getenv("EDIT_PROGRAM") != "" {
		os.Exit(program())
	}
	os.Exit(m.Run())
}

// program reads lines and says what it read.
func program() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGHUP)
	go func() { cancel(fmt.Errorf("got %v", <-ended)) }()
	history, err := OpenHistory(os.Getenv("EDIT_HISTORY"))
	if err != nil {
		fmt.Println(err)
	}
	here := typed.Where{Dir: os.Getenv("EDIT_DIR"), Scope: os.Getenv("EDIT_SCOPE")}
	keys := map[string]string{}
	if s := os.Getenv("EDIT_KEY"); s != "" {
		seq, action, _ := strings.Cut(s, "=")
		keys[seq] = action
	}
	e, ahead, err := Open(Options{
		In: os.Stdin, Out: os.Stdout, Input: &os.Stdin, Output: &os.Stdout, Plain: os.Getenv("EDIT_PLAIN") != "", Term: os.Getenv("TERM"), Limit: 1 << 20, Keys: keys, History: history,
		More: func(s string) bool { return strings.HasSuffix(s, `\`) },
		Complete: func(line string) Completion {
			from := strings.LastIndexByte(line, ' ') + 1
			c := Completion{From: from}
			for _, w := range []string{"alpha ", "alpine ", "beta ", "größer ", "größte "} {
				if strings.HasPrefix(w, line[from:]) {
					c.Words = append(c.Words, Word{w, "about " + w})
				}
			}
			return c
		},
		Here:    func() (dir, scope string) { return here.Dir, here.Scope },
		Suggest: suggesting(),
		Edit:    func(_ context.Context, s string) (string, error) { return s + " edited\nby hand", nil },
	})
	if err != nil {
		fmt.Printf("no editor: %v, typed %q\n", err, ahead)
		return 3
	}
	defer e.Close()
	for _, p := range e.Problems() {
		fmt.Println("problem:", p)
	}
	for {
		line, err := e.ReadLine(ctx, "> ")
		switch {
		case errors.Is(err, io.EOF):
			fmt.Println("bye")
			return 0
		case ctx.Err() != nil:
			fmt.Println("ended:", err)
			return 4
		case err != nil:
			fmt.Printf("=> error %v\n", err)
			continue
		}
		if len(line) > 2000 {
			fmt.Printf("=> %d bytes, %d lines\n", len(line), strings.Count(line, "\n")+1)
		} else {
			fmt.Printf("=> %q\n", line)
		}
		_ = e.Remember(line, true)
		if dir, ok := strings.CutPrefix(line, "cd "); ok {
			here = typed.Where{Dir: dir}
		}
		switch line {
		case "ask":
			answer, err := e.Ask(ctx, "sure? ")
			fmt.Printf("=> answer %q, %v\n", answer, err)
		case "work":
			fmt.Println("working")
			proctest.Within(ttytest.Patience, func() bool { // until the test has typed: it leaves a file
				_, err := os.Stat(os.Getenv("EDIT_DONE"))
				return err == nil
			})
			fmt.Println("worked")
		case "lend":
			back := e.Lend()
			cmd := proctest.Lent("stty", "-a")
			cmd.Stdin = os.Stdin
			out, err := cmd.CombinedOutput()
			back()
			fmt.Printf("=> %v, echo %v, icanon %v\n", err, bytes.Contains(out, []byte(" echo ")), bytes.Contains(out, []byte(" icanon ")))
		}
	}
}

// suggesting is Options.Suggest where the test wants it.
func suggesting() func(string) bool {
	if os.Getenv("EDIT_SUGGEST") == "" {
		return nil
	}
	return func(entry string) bool { return !strings.Contains(entry, "secret") }
}

// A console is a program on a terminal of 60 by 12 cells.
type console struct {
	*ttytest.Terminal
	t *testing.T
}

// open starts the program with more variables. Without a value one is not set.
func open(t *testing.T, env ...string) *console {
	t.Helper()
	cmd := proctest.Self(t)
	cmd.Env = append(append(cmd.Env, "EDIT_PROGRAM=1", "TERM=xterm", "INPUTRC=/dev/null"), env...)
	if slices.Contains(env, "MUTE=1") {
		return &console{ttytest.OpenMute(t, cmd), t}
	}
	return &console{ttytest.OpenSized(t, cmd, 12, 60), t}
}

// openWide is open for a terminal of 120 by 12 cells.
func openWide(t *testing.T, env ...string) *console {
	t.Helper()
	cmd := proctest.Self(t)
	cmd.Env = append(append(cmd.Env, "EDIT_PROGRAM=1", "TERM=xterm", "INPUTRC=/dev/null"), env...)
	return &console{ttytest.OpenSized(t, cmd, 12, 120), t}
}

// sendLong types more than the terminal takes at once.
func (c *console) sendLong(keys string) {
	go func() { _, _ = c.TTY.WriteString(keys) }() // what is missing is missed by who waits for it
}

// enter types keys and Enter, and waits for what was read.
func (c *console) enter(keys, want string) {
	c.t.Helper()
	c.Send(keys + "\r")
	c.Await("=> " + want + "\r\n")
	c.AwaitRow(">")
}

// isSane fails unless the terminal is as no program had changed it, and marks
// nothing as pasted any more.
func (c *console) isSane() {
	c.t.Helper()
	if diff := cmp.Diff(ttytest.Unused(c.t), c.Settings(), ttytest.EveryField()); diff != "" {
		c.t.Errorf("the terminal's settings (-before +after):\n%s", diff)
	}
	if !c.Ended() {
		c.t.Error("the output does not end")
	}
	output := c.Text()
	if on, off := strings.LastIndex(output, pasteOn), strings.LastIndex(output, pasteOff); on > off {
		c.t.Errorf("bracketed paste is on")
	}
	if hide, show := strings.LastIndex(output, "\x1b[?25l"), strings.LastIndex(output, "\x1b[?25h"); hide > show {
		c.t.Errorf("the cursor is hidden")
	}
}

// TestKeys: the keys that hands know, and what no key is.
func TestKeys(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.AwaitRow(">")
	for _, k := range []struct{ keys, want string }{
		{"hello", `"hello"`},
		{"", `""`},
		{"world\x01hello \x05!", `"hello world!"`},           // C-a, C-e
		{"one two\x17three", `"one three"`},                  // C-w
		{"one two\x15three", `"three"`},                      // C-u
		{"one two\x01\x0b", `""`},                            // C-k
		{"one two\x17\x19\x19", `"one twotwo"`},              // C-y
		{"one two\x1bb-\x1bb\x1bb=\x1bf+", `"=one+ -two"`},   // M-b, M-f
		{"ab\x02\x02x\x06y", `"xayb"`},                       // C-b, C-f
		{"abc\x7f\x08d", `"ad"`},                             // Backspace, C-h
		{"abc\x1b[D\x1b[D\x1b[C-\x1b[H+\x1b[F!", `"+ab-c!"`}, // cursor keys, Home, End
		{"abc\x1b[1~\x1b[3~\x1b[4~d", `"bcd"`},               // Home, Delete and End of other terminals
		{"abc def\x1b[1;5D-", `"abc -def"`},                  // Ctrl with a cursor key
		{"abc\x04", `"abc"`},                                 // at the end there is nothing to delete
		{"abc\x1b[3~", `"abc"`},
		{"abc\x01\x04", `"bc"`},                      // C-d on a line that is not empty
		{"one\x1b\rtwo\nthree", `"one\ntwo\nthree"`}, // Alt-Enter, C-j
		{`one\` + "\rtwo", `"one\\\ntwo"`},           // a line that goes on
		{"größe ñ ÿ日本語", `"größe ñ ÿ日本語"`},           // what the library takes for Alt
		{"e\u0301 👩‍👩‍👧 🇩🇪", fmt.Sprintf("%q", "e\u0301 👩‍👩‍👧 🇩🇪")}, // characters of several
		{"a\x1b[15~\x1b[24;2~b", `"ab"`},                         // keys that do nothing
		{"a\x1b[1;2Rb", `"ab"`},                                  // Shift-F3, which looks like an answer
		{"a\x1b[?62;c\x1b]11;rgb:00/00/00\a\x1b[12;1Rb", `"ab"`}, // answers that nobody asked for
		{"a\xc3b\xff\x80c", `"abc"`},                             // halves of characters
		{"a\x00\x1c\x1d\x1eb", `"ab"`},                           // controls
		{"a\x16\x01b\x16\tc", `"ab\tc"`},                         // C-v
		{"al\t\x15x", `"x"`},                                     // completion, dropped
		{"bet\t!", `"beta !"`},                                   // completed
		{"al\tpha", `"alppha"`},                                  // as far as it is clear
		{"grö\t" + "te", `"größte"`},                             // the library counts bytes for characters there
		{"x\x18\x05\x7f", `"x edited\nby han"`},                  // C-x C-e
		{"\x0e", `":auto "`},                                     // C-n
		{"x\x0e", `"x"`},                                         // on a line that is not empty
		{"x\x18\x03y", `"xy"`},                                   // C-x C-c with no question
		{"abc\x1f\x1f", `""`},                                    // undo
		{strings.Repeat("wide日本 ", 60), fmt.Sprintf("%q", strings.Repeat("wide日本 ", 60))}, // more rows than the screen has
	} {
		c.enter(k.keys, k.want)
	}
	c.Send("\x04")
	if code := c.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	c.Await("bye")
	c.isSane()
}
