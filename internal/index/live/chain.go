package live

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"strings"

	"ken/internal/memory"
	"ken/internal/regular"
)

// A chained log knows whether a position can have become wrong since without
// reading all that stands before it.
type chained interface {
	Chain() uint64
	Believe(at memory.Cursor, chain uint64)
}

// A link says in which chain of the own log the end of a segment was good: lines that
// were appended since are then read without those before them. It stands beside the
// segment as its sum and JSON, and is written when the first line came behind it.
type link struct {
	At    memory.Cursor `json:"at"`
	Chain uint64        `json:"chain"`
}

const (
	linkSuffix = ".link"
	maxLink    = 4 << 10 // bytes; a link has some hundred
)

// tailOf are the lines of the own log behind a position; false if there are too many
// of them, or the position is not good any more.
func (s *Index) tailOf(ctx context.Context, at memory.Cursor) (tail []memory.Entry, ok bool) {
	log, linked := s.o.Own.(chained)
	var known link
	before := uint64(0)
	if linked {
		if known = s.readLink(); known.At == at && known.Chain != 0 {
			log.Believe(at, known.Chain)
		}
		before = log.Chain()
	}
	for e, err := range s.o.Own.Records(ctx, at) {
		if err != nil {
			return nil, false
		}
		tail = append(tail, e.Entry)
		if len(tail) > maxTail {
			return nil, false
		}
	}
	// The log was in this chain all the time, and the position was good.
	if now := (link{at, before}); before != 0 && now != known && log.Chain() == before {
		s.mu.Lock()
		s.link = now
		s.mu.Unlock()
	}
	return tail, true
}

// readLink reads the link; what is none is the zero link.
func (s *Index) readLink() (l link) {
	b, err := regular.Read(s.memoryPath()+linkSuffix, maxLink)
	sum, text, _ := strings.Cut(string(b), " ")
	if err != nil || sum != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text))) || json.Unmarshal([]byte(text), &l) != nil {
		return link{}
	}
	return l
}

// writeLink keeps a link for the programs to come.
func (s *Index) writeLink(ctx context.Context, l link) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return s.publish(ctx, s.memoryPath()+linkSuffix, func(path string) error {
		return os.WriteFile(path, fmt.Appendf(nil, "%08x %s", crc32.ChecksumIEEE(text), text), 0o600)
	}, func() error { return nil })
}
