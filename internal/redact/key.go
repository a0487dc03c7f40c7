package redact

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/regular"
)

// KeySize is the length of a mask key in bytes: that of the hash it keys.
const KeySize = 32

// maxKeyFile is the longest key file that is read, in bytes.
const maxKeyFile = 4 << 10

// ErrBadKey says that a key file does not hold a key. LoadKey does not replace
// such a file: with another key the placeholders of old would no longer match.
var ErrBadKey = errors.New("not a mask key")

// LoadKey returns the key in the file at path, 64 hexadecimal digits, and makes
// the file (mode 0600) and its directory (0700) if they are missing. Processes
// that do so at the same time all get the same key: each writes one under a name
// of its own, and the first to give it the name path wins. No lock is needed, so
// LoadKey may be called with or without the lock of the directory.
func LoadKey(path string) ([]byte, error) {
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := createKey(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("create mask key %s: %w", path, err)
	}
	return readKey(path)
}

func readKey(path string) ([]byte, error) {
	b, err := regular.Read(path, maxKeyFile)
	if err != nil {
		return nil, fmt.Errorf("read mask key: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(b)))
	if err != nil || len(key) != KeySize {
		return nil, fmt.Errorf("read mask key %s: %w (want %d hexadecimal digits)", path, ErrBadKey, 2*KeySize)
	}
	return key, nil
}

// createKey makes the file path with a new key, whole or not at all, and fails
// with fs.ErrExist if it is there already.
func createKey(path string) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	key := make([]byte, KeySize)
	_, _ = rand.Read(key) // never fails
	// CreateTemp opens with O_EXCL and mode 0600.
	tmp, err := os.CreateTemp(dir, filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(tmp.Name())) }()
	_, err = tmp.WriteString(hex.EncodeToString(key) + "\n")
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	// A hard link, unlike a rename, never replaces a winner's file.
	if err := os.Link(tmp.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return writeNew(path, hex.EncodeToString(key)+"\n")
}

// writeNew makes the file path where the file system has no hard links. Another
// process may there see a part of the key, and get ErrBadKey for it.
func writeNew(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
