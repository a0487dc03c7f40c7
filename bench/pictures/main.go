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
	"time"

	"ken/internal/llm/llmtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "pictures: error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("pictures", flag.ContinueOnError)
	program := f.String("ken", "", "the program, `FILE`")
	dir := f.String("o", ".", "write the recordings to `DIR`")
	if err := f.Parse(args); err != nil {
		return err
	}
	path, err := filepath.Abs(*program)
	if err != nil {
		return err
	}
	for _, s := range scenes() {
		r, err := play(ctx, path, s, false)
		if err != nil {
			return err
		}
		file, err := os.Create(filepath.Join(*dir, s.name+".cast"))
		if err != nil {
			return err
		}
		if err := errors.Join(r.write(file), file.Close()); err != nil {
			return err
		}
		for still, at := range r.marks {
			fmt.Fprintln(stdout, s.name, still, at.Milliseconds())
		}
	}
	return nil
}

// play records s on a new home, by a shell without settings of its own.
func play(ctx context.Context, ken string, s scene, quick bool) (r recording, err error) {
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		return recording{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	for name, text := range s.files {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			return recording{}, err
		}
	}
	model, err := llmtest.Start()
	if err != nil {
		return recording{}, err
	}
	defer func() { err = errors.Join(err, model.Stop()) }()
	model.Reply(answer)
	cmd := exec.CommandContext(ctx, "bash", "--norc", "--noprofile")
	cmd.Dir = home
	cmd.WaitDelay = time.Second
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + filepath.Dir(ken) + ":/usr/bin:/bin", "PS1=" + prompt, "TERM=xterm-256color", "LANG=C.UTF-8",
		"OPENAI_BASE_URL=" + model.URL, "KEN_MODEL=qwen3:8b", "SHELL=/bin/bash", "HISTFILE=",
	}
	return record(ctx, cmd, s, quick)
}
