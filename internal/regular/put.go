package regular

import (
	"errors"
	"os"
	"path/filepath"
)

// PutDerived has the file at path hold text, for the person alone, and its directory be there. Who reads it beside that gets
// what it held or what it holds. It is for derived files, which are made anew where they are lost: it does not wait for the
// disk. What a person would miss is written with Create and Rewrite of package jsonl.
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
