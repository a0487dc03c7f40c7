package place

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write makes the files, given as path and content in turns, below dir. A path
// that ends in "/" is a directory.
func write(t testing.TB, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if strings.HasSuffix(files[i], "/") {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// tempDir is t.TempDir without symbolic links.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// remote is a config file with one remote.
func remote(name, url string) string {
	return "[remote \"" + name + "\"]\n\turl = " + url + "\n"
}

const head = "ref: refs/heads/main\n"

// find is Find without git: these repositories are made by hand, and what is
// known of them must not depend on a program.
func find(t *testing.T, dir, home string) Place {
	t.Helper()
	p, err := Find(dir, home)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestB8Find(t *testing.T) {
	t.Setenv("PATH", "") // no git
	for _, c := range []struct {
		name  string
		files []string // below the directory "src"
		at    string   // seen from there
		top   string   // "-" for no repository
		ids   []string
		scope string
	}{
		{name: "no repository", files: []string{"a/b/", ""}, at: "a/b", top: "-", scope: "dir:~/src/a/b"},
		{
			name: "plain", files: []string{"x/.git/HEAD", head, "x/.git/config", remote("origin", "git@github.com:me/aish.git"), "x/y/z/", ""},
			at: "x/y/z", top: "x", ids: []string{"github.com/me/aish"}, scope: "repo:github.com/me/aish",
		},
		{
			name: "origin first", files: []string{".git/HEAD", head, ".git/config", remote("fork", "https://h/b/x") + remote("origin", "https://h/a/x") + remote("old", "ssh://h/A/X.git")},
			top: ".", ids: []string{"h/a/x", "h/b/x"}, scope: "repo:h/a/x",
		},
		{
			name: "no origin", files: []string{".git/HEAD", head, ".git/config", remote("b", "https://h/b/x") + remote("a", "https://h/a/x")},
			top: ".", ids: []string{"h/b/x", "h/a/x"}, scope: "repo:h/b/x",
		},
		{
			name: "two addresses and one taken back", files: []string{".git/HEAD", head, ".git/config", "[remote \"origin\"]\nurl=https://h/1\nurl=\nurl=https://h/2\nurl=https://h/3\n"},
			top: ".", ids: []string{"h/2", "h/3"}, scope: "repo:h/2",
		},
		{
			name: "local remotes do not count", files: []string{".git/HEAD", head, ".git/config", remote("origin", "/srv/git/x.git") + remote("b", "../x") + remote("c", "file:///x") + remote("d", "https://h/d/x")},
			top: ".", ids: []string{"h/d/x"}, scope: "repo:h/d/x",
		},
		{name: "no remote, no git", files: []string{".git/HEAD", head}, top: ".", scope: "dir:~/src"},
		{
			name: "a shorthand by insteadOf; includes are not followed",
			files: []string{
				".git/HEAD", head, ".git/config", "[url \"https://github.com/\"]\ninsteadOf = gh:\n[include]\npath = more\n" + remote("origin", "gh:me/x"),
				".git/more", remote("other", "https://h/o/x"),
			},
			top: ".", ids: []string{"github.com/me/x", "gh/me/x"}, scope: "repo:github.com/me/x",
		},
		{
			name: "a mirror by insteadOf of the person's own configuration",
			files: []string{
				".git/HEAD", head, ".git/config", remote("origin", "https://github.com/me/x"),
				"../.gitconfig", "[url \"https://mirror.corp.example/gh/\"]\n\tinsteadOf = https://github.com/\n",
			},
			top: ".", ids: []string{"github.com/me/x", "mirror.corp.example/gh/me/x"}, scope: "repo:github.com/me/x",
		},
		{
			name: "the longest insteadOf counts",
			files: []string{
				".git/HEAD", head, ".git/config", remote("origin", "gh:me/x") + "[url \"https://a.example/\"]\ninsteadOf = gh\n",
				"../.config/git/config", "[url \"https://b.example/\"]\n\tinsteadOf = gh:\n\tinsteadOf = other:\n",
				"../.gitconfig", "[url \"https://c.example/\"]\n\tinsteadOf = gh:\n",
			},
			top: ".", ids: []string{"b.example/me/x", "gh/me/x"}, scope: "repo:b.example/me/x",
		},
		{
			name: "a bare repository in a directory of its own",
			files: []string{
				"x/.bare/HEAD", head, "x/.bare/config", "[core]\nbare = true\n" + remote("origin", "https://h/x"),
				"x/.git", "gitdir: ./.bare\n", "x/main/.git", "gitdir: ../.bare/worktrees/main\n",
				"x/.bare/worktrees/main/HEAD", head, "x/.bare/worktrees/main/commondir", "../..\n",
			},
			at: "x/main", top: "x/main", ids: []string{"h/x"}, scope: "repo:h/x",
		},
		{
			name: "worktree",
			files: []string{
				"main/.git/HEAD", head, "main/.git/config", remote("origin", "https://h/w/x"),
				"main/.git/worktrees/wt/HEAD", head, "main/.git/worktrees/wt/commondir", "../..\n",
				"wt/.git", "gitdir: ../main/.git/worktrees/wt\n", "wt/sub/", "",
			},
			at: "wt/sub", top: "wt", ids: []string{"h/w/x"}, scope: "repo:h/w/x",
		},
		{
			name: "submodule, the innermost",
			files: []string{
				".git/HEAD", head, ".git/config", remote("origin", "https://h/outer"),
				".git/modules/inner/HEAD", head, ".git/modules/inner/config", remote("origin", "https://h/inner"),
				"lib/inner/.git", "gitdir: ../../.git/modules/inner\n",
			},
			at: "lib/inner", top: "lib/inner", ids: []string{"h/inner"}, scope: "repo:h/inner",
		},
		{
			name:  "a .git that is none is passed over",
			files: []string{".git/HEAD", head, ".git/config", remote("origin", "https://h/x"), "a/.git/", "", "a/b/.git", "gitdir: /nowhere\n", "a/b/c/.git", "noise"},
			at:    "a/b/c", top: ".", ids: []string{"h/x"}, scope: "repo:h/x",
		},
		{
			name: "damaged config", files: []string{".git/HEAD", head, ".git/config", "[remote \"broken\nurl = https://h/y\n" + remote("origin", "https://h/x")},
			top: ".", ids: []string{"h/x"}, scope: "repo:h/x",
		},
		{name: "config is a directory", files: []string{".git/HEAD", head, ".git/config/x", ""}, top: ".", scope: "dir:~/src"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := tempDir(t)
			src := filepath.Join(home, "src")
			write(t, src, c.files...)
			p := find(t, filepath.Join(src, c.at), home)
			var ids []string
			top := "-"
			if p.Repo != nil {
				ids = p.Repo.Identities
				top, _ = filepath.Rel(src, p.Repo.Top)
			}
			if top != filepath.FromSlash(c.top) {
				t.Errorf("Top = %s, want %s", top, c.top)
			}
			if diff := cmp.Diff(c.ids, ids); diff != "" {
				t.Errorf("Identities (-want +got)\n%s", diff)
			}
			if got := p.Scope(); got != c.scope {
				t.Errorf("Scope() = %s, want %s", got, c.scope)
			}
		})
	}
}

func TestB8HomeIsNoRepository(t *testing.T) {
	t.Parallel()
	home := tempDir(t)
	write(t, home, ".git/HEAD", head, ".git/config", remote("origin", "https://h/dotfiles"),
		"src/x/.git/HEAD", head, "src/x/.git/config", remote("origin", "https://h/x"), "notes/", "")
	if p := find(t, filepath.Join(home, "notes"), home); p.Repo != nil || p.Scope() != "dir:~/notes" {
		t.Errorf("in notes: %+v, %s", p.Repo, p.Scope())
	}
	if p := find(t, home, home); p.Repo != nil || p.Scope() != "dir:~" {
		t.Errorf("at home: %+v, %s", p.Repo, p.Scope())
	}
	if p := find(t, filepath.Join(home, "src/x"), home); p.Scope() != "repo:h/x" {
		t.Errorf("in a repository below: %s", p.Scope())
	}
	if p := find(t, filepath.Join(home, "notes"), filepath.Join(home, "src")); p.Scope() != "repo:h/dotfiles" {
		t.Errorf("with another home: %s", p.Scope())
	}
}

func TestFindCanonical(t *testing.T) {
	t.Parallel()
	root := tempDir(t)
	write(t, root, "home/real/x/", "", "else/", "")
	for link, target := range map[string]string{"home/link": "real", "homelink": "home"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ dir, home, want string }{
		{"home/link/x", "home", "~/real/x"},
		{"homelink/link/x", "home", "~/real/x"},
		{"home/real/../real/x/", "homelink", "~/real/x"},
		{"home", "home", "~"},
		{"else", "home", filepath.ToSlash(root) + "/else"},
		{"home", "hom", filepath.ToSlash(root) + "/home"}, // no such home, and no prefix of words
	} {
		p := find(t, filepath.Join(root, c.dir), filepath.Join(root, c.home))
		if p.Dir != c.want {
			t.Errorf("Find(%s, %s).Dir = %s, want %s", c.dir, c.home, p.Dir, c.want)
		}
	}
	if p := find(t, filepath.Join(root, "else"), ""); p.Dir != filepath.ToSlash(filepath.Join(root, "else")) {
		t.Errorf("without a home Dir = %s", p.Dir)
	}
	if _, err := Find(filepath.Join(root, "nowhere"), root); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Find of a directory that does not exist: %v", err)
	}
}

// at is a Place as Find gives it, without files.
func at(dir, home string, r *Repo) Place {
	return Place{Abs: dir, Dir: short(dir, home), Repo: r, home: home}
}

func out0() Place { return at("/srv/data", "/home/me", nil) }

func TestB8Holds(t *testing.T) {
	t.Parallel()
	if (Place{}).Scope() != "" || (Place{}).RepoScope() != "" || out0().RepoScope() != "" {
		t.Error("nowhere has a scope")
	}
	if got := at("/home/me/x/sub", "/home/me", &Repo{Top: "/home/me/x"}).RepoScope(); got != "dir:~/x" {
		t.Errorf("RepoScope of what cannot be known again: %s", got)
	}
	repo := &Repo{Top: "/home/me/src/aish", Identities: []string{"github.com/me/aish", "gitlab.com/me/aish"}, RootID: "root-0123456789ab"}
	in := at("/home/me/src/aish/sub", "/home/me", repo)
	out := at("/srv/data", "/home/me", nil)
	for _, c := range []struct {
		scope   string
		in, out bool
	}{
		{"", true, true},
		{"user", true, true},
		{"repo:github.com/me/aish", true, false},
		{"repo:GitHub.com/Me/Aish", true, false},
		{"repo:gitlab.com/me/aish", true, false},
		{"repo:root-0123456789ab", true, false},
		{"repo:root-ba9876543210", false, false},
		{"repo:github.com/me/ais", false, false},
		{"repo:github.com/me/aish/sub", false, false},
		{"repo:", false, false},
		{"dir:~", true, false},
		{"dir:~/", true, false},
		{"dir:~/src", true, false},
		{"dir:~/src/aish/sub", true, false},
		{"dir:~/src/aish/sub/", true, false},
		{"dir:~/src/aish/sub/deeper", false, false},
		{"dir:~/src/ai", false, false},
		{"dir:/home/me/src", true, false},
		{"dir:/home/me/src/x/../aish", true, false},
		{"dir:/", true, true},
		{"dir:/srv", false, true},
		{"dir:", false, false},
		{"dir:src", false, false},
		{"dir:~me/src", false, false},
		{"session:20260510T190001Z-7f3a", false, false},
		{"User", false, false},
		{"user ", false, false},
		{"team:x", false, false},
	} {
		if got := in.Holds(c.scope); got != c.in {
			t.Errorf("in a repository Holds(%q) = %v", c.scope, got)
		}
		if got := out.Holds(c.scope); got != c.out {
			t.Errorf("outside Holds(%q) = %v", c.scope, got)
		}
		if got := (Place{}).Holds(c.scope); got != (c.scope == "" || c.scope == "user") {
			t.Errorf("nowhere Holds(%q) = %v", c.scope, got)
		}
	}
	for _, p := range []Place{in, out, at("/srv", "/home/me", &Repo{RootID: "root-0123456789ab"})} {
		if !p.Holds(p.Scope()) {
			t.Errorf("its own scope %s does not hold at %s", p.Scope(), p.Dir)
		}
	}
}

func TestB8Resolve(t *testing.T) {
	t.Parallel()
	root := tempDir(t)
	write(t, root, "me/src/aish/sub/", "", "me/notes/", "")
	if err := os.Symlink("notes", filepath.Join(root, "me/link")); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(root, "me")
	in := at(filepath.Join(home, "src/aish"), home, &Repo{Identities: []string{"github.com/me/aish", "gitlab.com/me/aish"}, RootID: "root-0123456789ab"})
	out := at(filepath.Join(home, "notes"), home, &Repo{})
	known := []string{"user", "repo:github.com/me/ken", "repo:github.com/You/Ken", "repo:example.com/one", "dir:~/one", "repo:root-ffffffffffff"}
	abs := filepath.ToSlash(root)
	for _, c := range []struct {
		p         Place
		arg, want string
		wrong     string // part of the error
	}{
		{in, "user", "user", ""},
		{in, "here", "repo:github.com/me/aish", ""},
		{in, "repo", "repo:github.com/me/aish", ""},
		{in, "dir", "dir:~/src/aish", ""},
		{out, "here", "dir:~/notes", ""},
		{out, "repo", "", "not in a repository"},
		{out, "dir", "dir:~/notes", ""},

		{in, "repo:GitHub.com/Me/Aish", "repo:github.com/me/aish", ""},
		{in, "repo:https://github.com/me/other.git", "repo:github.com/me/other", ""},
		{in, "repo:git@github.com:me/other.git", "repo:github.com/me/other", ""},
		{in, "repo:github.com/new/thing", "repo:github.com/new/thing", ""},
		{in, "repo:one", "repo:example.com/one", ""},
		{in, "repo:me/ken", "repo:github.com/me/ken", ""},
		{in, "repo:You/KEN", "repo:github.com/you/ken", ""},
		{in, "repo:ken", "", "github.com/me/ken, github.com/you/ken"},
		{in, "repo:aish", "", "github.com/me/aish, gitlab.com/me/aish"},
		{in, "repo:e/ken", "", "no repository"},
		{in, "repo:nothing", "", "no repository"},
		{in, "repo:not/whole", "", "no repository"},
		{in, "repo:root-0123456789ab", "repo:root-0123456789ab", ""},
		{out, "repo:root-ffffffffffff", "repo:root-ffffffffffff", ""},
		{out, "repo:root-eeeeeeeeeeee", "repo:root-eeeeeeeeeeee", ""},
		{in, "repo:", "", "want user, here"},

		{in, "dir:sub", "dir:~/src/aish/sub", ""},
		{in, "dir:.", "dir:~/src/aish", ""},
		{in, "dir:..", "dir:~/src", ""},
		{in, "dir:~/link/new/x", "dir:~/notes/new/x", ""},
		{in, "dir:" + abs, "dir:" + abs, ""},
		{in, "dir:~", "dir:~", ""},
		{in, "dir:", "", "want user, here"},
		{Place{}, "dir:~/x", "", "home directory"},
		{Place{}, "dir:x", "", "absolute"},
		{Place{}, "here", "", "working directory"},
		{Place{}, "dir", "", "working directory"},

		{in, "session:x", "", "want user, here"},
		{in, "", "", "want user, here"},
		{in, "Here", "", "want user, here"},
	} {
		got, err := c.p.Resolve(c.arg, known...)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("Resolve(%q) = %q, %v; want an error with %q", c.arg, got, err, c.wrong)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("Resolve(%q) = %q, %v; want %q", c.arg, got, err, c.want)
		}
	}
	if _, err := out.Resolve("repo"); !errors.Is(err, ErrNoRepo) {
		t.Errorf("Resolve(repo) outside: %v", err)
	}
}

func TestB8Same(t *testing.T) {
	t.Parallel()
	in := at("/home/me/src/aish", "/home/me", &Repo{Identities: []string{"github.com/me/aish", "github.com/you/aish"}, RootID: "root-0123456789ab"})
	for _, c := range []struct {
		a, b         string
		same, within bool // a is b; a is one of those that b names
	}{
		{"", "user", true, true},
		{"user", "", true, true},
		{"user", "dir:~", false, false},
		{"repo:GitHub.com/a/b", "repo:github.com/A/B", true, true},
		{"repo:github.com/me/aish", "repo:github.com/you/aish", true, true},
		{"repo:root-0123456789ab", "repo:github.com/me/aish", true, true},
		{"repo:root-ba9876543210", "repo:github.com/me/aish", false, false},
		{"repo:github.com/me/ken", "repo:ken", false, true},
		{"repo:github.com/me/ken", "repo:Me/ken", false, true},
		{"repo:github.com/me/broken", "repo:ken", false, false},
		{"repo:ken", "repo:github.com/me/ken", false, false},
		{"repo:github.com/me/aish", "repo:you/aish", false, true},
		{"repo:root-0123456789ab", "repo:me/aish", false, true},
		{"repo:x", "repo:", false, false},
		{"dir:~/a", "dir:~/a", true, true},
		{"dir:~/a/b", "dir:~/a", false, true},
		{"dir:/home/me/a/b", "dir:~/a", false, true},
		{"dir:~/ab", "dir:~/a", false, false},
		{"dir:~/a", "dir:~/a/b", false, false},
		{"tea", "tea", true, true},
		{"Tea", "tea", false, false},
	} {
		if got := in.Same(c.a, c.b); got != c.same {
			t.Errorf("Same(%q, %q) = %v", c.a, c.b, got)
		}
		if got := in.Within(c.a, c.b); got != c.within {
			t.Errorf("Within(%q, %q) = %v", c.a, c.b, got)
		}
	}
	if (Place{}).Same("repo:github.com/me/aish", "repo:github.com/you/aish") {
		t.Error("elsewhere two repositories are one")
	}
}

func BenchmarkFind(b *testing.B) {
	home := tempDir(b)
	write(b, home, "src/x/.git/HEAD", head,
		"src/x/.git/config", "[core]\n\tbare = false\n"+remote("origin", "git@github.com:me/aish.git")+"\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n",
		"src/x/internal/a/b/", "")
	f := Finder{Home: home, Cache: filepath.Join(home, "cache")}
	dir := filepath.Join(home, "src/x/internal/a/b")
	for b.Loop() {
		if p, err := f.Find(b.Context(), dir); err != nil || p.Repo == nil {
			b.Fatal(p, err)
		}
	}
}
