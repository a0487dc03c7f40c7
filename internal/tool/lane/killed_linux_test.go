package lane_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/proctest"
	"ken/internal/pty/keep"
	"ken/internal/tool/lane"
)

// brood starts processes of every kind that would outlive who started them. Each has the mark in its environment.
const brood = `export MARK=%s
sleep 300 &
nohup sleep 301 >/dev/null 2>&1 &
setsid sleep 302 >/dev/null 2>&1 </dev/null &
(setsid bash -c 'sleep 303 & exec sleep 304' >/dev/null 2>&1 &)
( (trap '' HUP INT TERM; exec setsid nohup bash -c 'trap "" HUP INT TERM; while :; do sleep 0.2; done' >/dev/null 2>&1) & )
echo up
`

// marked are the processes that have the mark in their environment.
func marked(t *testing.T, mark string) (list []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "MARK="+mark+"\x00") {
			said, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			list = append(list, filepath.Base(filepath.Dir(path))+" "+strings.ReplaceAll(string(said), "\x00", " "))
		}
	}
	return list
}

// gone waits until nothing has the mark any more.
func gone(t *testing.T, mark string) (left []string) {
	t.Helper()
	proctest.Within(5*time.Second, func() bool {
		left = marked(t, mark)
		return len(left) == 0
	})
	return left
}

// TestB17EndsWithKen: however the process ends that runs a command, at whatever moment, nothing is left of what the command started.
func TestB17EndsWithKen(t *testing.T) {
	t.Parallel()
	rounds := 6
	if os.Getenv("KEN_BATTERY") != "" {
		rounds = 100
	}
	endings := []struct {
		how string
		end func(cmd *exec.Cmd, in io.Closer) error
	}{
		{"kill -9", func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Kill() }},
		{"SIGHUP", func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Signal(syscall.SIGHUP) }},
		{"SIGQUIT, as by a fault", func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Signal(syscall.SIGQUIT) }},
		{"kill -9 of its group", func(cmd *exec.Cmd, _ io.Closer) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }},
	}
	seen, slowest := 0, time.Duration(0)
	for i := range rounds {
		mark := fmt.Sprintf("killed-%d-%d", os.Getpid(), i)
		line, e := fmt.Sprintf(brood, mark), endings[i%len(endings)]
		if i%2 == 0 {
			line += "wait; sleep 305; true" // else it is over, and only what it left goes on
		}
		cmd := proctest.Self(t)
		cmd.Env = append(cmd.Env, "KEN_TEST_LINE="+line)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if i%3 != 0 { // else while it starts
			_, _ = bufio.NewReader(out).ReadString('\n')
		}
		time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond) // a moment that nobody chose
		seen += len(marked(t, mark))
		if err := e.end(cmd, in); err != nil {
			t.Fatal(err)
		}
		killed := time.Now()
		go func() { _, _ = io.Copy(io.Discard, out) }()
		_ = cmd.Wait()
		if left := gone(t, mark); len(left) > 0 {
			t.Errorf("round %d, %s: left are %q", i, e.how, left)
		}
		slowest = max(slowest, time.Since(killed))
	}
	if seen < rounds {
		t.Errorf("%d processes were there in %d rounds: this test shows nothing", seen, rounds)
	}
	t.Logf("%d rounds, %d processes killed, at most %s until nothing was left", rounds, seen, slowest)
}

// TestB17Quits: what a command left running goes on after it, and ends with the process that ran it when that just ends.
func TestB17Quits(t *testing.T) {
	t.Parallel()
	mark := fmt.Sprintf("quits-%d", os.Getpid())
	cmd := proctest.Self(t)
	cmd.Env = append(cmd.Env, "KEN_TEST_LINE="+fmt.Sprintf(brood, mark))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	for _, want := range []string{"up\n", "over <nil>\n"} {
		if got, err := r.ReadString('\n'); err != nil || got != want {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
	}
	if there := marked(t, mark); len(there) < 5 {
		t.Errorf("left running are %q", there)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if left := gone(t, mark); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// TestB17LimitEndsAll: the limit, and who cancels, end what a command started as well, whatever its kind.
func TestB17LimitEndsAll(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]string{
		"runs": "sleep 305", "waits": "wait", "ignores": "trap '' INT TERM HUP; while :; do sleep 0.05; done",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mark := fmt.Sprintf("limit-%s-%d", name, os.Getpid())
			c := bash(t, fmt.Sprintf(brood, mark)+rest)
			c.Limit = 300 * time.Millisecond
			if r := run(t, c); !r.TimedOut || r.Output != "up\n" {
				t.Errorf("%+v", r)
			}
			if left := marked(t, mark); len(left) > 0 {
				t.Errorf("left are %q", left)
			}
		})
	}
}

// TestB17Crowded: a loop that starts processes without end ends, and it is said why.
func TestB17Crowded(t *testing.T) {
	t.Parallel()
	mark := fmt.Sprintf("crowded-%d", os.Getpid())
	c := bash(t, "export MARK="+mark+"; while :; do sleep 306 & done")
	r := run(t, c)
	if !r.Crowded || r.TimedOut || r.Exit != 128+int(syscall.SIGKILL) {
		t.Errorf("%+v", r)
	}
	if left := gone(t, mark); len(left) > 0 {
		t.Errorf("%d are left", len(left))
	}
	many := bash(t, "for i in $(seq "+strconv.Itoa(keep.Most/4)+"); do sleep 0.4 & done; wait; echo all")
	if r := run(t, many); r.Crowded || r.Output != "all\n" {
		t.Errorf("%+v", r)
	}
}

// TestB17KeeperKilled: a command that kills its keeper is killed, and the run ends.
func TestB17KeeperKilled(t *testing.T) {
	t.Parallel()
	if r := run(t, bash(t, "echo up; kill -9 $PPID; sleep 307; echo no")); r.Exit == 0 || strings.Contains(r.Output, "no\n") || r.TimedOut {
		t.Errorf("%+v", r)
	}
}

// TestB17Unchanged: a command with a keeper is a session, a group and an environment as one without.
func TestB17Unchanged(t *testing.T) {
	t.Parallel()
	c := bash(t, `[ "$(ps -o sid= -p $$ | tr -d ' ')" = $$ ] && [ "$(ps -o pgid= -p $$ | tr -d ' ')" = $$ ] && echo leads
ls -l /proc/self/fd | grep -c socket; env | grep -c KEEP; trap -p; pwd`)
	c.Env = append(c.Env, "GODEBUG=inittrace=1", "GOTRACEBACK=crash")
	if r := run(t, c); r.Output != "leads\n0\n0\n"+c.Dir+"\n" {
		t.Errorf("%q", r.Output)
	}
}

// BenchmarkTrue is what a command costs that does nothing.
func BenchmarkTrue(b *testing.B) {
	for b.Loop() {
		r, err := lane.Run(b.Context(), lane.Command{Line: "true", Shell: "/bin/sh", Env: []string{"PATH=/usr/bin:/bin"}, Keep: 100})
		if err != nil || r.Exit != 0 {
			b.Fatalf("%+v, %v", r, err)
		}
	}
}
