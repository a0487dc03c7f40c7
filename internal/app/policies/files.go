package policies

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/lifecycle"
	"ken/internal/regular"
)

// maxPolicy is the longest file that is read, in bytes.
const maxPolicy = 1 << 20

// Load reads the policy of that name, over what the settings say. The name must be a
// good one (lifecycle.GoodName). A missing file is fs.ErrNotExist.
func (s Set) Load(name string) (lifecycle.Reading, error) {
	text, err := readPolicy(filepath.Join(s.Dir, name+".toml"))
	if err != nil {
		return lifecycle.Reading{}, err
	}
	plain := s.Plain()
	plain.Name = name
	return lifecycle.ParseTOML(text, plain), nil
}

// File reads a policy from any file: a memory profile in JSON, or else TOML.
func (s Set) File(path string) (lifecycle.Reading, error) {
	text, err := readPolicy(path)
	if err != nil {
		return lifecycle.Reading{}, err
	}
	plain := s.Plain()
	if filepath.Ext(path) == ".json" || bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		plain.Name = "profile"
		return lifecycle.ParseProfile(text, plain), nil
	}
	return lifecycle.ParseTOML(text, plain), nil
}

// Names returns the names of the policies that the person wrote, sorted; none if there is no
// directory of them.
func (s Set) Names() ([]string, error) {
	files, err := os.ReadDir(s.Dir)
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
