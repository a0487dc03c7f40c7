//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestR190ReviewKeys: the kind and the scope of what was suggested can be set, at
// the command line and in the shell, and the live conversation knows what was kept.
func TestR190ReviewKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	queue := `{"id":1,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"likes tea"},"origin":"model"}
{"id":2,"kind":"proposal","of":"memory","record":{"kind":"fact","content":"has a dog"},"origin":"model"}
`
	if err := os.Mkdir(filepath.Join(dir, "ken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ken", "review.jsonl"), []byte(queue), 0o600); err != nil {
		t.Fatal(err)
	}
	x := startTerminal(t, dir, nil, "review")
	x.await("(Enter: next) ")
	x.send("zz?\x1b[A") // no keys of this question; the last one begins with Escape: quit
	x.await("nothing was decided; 2 suggestions wait")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}

	x = startTerminal(t, dir, nil)
	x.await("]> ")
	x.send(":review\r")
	x.await("1 of 2")
	x.await("(Enter: next) ")
	x.send("k")
	x.await("kind: ")
	x.send("pref\r")
	x.await("pref  for user")
	x.await("(Enter: next) ")
	x.send("s")
	x.await("a full one): ")
	x.send("dir\r")
	x.await("for dir:")
	x.await("(Enter: next) ")
	x.send("y")
	x.await("kept #1 (undo: :undo 1)")
	x.await("2 of 2")
	x.await("(Enter: next) ")
	x.send("\x03")
	x.await("1 kept, 0 refused; 1 suggestion waits")
	x.await("]> ")
	x.send(":history\r")
	x.await("(pref) likes tea")
	x.await("]> ")
	x.send("\x04")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ken", "memory.jsonl"))
	if want := `"kind":"pref","content":"likes tea","scope":"dir:`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%v, no %s in\n%s", err, want, text)
	}
}
