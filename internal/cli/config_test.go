//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/ttytest"
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
	x := clitest.Start(t, dir, nil, "config", "edit")
	x.Await("ken: error: ~/ken/config.toml:2:4: ui.nonsense: unknown key: there is clipboard, color, markdown, quiet, suggest, theme")
	x.Await("edit it again? (no keeps the old file) [y] yes  [N] no > ")
	holds("# mine\nui.quiet = false\n")
	x.Send("y\r")
	x.Await("config: changed ~/ken/config.toml")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	holds("# mine\nui.quiet = true\n")

	// No keeps the old file, and says where the new text is.
	editor(`echo "nonsense = 1" >>"$1"`)
	x = clitest.Start(t, dir, nil, "config", "edit")
	x.Await("[N] no > ")
	x.Send("\r")
	x.Await("ken: error: the settings are as they were")
	x.Await("ken: hint: what you wrote is in ")
	if code := x.Exit(); code != 4 {
		t.Errorf("exit code %d", code)
	}
	holds("# mine\nui.quiet = true\n")

	// Another program changes the file meanwhile: nothing of it is lost.
	editor(`echo "# by another program" >>"` + file + `"; echo "model = ''" >>"$1"`)
	x = clitest.Start(t, dir, nil, "config", "edit")
	x.Await("was changed while you edited a copy of it")
	if code := x.Exit(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	holds("# mine\nui.quiet = true\n# by another program\n")

	editor("true")
	x = clitest.Start(t, dir, nil, "config", "edit")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	editor("exit 3")
	x = clitest.Start(t, dir, nil, "config", "edit")
	x.Await("ken: error: editor vi: exit status 3")
	if code := x.Exit(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	holds("# mine\nui.quiet = true\n# by another program\n")

	// What it said was kept is there, and nothing else; none of it in anybody's place for such files.
	kept, err := filepath.Glob(filepath.Join(dir, "ken", "drafts", "*", "config.toml"))
	all, _ := filepath.Glob(filepath.Join(dir, "ken", "drafts", "*")) // the pattern is good
	if err != nil || len(kept) != 2 || len(all) != 2 {
		t.Errorf("kept: %v of %v, %v", kept, all, err)
	}
}

// TestConfigInitAsks answers the questions of config init, one of them wrong at
// first.
func TestConfigInitAsks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := llmtest.New(t, llmtest.Error(404, "no such model"), llmtest.Text("Hello"))
	server.Models("nomic-embed-text", "qwen3:8b", "llama3.2:3b")
	x := clitest.Start(t, dir, nil, "config", "init")
	x.Await("(Enter: look here): ")
	x.Send("127.0.0.1:11434\r")
	x.Await("ken: not an address: want ")
	x.Await("(Enter: look here): ")
	x.Send(server.URL + "/v1\r")
	x.Await("(Enter: none): ")
	x.Send("\r")
	x.Await("which model?")
	x.Send("llama")
	x.Await("llama")
	x.Send("\r")
	x.Await("it does not answer: ")
	x.Await("keep it all the same? [y] yes  [N] no > ")
	x.Send("\r")
	x.Await("(Enter: look here): ") // from the beginning
	x.Send(server.URL + "/v1\r")
	x.Await("(Enter: none): ")
	x.Send("\r")
	x.Await("which model?")
	x.Send("qwen")
	x.Await("qwen")
	x.Send("\r")
	x.Await("it answers: Hello")
	x.Await("such as your first name (Enter: none): ")
	x.Send("Ann\r")
	x.Await(`want 1 to 32 of a-z, 0-9 and -`)
	x.Await("(Enter: none): ")
	x.Send("ann\r")
	x.Await("config: wrote ~/ken/config.toml")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ken", "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nmodel = \"local\"\n", "[models.local]\nbase_url = \"" + server.URL + "/v1\"\nmodel = \"qwen3:8b\"\n",
		"\nuser_namespace = \"ann\"\n", "\n#max_turns = 0 ",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}

	// Ctrl-C leaves nothing behind.
	dir = t.TempDir()
	x = clitest.Start(t, dir, nil, "config", "init")
	x.Await("(Enter: look here): ")
	x.Send("\x03")
	if code := x.Exit(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if _, err := os.Stat(filepath.Join(dir, "ken", "config.toml")); err == nil {
		t.Error("a file was written")
	}
}

// TestConfigInitLooks: Enter looks where it says, at this machine, and lists what is there; a server
// that lists nothing is asked for a name, which is not empty.
func TestConfigInitLooks(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t, llmtest.Text("Hello"), llmtest.Text("Hello again"))
	server.Models("qwen3:8b", "llama3.2:3b")
	at := strings.TrimPrefix(server.URL, "http://")
	dir := t.TempDir()
	x := clitest.StartEnv(t, dir, []string{"KEN_TEST_LOCAL=127.0.0.1:1 " + at}, "config", "init")
	x.Await("(Enter: look here): ")
	x.Send("\r")
	x.Await(at + " has 2 models")
	x.Await("which model?")
	x.Send("llama")
	x.Await("llama3.2:3b")
	x.Send("\r")
	x.Await("it answers: Hello")
	x.Await("(Enter: none): ")
	x.Send("\r")
	x.Await("config: wrote ~/ken/config.toml")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ken", "config.toml"))
	if err != nil || !strings.Contains(string(text), "\nmodel = \"llama3.2:3b\"\n") || !strings.Contains(string(text), server.URL) {
		t.Errorf("%v\n%s", err, text)
	}
	for _, r := range server.Requests() { // nothing of the person's, and no key
		if r.Header.Get("Authorization") != "" || len(r.Messages()) != 1 {
			t.Errorf("sent: %s", r.Body)
		}
	}

	server.Models()
	x = clitest.StartEnv(t, t.TempDir(), []string{"KEN_TEST_LOCAL=" + at}, "config", "init")
	x.Await("(Enter: look here): ")
	x.Send("\r")
	x.Await("no model answers here (" + at + ")")
	x.Await("(Enter: none): ")
	x.Send("\x03")
	if code := x.Exit(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	x = clitest.Start(t, t.TempDir(), nil, "config", "init")
	x.Await("(Enter: look here): ")
	x.Send(server.URL + "/v1\r")
	x.Await("(Enter: none): ")
	x.Send("\r")
	x.Await("name of the model there: ")
	x.Send("\r")
	x.Await("a model has a name")
	x.Await("name of the model there: ")
	x.Send("mine\r")
	x.Await("it answers: Hello again")
	x.Await("(Enter: none): ")
	x.Send("\r")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestConfigInitLeft: who leaves the list of models has chosen none, whatever they had typed to
// look for: a name is asked for.
func TestConfigInitLeft(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t, llmtest.Text("Hello"))
	server.Models("qwen3:8b", "llama3.2:3b")
	x := clitest.Start(t, t.TempDir(), nil, "config", "init")
	x.Await("(Enter: look here): ")
	x.Send(server.URL + "/v1\r")
	x.Await("(Enter: none): ")
	x.Send("\r")
	x.Await("which model?")
	x.Send("gpt")
	x.Await("nothing matches")
	x.Send("\x1b")
	x.Await("name of the model there: ")
	x.Send("\x03")
	if code := x.Exit(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d questions were sent", n)
	}
}

// TestConfigInShell changes settings in a running shell: what can change is in
// force at once, the rest is told to wait.
func TestConfigInShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t, llmtest.Text("from the preset"))
	x := clitest.Start(t, dir, nil)
	x.Await("[ken ~]> ")
	x.Send(":config set models.one.base_url=" + model.URL + " models.one.model=test model=one context.max_turns=9\r")
	x.Await("[ken] from the next start: context.max_turns")
	x.Await("[ken] in force now")
	x.Await(`config: context.max_turns = 9 (was the default: 0)`)
	x.Await("[ken:one ~]> ")
	x.Send("hello\r")
	x.Await("from the preset")
	x.Await("]> ")
	x.Send(":config show context.max_turns\r")
	x.Await("context.max_turns = 0")
	x.Await("]> ")
	x.Send(":check\r")
	x.Await("nothing wrong")
	x.Await("]> ")
	x.Send(":doctor --offline\r")
	x.Await("ok    terminal")
	x.Await("]> ")
	x.Send(":quit\r")
	if code := x.Exit(); code != 0 {
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
		cmd := clitest.Command(t, dir, nil, "config", "set", fmt.Sprintf("models.m%d.model=x%d", i, i))
		wait.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wait.Wait()
	out, err := clitest.Command(t, dir, nil, "config", "show", "models").Output()
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
	x := clitest.Start(t, t.TempDir(), nil, "doctor", "--offline")
	x.Await("ok    terminal")
	x.Await("xterm, 80x24, colours")
	if code := x.Exit(); code != 1 { // there is no model
		t.Errorf("exit code %d", code)
	}
	x = clitest.On(t, ttytest.OpenMute(t, clitest.Command(t, t.TempDir(), nil, "doctor", "--offline")))
	x.Await("note  terminal")
	x.Await("xterm, 80x24: it does not report where its cursor is, so lines are read plainly")
	if code := x.Exit(); code != 1 {
		t.Errorf("exit code %d", code)
	}
}
