package markdown

import (
	"strings"
)

const (
	// maxDepth is how deep quotes and lists are followed into each other.
	maxDepth = 12
	// codeIndent is by how many columns code is indented that has no fence.
	codeIndent = 4
)

// A container is a block quote or an item of a list, in which other blocks
// stand.
type container struct {
	quote   bool
	text    string // the marker of an item, as it is shown
	cells   int    // of the marker, with the blank after it
	marker  int    // column of the marker in the text
	content int    // column of the item's content in the text
}

// A cursor walks along the beginning of a line of the text, counting columns as
// tabs do.
type cursor struct {
	s      string
	i, col int
}

func (c *cursor) blanks() {
	for c.i < len(c.s) {
		switch c.s[c.i] {
		case ' ':
			c.col++
		case '\t':
			c.col += 4 - c.col%4
		default:
			return
		}
		c.i++
	}
}

func (c *cursor) done() bool    { return c.i == len(c.s) }
func (c *cursor) rest() string  { return c.s[c.i:] }
func (c *cursor) advance(n int) { c.i, c.col = c.i+n, c.col+n }

// quoteMark takes the mark of a block quote, with the blank after it.
func (c *cursor) quoteMark() {
	c.advance(1)
	if strings.HasPrefix(c.rest(), " ") {
		c.advance(1)
	}
}

// An opening is what the beginning of a line says of the blocks it stands in.
type opening struct {
	keep   int         // how many of the open containers go on
	opened []container // those that begin here
	col    int         // where the leaf begins, in the text
	indent int         // that, counted from where the content begins
	blank  bool        // there is no leaf
	at     int         // where the leaf begins, in bytes
}

// open reads the beginning of a line. It returns false if more of the line must
// be seen first; end says that there is no more.
func (w *Writer) open(line string, end bool) (o opening, known bool) {
	c := cursor{s: line}
	content := 0
	for ; o.keep < len(w.stack); o.keep++ {
		k := w.stack[o.keep]
		c.blanks()
		if c.done() {
			if !end {
				return o, false
			}
			if k.quote {
				break
			}
			continue
		}
		if k.quote {
			if c.s[c.i] != '>' {
				break
			}
			if c.i+1 == len(c.s) && !end {
				return o, false
			}
			c.quoteMark()
			content = c.col
			continue
		}
		if c.col < k.marker+2 {
			break
		}
		content = k.content
	}
	for {
		c.blanks()
		o.col, o.indent, o.at = c.col, max(c.col-content, 0), c.i
		if c.done() {
			o.blank = true
			return o, end
		}
		if o.indent >= codeIndent && len(o.opened) == 0 && (w.afterBlank || w.inIndented) || o.keep+len(o.opened) >= maxDepth {
			return o, true
		}
		if c.s[c.i] == '>' {
			if c.i+1 == len(c.s) && !end {
				return o, false
			}
			c.quoteMark()
			o.opened, content = append(o.opened, container{quote: true}), c.col
			continue
		}
		n, known := listMarker(c.rest(), end)
		if !known {
			return o, false
		}
		if n == 0 {
			return o, true
		}
		item := container{text: w.marker(c.rest()[:n]), cells: n + 1, marker: c.col}
		c.advance(n)
		after := c
		after.blanks()
		if item.content = after.col; after.done() || after.col-c.col > codeIndent {
			item.content = c.col + 1
		}
		content = item.content
		box, known := taskBox(after.rest(), end)
		if !known {
			return o, false
		}
		if box != "" { // instead of a bullet, or behind a number
			if item.text, item.cells = box, len(box)+1; n > 1 {
				item.text, item.cells = c.s[c.i-n:c.i]+" "+box, n+len(box)+2
			}
			c = after
			c.advance(len(box))
			content = c.col + 1
		}
		o.opened = append(o.opened, item)
	}
}

// taskBox is the box of a task that s begins with; "" if there is none.
func taskBox(s string, end bool) (box string, known bool) {
	for _, b := range [...]string{"[ ]", "[x]", "[X]"} {
		if strings.HasPrefix(s, b+" ") || end && s == b {
			return b, true
		}
		if !end && strings.HasPrefix(b+" ", s) {
			return "", false
		}
	}
	return "", true
}

// listMarker is the length of the list marker that s begins with, 0 if there is
// none.
func listMarker(s string, end bool) (n int, known bool) {
	switch {
	case strings.IndexByte("-*+", s[0]) >= 0:
		if rule, known := isRule(s, end); rule || !known {
			return 0, known
		}
		n = 1
	default:
		for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		switch {
		case n == 0:
			return 0, true
		case n == len(s):
			return 0, end
		case s[n] != '.' && s[n] != ')':
			return 0, true
		}
		n++
	}
	switch {
	case n == len(s) && !end:
		return 0, false
	case n < len(s) && s[n] != ' ' && s[n] != '\t':
		return 0, true
	}
	return n, true
}

// isRule reports whether s is a rule: three or more of - * _ and nothing else
// but blanks.
func isRule(s string, end bool) (rule, known bool) {
	if strings.IndexByte("-*_", s[0]) < 0 {
		return false, true
	}
	n := 0
	for i := range len(s) {
		switch s[i] {
		case s[0]:
			n++
		case ' ', '\t':
		default:
			return false, true
		}
	}
	return n >= 3, end
}

// prefixes are what stands before a line of the screen: for the first line of
// what o opens, and for those below it.
func (w *Writer) prefixes(o opening) (first, rest prefix) {
	w.flow.resize()
	most := w.flow.limit / 2 // so that deep nesting leaves room
	for i, k := range w.stack {
		switch {
		case k.quote && first.cells+2 <= most:
			bar := w.bar()
			first.text, rest.text = append(first.text, bar...), append(rest.text, bar...)
			first.cells, rest.cells = first.cells+2, rest.cells+2
		case k.quote:
		case i >= o.keep:
			first.text = append(first.text, k.text...)
			first.text = append(first.text, ' ')
			first.cells += k.cells
			if rest.cells+k.cells <= most {
				rest = rest.indented(k.cells)
			}
		case rest.cells+k.cells <= most:
			first, rest = first.indented(k.cells), rest.indented(k.cells)
		}
	}
	return first, rest
}

func (p prefix) indented(cells int) prefix {
	for range cells {
		p.text = append(p.text, ' ')
	}
	p.cells += cells
	return p
}

// marker is what is shown for the marker of an item.
func (w *Writer) marker(m string) string {
	if w.o.Unicode && len(m) == 1 {
		return "•"
	}
	return m
}

// bar is what stands before each line of a block quote.
func (w *Writer) bar() []byte {
	b := w.mark(nil, quietStyle)
	if w.o.Unicode {
		b = append(b, "│"...)
	} else {
		b = append(b, '|')
	}
	return append(w.unmark(b, quietStyle), ' ')
}

// mark appends what switches a style on, and unmark what switches it off.
func (w *Writer) mark(b []byte, is style) []byte {
	if w.o.Styled {
		b = plain.AppendSwitch(b, w.o.Theme.Fit(is))
	}
	return b
}

func (w *Writer) unmark(b []byte, is style) []byte {
	if w.o.Styled {
		b = w.o.Theme.Fit(is).AppendSwitch(b, plain)
	}
	return b
}
