//go:build unix

package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOwn: a file of another account, or one that everybody could have put there, says
// nothing; what nobody can have replaced does.
func TestOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	if err := Own(file); err != nil {
		t.Errorf("there is none: %v", err)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode]string{
		0o700: "", 0o755: "", 0o775: "", 0o777: "everybody may write to", 0o702: "everybody may write to", 0o777 | os.ModeSticky: "",
	} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		err := Own(file)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", mode, err)
		}
		var hinted interface{ Hint() string }
		if err != nil && (!errors.As(err, &hinted) || hinted.Hint() != "chmod o-w "+dir) {
			t.Errorf("%v: no hint", mode)
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		return // nobody else can give a file away
	}
	if err := os.Chown(file, 12345, -1); err != nil {
		t.Skip(err)
	}
	if err := Own(file); err == nil || !strings.Contains(err.Error(), "belongs to another account (uid 12345)") {
		t.Errorf("of another account: %v", err)
	}
	p := Paths{Config: dir, Data: dir, State: dir}
	if err := p.Own(); err == nil {
		t.Error("the settings of another account count")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{p.Device(), p.MaskKey(), p.Trust(), p.Approvals(), p.Met(), p.Profile(), p.Working(), filepath.Join(p.Policies(), "a.toml")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := p.Own(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if err := os.Chown(path, 12345, -1); err != nil {
			t.Fatal(err)
		}
		if err := p.Own(); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s of another account: %v", path, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
