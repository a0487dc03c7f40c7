package memory

import (
	"slices"
	"time"

	"ken/internal/jsonl"
)

// read reads the value of a field into its slot. It returns what is wrong with
// the value, and leaves the slot empty, or "".
func (p *Parser) read(e *Entry, to *slot, v jsonl.Value) (wrong string) {
	var want string
	var ok bool
	n, isInt := v.Int()
	switch dst := to.place.(type) {
	case *string:
		want = "a string"
		if to.name == "content" {
			*dst, ok = p.content(v)
		} else {
			*dst, ok = p.text(v)
		}
	case *Origin:
		text, isText := p.text(v)
		if *dst = Origin(text); *dst == OriginUser {
			*dst = ""
		}
		if ok = true; !isText {
			// A wrong value must not make a text the person's own, which is
			// what no origin means.
			*dst = OriginExternal
			e.note(to.name, "want a string, got "+v.Show()+"; read as external")
		}
	case *int64:
		want = "a whole number from 1 to 2^53-1"
		if ok = isInt && n >= 1; ok {
			*dst = n
		}
	case *int:
		most := int64(1<<31 - 1)
		want = "a whole number above 0"
		if to.name == "importance" {
			most, want = 10, "a whole number from 1 to 10"
		}
		if ok = isInt && n >= 1 && n <= most; ok {
			*dst = int(n)
		}
	case *bool:
		want = "true or false"
		*dst, ok = v.Bool()
	case *time.Time:
		want = "a time like 2026-05-13T19:01:01Z"
		*dst, ok = v.Time()
	case *[]string:
		want = "a list of strings"
		*dst, ok = p.texts(v)
	case *ID:
		want = `a reference like 3 or "laptop-7f3a/3"`
		*dst, ok = readID(v)
	case *[]ID:
		want = `references like 3 or "laptop-7f3a/3"`
		*dst, ok = e.readIDs(to.name, v)
	case *Phase:
		want = "ephemeral, fluid, stabilized or rigid"
		text, _ := v.Text()
		if ok = slices.Contains([]Phase{PhaseEphemeral, PhaseFluid, PhaseStabilized, PhaseRigid}, Phase(text)); ok {
			*dst = Phase(text)
		}
	case *Tier:
		want = "hot or archive"
		text, _ := v.Text()
		if ok = Tier(text) == TierHot || Tier(text) == TierArchive; ok {
			*dst = Tier(text)
		}
	case **Source:
		want = "an object"
		*dst, ok = p.readSource(e, v)
	}
	if !ok {
		return "want " + want + ", got " + v.Show()
	}
	if v.Lossy() {
		e.note(to.name, "holds bytes that are no text, read as U+FFFD")
	}
	return ""
}

// readIDs reads one reference or a list of them. Of a list the wrong ones are
// noted and left out.
func (e *Entry) readIDs(name string, v jsonl.Value) (list []ID, ok bool) {
	if id, ok := readID(v); ok {
		return []ID{id}, true
	}
	for el := range v.Elements() {
		if id, ok := readID(el); ok {
			list = append(list, id)
		} else {
			e.note(name, el.Show()+" is no reference; ignored")
		}
	}
	return list, v.Type() == "array"
}

// readSource reads where a text was said: an object, or as older lines have it
// the name of a session.
func (p *Parser) readSource(e *Entry, v jsonl.Value) (*Source, bool) {
	src := p.sources.next()
	var ok bool
	if src.Session, ok = p.text(v); !ok {
		p.readObject(e, "source", v, src.slots())
	}
	if ok = ok || v.Type() == "object"; *src == (Source{}) {
		return nil, ok
	}
	return src, ok
}
