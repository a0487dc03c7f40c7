package filelog

import (
	"bytes"

	"ken/internal/memory"
	"ken/internal/wording"
)

// broken reports whether a line that cannot be read has to go.
func (x *erasure) broken(r *reader, line rawLine) (bool, error) {
	text := line.Bytes
	if text == nil { // a line that is too long is looked at whole all the same
		text = make([]byte, line.Len)
		if _, err := r.f.ReadAt(text, line.Offset); err != nil {
			return false, err
		}
	}
	named := bytes.TrimSuffix(text[:min(len(text), memory.MaxLine)], []byte("\r"))
	return x.ids[memory.HashID(named)] || x.holdsText(text) || x.namedIn(text), nil
}

// holdsText reports whether line holds what one of the items said. Of a short text
// no other line is taken for it than one that says nothing else.
func (x *erasure) holdsText(line []byte) bool {
	if x.set == nil {
		var texts []string
		for _, t := range x.texts {
			if wording.Short(t) {
				texts = append(texts, wording.Whole(t)...)
			} else {
				texts = append(texts, t)
			}
		}
		x.set = wording.NewSet(texts...)
	}
	return x.set.InBytes(line)
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
