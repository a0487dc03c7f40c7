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
	"strings"
	"time"

	"ken/internal/llm/llmtest"
)

// An hour is what is played in each shell.
type hour struct {
	ken        string // the program
	source     string // the checkout that README's first commands are played in; "" for none
	steps      func(script) []step
	rows, cols int
}

// prompt is that of the shells.
const prompt = "$ "

// starts gives, for each shell, its arguments, its start-up file and what stands there.
func starts() map[string]struct {
	args     []string
	rc, text string
} {
	type start = struct {
		args     []string
		rc, text string
	}
	return map[string]start{
		"bash": {[]string{"--noprofile", "-i"}, ".bashrc", "PS1='" + prompt + "'\n"},
		"zsh": {[]string{"-i"}, ".zshrc", "PS1='" + prompt + "'\n" +
			"HISTFILE=~/.zsh_history SAVEHIST=1000 HISTSIZE=1000\nautoload -U compinit; compinit -u\n"},
		"fish": {[]string{"-i"}, ".config/fish/config.fish", "set fish_greeting\nfunction fish_prompt; echo -n '" + prompt + "'; end\n"},
	}
}

// files are what is there before, by name below the home directory.
func files() map[string]string {
	return map[string]string{
		"tea/AGENTS.md": "# tea\n\n" +
			"- Run `make check` before every commit.\n- The brewing code lives in `internal/brew`; its tests need a kettle.\n",
		"tea/main.go": "package main\n\nfunc main() { brew(94) }\n\n" +
			"// brew makes tea with water of that heat.\nfunc brew(degrees int) { _ = degrees / 0 }\n",
		"tea/Makefile": "check:\n\tgo vet ./...\n",
		"notes.md":     "# Notes\n\nA page of my own: the garden needs water on Fridays.\n\n```sh\nwater --slowly\n```\n",
		// An editor that does at once what a person would.
		"bin/edit": "#!/bin/sh\nsed -i 's/biggest/largest/' \"$@\"\n",
	}
}

// play plays all scenes in one shell, writes the screens to dir and returns how many there are.
func (h hour) play(ctx context.Context, shell, dir string) (n int, err error) {
	start, ok := starts()[shell]
	if !ok {
		return 0, errors.New("no such shell: bash, zsh or fish")
	}
	bin, err := exec.LookPath(shell)
	if err != nil {
		return 0, err
	}
	home, err := os.MkdirTemp("", "hour")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, removed(home)) }()
	below := files()
	below[start.rc] = start.text
	for name, text := range below {
		mode := os.FileMode(0o600)
		if strings.HasPrefix(name, "bin/") {
			mode = 0o700
		}
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), mode)); err != nil {
			return 0, err
		}
	}
	if err := errors.Join(os.Symlink(h.ken, filepath.Join(home, "bin", "ken")), os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
		return 0, err
	}
	model, err := llmtest.Start()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, model.Stop()) }()
	model.Reply(answer)
	model.Models("kettle-7b", "teapot-70b")
	env := []string{
		"HOME=" + home, "PATH=" + filepath.Join(home, "bin") + ":/usr/local/go/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TERM=xterm-256color",
		"SHELL=" + bin, "EDITOR=edit", "TZ=UTC", "TMPDIR=" + home, "GIT_CONFIG_NOSYSTEM=1",
	}
	if h.source != "" { // what go needs is there already
		for _, name := range []string{"GOMODCACHE", "GOCACHE", "GOPROXY", "GOSUMDB"} {
			out, err := exec.CommandContext(ctx, "go", "env", name).Output()
			if err != nil {
				return 0, fmt.Errorf("go env %s: %w", name, err)
			}
			env = append(env, name+"="+strings.TrimSpace(string(out)))
		}
	}
	git := exec.CommandContext(ctx, "git", "init", "-q", "-b", "main", filepath.Join(home, "tea"))
	git.Env = env
	if out, err := git.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("git init: %w: %s", err, out)
	}
	st, err := open(ctx, filepath.Join(home, "tmux"), home, env, h.rows, h.cols, append([]string{bin}, start.args...)...)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, st.close(ctx)) }()
	l := &log{dir: dir}
	err = h.perform(ctx, st, h.steps(script{shell, start.rc, model.URL, h.source}), l)
	all, aerr := st.all(ctx)
	if aerr == nil {
		aerr = os.WriteFile(filepath.Join(dir, "all.txt"), []byte(all), 0o600)
	}
	return l.n, errors.Join(err, aerr)
}

// removed removes dir, in which a shell that is ending may still write its history.
func removed(dir string) (err error) {
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// perform plays the steps. One that shows too little is a fault, and the play goes on; after one that does not
// come to its end it cannot.
func (h hour) perform(ctx context.Context, st *stage, steps []step, l *log) error {
	if _, err := st.until(ctx, "", regexp.MustCompile(shellRow)); err != nil {
		return fmt.Errorf("the shell: %w", err)
	}
	var errs []error
	for _, s := range steps {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		before, _, err := st.screen(ctx)
		if err != nil {
			return err
		}
		if err := st.press(ctx, s.keys); err != nil {
			return err
		}
		shown, err := st.until(ctx, before, regexp.MustCompile(s.until), s.shows...)
		if s.name != "" {
			if werr := l.write(s.name, shown); werr != nil {
				return werr
			}
		}
		if err != nil {
			return errors.Join(append(errs, fmt.Errorf("%q: %w; the screen:\n%s", s.keys, err, shown))...)
		}
		for _, want := range missing(shown, s.shows) {
			errs = append(errs, fmt.Errorf("%s: %q is not shown:\n%s", s.name, want, shown))
		}
	}
	return errors.Join(errs...)
}
