package redact

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// B20: the key is made once, for its owner alone, and is the same ever after.
func TestLoadKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "mask.key")
	key, err := LoadKey(path)
	if err != nil || len(key) != KeySize {
		t.Fatalf("key of %d bytes, %v", len(key), err)
	}
	again, err := LoadKey(path)
	if err != nil || string(again) != string(key) {
		t.Errorf("second load: another key, %v", err)
	}
	if runtime.GOOS != "windows" {
		for p, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700 | fs.ModeDir} {
			if st, err := os.Stat(p); err != nil || st.Mode() != want {
				t.Errorf("%s: mode %v, want %v (%v)", p, st.Mode(), want, err)
			}
		}
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("files left: %v", files)
	}
	other, err := LoadKey(filepath.Join(t.TempDir(), "mask.key"))
	if err != nil || string(other) == string(key) {
		t.Errorf("another place, same key (%v)", err)
	}
}

// Many at once on a new directory all get the winner's key.
func TestLoadKeyRace(t *testing.T) {
	t.Parallel()
	for range 20 {
		path := filepath.Join(t.TempDir(), "mask.key")
		keys := make([]string, 8)
		var wg sync.WaitGroup
		for i := range keys {
			wg.Go(func() {
				key, err := LoadKey(path)
				if err != nil {
					t.Error(err)
				}
				keys[i] = string(key)
			})
		}
		wg.Wait()
		for _, k := range keys {
			if k != keys[0] {
				t.Fatal("two keys")
			}
		}
		if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
			t.Errorf("files left: %v", files)
		}
	}
}

func TestLoadKeyErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"empty": "", "short": strings.Repeat("ab", 31), "long": strings.Repeat("ab", 33), "words": strings.Repeat("zz", 32), "spaced": strings.Repeat("ab", 16) + " " + strings.Repeat("ab", 16),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadKey(path); !errors.Is(err, ErrBadKey) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if b, _ := os.ReadFile(path); string(b) != content {
			t.Errorf("%s: a file that is no key was replaced", name)
		}
	}
	if _, err := LoadKey(dir); err == nil || errors.Is(err, ErrBadKey) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := LoadKey(filepath.Join(dir, "empty", "mask.key")); err == nil {
		t.Error("below a file: no error")
	}
	ok := filepath.Join(dir, "ok")
	if err := os.WriteFile(ok, []byte(" "+strings.Repeat("AB", 32)+" \r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if key, err := LoadKey(ok); err != nil || key[0] != 0xab {
		t.Errorf("spaces around a key: %v", err)
	}
}

// Without hard links the key is as private, and the loser of a race is told.
func TestWriteNew(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mask.key")
	text := strings.Repeat("ab", KeySize) + "\n"
	if err := writeNew(path, text); err != nil {
		t.Fatal(err)
	}
	if err := writeNew(path, "other"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second time: %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != text {
		t.Errorf("holds %q (%v)", b, err)
	}
	if st, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && st.Mode() != 0o600 {
		t.Errorf("mode %v (%v)", st.Mode(), err)
	}
}
