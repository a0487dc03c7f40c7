package memory

import (
	"fmt"
	"strconv"
	"strings"

	"ken/internal/jsonl"
)

// MaxID is the largest id that a line may have: 2^53-1, the largest integer
// that every JSON reader keeps exactly.
const MaxID = 1<<53 - 1

// An ID names a line, and the item that the line states. The zero ID names
// nothing. IDs are comparable and may be map keys.
type ID struct {
	// Log is the name of the log the line stands in; empty means the log in
	// which the ID itself was read.
	Log string
	// N is the line's own number, 1..MaxID; 0 if the line has none.
	N int64
	// Hash names a line that has no number. Zero if N is set.
	Hash hash
}

// A hash is the head of the SHA-256 of a line's bytes without line end: 32 bits, and a
// bit that says that there are any. The zero hash is none. It is a number, since a large
// memory holds an ID or two for each of its lines.
type hash uint64

// isHash is the bit that distinguishes a hash of zeros from none.
const isHash hash = 1 << 32

// parseHash reads a hash as String writes it: 8 hexadecimal digits, in lower case.
func parseHash(s string) (h hash, ok bool) {
	if len(s) != 8 || !isHex(s) {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 16, 32)
	return isHash | hash(n), err == nil
}

// String gives the hash as 8 hexadecimal digits; "" for none.
func (h hash) String() string {
	if h == 0 {
		return ""
	}
	return fmt.Sprintf("%08x", uint32(h))
}

// Num returns the ID of line n of the log it stands in.
func Num(n int64) ID { return ID{N: n} }

// IsZero reports whether id names nothing.
func (id ID) IsZero() bool { return id == ID{} }

// In returns id as seen from outside: with log as its log unless it already
// names one.
func (id ID) In(log string) ID {
	if id.Log == "" && !id.IsZero() {
		id.Log = log
	}
	return id
}

// From returns id as written inside log: without the log's name if it is log's.
func (id ID) From(log string) ID {
	if id.Log == log {
		id.Log = ""
	}
	return id
}

// String returns the reference form: "3", "laptop-7f3a/3", "h1a2b3c4d" or
// "laptop-7f3a/h1a2b3c4d"; "" for the zero ID. ParseID reads it back.
func (id ID) String() string {
	var s string
	switch {
	case id.N != 0:
		s = strconv.FormatInt(id.N, 10)
	case id.Hash != 0:
		s = "h" + id.Hash.String()
	default:
		return ""
	}
	if id.Log != "" {
		return id.Log + "/" + s
	}
	return s
}

// ParseID reads a reference as String writes it. A leading "#", as people type
// it after seeing "remembered #4", is taken too.
func ParseID(s string) (ID, error) {
	var id ID
	rest := strings.TrimPrefix(strings.TrimSpace(s), "#")
	if i := strings.LastIndexByte(rest, '/'); i >= 0 {
		id.Log, rest = rest[:i], rest[i+1:]
		if !validLog(id.Log) {
			return ID{}, fmt.Errorf("memory reference %q: %q is no log name", s, id.Log)
		}
	}
	if text, ok := strings.CutPrefix(rest, "h"); ok {
		if id.Hash, ok = parseHash(text); ok {
			return id, nil
		}
	}
	n, err := strconv.ParseInt(rest, 10, 64)
	if err != nil || n < 1 || n > MaxID || rest[0] == '+' || rest[0] == '0' {
		return ID{}, fmt.Errorf("memory reference %q: want a number like 3, laptop-7f3a/3 or h1a2b3c4d", s)
	}
	id.N = n
	return id, nil
}

// AppendJSON appends the JSON form of id: a number for a line of the same log,
// else the reference as a string.
func (id ID) AppendJSON(dst []byte) []byte {
	if id.Log == "" && id.N != 0 {
		return strconv.AppendInt(dst, id.N, 10)
	}
	return append(append(append(dst, '"'), id.String()...), '"')
}

// MarshalJSON implements json.Marshaler with AppendJSON.
func (id ID) MarshalJSON() ([]byte, error) { return id.AppendJSON(nil), nil }

// UnmarshalJSON implements json.Unmarshaler for what MarshalJSON writes.
func (id *ID) UnmarshalJSON(b []byte) error {
	got, ok := readID(b)
	if !ok {
		return fmt.Errorf("memory reference: %s is none", b)
	}
	*id = got
	return nil
}

// validLog reports whether s may name a log: 1 to 40 of [a-z0-9-].
func validLog(s string) bool {
	return len(s) > 0 && len(s) <= 40 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// readID reads a reference: a number for a line of the same log, or any
// reference as a string.
func readID(v jsonl.Value) (ID, bool) {
	if n, ok := v.Int(); ok {
		return Num(max(n, 0)), n > 0
	}
	s, _ := v.Text()
	id, err := ParseID(s)
	return id, err == nil
}
