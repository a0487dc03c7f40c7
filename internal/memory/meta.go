package memory

import (
	"math"

	"ken/internal/jsonl"
)

// isMeta reports whether the line is a log's header: it has a meta object, and
// nothing of a record.
func (d *decoder) isMeta() bool {
	if d.meta.Type() != "object" {
		return false
	}
	for _, f := range []field{fieldID, fieldKind, fieldContent, fieldTarget, fieldTargets} {
		if d.seen.has(f) {
			return false
		}
	}
	return true
}

// parseMeta reads the header. What is wrong in it is noted and ignored, as on
// any line.
func (d *decoder) parseMeta() *Meta {
	m := new(Meta)
	for f, err := range jsonl.Object(d.meta) {
		if err != nil {
			break // cannot be: the line was checked to its end
		}
		ok := true
		switch string(f.Name) {
		case "format":
			ok = readCount(f.Value, math.MaxInt32, &m.Format)
		case "log":
			m.Log, ok = f.Value.Text()
			if ok && !validLogName(m.Log) {
				m.Log, ok = "", false
			}
		case "created":
			ok = readTime(f.Value, &m.Created)
		}
		if !ok {
			d.note([]byte("meta"), clip(string(f.Name))+" is "+show(f.Value)+"; ignored")
		}
	}
	return m
}
