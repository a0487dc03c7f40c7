package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, top string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func symlink(t *testing.T, target, path string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links need a right of their own on Windows")
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// told is a file in a word: its name, and its text or why it is refused.
func told(f File) string {
	if f.Bad != nil {
		return f.Path + ": " + f.Bad.Error()
	}
	return f.Path + " = " + string(f.Text)
}

func TestRead(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, outside, map[string]string{"secret.jsonl": "secret\n", "memory/x.jsonl": "secret\n"})
	top := t.TempDir()
	write(t, top, map[string]string{
		".ken/memory/team.jsonl":                            "one\n",
		".ken/memory/a-1.jsonl":                             "",
		".ken/memory/README.md":                             "hello",
		".ken/memory/.hidden.jsonl":                         "x",
		".ken/memory/Team.jsonl":                            "x",
		".ken/memory/a b.jsonl":                             "x",
		".ken/memory/.jsonl":                                "x",
		".ken/memory/" + strings.Repeat("x", 41) + ".jsonl": "x",
		".ken/memory/dir.jsonl/x":                           "x",
		".ken/memory/full.jsonl":                            strings.Repeat("x", MaxFile),
		".ken/memory/huge.jsonl":                            strings.Repeat("x", MaxFile+1),
		"notes.jsonl":                                       "inside\n",
	})
	for name, target := range map[string]string{
		"inside": "../../notes.jsonl", "outside": filepath.Join(outside, "secret.jsonl"),
		"up": "../../../../../../../../../../.." + filepath.Join(outside, "secret.jsonl"), "gone": "nowhere", "round": "round.jsonl",
	} {
		symlink(t, target, filepath.Join(top, ".ken/memory", name+".jsonl"))
	}
	files, err := Read(top)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, f := range files {
		text := string(f.Text)
		if f.Bad != nil {
			text = "refused"
			if f.Text != nil || f.SHA256 != "" {
				t.Errorf("%s is refused and read", f.Path)
			}
		} else if f.SHA256 != sumOf(f.Text) || f.Path != PathOf(f.Log) {
			t.Errorf("%s: %s", f.Path, f.SHA256)
		}
		if len(text) > 20 {
			text = fmt.Sprint(len(text))
		}
		got[f.Log] = text
	}
	want := map[string]string{
		"team": "one\n", "a-1": "", "inside": "inside\n", "full": fmt.Sprint(MaxFile),
		"Team": "refused", "a b": "refused", strings.Repeat("x", 41): "refused", "dir": "refused", "huge": "refused",
		"outside": "refused", "up": "refused", "gone": "refused", "round": "refused",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestReadNoWayOut: the directory itself may be the link.
func TestReadNoWayOut(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, outside, map[string]string{"memory/x.jsonl": "secret\n", "x.jsonl": "secret\n"})
	for link, target := range map[string]string{".ken": outside, ".ken/memory": outside} {
		top := t.TempDir()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(top, link)), 0o700); err != nil {
			t.Fatal(err)
		}
		symlink(t, target, filepath.Join(top, link))
		if files, err := Read(top); err == nil || len(files) > 0 {
			t.Errorf("%s leads out: %v, %v", link, files, err)
		}
	}
	top := t.TempDir()
	if files, err := Read(top); err != nil || len(files) > 0 {
		t.Errorf("nothing there: %v, %v", files, err)
	}
	write(t, top, map[string]string{".ken/memory": "a file"})
	if files, err := Read(top); err == nil || len(files) > 0 {
		t.Errorf("a file in its place: %v, %v", files, err)
	}
	if _, err := Read(filepath.Join(top, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no repository: %v", err)
	}
}

func TestReadMany(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	files := make(map[string]string)
	for i := range MaxFiles + 3 {
		files[fmt.Sprintf(".ken/memory/log-%02d.jsonl", i)] = "x\n"
	}
	write(t, top, files)
	got, err := Read(top)
	if err != nil || len(got) != MaxFiles+3 {
		t.Fatal(len(got), err)
	}
	for i, f := range got {
		if (f.Bad != nil) != (i >= MaxFiles) {
			t.Errorf("%s", told(f))
		}
	}
}
