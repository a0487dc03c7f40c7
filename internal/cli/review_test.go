//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
)

// TestR190ReviewKeys: the kind and the scope of what was suggested can be set, at
// the command line and in the shell, and the live conversation knows what was kept. A rule
// is shown with what it comes to, also once its text was changed.
func TestR190ReviewKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	queue := `{"id":1,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"likes tea"},"origin":"model"}
{"id":2,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"has a dog"},"origin":"model"}
` + "{\"id\":3,\"kind\":\"proposal\",\"of\":\"rule\",\"record\":{\"kind\":\"rule\",\"content\":\"ask before `git push`\"," +
		"\"match\":[\"git\",\"push\"],\"raise\":\"caution\"},\"origin\":\"model\"}\n"
	if err := os.Mkdir(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ken", "review.jsonl"), []byte(queue), 0o600); err != nil {
		t.Fatal(err)
	}
	x := clitest.Start(t, dir, nil, "review")
	x.Await("[Enter] next > ")
	x.Send("zz?\x1b[A") // no keys of this question
	x.Await("is no answer; type one of these, and Enter")
	x.Await("[Enter] next > ")
	x.Send("\x1b")
	x.Await("nothing was decided; 3 suggestions wait")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}

	x = clitest.Start(t, dir, nil)
	x.Await("]> ")
	x.Send(":review\r")
	x.Await("1 of 3")
	x.Await("[Enter] next > ")
	x.Send("k")
	x.Await("kind: ")
	x.Send("pref\r")
	x.Await("pref  for user")
	x.Await("[Enter] next > ")
	x.Send("w")
	x.Await("a full one): ")
	x.Send("dir\r")
	x.Await("for dir:")
	x.Await("[Enter] next > ")
	x.Send("y")
	x.Await("kept #1 (undo: :undo 1)")
	x.Await("2 of 3")
	x.Await("[Enter] next > ")
	x.Send("\r")
	x.Await("3 of 3")
	x.Await("+1 rule, safety impact: tightens")
	x.Await("git push is caution (tightens)")
	x.Await("[Enter] next > ")
	x.Send("e")
	x.Await("text: ")
	x.Send("\x15never run `git push --force`\r")
	x.Await("checked before commands run: git push --force is danger")
	x.Await("git push --force is danger (tightens)")
	x.Await("[Enter] next > ")
	x.Send("\x03")
	x.Await("1 kept, 0 refused; 2 suggestions wait")
	x.Await("]> ")
	x.Send(":history\r")
	x.Await("(pref) likes tea")
	x.Await("]> ")
	x.Send("\x04")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if want := `"kind":"pref","content":"likes tea","scope":"dir:`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%v, no %s in\n%s", err, want, text)
	}
}
