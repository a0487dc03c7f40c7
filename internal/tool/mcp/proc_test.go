package mcp_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// having lists the processes that have a variable in their environment and are no zombies.
func having(t *testing.T, variable string) []string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, path := range all {
		env, err := os.ReadFile(path) // of a zombie it is empty
		if err == nil && bytes.Contains(env, []byte(variable+"\x00")) {
			out = append(out, filepath.Base(filepath.Dir(path)))
		}
	}
	return out
}
