//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ken/internal/proctest"
)

// TestPapers: each command that measures, as the papers have it, is one that make knows and
// hands to this program, and the one that takes no time works.
func TestPapers(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("make"); err != nil {
		t.Fatalf("the commands of the papers call make: install it: %v", err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	inRoot := func(name string, args ...string) string {
		cmd := proctest.Command(t, name, args...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	commands := regexp.MustCompile("(?m)(?:^|`)(make (?:bench|risk-trace|gobench)[^`\\n]*?|go -C bench run [^`\\n]*?)(?:  |`|$)")
	seen := map[string]bool{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "go run ./bench") {
			t.Errorf("%s: bench is a module of its own: go -C bench run .", page)
		}
		for _, m := range commands.FindAllStringSubmatch(string(text), -1) {
			command := strings.NewReplacer("...", "bench/projects/testdata", "FILE", "README.md").Replace(m[1])
			if seen[command] {
				continue
			}
			seen[command] = true
			if args, ok := strings.CutPrefix(command, "make "); ok {
				inRoot("sh", "-c", "exec make -n "+args)
			}
		}
	}
	if len(seen) < 6 {
		t.Errorf("%d commands found in docs: %v", len(seen), seen)
	}
	var printed strings.Builder
	err = run(t.Context(), []string{"-recall", filepath.Join(root, "bench", "projects", "testdata")}, &printed, &printed)
	if err != nil || !strings.Contains(printed.String(), "identifier ") {
		t.Errorf("-recall measured nothing: %v\n%s", err, &printed)
	}
}
