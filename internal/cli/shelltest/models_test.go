//go:build unix

package shelltest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// knownModels has one preset at a server that nobody is at, and what that server is known to
// have: five hundred models and three. Nobody is asked for what is known.
func knownModels(t *testing.T) (dir string) {
	t.Helper()
	const base = "http://127.0.0.1:9/v1"
	const now = "2026-05-10T12:00:00Z"
	dir = t.TempDir()
	var b strings.Builder
	fmt.Fprintf(&b, "ken models 1\t%s\t%s\n", now, base)
	fmt.Fprintf(&b, "qwen3:8b\t16384\t-\t-\t-\t%s\nllama3.2:3b\t131072\t-\t-\t-\t%s\nnomic-embed-text\t0\t-\t-\t-\t-\n", now, now)
	for i := range 500 {
		fmt.Fprintf(&b, "vendor/model-%03d-instruct-with-a-long-name\t0\t-\t-\t-\t-\n", i)
	}
	sum := sha256.Sum256([]byte(base))
	for name, text := range map[string]string{
		"config.toml": "[models.local]\nbase_url = \"" + base + "\"\nmodel = \"qwen3:8b\"\n",
		filepath.Join("cache", "models", hex.EncodeToString(sum[:8])): b.String(),
	} {
		path := filepath.Join(dir, "ken", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestScreenModels: the models that there are, to choose from as one types, at the widths
// of screens; five hundred and more, and none that fits.
func TestScreenModels(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ rows, cols int }{{16, 40}, {24, 80}, {24, 200}} {
		t.Run(fmt.Sprint(size.cols), func(t *testing.T) {
			t.Parallel()
			name := func(what string) string { return fmt.Sprintf("models_%s_%d", what, size.cols) }
			x := screenAt(t, knownModels(t), size.rows, size.cols, nil)
			x.Await("]> ")
			x.Send(":model\r")
			x.Await("which model?")
			x.Await("vendor/model-001")
			shows(x, name("all"))
			x.Send("3.2")
			shows(x, name("found"))
			x.Send("\r")
			x.Await("131,072 tokens)")
			x.Await("]> ")
			x.Send(":model\r")
			x.Await("which model?")
			x.Send("nothing like that")
			x.Send("\x1b")
			x.Await("]> ")
			shows(x, name("chosen"))
			x.Send(":quit\r")
			if code := x.Exit(); code != 0 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// TestModelsDumb: where nothing can be drawn they are numbered, and a number chooses.
func TestModelsDumb(t *testing.T) {
	t.Parallel()
	x := screenAt(t, knownModels(t), 24, 80, nil, "TERM=dumb")
	x.Await("]> ")
	x.Send(":model\r")
	x.Await("which model?")
	x.Send("2\r")
	x.Await("model: llama3.2:3b (at 127.0.0.1:9; 131,072 tokens)")
	x.Await("]> ")
	x.Send(":quit\r")
	if code := x.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
