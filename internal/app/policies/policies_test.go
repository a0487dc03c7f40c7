package policies

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/config"
)

// TestLoad: a policy is found by its name, a profile by its file, whatever it is called;
// what is no file of a person's size is refused.
func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"work.toml":    "\ufefftitle = \"w\"\n[hygiene]\nhot_days = 7\n",
		"profile.json": `{"schema_version":"markitect.memory.profile.v1","id":"team"}`,
		"profile.txt":  "\n" + `{"schema_version":"markitect.memory.profile.v1","id":"team"}`,
		"broken.json":  "title = 3",
		"long.toml":    strings.Repeat("#", maxPolicy+1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "dir.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	set := Set{Dir: dir, Memory: config.Default().Memory}
	if s := set.Plain().Sweep; s.HotDays != 60 || s.ArchiveDays != 90 || s.HotMax != 20 || s.Batch != 5 || s.Forget || s.PruneDays != 0 {
		t.Errorf("the settings alone: %+v", s)
	}
	r, err := set.Load("work")
	if err != nil || len(r.Faults) > 0 || r.Policy.Name != "work" || r.Policy.Sweep.HotDays != 7 || r.Policy.Sweep.HotMax != 20 {
		t.Errorf("%v: %+v", err, r)
	}
	for _, name := range []string{"profile.json", "profile.txt"} {
		if r, err := set.File(filepath.Join(dir, name)); err != nil || len(r.Faults) > 0 || r.Policy.Name != "team" {
			t.Errorf("%s: %v: %+v", name, err, r)
		}
	}
	if r, err := set.File(filepath.Join(dir, "broken.json")); err != nil || len(r.Faults) != 1 {
		t.Errorf("%v: %+v", err, r)
	}
	if _, err := set.Load("nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	for _, name := range []string{"long", "dir"} {
		if _, err := set.Load(name); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}
