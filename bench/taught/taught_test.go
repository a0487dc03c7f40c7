package taught

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReport: lines are counted by label and language, and those read otherwise are named.
func TestReport(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "lines.jsonl")
	text := `{"id":"a","text":"remember that the lift is closed","lang":"en","label":"explicit","kind":"fact","content":"the lift is closed"}
{"id":"b","text":"what time is it?","lang":"en","label":"explicit","kind":"fact","content":"x"}

{"id":"c","text":"wie spät ist es?","lang":"de","label":"none"}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Report(&b, file, time.Now); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"explicit    all        2  50.0%", "none        de         1 100.0%", "b  explicit en, read as none"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	for _, bad := range []string{"", "{", `{"label":"what"}`} {
		if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Report(&b, file, time.Now); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
