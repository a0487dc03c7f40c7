package hands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"ken/bench/paired"
	"ken/internal/pty/pair"
)

// What is measured.
const (
	textMS paired.Quantity = "100 MB of text to a terminal, wall, ms"
	textC  paired.Quantity = "100 MB of text to a terminal, CPU, ms"
	trueMS paired.Quantity = "true, wall, ms"
	trueC  paired.Quantity = "true, CPU, ms"
	keyUS  paired.Quantity = "key to echo, us"
)

// The goals: a command in ken is as fast as one in script; nobody sees a key come
// late.
const (
	goalOverScript = 1.1
	goalKeyUS      = 50
	goalKeyP99US   = 500
)

// settling is how long a program may take to set its own terminal up once the command
// speaks; some throw away what was typed before.
const settling = 300 * time.Millisecond

// sizes are how many bytes of text a command prints, and how many keys are typed in a
// run; of a quick one, which asks only whether it works.
type sizes struct{ text, keys int }

func sizesOf(quick bool) sizes {
	if quick {
		return sizes{1 << 20, 10}
	}
	return sizes{100 << 20, 200}
}

// A Way runs a command line of a shell on a terminal: with the name by which rows call
// it, how it is started, and whether its CPU time is that of its own processes.
type Way struct {
	Name  string
	Start func(ctx context.Context, line string) *exec.Cmd
	Own   bool
	Keys  bool // keys reach the command as they are
}

// Peers are script and tmux, as far as they are installed, with their files in dir.
func Peers(dir string) []Way {
	var list []Way
	if bin, err := exec.LookPath("script"); err == nil {
		list = append(list, Way{"script", func(ctx context.Context, line string) *exec.Cmd {
			return exec.CommandContext(ctx, bin, "-qfc", line, "/dev/null")
		}, true, false}) // it loses keys that come before it has set its terminal up
	}
	if bin, err := exec.LookPath("tmux"); err == nil {
		list = append(list, Way{"tmux", func(ctx context.Context, line string) *exec.Cmd {
			cmd := exec.CommandContext(ctx, bin, "-S", filepath.Join(dir, "tmux"), "-f", "/dev/null", "new-session", line)
			cmd.Env = append(os.Environ(), "TERM=xterm", "TMUX=")
			return cmd
		}, false, false})
	}
	return list
}

// Report measures the ways n times, with a file of text in dir; now is the clock. A
// quick one asks only whether it works.
func Report(ctx context.Context, dir string, n int, quick bool, ways []Way, now func() time.Time, rep *paired.Report) error {
	size := sizesOf(quick)
	text := filepath.Join(dir, "text")
	line := "The kettle boils at a hundred degrees, and the tea stands beside it.\n"
	if err := os.WriteFile(text, bytes.Repeat([]byte(line), size.text/len(line)), 0o600); err != nil {
		return err
	}
	defer func() { _ = os.Remove(text) }() // it is large
	var names []string
	var trials []paired.Trial
	for _, w := range ways {
		if w.Name != "ken" {
			names = append(names, w.Name)
		}
		trials = append(trials, paired.Trial{Name: w.Name, Run: func(ctx context.Context) (paired.Reading, error) { return w.run(ctx, text, size, now) }})
	}
	r := paired.Readings{}
	if err := r.Take(ctx, n, trials); err != nil {
		return err
	}
	for _, want := range []paired.Want{
		{What: "100 MB of text to a terminal, wall", Unit: "ms", Of: textMS},
		{What: "100 MB of text to a terminal, CPU", Unit: "ms", Of: textC},
		{What: "true, wall", Unit: "ms", Of: trueMS},
		{What: "true, CPU", Unit: "ms", Of: trueC},
		{What: "key to echo, p50", Unit: "us", Of: keyUS, Goal: goalKeyUS},
		{What: "key to echo, p99", Unit: "us", Of: keyUS, At: paired.P99, Goal: goalKeyP99US},
	} {
		want.Trial, want.Names = "ken", names
		rep.Add(r, want)
	}
	if slices.Contains(names, "script") {
		ours, theirs := r.Of("ken", textMS), r.Of("script", textMS)
		var times paired.Series
		for i := range min(len(ours), len(theirs)) {
			times = append(times, ours[i]/theirs[i])
		}
		rep.AddRatio("100 MB of text, wall, over script", times, goalOverScript)
	}
	return nil
}

// run measures everything of one way once.
func (w Way) run(ctx context.Context, text string, size sizes, now func() time.Time) (paired.Reading, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	values := make(map[paired.Quantity]float64)
	for _, c := range []struct {
		line      string
		wall, cpu paired.Quantity
		least     int64 // bytes that must come
	}{{"cat " + text, textMS, textC, int64(size.text) * 9 / 10}, {"true", trueMS, trueC, 0}} {
		wall, cpu, got, err := w.drain(ctx, c.line, now)
		if err != nil {
			return nil, err
		}
		if w.Own && got < c.least { // tmux shows what fits on the screen
			return nil, fmt.Errorf("%s: %d bytes came of %d", c.line, got, c.least)
		}
		values[c.wall] = ms(wall)
		if w.Own {
			values[c.cpu] = ms(cpu)
		}
	}
	reading := paired.Single(values)
	if w.Keys {
		late, err := w.keys(ctx, size.keys, now)
		if err != nil {
			return nil, err
		}
		reading[keyUS] = late
	}
	return reading, nil
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// drain runs a line to its end, reading all that it shows.
func (w Way) drain(ctx context.Context, line string, now func() time.Time) (wall, cpu time.Duration, got int64, err error) {
	cmd := w.Start(ctx, line)
	began := now()
	tty, err := pair.Start(cmd, 24, 80)
	if err != nil {
		return 0, 0, 0, err
	}
	defer func() { _ = tty.Close() }() // it has ended
	buf := make([]byte, 1<<20)
	for {
		n, rerr := tty.Read(buf)
		got += int64(n)
		if rerr != nil {
			break // a terminal ends with an error
		}
	}
	err = cmd.Wait()
	wall = now().Sub(began)
	if err != nil && w.Own { // tmux has its own view of a command that ends at once
		return 0, 0, got, fmt.Errorf("%s: %w", line, err)
	}
	return wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), got, nil
}

// keys types at cat, and measures how long each key takes until it is seen.
func (w Way) keys(ctx context.Context, keys int, now func() time.Time) (late paired.Series, err error) {
	cmd := w.Start(ctx, "stty -icanon -echo; printf re%s ady; cat")
	tty, err := pair.Start(cmd, 24, 80)
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGHUP)
		_ = tty.Close()
		_ = cmd.Wait() // by the signal
	}()
	buf := make([]byte, 1<<16)
	until := func(end string) error {
		for seen := ""; ; {
			n, err := tty.Read(buf)
			if seen += string(buf[:n]); strings.Contains(seen, end) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
	if err := until("ready"); err != nil {
		return nil, err
	}
	time.Sleep(settling)
	for i := range keys {
		key := string(rune('a' + i%26))
		began := now()
		if _, err := tty.WriteString(key); err != nil {
			return nil, err
		}
		if err := until(key); err != nil {
			return nil, errors.Join(errors.New("a key was not echoed"), err)
		}
		late = append(late, float64(now().Sub(began))/1000)
	}
	return late, nil
}
