package edit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// ErrSyntax says that a text is not TOML; the error around it says where.
var ErrSyntax = errors.New("not TOML")

// A document is a text with the places of its keys and tables.
type document struct {
	src      []byte
	entries  []entry   // in the order of the text; those of inline tables behind the table
	sections []section // the first one is the root, without a header
}

// An entry is one key with its value.
type entry struct {
	path    []string // whole
	table   []string // of the header that it stands under
	start   int      // of the key
	value   int      // where the value begins
	end     int      // behind the value
	inside  int      // index of the entry whose inline table it stands in, -1 for none
	isTable bool     // the value is an inline table
}

// A section is a table with a header, or the keys before the first one.
type section struct {
	path  []string
	list  bool // [[a.b]]
	start int  // of the line of its header
	body  int  // behind that line
	end   int  // where what belongs to the next one begins
}

// parse finds what stands where.
func parse(src []byte) (*document, error) {
	d := &document{src: src, sections: []section{{end: len(src)}}}
	var p unstable.Parser
	p.Reset(src)
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			path, at, end := parts(e.Key())
			s := section{path: path, list: e.Kind == unstable.ArrayTable, start: d.lineStart(at), body: d.lineEnd(end), end: len(src)}
			last := &d.sections[len(d.sections)-1]
			last.end = max(last.body, d.commentsAbove(s.start, last.body))
			d.sections = append(d.sections, s)
		case unstable.KeyValue:
			d.add(d.sections[len(d.sections)-1].path, nil, -1, e)
		}
	}
	if err := p.Error(); err != nil {
		line := 1
		if pe := (*unstable.ParserError)(nil); errors.As(err, &pe) && len(pe.Highlight) > 0 {
			line += bytes.Count(src[:p.Range(pe.Highlight).Offset], []byte("\n"))
		}
		return nil, fmt.Errorf("line %d: %w: %w", line, ErrSyntax, err)
	}
	return d, nil
}

// parts reads a key, with the offsets of its first byte and behind its last.
func parts(it unstable.Iterator) (path []string, start, end int) {
	for it.Next() {
		n := it.Node()
		if path == nil {
			start = int(n.Raw.Offset)
		}
		path = append(path, string(n.Data))
		end = int(n.Raw.Offset + n.Raw.Length)
	}
	return path, start, end
}

// add takes one key = value, and those of the inline table that it may be.
func (d *document) add(table, above []string, inside int, e *unstable.Node) {
	below, start, end := parts(e.Key())
	n := entry{
		path: slices.Concat(table, above, below), table: table,
		start: start, end: int(e.Raw.Offset + e.Raw.Length), inside: inside,
		isTable: e.Value().Kind == unstable.InlineTable,
	}
	n.value = end + bytes.IndexByte(d.src[end:], '=') + 1
	for n.value < n.end && (d.src[n.value] == ' ' || d.src[n.value] == '\t') {
		n.value++
	}
	d.entries = append(d.entries, n)
	if !n.isTable {
		return
	}
	me := len(d.entries) - 1
	for it := e.Value().Children(); it.Next(); {
		if child := it.Node(); child.Kind == unstable.KeyValue {
			d.add(table, slices.Concat(above, below), me, child)
		}
	}
}

// lineStart is where the line begins that holds at.
func (d *document) lineStart(at int) int { return bytes.LastIndexByte(d.src[:at], '\n') + 1 }

// lineEnd is behind the line end of the line that holds at, or the end of the
// text.
func (d *document) lineEnd(at int) int {
	if i := bytes.IndexByte(d.src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(d.src)
}

// commentsAbove is where the comments begin that stand right above the line at
// start, without a blank line between, and not before lowest.
func (d *document) commentsAbove(start, lowest int) int {
	for start > lowest {
		above := d.lineStart(start - 1)
		text := bytes.TrimSpace(d.src[above:start])
		if above < lowest || len(text) == 0 || text[0] != '#' || d.inValue(above) {
			break
		}
		start = above
	}
	return start
}

// inValue reports whether at lies inside a value, as lines of a list do.
func (d *document) inValue(at int) bool {
	return slices.ContainsFunc(d.entries, func(e entry) bool { return e.start < at && at < e.end })
}

// eol is the line end that the text uses.
func (d *document) eol() string {
	if i := bytes.IndexByte(d.src, '\n'); i > 0 && d.src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// isPrefix reports whether path begins with all of prefix.
func isPrefix(prefix, path []string) bool {
	return len(prefix) <= len(path) && slices.Equal(prefix, path[:len(prefix)])
}

// common is how many parts a and b begin with together.
func common(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
