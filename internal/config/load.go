package config

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"ken/internal/regular"
)

// MaxFile is the longest file of settings that is read, in bytes: a hundred
// times what a person writes, and a bound for what is no such file at all. The
// time that the decoder takes grows with the square of the keys in a table.
const MaxFile = 256 << 10

// Load reads the file at path. A missing file is the defaults, also where its
// directory cannot be one because a file stands in the way.
func Load(path string) (Config, error) {
	c, err := LoadExisting(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return Default(), nil
	}
	return c, err
}

// LoadExisting reads a file that the person named: that it is missing is an
// error (fs.ErrNotExist). What is wrong with its text is an *Error.
func LoadExisting(path string) (Config, error) {
	src, err := readFile(path, MaxFile)
	if err != nil {
		return Config{}, fmt.Errorf("read settings %s: %w", path, err)
	}
	return Parse(src, path)
}

// readFile reads a regular file of at most most bytes.
func readFile(path string, most int64) ([]byte, error) {
	src, err := regular.Read(path, most)
	switch {
	case errors.Is(err, regular.ErrNotFile):
		return nil, regular.ErrNotFile
	case errors.Is(err, regular.ErrTooLong):
		return nil, fmt.Errorf("longer than %d bytes", most)
	case err != nil:
		return nil, regular.Cause(err)
	}
	return src, nil
}
