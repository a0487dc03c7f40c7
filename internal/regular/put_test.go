package regular_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"ken/internal/regular"
)

// TestPutDerived: a file is there with its directory, for the person alone; who reads it beside others that write gets one text whole;
// what fails leaves nothing behind.
func TestPutDerived(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	path := filepath.Join(dir, "f")
	texts := []string{strings.Repeat("one\n", 5000), strings.Repeat("other\n", 7000)}
	var all sync.WaitGroup
	for _, text := range texts {
		all.Go(func() {
			for range 50 {
				if err := regular.PutDerived(path, text); err != nil {
					t.Error(err)
				}
				if got, err := os.ReadFile(path); err != nil || string(got) != texts[0] && string(got) != texts[1] {
					t.Errorf("%d bytes, %v", len(got), err)
				}
			}
		})
	}
	all.Wait()
	if fi, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", fi, err)
	}
	if err := regular.PutDerived(dir, "x"); err == nil { // a directory stands there
		t.Error("no error")
	}
	for _, d := range []string{dir, filepath.Dir(dir)} {
		list, err := os.ReadDir(d)
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %v, %v", d, list, err)
		}
	}
}
