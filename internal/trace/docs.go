package trace

import (
	"strconv"

	"ken/internal/jsonl"
)

// A Doc is a file for agents, of the repository where the person stood, that went with a
// question: which, and not what it says.
type Doc struct {
	File   string // in the repository, with slashes
	SHA256 string // of it, 64 hexadecimal digits
	Bytes  int    // of it that went
	Of     int    // that it has
}

func appendDoc(b []byte, d Doc) []byte {
	b = jsonl.AppendString(jsonl.AppendName(append(b, '{'), "file"), d.File)
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
	return d, ok && d.File != ""
}
