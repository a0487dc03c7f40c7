package session

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"

	"ken/internal/jsonl"
)

const (
	// longLine is how long a line is held whole to see what it is, in bytes.
	longLine = 64 << 10
	// shortText is how much is held of each string of a longer one.
	shortText = 1 << 10
)

// A glance is a line of a session file that is a header, a turn or an event, as far as is seen in bounded memory.
type glance struct {
	kind string // "meta", "role" or "event"
	// fields are those of the line until the next one is asked for. Of a long line, long strings in them are cut.
	fields []jsonl.Field
	line   jsonl.Line // Bytes is nil if it is long
	src    io.ReaderAt
}

// glances yields a glance at each line of src that is one of a session. The only errors are those of src.
func glances(src *io.SectionReader) iter.Seq2[glance, error] {
	return func(yield func(glance, error) bool) {
		var fields []jsonl.Field
		for l, err := range jsonl.Lines(io.NewSectionReader(src, 0, src.Size()), longLine) {
			if err != nil {
				yield(glance{}, err)
				return
			}
			kind, got, err := look(src, l, fields[:0])
			if errors.Is(err, errLine) {
				continue
			}
			fields = got
			if !yield(glance{kind, got, l, src}, err) || err != nil {
				return
			}
		}
	}
}

// errLine says that a line is none of a session.
var errLine = errors.New("not a line of a session")

// look is scanLine of a line of src, of which a long one is read in parts; errLine stands for all that is wrong with it.
func look(src io.ReaderAt, l jsonl.Line, buf []jsonl.Field) (kind string, fields []jsonl.Field, err error) {
	if l.Bytes != nil {
		if kind, fields, err = scanLine(unmarked(l, l.Bytes), buf); err != nil {
			err = errLine
		}
		return kind, fields, err
	}
	from := l.Offset
	if first, err := part(src, from, int64(len(mark))); err == nil && len(unmarked(l, first)) == 0 {
		from += int64(len(first))
	}
	for f, err := range jsonl.ObjectIn(io.NewSectionReader(src, from, l.Offset+l.Len-from), shortText) {
		if syntax := (*jsonl.SyntaxError)(nil); errors.As(err, &syntax) {
			return "", nil, errLine
		}
		if err != nil {
			return "", nil, err
		}
		buf, kind = append(buf, f), kindBy(kind, f)
	}
	if kind == "" {
		err = errLine
	}
	return kind, buf, err
}

// mark is the byte order mark that a file may begin with.
const mark = "\ufeff"

// unmarked is a line, or its beginning, without that.
func unmarked(l jsonl.Line, b []byte) []byte {
	if l.Offset > 0 {
		return b
	}
	return bytes.TrimPrefix(b, []byte(mark))
}

// name is the name of an event.
func (g glance) name() (name string) {
	for _, f := range g.fields {
		if string(f.Name) == "event" {
			name, _ = f.Value.Text()
		}
	}
	return name
}

// parse reads the line whole; of one that is longer than MaxLine, which cannot be read, what the glance has.
func (g glance) parse() (line, error) {
	if g.line.Bytes != nil || g.line.Len > MaxLine {
		return parseFields(g.kind, g.fields)
	}
	b, err := part(g.src, g.line.Offset, g.line.Len)
	if err != nil {
		return line{}, err
	}
	return parseLine(unmarked(g.line, b))
}

// section is a file as long as it is now.
func section(f *os.File) (*io.SectionReader, error) {
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(f, 0, fi.Size()), nil
}
