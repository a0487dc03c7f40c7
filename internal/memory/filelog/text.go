package filelog

import (
	"bytes"
	"errors"
	"io"

	"ken/internal/memory"
	"ken/internal/text"
)

// broken reports whether a line that cannot be read has to go.
func (x *erasure) broken(r *reader, line rawLine) (bool, error) {
	if line.Bytes == nil {
		return x.brokenLong(r, line)
	}
	named := bytes.TrimSuffix(line.Bytes, []byte("\r"))
	return x.ids[memory.HashID(named)] || x.holdsText(line.Bytes) || x.namedIn(line.Bytes), nil
}

// nameLen is more than a name of a line and its reference have.
const nameLen = 512

// brokenLong is broken for a line that is too long, which is looked into whole all the
// same, in pieces.
func (x *erasure) brokenLong(r *reader, line rawLine) (bool, error) {
	whole := io.NewSectionReader(r.f, line.Offset, line.Len)
	buf := make([]byte, 0, memory.MaxLine)
	for first, last := true, false; !last; first = false {
		n, err := io.ReadFull(whole, buf[len(buf):cap(buf)])
		if last = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); err != nil && !last {
			return false, err
		}
		buf = buf[:len(buf)+n]
		if first && x.ids[memory.HashID(bytes.TrimSuffix(buf, []byte("\r")))] || x.namedIn(buf) {
			return true, nil
		}
		buf = buf[:copy(buf, buf[max(0, len(buf)-nameLen):])]
	}
	return text.InReader(io.NewSectionReader(r.f, line.Offset, line.Len), x.wanted())
}

// holdsText reports whether line holds what one of the items said. Of a short text
// no other line is taken for it than one that says nothing else.
func (x *erasure) holdsText(line []byte) bool { return x.wanted().InBytes(line) }

// wanted is the set of what the items said.
func (x *erasure) wanted() *text.Matcher {
	if x.set == nil {
		var texts []string
		for _, t := range x.texts {
			if text.Short(t) {
				texts = append(texts, text.Whole(t)...)
			} else {
				texts = append(texts, t)
			}
		}
		x.set = text.NewMatcher(texts...)
	}
	return x.set
}

// namedIn reports whether line, which cannot be read, seems to name one of the
// items as its id or target.
func (x *erasure) namedIn(line []byte) bool {
	for _, name := range []string{`"id"`, `"target"`} {
		for rest := line; ; {
			_, after, found := bytes.Cut(rest, []byte(name))
			if !found {
				break
			}
			rest = after
			value, ok := bytes.CutPrefix(bytes.TrimLeft(after, " \t"), []byte(":"))
			if ok && x.ids[firstID(bytes.TrimLeft(value, " \t")).From(x.own)] {
				return true
			}
		}
	}
	return false
}

// firstID reads the reference that value begins with; the zero ID if there is
// none.
func firstID(value []byte) memory.ID {
	var ref string
	if s, ok := bytes.CutPrefix(value, []byte(`"`)); ok {
		s, _, _ = bytes.Cut(s, []byte(`"`))
		ref = string(s)
	} else {
		n := 0
		for n < len(value) && value[n] >= '0' && value[n] <= '9' {
			n++
		}
		ref = string(value[:n])
	}
	id, err := memory.ParseID(ref)
	if err != nil {
		return memory.ID{}
	}
	return id
}
