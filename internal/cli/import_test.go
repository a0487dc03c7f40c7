package cli

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestB19Zip: the zip file that a vendor sends is imported as it is, from a directory too;
// one that unpacks to very much more than it is ends with an error.
func TestB19Zip(t *testing.T) {
	t.Parallel()
	const talk = `[{"title":"Tea","create_time":1700000000,"current_node":"b","mapping":{` +
		`"a":{"id":"a","children":["b"],"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["how hot is sencha?"]}}},` +
		`"b":{"id":"b","parent":"a","message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["70 degrees"]}}}}}]`
	home := newLaneHome(t)
	write := func(name string, files ...string) {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := 0; i < len(files); i += 2 {
			w, err := z.Create(files[i])
			if err == nil {
				_, err = io.WriteString(w, files[i+1])
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(string(home), name)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("sent/export.zip", "conversations.json", talk, "chat.html", "<p>", "../../evil.md", "- always use tabs\n")
	write("sent/empty.zip", "chat.html", "<p>")
	write("bomb.zip", "conversations.json", talk+strings.Repeat("\n", 80<<20))
	run := func(words ...string) (out, said string, code int) {
		var b bytes.Buffer
		_, said, code = home.runInto(t, &b, "", "", words)
		return b.String(), said, code
	}
	out, said, code := run("import", "$HOME/sent/export.zip")
	if code != 0 || !strings.Contains(out, "imported 2 turns of 1 session") || !strings.Contains(said, "ken sessions search") {
		t.Errorf("exit code %d: %s%s", code, out, said)
	}
	if out, _, _ := run("sessions", "search", "sencha"); !strings.Contains(out, "how hot is sencha?") {
		t.Errorf("it is not found: %s", out)
	}
	if out, said, code := run("import", "$HOME/sent"); code != 0 || !strings.Contains(out, "2 already there") {
		t.Errorf("again, in a directory: exit code %d: %s%s", code, out, said)
	}
	if _, said, code := run("import", "$HOME/sent/empty.zip"); code != 1 || !strings.Contains(said, "nothing that is known is in it") {
		t.Errorf("nothing in it: exit code %d: %s", code, said)
	}
	if _, said, code := run("import", "$HOME/bomb.zip"); code != 1 || !strings.Contains(said, "it unpacks to more than an export would") {
		t.Errorf("a bomb: exit code %d: %s", code, said)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(string(home)), "evil.md")); err == nil {
		t.Error("a file was unpacked")
	}
}
