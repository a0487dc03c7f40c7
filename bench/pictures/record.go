//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/hinshun/vt10x"

	"ken/internal/pty/pair"
)

// Of a recording.
const (
	keyTime   = 55 * time.Millisecond   // between two keys
	readTime  = 1300 * time.Millisecond // after what a step brought, unless it says otherwise
	startTime = 600 * time.Millisecond  // before the first key
	chunkTime = 40 * time.Millisecond   // between two pieces of output of one step
	restTime  = 2500 * time.Millisecond // on the last screen
	settled   = 250 * time.Millisecond  // nothing more came for so long: the step is over
	patience  = 20 * time.Second        // for what a step waits for
)

// An event is one piece of output, at a time since the beginning.
type event struct {
	at   time.Duration
	text string
}

// A recording is what a scene showed.
type recording struct {
	rows, cols int
	events     []event
	marks      map[string]time.Duration // when the step of that name was over
}

// write writes it in asciinema's format, version 2: a head, and a line for each event.
func (r recording) write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	head := map[string]any{"version": 2, "width": r.cols, "height": r.rows, "env": map[string]string{"TERM": "xterm-256color"}}
	if err := enc.Encode(head); err != nil {
		return err
	}
	for _, e := range r.events {
		if err := enc.Encode([]any{e.at.Seconds(), "o", e.text}); err != nil {
			return err
		}
	}
	return nil
}

// A stage is a terminal on which a scene is played.
type stage struct {
	tty *os.File

	mu     sync.Mutex
	screen vt10x.Terminal
	come   []byte    // since the step began
	last   time.Time // when something came last
	gone   bool
}

// record plays s by the program of cmd. Where it is quick, what is typed comes at once.
func record(ctx context.Context, cmd *exec.Cmd, s scene, quick bool) (recording, error) {
	tty, err := pair.Start(cmd, s.rows, s.cols)
	if err != nil {
		return recording{}, fmt.Errorf("start a terminal for %s: %w", s.name, err)
	}
	st := &stage{tty: tty, last: time.Now()}
	// The terminal answers where its cursor is: what edits lines asks.
	st.screen = vt10x.New(vt10x.WithSize(s.cols, s.rows), vt10x.WithWriter(tty))
	go st.read()
	defer func() {
		_ = tty.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	r := recording{rows: s.rows, cols: s.cols, marks: map[string]time.Duration{}}
	at := startTime
	for st.rest(ctx, settled) == "" { // the prompt of the shell
		if ctx.Err() != nil {
			return recording{}, ctx.Err()
		}
	}
	r.events = append(r.events, event{0, prompt})
	for _, step := range s.steps {
		keys := strings.Split(step.keys, "")
		if quick {
			keys = []string{step.keys}
		}
		for i, key := range keys {
			if _, err := tty.WriteString(key); err != nil {
				return recording{}, err
			}
			if quick {
				continue
			}
			if echo := st.rest(ctx, 40*time.Millisecond); echo != "" && i < len(keys)-1 {
				r.events = append(r.events, event{at, echo})
			} else if echo != "" {
				st.put(echo)
			}
			at += keyTime
		}
		shown, err := st.until(ctx, step.until)
		if err != nil {
			return recording{}, fmt.Errorf("%s: %q shows no %s: %w", s.name, step.keys, step.until, err)
		}
		for _, piece := range pieces(shown) {
			r.events = append(r.events, event{at, piece})
			at += chunkTime
		}
		if step.name != "" {
			r.marks[step.name] = at
		}
		at += max(step.read, readTime)
	}
	r.events = append(r.events, event{at + restTime, ""})
	return r, nil
}

// pieces cuts output where a screen would show it bit by bit: behind lines, and behind words of a long one.
func pieces(s string) []string {
	var out []string
	for s != "" {
		n := strings.IndexByte(s, '\n') + 1
		if n == 0 {
			n = len(s)
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func (s *stage) read() {
	buf := make([]byte, 4096)
	for {
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		_, _ = s.screen.Write(buf[:n])
		s.come = append(s.come, buf[:n]...)
		s.last, s.gone = time.Now(), err != nil
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *stage) put(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.come = append([]byte(text), s.come...)
}

// rest returns what came, once nothing more does for a while.
func (s *stage) rest(ctx context.Context, quiet time.Duration) string {
	for began := time.Now(); ctx.Err() == nil; time.Sleep(quiet / 8) {
		s.mu.Lock()
		if since := min(time.Since(s.last), time.Since(began)); since >= quiet {
			text := string(s.come)
			s.come = nil
			s.mu.Unlock()
			return text
		}
		s.mu.Unlock()
	}
	return ""
}

var errNotShown = errors.New("not shown")

// until returns what came since the step began, once that holds what is waited for and is over.
func (s *stage) until(ctx context.Context, want *regexp.Regexp) (string, error) {
	for began := time.Now(); time.Since(began) < patience && ctx.Err() == nil; time.Sleep(settled / 8) {
		s.mu.Lock()
		over := time.Since(s.last) >= settled || s.gone
		if over && strings.Contains(string(s.come), "\n") && want.MatchString(s.line()) {
			text := string(s.come)
			s.come = nil
			s.mu.Unlock()
			return text, nil
		}
		text, gone := string(s.come), s.gone
		s.mu.Unlock()
		if gone && over {
			return "", fmt.Errorf("%w: the terminal is gone: %q", errNotShown, text)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return "", fmt.Errorf("%w: the line is %q, and what came %q", errNotShown, s.line(), s.come)
}

// line is what stands before the cursor.
func (s *stage) line() string {
	at := s.screen.Cursor()
	var b strings.Builder
	for x := range at.X {
		b.WriteRune(s.screen.Cell(x, at.Y).Char)
	}
	return b.String()
}
