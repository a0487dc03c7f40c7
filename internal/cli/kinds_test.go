//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/memory"
)

// TestKindsAreCarried: what is stated of any kind in the table of kinds is listed, found, exported in its chapter, shown on the page
// and in MEMORY.md, and can be suggested. It takes the kinds from the table, so it holds a new one to the same.
func TestKindsAreCarried(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	word := func(k memory.Kind) string { return "zebra" + string(k) }
	var queue strings.Builder
	for i, k := range memory.StatingKinds() {
		if _, errs, code := clitest.Run(t, dir, "", "remember", "--kind", string(k), "the word is "+word(k)); code != 0 {
			t.Fatal(errs)
		}
		fmt.Fprintf(&queue, `{"id":%d,"kind":"proposal","of":"memory","origin":"model","record":{"kind":%q,"content":"suggested %s"}}`+"\n",
			i+1, k, word(k))
	}
	if err := os.WriteFile(filepath.Join(dir, "ken", "review.jsonl"), []byte(queue.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		out, errs, code := clitest.Run(t, dir, "", args...)
		if code != 0 {
			t.Fatalf("%v: %s", args, errs)
		}
		return out
	}
	run("memory", "page")
	pageFile, err := os.ReadFile(filepath.Join(dir, "ken", "MEMORY.md"))
	if err != nil {
		t.Fatal(err)
	}
	export, review, help := run("export"), run("review", "--json"), run("remember", "--help")
	b := &webPage{t: t, dir: dir}
	b.start()
	b.link()
	for _, k := range memory.StatingKinds() {
		if k.About() == "" || k.Title() == string(k) {
			t.Errorf("%s: about %q, title %q", k, k.About(), k.Title())
		}
		for name, text := range map[string]string{
			"the list":   run("memory", "list", "--kind", string(k)),
			"the search": run("recall", "--in", "memory", "--kind", string(k), word(k)),
			"the page":   b.get("/memory?" + url.Values{"kind": {string(k)}}.Encode()),
		} {
			if !strings.Contains(text, word(k)) || strings.Contains(strings.ReplaceAll(text, word(k), ""), "the word is zebra") {
				t.Errorf("%s of %s is\n%s", name, k, text)
			}
		}
		if _, chapter, _ := strings.Cut(export, "\n## "+k.Title()+"\n"); !strings.HasPrefix(strings.TrimLeft(chapter, "\n"), "- [") ||
			!strings.Contains(strings.Split(chapter, "\n## ")[0], word(k)) {
			t.Errorf("%s is not in its chapter:\n%s", k, export)
		}
		_, part, _ := strings.Cut(string(pageFile), fmt.Sprintf("### %s (1)\n", k))
		if part, _, _ = strings.Cut(part, "\n#"); !strings.Contains(part, word(k)) {
			t.Errorf("%s is not in MEMORY.md:\n%s", k, pageFile)
		}
		if !strings.Contains(help, string(k)) {
			t.Errorf("%s is not offered:\n%s", k, help)
		}
	}
	b.end(syscall.SIGTERM)
	var waits []struct{ Kind, Content string }
	if err := json.Unmarshal([]byte(review), &waits); err != nil || len(waits) != len(memory.StatingKinds()) {
		t.Fatal(review, err)
	}
	for i, k := range memory.StatingKinds() {
		if waits[i].Kind != string(k) || waits[i].Content != "suggested "+word(k) {
			t.Errorf("%s waits as %+v", k, waits[i])
		}
	}
}
