package naming

import "ken/internal/redact/chars"

// A Value is a secret that a text gives under its name.
type Value struct {
	// Kind is what the name calls it: "password", "passphrase", "token",
	// "api-key", "secret" or "pin".
	Kind string
	// Start and End are byte offsets into the text, quotes not included.
	Start, End int
}

// A Reader reads one text, from its start to its end.
type Reader struct {
	text string
	// Found are the values found so far, in the order of their names.
	Found []Value
	// Open is where the first piece of text begins that may turn out to be
	// part of a secret when more text follows; the length of the text if there
	// is none.
	Open int
	// head is the line of the last head of a table, rowsDone the end of its rows.
	head     [2]int
	rowsDone int
	// done is the end of the last value that was assigned: what stands in it
	// is no name.
	done int
}

// NewReader returns a Reader of text.
func NewReader(text string) *Reader { return &Reader{text: text, Open: len(text)} }

func (r *Reader) add(kind string, start, end int) {
	if (kind == "password" || kind == "passphrase") && chars.Thing(r.text[start:end]).IsFamous(r.text, start) {
		return
	}
	r.Found = append(r.Found, Value{kind, start, end})
}

func (r *Reader) hold(at int) { r.Open = min(r.Open, at) }
