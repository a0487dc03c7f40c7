//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ken/internal/llm/llmtest"
)

// TestConfigEdit edits the settings on a terminal: a mistake is shown with its
// row and asked about, and the old file stays until the new one can be read.
func TestConfigEdit(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "ken", "config.toml")
	bin := filepath.Join(dir, "bin")
	for _, err := range []error{os.Mkdir(bin, 0o700), os.Mkdir(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("# mine\nui.quiet = false\n"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	editor := func(script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(bin, "vi"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(want string) {
		t.Helper()
		got, err := os.ReadFile(file)
		if err != nil || string(got) != want {
			t.Errorf("the file is %q, %v; want %q", got, err, want)
		}
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))

	// The second time the editor mends what it broke the first time.
	editor(`if grep -q nonsense "$1"; then sed -i.old s/nonsense/quiet/ "$1"; sed -i.old s/false/true/ "$1"; else sed -i.old s/quiet/nonsense/ "$1"; fi; rm -f "$1.old"`)
	x := startTerminal(t, dir, nil, "config", "edit")
	x.await("ken: error: ~/ken/config.toml:2:4: ui.nonsense: unknown key: there is color, markdown, quiet")
	x.await("edit it again? (no keeps the old file) [y/N] ")
	holds("# mine\nui.quiet = false\n")
	x.send("y\r")
	x.await("config: changed ~/ken/config.toml")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	holds("# mine\nui.quiet = true\n")

	// No keeps the old file, and says where the new text is.
	editor(`echo "nonsense = 1" >>"$1"`)
	x = startTerminal(t, dir, nil, "config", "edit")
	x.await("[y/N] ")
	x.send("\r")
	x.await("ken: error: the settings are as they were")
	x.await("ken: hint: what you wrote is in ")
	if code := x.exit(); code != 4 {
		t.Errorf("exit code %d", code)
	}
	holds("# mine\nui.quiet = true\n")

	// Another program changes the file meanwhile: nothing of it is lost.
	editor(`echo "# by another program" >>"` + file + `"; echo "model = ''" >>"$1"`)
	x = startTerminal(t, dir, nil, "config", "edit")
	x.await("was changed while you edited a copy of it")
	if code := x.exit(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	holds("# mine\nui.quiet = true\n# by another program\n")

	editor("true")
	x = startTerminal(t, dir, nil, "config", "edit")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	editor("exit 3")
	x = startTerminal(t, dir, nil, "config", "edit")
	x.await("ken: error: editor vi: exit status 3")
	if code := x.exit(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	holds("# mine\nui.quiet = true\n# by another program\n")
}

// TestConfigInitAsks answers the questions of config init, one of them wrong at
// first.
func TestConfigInitAsks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := startTerminal(t, dir, nil, "config", "init")
	x.await("(Enter: look here): ")
	x.send("127.0.0.1:11434\r")
	x.await("ken: not an address: want ")
	x.await("(Enter: look here): ")
	x.send("http://127.0.0.1:11434/v1\r")
	x.await("name of the model there: ")
	x.send("qwen3:8b\r")
	x.await("(Enter: none): ")
	x.send("\r")
	x.await("such as your first name (Enter: none): ")
	x.send("Ann\r")
	x.await(`want 1 to 32 of a-z, 0-9 and -`)
	x.await("(Enter: none): ")
	x.send("ann\r")
	x.await("config: wrote ~/ken/config.toml")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ken", "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nmodel = \"local\"\n", "[models.local]\nbase_url = \"http://127.0.0.1:11434/v1\"\nmodel = \"qwen3:8b\"\n",
		"\nuser_namespace = \"ann\"\n", "\n#max_turns = 40 ",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}

	// Ctrl-C leaves nothing behind.
	dir = t.TempDir()
	x = startTerminal(t, dir, nil, "config", "init")
	x.await("(Enter: look here): ")
	x.send("\x03")
	if code := x.exit(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if _, err := os.Stat(filepath.Join(dir, "ken", "config.toml")); err == nil {
		t.Error("a file was written")
	}
}

// TestConfigInShell changes settings in a running shell: what can change is in
// force at once, the rest is told to wait.
func TestConfigInShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("from the preset"))
	x := startTerminal(t, dir, nil)
	x.await("[ken ~]> ")
	x.send(":config set models.one.base_url=" + model.URL + " models.one.model=test model=one context.max_turns=9\r")
	x.await("[ken] from the next start: context.max_turns")
	x.await("[ken] in force now")
	x.await(`config: context.max_turns = 9 (was the default: 40)`)
	x.await("[ken:one ~]> ")
	x.send("hello\r")
	x.await("from the preset")
	x.await("]> ")
	x.send(":config show context.max_turns\r")
	x.await("context.max_turns = 40")
	x.await("]> ")
	x.send(":check\r")
	x.await("nothing wrong")
	x.await("]> ")
	x.send(":doctor --offline\r")
	x.await("ok    terminal")
	x.await("]> ")
	x.send(":quit\r")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestConfigSetAtOnce sets many keys in as many processes: none of them is lost,
// and the file is whole at any time.
func TestConfigSetAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const processes = 12
	var wait sync.WaitGroup
	for i := range processes {
		cmd := kenCommand(t, dir, nil, "config", "set", fmt.Sprintf("models.m%d.model=x%d", i, i))
		wait.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wait.Wait()
	out, err := kenCommand(t, dir, nil, "config", "show", "models").Output()
	if err != nil {
		t.Fatal(err)
	}
	for i := range processes {
		if want := fmt.Sprintf("models.m%d.model = \"x%d\"", i, i); !strings.Contains(string(out), want) {
			t.Errorf("%s is lost", want)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "ken", ".config*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestDoctorTerminal looks at a terminal that says where its cursor is, and at one
// that does not.
func TestDoctorTerminal(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, t.TempDir(), nil, "doctor", "--offline")
	x.await("ok    terminal")
	x.await("xterm, 80x24, colours")
	if code := x.exit(); code != 1 { // there is no model
		t.Errorf("exit code %d", code)
	}
	x = startMute(t, kenCommand(t, t.TempDir(), nil, "doctor", "--offline"))
	x.await("note  terminal")
	x.await("xterm, 80x24: it does not tell where its cursor is, so lines are read plainly")
	if code := x.exit(); code != 1 {
		t.Errorf("exit code %d", code)
	}
}
