package shellinit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a model puts around a command line goes, and a second line never comes along.
func TestOneLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"ls -la":                       "ls -la",
		"```sh\nls -la\n```":           "ls -la",
		"`ls -la`":                     "ls -la",
		"$ ls -la":                     "ls -la",
		"CMD: ls -la":                  "ls -la",
		"ls\nrm -rf ~":                 "ls",
		"ls\r\nrm -rf ~":               "ls",
		"ls\x1b[201~\nrm":              "ls",
		"\n\n  ls\t-la  \n":            "ls -la",
		"echo `date`":                  "echo `date`",
		"":                             "",
		"```\n```":                     "",
		"l\u200bs \x1b]52;c;eA==\x07x": "ls x",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	keys, err := parseKey("C-x M-k")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{bashKey(keys), zshKey(keys), fishKey(keys)}
	if diff := cmp.Diff([]string{`\C-x\ek`, `^x\ek`, `\cx\ek`}, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "C-", "x", "C-X", "C-x k", "^X", "C-'"} {
		if _, err := parseKey(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
