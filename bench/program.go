//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ken/bench/floors"
	"ken/internal/pty/pair"
)

// patience is how long one run may take at most before it counts as stuck.
const patience = 2 * time.Minute

// A program is one command line.
type program struct {
	bin  string
	args []string
	env  []string
	dir  string
}

// A cost is what one run took.
type cost struct {
	started, ended time.Time
	cpu            time.Duration // user and system
}

func (c cost) wall() time.Duration { return c.ended.Sub(c.started) }

func (p program) command(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.bin, p.args...)
	cmd.Env = append([]string{}, p.env...) // never nil: nothing is inherited
	cmd.Dir = p.dir
	return cmd
}

func (p program) String() string {
	return strings.TrimSpace(filepath.Base(p.bin) + " " + strings.Join(p.args, " "))
}

// run runs p with its output going to stdout, nil for nowhere.
func (b *bench) run(ctx context.Context, p program, stdout io.Writer) (cost, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := p.command(ctx)
	cmd.Stdout = stdout
	if err := b.catchErrors(cmd); err != nil {
		return cost{}, err
	}
	c := cost{started: time.Now()}
	err := cmd.Run()
	c.ended = time.Now()
	if err != nil {
		return c, b.fault(p, err)
	}
	c.cpu = cpuOf(cmd)
	return c, nil
}

// runTerminal runs p on a terminal of its own. All that it prints goes to
// stdout, which gets the terminal's side to type on; nil for nowhere.
func (b *bench) runTerminal(ctx context.Context, p program, stdout func(keys io.Writer, text []byte)) (cost, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := p.command(ctx)
	c := cost{started: time.Now()}
	tty, err := pair.Start(cmd, 24, 80)
	if err != nil {
		return c, fmt.Errorf("run %s on a terminal: %w", p, err)
	}
	defer tty.Close()
	var last []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := tty.Read(buf)
		if stdout != nil && n > 0 {
			stdout(tty, buf[:n])
		}
		if n > 0 {
			last = append(last[:0], buf[max(0, n-512):n]...)
		}
		if err != nil {
			break // the last one has closed its side: EIO on Linux, EOF elsewhere
		}
	}
	err = cmd.Wait()
	c.ended = time.Now()
	if err != nil {
		return c, fmt.Errorf("run %s on a terminal: %w; it said: %q", p, err, last)
	}
	c.cpu = cpuOf(cmd)
	return c, nil
}

func cpuOf(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// catchErrors has the program's standard error written to a file: a pipe would
// have to be read while it runs.
func (b *bench) catchErrors(cmd *exec.Cmd) error {
	if err := b.stderr.Truncate(0); err != nil {
		return err
	}
	if _, err := b.stderr.Seek(0, io.SeekStart); err != nil {
		return err
	}
	cmd.Stderr = b.stderr
	return nil
}

// fault adds what the program said to the error that it ended with.
func (b *bench) fault(p program, err error) error {
	said := make([]byte, 2000)
	n, rerr := b.stderr.ReadAt(said, 0)
	if rerr != nil && !errors.Is(rerr, io.EOF) {
		return errors.Join(err, rerr)
	}
	return fmt.Errorf("run %s: %w; it said: %s", p, err, bytes.TrimSpace(said[:n]))
}

// peak runs p and returns the most memory it had, in MB (10^6 bytes). Nothing
// below what an empty Go program takes can be seen.
func (b *bench) peak(ctx context.Context, p program, stdout io.Writer) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	peaker, err := b.floor(ctx, floors.Peaker)
	if err != nil {
		return 0, err
	}
	through := p
	through.bin, through.args = peaker, append([]string{p.bin}, p.args...)
	cmd := through.command(ctx)
	cmd.Stdout = stdout
	if err := b.catchErrors(cmd); err != nil {
		return 0, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	cmd.ExtraFiles = []*os.File{w}
	err = cmd.Run()
	if err := errors.Join(err, w.Close()); err != nil {
		return 0, b.fault(through, err)
	}
	said, err := io.ReadAll(r)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(said), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("peak memory of %s: %w", p, err)
	}
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		n *= 1024 // macOS counts bytes, the others KiB
	}
	return float64(n) / 1e6, nil
}

// calls runs p under strace and returns the number of its system calls, of all
// threads.
func (b *bench) calls(ctx context.Context, strace string, p program, stdout io.Writer) (float64, error) {
	out := filepath.Join(b.dir, "strace")
	traced := p
	traced.bin, traced.args = strace, append([]string{"-f", "-c", "-o", out, p.bin}, p.args...)
	if _, err := b.run(ctx, traced, stdout); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return 0, err
	}
	return countCalls(string(text))
}

// countCalls adds up the table of strace -c:
//
//	% time     seconds  usecs/call     calls    errors syscall
//	------ ----------- ----------- --------- --------- ----------------
//	 51.06    0.000241           2       114           rt_sigaction
//
// Its last line, the total, has another shape in older versions and is left out.
func countCalls(table string) (float64, error) {
	sum := 0
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if len(words) < 5 || words[len(words)-1] == "total" || words[0] == "%" || strings.HasPrefix(words[0], "-") {
			continue
		}
		n, err := strconv.Atoi(words[3])
		if err != nil {
			return 0, fmt.Errorf("read the table of strace: %w", err)
		}
		sum += n
	}
	if sum == 0 {
		return 0, errors.New("read the table of strace: it counts no calls")
	}
	return float64(sum), nil
}

// environment is what every program gets: nothing of the person who runs the
// bench but where programs are found.
func environment(home string) []string {
	return []string{
		"HOME=" + home, "KEN_HOME=" + home, "PATH=" + os.Getenv("PATH"),
		"TERM=xterm-256color", "LANG=C.UTF-8", "TZ=UTC",
	}
}

// settle writes out what is waiting to be written, so that the first syncs that
// are measured do not pay for the preparation.
func settle() { syscall.Sync() }
