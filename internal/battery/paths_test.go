//go:build unix

package battery

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ken/internal/session"
)

// A place is what stands where a file should be.
type place struct {
	name string
	// make puts it at path, where the file is; aside is a directory beside the home.
	make func(path, aside string) error
	// works says that operations must succeed on it.
	works bool
}

func places() []place {
	link := func(to func(path, aside string) string) func(path, aside string) error {
		return func(path, aside string) error {
			target := to(path, aside)
			if _, err := os.Lstat(path); err == nil {
				if err := os.Rename(path, filepath.Join(aside, "moved")); err != nil {
					return err
				}
			}
			return os.Symlink(target, path)
		}
	}
	gone := func(then func(path string) error) func(path, aside string) error {
		return func(path, _ string) error { return errors.Join(os.RemoveAll(path), then(path)) }
	}
	return []place{
		{"a link to the file", link(func(_, aside string) string { return filepath.Join(aside, "moved") }), true},
		{"a link to nothing", link(func(_, aside string) string { return filepath.Join(aside, "new") }), true},
		{"a link to itself", gone(func(path string) error { return os.Symlink(path, path) }), false},
		{"a link into a missing directory", func(path, aside string) error {
			return errors.Join(os.RemoveAll(path), os.Symlink(filepath.Join(aside, "nowhere", "at", "all"), path))
		}, false},
		{"a pipe", gone(func(path string) error { return syscall.Mkfifo(path, 0o600) }), false},
		{"a directory", gone(func(path string) error { return os.Mkdir(path, 0o700) }), false},
		{"a device", gone(func(path string) error { return os.Symlink("/dev/zero", path) }), false},
		{"an empty file", gone(func(path string) error { return os.WriteFile(path, nil, 0o600) }), true},
		{"no file", gone(func(string) error { return nil }), true},
		{"a file that only its owner's group reads", func(path, _ string) error { return os.Chmod(path, 0o640) }, true},
		{"a second name", func(path, aside string) error { return os.Link(path, filepath.Join(aside, "second")) }, true},
	}
}

// TestF13 puts something else in the place of each file while ken has it open.
// Operations succeed where they can, or say why not; they never wait for ever,
// and never bring back what was removed.
func TestF13(t *testing.T) {
	t.Parallel()
	var r Report
	root := temp(t)
	for _, name := range []string{"home", "a home", "a\nhome", "häuschen 🏠", "-rf"} {
		for _, p := range places() {
			for _, file := range []string{"memory.jsonl", "review.jsonl", "session"} {
				if name != "home" && p.name != "no file" {
					continue
				}
				if file == "session" {
					at := root()
					h, aside := NewHome(filepath.Join(at, name)), filepath.Join(at, "aside")
					if err := errors.Join(os.Mkdir(aside, 0o700), os.Mkdir(h.Dir, 0o700)); err != nil {
						t.Fatal(err)
					}
					r.Add(sessionPathCase(h, p, aside), "%q: %s for a conversation", name, p.name)
					continue
				}
				at := root()
				h := NewHome(filepath.Join(at, name))
				aside := filepath.Join(at, "aside")
				l := NewLedger()
				err := errors.Join(os.Mkdir(aside, 0o700), os.Mkdir(h.Dir, 0o700), Start(t.Context(), h, l))
				if err != nil {
					t.Fatal(err)
				}
				r.Add(pathCase(t, h, p, file, aside), "%q: %s for %s", name, p.name, file)
			}
		}
	}
	report(t, r, nil)
}

func pathCase(t *testing.T, h *Home, p place, file, aside string) error {
	t.Helper()
	e := h.Engine()
	if _, err := e.State(t.Context()); err != nil {
		return err
	}
	path := filepath.Join(h.Dir, file)
	if err := p.make(path, aside); err != nil {
		return err
	}
	before, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	done := make(chan error, 1)
	go func() {
		l := NewLedger()
		err := stated(t.Context(), h, l, e, "written all the same")
		_, perr := proposed(t.Context(), l, e, "proposed all the same")
		done <- errors.Join(err, perr)
	}()
	select {
	case err = <-done:
	case <-time.After(time.Minute):
		return errors.New("it waits for ever")
	}
	after, serr := os.Lstat(path)
	switch {
	case p.works && err != nil:
		return err
	case !p.works && err == nil:
		return errors.New("it works, nobody knows how")
	case p.works && serr != nil:
		return serr
	case before != nil && serr == nil && before.Mode() != after.Mode():
		return errors.New("the mode was " + before.Mode().String() + " and is " + after.Mode().String())
	case !p.works:
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if (p.name == "no file" || p.name == "an empty file") && bytes.Contains(b, []byte(firstText)) {
		return errors.New("what was removed is back")
	}
	if !bytes.Contains(b, []byte("all the same")) {
		return ErrLost
	}
	return nil
}

// sessionPathCase puts something in the place of a conversation that goes on. What
// is said next is in the file, or somebody is told that it is not.
func sessionPathCase(h *Home, p place, aside string) error {
	w, err := h.Sessions(true).Create(session.Header{Channel: session.ChannelTerminal})
	if err == nil {
		_, err = w.AppendTurn(session.Turn{Role: session.RoleUser, Content: "said before"})
	}
	if err != nil {
		return err
	}
	if err := p.make(w.Path(), aside); err != nil {
		return err
	}
	done := make(chan [3]error, 1)
	go func() {
		_, first := w.AppendTurn(session.Turn{Role: session.RoleUser, Content: "said at once"})
		_, second := w.AppendTurn(session.Turn{Role: session.RoleUser, Content: "said then"})
		done <- [3]error{first, second, w.Close()}
	}()
	var errs [3]error
	select {
	case errs = <-done:
	case <-time.After(time.Minute):
		return errors.New("it waits for ever")
	}
	told := errors.Join(errs[:]...)
	if !p.works {
		if told == nil {
			return errors.New("it works, nobody knows how")
		}
		return nil
	}
	b, err := os.ReadFile(w.Path())
	switch {
	case err != nil:
		return err
	case p.name == "no file" && !errors.Is(told, session.ErrRemoved):
		return fmt.Errorf("the file was removed, and nothing reports it: %w", errors.Join(told))
	case (p.name == "no file" || p.name == "an empty file") && bytes.Contains(b, []byte("said before")):
		return errors.New("what was removed is back")
	case p.name == "a link to nothing":
		return nil // what comes to stand behind it is the link's business
	case !bytes.Contains(b, []byte("said then")) && errs[1] == nil && errs[2] == nil:
		return ErrLost
	}
	return nil
}
