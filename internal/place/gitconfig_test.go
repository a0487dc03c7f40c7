package place

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/proctest"
)

// configs are configuration files and what is in them, one "name=value" each,
// as git itself lists them: TestConfigAgreesWithGit checks that.
func configs() []struct {
	name, src string
	want      []string
} {
	return []struct {
		name, src string
		want      []string
	}{
		{"empty", "", nil},
		{"plain", "[core]\n\tbare = false\n", []string{"core.bare=false"}},
		{
			"remotes", "[remote \"origin\"]\n\turl = git@github.com:me/aish.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[remote \"fork\"]\nurl=https://x/y\n",
			[]string{"remote.origin.url=git@github.com:me/aish.git", "remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*", "remote.fork.url=https://x/y"},
		},
		{"case", "[Remote \"Origin\"]\nURL = X\n", []string{"remote.Origin.url=X"}},
		{"old header", "[Remote.Origin]\nurl = x\n", []string{"remote.origin.url=x"}},
		{"one line", "[remote \"a\"] url = x\n", []string{"remote.a.url=x"}},
		{"no value", "[a]\nb\n", []string{"a.b"}},
		{"no value, comment", "[a]\nb ; c\n", nil}, // git refuses it
		{"empty value", "[a]\nb =\nc = \"\"\n", []string{"a.b=", "a.c="}},
		{"comments", "# x\n; y\n[a] # z\nb = 1 # one\nc = 2;two\nd = \"3 # ; three\"\n", []string{"a.b=1", "a.c=2", "a.d=3 # ; three"}},
		{"space", "[a]\n  b  =  x  y  \t\n c=\" x \" \n", []string{"a.b=x  y", "a.c= x "}},
		{"quotes inside", "[a]\nb = x\"y  z\"w \"\" \n", []string{"a.b=xy  zw "}},
		{"escapes", `[a]` + "\n" + `b = "\"\\\t\b" \n` + "\n", []string{"a.b=\"\\\t\b \n"}},
		{"goes on", "[a]\nb = x\\\n  y\\\r\nz\nc = 1\n", []string{"a.b=x  yz", "a.c=1"}},
		{"goes on in quotes", "[a]\nb = \"x\\\ny\"\n", []string{"a.b=xy"}},
		{"line ends of Windows", "[a]\r\nb = x\r\n[c \"d\"]\r\ne = f\r\n", []string{"a.b=x", "c.d.e=f"}},
		{"byte order mark", "\ufeff[a]\nb = x\n", []string{"a.b=x"}},
		{"no line end", "[a]\nb = x", []string{"a.b=x"}},
		{"subsection escapes", "[a \"x\\\"y\\\\z\\w\"]\nb = 1\n", []string{"a.x\"y\\zw.b=1"}},
		{"subsection with brackets", "[a \"x]y\"]\nb = 1\n", []string{"a.x]y.b=1"}},
		{"key with digits", "[a-1]\nb-2 = x\n", []string{"a-1.b-2=x"}},
		{"include", "[include]\npath = /etc/x\n", []string{"include.path=/etc/x"}},
	}
}

// list gives settings as git lists them.
func listed(settings []setting) []string {
	var all []string
	for _, s := range settings {
		name := s.section
		if s.subsection != "" {
			name += "." + s.subsection
		}
		name += "." + s.key
		all = append(all, name+"="+s.value)
	}
	return all
}

// marked gives the names without "=", which this package reads as empty, the
// form that listed gives.
func marked(want []string) []string {
	var all []string
	for _, w := range want {
		if !strings.Contains(w, "=") {
			w += "="
		}
		all = append(all, w)
	}
	return all
}

func TestParseConfig(t *testing.T) {
	t.Parallel()
	for _, c := range configs() {
		if c.name == "no value, comment" {
			continue // only what git takes is pinned to what git reads
		}
		if diff := cmp.Diff(marked(c.want), listed(parseConfig(c.src))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

// TestParseConfigDamaged pins that a line that is none costs itself alone, and
// that nothing is taken for a remote's that is below a broken header.
func TestParseConfigDamaged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"no section", "a = b\n", nil},
		{"noise", "[a]\n= x\n!\nb = 1\n\x00\nc = 2\n", []string{"a.b=1", "a.c=2"}},
		{"broken header", "[a]\nb = 1\n[remote \"x\nurl = y\n[c]\nd = 2\n", []string{"a.b=1", "c.d=2"}},
		{"unknown escape", "[a]\nb = \\q\nc = 1\n", []string{"a.c=1"}},
		{"open quote", "[a]\nb = \"x\nc = 1\n", []string{"a.c=1"}},
		{"open quote at the end", "[a]\nb = \"x", nil},
		{"backslash at the end", "[a]\nb = x\\", []string{"a.b=x"}},
		{"key and noise", "[a]\nb ! c\nd = 1\n", []string{"a.d=1"}},
		{"header alone", "[", nil},
		{"header cut", "[remote \"", nil},
		{"header cut in escape", "[remote \"\\", nil},
		{"empty header", "[]\na = b\n", nil},
		{"conflict", "<<<<<<< a\n[a]\nb = 1\n=======\n[a]\nb = 2\n>>>>>>> b\n", []string{"a.b=1", "a.b=2"}},
	} {
		if diff := cmp.Diff(c.want, listed(parseConfig(c.src))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

// gitPath gives the path of git for tests that compare with it.
func gitPath(t testing.TB) string {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	return git
}

// gitLists lists a configuration file as git reads it; ok is false if git
// refuses it.
func gitLists(t testing.TB, git, file string) (names []string, ok bool) {
	t.Helper()
	out, err := proctest.Command(t, git, "config", "--file", file, "--no-includes", "--list", "-z").Output()
	if err != nil {
		return nil, false
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if entry == "" {
			continue
		}
		name, value, _ := strings.Cut(entry, "\n")
		names = append(names, name+"="+value)
	}
	return names, true
}

func TestConfigAgreesWithGit(t *testing.T) {
	t.Parallel()
	git := gitPath(t)
	file := filepath.Join(t.TempDir(), "config")
	for _, c := range configs() {
		if err := os.WriteFile(file, []byte(c.src), 0o600); err != nil {
			t.Fatal(err)
		}
		got, ok := gitLists(t, git, file)
		if diff := cmp.Diff(marked(c.want), got); diff != "" {
			t.Errorf("%s: git reads something else (taken: %v, -want +git)\n%s", c.name, ok, diff)
		}
	}
}

// TestConfigAgreesWithGitAtRandom puts pieces together that mean something and
// holds what is read against what git reads, if git takes the file at all.
func TestConfigAgreesWithGitAtRandom(t *testing.T) {
	t.Parallel()
	git := gitPath(t)
	file := filepath.Join(t.TempDir(), "config")
	pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
		"[remote \"origin\"]", "[a]", "[a.b]", "[a \"x\\\"y\"]", "\n", "\n", "\r\n", "url", "b", " = ", "=", " ",
		"git@h:p", "x", "\"", "\"q \"", "\\\n", "\\t", "\\\\", "\\\"", "#", ";", "# c\n", "\n url = x\n",
	}), 0, 14)
	rapid.Check(t, func(rt *rapid.T) {
		src := "[z]\n" + strings.Join(pieces.Draw(rt, "pieces"), "")
		if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		want, ok := gitLists(t, git, file)
		if !ok {
			parseConfig(src)
			return
		}
		if diff := cmp.Diff(want, listed(parseConfig(src))); diff != "" {
			rt.Fatalf("%q (-git +got)\n%s", src, diff)
		}
	})
}

func FuzzParseConfig(f *testing.F) {
	for _, c := range configs() {
		f.Add(c.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, s := range parseConfig(src) {
			if s.section == "" || s.key == "" || len(s.value) > len(src) {
				t.Errorf("%q gives %+v", src, s)
			}
		}
		// What is well-formed and stands behind anything is read, unless that
		// leaves a quote or a line open.
		const more = "[remote \"origin\"]\n\turl = git@h:p\n"
		with := parseConfig(src + "\n" + more)
		without := parseConfig(src + "\n")
		if strings.HasSuffix(strings.TrimRight(src, "\r"), `\`) {
			return
		}
		if len(with) != len(without)+1 || with[len(with)-1].value != "git@h:p" {
			t.Errorf("%q hides what follows: %+v", src, with)
		}
	})
}
