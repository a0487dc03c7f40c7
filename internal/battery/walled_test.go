//go:build unix

package battery

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/cli"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/session"
)

// nobody is the user that a process becomes whom modes must stop: root passes them.
const nobody = 65534

// A wall is what a process meets that may not do everything.
type wall struct {
	name  string
	umask int
	// build changes the home, which belongs to the process unless foreign is set.
	build   func(h *Home, said string) error
	foreign bool
	// modes says that it is about modes, which stop nobody who is root.
	modes bool
	// stops names the operations that must fail: remember, propose, say, read.
	stops string
}

func walls() []wall {
	chmod := func(mode os.FileMode, of func(h *Home, said string) []string) func(*Home, string) error {
		return func(h *Home, said string) error {
			var errs []error
			for _, path := range of(h, said) {
				errs = append(errs, os.Chmod(path, mode))
			}
			return errors.Join(errs...)
		}
	}
	file := func(h *Home, said string) []string { return []string{h.Memory(), h.Review(), said} }
	dir := func(h *Home, _ string) []string { return []string{filepath.Join(h.Dir, "sessions"), h.Dir} }
	none := func(*Home, string) error { return nil }
	return []wall{
		{name: "umask 000", umask: 0, build: none},
		{name: "umask 022", umask: 0o022, build: none},
		{name: "umask 777", umask: 0o777, build: none},
		{name: "files that cannot be written", umask: 0o077, modes: true, build: chmod(0o400, file), stops: "remember propose say"},
		{name: "files that cannot be read", umask: 0o077, modes: true, build: chmod(0o200, file), stops: "remember propose say read"},
		{name: "files of mode 000", umask: 0o077, modes: true, build: chmod(0, file), stops: "remember propose say read"},
		{name: "directories that cannot be written", umask: 0o077, modes: true, build: chmod(0o500, dir)},
		{name: "directories of mode 000", umask: 0o077, modes: true, build: chmod(0, dir), stops: "remember propose say read"},
		{name: "files of somebody else", umask: 0o077, modes: true, build: none, foreign: true, stops: "remember propose say read"},
	}
}

// walled is the process: it remembers, proposes, goes on with a conversation and
// reads, and says what came of each.
func walled(ctx context.Context, dir string, n uint64, _ int) error {
	w := walls()[n]
	h := NewHome(dir)
	paths, err := h.sessionFiles()
	if err != nil {
		return err
	}
	if os.Geteuid() == 0 && w.modes {
		if err := syscall.Setuid(nobody); err != nil {
			return err
		}
	}
	syscall.Umask(w.umask)
	say := func(what string, err error) {
		text := "done"
		if err != nil {
			text = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(what, text)
	}
	e := h.Engine()
	_, err = e.Remember(ctx, engine.Draft{Content: "behind the wall"})
	say("remember", err)
	_, err = e.Propose(ctx, engine.Suggestion{Record: memory.Record{Content: "proposed behind the wall", Origin: memory.OriginModel}})
	say("propose", err)
	err = errors.New("no conversation was found")
	if len(paths) > 0 {
		var s *session.Writer
		if s, _, err = h.Sessions(true).Open(paths[0]); err == nil {
			_, err = s.AppendTurn(session.Turn{Role: session.RoleUser, Content: "said behind the wall"})
			err = errors.Join(err, s.Close())
		}
	}
	say("say", err)
	_, err = h.Engine().State(ctx)
	say("read", err)
	return nil
}

// TestF13Walls has processes work that may not do everything: under every umask what
// they make is their user's alone; what they may not do they say, with the path, and
// change nothing.
func TestF13Walls(t *testing.T) {
	t.Parallel()
	var r Report
	root := temp(t)
	for n, w := range walls() {
		at := root()
		h := NewHome(filepath.Join(at, "home"))
		err := errors.Join(os.Chmod(filepath.Dir(at), 0o711), os.Chmod(at, 0o711), os.Mkdir(h.Dir, 0o700), Start(t.Context(), h, NewLedger()))
		if err != nil {
			t.Fatal(err)
		}
		r.Add(wallCase(t, h, w, uint64(n)), "%s", w.name)
	}
	report(t, r, nil)
}

func wallCase(t *testing.T, h *Home, w wall, n uint64) error {
	t.Helper()
	said, err := h.sessionFiles()
	if err != nil {
		return err
	}
	before, err := linesOf(h)
	if err != nil {
		return err
	}
	if os.Geteuid() == 0 && w.modes && !w.foreign {
		err := filepath.WalkDir(h.Dir, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, nobody, nobody))
		})
		if err != nil {
			return err
		}
	}
	if w.foreign && os.Geteuid() != 0 {
		return nil // there is nobody else to give files to
	}
	if err := w.build(h, said[0]); err != nil {
		return err
	}
	c := startChild(t, h.Dir, "walled", n, 0)
	var errs []error
	heard := 0
	for c.said.Scan() {
		what, text, _ := strings.Cut(c.said.Text(), " ")
		stopped := strings.Contains(w.stops, what)
		switch heard++; {
		case stopped && text == "done":
			errs = append(errs, fmt.Errorf("%s works, nobody knows how", what))
		case stopped && !strings.Contains(text, h.Dir):
			errs = append(errs, fmt.Errorf("%s does not say which file: %s", what, text))
		case !stopped && text != "done":
			errs = append(errs, fmt.Errorf("%s: %s", what, text))
		}
	}
	errs = append(errs, c.cmd.Wait())
	if heard != 4 {
		errs = append(errs, fmt.Errorf("%d of 4 things were said", heard))
	}
	if w.stops == "" {
		return errors.Join(append(errs, modes(h.Dir), dirModes(h.Dir, w))...)
	}
	now, err := linesOf(h)
	for path, text := range before {
		if os.Geteuid() == 0 && now[path] != text { // others cannot look
			errs = append(errs, fmt.Errorf("%s changed", filepath.Base(path)))
		}
	}
	if os.Geteuid() != 0 {
		err = nil
	}
	return errors.Join(append(errs, err)...)
}

// dirModes checks that nobody else gets into a directory.
func dirModes(dir string, w wall) error {
	if strings.HasPrefix(w.name, "directories") {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		fi, err := d.Info()
		if err == nil && fi.Mode().Perm() != 0o700 {
			err = fmt.Errorf("%s has the mode %v", path, fi.Mode())
		}
		return err
	})
}

// TestF13Homeless runs the program without HOME and any directory: it says so, once,
// and makes nothing where it stands.
func TestF13Homeless(t *testing.T) {
	t.Parallel()
	var r Report
	for _, args := range [][]string{{"remember", "one"}, {"memory", "list"}, {"recall", "one"}, {"check"}, {"sessions", "list"}} {
		dir := temp(t)()
		in, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		var out, told bytes.Buffer
		code := cli.Run(t.Context(), term.Env{
			Args: args, Stdin: in, Stdout: &out, Stderr: &told, Dir: dir, Now: time.Now, Getenv: func(string) string { return "" },
		})
		err = in.Close()
		left, derr := os.ReadDir(dir)
		lines := 0
		for s := bufio.NewScanner(strings.NewReader(told.String())); s.Scan(); {
			if strings.HasPrefix(s.Text(), "ken: error: ") {
				lines++
			}
		}
		switch err = errors.Join(err, derr); {
		case code == 0, lines != 1, !strings.Contains(told.String(), "HOME"):
			err = errors.Join(err, fmt.Errorf("exit %d: %s", code, told.String()))
		case len(left) > 0:
			err = errors.Join(err, fmt.Errorf("it left %v", left))
		}
		r.Add(err, "%v", args)
	}
	report(t, r, nil)
}
