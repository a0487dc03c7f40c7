// Package policies reads the files of lifecycle policies. What they mean is package
// lifecycle's business.
package policies

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

// maxSize is the longest file that is read, in bytes.
const maxSize = 1 << 20

// Plain is the policy that the settings make by themselves.
func Plain(m config.Memory) lifecycle.Policy {
	h := m.Hygiene
	return lifecycle.Policy{Name: lifecycle.Builtin, Sweep: lifecycle.Sweep{
		HotDays: h.HotDays, ArchiveDays: h.ArchiveDays, HotMax: h.HotMax, Batch: h.Batch, Forget: h.Forget, PruneDays: m.PruneOlderThanDays,
	}}
}

// Load reads the policy of that name in dir, over what plain says. The name must be a
// good one (lifecycle.GoodName). A missing file is fs.ErrNotExist.
func Load(dir, name string, plain lifecycle.Policy) (lifecycle.Reading, error) {
	text, err := read(filepath.Join(dir, name+".toml"))
	if err != nil {
		return lifecycle.Reading{}, err
	}
	plain.Name = name
	return lifecycle.ParseTOML(text, plain), nil
}

// LoadFile reads a policy from any file: a memory profile in JSON, or else TOML.
func LoadFile(path string, plain lifecycle.Policy) (lifecycle.Reading, error) {
	text, err := read(path)
	if err != nil {
		return lifecycle.Reading{}, err
	}
	if filepath.Ext(path) == ".json" || bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		plain.Name = "profile"
		return lifecycle.ParseProfile(text, plain), nil
	}
	return lifecycle.ParseTOML(text, plain), nil
}

// Names are the names of the policies in dir, sorted; none if it is not there.
func Names(dir string) ([]string, error) {
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

// read gives what a file holds, without a byte order mark.
func read(path string) ([]byte, error) {
	text, err := regular.Read(path, maxSize)
	return bytes.TrimPrefix(text, []byte("\ufeff")), err
}
