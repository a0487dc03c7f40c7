package foreign

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"ken/internal/memory"
	"ken/internal/regular"
)

// MaxPage is the largest file that a memory is told to be of, in bytes.
const MaxPage = 1 << 20

// PageOf returns what a memory says of the file that it is learned from: its name, as it is given, and the digest of what the file at
// path holds. Errors: those of the file, which must be a regular one of at most MaxPage.
func PageOf(path, name string) (*memory.Source, error) {
	content, err := regular.Read(path, MaxPage)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, regular.Cause(err))
	}
	return &memory.Source{File: name, Digest: Digest(content)}, nil
}

// Digest is the SHA-256 of what a file holds, 64 hexadecimal digits.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
