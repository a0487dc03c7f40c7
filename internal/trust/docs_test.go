package trust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestE3bRead: in each directory up to the top the first name counts, the nearest directory
// comes first, and what is no text of the repository is refused with a word.
func TestE3bRead(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, outside, map[string]string{"AGENTS.md": "secret\n"})
	top := t.TempDir()
	write(t, top, map[string]string{
		"AGENTS.md": "top\n", "CLAUDE.md": "second\n", "GEMINI.md": "third\n", "a/GEMINI.md": "a\n", "a/agents.txt": "x",
		"a/b/CLAUDE.md": "b\n", "a/b/GEMINI.md": "not it\n", "blank/AGENTS.md": " \n\t\n", "blank/CLAUDE.md": "not it either\n",
		"huge/AGENTS.md": strings.Repeat("x", MaxDoc+1), "full/AGENTS.md": strings.Repeat("x", MaxDoc),
		"latin/AGENTS.md": "caf\xe9\n", "nul/CLAUDE.md": "a\x00b",
		"dir/AGENTS.md/x": "x", "in/notes": "inside\n",
	})
	for name, target := range map[string]string{
		"in/AGENTS.md": "notes", "out/AGENTS.md": filepath.Join(outside, "AGENTS.md"),
		"up/AGENTS.md":   "../../../../../../../.." + outside + "/AGENTS.md",
		"gone/AGENTS.md": "nowhere", "round/AGENTS.md": "AGENTS.md",
	} {
		if err := os.MkdirAll(filepath.Join(top, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		symlink(t, target, filepath.Join(top, name))
	}
	for dir, want := range map[string]string{
		".": "", "a/b": "a/b/CLAUDE.md = b\n, a/GEMINI.md = a\n, ", "a": "a/GEMINI.md = a\n, ", "blank": "", "in": "in/AGENTS.md = inside\n, ",
		"huge": "huge/AGENTS.md: more than the 262144 bytes that are read, ", "latin": "latin/AGENTS.md: it is no text in UTF-8, ",
		"nul": "nul/CLAUDE.md: it is no text in UTF-8, ", "dir": "dir/AGENTS.md: not a regular file, ",
		"out": "out/AGENTS.md: a link that leads out of the repository, ", "up": "up/AGENTS.md: a link that leads out of the repository, ",
	} {
		files, err := ReadDocs(top, filepath.Join(top, dir))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range files {
			got += told(f) + ", "
			if !f.Doc || f.Log != f.Path || (f.Bad == nil) != (f.SHA256 == sumOf(f.Text)) || f.Bad != nil && f.Text != nil {
				t.Errorf("%s: %+v", dir, f)
			}
		}
		if diff := cmp.Diff(want+"AGENTS.md = top\n, ", got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", dir, diff)
		}
	}
	for _, dir := range []string{"gone", "round"} {
		if files, err := ReadDocs(top, filepath.Join(top, dir)); err != nil || len(files) != 2 || files[0].Bad == nil {
			t.Errorf("%s: %v, %v", dir, files, err)
		}
	}
	if files, err := ReadDocs(top, filepath.Join(top, "full")); err != nil || len(files) != 2 || len(files[0].Text) != MaxDoc {
		t.Errorf("%d files, %v", len(files), err)
	}
	for _, dir := range []string{outside, filepath.Dir(top)} {
		if files, err := ReadDocs(top, dir); err != nil || len(files) > 0 {
			t.Errorf("from outside: %v, %v", files, err)
		}
	}
	deep := top
	for range 12 {
		deep = filepath.Join(deep, "d")
		write(t, deep, map[string]string{"AGENTS.md": "deep\n"})
	}
	if files, err := ReadDocs(top, deep); err != nil || len(files) != MaxDocs {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// TestE3bOwner: a file of another account is refused.
func TestE3bOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("nobody else can give a file away")
	}
	top := t.TempDir()
	write(t, top, map[string]string{"AGENTS.md": "one\n"})
	if err := os.Chown(filepath.Join(top, "AGENTS.md"), 12345, -1); err != nil {
		t.Skip(err)
	}
	files, err := ReadDocs(top, top)
	if err != nil || len(files) != 1 || files[0].Bad == nil || files[0].Bad.Error() != "it belongs to another account (uid 12345)" {
		t.Errorf("%v, %v", files, err)
	}
}

// TestE3bStanding: a doc counts with the very bytes that were let in, in the repository in
// which they were, and no other doc of that name matters.
func TestE3bStanding(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"one\n", "one\ntwo\n", "two\n", "one\n\n"})
		scope := rapid.SampledFrom([]string{"repo:h/a", "repo:h/b"})
		name := rapid.SampledFrom([]string{"AGENTS.md", "sub/AGENTS.md"})
		verdict := rapid.SampledFrom([]Verdict{Use, Use, Ignore, Never, Revoke})
		doc := func(name, text string) File {
			return File{Doc: true, Log: name, Path: name, Text: []byte(text), SHA256: sumOf([]byte(text))}
		}
		var b Decisions
		used := make(map[string]bool) // scope, name and text
		for range rapid.IntRange(0, 8).Draw(t, "decisions") {
			s, n, x, v := scope.Draw(t, "scope"), name.Draw(t, "name"), text.Draw(t, "text"), verdict.Draw(t, "verdict")
			b.All = append(b.All, doc(n, x).Decide(s, v, noon()))
			switch key := s + n; v {
			case Revoke, Never:
				for _, x := range []string{"one\n", "one\ntwo\n", "two\n", "one\n\n"} {
					used[key+x] = used[key+x] && v == Never
				}
				used[key+"never"] = v == Never
			default:
				used[key+x], used[key+"never"] = v == Use, false
			}
		}
		f := doc(name.Draw(t, "its name"), text.Draw(t, "its text"))
		got := b.Docs([]File{f}, func(s string) bool { return s == "repo:h/a" })[0]
		if want := used["repo:h/a"+f.Path+string(f.Text)] && !used["repo:h/a"+f.Path+"never"]; got.Used() != want || got.Clash != "" {
			t.Fatalf("used: %v, want %v; %+v of %+v", got.Used(), want, got, b.All)
		}
	})
}
