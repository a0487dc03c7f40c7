//go:build linux

package sandbox_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/tool/sandbox"
)

// TestOpen: what cannot be held is refused; nothing is held less than was asked for.
func TestOpen(t *testing.T) {
	t.Parallel()
	needed(t)
	dir := t.TempDir()
	for _, name := range []string{"project/in", "own/in"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		name        string
		mode        sandbox.Mode
		write, hide string
		want        string
	}{
		{"as usual", sandbox.Write, "project", "own", ""},
		{"the most there is", sandbox.Auto, "project", "own", ""},
		{"off is no way to be held", sandbox.Off, "project", "own", "no sandbox"},
		{"nor is nothing", "", "project", "own", "no sandbox"},
		{"nor is another word", "some", "project", "own", "no sandbox"},
		{"the project is ken's own", sandbox.Write, "own", "own", "its own files"},
		{"the project is within ken's own", sandbox.Write, "own/in", "own", "its own files"},
		{"ken's own is not there yet", sandbox.Write, "project", "later", ""},
	} {
		b, err := sandbox.Open(sandbox.Wish{Mode: c.mode, Dir: at(c.write), Write: []string{at(c.write)}, Hide: []string{at(c.hide)}})
		switch {
		case c.want == "" && (err != nil || b.Mode != sandbox.Write && b.Mode != sandbox.WriteNet):
			t.Errorf("%s: %v, %v", c.name, b, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	for _, m := range []sandbox.Machine{{}, {Filter: true}, {Landlock: 7}, {Landlock: 2, Filter: true}, {Filter: true, Spaces: true}} {
		if m.Most() != "" {
			t.Errorf("%s is enough for %s", m, m.Most())
		}
	}
	for _, m := range []sandbox.Machine{{Landlock: 3, Filter: true}, {Landlock: 1, Filter: true, Spaces: true}} {
		if m.Most() != sandbox.WriteNet {
			t.Errorf("%s is not enough", m)
		}
	}
	if _, err := sandbox.Open(sandbox.Wish{Mode: sandbox.Off}); !errors.Is(err, sandbox.ErrUnavailable) {
		t.Error(err)
	}
}

// TestWithin: ken's own files within the project are hidden where there are namespaces, and
// the project goes on being one.
func TestWithin(t *testing.T) {
	t.Parallel()
	needed(t)
	s := newStage(t)
	if err := os.Mkdir(s.at("project/own"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.at("project/own/key"), []byte("secret-of-ken"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := sandbox.Open(sandbox.Wish{
		Mode: sandbox.Write, Dir: s.at("project"), Write: []string{s.at("project")}, Hide: []string{s.at("project/own"), s.at("project/own/key")},
	})
	if !sandbox.Here().Spaces {
		if !errors.Is(err, sandbox.ErrUnavailable) {
			t.Errorf("%v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"cat own/key >got", "umount own; cat own/key >got", "mv own other; cat other/key >got", "rm -rf own; mkdir own", "echo x >>own/key",
	} {
		out := s.try(t, escape{line: line}, b)
		if text, err := os.ReadFile(s.at("project/own/key")); err != nil || string(text) != "secret-of-ken" {
			t.Errorf("%s: key is %q, %v: %s", line, text, err, out)
		}
		if seen := s.effects(t); len(seen) > 0 {
			t.Errorf("%s: %q: %s", line, seen, out)
		}
	}
	if out := s.try(t, escape{line: "echo x >made && cat made"}, b); out != "x\n" {
		t.Errorf("%q", out)
	}
}

// TestEveryday: what commands do all day works in the sandbox.
func TestEveryday(t *testing.T) {
	t.Parallel()
	needed(t)
	for _, e := range []escape{
		{name: "files of the project", line: `mkdir a && echo x >a/b && mv a/b c && ln c f && ln -s c e && chmod 700 c && touch -d @1 c && rm f`},
		{name: "from one directory to another", line: `mkdir x y && echo 1 >x/a && mv x/a y/b && cat y/b`},
		{name: "temporary files", line: `f=$(mktemp) && echo x >$f && cat $f && rm $f && d=$(mktemp -d) && rmdir $d`},
		{name: "devices", line: `echo x >/dev/null && head -c 3 /dev/zero | wc -c && head -c 3 /dev/urandom | wc -c`},
		{name: "its own output by name", line: `echo x >/dev/stdout && echo y | tee /dev/stderr`},
		{name: "pipes and substitutions", line: `test "$(echo a | tr a b)" = b && cat <(echo x) && cat <<<y`},
		{name: "jobs", line: `(sleep 0.05; echo late) & wait; kill -0 $$`},
		{name: "its children", line: `sleep 5 & kill $! && ! wait $!`},
		{name: "programs of the system", line: `ls / >/dev/null && cat /etc/passwd >/dev/null && id && date && ps >/dev/null 2>&1; uname`},
		{name: "its own process", line: `cat /proc/self/status >/dev/null && ls /proc/self/fd && cat /proc/$$/environ >/dev/null`},
		{
			name: "git",
			line: `type git || exit 0; git init -q g && cd g && echo 1 >a && git add a && git -c user.name=x -c user.email=x@e.org commit -qm one`,
		},
		{name: "a project outside is read", line: `cat $O/kept`},
	} {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			for _, spaces := range []bool{true, false} {
				if spaces && !sandbox.Here().Spaces {
					continue
				}
				s := newStage(t)
				b := s.box(t, sandbox.WriteNet)
				if !spaces {
					b = b.WithoutSpaces()
				}
				out := s.try(t, escape{line: "(" + e.line + ") && echo all is well"}, b)
				if !strings.HasSuffix(out, "all is well\n") {
					t.Errorf("namespaces %t: %s", spaces, out)
				}
			}
		})
	}
	t.Run("a program that talks to itself", func(t *testing.T) {
		t.Parallel()
		if !sandbox.Here().Spaces {
			t.Skip("there is no loopback without namespaces")
		}
		s := newStage(t)
		if out := s.try(t, escape{goes: "itself"}, s.box(t, sandbox.WriteNet)); out != "" {
			t.Error(out)
		}
	})
}
