package home

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/config"
	"ken/internal/lifecycle"
	"ken/internal/regular"
)

// maxPolicy is the longest file that is read, in bytes.
const maxPolicy = 1 << 20

// PlainPolicy is the policy that the settings make by themselves.
func PlainPolicy(m config.Memory) lifecycle.Policy {
	h := m.Hygiene
	return lifecycle.Policy{Name: lifecycle.Builtin, Sweep: lifecycle.Sweep{
		HotDays: h.HotDays, ArchiveDays: h.ArchiveDays, HotMax: h.HotMax, Batch: h.Batch, Forget: h.Forget, PruneDays: m.PruneOlderThanDays,
	}}
}

// LoadPolicy reads the policy of that name in dir, over what plain says. The name must be a
// good one (lifecycle.GoodName). A missing file is fs.ErrNotExist.
func LoadPolicy(dir, name string, plain lifecycle.Policy) (lifecycle.Reading, error) {
	text, err := readPolicy(filepath.Join(dir, name+".toml"))
	if err != nil {
		return lifecycle.Reading{}, err
	}
	plain.Name = name
	return lifecycle.ParseTOML(text, plain), nil
}

// LoadPolicyFile reads a policy from any file: a memory profile in JSON, or else TOML.
func LoadPolicyFile(path string, plain lifecycle.Policy) (lifecycle.Reading, error) {
	text, err := readPolicy(path)
	if err != nil {
		return lifecycle.Reading{}, err
	}
	if filepath.Ext(path) == ".json" || bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		plain.Name = "profile"
		return lifecycle.ParseProfile(text, plain), nil
	}
	return lifecycle.ParseTOML(text, plain), nil
}

// PolicyNames are the names of the policies in dir, sorted; none if it is not there.
func PolicyNames(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".toml"); ok && lifecycle.GoodName(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// readPolicy gives what a file holds, without a byte order mark.
func readPolicy(path string) ([]byte, error) {
	text, err := regular.Read(path, maxPolicy)
	return bytes.TrimPrefix(text, []byte("\ufeff")), err
}
