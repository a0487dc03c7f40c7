package session

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// suffix ends the name of every session file.
const suffix = ".jsonl"

// idTime is the time in a session id: ISO 8601 basic form, which has no colon
// (Windows allows none in a file name) and sorts by time.
const idTime = "20060102T150405Z"

// maxName is the largest name in bytes that Save takes. File systems allow
// 255; this leaves room for the suffix and for what a tool appends.
const maxName = 200

// newID returns a session id for the time at: 20260510T190001Z-7f3a, the four
// digits from random.
func newID(at time.Time, random io.Reader) (string, error) {
	var b [2]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("session id: %w", err)
	}
	return at.UTC().Format(idTime) + "-" + hex.EncodeToString(b[:]), nil
}

// isID reports whether s has the form of a session id.
func isID(s string) bool {
	stamp, digits, ok := strings.Cut(s, "-")
	if !ok || len(digits) != 4 {
		return false
	}
	if _, err := hex.DecodeString(digits); err != nil || strings.ToLower(digits) != digits {
		return false
	}
	_, err := time.Parse(idTime, stamp)
	return err == nil
}

// errName says that a name cannot be the name of a session file.
var errName = errors.New("not a session name")

// checkName reports whether a person may give a session the name, which has no
// suffix. Refused is what leaves the directory, what a listing would hide or
// could not show, what "<session>:<n>" or a command line would read otherwise,
// and what has the form of an id: the file of one session would bear the id of
// another.
func checkName(name string) error {
	why := ""
	switch {
	case name == "":
		why = "it is empty"
	case len(name) > maxName:
		why = fmt.Sprintf("it is longer than %d bytes", maxName)
	case !utf8.ValidString(name):
		why = "it is not UTF-8"
	case strings.ContainsAny(name, `/\:`):
		why = `it may not contain / \ or :`
	case name[0] == '.' || name[0] == '-':
		why = "it may not begin with . or -"
	case strings.TrimSpace(name) != name:
		why = "it may not begin or end with a space"
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		why = "it contains a character that cannot be seen"
	case isID(name):
		why = "it has the form of a session id"
	default:
		return nil
	}
	return fmt.Errorf("session name %q: %s: %w", name, why, errName)
}

// A Ref names a turn of a session.
type Ref struct {
	Session string // the session's id
	Turn    int    // the turn's number, from 1
}

// String returns the form that ParseRef reads: "20260510T190001Z-7f3a:12".
func (r Ref) String() string { return r.Session + ":" + strconv.Itoa(r.Turn) }

// ParseRef reads a reference to a turn, "<session>:<n>". The last colon
// splits: the ids of imported sessions may contain colons.
func ParseRef(s string) (Ref, error) {
	i := strings.LastIndexByte(s, ':')
	if i > 0 {
		n, err := strconv.Atoi(s[i+1:])
		if err == nil && n >= 1 && n <= MaxTurn && strconv.Itoa(n) == s[i+1:] {
			return Ref{Session: s[:i], Turn: n}, nil
		}
	}
	return Ref{}, fmt.Errorf("turn reference %q: want <session>:<n>, as in 20260510T190001Z-7f3a:12", s)
}
