package live

import (
	"encoding/binary"
	"path/filepath"
	"strings"

	"ken/internal/jsonl"
)

// A saidMeta is what a segment of conversations holds besides documents: the conversations,
// in the order of their documents. A question reads all of it, so it stands as a table of
// varints and not as JSON, which took two thirds as long as the question for 2,000
// conversations:
//
//	the bytes of saidMagic, and version
//	how many directories, and each as its length and bytes
//	how many conversations, and of each: the number of its directory, its name, its stamp,
//	its id, its warning, its first document, and the one behind its last
type saidMeta []saidEntry

// A saidEntry is a conversation in a segment.
type saidEntry struct {
	saidFile
	Stamp    jsonl.Stamp
	ID       string
	Warning  string
	From, To int32 // its documents
}

// A saidFile is the file of a conversation.
type saidFile struct{ dir, name string }

func (f saidFile) path() string { return filepath.Join(f.dir, f.name) }

const saidMagic = "said"

// append appends the table to b.
func (m saidMeta) append(b []byte) []byte {
	b = append(b, saidMagic...)
	b = binary.AppendUvarint(b, version)
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	dirs := make(map[string]int)
	var list []string
	for _, e := range m {
		if _, ok := dirs[e.dir]; !ok {
			dirs[e.dir] = len(list)
			list = append(list, e.dir)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, d := range list {
		text(d)
	}
	b = binary.AppendUvarint(b, uint64(len(m)))
	for _, e := range m {
		b = binary.AppendUvarint(b, uint64(dirs[e.dir]))
		text(e.name)
		b = binary.AppendUvarint(b, e.Stamp.Dev)
		b = binary.AppendUvarint(b, e.Stamp.Ino)
		for _, v := range [...]int64{e.Stamp.Size, e.Stamp.Mtime, e.Stamp.Ctime} {
			b = binary.AppendUvarint(b, uint64(v))
		}
		text(e.ID)
		text(e.Warning)
		b = binary.AppendUvarint(b, uint64(e.From))
		b = binary.AppendUvarint(b, uint64(e.To))
	}
	return b
}

// readSaidMeta reads a table about so many documents; false if it is none. All its texts are
// parts of one.
func readSaidMeta(b []byte, docs int) (m saidMeta, ok bool) {
	all := string(b)
	if !strings.HasPrefix(all, saidMagic) {
		return nil, false
	}
	at, bad := len(saidMagic), false
	number := func() uint64 {
		v, n := binary.Uvarint(b[at:])
		if n <= 0 {
			bad = true
			return 0
		}
		at += n
		return v
	}
	text := func() string {
		n := number()
		if bad || n > uint64(len(all)-at) {
			bad = true
			return ""
		}
		at += int(n)
		return all[at-int(n) : at]
	}
	// A conversation or a directory takes at least a byte.
	count := func() int {
		n := number()
		bad = bad || n > uint64(len(all)-at)
		if bad {
			return 0
		}
		return int(n)
	}
	if number() != version {
		return nil, false
	}
	dirs := make([]string, count())
	for i := range dirs {
		dirs[i] = text()
	}
	m = make(saidMeta, count())
	last := int32(0)
	for i := range m {
		e := &m[i]
		dir := number()
		if bad || dir >= uint64(len(dirs)) {
			return nil, false
		}
		e.dir, e.name = dirs[dir], text()
		e.Stamp = jsonl.Stamp{Dev: number(), Ino: number(), Size: int64(number()), Mtime: int64(number()), Ctime: int64(number())}
		e.ID, e.Warning = text(), text()
		from, to := number(), number()
		if bad || from > to || to > uint64(docs) || from < to && int32(from) < last {
			return nil, false
		}
		e.From, e.To = int32(from), int32(to)
		last = max(last, e.To)
	}
	return m, !bad && at == len(all)
}
