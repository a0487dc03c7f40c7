//go:build linux || darwin

package shelltest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hinshun/vt10x"
	"golang.org/x/term"

	"ken/internal/battery"
	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/ttytest"
)

// TestF14Signals: a signal at any moment, while an answer streams or a command has the
// terminal, loses no turn that was printed, leaves the terminal right (but for KILL, after
// which nothing can), and the conversation goes on.
func TestF14Signals(t *testing.T) {
	t.Parallel()
	cases := 200
	switch os.Getenv("KEN_BATTERY") {
	case "full", "night":
		cases = 2000
	}
	if testing.Short() {
		cases = 20
	}
	before := ttytest.Unused(t)
	var report battery.Report
	for i := range cases {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			report.Add(signalled(t, rand.New(rand.NewPCG(14, uint64(i))), before), "case %d", i)
		})
	}
	t.Logf("battery: F14/Signals: %s", &report)
	for _, err := range report.Wrong {
		t.Error(err)
	}
}

var word = regexp.MustCompile(`word[0-9]+`)

// signalled is one case.
func signalled(t *testing.T, r *rand.Rand, before *term.State) error {
	t.Helper()
	dir, gate := t.TempDir(), make(chan struct{})
	var parts []string
	for i := range 30 {
		parts = append(parts, fmt.Sprintf("word%d ", 100+i))
	}
	model := llmtest.New(t)
	model.Always(llmtest.Text(parts...).Gate(1+r.IntN(30), gate))
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE, syscall.SIGTSTP, syscall.SIGKILL}
	signal := signals[r.IntN(len(signals))]
	inChild := r.IntN(2) == 0
	opened, pause := r.IntN(8), r.IntN(12)
	time.AfterFunc(time.Duration(opened)*time.Millisecond, func() { close(gate) })

	x := clitest.Start(t, dir, model)
	x.Await("]> ")
	if inChild {
		x.Send("$printf '\\033[?1049h\\033[?25lup'; i=0; while [ $i -lt 400 ]; do i=$((i+1)); sleep 0.01; done\r")
		x.Await("\x1b[?1049h")
	} else {
		x.Send("the question\r")
		x.Await("the question")
	}
	time.Sleep(time.Duration(pause) * time.Millisecond) // the moment is what varies
	if err := x.Cmd.Process.Signal(signal); err != nil {
		return err
	}
	what := fmt.Sprintf("%v, child %t, after %d ms", signal, inChild, pause)
	switch signal {
	case syscall.SIGTSTP:
		time.Sleep(time.Millisecond)
		if err := x.Cmd.Process.Signal(syscall.SIGCONT); err != nil {
			return err
		}
		fallthrough
	case syscall.SIGPIPE, syscall.SIGINT: // it goes on, and is asked to end
		if !inChild {
			time.Sleep(10 * time.Millisecond)
		}
		if err := x.Cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return err
		}
	}
	code := x.Exit()
	if signal != syscall.SIGKILL {
		if diff := cmp.Diff(before, x.Settings(), ttytest.EveryField()); diff != "" {
			return fmt.Errorf("%s: exit code %d, settings (-before +after):\n%s\nthe end of its output: %q", what, code, diff, last(x.Text(), 1500))
		}
		if !x.Ended() {
			return fmt.Errorf("%s: the terminal goes on", what)
		}
		if mode, shown := x.Modes(); mode&(vt10x.ModeAltScreen|vt10x.ModeMouseMask|vt10x.ModeAppCursor) != 0 || !shown {
			return fmt.Errorf("%s: mode %b, cursor %t", what, mode, shown)
		}
	}
	text := clitest.Sessions(t, dir)
	if inChild {
		return nil
	}
	asked := len(model.Requests()) > 0
	if asked && !strings.Contains(text, `"the question"`) {
		return fmt.Errorf("%s: %w: the question was sent and is not in the session: %q", what, battery.ErrLost, text)
	}
	if signal != syscall.SIGKILL {
		for _, w := range word.FindAllString(x.Text(), -1) {
			if !strings.Contains(text, w) {
				return fmt.Errorf("%s: %w: %s was printed and is not in the session: %q", what, battery.ErrLost, w, text)
			}
		}
	}
	if !asked || !strings.Contains(text, `"the question"`) {
		return nil
	}
	out, err := clitest.Command(t, dir, model, "ask", "-c", "and on?").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: the conversation does not go on: %w\n%s", what, err, out)
	}
	reqs := model.Requests()
	answered := word.MatchString(text) // a question that nothing was said to is not sent again
	if msgs := fmt.Sprint(reqs[len(reqs)-1].Messages()); answered && !strings.Contains(msgs, "the question") || !strings.Contains(msgs, "and on?") {
		return fmt.Errorf("%s: %w: it went on with %s", what, battery.ErrLost, msgs)
	}
	return nil
}

func last(s string, n int) string { return s[max(0, len(s)-n):] }
