package foreign

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"
)

// Bounds of a packed file: what exports of real people stay far below, and what a file that
// was made to fill a disk or a memory does not.
const (
	maxPackedFiles = 50_000
	maxUnpacked    = int64(2) << 30 // bytes, of all that is read
	maxRatio       = 200            // of what is read to what the packed file has
	sureUnpacked   = int64(32) << 20
)

var errBomb = errors.New("it unpacks to more than an export would: nothing more of it is read")

// A Packed is one file of a packed one.
type Packed struct {
	Name string // as it stands there, cleaned; it is for words alone, and nothing is written there
	Time time.Time
	io.Reader
}

// IsKnown reports whether a file of that name may hold something that is imported.
func IsKnown(name string) bool {
	known := []string{".json", ".jsonl", ".md", ".mdc", ".markdown", ".txt", ".cursorrules", ".windsurfrules", ".zip"}
	return slices.Contains(known, strings.ToLower(path.Ext(name)))
}

// Unpack hands each file of a zip file that may hold something to do, in order, without
// writing anything. Files in it that are packed themselves are passed over. size is that of
// the zip file. An error of do ends it; so does more than the bounds.
func Unpack(r io.ReaderAt, size int64, do func(Packed) error) error {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	if len(z.File) > maxPackedFiles {
		return fmt.Errorf("%d files: %w", len(z.File), errBomb)
	}
	left := min(maxUnpacked, max(size*maxRatio, sureUnpacked))
	for _, f := range z.File {
		name := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(f.Name, `\`, "/")), "/")
		if f.FileInfo().IsDir() || !f.Mode().IsRegular() || !IsKnown(name) || path.Ext(name) == ".zip" {
			continue
		}
		file, err := f.Open()
		if err != nil {
			return fmt.Errorf("unpack %s: %w", name, err)
		}
		in := &bounded{Reader: file, left: &left}
		err = do(Packed{Name: name, Time: f.Modified, Reader: in})
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// bounded ends with an error where several readers have given so many bytes together,
// whatever the packed file says of itself.
type bounded struct {
	io.Reader
	left *int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if *b.left <= 0 {
		return 0, errBomb
	}
	n, err := b.Reader.Read(p[:min(int64(len(p)), *b.left)])
	*b.left -= int64(n)
	return n, err
}
