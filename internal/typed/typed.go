package typed

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"ken/internal/termsafe"
)

// A Where is where an entry was typed. The zero Where is not known.
type Where struct {
	Dir   string `json:"dir"`             // the directory, "~" for the home directory, "/" between parts
	Scope string `json:"scope,omitempty"` // of the repository around it, "" for none
}

// Holds returns the scope that what was typed there belongs to: that of a repository which
// can be known again, else that of the directory; "" if it is not known.
func (w Where) Holds() string {
	if w.Dir == "" || strings.HasPrefix(w.Scope, "repo:") {
		return w.Scope
	}
	return "dir:" + w.Dir
}

// The ends of a line that says where.
const (
	head = "\x1b]ken;"
	tail = "\x07"
)

// maxWhere is the longest line that says where, in bytes.
const maxWhere = 8 << 10

// Append appends the lines of an entry to b, each with its line end: where it was typed, if
// that is known and can be said in a line, and the entry.
func Append(b []byte, entry string, at Where) []byte {
	if line := whereLine(at); line != "" {
		b = append(append(b, line...), '\n')
	}
	return append(append(b, Escape(entry)...), '\n')
}

// whereLine is the line that says where; "" for none.
func whereLine(at Where) string {
	if at.Dir == "" || !sayable(at) {
		return ""
	}
	text, err := json.Marshal(at)
	if line := Escape(head + string(text) + tail); err == nil && len(line) <= maxWhere {
		return line
	}
	return ""
}

// sayable reports whether a line can hold all of it: no bytes that are no text, and nothing
// that a terminal would act on.
func sayable(at Where) bool {
	for _, s := range []string{at.Dir, at.Scope} {
		if !utf8.ValidString(s) || termsafe.Line(s) != s {
			return false
		}
	}
	return true
}

// A Reader reads lines in their order. The zero Reader begins a file.
type Reader struct {
	next  Where // where the next entry was typed
	known map[string]Where
}

// Line reads a line without its line end. If it is an entry, ok is true, and at is where it
// was typed; the entry is as it stands there and may hold anything. Otherwise the line says
// where the next one was typed, which is at.
func (r *Reader) Line(line string) (entry string, at Where, ok bool) {
	if strings.HasPrefix(line, head) && strings.HasSuffix(line, tail) && len(line) <= maxWhere {
		r.next = r.where(line)
		return "", r.next, false
	}
	at, r.next = r.next, Where{}
	return Unescape(line), at, true
}

// where reads a line that says where. What cannot be read says nothing. There are few
// places and many lines, so each is read once.
func (r *Reader) where(line string) Where {
	if at, ok := r.known[line]; ok {
		return at
	}
	var at Where
	text := Unescape(line)
	if err := json.Unmarshal([]byte(text[len(head):len(text)-len(tail)]), &at); err != nil || !sayable(at) {
		at = Where{}
	}
	if r.known == nil {
		r.known = make(map[string]Where)
	}
	r.known[line] = at
	return at
}

// Escape writes an entry as one line.
func Escape(s string) string {
	if !strings.ContainsAny(s, "\\\n") {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(s)
}

// Unescape is what Escape wrote.
func Unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(s)
}
