package expected

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"ken/internal/jsonl"
	"ken/internal/regular"
)

const (
	// maxFile is the longest file that is read, in bytes.
	maxFile = 1 << 20
	// maxFiles is how many files of one directory are read, and maxTests how many tests of
	// a file: each costs a search.
	maxFiles = 256
	maxTests = 1000
)

// A File is a file of tests.
type File struct {
	Path string
	// Root is the repository that it came with: its tests are asked there. "" is the
	// person's own.
	Root  string
	Tests []Test
	Bad   error // nothing of it can be used
}

// A Test says what a question is expected to call up.
type Test struct {
	Name  string   `toml:"name,omitempty"`
	Ask   string   `toml:"ask"`
	In    string   `toml:"in,omitempty"`
	At    any      `toml:"at,omitempty"` // a date or a time of TOML, or a text that is one
	These []string `toml:"these,omitempty"`
	Not   []string `toml:"not,omitempty"`
}

// Dir is the directory of tests in the directory of a repository.
func Dir(top string) string { return filepath.Join(top, ".ken", "tests") }

// Read reads the files *.toml of a directory, by name; none if there is no such directory.
func Read(dir string) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var files []File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".toml") || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if len(files) == maxFiles {
			return files, fmt.Errorf("%s: more than the %d files that are read", dir, maxFiles)
		}
		files = append(files, Load(filepath.Join(dir, e.Name())))
	}
	return files, nil
}

// ReadIn is Read of the tests that came with the repository at top, which nothing in it leads
// out of.
func ReadIn(top string) ([]File, error) {
	if _, err := os.Lstat(Dir(top)); err != nil {
		return nil, nil //nolint:nilerr // there are no tests
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	names, err := fs.Glob(root.FS(), ".ken/tests/*.toml")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var files []File
	for i, name := range names {
		if i == maxFiles {
			return files, fmt.Errorf("%s: more than the %d files that are read", Dir(top), maxFiles)
		}
		f := File{Path: filepath.Join(top, filepath.FromSlash(name)), Root: top}
		text, err := regular.ReadIn(root, name, maxFile)
		f.parse(text, err)
		files = append(files, f)
	}
	return files, nil
}

// Load reads one file of the person's own.
func Load(path string) File {
	f := File{Path: path}
	text, err := regular.Read(path, maxFile)
	f.parse(text, err)
	return f
}

// parse reads the text of a file.
func (f *File) parse(text []byte, err error) {
	if err != nil {
		f.Bad = err
		return
	}
	var got struct {
		Test []Test `toml:"test"`
	}
	err = toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&got)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		row, _ := unknown.Errors[0].Position()
		f.Bad = fmt.Errorf("line %d: unknown key %s: there is name, ask, in, at, these, not", row, strings.Join(unknown.Errors[0].Key(), "."))
	case errors.As(err, &wrong):
		row, _ := wrong.Position()
		f.Bad = fmt.Errorf("line %d: %s", row, strings.TrimPrefix(wrong.Error(), "toml: "))
	case err != nil:
		f.Bad = err
	case len(got.Test) > maxTests:
		f.Bad = fmt.Errorf("%d tests are more than the %d that are run of one file", len(got.Test), maxTests)
	}
	if f.Bad == nil {
		f.Tests = got.Test
	}
}

// Add puts a test at the end of the file at path, which it makes where there is none, under
// the lock of a directory. A file that cannot be read as tests stays as it is.
func Add(ctx context.Context, path, lock string, t Test) error {
	if bad := Load(path).Bad; bad != nil && !errors.Is(bad, fs.ErrNotExist) {
		return fmt.Errorf("add a test to %s: %w", path, bad)
	}
	text, err := toml.Marshal(struct {
		Test []Test `toml:"test"`
	}{[]Test{t}})
	if err != nil {
		return err
	}
	if err := jsonl.MakeDir(jsonl.OS{}, filepath.Dir(path)); err != nil {
		return err
	}
	edit := jsonl.Edit{Path: path, Lock: lock, Most: maxFile}
	_, err = edit.Bytes(ctx, func(old []byte) ([]byte, error) {
		if old = bytes.TrimRight(old, "\n"); len(old) > 0 {
			old = append(old, "\n\n"...)
		}
		return append(old, text...), nil
	})
	return err
}

// when is the time at which a test is asked; now if it names none.
func (t Test) when(now time.Time) (time.Time, error) {
	var text string
	switch at := t.At.(type) {
	case nil:
		return now, nil
	case time.Time:
		return at, nil
	case toml.LocalDate:
		return time.Date(at.Year, time.Month(at.Month), at.Day, 12, 0, 0, 0, now.Location()), nil
	case toml.LocalDateTime:
		return at.AsTime(now.Location()), nil
	case string:
		text = at
	default:
		text = fmt.Sprint(at)
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return day.Add(12 * time.Hour), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		err = fmt.Errorf("at = %q is no date or time: want 2026-11-23 or 2026-11-23T08:00:00Z", text)
	}
	return at, err
}
