package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"ken/internal/termsafe"
)

const (
	// maxStdin is the most that is taken from standard input: 8 MiB, far
	// above what any model reads and below what would hurt to hold.
	maxStdin = 8 << 20
	// pipeWait is how long a pipe may stay silent when the question stands on
	// the command line: a pipe that nobody writes to or closes is common
	// (editors, cron, CI), and must not hang an answer.
	pipeWait = 3 * time.Second
	// pipeNotice is when the waiting is told.
	pipeNotice = 300 * time.Millisecond
)

// question joins what stands on the command line with what standard input
// holds. "-" asks for standard input whatever it is. from is "external" if any
// of the text was not typed on the command line.
func (a *app) question(ctx context.Context, typed string) (text, from string, err error) {
	dash := typed == "-"
	if dash {
		typed = ""
	}
	input, err := a.readStdin(ctx, typed != "", dash)
	if err != nil {
		return "", "", err
	}
	input = trimBlank(termsafe.Clean(input))
	switch {
	case typed == "" && input == "":
		return "", "", usage("ask what?").hint(`ken ask "..."; or pipe the question in`)
	case input == "":
		return typed, "", nil
	case typed == "":
		return input, "external", nil
	}
	return typed + "\n\n[stdin]\n" + input, "external", nil
}

// trimBlank cuts what is blank off the end, and blank lines off the start, but
// no indentation.
func trimBlank(s string) string {
	s = string(bytes.TrimRight([]byte(s), " \t\r\n"))
	for len(s) > 0 && (s[0] == '\n' || s[0] == '\r') {
		s = s[1:]
	}
	return s
}

// readStdin reads standard input to its end where that is safe to wait for: a
// file, and a pipe where a question is missing or a first byte has come.
func (a *app) readStdin(ctx context.Context, asked, dash bool) (string, error) {
	stat, err := a.env.Stdin.Stat()
	if err != nil {
		if asked {
			return "", nil // closed: there is nothing to read
		}
		return "", usage("ask what? standard input is closed")
	}
	if isTerminal(a.env.Stdin) && (asked || !dash) {
		return "", nil
	}
	pipe := stat.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0
	if !asked || dash || !pipe {
		return readAll(ctx, a.env.Stdin)
	}
	return a.readPipe(ctx)
}

// readPipe waits pipeWait for the first byte, and then to the end.
func (a *app) readPipe(ctx context.Context) (string, error) {
	type result struct {
		text string
		err  error
	}
	first := make(chan struct{})
	done := make(chan result, 1)
	go func() {
		var b [1]byte
		n, err := io.ReadFull(a.env.Stdin, b[:])
		if n == 0 {
			if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
				err = nil
			}
			done <- result{"", err}
			return
		}
		close(first)
		text, err := readAll(ctx, io.MultiReader(bytes.NewReader(b[:]), a.env.Stdin))
		done <- result{text, err}
	}()
	notice := time.NewTimer(pipeNotice)
	defer notice.Stop()
	limit := time.NewTimer(pipeWait)
	defer limit.Stop()
	for {
		select {
		case r := <-done:
			return r.text, r.err
		case <-first:
			first = nil
			notice.Stop()
			limit.Stop()
		case <-notice.C:
			a.say("ken: ", fmt.Sprintf("waiting %s for standard input, which is a pipe (</dev/null skips this)", pipeWait))
		case <-limit.C:
			a.say("ken: warning: ", "nothing came from standard input; going on without it")
			return "", nil
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

func readAll(ctx context.Context, r io.Reader) (string, error) {
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		b, err := io.ReadAll(io.LimitReader(r, maxStdin+1))
		done <- result{b, err}
	}()
	select {
	case got := <-done:
		if got.err != nil {
			return "", fmt.Errorf("read standard input: %w", got.err)
		}
		if len(got.text) > maxStdin {
			return "", usage("standard input is longer than %d bytes", maxStdin).hint("send a part of it: head -c %d", maxStdin)
		}
		return string(got.text), nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}
