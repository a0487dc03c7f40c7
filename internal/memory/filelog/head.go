package filelog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// A head is what is known of a log's end.
type head struct {
	Mark  jsonl.Mark `json:"-"`
	At    string     `json:"at"` // Mark, as text
	MaxID int64      `json:"max"`
	Sure  bool       `json:"-"` // MaxID is known; always so in a head file
	// Stamp is the file's behind the append that wrote the head, taken so that
	// every later change shows; zero if there is no such stamp.
	Stamp jsonl.Stamp `json:"stamp"`
	// Chain is the same in two heads if nothing but appends lies between them:
	// a position that was good at the first is good at the second.
	Chain uint64 `json:"chain"`
	// Kept says what the file of sketches holds of the lines before Mark; nil if
	// that is not known.
	Kept *kept `json:"marked,omitempty"`
}

// fits reports whether the file with the stamp s is the one that h describes.
func (h head) fits(s jsonl.Stamp) bool { return h.Stamp == s && s != jsonl.Stamp{} }

// headSize is more than a head file ever has.
const headSize = 1 << 10

// readHead reads the head file at path. Whatever is wrong with it makes it the
// zero head, which fits no file.
func readHead(path string) head {
	if path == "" {
		return head{}
	}
	f, err := regular.Open(path)
	if err != nil {
		return head{}
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, headSize))
	if err != nil {
		return head{}
	}
	return parseHead(string(b))
}

// parseHead reads "<crc32> <json>\n"; what follows is left of a longer head.
func parseHead(s string) head {
	line, _, ended := strings.Cut(s, "\n")
	sum, text, _ := strings.Cut(line, " ")
	want, err := strconv.ParseUint(sum, 16, 32)
	if !ended || err != nil || uint32(want) != crc32.ChecksumIEEE([]byte(text)) {
		return head{}
	}
	h := head{Sure: true}
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return head{}
	}
	if h.Mark, err = jsonl.ParseMark(h.At); err != nil || h.MaxID < 0 || h.MaxID > memory.MaxID {
		return head{}
	}
	return h
}

// format gives what parseHead reads.
func (h head) format() (string, error) {
	h.At = h.Mark.String()
	text, err := json.Marshal(h)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%08x %s\n", crc32.ChecksumIEEE(text), text), nil
}

// writeHead leaves h in the head file. It is one small write without a sync:
// after a crash the file is old, or damaged, or does not fit, and is not
// believed. For the same reason its errors are nobody's concern.
func (l *Log) writeHead(h head) {
	if l.o.Head == "" || !h.Sure || h.Stamp == (jsonl.Stamp{}) {
		return
	}
	s, err := h.format()
	if err != nil {
		return
	}
	f, err := openDerived(l.o.Head)
	if err != nil {
		return
	}
	_, _ = f.WriteString(s)
	_ = f.Close()
}

// dropHead removes the head file before the log is rewritten: what it says of the log
// would be wrong, and would look as if another program had changed it.
func (l *Log) dropHead() {
	if l.o.Head != "" {
		_ = os.Remove(l.o.Head) // one that stays is not believed
	}
}

// openDerived opens a derived file for writing, and makes it if it is missing.
func openDerived(path string) (*os.File, error) {
	f, err := regular.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrNotExist) && os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		f, err = regular.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	}
	return f, err
}

// Tip implements memory.Tipper. It reads the head file and the first line; if
// the head does not fit, the lines since the last read, or all of them.
func (l *Log) Tip(ctx context.Context) (memory.Tip, error) {
	tip, err := l.tip(ctx)
	if err != nil {
		return memory.Tip{}, fmt.Errorf("find the end of %s: %w", l.path, err)
	}
	return tip, nil
}

func (l *Log) tip(ctx context.Context) (memory.Tip, error) {
	r, err := l.open("")
	if err != nil {
		return memory.Tip{}, err
	}
	defer r.close()
	name := r.name
	if name == "" {
		if name, err = l.deviceName(); err != nil {
			return memory.Tip{}, err
		}
	}
	if r.head.Mark.Offset > 0 && r.head.Sure {
		l.know(r.head)
		return memory.Tip{At: cursor(r.head.Mark), MaxID: r.head.MaxID, Name: name}, nil
	}
	if k := l.knownHead(); r.f != nil && k.Sure && k.Mark.Offset > 0 && k.Mark.Offset <= r.stat.Size() {
		ok, err := k.Mark.Holds(r.f)
		if err != nil {
			return memory.Tip{}, err
		}
		if ok {
			r.at, r.maxID = k.Mark, k.MaxID
		}
	}
	for _, err := range r.entries(ctx) {
		if err != nil {
			return memory.Tip{}, err
		}
	}
	return memory.Tip{At: cursor(r.at), MaxID: r.maxID, Name: name}, nil
}
