//go:build unix

package place

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestB8Broken: whatever stands where git would have something, looking at it
// ends, and a person is told what could not be read.
func TestB8Broken(t *testing.T) {
	t.Setenv("PATH", "") // no git
	fifo := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	locked := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
		}
	}
	link := func(name, target string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	known := []string{".git/HEAD", head, ".git/config", remote("origin", "https://h/x")}
	for _, c := range []struct {
		name   string
		files  []string // below the directory "src"
		do     func(t *testing.T, dir string)
		scope  string
		broken string // part of the error; "" for none
	}{
		{"nothing", []string{"x", ""}, nil, "dir:~/src", ""},
		{"empty", []string{".git/", ""}, nil, "dir:~/src", ""},
		{"pipe", []string{"x", ""}, fifo(".git"), "dir:~/src", "not a regular file"},
		{"link to itself", []string{"x", ""}, link(".git", ".git"), "dir:~/src", "too many levels"},
		{"link to nowhere", []string{"x", ""}, link(".git", "gone"), "dir:~/src", "no such file"},
		{"link to a repository", []string{"else/HEAD", head, "else/config", remote("origin", "https://h/x")}, link(".git", "else"), "repo:h/x", ""},
		{"noise", []string{".git", "noise"}, nil, "dir:~/src", "names no gitdir"},
		{"huge", []string{".git", strings.Repeat("gitdir: x\n", maxGitFile/10+1)}, nil, "dir:~/src", "more than the"},
		{"points nowhere", []string{".git", "gitdir: gone\n"}, nil, "dir:~/src", "no such file"},
		{"points to itself", []string{".git", "gitdir: .git\n"}, nil, "dir:~/src", "not a directory"},
		{"points to a NUL", []string{".git", "gitdir: a\x00b\n"}, nil, "dir:~/src", "invalid argument"},
		{"not to be looked into", known, locked(".git"), "dir:~/src", "permission denied"},
		{"config not to be read", known, locked(".git/config"), "dir:~/src", "permission denied"},
		{"config is huge", []string{".git/HEAD", head, ".git/config", remote("origin", "https://h/x") + strings.Repeat("#\n", maxGitFile/2)}, nil, "dir:~/src", "more than the"},
		{"config is a pipe", []string{".git/HEAD", head}, fifo(".git/config"), "dir:~/src", "not a regular file"},
		{"commondir is a pipe", known, fifo(".git/commondir"), "repo:h/x", "not a regular file"},
		{"commondir goes round", append([]string{".git/commondir", ".\n"}, known...), nil, "repo:h/x", ""},
		{"commondir leads away", append([]string{".git/commondir", "../gone\n"}, known...), nil, "dir:~/src", ""},
		{"HEAD is a pipe", []string{".git/config", remote("origin", "https://h/x")}, fifo(".git/HEAD"), "repo:h/x", ""},
		{"description is a pipe", known, fifo(".git/description"), "repo:h/x", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Contains(c.broken, "permission") && os.Geteuid() == 0 {
				t.Skip("the superuser may read everything")
			}
			home := tempDir(t)
			src := filepath.Join(home, "src")
			write(t, src, c.files...)
			if c.do != nil {
				c.do(t, src)
			}
			guard := time.AfterFunc(time.Minute, func() { panic("looking at " + c.name + " hangs") })
			defer guard.Stop()
			p, err := Finder{Home: home, Cache: filepath.Join(home, "cache")}.Find(t.Context(), src)
			if err != nil {
				t.Fatal(err)
			}
			if p.Scope() != c.scope {
				t.Errorf("Scope() = %s, want %s", p.Scope(), c.scope)
			}
			switch {
			case c.broken == "" && p.Broken != nil:
				t.Errorf("Broken = %v", p.Broken)
			case c.broken != "" && (p.Broken == nil || !strings.Contains(p.Broken.Error(), c.broken)):
				t.Errorf("Broken = %v, want an error with %q", p.Broken, c.broken)
			}
		})
	}
}

// TestB8GitHangs: git itself may wait for a pipe; the person does not.
func TestB8GitHangs(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	g.repo("x")
	if err := os.Remove(filepath.Join(g.root, "x/.git/HEAD")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(g.root, "x/.git/HEAD"), 0o600); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(time.Minute, func() { panic("git is waited for") })
	defer guard.Stop()
	if p := g.find(Finder{Home: g.root}, "x"); p.Scope() != "dir:~/x" {
		t.Errorf("%s", p.Scope())
	}
}
