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

	"github.com/creack/pty"

	"ken/internal/proctest"
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
	c.awaitRow(">")
	c.enter(block("rm a\r\nrm b\rrm c\n"), `"rm a\nrm b\nrm c"`)
	c.enter("x"+block("1\x1b[2J\x1b]0;evil\a\x03\x04\x00\t2")+"y", `"x1\t2y"`)
	c.enter(block("größe\xff日"), fmt.Sprintf("%q", "größe\ufffd日"))
	c.enter(block("\x1b[12;40R\x1b[200~z"), `"z"`)
	c.enter(block("")+"e", `"e"`)
	c.enter("\x18"+block("after a prefix"), `"after a prefix"`)
	c.enter("\x1b"+block("b"), `"b"`)

	c.send("sum: " + block(strings.Repeat("line\r", 9_999)+"end") + "!")
	c.awaitRow("> sum: [pasted #1: 10,000 lines]!")
	c.enter("", fmt.Sprintf("%d bytes, 10000 lines", 5*9_999+len("sum: end!")))
	c.send("\x10") // it is the newest in the history, and as short there
	c.awaitRow("> sum: line[and #2: 10,000 lines]")
	c.enter("", fmt.Sprintf("%d bytes, 10000 lines", 5*9_999+len("sum: end!")))
}

// TestPasteLarge: a megabyte is taken, more is refused, and what was typed
// around it stays.
func TestPasteLarge(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.awaitRow(">")
	text := strings.Repeat("0123456789abcde\r", 1<<16)
	c.sendLong(block(text[:1<<20-1]))
	c.awaitRow("> [pasted #1: 65,536 lines]")
	c.enter("", fmt.Sprintf("%d bytes, 65536 lines", 1<<20-1))
	c.send("a")
	c.sendLong(block(text+"too long") + "b\x1b[D")
	c.await("what was pasted is too long (1,048,584 bytes)")
	c.awaitRow("> ab")
	c.enter("", `"ab"`)
	c.sendLong(block(text[:1<<20-1]))
	c.awaitRow("> [pasted #1: 65,536 lines]")
	c.send("and more\r") // over the limit together
	c.await("=> error the line is too long")
	c.awaitRow("> [pasted #1: 65,536 lines]and more")
	c.enter("\x17\x17", fmt.Sprintf("%d bytes, 65536 lines", 1<<20-1))
}

// TestEditorHistory: what was entered is there with Up, C-p and C-r, also for the
// next one; a question has no history and leaves none.
func TestEditorHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history")
	c := open(t, "EDIT_HISTORY="+path)
	c.awaitRow(">")
	for _, line := range []string{"first", "second one", "third", " hidden"} {
		c.enter(line, fmt.Sprintf("%q", line))
	}
	c.enter("\x1b[A", `"third"`)
	c.enter("\x10\x10!", `"second one!"`)
	c.enter("typed\x1b[A\x1b[B!", `"typed!"`)
	c.send("\x12sec")
	c.await("second one")
	c.send("\r")
	c.await("=> \"second one")
	c.awaitRow(">")
	c.send("x\x12fir") // what stands on the line already has no part in it
	c.await("first")
	c.send("\r")
	c.await("=> \"first\"")
	c.awaitRow(">")
	c.send("\x1b[A changed\x03") // an entry stays what was entered
	c.await("=> error interrupted")
	c.awaitRow(">")
	c.send("\x1b[A")
	c.awaitRow("> first")
	c.send("\x15kept\x12nothing like it")
	c.await("no matches")
	c.send("\x07")
	c.awaitRow("> kept")
	c.enter("", `"kept"`)
	c.send("ask\r")
	c.awaitRow("sure?")
	c.send("\x1b[Ayes\x0e\r")
	c.await(`=> answer "yes", <nil>`)
	c.awaitRow(">")
	c.send("\x04")
	c.exit()
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "yes") || strings.Contains(string(text), "hidden") {
		t.Errorf("%v, the file:\n%s", err, text)
	}
	c = open(t, "EDIT_HISTORY="+path)
	c.awaitRow(">")
	c.enter(strings.Repeat("\x1b[A", 5), `"typed!"`)
}

// TestB13UpInside: Up inside a message of several lines goes up in it first, and Down
// down.
func TestB13UpInside(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"\x1b[A", "\x1bOA"} {
		c := open(t)
		c.awaitRow(">")
		c.enter("before", `"before"`)
		c.send("one\ntwo" + keys + "\x05")
		c.enter("!", `"one!\ntwo"`)
		c.send("one\ntwo" + keys + strings.ReplaceAll(keys, "A", "B") + "\x05")
		c.enter("+", `"one\ntwo+"`)
		c.send("last" + keys + keys + "\x05")
		c.enter("-", `"one-\ntwo+"`)
	}
}

// TestAsk: a question is cancelled by its key and by Ctrl-C.
func TestAsk(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.awaitRow(">")
	for _, keys := range []string{"ye\x18\x03", "ye\x03"} {
		c.send("ask\r")
		c.awaitRow("sure?")
		c.send(keys)
		c.await(`=> answer "", interrupted`)
		c.awaitRow(">")
	}
	c.send("ask\r")
	c.awaitRow("sure?")
	c.send("\x04")
	c.await(`=> answer "", EOF`)
	c.awaitRow(">")
	c.send("half\x03")
	c.await("=> error interrupted")
	c.awaitRow(">")
	c.enter("whole", `"whole"`)
}

// TestAhead: what is typed while nobody reads is not seen, and begins the next
// lines, Enter included.
func TestAhead(t *testing.T) {
	t.Parallel()
	done := filepath.Join(t.TempDir(), "done")
	c := open(t, "EDIT_DONE="+done)
	c.awaitRow(">")
	c.send("work\r")
	c.await("working\r\n")
	typed := "one größe\rtwo\x01and \rthr"
	c.send(typed)
	if err := os.WriteFile(done, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	from := c.seen
	c.await("worked\r\n")
	c.mu.Lock()
	seen := string(c.output[from:c.seen])
	c.mu.Unlock()
	if seen != "worked\r\n" {
		t.Errorf("what was typed is seen: %q", seen)
	}
	c.await(`=> "one größe"`)
	c.await(`=> "and two"`)
	c.awaitRow("> thr")
	c.enter("ee", `"three"`)
}

// TestLong: a thousand lines that are typed faster than they are read all
// arrive.
func TestLong(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.awaitRow(">")
	go func() {
		for i := range 200 {
			_, _ = c.tty.WriteString(fmt.Sprintf("zeile %d é日本\r", i))
		}
	}()
	for i := range 200 {
		c.await(fmt.Sprintf("=> \"zeile %d é日本\"\r\n", i))
	}
}

// TestMute: a terminal that does not say where its cursor is, and one that says
// it is dumb, are left alone; what was typed is handed on.
func TestMute(t *testing.T) {
	t.Parallel()
	for _, env := range []string{"MUTE=1", "TERM=dumb", "TERM="} {
		c := open(t, env)
		c.send("typed")
		c.await("no editor: no line editing: ")
		if env == "MUTE=1" {
			c.await(`typed "typed"`)
		}
		if code := c.exit(); code != 3 {
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
			c.awaitRow(">")
			c.send(typed)
			if typed != "" && typed[0] >= ' ' {
				c.await(typed[:1])
			}
			_ = c.cmd.Process.Signal(s)
			if code := c.exit(); code != 4 {
				t.Errorf("%q: exit code %d", typed, code)
			}
			c.await("ended: got " + s.String())
			c.isSane()
		}
	}
}

// TestHungUp: a terminal that is gone is the end of the input, and nobody waits
// for its answers.
func TestHungUp(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"abc", "two\nlines", "\x18"} {
		master, slave, err := pty.Open()
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
		hung := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
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
	c.awaitRow(">")
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
			c.await(k.problem)
		}
		c.awaitRow(">")
		c.enter(k.keys, k.want)
	}
}

// TestNoColor: without colours the same is shown.
func TestNoColor(t *testing.T) {
	t.Parallel()
	c := open(t, "EDIT_PLAIN=1")
	c.awaitRow(">")
	c.enter("alpha", `"alpha"`)
	c.send("al\t\t")
	c.await("about alpine")
	c.send("\x03\x12alp")
	c.await("alpha")
	c.send("\r")
	c.await(`=> "alpha"`)
	c.awaitRow(">")
	c.enter("x\x18\x05", `"x edited\nby hand"`)
	c.send("\x04")
	c.await("bye")
	c.exit()
	c.isSane()
	for _, m := range regexp.MustCompile(`\x1b\[([0-9;]*)m`).FindAllStringSubmatch(string(c.output), -1) {
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
	c.awaitRow(">")
	c.enter("a\x14b", `"amacrob"`)

	if err := os.WriteFile(rc, []byte("set editing-mode vi\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c = open(t, "INPUTRC="+rc)
	c.awaitRow(">")
	c.send("abc def\x1b")
	c.await("\x1b[1 q") // the cursor of the command mode
	c.send("bcwx y\x1b")
	c.await("\x1b[1 q")
	c.enter("0rz", `"zbc x y"`)
	c.enter("abc\x1b"+block("P"), `"abPc"`)
}

// TestResize: the line is drawn anew in a window of another size.
func TestResize(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.awaitRow(">")
	c.send(strings.Repeat("0123456789", 7))
	c.awaitRow(strings.Repeat("0123456789", 7)[58:])
	c.mu.Lock()
	c.screen.Resize(40, 12)
	c.mu.Unlock()
	if err := pty.Setsize(c.tty, &pty.Winsize{Rows: 12, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	c.awaitRow(strings.Repeat("0123456789", 7)[38:])
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
	c := &console{t: t}
	c.cmd = proctest.Command(t, bash, "--norc", "--noprofile", "--noediting", "-i")
	c.cmd.Env = append(c.cmd.Env, "TERM=xterm", "INPUTRC=/dev/null", "PS1=sh: ", "EXE="+exe)
	c.start()
	c.await("sh: ")
	c.send("EDIT_PROGRAM=1 $EXE\r")
	c.awaitRow(">")
	for range 2 {
		c.send("half")
		c.awaitRow("> half")
		c.send("\x1a")
		c.await("Stopped")
		c.await("sh: ")
		c.send("stty -a | tr ' ' '\\n' | grep -c '^echo$'\r")
		c.await("\r\n1\r\n")
		c.await("sh: ")
		c.send("fg\r")
		c.awaitRow("> half")
		c.enter(" whole", `"half whole"`)
	}
	c.send("\x04")
	c.await("bye")
	c.await("sh: ") // until then the keys are still those of the program that ends
	c.send("exit\r")
	if code := c.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	c.isSane()
}

// TestKilled: a signal that ends ken at once gives the terminal back as well.
func TestKilled(t *testing.T) {
	t.Parallel()
	c := open(t)
	c.awaitRow(">")
	c.send("half a line")
	c.awaitRow("> half a line")
	_ = c.cmd.Process.Signal(syscall.SIGQUIT)
	c.exit()
	c.isSane()
}
