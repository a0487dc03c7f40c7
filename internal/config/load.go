package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// maxFile is the longest file of settings that is read, in bytes: a hundred
// times what a person writes, and a bound for what is no such file at all. The
// time that the decoder takes grows with the square of the keys in a table.
const maxFile = 256 << 10

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
	src, err := readFile(path, maxFile)
	if err != nil {
		return Config{}, fmt.Errorf("read settings %s: %w", path, err)
	}
	return Parse(src, path)
}

// readFile reads a regular file of at most most bytes.
func readFile(path string, most int64) ([]byte, error) {
	// Not opened at first: opening a pipe would wait for its other end.
	fi, err := os.Stat(path)
	if err != nil {
		return nil, cause(err)
	}
	if !fi.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, cause(err)
	}
	if int64(len(src)) > most {
		return nil, fmt.Errorf("longer than %d bytes", most)
	}
	return src, nil
}

// cause drops the path from an error of os, for messages that name it already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
