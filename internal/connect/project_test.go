package connect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSection: lines about ken come into a file of instructions once, are replaced whole, and go again; no other byte changes.
func TestSection(t *testing.T) {
	t.Parallel()
	for _, a := range Agents() {
		if !a.HasLines() {
			continue
		}
		for name, src := range map[string]string{
			"missing": "", "empty": "", "text": "# Mine\n\nUse tabs.\n", "no last line end": "Use tabs.", "windows": "Use tabs.\r\n\r\nAlways.\r\n",
			"mark": "\ufeffUse tabs.\n", "blank lines": "Use tabs.\n\n\n", "a line end": "\n", "marks of others": "<!-- kendo:begin -->\n",
			"windows, no last line end": "a\r\nUse tabs.",
		} {
			p := place(t)
			of := func(tell bool) File {
				files := a.Files(p, Want{Command: "/opt/bin/ken", Lines: tell})
				return files[len(files)-1]
			}
			f := of(true)
			if name != "missing" {
				write(t, f.Path, src)
			}
			if _, changed, err := apply(t, f, false); !changed || err != nil {
				t.Fatal(name, changed, err)
			}
			text := read(t, f.Path)
			lines := strings.Split(text[strings.Index(text, sectionBegin):strings.Index(text, sectionEnd)], "\n")
			if len(lines) != 5 || !strings.HasPrefix(text, src) {
				t.Errorf("%s: %q", name, text)
			}
			if _, changed, err := apply(t, f, false); changed || err != nil {
				t.Errorf("%s: again: %v, %v", name, changed, err)
			}
			write(t, f.Path, strings.Replace(text, "keeps a memory", "KEEPS", 1)+"behind\n")
			if _, changed, err := apply(t, f, false); !changed || err != nil || read(t, f.Path) != text+"behind\n" {
				t.Errorf("%s: changed by hand: %v, %v: %q", name, changed, err, read(t, f.Path))
			}
			if _, changed, err := apply(t, f, true); !changed || err != nil {
				t.Error(name, changed, err)
			}
			if got := read(t, f.Path); !strings.HasPrefix(got, src) || !strings.HasSuffix(got, "behind\n") || strings.Contains(got, "ken:") {
				t.Errorf("%s, with text behind: %q", name, got)
			}
			for _, gone := range []struct {
				f      File
				remove bool
			}{{f, true}, {of(false), false}} {
				write(t, f.Path, text)
				if _, changed, err := apply(t, gone.f, gone.remove); !changed || err != nil {
					t.Error(name, changed, err)
				}
				b, err := os.ReadFile(f.Path)
				if name == "missing" && !errors.Is(err, fs.ErrNotExist) || name != "missing" && (err != nil || string(b) != src) {
					t.Errorf("%s: %v: %s", name, err, cmp.Diff(src, string(b)))
				}
			}
		}
	}
}

// TestSectionRefused: marks that do not go in pairs are not guessed at.
func TestSectionRefused(t *testing.T) {
	t.Parallel()
	a, _ := Find("codex")
	p := place(t)
	for _, src := range []string{
		sectionBegin, sectionEnd, sectionEnd + sectionBegin, sectionBegin + sectionBegin + sectionEnd, "a\n" + sectionBegin + "\n",
	} {
		for _, tell := range []bool{true, false} {
			files := a.Files(p, Want{Command: "/opt/bin/ken", Lines: tell})
			f := files[len(files)-1]
			write(t, f.Path, src)
			for _, remove := range []bool{false, true} {
				rejected := (*RejectedError)(nil)
				c, err := Plan(f, remove)
				if refused := errors.As(err, &rejected); refused != (tell || remove) || c.Changes() && err == nil || read(t, f.Path) != src {
					t.Errorf("%q, told %v, remove %v: %v", src, tell, remove, err)
				}
			}
		}
	}
}

// TestProject: in a project the entry names no path, hook, leave or memory, and each file is as before once it is taken out.
func TestProject(t *testing.T) {
	t.Parallel()
	for _, a := range Agents() {
		p := place(t)
		root := filepath.Join(p.Home, "project")
		files := a.Files(p, Want{Command: "ken", Project: root, Recall: true, Hooks: AtPrompt, Lines: true})
		if len(files) == 0 != !a.InProject() {
			t.Errorf("%s: %d files", a.Name, len(files))
		}
		for _, f := range files {
			if !strings.HasPrefix(f.Path, root+string(filepath.Separator)) {
				t.Errorf("%s: %s is not in the project", a.Name, f.Path)
			}
			if _, changed, err := apply(t, f, false); !changed || err != nil {
				t.Fatal(a.Name, changed, err)
			}
			text := read(t, f.Path)
			for _, other := range []string{p.Home, "hook", "no-block", "mcp__ken", "--as"} {
				if strings.Contains(text, other) {
					t.Errorf("%s has %s: %s", f.Path, other, text)
				}
			}
			if _, changed, err := apply(t, f, false); changed || err != nil {
				t.Errorf("%s: again: %v, %v", a.Name, changed, err)
			}
			if _, changed, err := apply(t, f, true); !changed || err != nil {
				t.Error(a.Name, changed, err)
			}
			if _, err := os.Lstat(f.Path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is left", f.Path)
			}
		}
	}
}

// TestProjectLinks: a link that whoever writes to a project put there is followed inside it, and nothing is written over one
// that leads out: neither at the end of a path nor on the way, whether something is there or not.
func TestProjectLinks(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"out", "gone", "within"} {
		for _, on := range []string{"file", "directory"} {
			p := place(t)
			root, out := filepath.Join(p.Home, "project"), filepath.Join(p.Home, "out")
			for _, dir := range []string{filepath.Join(root, "within"), out} {
				if err := os.MkdirAll(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			kept := map[string]string{"AGENTS.md": "alias x=y\n", "mcp.json": "{}\n"}
			if to == "out" {
				for name, text := range kept {
					if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			target := map[string]string{"out": out, "gone": filepath.Join(p.Home, "nowhere"), "within": filepath.Join(root, "within")}[to]
			at, name := filepath.Join(root, ".cursor"), ""
			if on == "file" {
				name = "mcp.json"
				if err := os.MkdirAll(at, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			link(t, filepath.Join(target, name), filepath.Join(at, name))
			link(t, filepath.Join(target, "AGENTS.md"), filepath.Join(root, "AGENTS.md"))
			for _, a := range []string{"cursor", "codex"} {
				agent, _ := Find(a)
				for _, f := range agent.Files(p, Want{Command: "ken", Project: root, Lines: true}) {
					if a == "codex" && !f.lines {
						continue
					}
					_, _, err := apply(t, f, false)
					if held := (*HeldError)(nil); errors.As(err, &held) == (to == "within") {
						t.Errorf("%s by a %s: %s: %v", to, on, f.Path, err)
					}
				}
			}
			for name, text := range kept {
				if to == "out" && read(t, filepath.Join(out, name)) != text {
					t.Errorf("%s was written to", name)
				}
			}
			if _, err := os.Lstat(filepath.Join(p.Home, "nowhere")); err == nil {
				t.Error("a directory outside the project was made")
			}
		}
	}
}
