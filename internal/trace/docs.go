package trace

import (
	"strconv"

	"ken/internal/jsonl"
)

// A Doc is a file for agents, of the repository where the person stood, or a skill, that went
// with a question: which, and not what it says.
type Doc struct {
	Skill  string // its name; "": it is a file for agents
	Own    bool   // the skill is the person's, and File its path
	File   string // in the repository, with slashes; "" of a skill that the model loaded, of which no more is known
	SHA256 string // of it, 64 hexadecimal digits
	Bytes  int    // of it that went
	Of     int    // that it has
}

func appendDoc(b []byte, d Doc) []byte {
	b = append(b, '{')
	if d.Skill != "" {
		b = jsonl.AppendString(jsonl.AppendName(b, "skill"), d.Skill)
	}
	if d.Own {
		b = append(jsonl.AppendName(b, "own"), "true"...)
	}
	b = jsonl.AppendString(jsonl.AppendName(b, "file"), d.File)
	b = jsonl.AppendString(jsonl.AppendName(b, "sha256"), d.SHA256)
	b = strconv.AppendInt(jsonl.AppendName(b, "bytes"), int64(d.Bytes), 10)
	b = strconv.AppendInt(jsonl.AppendName(b, "of"), int64(d.Of), 10)
	return append(b, '}')
}

func readDoc(v jsonl.Value) (d Doc, ok bool) {
	f := fieldsOf(v)
	d.File, ok = f["file"].Text()
	d.SHA256, _ = f["sha256"].Text()
	d.Bytes, d.Of = count(f["bytes"]), count(f["of"])
	d.Skill, _ = f["skill"].Text()
	d.Own = string(f["own"]) == "true"
	return d, ok && (d.File != "" || d.Skill != "")
}
