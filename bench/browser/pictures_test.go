//go:build unix

package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestPictures takes a picture of every page at three widths and in both themes, for a person to look at.
func TestPictures(t *testing.T) {
	dir := os.Getenv("KEN_PICTURES")
	if dir == "" {
		t.Skip("KEN_PICTURES names no directory: make page-pictures")
	}
	s := newStage(t)
	for _, dark := range []bool{false, true} {
		b := s.open(t, 1440, dark)
		b.refusals = []string{"404"}
		for _, wide := range []int64{320, 768, 1440} {
			b.width(wide)
			for name, path := range views(s) {
				b.to(path)
				theme := map[bool]string{true: "dark", false: "light"}[dark]
				file := filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, wide, theme))
				if err := os.WriteFile(file, b.picture(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
