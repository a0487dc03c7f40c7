//go:build linux || darwin

package lane_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"ken/internal/proctest"
	"ken/internal/tool/environ"
	"ken/internal/tool/lane"
)

// environment is that of the lane, of what a test has.
func environment(t *testing.T, calm bool) []string {
	t.Helper()
	env, _ := lane.Environ(proctest.Environ(t), calm, environ.Filter{})
	return env
}

// bash is a command in the lane.
func bash(t *testing.T, line string) lane.Command {
	t.Helper()
	path, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	return lane.Command{Line: line, Shell: path, Bash: true, Dir: t.TempDir(), Env: environment(t, false), Limit: 30 * time.Second, Keep: 4096}
}

func run(t *testing.T, c lane.Command) lane.Result {
	t.Helper()
	r, err := lane.Run(t.Context(), c)
	if err != nil {
		t.Fatalf("%s: %v", c.Line, err)
	}
	return r
}

// TestOutcome: exit codes, and output that is clean and byte for byte otherwise.
func TestOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		exit int
		out  string
	}{
		{"true", 0, ""},
		{"exit 7", 7, ""},
		{"kill -TERM $$", 143, ""},
		{"nonexistent-program 2>/dev/null", 127, ""},
		{`printf 'a\nb\n'; printf 'c' >&2`, 0, "a\nb\nc"},
		{`printf '\033[31mred\033[0m\a \033]52;c;aGk=\a\033]0;title\a\r\nx\tz'`, 0, "red \nx\tz"},
		{`printf 'bad \377 utf\n'`, 0, "bad \ufffd utf\n"},
		{`cat; echo end`, 0, "end\n"}, // nobody types
		{`test -t 1 && echo terminal; test -t 0 || echo nobody types`, 0, "terminal\nnobody types\n"},
		{`{ : </dev/tty; } 2>/dev/null || echo nobody is there`, 0, "nobody is there\n"},
		{`[[ a == a ]] && echo bash`, 0, "bash\n"},
		{`echo "$PAGER $GIT_PAGER $EDITOR $TERM $KEN_ORIGIN $GIT_TERMINAL_PROMPT"`, 0, "cat cat false dumb tool 0\n"},
	} {
		r := run(t, bash(t, c.line))
		if r.Exit != c.exit || r.Output != c.out || r.Truncated || r.TimedOut {
			t.Errorf("%s: %+v, want exit %d, output %q", c.line, r, c.exit, c.out)
		}
	}
}

// TestNobodyAnswers: what asks on the terminal itself finds none, and waits for nobody.
func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	c := bash(t, `read -r x </dev/tty; echo "got $x"`)
	if r := run(t, c); r.TimedOut || !strings.HasSuffix(r.Output, "got \n") {
		t.Errorf("%+v", r)
	}
}

// TestEnds: a command ends at its limit whatever it does.
func TestEnds(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"sleeps":                  "echo up; sleep 100",
		"has children":            "echo up; sleep 100 & sleep 100 & wait",
		"ignores signals":         "trap '' INT TERM HUP; echo up; while :; do sleep 0.05; done",
		"children ignore signals": "echo up; (trap '' INT TERM HUP; while :; do sleep 0.05; done) & trap '' INT TERM HUP; wait; wait",
		"closes its terminal":     "echo up; exec >/dev/null 2>&1 </dev/null; trap '' INT TERM HUP; while :; do sleep 0.05; done",
		"stops itself":            "echo up; kill -STOP $$; sleep 100",
		"floods and ignores":      "trap '' INT TERM HUP; echo up; while :; do printf '%01000d' 1; done",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := bash(t, line)
			c.Limit = 300 * time.Millisecond
			began := time.Now()
			r, err := lane.Run(t.Context(), c)
			if took := time.Since(began); err != nil || !r.TimedOut || r.Exit == 0 || !strings.HasPrefix(r.Output, "up\n") || took > 20*time.Second {
				t.Errorf("%v after %s: exit %d, timed out %v, output %.20q", err, took, r.Exit, r.TimedOut, r.Output)
			}
		})
	}
}

// TestDaemon: what goes into the background is not waited for.
func TestDaemon(t *testing.T) {
	t.Parallel()
	began := time.Now()
	r := run(t, bash(t, `(trap '' HUP; exec setsid sleep 20 >/dev/null 2>&1 </dev/null) & echo started; sleep 0.2`))
	if took := time.Since(began); r.Exit != 0 || r.Output != "started\n" || took > 15*time.Second {
		t.Errorf("after %s: %+v", took, r)
	}
}

// TestInOrder: an interrupt comes first, and who heeds it may put things in order.
func TestInOrder(t *testing.T) {
	t.Parallel()
	c := bash(t, `trap 'echo tidy; exit 3' INT; echo up; while :; do sleep 0.05; done`)
	c.Limit = 300 * time.Millisecond
	if r := run(t, c); r.Output != "up\ntidy\n" || r.Exit != 3 || !r.TimedOut {
		t.Errorf("%+v", r)
	}
	c = bash(t, `trap '' INT; trap 'echo term; exit 4' TERM; echo up; while :; do sleep 0.05; done`)
	c.Limit = 300 * time.Millisecond
	if r := run(t, c); !strings.HasSuffix(r.Output, "term\n") || r.Exit != 4 {
		t.Errorf("%+v", r)
	}
}

// TestCancelled: the caller can end a run too, and is told its own cause.
func TestCancelled(t *testing.T) {
	t.Parallel()
	cause := errors.New("mine")
	ctx, cancel := context.WithCancelCause(t.Context())
	var live tripwire
	live.at, live.do = "up\n", func() { cancel(cause) }
	c := bash(t, "trap '' INT TERM HUP; echo up; while :; do sleep 0.05; done")
	c.Limit, c.Live = 0, &live
	r, err := lane.Run(ctx, c)
	if !errors.Is(err, cause) || r.TimedOut || r.Output != "up\n" {
		t.Errorf("%v, %+v", err, r)
	}
	if _, err := lane.Run(t.Context(), lane.Command{Line: "a\x00b", Shell: "/bin/sh"}); err == nil {
		t.Error("a NUL byte was let pass")
	}
	if _, err := lane.Run(t.Context(), lane.Command{Line: "true", Shell: "/nonexistent"}); err == nil {
		t.Error("a shell that is not there ran")
	}
}

// A tripwire does something once it has seen a text.
type tripwire struct {
	seen bytes.Buffer
	at   string
	do   func()
}

func (w *tripwire) Write(p []byte) (int, error) {
	n, err := w.seen.Write(p)
	if w.do != nil && strings.Contains(w.seen.String(), w.at) {
		w.do()
		w.do = nil
	}
	return n, err
}

// TestFlood: of a gigabyte the beginning and the end are kept, and memory does not
// grow with it.
func TestFlood(t *testing.T) {
	t.Parallel()
	size := int64(64 << 20)
	if os.Getenv("KEN_FLOOD") != "" {
		size = 1 << 30
	}
	c := bash(t, "echo begin; head -c "+itoa(size)+" /dev/zero | tr '\\0' x; echo; echo end")
	c.Keep, c.Limit = 64<<10, 5*time.Minute
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := run(t, c)
	runtime.ReadMemStats(&after)
	if r.Exit != 0 || r.Bytes != size+11 || !r.Truncated || !strings.HasPrefix(r.Output, "begin\n") || !strings.HasSuffix(r.Output, "\nend\n") {
		t.Errorf("exit %d, %d bytes, truncated %v, output %.20q", r.Exit, r.Bytes, r.Truncated, r.Output)
	}
	if !strings.Contains(r.Output, " bytes left out ...]\n") || len(r.Output) > 70<<10 || !utf8.ValidString(r.Output) {
		t.Errorf("%d bytes of output", len(r.Output))
	}
	t.Logf("of %d MB: %d KB more from the system, %d KB allocated", size>>20, (int64(after.Sys)-int64(before.Sys))>>10, (after.TotalAlloc-before.TotalAlloc)>>10)
	if grown := int64(after.Sys) - int64(before.Sys); grown > 30<<20 {
		t.Errorf("memory grew by %d bytes", grown)
	}
}

func itoa(n int64) string {
	var b []byte
	for ; n > 0; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}

// TestEnviron: what makes shells and git run more than the line says is gone.
func TestEnviron(t *testing.T) {
	t.Parallel()
	env, kept := lane.Environ([]string{
		"HOME=/h", "PATH=/bin", "BASH_ENV=/evil", "ENV=/evil", "BASH_FUNC_ls%%=() { evil; }", "LESSOPEN=|evil", "PAGER=less",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Me", "GIT_EXTERNAL_DIFF=evil", "OPENAI_API_KEY=sk-x", "KEN_ORIGIN=user",
	}, true, environ.Filter{})
	if len(kept) != 1 || kept[0].Name != "OPENAI_API_KEY" {
		t.Errorf("kept %v", kept)
	}
	got := make(map[string]string)
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		if _, twice := got[name]; twice {
			t.Errorf("%s stands there twice", name)
		}
		got[name] = value
	}
	for _, name := range []string{"BASH_ENV", "ENV", "BASH_FUNC_ls%%", "LESSOPEN", "GIT_EXTERNAL_DIFF", "OPENAI_API_KEY"} {
		if _, ok := got[name]; ok {
			t.Errorf("%s is still there", name)
		}
	}
	want := map[string]string{"HOME": "/h", "PATH": "/bin", "PAGER": "cat", "KEN_ORIGIN": "tool", "GIT_OPTIONAL_LOCKS": "0", "GIT_CONFIG_KEY_0": "user.name"}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s=%s, want %s", name, got[name], value)
		}
	}
	n := 0
	for name := range got {
		if strings.HasPrefix(name, "GIT_CONFIG_KEY_") {
			n++
		}
	}
	if got["GIT_CONFIG_COUNT"] != itoa(int64(n)) {
		t.Errorf("%d settings of git, and the count is %s", n, got["GIT_CONFIG_COUNT"])
	}
}

// TestCalmGit: in a repository whose configuration and hooks would run something,
// reading runs nothing.
func TestCalmGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	mark := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(dir, "evil")
	setUp := `set -e; git init -q .; git config user.name x; git config user.email x@example.org
printf '#!/bin/sh\necho "$0" >>` + mark + `\n' >evil; chmod 755 evil
echo one >a; git add a; git commit -qm one; echo two >a
git config core.fsmonitor "$PWD/evil"; git config core.pager "$PWD/evil"
cp evil .git/hooks/post-index-change`
	c := bash(t, setUp)
	c.Dir = dir
	if r := run(t, c); r.Exit != 0 {
		t.Fatalf("%+v", r)
	}
	_ = os.Remove(mark)
	for _, line := range []string{"git status", "git log -p", "git diff", "git show"} {
		c := bash(t, line)
		c.Dir, c.Env = dir, environment(t, true)
		if r := run(t, c); r.Exit != 0 {
			t.Errorf("%s: %+v", line, r)
		}
	}
	if text, err := os.ReadFile(mark); err == nil {
		t.Errorf("ran: %s", text)
	}
	c = bash(t, "git status")
	c.Dir, c.Env = dir, proctest.Environ(t)
	run(t, c)
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("%s would not run by itself either: this test shows nothing", script)
	}
}

// TestText: what is left out is counted.
func TestText(t *testing.T) {
	t.Parallel()
	c := bash(t, "seq 1000")
	c.Keep = 300
	r := run(t, c)
	head, tail, ok := strings.Cut(r.Output, "[... ")
	if !ok || !strings.HasPrefix(head, "1\n2\n") || !strings.HasSuffix(tail, "\n999\n1000\n") || !r.Truncated || r.Bytes != 3893 {
		t.Errorf("%d bytes: %q", r.Bytes, r.Output)
	}
	if diff := cmp.Diff("", strings.Trim(head, "0123456789\n")); diff != "" {
		t.Error(diff)
	}
}
