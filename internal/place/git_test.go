//ken:slow

package place

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/proctest"
)

// A gitDirs runs git in directories below one root, apart from whatever the
// person who runs the tests has configured.
type gitDirs struct {
	t    testing.TB
	git  string
	root string
	env  []string // more variables
}

func newGit(t testing.TB) gitDirs {
	t.Helper()
	return gitDirs{t: t, git: gitPath(t), root: tempDir(t)}
}

// run runs git in dir, seen from the root, and gives its output.
func (g gitDirs) run(dir string, args ...string) string {
	g.t.Helper()
	path := filepath.Join(g.root, dir)
	if err := os.MkdirAll(path, 0o700); err != nil {
		g.t.Fatal(err)
	}
	cmd := proctest.Command(g.t, g.git, append([]string{
		"-c", "user.name=me", "-c", "user.email=me@example.com", "-c", "commit.gpgsign=false",
		"-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always",
	}, args...)...)
	cmd.Dir = path
	cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	cmd.Env = append(cmd.Env, g.env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// runAs is run with variables of the environment, given as "NAME=value".
func (g gitDirs) runAs(env []string, dir string, args ...string) string {
	g.t.Helper()
	g.env = env
	return g.run(dir, args...)
}

func (g gitDirs) rename(from, to string) {
	g.t.Helper()
	if err := os.Rename(filepath.Join(g.root, from), filepath.Join(g.root, to)); err != nil {
		g.t.Fatal(err)
	}
}

// repo makes a repository with one commit.
func (g gitDirs) repo(dir string) {
	g.t.Helper()
	g.run(dir, "init", "-q")
	g.run(dir, "commit", "-q", "--allow-empty", "-m", "first "+dir)
}

func (g gitDirs) find(f Finder, dir string) Place {
	g.t.Helper()
	p, err := f.Find(g.t.Context(), filepath.Join(g.root, dir))
	if err != nil {
		g.t.Fatal(err)
	}
	return p
}

func TestB8RealGit(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	f := Finder{Home: g.root}
	g.repo("a")
	g.run("a", "remote", "add", "upstream", "ssh://git@GitHub.com:22/You/Aish.git")
	g.run("a", "remote", "add", "origin", "git@github.com:me/aish.git")
	g.run("a", "remote", "add", "backup", "/srv/backup")
	want := []string{"github.com/me/aish", "github.com/you/aish"}

	g.run("a", "worktree", "add", "-q", "--detach", "../wt")
	g.run("a", "init", "-q", "--separate-git-dir", "../elsewhere")
	g.repo("lib")
	g.run("a", "submodule", "--quiet", "add", filepath.ToSlash(g.root)+"/lib", "deps/lib")
	g.run("a/deps/lib", "remote", "set-url", "origin", "https://github.com/me/lib")

	for dir, ids := range map[string][]string{
		"a": want, "wt": want, "a/deps": want,
		"a/deps/lib": {"github.com/me/lib"},
	} {
		p := g.find(f, dir)
		if p.Repo == nil {
			t.Errorf("%s: no repository", dir)
			continue
		}
		if diff := cmp.Diff(ids, p.Repo.Identities); diff != "" {
			t.Errorf("%s (-want +got)\n%s", dir, diff)
		}
		if top := g.run(dir, "rev-parse", "--show-toplevel"); filepath.ToSlash(p.Repo.Top) != top {
			t.Errorf("%s: Top = %s, git says %s", dir, p.Repo.Top, top)
		}
		common := g.run(dir, "rev-parse", "--git-common-dir")
		if !filepath.IsAbs(common) {
			common = filepath.Join(g.root, dir, common)
		}
		if real, err := filepath.EvalSymlinks(common); err != nil || real != p.Repo.CommonDir {
			t.Errorf("%s: CommonDir = %s, git says %s (%v)", dir, p.Repo.CommonDir, real, err)
		}
		if p.Repo.RootID != "" {
			t.Errorf("%s: git was asked for %s although there are remotes", dir, p.Repo.RootID)
		}
	}
	// The worktree in which nothing is clean is the same repository.
	write(t, filepath.Join(g.root, "a"), "new", "x", ".git-noise", "y")
	if p := g.find(f, "a"); p.Scope() != "repo:github.com/me/aish" {
		t.Errorf("with changes: %s", p.Scope())
	}
}

func TestB8RootCommit(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	f := Finder{Home: g.root, Cache: filepath.Join(g.root, "cache", "places")}

	g.run("x", "init", "-q")
	if p := g.find(f, "x"); p.Scope() != "dir:~/x" || p.Repo == nil {
		t.Errorf("without a commit: %s, %+v", p.Scope(), p.Repo)
	}
	g.run("x", "commit", "-q", "--allow-empty", "-m", "first")
	root := "root-" + g.run("x", "rev-parse", "HEAD")[:12]
	g.run("x", "commit", "-q", "--allow-empty", "-m", "second")
	if p := g.find(Finder{Home: g.root}, "x"); p.Scope() != "repo:"+root {
		t.Errorf("nothing kept: %s, want repo:%s", p.Scope(), root)
	}
	if p := g.find(f, "x"); p.Scope() != "repo:"+root {
		t.Errorf("%s, want repo:%s", p.Scope(), root)
	}
	if runtime.GOOS != "windows" {
		fi, err := os.Stat(f.Cache)
		if err != nil || fi.Mode().Perm() != 0o700 {
			t.Errorf("the cache directory: %v, %v", fi.Mode(), err)
		}
	}

	// Another clone and a worktree are the same; a remote that is a path does
	// not count.
	g.run(".", "clone", "-q", "x", "clone")
	g.run("x", "worktree", "add", "-q", "--detach", "../wt")
	for _, dir := range []string{"clone", "wt"} {
		if p := g.find(f, dir); p.Scope() != "repo:"+root {
			t.Errorf("%s: %s, want repo:%s", dir, p.Scope(), root)
		}
	}

	// A remote that is added later renames it; the old name still holds.
	g.run("x", "remote", "add", "origin", "git@github.com:me/x")
	p := g.find(f, "x")
	if p.Scope() != "repo:github.com/me/x" || !p.Holds("repo:"+root) {
		t.Errorf("with a remote: %s, the root holds: %v", p.Scope(), p.Holds("repo:"+root))
	}
}

func TestB8RootIsKept(t *testing.T) {
	g := newGit(t)
	f := Finder{Home: g.root, Cache: filepath.Join(g.root, "cache")}
	g.repo("x")
	scope := g.find(f, "x").Scope()
	if !strings.HasPrefix(scope, "repo:root-") {
		t.Fatal(scope)
	}
	kept := f.keptAt(filepath.Join(g.root, "x", ".git"))

	t.Setenv("PATH", "") // from here on, no git
	if got := g.find(f, "x").Scope(); got != scope {
		t.Errorf("kept: %s, want %s", got, scope)
	}
	src, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []string{"", "noise", strings.TrimSuffix(string(src), "\n"), strings.Replace(string(src), "root-", "root", 1), "/else" + string(src)} {
		if err := os.WriteFile(kept, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := g.find(f, "x").Scope(); got != "dir:~/x" {
			t.Errorf("%q was taken for a root: %s", damaged, got)
		}
	}
	if err := os.WriteFile(kept, src, 0o600); err != nil {
		t.Fatal(err)
	}
	// Another repository in the same place is another one.
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(g.root, "x/.git/description"), later, later); err != nil {
		t.Fatal(err)
	}
	if got := g.find(f, "x").Scope(); got != "dir:~/x" {
		t.Errorf("what was kept for an earlier repository was taken: %s", got)
	}
}

func TestB8NoRootOfShallowClone(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	g.repo("x")
	g.run("x", "commit", "-q", "--allow-empty", "-m", "second")
	g.run(".", "clone", "-q", "--depth=1", "file://"+filepath.ToSlash(g.root)+"/x", "y")
	if p := g.find(Finder{Home: g.root}, "y"); p.Scope() != "dir:~/y" {
		t.Errorf("%s: the oldest commit of a shallow clone is not the first", p.Scope())
	}
}

// TestB8TwoRoots: of several first commits the oldest names the repository,
// whichever way git comes to them; of two of one time the first by name.
func TestB8TwoRoots(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	when := func(at string) []string {
		return []string{"GIT_COMMITTER_DATE=" + at, "GIT_AUTHOR_DATE=" + at}
	}
	g.run("x", "init", "-q")
	g.runAs(when("2020-01-01T00:00:00Z"), "x", "commit", "-q", "--allow-empty", "-m", "old")
	old := g.run("x", "rev-parse", "HEAD")
	for i, at := range []string{"2021-01-01T00:00:00Z", "2019-06-01T00:00:00Z", "2019-06-01T00:00:00Z"} {
		g.run("x", "checkout", "-q", "--orphan", "other"+strconv.Itoa(i))
		g.runAs(when(at), "x", "commit", "-q", "--allow-empty", "-m", "first "+strconv.Itoa(i))
		g.runAs(when("2022-01-01T00:00:00Z"), "x", "merge", "-q", "--allow-unrelated-histories", "-m", "both", "main")
		g.run("x", "checkout", "-q", "-B", "main")
	}
	roots := strings.Fields(g.run("x", "rev-list", "--max-parents=0", "HEAD"))
	if len(roots) != 4 {
		t.Fatal(roots)
	}
	var oldest []string
	for _, r := range roots {
		if g.run("x", "show", "-s", "--format=%cI", r) == g.run("x", "show", "-s", "--format=%cI", g.run("x", "rev-parse", "other2~0^1")) {
			oldest = append(oldest, r)
		}
	}
	slices.Sort(oldest)
	if len(oldest) != 2 || slices.Contains(oldest, old) {
		t.Fatal(oldest, old)
	}
	if p := g.find(Finder{Home: g.root}, "x"); p.Scope() != "repo:root-"+oldest[0][:12] {
		t.Errorf("%s, want the first of %v", p.Scope(), oldest)
	}
}

// TestB8Layouts: wherever git keeps things and whatever is moved, a repository
// is what it was.
func TestB8Layouts(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	f := Finder{Home: g.root}
	const want = "repo:github.com/me/aish"
	check := func(dir, want string) {
		t.Helper()
		p := g.find(f, dir)
		if p.Scope() != want || p.Broken != nil {
			t.Errorf("%s: %s (%v), want %s", dir, p.Scope(), p.Broken, want)
		}
	}
	g.repo("main")
	g.run("main", "remote", "add", "origin", "https://github.com/me/aish.git")
	g.run("main", "worktree", "add", "-q", "--detach", "../wt")
	g.run("main", "worktree", "move", "../wt", "../wt moved")
	check("wt moved", want)
	// By hand: git finds its own again, and so does ken.
	g.rename("wt moved", "by-hand")
	check("by-hand", want)
	g.run("main", "worktree", "add", "-q", "--detach", "inside/wt")
	g.rename("main", "renamed")
	check("renamed", want)
	if p := g.find(f, "by-hand"); p.Scope() != "dir:~/by-hand" || p.Broken == nil {
		t.Errorf("a worktree whose repository went away: %s, %v", p.Scope(), p.Broken)
	}
	if p := g.find(f, "renamed/inside/wt"); p.Scope() != want || p.Broken == nil {
		t.Errorf("a worktree inside a repository that was moved: %s, %v", p.Scope(), p.Broken)
	}
	g.run("renamed", "worktree", "repair", "../by-hand", "inside/wt")
	check("by-hand", want)
	check("renamed/inside/wt", want)

	// A bare repository with worktrees, beside it and in it.
	g.run(".", "clone", "-q", "--bare", "renamed", "bare.git")
	g.run("bare.git", "remote", "set-url", "origin", "ssh://git@ssh.github.com:443/me/aish")
	g.run("bare.git", "worktree", "add", "-q", "--detach", "../of-bare")
	check("of-bare", want)
	g.run("bare.git", "worktree", "add", "-q", "--detach", "in-bare")
	check("bare.git/in-bare", want)
	check("bare.git", "dir:~/bare.git") // no worktree, no place to work in

	// A submodule in a worktree of its superproject.
	g.repo("lib")
	g.run("renamed", "submodule", "--quiet", "add", filepath.ToSlash(g.root)+"/lib", "deps/lib")
	g.run("renamed", "commit", "-q", "-m", "with lib")
	g.run("renamed", "worktree", "add", "-q", "-b", "more", "../more")
	g.run("more", "submodule", "--quiet", "update", "--init")
	g.run("more/deps/lib", "remote", "set-url", "origin", "https://github.com/me/lib")
	check("more", want)
	check("more/deps/lib", "repo:github.com/me/lib")
	g.rename("renamed", "again")
	g.run("again/deps/lib", "remote", "set-url", "origin", "https://github.com/me/lib")
	check("again/deps/lib", "repo:github.com/me/lib")

	// A fork knows the repository that it came from, however late.
	g.run(".", "clone", "-q", "again", "fork")
	g.run("fork", "remote", "set-url", "origin", "git@github.com:you/aish")
	p := g.find(f, "fork")
	if p.Scope() != "repo:github.com/you/aish" || p.Holds(want) {
		t.Errorf("a fork alone: %s", p.Scope())
	}
	g.run("fork", "remote", "add", "upstream", "https://github.com/ME/aish")
	if p := g.find(f, "fork"); p.Scope() != "repo:github.com/you/aish" || !p.Holds(want) {
		t.Errorf("a fork with its upstream: %s", p.Scope())
	}
}

// TestB8InsteadOfAgreesWithGit: what an address is rewritten to is what git
// says.
func TestB8InsteadOfAgreesWithGit(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	g.run("x", "init", "-q")
	for _, kv := range [][2]string{
		{"url.https://github.com/.insteadOf", "gh:"},
		{"url.https://long.example/.insteadOf", "gh:me/"},
		{"url.https://empty.example/.insteadOf", ""},
		{"url.ssh://git@github.com/.insteadOf", "https://github.com/"},
	} {
		g.run("x", "config", "--add", kv[0], kv[1])
	}
	src, err := os.ReadFile(filepath.Join(g.root, "x/.git/config"))
	if err != nil {
		t.Fatal(err)
	}
	settings := parseConfig(string(src))
	for _, u := range []string{"gh:you/x", "gh:me/x", "https://github.com/a/b", "https://other.example/a", "git@h:p", "gh:"} {
		if got, want := insteadOf(u, settings), g.run("x", "ls-remote", "--get-url", u); got != want {
			t.Errorf("%s is rewritten to %s, git says %s", u, got, want)
		}
	}
}

// fakeGit puts a program called git that runs script first in PATH.
func fakeGit(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell scripts on Windows")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestB8GitTakesTooLong(t *testing.T) {
	root := tempDir(t)
	write(t, root, "x/.git/HEAD", head)
	fakeGit(t, "echo ran >>"+filepath.Join(root, "log")+"\nexec sleep 30")
	f := Finder{Home: root, Cache: filepath.Join(root, "cache")}
	start := time.Now()
	for range 2 {
		p, err := f.Find(t.Context(), filepath.Join(root, "x"))
		if err != nil || p.Scope() != "dir:~/x" {
			t.Errorf("%s, %v", p.Scope(), err)
		}
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("waited %v", d)
	}
	if ran, err := os.ReadFile(filepath.Join(root, "log")); err != nil || string(ran) != "ran\n" {
		t.Errorf("git ran %q times (%v): the person waits once only", ran, err)
	}
}

func TestB8GitAnswersNoise(t *testing.T) {
	root := tempDir(t)
	write(t, root, "x/.git/HEAD", head)
	for _, script := range []string{"exit 1", "exit 0", "echo fatal", "echo 1 0123456789", "echo 0123456789abcdef", "echo 1 0123456789ABCDEF", "echo 1 0123456789abcdef; echo fatal", "echo 1 0123456789abcdef; exit 128"} {
		fakeGit(t, script)
		p, err := Find(filepath.Join(root, "x"), root)
		if err != nil || p.Scope() != "dir:~/x" {
			t.Errorf("%s: %s, %v", script, p.Scope(), err)
		}
	}
}

// TestB8GitRunsNothing gives git a repository that lacks its history and names
// a program to fetch it with. Looking must not run it.
func TestB8GitRunsNothing(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	g.repo("full")
	first := g.run("full", "rev-parse", "HEAD")
	g.run("full", "commit", "-q", "--allow-empty", "-m", "second")
	g.run(".", "clone", "-q", "full", "trap")
	trap := filepath.Join(g.root, "trap")
	ran := filepath.Join(g.root, "ran")
	for _, kv := range [][2]string{
		{"core.repositoryformatversion", "1"},
		{"extensions.partialclone", "origin"},
		{"remote.origin.promisor", "true"},
		{"remote.origin.uploadpack", "touch " + filepath.ToSlash(ran) + "; git-upload-pack"},
	} {
		g.run("trap", "config", kv[0], kv[1])
	}
	lost := filepath.Join(trap, ".git/objects", first[:2], first[2:])
	if err := os.Remove(lost); err != nil {
		t.Fatal(err)
	}
	if p := g.find(Finder{Home: g.root}, "trap"); p.Scope() != "dir:~/trap" {
		t.Errorf("%s", p.Scope())
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("looking at a repository ran the program that it names")
	}
	// The trap is one: git itself walks into it.
	cmd := proctest.Command(t, g.git, "rev-list", "--max-parents=0", "HEAD")
	cmd.Dir = trap
	_ = cmd.Run() // it may fail or not, depending on what it fetched
	if _, err := os.Stat(ran); err != nil {
		t.Error("the repository of this test is harmless: it tests nothing")
	}
}
