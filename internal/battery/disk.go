package battery

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// unreadableLine reports whether a line that says something is no JSON.
func unreadableLine(line []byte) bool {
	return len(strings.TrimSpace(string(line))) > 0 && !json.Valid(line)
}

// eachLine calls do for each line of a file; a missing one has none.
func eachLine(path string, do func(jsonl.Line) error) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	for line, err := range jsonl.Lines(file, memory.MaxLine) {
		if err == nil {
			err = do(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// absent checks that no file below dir has the text.
func absent(dir, text string) error {
	return eachFile(dir, func(path string, _ fs.FileInfo) error {
		b, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(b), text) {
			err = fmt.Errorf("%.12q stands in %s", text, filepath.Base(path))
		}
		return err
	})
}

// modes checks that nobody else can read what is below dir.
func modes(dir string) error {
	return eachFile(dir, func(path string, fi fs.FileInfo) error {
		if fi.Mode().Perm()&0o077 != 0 {
			return fmt.Errorf("%s has the mode %v", filepath.Base(path), fi.Mode())
		}
		return nil
	})
}

func eachFile(dir string, do func(string, fs.FileInfo) error) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		fi, err := e.Info()
		if err != nil {
			return err
		}
		return do(path, fi)
	})
}
