//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	settled  = 200 * time.Millisecond // nothing more came for so long: the step is over
	between  = 25 * time.Millisecond  // between two looks at the screen
	patience = 3 * time.Minute        // for what a step waits for: the first compiles ken
)

// A stage is a tmux server of its own with one window.
type stage struct {
	socket string
	env    []string
}

// open starts the shell on a terminal of that size; close ends it and all that runs there.
func open(ctx context.Context, socket, dir string, env []string, rows, cols int, shell ...string) (*stage, error) {
	st := &stage{socket: socket, env: env}
	args := []string{
		"-f", "/dev/null", "set-option", "-g", "set-clipboard", "on", ";", "set-option", "-g", "history-limit", "20000", ";",
		"set-option", "-g", "default-terminal", "screen-256color", ";", "set-option", "-g", "escape-time", "0", ";",
		"new-session", "-d", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows), "-c", dir,
	}
	if _, err := st.tmux(ctx, append(append([]string{"-f", "/dev/null", "start-server", ";"}, args[2:]...), shell...)...); err != nil {
		return nil, err
	}
	return st, nil
}

func (s *stage) close(ctx context.Context) error {
	_, err := s.tmux(context.WithoutCancel(ctx), "kill-server")
	return err
}

func (s *stage) tmux(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-S", s.socket}, args...)...)
	cmd.Env, cmd.Dir = s.env, filepath.Dir(s.socket)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux %s: %w: %s", args[0], err, out)
	}
	return string(out), nil
}

// press types keys: bytes, as a terminal sends them.
func (s *stage) press(ctx context.Context, keys string) error {
	if keys == "" {
		return nil
	}
	args := []string{"send-keys", "-H"}
	for _, b := range []byte(keys) {
		args = append(args, strconv.FormatUint(uint64(b), 16))
	}
	_, err := s.tmux(ctx, args...)
	return err
}

// screen is what is shown, and what of the cursor's row stands before the cursor.
func (s *stage) screen(ctx context.Context) (text, row string, err error) {
	out, err := s.tmux(ctx, "display-message", "-p", "#{cursor_x} #{cursor_y}", ";", "capture-pane", "-p")
	if err != nil {
		return "", "", err
	}
	at, text, _ := strings.Cut(out, "\n")
	var x, y int
	if _, err := fmt.Sscan(at, &x, &y); err != nil {
		return "", "", fmt.Errorf("where the cursor is: %q: %w", at, err)
	}
	if lines := strings.Split(text, "\n"); y < len(lines) {
		line := []rune(lines[y])
		for len(line) < x {
			line = append(line, ' ')
		}
		row = string(line[:x])
	}
	return strings.TrimRight(text, "\n") + "\n", row, nil
}

var errNotShown = errors.New("not shown")

// until waits until the screen is another one than before, rests, and the cursor's row is what is waited for; where
// any row is, until it shows all of some texts.
func (s *stage) until(ctx context.Context, before string, want *regexp.Regexp, shows ...string) (string, error) {
	last, since := "", time.Now()
	for began := time.Now(); ; time.Sleep(between) {
		text, row, err := s.screen(ctx)
		if err != nil {
			return last, err
		}
		if text != last {
			last, since = text, time.Now()
		}
		over := time.Since(since) >= settled && text != before && want.MatchString(row)
		if over && (want.String() != anyRow || len(missing(text, shows)) == 0) {
			return text, nil
		}
		if time.Since(began) > patience {
			return text, fmt.Errorf("%w: a row that is %s; it is %q", errNotShown, want, row)
		}
	}
}

// missing are the texts that a screen does not show. What is broken at its edge is one text all the same.
func missing(screen string, texts []string) (list []string) {
	flat := strings.Join(strings.Fields(screen), " ")
	for _, text := range texts {
		if !strings.Contains(flat, text) {
			list = append(list, text)
		}
	}
	return list
}

// all is everything that went by.
func (s *stage) all(ctx context.Context) (string, error) {
	return s.tmux(ctx, "capture-pane", "-p", "-S", "-")
}

// A log writes screens into a directory, numbered.
type log struct {
	dir string
	n   int
}

func (l *log) write(name, text string) error {
	l.n++
	return os.WriteFile(filepath.Join(l.dir, fmt.Sprintf("%02d-%s.txt", l.n, name)), []byte(text), 0o600)
}
