//go:build unix

package browser_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// brings: a person chooses a file, sees what would come in, brings it in and takes it back; the set-up is looked at when they say so.
func brings(t *testing.T, s *stage) {
	file := filepath.Join(s.dir, "CLAUDE.md")
	if err := os.WriteFile(file, []byte("- Always answer in plain English\n- The harbour opens at nine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := s.open(t, 768, false)
	b.to("/import")
	b.do(chromedp.SetUploadFiles("input[type=file]", []string{file}))
	b.click("#import button")
	b.says("Would propose 2 memories")
	b.says("Always answer in plain English")
	picture(t, b, "import-seen")
	b.click("#seen button.main")
	b.says("Proposed 2 memories")
	if focus := is[string](b, "document.activeElement.textContent"); !strings.Contains(focus, "Proposed 2 memories") {
		t.Errorf("the focus is on %q", focus)
	}
	for _, fault := range is[[]string](b, faults) {
		t.Error(fault)
	}
	picture(t, b, "import-done")
	b.click("#seen .done button")
	b.says("Took back: 2 suggestions refused")
	b.to("/health")
	b.click("#setup button")
	b.says("Look again")
	b.click(`form[hx-post$="/files"] button`)
	b.says("Checked ")
	for _, fault := range is[[]string](b, faults) {
		t.Error(fault)
	}
	picture(t, b, "health-looked")
}

// picture takes a picture of a state for a person to look at, where they want pictures.
func picture(t *testing.T, b *tab, name string) {
	t.Helper()
	if dir := os.Getenv("KEN_PICTURES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), b.picture(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
