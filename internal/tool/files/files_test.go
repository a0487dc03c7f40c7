package files_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/risk"
	"ken/internal/tool/edit"
	"ken/internal/tool/files"
)

// A ground is a home with a project in it.
type ground struct {
	t    *testing.T
	home string
	files.Place
}

func newGround(t *testing.T) *ground {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{t: t, home: home}
	project := filepath.Join(home, "work")
	own := filepath.Join(home, ".local", "share", "ken")
	for _, d := range []string{project, own} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	g.Place = files.Place{Dir: project, Project: project, Home: home, Own: []string{own, filepath.Join(home, "nowhere")}}
	return g
}

// write writes a file below the home.
func (g *ground) write(name, text string) string {
	g.t.Helper()
	name = filepath.Join(g.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		g.t.Fatal(err)
	}
	return name
}

func (g *ground) link(to, name string) {
	g.t.Helper()
	if err := os.Symlink(to, filepath.Join(g.home, filepath.FromSlash(name))); err != nil {
		g.t.Skip(err)
	}
}

func (g *ground) find(name string, write bool) files.Target {
	g.t.Helper()
	at, err := g.Find(name, write)
	if err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	return at
}

func (g *ground) read(name string, offset, limit int) string {
	g.t.Helper()
	text, err := g.Read(g.t.Context(), nil, g.find(name, false), offset, limit)
	if err != nil {
		return "refused: " + err.Error()
	}
	return text
}

// TestFind: a path is judged by where it leads, however it is written.
func TestFind(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	g.write("work/src/a.go", "x")
	g.write("work/.git/config", "x")
	g.write("work/.env", "x")
	g.write("other/secret.txt", "x")
	g.write(".ssh/id_ed25519", "x")
	g.write(".local/share/ken/memory.jsonl", "x")
	g.link("../../other", "work/src/out")
	g.link("a.go", "work/src/b.go")
	g.link(".git", "work/plain")
	g.link(filepath.Join(g.home, "work"), "also")
	g.link(filepath.Join(g.home, ".local", "share", "ken"), "work/notes")
	if err := os.Link(g.write("other/twice", "x"), filepath.Join(g.home, "work", "once")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path        string
		name        string // as it is shown; "" for the real path
		read, write risk.Level
	}{
		{"src/a.go", "src/a.go", risk.Safe, risk.Caution},
		{"./src/../src/a.go", "src/a.go", risk.Safe, risk.Caution},
		{g.home + "/work/src/a.go", "src/a.go", risk.Safe, risk.Caution},
		{"~/work/src/a.go", "src/a.go", risk.Safe, risk.Caution},
		{g.home + "/also/src/a.go", "src/a.go", risk.Safe, risk.Caution},
		{"src/b.go", "src/a.go", risk.Safe, risk.Caution},
		{"new/dir/file.go", "new/dir/file.go", risk.Safe, risk.Caution},
		{"src", "src", risk.Safe, risk.Caution},
		{"../other/secret.txt", "", risk.Caution, risk.Danger},
		{"src/out/secret.txt", "", risk.Caution, risk.Danger},
		{"src/out/new.txt", "", risk.Caution, risk.Danger},
		{"src/../../other/new.txt", "", risk.Caution, risk.Danger},
		{"plain/hooks/pre-commit", ".git/hooks/pre-commit", risk.Caution, risk.Danger},
		{".env", ".env", risk.Caution, risk.Danger},
		{"~/.ssh/id_ed25519", "", risk.Caution, risk.Danger},
		{"once", "once", risk.Caution, risk.Danger},
		{"~", "", risk.Caution, risk.Danger},
	} {
		for write, want := range map[bool]risk.Level{false: tt.read, true: tt.write} {
			at := g.find(tt.path, write)
			if at.Risk.Level != want || at.Name != tt.name && tt.name != "" || tt.name == "" && at.Name != at.Path {
				t.Errorf("%s (write %v): %s, %s %v, want %s", tt.path, write, at.Name, at.Risk.Level, at.Risk.Reasons, want)
			}
		}
	}
	if at := g.find("notes/memory.jsonl", false); at.Risk.Level != risk.Caution || at.Name != at.Path {
		t.Errorf("ken's own file: %+v", at)
	}
	for _, own := range []string{"notes/memory.jsonl", "notes/new.toml", "~/.local/share/ken/memory.jsonl"} {
		var refused files.Refused
		if at, err := g.Find(own, true); !errors.As(err, &refused) {
			t.Errorf("%s may be written: %+v, %v", own, at, err)
		}
	}
	if at := g.find("src/b.go", true); at.Link != "src/b.go" {
		t.Errorf("a link is not told: %+v", at)
	}
	if at := g.find(".", false); at.Risk.Level != risk.Safe || !at.Dir || at.Name != "." {
		t.Errorf("the project itself: %+v", at)
	}
	for _, bad := range []string{"", "  ", "a\x00b", "src/a.go/x"} {
		var refused files.Refused
		if at, err := g.Find(bad, false); !errors.As(err, &refused) {
			t.Errorf("%q: %+v, %v", bad, at, err)
		}
	}
}

// TestFindNowhere: without a project nothing is inside.
func TestFindNowhere(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	g.write("work/a", "x")
	for _, project := range []string{"", g.home, "/", filepath.Join(g.home, "gone")} {
		p := g.Place
		p.Project = project
		at, err := p.Find("a", true)
		if err != nil || at.Risk.Level != risk.Danger {
			t.Errorf("project %q: %+v, %v", project, at, err)
		}
	}
}

// TestRead: a text comes in parts, and what was not shown is said.
func TestRead(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	var lines strings.Builder
	for i := range 2210 {
		fmt.Fprintf(&lines, "line %d\n", i+1)
	}
	g.write("work/long.txt", lines.String())
	g.write("work/short.txt", "\ufeffone\r\ntwo")
	g.write("work/empty", "")
	g.write("work/wide.txt", "a\n"+strings.Repeat("é", 3000)+"\nb\n")
	g.write("work/latin.txt", "caf\xe9 au lait\n")
	g.write("work/utf16.txt", "\xff\xfeh\x00i\x00\n\x00")
	g.write("work/a.png", "\x89PNG\r\n\x1a\n\x00\x00")
	g.write("work/a.bin", "\x00\x01\x02")
	for _, tt := range []struct {
		name          string
		offset, limit int
		begin, end    string
	}{
		{"short.txt", 0, 0, "one\ntwo\n", "one\ntwo\n"},
		{"long.txt", 0, 0, "line 1\n", "line 400\n[lines 1-400 of 2210; next: offset 401]"},
		{"long.txt", 401, 10, "line 401\n", "line 410\n[lines 401-410 of 2210; next: offset 411]"},
		{"long.txt", 2201, 400, "line 2201\n", "line 2210\n[lines 2201-2210 of 2210]"},
		{"long.txt", 2211, 0, "[there is", "[there is no line 2211: the file has 2210]"},
		{"empty", 0, 0, "[empty]", "[empty]"},
		{"wide.txt", 0, 0, "a\né", "é [... cut]\nb\n[1 long lines cut]"},
		{"latin.txt", 0, 0, "caf\ufffd au lait\n", "[not UTF-8, so some characters are not shown and it cannot be edited here]"},
		{"utf16.txt", 0, 0, "hi\n", "[shown from UTF-16, so it cannot be edited here]"},
		{"a.png", 0, 0, "binary, 10 bytes, PNG", "binary, 10 bytes, PNG"},
		{"a.bin", 0, 0, "binary, 3 bytes", "binary, 3 bytes"},
		{"gone", 0, 0, "refused: no such file: gone", "refused: no such file: gone"},
	} {
		got := g.read(tt.name, tt.offset, tt.limit)
		if !strings.HasPrefix(got, tt.begin) || !strings.HasSuffix(got, tt.end) {
			t.Errorf("%s from %d: %.60q ... %q", tt.name, tt.offset, got, got[max(0, len(got)-80):])
		}
	}
	g.Most = 100
	first := g.read("long.txt", 1, 0)
	if len(first) > 200 || !strings.Contains(first, "of 2210; next: offset ") {
		t.Errorf("a small part is %q", first)
	}
	var next int
	if _, err := fmt.Sscanf(first[strings.Index(first, "next"):], "next: offset %d]", &next); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("line %d\n", next)
	if got := g.read("long.txt", next, 1); !strings.HasPrefix(got, line) || strings.Contains(first, line) {
		t.Errorf("the next part begins %q", got)
	}
	if runtime.GOOS != "windows" {
		if got := g.read("/dev/zero", 1, 1); got != "refused: /dev/zero is a device" {
			t.Error(got)
		}
	}
}

// TestList: directories first, and what git ignores is said.
func TestList(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	g.write("work/.gitignore", "*.log\nout/\n")
	g.write("work/b.go", "x")
	g.write("work/a.log", "x")
	g.write("work/out/x", "x")
	g.write("work/src/x", "x")
	g.link("b.go", "work/link")
	want := "out/ (ignored by git)\nsrc/\n.gitignore 11 bytes\na.log 1 byte (ignored by git)\nb.go 1 byte\nlink (a link)\n"
	if got := g.read(".", 0, 0); got != want {
		t.Error(cmp.Diff(want, got))
	}
	if got := g.read(".", 2, 2); got != "src/\n.gitignore 11 bytes\n[entries 2-3 of 6; next: offset 4]" {
		t.Error(got)
	}
}

// TestSearch: by contents, by name, by both; nothing that git ignores, and no keys.
func TestSearch(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	g.write("work/.gitignore", "*.log\nout/\n")
	g.write("work/a.go", "package a\n\nfunc Find() {\n}\n")
	g.write("work/sub/b.go", "package b\r\n// func Find finds\r\n")
	g.write("work/sub/c.md", "func Find")
	g.write("work/a.log", "func Find")
	g.write("work/out/a.go", "func Find")
	g.write("work/.git/x", "func Find")
	g.write("work/.git/config", "url = https://me:func Find@example.org")
	g.write("work/.git/modules/a/config", "url = https://me:func Find@example.org")
	for _, name := range []string{"HEAD", "objects/x", "refs/x", "config"} {
		g.write("work/store/"+name, "func Find") // a repository by another name
	}
	g.link(".git", "work/also")
	g.write("work/.env", "KEY=func Find")
	g.write("work/bin", "func Find\x00")
	g.write("work/wide.txt", strings.Repeat("a", 500)+"func Find"+strings.Repeat("b", 500)+"\n")
	g.write(".local/share/ken/memory.jsonl", "func Find")
	g.link(filepath.Join(g.home, ".local"), "work/link")
	search := func(at, pattern, glob string) string {
		t.Helper()
		text, err := g.Search(g.t.Context(), g.find(at, false), files.Search{Pattern: pattern, Glob: glob})
		if err != nil {
			return "refused: " + err.Error()
		}
		return text
	}
	wide := "wide.txt:1: ..." + strings.Repeat("a", 100) + "func Find" + strings.Repeat("b", 91) + "..."
	for _, tt := range []struct{ at, pattern, glob, want string }{
		{".", "func Find", "", "a.go:3: func Find() {\nsub/b.go:2: // func Find finds\nsub/c.md:1: func Find\n" + wide +
			"\n[not searched, they may hold keys or have other names: .env]"},
		{".git", "Find", "", ".git/x:1: func Find\n[not searched, they may hold keys or have other names: .git/config, .git/modules/a/config]"},
		{"also", "Find", "x", ".git/x:1: func Find\n"},
		{".", "^func", "*.go", "a.go:3: func Find() {\n"},
		{"sub", "func", "*.go", "sub/b.go:2: // func Find finds\n"},
		{"sub/b.go", "finds$|package", "", "sub/b.go:1: package b\n"},
		{".", "", "**/*.go", "a.go\nsub/b.go\n"},
		{".", "", "sub/*", "sub/b.go\nsub/c.md\n"},
		{".", "nothing of it", "*.go", "[no hit]"},
		{".", "", "", "refused: nothing to look for: give a pattern, a glob, or both"},
		{".", "(", "", "refused: the pattern is no regular expression"},
		{".", "(?=x)", "", "refused: the pattern is no regular expression"},
		{"gone", "x", "", "refused: no such directory: gone"},
		{".env", "KEY", "", ".env:1: KEY=func Find\n"}, // named, so it was asked about
		{"~/.local/share/ken", "Find", "", g.home + "/.local/share/ken/memory.jsonl:1: func Find\n"},
		{"~", "Find", "*.jsonl", "[no hit; not searched, they may hold keys or have other names: .local/share/ken/]"},
	} {
		got := search(tt.at, tt.pattern, tt.glob)
		if got != tt.want && !(strings.HasPrefix(tt.want, "refused") && strings.HasPrefix(got, tt.want)) {
			t.Errorf("in %s for %q %q (-want +got):\n%s", tt.at, tt.pattern, tt.glob, cmp.Diff(tt.want, got))
		}
	}
	for _, at := range []string{".git", "also", ".git/modules", "store", "store/refs", "store/config"} {
		if got := g.find(at, false).Risk.Level; got != risk.Caution { // and so it is asked about
			t.Errorf("reading in %s is %s", at, got)
		}
	}
	g.write("work/many.txt", strings.Repeat("hit of it\n", 80))
	got := search("many.txt", "hit", "")
	if strings.Count(got, "\n") != 50 || !strings.HasSuffix(got, "[there are more: narrow the pattern, the glob or the path]") {
		t.Errorf("%d lines, %q", strings.Count(got, "\n"), got[len(got)-80:])
	}
	if got := search("many.txt", "", "*"); got != "many.txt\n" {
		t.Error(got)
	}
	if got := search("many.txt", "^", ""); strings.Count(got, "\n") != 50 {
		t.Errorf("an empty match: %d lines", strings.Count(got, "\n"))
	}
}

// TestEdit: a change is planned with its difference, and made if the file is as it was.
func TestEdit(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	path := g.write("work/a.go", "package a\n\nfunc one() {}\n")
	c, err := g.Edit(nil, g.find("a.go", true), edit.Want{Old: "one", New: "two"})
	if err != nil {
		t.Fatal(err)
	}
	want := "--- a.go\n+++ a.go\n@@ -1,3 +1,3 @@\n package a\n \n-func one() {}\n+func two() {}\n"
	if c.Diff != want || c.Added != 1 || c.Removed != 1 || c.Created ||
		c.Done != "done: a.go, 1 place, +1 -1" || c.Risk.Level != risk.Caution {
		t.Errorf("%+v\n%s", c, cmp.Diff(want, c.Diff))
	}
	if b, _ := os.ReadFile(path); string(b) != string(c.Before) {
		t.Error("it was written when it was planned")
	}
	if err := c.Apply(); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "package a\n\nfunc two() {}\n" {
		t.Errorf("%q", b)
	}
	var refused files.Refused
	if err := c.Apply(); !errors.As(err, &refused) || !strings.Contains(err.Error(), "changed since the change was shown") {
		t.Errorf("applied twice: %v", err)
	}
}

// TestEditFails: the second failure brings the whole file, the fourth ends it.
func TestEditFails(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	text := "package a\n\nfunc one() {}\n"
	path := g.write("work/a.go", text)
	turn := &files.Turn{}
	at := g.find("a.go", true)
	if _, err := g.Read(g.t.Context(), turn, at, 0, 0); err != nil {
		t.Fatal(err)
	}
	try := func(old string) string {
		_, err := g.Edit(turn, at, edit.Want{Old: old, New: "x"})
		if err == nil {
			return "done"
		}
		return err.Error()
	}
	if got := try("nothing like it"); got != "not found in a.go: read it again, and copy the lines" {
		t.Error(got)
	}
	if err := os.WriteFile(path, []byte(text+"// more\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := try("nothing like it"); !strings.HasPrefix(got, "the file changed since you read it (it is ") ||
		!strings.HasSuffix(got, "use write_file with all of it:\n"+text+"// more\n") {
		t.Error(got)
	}
	if got := try("one"); got != "done" {
		t.Error(got)
	}
	if got := try("nothing like it"); got != "not found in a.go: read it again, and copy the lines" {
		t.Error(got)
	}
	if got := try("nothing like it"); !strings.Contains(got, "That was the fourth") {
		t.Error(got)
	}
	if got := try("one"); !strings.HasPrefix(got, "not edited: four edits of a.go failed") {
		t.Error(got)
	}
	if _, err := g.Write(turn, at, "package b\n"); err != nil {
		t.Errorf("write_file is left: %v", err)
	}
	other := g.write("work/b.go", text)
	if _, err := g.Edit(turn, g.find(other, true), edit.Want{Old: "one", New: "x"}); err != nil {
		t.Errorf("another file: %v", err)
	}
}

// TestWrite: files are made with their directories, and long ones not cut short lightly.
func TestWrite(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	turn := &files.Turn{}
	c, err := g.Write(turn, g.find("new/a.txt", true), "one\ntwo\n")
	if err != nil || !c.Created || c.BeforeSum != "" || c.Added != 2 || c.Done != "done: new/a.txt, made, +2 -0" {
		t.Fatalf("%+v, %v", c, err)
	}
	if err := c.Apply(); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(); err == nil {
		t.Error("made twice")
	}
	g.write("work/crlf.txt", "\ufeffa\r\nb\r\n")
	if c, err := g.Write(turn, g.find("crlf.txt", true), "a\nc\n"); err != nil || string(c.After) != "\ufeffa\r\nc\r\n" || c.Added != 1 {
		t.Errorf("%q, %v", c.After, err)
	}
	long := strings.Repeat("a line of it\n", 300)
	g.write("work/long.txt", long)
	at := g.find("long.txt", true)
	if _, err := g.Write(turn, at, "short\n"); err == nil || !strings.HasPrefix(err.Error(), "not written: the file has 300 lines") {
		t.Error(err)
	}
	if _, err := g.Write(turn, at, "short\n"); err != nil {
		t.Errorf("doubted twice: %v", err)
	}
	g.write("work/empty", "")
	if c, err := g.Write(turn, g.find("empty", true), "x"); err != nil || c.Created || c.BeforeSum == "" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestNotChanged: what cannot be changed as a text is told, and stays.
func TestNotChanged(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	g.write("work/latin.txt", "caf\xe9\n")
	g.write("work/wide.txt", "\xff\xfeh\x00i\x00")
	g.write("work/bin", "\x7fELF\x00")
	g.write("work/long.txt", strings.Repeat("x", 1<<20+1))
	g.write("work/same.txt", "same\n")
	if err := os.Link(g.write("work/names", "x"), filepath.Join(g.home, "work", "also")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(g.home, "work", "dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"latin.txt": "latin.txt is not UTF-8: it is not changed here",
		"wide.txt":  "wide.txt is in UTF-16: it is not changed here",
		"bin":       "bin is binary, 5 bytes, a program: it is not changed here",
		"long.txt":  "long.txt has 1.0 MB, and the most is 1 MiB: it is not changed here",
		"names":     "names has 2 names (hard links), and the others would keep the old content: it is not changed here",
		"dir":       "dir is a directory",
		"same.txt":  "no change: same.txt holds this already",
	} {
		_, err := g.Write(nil, g.find(name, true), "same\n")
		if err == nil || err.Error() != want {
			t.Errorf("write: %v, want %s", err, want)
		}
		if name == "same.txt" {
			continue
		}
		if _, err := g.Edit(nil, g.find(name, true), edit.Want{Old: "a", New: "b"}); err == nil || err.Error() != want {
			t.Errorf("edit: %v, want %s", err, want)
		}
	}
	_, err := g.Edit(nil, g.find("gone.txt", true), edit.Want{Old: "a", New: "b"})
	if err == nil || err.Error() != "no such file: gone.txt; write_file makes one" {
		t.Error(err)
	}
	if _, err := g.Write(nil, g.find("new.txt", true), strings.Repeat("x", 1<<20+1)); err == nil {
		t.Error("2 MiB were taken")
	}
	if _, err := g.Write(nil, g.find("new.txt", true), "\xff"); err == nil {
		t.Error("no text was taken")
	}
}
