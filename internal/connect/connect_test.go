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

	"ken/internal/jsonc"
	"ken/internal/jsonl"
)

// copilotFile is the shared file of one assistant, in a home of its own.
func copilotFile(t *testing.T) (f File, path string) {
	t.Helper()
	a, _ := Find("copilot")
	p := place(t)
	f = a.Files(p, Want{Command: "/opt/bin/ken"})[1]
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	return f, f.Path
}

func place(t *testing.T) Place {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return Place{Home: home, Getenv: func(string) string { return "" }}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// apply makes the change for f, and returns what was kept of the old text.
func apply(t *testing.T, f File, remove bool) (kept string, changed bool, err error) {
	t.Helper()
	c, err := Plan(f, remove)
	if err != nil || !c.Changes() {
		return "", false, err
	}
	err = c.Apply(t.Context(), func(old []byte) error { kept = string(old); return nil })
	return kept, true, err
}

// TestThereAndBack sets each text up, twice, and takes it back: all its bytes are there again.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	large := "{\n  \"a\": \"" + strings.Repeat("x", 5<<20) + "\"\n}\n"
	for name, src := range map[string]string{
		"object": "{}\n", "mark": "\ufeff{\"x\": 1}\n", "windows": "{\r\n  \"x\": 1 // c\r\n}\r\n", "tabs": "{\n\t\"x\": 1\n}\n",
		"no last line end": "{\n  \"x\": 1\n}", "only a comment": "{\n  // nothing yet\n}\n", "5 MB": large, "no servers": "{\"mcpServers\": {}}",
		"another server": "{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"} // mine\n  }\n}\n",
		"a key twice":    "{\n  \"x\": 1,\n  \"x\": 2\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, path := copilotFile(t)
			write(t, path, src)
			kept, changed, err := apply(t, f, false)
			if err != nil || !changed || kept != src {
				t.Fatal(changed, err)
			}
			first := read(t, path)
			if !strings.Contains(first, "/opt/bin/ken") {
				t.Errorf("it is not there: %s", first)
			}
			if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o640 {
				t.Errorf("mode %v, %v", fi.Mode(), err)
			}
			if _, changed, err := apply(t, f, false); changed || err != nil {
				t.Errorf("again: %v, %v", changed, err)
			}
			if _, changed, err := apply(t, f, true); !changed || err != nil {
				t.Fatal(changed, err)
			}
			if got := read(t, path); got != src {
				t.Errorf("%s", cmp.Diff(src, got))
			}
			left, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(left) != 1 {
				t.Errorf("left beside it: %v, %v", left, err)
			}
		})
	}
}

// TestEmptyAndMissing: a file that was begun goes, and one that said nothing says nothing again.
func TestEmptyAndMissing(t *testing.T) {
	t.Parallel()
	for _, a := range Agents() {
		for _, src := range []string{"", "\n", " \r\n", "\ufeff", "missing"} {
			for _, want := range []Want{{Hooks: AtStart, Recall: true}, {}, {Hooks: AtPrompt}} {
				want.Command = "/opt/bin/ken"
				p := place(t)
				for _, f := range a.Files(p, want) {
					if f.lines || f.table != nil && strings.TrimSpace(src) != "" && src != "missing" || f.alone() && src != "missing" {
						continue // no text of its own
					}
					if src != "missing" {
						write(t, f.Path, src)
					}
					if _, _, err := apply(t, f, false); err != nil {
						t.Fatalf("%s, %q: %v", f.Path, src, err)
					}
					if _, changed, err := apply(t, f, false); changed || err != nil {
						t.Errorf("%s, %q: again: %v, %v", f.Path, src, changed, err)
					}
					if _, _, err := apply(t, f, true); err != nil {
						t.Fatalf("%s, %q: %v", f.Path, src, err)
					}
					b, err := os.ReadFile(f.Path)
					if src == "missing" && !errors.Is(err, fs.ErrNotExist) || src != "missing" && (err != nil || string(b) != src) {
						t.Errorf("%s of %q is %q, %v", f.Path, src, b, err)
					}
				}
			}
		}
	}
	f, path := copilotFile(t)
	if _, changed, err := apply(t, f, true); changed || err != nil {
		t.Error(changed, err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("removing made a file")
	}
}

// TestRefused changes nothing of what it is not to touch, and says why.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, src, want string
		as              any
	}{
		{"another program", `{"mcpServers": {"ken": {"command": "/bin/kenobi", "args": ["mcp"]}}}`, "mcpServers.ken is not", new(*ForeignError)},
		{"another word", `{"mcpServers": {"ken": {"command": "ken", "args": ["serve"]}}}`, "mcpServers.ken is not", new(*ForeignError)},
		{"no object", `{"mcpServers": []}`, "no object", new(*RejectedError)},
		{"null", `{"mcpServers": null}`, "no object", new(*RejectedError)},
		{"its program takes no comma", "{\n  \"x\": 1,\n}", "line 2, column 9", new(*RejectedError)},
		{"broken", "{\n  \"x\" 1}", "line 2, column 7", new(*jsonc.Fault)},
	} {
		f, path := copilotFile(t)
		write(t, path, tt.src)
		_, err := Plan(f, false)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.As(err, tt.as) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := read(t, path); got != tt.src {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// TestOlder replaces an entry of ken's that says something else.
func TestOlder(t *testing.T) {
	t.Parallel()
	f, path := copilotFile(t)
	write(t, path, `{"mcpServers": {"ken": {"command": "C:\\old\\ken.exe", "args": ["mcp"]}}}`)
	if _, changed, err := apply(t, f, false); !changed || err != nil || !strings.Contains(read(t, path), "/opt/bin/ken") {
		t.Error(changed, err, read(t, path))
	}
}

// link makes a link; where that takes a right that tests do not have, the test is skipped.
func link(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Symlink(to, from); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("links take a right there: ", err)
		}
		t.Fatal(err)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	t.Run("chain", func(t *testing.T) {
		t.Parallel()
		f, path := copilotFile(t)
		dir := filepath.Dir(path)
		write(t, filepath.Join(dir, "dots", "real.json"), "{}\n")
		link(t, filepath.Join("dots", "second"), path)
		link(t, "real.json", filepath.Join(dir, "dots", "second"))
		if _, _, err := apply(t, f, false); err != nil {
			t.Fatal(err)
		}
		if to, err := os.Readlink(path); err != nil || to != filepath.Join("dots", "second") {
			t.Error(to, err)
		}
		if to, err := os.Readlink(filepath.Join(dir, "dots", "second")); err != nil || to != "real.json" {
			t.Error(to, err)
		}
		if got := read(t, filepath.Join(dir, "dots", "real.json")); !strings.Contains(got, "/opt/bin/ken") {
			t.Error(got)
		}
	})
	t.Run("dangling chain", func(t *testing.T) {
		t.Parallel()
		f, path := copilotFile(t)
		dir := filepath.Dir(path)
		link(t, "second", path)
		link(t, "made.json", filepath.Join(dir, "second"))
		if _, _, err := apply(t, f, false); err != nil {
			t.Fatal(err)
		}
		if fi, err := os.Lstat(filepath.Join(dir, "second")); err != nil || fi.Mode()&fs.ModeSymlink == 0 {
			t.Error("a link was replaced", err)
		}
		if got := read(t, filepath.Join(dir, "made.json")); got != f.Snippet() {
			t.Error(got)
		}
	})
	nowhere := filepath.Join("nowhere", "x.json")
	for name, to := range map[string]string{"no directory": nowhere, "loop": "mcp-config.json", "a directory": "."} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, path := copilotFile(t)
			link(t, to, path)
			held := (*HeldError)(nil)
			if _, err := Plan(f, false); !errors.As(err, &held) {
				t.Error(err)
			}
		})
	}
}

// TestHeld refuses files that are not to be written, and changes no mode.
func TestHeld(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes are others there")
	}
	for name, hold := range map[string]func(path string) error{
		"0400": func(path string) error {
			return errors.Join(os.WriteFile(path, []byte("{}"), 0o400), os.Chmod(path, 0o400))
		},
		"directory 0500": func(path string) error {
			return errors.Join(os.WriteFile(path, []byte("{}"), 0o600), os.Chmod(filepath.Dir(path), 0o500))
		},
		"directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"a file for a directory": func(path string) error {
			return errors.Join(os.Remove(filepath.Dir(path)), os.WriteFile(filepath.Dir(path), nil, 0o600))
		},
		"17 MB": func(path string) error { return os.WriteFile(path, []byte("{}"+strings.Repeat(" ", 17<<20)), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, path := copilotFile(t)
			if err := hold(path); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) }) // or nobody could take it away
			before, _ := os.Lstat(path)
			held := (*HeldError)(nil)
			if _, err := Plan(f, false); !errors.As(err, &held) {
				t.Error(err)
			}
			if after, _ := os.Lstat(path); before != nil && (after.Mode() != before.Mode() || after.ModTime() != before.ModTime()) {
				t.Errorf("%v is %v", before.Mode(), after.Mode())
			}
		})
	}
}

// TestChangedMeanwhile: what somebody else writes between reading and writing is kept.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, times := range []int{1, 2, tries} {
		f, path := copilotFile(t)
		write(t, path, "{\"n\": 0}\n")
		c, err := Plan(f, false)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		err = c.Apply(t.Context(), func([]byte) error {
			if n++; n <= times {
				write(t, path, `{"other": "`+strings.Repeat("x", n)+"\"}\n")
			}
			return nil
		})
		got := read(t, path)
		if !strings.Contains(got, `"other": "`+strings.Repeat("x", times)+`"`) {
			t.Errorf("what the other wrote is gone: %s", got)
		}
		if gaveUp := errors.Is(err, jsonl.ErrChanged); gaveUp != (times == tries) || strings.Contains(got, "/opt/bin/ken") == gaveUp {
			t.Errorf("%d times: %v\n%s", times, err, got)
		}
	}
}

// A fullDisk takes no bytes.
type fullDisk struct{ jsonl.OS }

type fullFile struct{ jsonl.File }

func (fullFile) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func (d fullDisk) OpenFile(name string, flag int, perm fs.FileMode) (jsonl.File, error) {
	f, err := d.OS.OpenFile(name, flag, perm)
	return fullFile{f}, err
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	f, path := copilotFile(t)
	write(t, path, "{\"x\": 1}\n")
	c, err := Plan(f, false)
	if err != nil {
		t.Fatal(err)
	}
	c.fs = fullDisk{}
	if err := c.Apply(t.Context(), func([]byte) error { return nil }); !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
	if got := read(t, path); got != "{\"x\": 1}\n" {
		t.Error(got)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Error(left)
	}
	if err := c.Apply(t.Context(), func([]byte) error { return errors.New("no copy") }); err == nil || read(t, path) != "{\"x\": 1}\n" {
		t.Error("written without a copy", err)
	}
}

// TestAgents sets each assistant up with and without a hook, changes one to the other, and removes it: nothing is
// left but directories that were not ken's.
func TestAgents(t *testing.T) {
	t.Parallel()
	for _, a := range Agents() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			p := place(t)
			all := func(want Want, remove bool) (changes int) {
				for _, f := range a.Files(p, want) {
					if _, changed, err := apply(t, f, remove); err != nil {
						t.Fatal(err)
					} else if changed {
						changes++
					}
				}
				return changes
			}
			with, without := Want{Command: "/opt/it's here/ken", Hooks: AtPrompt}, Want{Command: "/opt/it's here/ken"}
			start := Want{Command: "/opt/it's here/ken", Hooks: AtStart}
			for _, want := range []Want{start, with, without, start, with} {
				if n := all(want, false); n == 0 && a.Hooks {
					t.Error("nothing changed")
				}
				if n := all(want, false); n != 0 {
					t.Errorf("twice: %d changes", n)
				}
			}
			texts := map[string]string{}
			err := filepath.WalkDir(p.Home, func(path string, d fs.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() {
					texts[path] = read(t, path)
					if bad := jsonc.Check([]byte(texts[path]), jsonc.Reader{}); bad != nil && filepath.Ext(path) != ".toml" {
						t.Errorf("%s: %v", path, bad)
					}
				}
				return err
			})
			every := strings.Join(values(texts), "")
			if err != nil || !strings.Contains(every, "/opt/it's here/ken\"") || strings.Contains(every, "--no-block") != a.Hooks ||
				strings.Contains(every, `'/opt/it'\\''s here/ken' hook `+a.Name+` || exit 0"`) != a.Hooks {
				t.Error(err, every)
			}
			all(without, true)
			for path := range texts {
				if b, err := os.ReadFile(path); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("left: %s: %s", path, b)
				}
			}
			for _, own := range []string{".claude/skills/ken", ".gemini/extensions/ken"} {
				if _, err := os.Lstat(filepath.Join(p.Home, own)); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("left: %s", own)
				}
			}
		})
	}
}

func values(m map[string]string) (list []string) {
	for _, v := range m {
		list = append(list, v)
	}
	return list
}

// TestForeignDirectory: a directory of ken's name that is somebody else's is left alone.
func TestForeignDirectory(t *testing.T) {
	t.Parallel()
	a, _ := Find("claude")
	p := place(t)
	path := filepath.Join(p.Home, ".claude", "skills", "ken", ".claude-plugin", "plugin.json")
	write(t, path, `{"name": "barbie"}`)
	for _, remove := range []bool{false, true} {
		foreign := (*ForeignError)(nil)
		if _, err := Plan(a.Files(p, Want{Command: "/opt/bin/ken", Hooks: AtStart})[0], remove); !errors.As(err, &foreign) {
			t.Error(err)
		}
	}
}

// TestProof: an edit that touches anything else is not written.
func TestProof(t *testing.T) {
	t.Parallel()
	f, _ := copilotFile(t)
	entry := f.Snippet()
	for _, tt := range []struct {
		before, after string
		there, ok     bool
	}{
		{"{}", entry, true, true},
		{entry, "{}", false, true},
		{`{"a": 1}`, entry, true, false},
		{"{}", "{}", true, false},
		{"{}", strings.Replace(entry, "/opt", "/usr", 1), true, false},
		{`{"a": 1}`, `{"a": 1.0}`, false, false},
		{entry, entry, false, false},
	} {
		if err := f.prove([]byte(tt.before), []byte(tt.after), tt.there); (err == nil) != tt.ok {
			t.Errorf("prove(%s, %s, %v) = %v", tt.before, tt.after, tt.there, err)
		}
	}
}

// recallsOf are the ways in which assistants are let call recall.
const recallsOf = "mcp__plugin_ken_ken__recall mcp__ken__recall toolName = \"recall\""

// TestRecall: the leave is there only if it is wanted, is of recall alone, and goes with or without the rest.
func TestRecall(t *testing.T) {
	t.Parallel()
	for _, a := range Agents() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			p := place(t)
			shared := filepath.Join(p.Home, ".qwen", "settings.json")
			mine := "{\n  // mine\n  \"permissions\": {\"allow\": [\"mcp__ken__remember\"], \"deny\": []}\n}\n"
			if a.Name == "qwen" {
				write(t, shared, mine)
			}
			all := func(want Want, remove bool) (changes int, texts string) {
				for _, f := range a.Files(p, want) {
					_, changed, err := apply(t, f, remove)
					if err != nil {
						t.Fatal(err)
					}
					if changed {
						changes++
					}
					b, _ := os.ReadFile(f.Path)
					texts += string(b)
				}
				return changes, texts
			}
			leaves := func(texts string) (n int) {
				for _, way := range strings.SplitN(recallsOf, " ", 3) {
					n += strings.Count(texts, way)
				}
				return n
			}
			for _, hooks := range []When{AtStart, Never, AtPrompt} {
				with, without := Want{Command: "/opt/bin/ken", Hooks: hooks, Recall: true}, Want{Command: "/opt/bin/ken", Hooks: hooks}
				if _, texts := all(without, false); leaves(texts) != 0 {
					t.Errorf("by itself: %s", texts)
				}
				n, texts := all(with, false)
				if (n > 0) != a.Asks || (leaves(texts) > 0) != a.Asks || strings.Contains(texts, "__*") || strings.Contains(texts, "trust") {
					t.Errorf("%d changes: %s", n, texts)
				}
				if n, _ := all(with, false); n != 0 {
					t.Errorf("twice: %d changes", n)
				}
				if _, texts := all(without, false); leaves(texts) != 0 {
					t.Errorf("taken back alone: %s", texts)
				}
				all(with, false)
				if _, texts := all(without, true); leaves(texts) != 0 {
					t.Errorf("removed: %s", texts)
				}
				if a.Name == "qwen" && read(t, shared) != mine {
					t.Error(cmp.Diff(mine, read(t, shared)))
				}
			}
		})
	}
}

// TestRecallRefused: a list that is none, and a rule that is somebody else's, are left alone.
func TestRecallRefused(t *testing.T) {
	t.Parallel()
	p := place(t)
	qwen, _ := Find("qwen")
	f := qwen.Files(p, Want{Command: "/opt/bin/ken", Recall: true})[0]
	for _, src := range []string{`{"permissions": null}`, `{"permissions": {"allow": null}}`, `{"tools": {"visible": {}}}`} {
		write(t, f.Path, src)
		rejected := (*RejectedError)(nil)
		if _, err := Plan(f, false); !errors.As(err, &rejected) || read(t, f.Path) != src {
			t.Errorf("%s: %v", src, err)
		}
	}
	gemini, _ := Find("gemini")
	f = gemini.Files(p, Want{Command: "/opt/bin/ken", Recall: true})[0]
	src := "[[rule]]\ntoolName = \"mine\"\n"
	write(t, f.Path, src)
	foreign := (*ForeignError)(nil)
	if _, err := Plan(f, false); !errors.As(err, &foreign) {
		t.Error(err)
	}
	for _, remove := range []bool{false, true} {
		if c, err := Plan(gemini.Files(p, Want{Command: "/opt/bin/ken"})[0], remove); err != nil || c.Changes() {
			t.Error(remove, c.Changes(), err)
		}
	}
	if read(t, f.Path) != src {
		t.Error(read(t, f.Path))
	}
}

// TestRecallProof: an edit that touches another element is not written.
func TestRecallProof(t *testing.T) {
	t.Parallel()
	qwen, _ := Find("qwen")
	f := qwen.Files(place(t), Want{Command: "/opt/bin/ken", Recall: true})[0]
	good, err := f.put([]byte(`{"permissions": {"allow": ["a"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	for before, ok := range map[string]bool{
		`{"permissions": {"allow": ["a"]}}`: true, `{"permissions": {"allow": ["b"]}}`: false, `{}`: false,
		`{"permissions": {"allow": ["a"], "deny": []}}`: false,
	} {
		if err := f.prove([]byte(before), good, true); (err == nil) != ok {
			t.Errorf("%s: %v", before, err)
		}
	}
	less, _, err := jsonc.Drop(good, `"mcp__ken__recall"`, "tools", "visible")
	if err != nil || f.prove([]byte(`{"permissions": {"allow": ["a"]}}`), less, true) == nil {
		t.Error("one of the two is enough", err)
	}
}
