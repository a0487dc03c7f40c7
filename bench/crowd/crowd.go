package crowd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A Writer adds texts to a memory, one at a time.
type Writer interface {
	// Add returns nil once the writer was told that the text is kept, and an
	// Unkept if it was told that it is not; other errors end the run.
	Add(ctx context.Context, text string) error
	// Close ends the writer, and says if it did not end well.
	Close() error
}

// Unkept is what a writer was told instead of that a text is kept.
type Unkept string

func (e Unkept) Error() string { return "refused: " + string(e) }

// An Outcome is what came of one run.
type Outcome struct {
	Kept    []string // texts that a writer was told are kept
	Refused int
	Reason  string // the first refusal's; "" if there was none
	Wall    time.Duration
}

// Lost counts the texts that were said to be kept and are not found.
func (o Outcome) Lost(found func(text string) bool) int {
	n := 0
	for _, text := range o.Kept {
		if !found(text) {
			n++
		}
	}
	return n
}

// Run has each writer add its texts, all writers at the same time. It does not
// close them.
func Run(ctx context.Context, writers []Writer, texts [][]string, now func() time.Time) (Outcome, error) {
	var o Outcome
	var mu sync.Mutex
	var all sync.WaitGroup
	errs := make([]error, len(writers))
	began := now()
	for i, w := range writers {
		all.Go(func() {
			for _, text := range texts[i] {
				err := w.Add(ctx, text)
				var no Unkept
				mu.Lock()
				switch {
				case err == nil:
					o.Kept = append(o.Kept, text)
				case errors.As(err, &no):
					if o.Refused++; o.Reason == "" {
						o.Reason = string(no)
					}
				}
				mu.Unlock()
				if err != nil && no == "" {
					errs[i] = fmt.Errorf("writer %d: %w", i+1, err)
					return
				}
			}
		})
	}
	all.Wait()
	o.Wall = now().Sub(began)
	return o, errors.Join(errs...)
}

// Command is a writer that runs a command for each text, the text its last
// argument. It is kept if the command ends with 0.
func Command(command func(ctx context.Context, text string) *exec.Cmd) Writer {
	return commands{command}
}

type commands struct {
	command func(ctx context.Context, text string) *exec.Cmd
}

func (c commands) Add(ctx context.Context, text string) error {
	said, err := c.command(ctx, text).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return Unkept(fmt.Sprintf("%v: %s", err, bytes.TrimSpace(said)))
	}
	return err
}

func (commands) Close() error { return nil }

// Start starts a program that says "ready", then reads texts, one a line, and
// answers each with "kept" or why not.
func Start(cmd *exec.Cmd) (Writer, error) {
	p, err := start(cmd)
	if err != nil {
		return nil, err
	}
	if said, err := p.line(); err != nil || said != "ready" {
		return nil, errors.Join(fmt.Errorf("%s: said %q, want ready", cmd.Path, said), err, p.Close())
	}
	return lines{p}, nil
}

type lines struct{ *process }

func (l lines) Add(_ context.Context, text string) error {
	if _, err := io.WriteString(l.in, text+"\n"); err != nil {
		return err
	}
	switch said, err := l.line(); {
	case err != nil:
		return err
	case said != "kept":
		return Unkept(said)
	}
	return nil
}

// A process is a program that is talked to by lines.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *bytes.Buffer // not to be read before the program has ended
}

func start(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, stderr: new(bytes.Buffer)}
	cmd.Stderr = p.stderr
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, cmd.Start()
}

func (p *process) line() (string, error) {
	text, err := p.out.ReadString('\n')
	if err != nil {
		err = fmt.Errorf("%s: read its answer: %w", p.cmd.Path, err)
	}
	return strings.TrimSuffix(text, "\n"), err
}

// Close ends the program by the end of its input.
func (p *process) Close() error {
	_ = p.in.Close() // it may have ended already; Wait says how
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w; it said: %s", p.cmd.Path, err, bytes.TrimSpace(p.stderr.Bytes()))
	}
	return nil
}
