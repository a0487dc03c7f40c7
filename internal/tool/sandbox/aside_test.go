//go:build linux

package sandbox_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ken/internal/proctest"
	"ken/internal/tool/sandbox"
)

// TestAside: what is changed below a layer lands in it, also as who is not root; without what that takes nothing is held.
func TestAside(t *testing.T) {
	t.Parallel()
	needed(t)
	s := newStage(t)
	for _, d := range []string{"upper", "work", "project/own"} {
		if err := os.Mkdir(s.at(d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	wish := sandbox.Wish{
		Mode: sandbox.WriteNet, Dir: s.at("project"), Write: []string{s.at("project")}, Hide: []string{s.at("own")},
		Aside: []sandbox.Layer{{At: s.at("project"), Upper: s.at("upper"), Work: s.at("work")}},
	}
	if !sandbox.Here().Spaces {
		if _, err := sandbox.Open(wish); !errors.Is(err, sandbox.ErrUnavailable) {
			t.Error(err)
		}
		return
	}
	open := wish
	open.Mode = sandbox.Write
	if _, err := sandbox.Open(open); err == nil {
		t.Error("held with a network")
	}
	within := wish
	within.Aside = []sandbox.Layer{{At: s.dir, Upper: s.at("upper"), Work: s.at("work")}}
	if _, err := sandbox.Open(within); err == nil {
		t.Error("a layer in its own directory")
	}
	cmd := proctest.Command(t, program, "attempt", "held")
	asNobody(t, cmd, s.dir)
	cmd.Dir, cmd.Env = s.at("project"), append(s.env, "U="+s.at("upper"), "W="+s.at("work"), `LINE=
		rm mine; echo x >made; cat made; echo $$; echo x >$O/new; echo x >$U/new
		ls /proc/$$ >/dev/null && echo mine
		(exec -a left sleep 60) &`)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "no sandbox") && os.Getuid() == 0 {
		t.Skipf("this system lets nobody but root keep changes aside: %s", out)
	}
	if !strings.Contains(string(out), "\nx\n") || !strings.Contains(string(out), "\nmine\n") {
		t.Errorf("%s", out)
	}
	if _, err := os.Lstat(s.at("project/made")); err == nil {
		t.Error("it was made in the project")
	}
	for name, want := range map[string]bool{"project/mine": true, "upper/made": true, "upper/mine": true, "upper/new": false} {
		if _, err := os.Lstat(s.at(name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if seen := s.effects(t); len(seen) > 0 {
		t.Errorf("%s: %s", strings.Join(seen, "; "), out)
	}
}

// TestAsideRefused: what the system cannot mount is why nothing runs, and not a command that fails.
func TestAsideRefused(t *testing.T) {
	t.Parallel()
	needed(t)
	if !sandbox.Here().Spaces {
		t.Skipf("this machine has %s", sandbox.Here())
	}
	s := newStage(t)
	b, err := sandbox.Open(sandbox.Wish{
		Mode: sandbox.WriteNet, Dir: s.at("project"), Write: []string{s.at("project")},
		Aside: []sandbox.Layer{{At: s.at("project"), Upper: s.at("upper"), Work: s.at("work")}}, // which are not there
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Try(t.Context()); !errors.Is(err, sandbox.ErrUnavailable) || !strings.Contains(err.Error(), "upper") {
		t.Error(err)
	}
	if _, err := sandbox.Open(sandbox.Wish{
		Mode: sandbox.WriteNet, Dir: "/", Write: []string{"/"}, Aside: []sandbox.Layer{{At: "/", Upper: s.at("upper"), Work: s.at("work")}},
	}); !errors.Is(err, sandbox.ErrUnavailable) || !strings.Contains(err.Error(), "something is mounted below /") {
		t.Error(err)
	}
}
