package runner

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFinds: a file that a program would obey is found where the line runs and above, up
// to the home, whatever letters a directory has in its name.
func TestFinds(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(home, "a[b]*")
	inner := filepath.Join(project, "sub")
	if err := os.MkdirAll(filepath.Join(project, ".cargo"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{project + "/.cargo/config.toml", project + "/json.py", home + "/rust-toolchain"} {
		if err := os.WriteFile(filepath.FromSlash(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		dir, name string
		want      bool
	}{
		{inner, ".cargo/config.toml", true},
		{inner, "./json.*", false},
		{project, "./json.*", true},
		{inner, "rust-toolchain", false}, // of the home: the person's own
		{"", ".cargo/config.toml", true},
	} {
		if got := finds(c.dir, home)(c.name); got != c.want {
			t.Errorf("%q %q: %v", c.dir, c.name, got)
		}
	}
}
