package regular

import (
	"errors"
	"os"
	"path/filepath"
)

// PutDerived writes text to the file at path, mode 0600, and makes its directory. A reader sees the old text or the new one. It does not
// wait for the disk, so it is for derived files, which are made again if they are lost. All other files are written by Create and Rewrite
// of package jsonl.
func PutDerived(path, text string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, "tmp-*") // 0600
	if err != nil {
		return err
	}
	_, err = tmp.WriteString(text)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // the first error says what is wrong
	}
	return err
}
