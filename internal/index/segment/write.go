package segment

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"ken/internal/index"
)

// A pagedWriter writes a file and keeps the sum of each of its pages.
type pagedWriter struct {
	w    *bufio.Writer
	n    int64 // bytes so far
	page []byte
	sums []byte
}

// Write implements io.Writer.
func (w *pagedWriter) Write(b []byte) (int, error) {
	all := len(b)
	for len(b) > 0 {
		some := b[:min(len(b), pageSize-len(w.page))]
		w.page, b = append(w.page, some...), b[len(some):]
		if len(w.page) == pageSize {
			if err := w.turn(); err != nil {
				return 0, err
			}
		}
	}
	w.n += int64(all)
	return all, nil
}

// turn writes the page.
func (w *pagedWriter) turn() error {
	if len(w.page) == 0 {
		return nil
	}
	w.sums = binary.LittleEndian.AppendUint32(w.sums, checksum(w.page))
	_, err := w.w.Write(w.page)
	w.page = w.page[:0]
	return err
}

// content is what a segment is written from.
type content struct {
	rows     int    // how many
	columns  []byte // encodeRows of them, made first: rows take much more room
	names    []string
	locators *locatorWriter
	meta     []byte
	// terms adds the terms, in the order of their keys.
	terms func(*dictionaryWriter) error
}

// writeFile makes the file at path, in one act.
func writeFile(path string, c *content) (err error) {
	if c.rows > math.MaxInt32 {
		return errTooLarge
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // mode 0600
	if err != nil {
		return fmt.Errorf("write segment: %w", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write segment %s: %w", path, errors.Join(err, os.Remove(f.Name())))
		}
	}()
	err = c.write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// write writes the file.
func (c *content) write(to io.Writer) error {
	out := &pagedWriter{w: bufio.NewWriterSize(to, 1<<16), page: make([]byte, 0, pageSize)}
	header := binary.LittleEndian.AppendUint32([]byte(magic), version)
	header = binary.LittleEndian.AppendUint32(header, index.Reading)
	if _, err := out.Write(header); err != nil {
		return err
	}
	d := &dictionaryWriter{out: out, start: out.n, lists: make(map[[32]byte]uint64)}
	if err := c.terms(d); err != nil {
		return err
	}
	var footer []byte
	footer = binary.LittleEndian.AppendUint64(footer, uint64(out.n))
	for _, section := range [][]byte{
		d.terms, d.blocks, c.columns, encodeNames(c.names), c.locators.b, c.locators.blocks, c.meta,
	} {
		if _, err := out.Write(section); err != nil {
			return err
		}
		footer = binary.LittleEndian.AppendUint64(footer, uint64(out.n))
	}
	if err := out.turn(); err != nil {
		return err
	}
	for _, n := range []int{c.rows, len(c.names), d.n} {
		footer = binary.LittleEndian.AppendUint32(footer, uint32(n))
	}
	end := append(out.sums, footer...)
	end = binary.LittleEndian.AppendUint32(end, checksum(end))
	if _, err := out.w.Write(append(end, magic...)); err != nil {
		return err
	}
	return out.w.Flush()
}
