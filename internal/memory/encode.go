package memory

import (
	"reflect"
	"strings"

	"ken/internal/jsonl"
)

// AppendJSON appends r as the shortest line that says it, without a line end:
// defaults are left out, fields stand in one order (id, ts, kind, target,
// content, then the rest), and Extra follows as it was read. It is one line,
// whatever the texts hold. AsRecord reads it back as the same record in
// normal form; a line without id is then named by its new bytes.
//
// r.ID is written without its log: a line stands in its own log.
func (r Record) AppendJSON(dst []byte) []byte {
	if r.Origin == OriginUser {
		r.Origin = ""
	}
	d := r.ownDetail()
	if !r.Kind.Changes() {
		r.normalise()
	}
	slots := r.slots()
	dst = appendSlots(append(dst, '{'), slots[:])
	if r.Kind == KindEdit {
		for _, name := range d.Clear {
			dst = append(jsonl.AppendName(dst, name), "null"...)
		}
	}
	for _, f := range d.Extra {
		if find(slots[:], f.Name) == nil {
			// Between the tokens of JSON a line end is white space, and inside
			// a string it cannot stand.
			oneLine := strings.NewReplacer("\n", " ", "\r", " ").Replace(string(f.Value))
			dst = append(jsonl.AppendName(dst, f.Name), oneLine...)
		}
	}
	return append(dst, '}')
}

// AppendJSON appends m as a line, without a line end.
func (m Meta) AppendJSON(dst []byte) []byte {
	return append(appendSlots(append(dst, `{"meta":{`...), m.slots()), "}}"...)
}

// appendSlots appends the fields that have a value.
func appendSlots(dst []byte, slots []slot) []byte {
	for _, s := range slots {
		switch v := s.place.(type) {
		case *Origin, *Phase, *Tier:
			text := reflect.ValueOf(v).Elem().String()
			dst = jsonl.AppendField(dst, s.name, &text)
		case *ID:
			if !v.IsZero() {
				dst = v.AppendJSON(jsonl.AppendName(dst, s.name))
			}
		case *[]ID:
			switch {
			case len(*v) == 1 && s.name == "supersedes":
				dst = (*v)[0].AppendJSON(jsonl.AppendName(dst, s.name))
			case len(*v) > 0:
				dst = jsonl.AppendList(jsonl.AppendName(dst, s.name), *v, func(dst []byte, id ID) []byte { return id.AppendJSON(dst) })
			}
		case **Source:
			if *v != nil && **v != (Source{}) {
				dst = append(jsonl.AppendName(dst, s.name), '{')
				dst = append(appendSlots(dst, (*v).slots()), '}')
			}
		default:
			dst = jsonl.AppendField(dst, s.name, v)
		}
	}
	return dst
}
