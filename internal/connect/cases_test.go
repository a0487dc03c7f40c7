package connect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/jsonl"
)

// shared calls do with each file that an assistant shares with others, with all that ken may put into it, each in a home of its own.
func shared(t *testing.T, do func(t *testing.T, name string, f File)) {
	t.Helper()
	for _, a := range Agents() {
		for i, f := range a.Files(place(t), Want{Command: "/opt/bin/ken"}) {
			if f.alone() || f.lines { // TestSection has those
				continue
			}
			name := a.Name + " " + filepath.Base(f.Path)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := a.Files(place(t), Want{Command: "/opt/bin/ken", Hooks: AtPrompt, Recall: true})[i]
				do(t, name, f)
			})
		}
	}
}

// texts are texts of a shared file, as its program takes them, by what is odd about each. TestThereAndBack has a large one.
func (f File) texts() map[string]string {
	if f.table != nil {
		return map[string]string{
			"": "", "comments": "# mine\nx = 1 # c\n", "mark": "\ufeffx = 1\n", "windows": "x = 1\r\n[a]\r\n", "tabs": "[a]\n\tx = 1\n",
			"no last line end": "x = 1", "only a comment": "# c\n",
			"others": "[" + f.Keys[0] + ".other]\ncommand = \"x\"\n\n# ui\n[tui]\nx = 1\n",
		}
	}
	key := "hooks"
	if f.Keys != nil {
		key = f.Keys[0]
	}
	all := map[string]string{
		"": "", "object": "{}\n", "no line end": "{}", "mark": "\ufeff{\"x\": 1}\n", "windows": "{\r\n  \"x\": 1\r\n}\r\n",
		"tabs": "{\n\t\"x\": 1\n}\n", "no last line end": "{\n  \"x\": 1\n}",
		"none yet":    "{\"" + key + "\": {}}\n",
		"others":      "{\n    \"" + key + "\": {\n        \"other\": {\"command\": \"x\"}\n    },\n    \"x\": [1]\n}\n",
		"a key twice": "{\n  \"x\": 1,\n  \"x\": 2\n}\n", "spaces": " \n\t",
	}
	if f.reader.Comments {
		all["comments"] = "// mine\n{\n  /* and */ \"x\": 1 // this\n  // last\n}\n"
		all["only a comment"] = "{\n  // nothing yet\n}\n"
	}
	if f.reader.TrailingCommas {
		all["commas"] = "{\n  \"x\": [1,],\n}\n"
	}
	return all
}

// broken are texts that the program of a shared file does not read, or whose shape has no place for what is ken's.
func (f File) broken() []string {
	if f.table != nil {
		return []string{"x = \n", "x = 1\nx = 2\n", f.Keys[0] + " = 1\n", "\x00"}
	}
	key := "hooks"
	if f.Keys != nil {
		key = f.Keys[0]
	}
	all := []string{
		"{", "[]", "{\"x\" 1}", "\"x\"", "\x00", "{} {}",
		"{\"" + key + "\": null}", "{\"" + key + "\": []}", "{\"" + key + "\": 1}",
	}
	if !f.reader.Comments {
		all = append(all, "{\n  // c\n}\n")
	}
	if !f.reader.TrailingCommas {
		all = append(all, "{\"x\": 1,}\n")
	}
	return all
}

// TestCases sets up every file that is shared with others, whatever it holds: once is twice, and taken out again each byte is as before.
func TestCases(t *testing.T) {
	t.Parallel()
	shared(t, func(t *testing.T, _ string, f File) {
		for name, src := range f.texts() {
			write(t, f.Path, src)
			kept, changed, err := apply(t, f, false)
			if err != nil || !changed || kept != src {
				t.Errorf("%s: %v, %v", name, changed, err)
				continue
			}
			with := read(t, f.Path)
			if !strings.Contains(with, "/opt/bin/ken") {
				t.Errorf("%s: it is not there", name)
			}
			if _, changed, err := apply(t, f, false); changed || err != nil {
				t.Errorf("%s: again: %v, %v", name, changed, err)
			}
			older := f
			byHand := strings.Replace(with, "/opt/bin/ken", "/old/bin/ken", 1)
			write(t, f.Path, byHand)
			if _, changed, err := apply(t, older, false); !changed || err != nil || strings.Contains(read(t, f.Path), "/old/bin/ken") {
				t.Errorf("%s: changed by hand: %v, %v", name, changed, err)
			}
			write(t, f.Path, with)
			if _, changed, err := apply(t, f, true); !changed || err != nil {
				t.Errorf("%s: removed: %v, %v", name, changed, err)
			}
			if got := read(t, f.Path); got != src {
				t.Errorf("%s: %s", name, cmp.Diff(src, got))
			}
			if _, changed, err := apply(t, f, true); changed || err != nil {
				t.Errorf("%s: removed again: %v, %v", name, changed, err)
			}
			write(t, f.Path, byHand)
			if _, changed, err := apply(t, f, true); !changed || err != nil || strings.Contains(read(t, f.Path), "bin/ken") {
				t.Errorf("%s: changed by hand and removed: %v, %v", name, changed, err)
			}
		}
	})
}

// TestCasesRefused: what no program could read, what has no place for it, and what is another program's stays as it is, in every
// shared file.
func TestCasesRefused(t *testing.T) {
	t.Parallel()
	shared(t, func(t *testing.T, _ string, f File) {
		for _, src := range f.broken() {
			write(t, f.Path, src)
			rejected := (*RejectedError)(nil)
			if _, err := Plan(f, false); !errors.As(err, &rejected) || read(t, f.Path) != src {
				t.Errorf("%q: %v", src, err)
			}
		}
		if f.Keys == nil {
			return
		}
		foreign := `{"` + f.Keys[0] + `": {"ken": {"command": "/bin/kenobi", "args": ["mcp"]}}}`
		if f.table != nil {
			foreign = "[" + f.Keys[0] + ".ken]\ncommand = \"/bin/kenobi\"\nargs = [\"mcp\"]\n"
		}
		write(t, f.Path, foreign)
		for _, remove := range []bool{false, true} {
			is := (*ForeignError)(nil)
			if _, err := Plan(f, remove); !errors.As(err, &is) || read(t, f.Path) != foreign {
				t.Error(remove, err)
			}
		}
	})
}

// TestCasesHeld: a shared file that is not to be written, that others write to meanwhile, or for which the disk has no room stays
// as it is; a link to it stays one.
func TestCasesHeld(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes are others there")
	}
	shared(t, func(t *testing.T, name string, f File) {
		src := "{\"x\": 1}\n"
		if f.table != nil {
			src = "x = 1\n"
		}
		write(t, f.Path, src)
		dir := filepath.Dir(f.Path)
		for path, mode := range map[string]fs.FileMode{f.Path: 0o400, dir: 0o500} {
			before, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			held := (*HeldError)(nil)
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			if _, err := Plan(f, false); !errors.As(err, &held) {
				t.Errorf("%v: %v", mode, err)
			}
			if after, err := os.Stat(path); err != nil || after.Mode().Perm() != mode {
				t.Errorf("%v is %v, %v", mode, after.Mode(), err)
			}
			if err := os.Chmod(path, before.Mode().Perm()); err != nil {
				t.Fatal(err)
			}
		}

		c, err := Plan(f, false)
		if err != nil {
			t.Fatal(err)
		}
		c.fs = fullDisk{}
		if err := c.Apply(t.Context(), func([]byte) error { return nil }); !errors.Is(err, syscall.ENOSPC) || read(t, f.Path) != src {
			t.Error(err)
		}
		c.fs = nil
		n := 0
		err = c.Apply(t.Context(), func([]byte) error {
			n++
			write(t, f.Path, strings.Repeat(" ", n)+src)
			return nil
		})
		if !errors.Is(err, jsonl.ErrChanged) || read(t, f.Path) != strings.Repeat(" ", n)+src {
			t.Errorf("%v: %q", err, read(t, f.Path))
		}

		write(t, filepath.Join(dir, "dots", "real"), src)
		if err := errors.Join(os.Remove(f.Path), os.Symlink(filepath.Join("dots", "real"), f.Path)); err != nil {
			t.Fatal(err)
		}
		for _, remove := range []bool{false, true} {
			if _, changed, err := apply(t, f, remove); !changed || err != nil {
				t.Fatal(name, changed, err)
			}
			if to, err := os.Readlink(f.Path); err != nil || to != filepath.Join("dots", "real") {
				t.Error(to, err)
			}
		}
		if got := read(t, filepath.Join(dir, "dots", "real")); got != src {
			t.Error(got)
		}
	})
}

// TestUntried: those that are known by their documentation alone say so, and have the entry where it says.
func TestUntried(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"claude-desktop": "mcpServers.ken", "crush": "mcp.ken", "cursor": "mcpServers.ken", "jetbrains": "agent_servers.ken",
		"vscode": "servers.ken", "zed": "context_servers.ken",
	}
	got := map[string]string{}
	for _, a := range Agents() {
		if !a.Untried {
			continue
		}
		files := a.Files(place(t), Want{Command: "/opt/bin/ken", Hooks: AtPrompt, Recall: true})
		if len(files) != 1 || a.HasLines() || a.Hooks || a.Asks {
			t.Errorf("%s: %+v", a.Name, a)
		}
		got[a.Name] = strings.Join(files[0].Keys, ".")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, g := range Guides(`C:\it "is"\ken.exe`) {
		if !strings.Contains(g.Text, `"C:\\it \"is\"\\ken.exe"`) || !strings.Contains(g.Text, `"acp"`) {
			t.Errorf("%s: %s", g.Name, g.Text)
		}
	}
}
