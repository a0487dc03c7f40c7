package ignore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ken/internal/ignore"
	"ken/internal/proctest"
)

// TestMatches holds the patterns of .gitignore to what they mean, for generated paths: "**" is
// any number of parts.
func TestMatches(t *testing.T) {
	t.Parallel()
	name := rapid.StringMatching(`[a-c]{1,2}`)
	matches := func(glob, parts []string) bool {
		return ignore.Match(strings.Join(glob, "/"), strings.Join(parts, "/"))
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(name, 1, 5).Draw(t, "path")
		if !matches([]string{"**"}, parts) || !matches(parts, parts) {
			t.Fatal(parts)
		}
		i := rapid.IntRange(0, len(parts)-1).Draw(t, "from")
		if !matches(append([]string{"**"}, parts[i:]...), parts) {
			t.Fatalf("** does not stand for %q", parts[:i])
		}
		if !matches(append(slices.Clone(parts[:i]), "**"), parts) {
			t.Fatalf("** does not stand for %q", parts[i:])
		}
		if matches(append(slices.Clone(parts), "z"), parts) || matches([]string{"z", "**"}, parts) ||
			matches(append(slices.Clone(parts), "**"), parts) {
			t.Fatal(parts)
		}
		j := rapid.IntRange(i, len(parts)-1).Draw(t, "to")
		if glob := slices.Concat([]string{"**"}, parts[i:j], []string{"**"}, parts[j:]); !matches(glob, parts) {
			t.Fatalf("%q does not match %q", glob, parts)
		}
	})
}

// TestHostile: a pattern that was made to take long is answered at once.
func TestHostile(t *testing.T) {
	t.Parallel()
	began := time.Now()
	if ignore.Match(strings.Repeat("**/a/", 40)+"b", strings.Repeat("a/", 200)+"c") {
		t.Error("matches")
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestAgreesWithGit: what is left out is what git leaves out.
func TestAgreesWithGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is not there, which the tests need: see README")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		t.Helper()
		cmd := proctest.Command(t, "git", append([]string{"-C", dir, "-c", "core.excludesFile="}, args...)...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	git("init", "-q")
	write(".git/info/exclude", "local.txt\n")
	write(".gitignore", "# a comment\n*.log\n!keep.log\n/build\nout/\ndocs/*.html\n**/deep/x\na/**/z\n\\#odd\n"+
		"blank\\ \n[!a-y]only\ntrail   \n\n/\n")
	write("sub/.gitignore", "local\n!*.log\n/here\n")
	for _, name := range []string{
		"a.log", "keep.log", "build/x", "sub/build/x", "out/x", "sub/out", "docs/a.html",
		"docs/b/a.html", "q/deep/x", "deep/x/y", "a/z", "a/b/c/z",
		"#odd", "blank ", "zonly", "bonly", "trail",
		"sub/local", "sub/a.log", "sub/here", "sub/q/here", "local.txt", "plain.go", "sub/plain.go", "sub/q/local.txt",
	} {
		write(name, "x")
	}
	want := strings.Split(strings.TrimSuffix(git("ls-files", "-z", "-co", "--exclude-standard"), "\x00"), "\x00")
	var got []string
	var walk func(rel string, rules ignore.Rules)
	walk = func(rel string, rules ignore.Rules) {
		full := filepath.Join(dir, rel)
		rules = rules.With(full, rel)
		entries, err := os.ReadDir(full)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := strings.TrimPrefix(rel+"/"+e.Name(), "/")
			switch {
			case e.Name() == ".git" || rules.Ignore(name, e.IsDir()):
			case e.IsDir():
				walk(name, rules)
			default:
				got = append(got, name)
			}
		}
	}
	walk("", ignore.Above(dir, ""))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("left are %q\ngit has %q", got, want)
	}
}

// TestOtherRepositories: a worktree has the rules of its repository; what is below a submodule has those of the submodule
// and no others, as git has it there.
func TestOtherRepositories(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is not there, which the tests need: see README")
	}
	dir := t.TempDir()
	git := func(at string, args ...string) {
		t.Helper()
		args = append([]string{"-C", filepath.Join(dir, at), "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)
		cmd := proctest.Command(t, "git", args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"main", "lib"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		git(name, "init", "-q")
		write(name+"/.gitignore", "*."+name+"\n")
		git(name, "add", "-A")
		git(name, "commit", "-q", "-m", "one")
	}
	git("main", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", filepath.Join(dir, "lib"), "sub")
	git("main", "commit", "-q", "-m", "two")
	git("main", "worktree", "add", "-q", "../tree")
	write("main/.git/info/exclude", "local.txt\n")
	write("main/.git/modules/sub/info/exclude", "here.txt\n")
	for _, c := range []struct {
		top, at, name string
		ignored       bool
	}{
		{"main", "", "local.txt", true},
		{"tree", "", "local.txt", true},
		{"tree", "", "a.main", true},
		{"tree", "", "a.lib", false},
		{"main", "sub", "local.txt", false},
		{"main", "sub", "a.main", false},
		{"main", "sub", "a.lib", true},
		{"main", "sub", "here.txt", true},
		{"main/sub", "", "here.txt", true},
	} {
		top := filepath.Join(dir, c.top)
		name := strings.TrimPrefix(c.at+"/"+c.name, "/")
		rules := ignore.Above(top, c.at).With(filepath.Join(top, c.at), c.at)
		if got := rules.Ignore(name, false); got != c.ignored {
			t.Errorf("%s in %s: ignored is %v", name, c.top, got)
		}
		err := proctest.Command(t, "git", "-C", filepath.Join(top, c.at), "check-ignore", "-q", c.name).Run()
		if (err == nil) != c.ignored {
			t.Errorf("%s in %s: git says %v", name, c.top, err)
		}
	}
}
