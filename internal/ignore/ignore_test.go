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
		t.Skip("no git")
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
