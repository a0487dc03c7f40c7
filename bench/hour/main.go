//go:build unix

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "hour: error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("hour", flag.ContinueOnError)
	program := f.String("ken", "", "the program, `FILE`")
	source := f.String("source", "", "play README's first commands as well, in the checkout `DIR`")
	dir := f.String("o", "", "write the screens to `DIR`")
	names := f.String("shells", "bash,zsh,fish", "the `SHELLS`, with commas")
	cols := f.Int("cols", 80, "columns of the terminal")
	rows := f.Int("rows", 24, "rows of the terminal")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *program == "" || *dir == "" {
		return errors.New("-ken FILE and -o DIR say what is played, and where the screens go")
	}
	path, err := filepath.Abs(*program)
	if err != nil {
		return err
	}
	if *source != "" {
		if *source, err = filepath.Abs(*source); err != nil {
			return err
		}
	}
	h := hour{ken: path, source: *source, steps: hourOf, rows: *rows, cols: *cols}
	var missing []string
	shells := strings.Split(*names, ",")
	for _, name := range append([]string{"tmux", "git"}, shells...) {
		if _, err := exec.LookPath(name); err != nil {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("not installed: %s", strings.Join(missing, ", "))
	}
	// Side by side: most of an hour is waiting.
	var mu sync.Mutex
	var errs []error
	var all sync.WaitGroup
	for _, name := range shells {
		all.Go(func() {
			n, err := h.play(ctx, name, filepath.Join(*dir, name))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", name, err))
			}
			fmt.Fprintf(stdout, "%s: %d screens in %s\n", name, n, filepath.Join(*dir, name))
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
