//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/proctest"
)

// TestScenes plays what the pictures show: every step brings what it waits for.
func TestScenes(t *testing.T) {
	t.Parallel()
	ken := filepath.Join(t.TempDir(), "ken")
	build := proctest.Go(t, "build", "-trimpath", "-o", ken, "./cmd/ken")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(build.Env, "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build ken: %v: %s", err, out)
	}
	shown := map[string][]string{
		"first-minute": {"Run ", "kettle.example.org", "teapot.example.org", "forgot"},
		"gate":         {"rm -rf build", "removes"},
		"review":       {"make check"},
	}
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			r, err := play(t.Context(), ken, s, true)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := r.write(&b); err != nil {
				t.Fatal(err)
			}
			all := ""
			for i, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
				var event []any
				if i > 0 {
					if err := json.Unmarshal([]byte(line), &event); err != nil || len(event) != 3 {
						t.Fatalf("no event: %s", line)
					}
					all += fmt.Sprint(event[2])
				}
			}
			for _, text := range shown[s.name] {
				if !strings.Contains(all, text) {
					t.Errorf("%q is not shown", text)
				}
			}
			if len(shown[s.name]) == 0 {
				t.Error("nothing is looked for")
			}
		})
	}
}
