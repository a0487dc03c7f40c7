//go:build linux || darwin

package pty

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"ken/internal/pty/pair"
)

// A person is the other side of a terminal: they type and look.
type person struct {
	t          *testing.T
	mine, kens *os.File
	mu         sync.Mutex
	more       *sync.Cond
	screen     bytes.Buffer
	seen       int
	gone       bool
}

func newPerson(t *testing.T) *person {
	t.Helper()
	master, slave, err := pair.Open()
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, mine: master, kens: slave}
	p.more = sync.NewCond(&p.mu)
	if err := pair.Resize(master, 30, 100); err != nil {
		t.Fatal(err)
	}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			p.mu.Lock()
			p.screen.Write(buf[:n])
			p.gone = err != nil
			p.more.Broadcast()
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		slave.Close()
		master.Close()
	})
	return p
}

// shown is all that the person has seen.
func (p *person) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// run runs a line at the person's terminal, in the background.
func (p *person) run(line string) (wait func() Result) {
	type ended struct {
		r   Result
		err error
	}
	done := make(chan ended, 1)
	ctx := p.t.Context()
	go func() {
		r, err := Run(ctx, Command{Argv: []string{"/bin/sh", "-c", line}, In: p.kens, Out: p.kens, Keep: 1 << 16})
		done <- ended{r, err}
	}()
	return func() Result {
		p.t.Helper()
		e := <-done
		if e.err != nil {
			p.t.Errorf("%q: %v", line, e.err)
		}
		return e.r
	}
}

func (p *person) types(keys string) {
	p.t.Helper()
	if _, err := p.mine.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// sees waits until text was shown since the last look.
func (p *person) sees(text string) {
	p.t.Helper()
	timeout := time.AfterFunc(30*time.Second, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.gone = true
		p.more.Broadcast()
	})
	defer timeout.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if i := bytes.Index(p.screen.Bytes()[p.seen:], []byte(text)); i >= 0 {
			p.seen += i + len(text)
			return
		}
		if p.gone {
			p.t.Fatalf("%q was not shown, but: %q", text, p.screen.Bytes()[p.seen:])
		}
		p.more.Wait()
	}
}

// settings are those of the person's terminal.
func (p *person) settings() unix.Termios {
	p.t.Helper()
	s, err := unix.IoctlGetTermios(int(p.kens.Fd()), getTermios)
	if err != nil {
		p.t.Fatal(err)
	}
	return *s
}

// TestR42R43Typing: while a command runs every key is its own, what it prints is
// there at once, and afterwards the terminal is as it was.
func TestR42R43Typing(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	before := p.settings()
	wait := p.run("printf 'name: '; read name; echo hello $name; stty -a | grep -c ' icanon'")
	p.sees("name: ")
	if during := p.settings(); during.Lflag&(unix.ICANON|unix.ECHO|unix.ISIG) != 0 || during.Oflag&unix.OPOST != 0 {
		t.Errorf("not raw while it runs: %+v", during)
	}
	p.types("Ada\r")
	p.sees("Ada\r\n") // the command's terminal echoes, once
	p.sees("hello Ada\r\n1\r\n")
	if r := wait(); r.Code != 0 {
		t.Errorf("code %d", r.Code)
	}
	if diff := cmp.Diff(before, p.settings()); diff != "" {
		t.Errorf("settings afterwards (-before +after):\n%s", diff)
	}
}

// TestR46Interrupt: Ctrl-C, Ctrl-\ and Ctrl-Z are the command's.
func TestR46Interrupt(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	before := p.settings()
	for keys, code := range map[string]int{"\x03": 130, "\x1c": 131} {
		wait := p.run("ulimit -c 0; echo ready; exec cat")
		p.sees("ready\r\n")
		p.types("up\r")
		p.sees("up\r\nup\r\n") // it is the program that answers, and no shell any more
		p.types(keys)
		if r := wait(); r.Code != code {
			t.Errorf("%q: code %d, want %d", keys, r.Code, code)
		}
	}
	wait := p.run("trap 'echo caught; exit 3' INT; trap 'echo stopped' TSTP; echo up; while :; do sleep 0.01; done")
	p.sees("up")
	p.types("\x1a")
	p.sees("stopped")
	p.types("\x03")
	p.sees("caught")
	if r := wait(); r.Code != 3 {
		t.Errorf("a command that catches it: code %d", r.Code)
	}
	if diff := cmp.Diff(before, p.settings()); diff != "" {
		t.Errorf("settings afterwards (-before +after):\n%s", diff)
	}
}

// TestKeysWait: what is typed between two commands is there for the next who reads.
func TestKeysWait(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	wait := p.run("echo up; read line; echo got $line")
	p.sees("up")
	p.types("x\r")
	p.sees("got x")
	if r := wait(); r.Code != 0 {
		t.Errorf("code %d", r.Code)
	}
	p.types("for the next\r")
	wait = p.run("read line; echo got $line")
	p.sees("got for the next")
	wait()
}

// TestPasted: more than a terminal holds arrives whole.
func TestPasted(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	wait := p.run("stty raw -echo; echo up; head -c 100000 | cksum")
	p.sees("up")
	go func() { _, _ = p.mine.WriteString(strings.Repeat("0123456789", 10000)) }()
	p.sees(" 100000")
	if r := wait(); r.Code != 0 {
		t.Errorf("code %d", r.Code)
	}
	out := &bytes.Buffer{}
	if _, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "yes 0123456789 | tr -d '\\n' | head -c 100000 | cksum"}, Out: out}); err != nil {
		t.Fatal(err)
	}
	if sum := strings.TrimSpace(out.String()); !strings.Contains(p.shown(), sum) {
		t.Errorf("the sum is not %s: %q", sum, p.shown())
	}
}

// TestR50Resize: the command's terminal has the size of the person's, and is told
// when that changes.
func TestR50Resize(t *testing.T) {
	p := newPerson(t)
	wait := p.run("stty size; trap 'stty size; exit 0' WINCH; echo up; while :; do sleep 0.01; done")
	p.sees("30 100")
	p.sees("up")
	if err := pair.Resize(p.mine, 40, 132); err != nil {
		t.Fatal(err)
	}
	// This process is not the one of that terminal, so the kernel does not tell it.
	if err := syscall.Kill(os.Getpid(), syscall.SIGWINCH); err != nil {
		t.Fatal(err)
	}
	p.sees("40 132")
	if r := wait(); r.Code != 0 {
		t.Errorf("code %d", r.Code)
	}
}

// TestR50Killed: after a command that was killed with the terminal in any state,
// settings and modes are as before.
func TestR50Killed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ on, off string }{
		{`\033[?1049h`, "\x1b[?1049l"},
		{`\033[?25l`, "\x1b[?25h"},
		{`\033[?2004h`, "\x1b[?2004l"},
		{`\033[?1000h\033[?1006h`, "\x1b[?1000l\x1b[?1006l"},
		{`\033[>1u`, "\x1b[<1u"},
		{`\033[4 q`, "\x1b[0 q"},
		{`\033[31m`, "\x1b[0m"},
		{`\033(0`, "\x1b(B"},
		{`\033[5;10r`, "\x1b7\x1b[r\x1b8"},
		{`\033=`, "\x1b>"},
		{`\033[?1h`, "\x1b[?1l"},
		{`\033[?7l`, "\x1b[?7h"},
		{`\033[38;5;0m`, "\x1b[0m"},
		{`\033)0\016`, "\x1b)B\x0f"},
		{`\033%%@`, "\x1b%G"},
		{`\033[>4;2m`, "\x1b[>4m"},
		{`\033[=1u`, "\x1b[=0u"},
		{`\033[>1u\033[?1049h\033[>1u\033[>3u`, "\x1b[<2u\x1b[?1049l\x1b[<1u"},
		{`\033[2h\033[20h`, "\x1b[2l\x1b[20l"},
		{`\033]8;;https://example.org\007`, "\x1b]8;;\x1b\\"},
		{`\033]10;#f00\007`, "\x1b]110\x1b\\"},
		{`\033]2;mine\007`, "\x1b[22;0t\x1b]2;mine\x07\x1b[23;0t"},
		{`\033[22;0t\033]2;mine\007`, "\x1b[23;0t\x1b[23;0t"},
		{`\033]0;title`, ""}, // a string that never ends is ended by the next escape
		{`\033[3`, "\x18"},
	} {
		p := newPerson(t)
		before := p.settings()
		wait := p.run("stty raw -echo; printf '" + c.on + "'; kill -KILL $$")
		if r := wait(); r.Code != 137 {
			t.Errorf("%s: code %d", c.on, r.Code)
		}
		if c.off != "" {
			p.sees(c.off)
		}
		if diff := cmp.Diff(before, p.settings()); diff != "" {
			t.Errorf("%s: settings afterwards (-before +after):\n%s", c.on, diff)
		}
	}
}

// TestT5Undisturbed: a terminal that is fine is left alone, byte for byte.
func TestT5Undisturbed(t *testing.T) {
	t.Parallel()
	for _, out := range []string{
		`plain\n`,
		`\033[1;31mred\033[0m\n`,
		`\033[?1049h\033[?25l\033[>1u\033[2J\033[<u\033[?25h\033[?1049l`,
		`\033]8;;https://example.org\007x\033]8;;\007`,
		`\033]11;?\007\033[c\033[6n`,
		`\033]11;#000\007\033]111\007`,
		`\033(0lqk\033(B\033[4 q\033[ q`,
	} {
		p := newPerson(t)
		p.run("stty raw -echo; printf '" + out + "'; printf end")()
		p.sees("end")
		var want bytes.Buffer
		if _, err := Run(t.Context(), Command{Argv: []string{"printf", out + "end"}, Out: &want}); err != nil {
			t.Fatal(err)
		}
		p.mine.Close()
		if got := p.shown(); got != want.String() {
			t.Errorf("%s: the person's terminal got %q", out, got)
		}
	}
}

// TestSinkBLive: what a command sends for the clipboard of the person does not reach
// their terminal, and is in a file that it is sent to instead.
func TestSinkBLive(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	line := `printf 'a\033]52;c;eA==\007\033[21tb\033[3'`
	p.run(line)()
	p.sees("ab\x1b[3\x18")
	if _, out, err := sh(t, line); err != nil || out != "a\x1b]52;c;eA==\x07\x1b[21tb\x1b[3" {
		t.Errorf("to a file: %q, %v", out, err)
	}
}

// TestStopped: a command that stops itself goes on, since nobody else could have it
// do so; a shell inside has its jobs as everywhere.
func TestStopped(t *testing.T) {
	t.Parallel()
	if r, out, err := sh(t, "echo a; kill -STOP $$; kill -TSTP $$; echo b"); err != nil || r.Code != 0 || out != "a\nb\n" {
		t.Errorf("code %d, %v, %q", r.Code, err, out)
	}
	p := newPerson(t)
	wait := p.run("stty -echo; PS1='[in] ' ENV= exec sh -i")
	p.sees("[in] ")
	p.types("sh -c 'echo up; exec sleep 60'\r")
	p.sees("up\r\n")
	p.types("\x1a")
	p.sees("[in] ")
	p.types("jobs\r")
	p.sees("Stopped")
	p.sees("[in] ")
	p.types("fg\r")
	p.sees("sleep 60") // it says what is in front again
	p.types("\x03")
	p.sees("[in] ")
	// Where the key came before the job had the terminal, it was the shell's, which first says that a job is there yet.
	p.types("exit 4\rexit 4\r")
	if r := wait(); r.Code != 4 {
		t.Errorf("code %d", r.Code)
	}
}

// panics is an output that fails in the worst way.
type panics struct{}

func (panics) Write([]byte) (int, error) { panic("out of order") }

// TestR50Panic: a panic while a command runs gives the terminal back.
func TestR50Panic(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	before := p.settings()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _ = Run(t.Context(), Command{Argv: []string{"echo", "x"}, In: p.kens, Out: panics{}})
	}()
	if diff := cmp.Diff(before, p.settings()); diff != "" {
		t.Errorf("settings afterwards (-before +after):\n%s", diff)
	}
}

// TestToFile: with a person who types and an output that is no screen, the
// output is what the command prints and nothing else.
func TestToFile(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	var out bytes.Buffer
	p.types("word\r")
	if _, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "read w; printf '\\033[?25l%s\\n' $w"}, In: p.kens, Out: &out}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "\x1b[?25lword\n" {
		t.Errorf("output %q", got)
	}
}
