//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
)

// TestExportMasks: a secret that the file holds, by --force or by hand, is in no
// export of whatever form.
func TestExportMasks(t *testing.T) {
	dir := t.TempDir()
	secret := "sk-" + "q7Rt2Lm9" + "Xz4Kp8Vn" + "Jw3Hd6Yb" + "Fs5Gc1Ta"
	files := map[string]string{
		"memory.jsonl": `{"id":1,"kind":"fact","content":"the token is ` + secret + `","tags":["` + secret + `"],"x":{"y":"` + secret + `"}}`,
		"sessions/trip.jsonl": `{"role":"user","content":"the token is ` + secret + `"}` + "\n" +
			`{"role":"assistant","content":"ok","tool_calls":[{"a":"` + secret + `"}],"raw":{"b":"` + secret + `"}}` + "\n" +
			`{"event":"exec","cmd":"echo ` + secret + `"}`,
	}
	for name, text := range files {
		path := filepath.Join(dir, "ken", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"export"},
		{"export", "--json"},
		{"export", "--format", "jsonl"},
		{"sessions", "export", "trip"},
		{"sessions", "export", "trip", "--json"},
		{"sessions", "export", "trip", "--format", "jsonl"},
	} {
		out, err := clitest.Command(t, dir, nil, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", args, err, out)
		}
		if strings.Contains(string(out), secret) || !strings.Contains(string(out), "the token is [masked:") {
			t.Errorf("ken %s:\n%s", strings.Join(args, " "), out)
		}
	}
}
