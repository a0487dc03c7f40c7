//go:build linux || darwin

package edit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/proctest"
	"ken/internal/pty/pair"
	"ken/internal/ttytest"
)

// block is text as a terminal sends what is pasted.
func block(text string) string { return "\x1b[200~" + text + "\x1b[201~" }

// TestPaste: a block lands whole, whatever is in it and whatever inputrc says, and is
// entered by one Enter.
func TestPaste(t *testing.T) {
	t.Parallel()
	rc := filepath.Join(t.TempDir(), "inputrc")
	if err := os.WriteFile(rc, []byte("set enable-bracketed-paste off\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, "INPUTRC="+rc)
	c.AwaitRow(">")
	c.enter(block("rm a\r\nrm b\rrm c\n"), `"rm a\nrm b\nrm c"`)
	c.enter("x"+block("1\x1b[2J\x1b]0;evil\a\x03\x04\x00\t2")+"y", `"x1\t2y"`)
	c.enter(block("größe\xff日"), fmt.Sprintf("%q", "größe\ufffd日"))
	c.enter(block("\x1b[12;40R\x1b[200~z"), `"z"`)
	c.enter(block("")+"e", `"e"`)
	c.enter("\x18"+block("after a prefix"), `"after a prefix"`)
	c.enter("\x1b"+block("b"), `"b"`)

	c.Send("sum: " + block(strings.Repeat("line\r", 9_999)+"end") + "!")
	c.AwaitRow("> sum: [pasted #1: 10,000 lines]!")
	c.enter("", fmt.Sprintf("%d bytes, 10000 lines", 5*9_999+len("sum: end!")))
	c.Send("\x10") // it is the newest in the history, and as short there
	c.AwaitRow("> sum: line[and #2: 10,000 lines]")
	c.enter("", fmt.Sprintf("%d bytes, 10000 lines", 5*9_999+len("sum: end!")))
}

// TestPasteLarge: a megabyte is taken, more is refused, and what was typed
// around it stays.
func TestPasteLarge(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.AwaitRow(">")
	text := strings.Repeat("0123456789abcde\r", 1<<16)
	c.sendLong(block(text[:1<<20-1]))
	c.AwaitRow("> [pasted #1: 65,536 lines]")
	c.enter("", fmt.Sprintf("%d bytes, 65536 lines", 1<<20-1))
	c.Send("a")
	c.sendLong(block(text+"too long") + "b\x1b[D")
	c.Await("what was pasted is too long (1,048,584 bytes)")
	c.AwaitRow("> ab")
	c.enter("", `"ab"`)
	c.sendLong(block(text[:1<<20-1]))
	c.AwaitRow("> [pasted #1: 65,536 lines]")
	c.Send("and more\r") // over the limit together
	c.Await("=> error the line is too long")
	c.AwaitRow("> [pasted #1: 65,536 lines]and more")
	c.enter("\x17\x17", fmt.Sprintf("%d bytes, 65536 lines", 1<<20-1))
}

// TestEditorHistory: what was entered is there with Up, C-p and C-r, also for the
// next one; a question has no history and leaves none.
func TestEditorHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history")
	c := open(t, "EDIT_HISTORY="+path)
	c.AwaitRow(">")
	for _, line := range []string{"first", "second one", "third", " hidden"} {
		c.enter(line, fmt.Sprintf("%q", line))
	}
	c.enter("\x1b[A", `"third"`)
	c.enter("\x10\x10!", `"second one!"`)
	c.enter("typed\x1b[A\x1b[B!", `"typed!"`)
	c.Send("\x12sec")
	c.Await("second one")
	c.Send("\r")
	c.Await("=> \"second one")
	c.AwaitRow(">")
	c.Send("x\x12fir") // what stands on the line already has no part in it
	c.Await("first")
	c.Send("\r")
	c.Await("=> \"first\"")
	c.AwaitRow(">")
	c.Send("\x1b[A changed\x03") // an entry stays what was entered
	c.Await("=> error interrupted")
	c.AwaitRow(">")
	c.Send("\x1b[A")
	c.AwaitRow("> first")
	c.Send("\x15kept\x12nothing like it")
	c.Await("no matches")
	c.Send("\x07")
	c.AwaitRow("> kept")
	c.enter("", `"kept"`)
	c.Send("ask\r")
	c.AwaitRow("sure?")
	c.Send("\x1b[Ayes\x0e\r")
	c.Await(`=> answer "yes", <nil>`)
	c.AwaitRow(">")
	c.Send("\x04")
	c.Exit()
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "yes") || strings.Contains(string(text), "hidden") {
		t.Errorf("%v, the file:\n%s", err, text)
	}
	c = open(t, "EDIT_HISTORY="+path)
	c.AwaitRow(">")
	c.enter(strings.Repeat("\x1b[A", 5), `"typed!"`)
}

// TestB13UpInside: Up inside a message of several lines goes up in it first, and Down
// down.
func TestB13UpInside(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"\x1b[A", "\x1bOA"} {
		c := open(t)
		c.AwaitRow(">")
		c.enter("before", `"before"`)
		c.Send("one\ntwo" + keys + "\x05")
		c.enter("!", `"one!\ntwo"`)
		c.Send("one\ntwo" + keys + strings.ReplaceAll(keys, "A", "B") + "\x05")
		c.enter("+", `"one\ntwo+"`)
		c.Send("last" + keys + keys + "\x05")
		c.enter("-", `"one-\ntwo+"`)
	}
}

// TestB12SearchAgain: C-r in a search goes to the entry before, C-s back; what is found
// can be taken and changed.
func TestB12SearchAgain(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ keys, want string }{
		{"\x12brew", "brew assam"},
		{"\x12brew\x12", "brew sencha"},
		{"\x12brew\x12\x12", "brew oolong"},
		{"\x12brew\x12\x12\x13", "brew sencha"},
		{"\x12bre\x12w", "brew assam"}, // a letter more narrows it, and begins at the newest
		{"\x12\x12\x12", "boil water"},
	} {
		c := open(t)
		c.AwaitRow(">")
		for _, entry := range []string{"brew oolong", "brew sencha", "boil water", "brew assam"} {
			c.enter(entry, `"`+entry+`"`)
		}
		c.Send(tc.keys)
		c.AwaitRow("> " + tc.want)
		c.enter("", `"`+tc.want+`"`)
	}
}

// TestAsk: a question is cancelled by its key and by Ctrl-C.
func TestAsk(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.AwaitRow(">")
	for _, keys := range []string{"ye\x18\x03", "ye\x03"} {
		c.Send("ask\r")
		c.AwaitRow("sure?")
		c.Send(keys)
		c.Await(`=> answer "", interrupted`)
		c.AwaitRow(">")
	}
	c.Send("ask\r")
	c.AwaitRow("sure?")
	c.Send("\x04")
	c.Await(`=> answer "", EOF`)
	c.AwaitRow(">")
	c.Send("half\x03")
	c.Await("=> error interrupted")
	c.AwaitRow(">")
	c.enter("whole", `"whole"`)
}

// TestAhead: what is typed while nobody reads is not seen, and begins the next
// lines, Enter included.
func TestAhead(t *testing.T) {
	t.Parallel()
	done := filepath.Join(t.TempDir(), "done")
	c := open(t, "EDIT_DONE="+done)
	c.AwaitRow(">")
	c.Send("work\r")
	c.Await("working\r\n")
	typed := "one größe\rtwo\x01and \rthr"
	c.Send(typed)
	if err := os.WriteFile(done, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if seen := c.Await("worked\r\n"); seen != "worked\r\n" {
		t.Errorf("what was typed is seen: %q", seen)
	}
	c.Await(`=> "one größe"`)
	c.Await(`=> "and two"`)
	c.AwaitRow("> thr")
	c.enter("ee", `"three"`)
}

// TestLong: a thousand lines that are typed faster than they are read all
// arrive.
func TestLong(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.AwaitRow(">")
	go func() {
		for i := range 200 {
			_, _ = c.TTY.WriteString(fmt.Sprintf("zeile %d é日本\r", i))
		}
	}()
	for i := range 200 {
		c.Await(fmt.Sprintf("=> \"zeile %d é日本\"\r\n", i))
	}
}

// TestMute: a terminal that does not say where its cursor is, and one that says
// it is dumb, are left alone; what was typed is handed on.
func TestMute(t *testing.T) {
	t.Parallel()
	for _, env := range []string{"MUTE=1", "TERM=dumb", "TERM="} {
		c := open(t, env)
		c.Send("typed")
		c.Await("no editor: no line editing: ")
		if env == "MUTE=1" {
			c.Await(`typed "typed"`)
		}
		if code := c.Exit(); code != 3 {
			t.Errorf("%s: exit code %d", env, code)
		}
		c.isSane()
	}
}

// TestEnded: a signal ends the reading, with the terminal as it was.
func TestEnded(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		for _, typed := range []string{"", "half a line", "two\nlines", "a\x12search", "\x1b", "\x18", "al\t\t", "\x16"} {
			c := open(t)
			c.AwaitRow(">")
			c.Send(typed)
			if typed != "" && typed[0] >= ' ' {
				c.Await(typed[:1])
			}
			_ = c.Cmd.Process.Signal(s)
			if code := c.Exit(); code != 4 {
				t.Errorf("%q: exit code %d", typed, code)
			}
			c.Await("ended: got " + s.String())
			c.isSane()
		}
	}
}

// TestHungUp: a terminal that is gone is the end of the input, and nobody waits
// for its answers.
func TestHungUp(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"abc", "two\nlines", "\x18"} {
		master, slave, err := pair.Open()
		if err != nil {
			t.Fatal(err)
		}
		cmd := proctest.Self(t)
		cmd.Env = append(cmd.Env, "EDIT_PROGRAM=1", "TERM=xterm", "INPUTRC=/dev/null")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
		cmd.SysProcAttr.Setctty = true
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = slave.Close()
		buf := make([]byte, 4096)
		for shown := 0; shown < 2; { // the prompt, and the line when it was drawn anew
			n, err := master.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(buf[:n]), "\x1b[6n") {
				_, _ = master.WriteString("\x1b[1;1R")
			}
			if strings.Contains(string(buf[:n]), "\x1b[?25h") {
				if shown++; shown == 1 {
					_, _ = master.WriteString(typed)
				}
			}
		}
		_ = master.Close()
		hung := time.AfterFunc(ttytest.Patience, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		hung.Stop()
		if code := cmd.ProcessState.ExitCode(); code != 4 && code != 0 {
			t.Errorf("%q: exit code %d", typed, code)
		}
	}
}

// TestLend: who gets the terminal in between finds it as it was.
func TestLend(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.AwaitRow(">")
	c.enter("lend", `"lend"`+"\r\n=> <nil>, echo true, icanon true")
}

// TestWanted: keys do what the person wants; what cannot be is said, and the
// others work.
func TestWanted(t *testing.T) {
	t.Parallel()
	for _, k := range []struct{ bind, problem, keys, want string }{
		{`\C-n=none`, "", "a\x0eb", `"ab"`},
		{`\C-t=auto`, "", "\x14", `":auto "`},
		{`\C-t=backward-kill-line`, "", "abc\x14d", `"d"`},
		{`\M-q=newline`, "", "a\x1bqb", `"a\nb"`},
		{`\e[15~=auto`, "", "\x1b[15~", `":auto "`},
		{`\C-t=frobnicate`, `problem: keys: "\\C-t": there is no action "frobnicate"`, "ab\x14", `"ba"`},
		{`\C-=none`, `problem: keys: "\\C-" is no key`, "a", `"a"`},
		{`=none`, `problem: keys: "" is no key`, "a", `"a"`},
		{`\=none`, `problem: keys: "\\" is no key`, "a", `"a"`},
	} {
		c := open(t, "EDIT_KEY="+k.bind)
		if k.problem != "" {
			c.Await(k.problem)
		}
		c.AwaitRow(">")
		c.enter(k.keys, k.want)
	}
}

// TestNoColor: without colours the same is shown.
func TestNoColor(t *testing.T) {
	t.Parallel()
	c := open(t, "EDIT_PLAIN=1")
	c.AwaitRow(">")
	c.enter("alpha", `"alpha"`)
	c.Send("al\t\t")
	c.Await("about alpine")
	c.Send("\x03\x12alp")
	c.Await("alpha")
	c.Send("\r")
	c.Await(`=> "alpha"`)
	c.AwaitRow(">")
	c.enter("x\x18\x05", `"x edited\nby hand"`)
	c.Send("\x04")
	c.Await("bye")
	c.Exit()
	c.isSane()
	for _, m := range regexp.MustCompile(`\x1b\[([0-9;]*)m`).FindAllStringSubmatch(c.Text(), -1) {
		if withoutColor(m[1]) != m[0] {
			t.Errorf("it wrote %q", m[0])
		}
	}
}

// TestInputrc: the person's own inputrc holds, vi included.
func TestInputrc(t *testing.T) {
	t.Parallel()
	rc := filepath.Join(t.TempDir(), "inputrc")
	if err := os.WriteFile(rc, []byte("$if ken\n\"\\C-t\": \"macro\"\n$endif\n$if other\n\"\\C-t\": \"wrong\"\n$endif\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, "INPUTRC="+rc)
	c.AwaitRow(">")
	c.enter("a\x14b", `"amacrob"`)

	if err := os.WriteFile(rc, []byte("set editing-mode vi\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c = open(t, "INPUTRC="+rc)
	c.AwaitRow(">")
	c.Send("abc def\x1b")
	c.Await("\x1b[1 q") // the cursor of the command mode
	c.Send("bcwx y\x1b")
	c.Await("\x1b[1 q")
	c.enter("0rz", `"zbc x y"`)
	c.enter("abc\x1b"+block("P"), `"abPc"`)
}

// TestResize: the line is drawn anew in a window of another size.
func TestResize(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.AwaitRow(">")
	c.Send(strings.Repeat("0123456789", 7))
	c.AwaitRow(strings.Repeat("0123456789", 7)[58:])
	c.Resize(12, 40)
	c.AwaitRow(strings.Repeat("0123456789", 7)[38:])
	c.enter("x", fmt.Sprintf("%q", strings.Repeat("0123456789", 7)+"x"))
}

// TestSuspend: Ctrl-Z gives the terminal back to the shell that ken was started
// from, and fg goes on with the line.
func TestSuspend(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := proctest.Command(t, bash, "--norc", "--noprofile", "--noediting", "-i")
	cmd.Env = append(cmd.Env, "TERM=xterm", "INPUTRC=/dev/null", "PS1=sh: ", "EXE="+exe)
	c := &console{ttytest.OpenSized(t, cmd, 12, 60), t}
	c.Await("sh: ")
	c.Send("EDIT_PROGRAM=1 $EXE\r")
	c.AwaitRow(">")
	for range 2 {
		c.Send("half")
		c.AwaitRow("> half")
		c.Send("\x1a")
		c.Await("Stopped")
		c.Await("sh: ")
		c.Send("stty -a | tr ' ' '\\n' | grep -c '^echo$'\r")
		c.Await("\r\n1\r\n")
		c.Await("sh: ")
		c.Send("fg\r")
		c.AwaitRow("> half")
		c.enter(" whole", `"half whole"`)
	}
	c.Send("\x04")
	c.Await("bye")
	c.Await("sh: ") // until then the keys are still those of the program that ends
	c.Send("exit\r")
	if code := c.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	c.isSane()
}

// TestKilled: a signal that ends ken at once gives the terminal back as well.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGBUS} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			c := open(t)
			c.AwaitRow(">")
			c.Send("half a line")
			c.AwaitRow("> half a line")
			_ = c.Cmd.Process.Signal(signal)
			c.Exit()
			c.isSane()
		})
	}
}
