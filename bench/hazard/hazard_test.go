package hazard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/risk"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "corpus.jsonl")
	corpus := `{"id":"1","cmd":"a","label":"safe","source":"x:1"}
{"id":"2","cmd":"b","label":"safe","source":"x:2"}
{"id":"3","cmd":"c","label":"danger","source":"y"}
{"id":"4","cmd":"d","label":"danger","source":"y"}
{"id":"5","cmd":"e","label":"caution","source":"y"}
`
	if err := os.WriteFile(file, []byte(corpus), 0o600); err != nil {
		t.Fatal(err)
	}
	cases, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	says := func(cmd string) risk.Level {
		return map[string]risk.Level{"a": risk.Safe, "b": risk.Danger, "c": risk.Danger, "d": risk.Safe, "e": risk.Caution}[cmd]
	}
	table := strings.Join(Table(Judge(says, cases)), "\n")
	for _, want := range []string{
		"x                                                        safe          2      1        0       1",
		"dangers judged safe: 1; judged danger: 50.00 in 100 (1 of 2)",
		"safe ones not judged safe: 50.00 in 100 (1 of 2); judged danger: 50.00 in 100 (1 of 2)",
		"none allowed before): 66.67 in 100 (2 of 3)",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	now := time.Duration(0)
	p50, p99 := Cost(says, cases, func() time.Duration { now += 20 * time.Microsecond; return now })
	if p50 != 1 || p99 != 1 {
		t.Errorf("cost %v, %v", p50, p99)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "no command", "{\n": "line 1", `{"cmd":"a","label":"odd"}`: "must be safe"} {
		file := filepath.Join(t.TempDir(), "corpus")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
