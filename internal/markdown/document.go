package markdown

import (
	"net/url"
	"strings"

	"ken/internal/termsafe"
)

// A BlockKind is what a Block is.
type BlockKind uint8

// The kinds of blocks, and which fields they have besides.
const (
	Paragraph BlockKind = iota // Lines
	Heading                    // Lines, of which there is one, and Level
	Rule                       // nothing
	Code                       // Code and About
	Table                      // Rows, the first of which is the head
	Command                    // Code: a command line that is proposed, without its mark
	Quote                      // Blocks
	Item                       // Blocks and Mark; items that follow each other are a list
)

// A Block is a piece of a text that was read whole.
type Block struct {
	Kind  BlockKind
	Level int    // 1 to 6
	Mark  string // as it was written: "-", "*", "1.", "2)", "[x]", "1. [ ]"
	About string // what stands behind the fence, mostly a language; "" in indented code
	Code  string // its lines, each with its end

	Lines  [][]Span   // one for each line of the text; none of them is empty
	Rows   [][][]Span // of the same length each
	Blocks []*Block
}

// A Span is text of one look.
type Span struct {
	Text                       string
	Bold, Italic, Strike, Code bool
	// Target is where a link leads: an address of http or https with a host, or of mailto. "": it is
	// no link. What leads elsewhere is text, with the address behind it.
	Target string
}

// Host is what a person has to see of a link before they follow it: the host, or whom mail goes to. "" if
// the text says it already.
func (s Span) Host() string {
	u, err := url.Parse(s.Target)
	if err != nil || s.Target == "" {
		return ""
	}
	host := u.Host
	if u.Scheme == "mailto" {
		host = u.Opaque
	}
	if strings.Contains(s.Text, host) {
		return ""
	}
	return host
}

// Read reads a text that is whole, by the rules of the Writer, for faces that are no terminal. The text
// is cleaned first, so that no control sequence and no invisible character is in a Block.
func Read(text string) []*Block {
	r := newReader()
	for line := range strings.Lines(termsafe.Clean(text)) {
		r.line(strings.TrimSuffix(line, "\n"))
	}
	r.endTable()
	r.shut()
	return r.root.Blocks
}

// Settled is how many bytes of a clean text whose end has not come yet stand in blocks that what comes will not change: Read makes of
// them, and of what is behind them, what it makes of the whole. Whoever shows a text while it grows reads each part of it once or twice.
func Settled(text string) (n int) {
	r := newReader()
	at := 0
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\n") {
			break // it may become anything
		}
		code, apart := r.w.fence.open, r.w.afterBlank
		r.line(line[:len(line)-1])
		// A block begins here that stands in no other: items and quotes do wherever they stand, others behind an empty line.
		if here := r.w.here; !code && here.keep == 0 && !here.blank && line[0] > ' ' && (apart || len(here.opened) > 0) {
			n = at
		}
		at += len(line)
	}
	return n
}

func newReader() *reader {
	r := &reader{root: &Block{}}
	r.w.afterBlank = true
	r.path = []*Block{r.root}
	return r
}

// A reader makes blocks of lines.
type reader struct {
	w    Writer // which knows in what blocks a line stands; it writes nothing
	root *Block
	path []*Block // the blocks that are open, from the root on
	open *Block   // the paragraph, code or table that the next line may belong to; nil: none
	code []byte   // of open
	head string   // a line that may be the head of a table; "": none
}

// line takes the next line.
func (r *reader) line(line string) {
	w := &r.w
	w.held = line
	if w.fence.open {
		code, in := w.codeOf(line)
		switch {
		case !in:
			w.fence.open = false
		case w.fence.closes(code):
			r.shut()
			w.fence.open, w.kind = false, codeLine
			w.afterBlank, w.afterText, w.inIndented = false, false, false
			return
		default:
			r.code = append(append(r.code, code...), '\n')
			w.kind, w.afterBlank, w.afterText, w.inIndented = codeLine, false, false, false
			return
		}
	}
	o, _ := w.open(line, true)
	same := o.keep == len(w.stack) && len(o.opened) == 0
	k, _ := w.leaf(o, same, true)
	if k == fenceLine && line[o.at] == '`' && strings.Contains(strings.TrimLeft(line[o.at:], "`"), "`") {
		k = paragraph // code in a line
	}
	w.here, w.kind = o, k
	w.stack = append(w.stack[:o.keep], o.opened...)
	if k != row || !same {
		r.endTable()
	}
	if !same {
		r.shut()
	}
	r.path = r.path[:o.keep+1]
	for _, c := range o.opened {
		b := &Block{Kind: Item, Mark: c.text}
		if c.quote {
			b.Kind = Quote
		}
		r.add(b)
		r.path = append(r.path, b)
	}
	r.leaf(k, line[o.at:])
	w.afterBlank, w.afterText = k == blank, k == paragraph
	w.inIndented = k == indented || k == blank && w.inIndented
}

// leaf takes what a line has behind what says in which blocks it stands.
func (r *reader) leaf(k kind, text string) {
	switch k {
	case blank:
		if r.open != nil && r.open.Kind == Code {
			r.code = append(r.code, '\n') // it goes again if none comes after it
			return
		}
		r.shut()
	case paragraph:
		r.prose(text)
	case heading:
		n := run(text)
		r.shut()
		if spans := spansOf(strings.TrimLeft(text[n:], " \t"), true); len(spans) > 0 {
			r.add(&Block{Kind: Heading, Level: n, Lines: [][]Span{spans}})
		}
	case rule:
		r.add(&Block{Kind: Rule})
	case fenceLine:
		n := run(text)
		r.shut() // which looks whether its end was in a fence
		r.w.fence = fence{open: true, mark: text[0], n: n, col: r.w.here.col}
		r.begin(&Block{Kind: Code, About: strings.TrimSpace(text[n:])})
	case indented:
		if r.open == nil || r.open.Kind != Code {
			r.begin(&Block{Kind: Code})
		}
		for range r.w.here.indent - codeIndent {
			r.code = append(r.code, ' ')
		}
		r.code = append(append(r.code, text...), '\n')
	case row:
		r.row(text)
	case command:
		r.add(&Block{Kind: Command, Code: strings.TrimPrefix(text, "CMD: ") + "\n"})
	}
}

// add puts a block into the innermost that is open.
func (r *reader) add(b *Block) {
	r.shut()
	in := r.path[len(r.path)-1]
	in.Blocks = append(in.Blocks, b)
}

// begin puts a block there that the next lines may belong to.
func (r *reader) begin(b *Block) {
	r.add(b)
	r.open = b
}

// shut ends the block that lines may belong to. The empty lines go away that indented code ended with.
func (r *reader) shut() {
	if r.open != nil && r.open.Kind == Code {
		if r.open.Code = string(r.code); r.open.Code != "" && !r.w.fence.open {
			r.open.Code = strings.TrimRight(r.open.Code, "\n") + "\n"
		}
	}
	r.open, r.code = nil, r.code[:0]
}

// prose takes a line of a paragraph.
func (r *reader) prose(text string) {
	spans := spansOf(text, false)
	if len(spans) == 0 {
		return
	}
	if r.open == nil || r.open.Kind != Paragraph {
		r.begin(&Block{})
	}
	r.open.Lines = append(r.open.Lines, spans)
}

// mostColumns is how many columns a table may have: each row has all of them.
const mostColumns = 64

// row takes a line that begins with a bar.
func (r *reader) row(text string) {
	switch {
	case r.open != nil && r.open.Kind == Table:
		r.open.Rows = append(r.open.Rows, cellsIn(cellsOf(text), len(r.open.Rows[0])))
		return
	case r.head != "":
		align, head := delimiterRow(text), cellsOf(r.head)
		if n := max(len(align), len(head)); align != nil && n <= mostColumns {
			b := &Block{Kind: Table, Rows: [][][]Span{cellsIn(head, n)}}
			r.head = ""
			r.begin(b)
			return
		}
		r.endTable()
	}
	r.head = text
}

// endTable takes the end of what might have been a table.
func (r *reader) endTable() {
	if r.head != "" {
		r.prose(r.head)
		r.head = ""
	} else if r.open != nil && r.open.Kind == Table {
		r.shut()
	}
}

// cellsIn reads n cells.
func cellsIn(cells []string, n int) [][]Span {
	t := table{align: make([]alignment, n)}
	cells = t.fit(cells)
	row := make([][]Span, n)
	for i, c := range cells {
		row[i] = spansOf(strings.NewReplacer("<br>", " / ", "<br/>", " / ", "<br />", " / ").Replace(c), false)
	}
	return row
}

// A line is a line of prose that is being read: its spans, and what is in each.
type line struct {
	spans []Span // without their text
	texts [][]byte
}

// add takes the next piece, in its style.
func (l *line) add(s string, is style) {
	next := Span{Bold: is&bold != 0, Italic: is&italic != 0, Strike: is&strike != 0, Code: is.With(spanStyle) == is}
	n := len(l.spans)
	switch {
	case s == "":
	case n > 0 && l.spans[n-1] == next:
		l.texts[n-1] = append(l.texts[n-1], s...)
	default:
		l.spans, l.texts = append(l.spans, next), append(l.texts, []byte(s))
	}
}

// finish returns the spans, without blanks at the end.
func (l *line) finish() []Span {
	for i, text := range l.texts {
		l.spans[i].Text = string(text)
	}
	n := len(l.spans)
	if n == 0 {
		return nil
	}
	if l.spans[n-1].Text = strings.TrimRight(l.spans[n-1].Text, " \t"); l.spans[n-1].Text == "" {
		return l.spans[:n-1]
	}
	return l.spans
}

// spansOf reads a line of prose.
func spansOf(text string, title bool) []Span {
	var l line
	in := inline{put: l.add, whole: l.add, word: func(int) {}, title: title}
	in.link = func(u unit, is style) {
		if u.kind == address {
			u.target = u.text
		}
		if !leadsOut(u.target) {
			plain := in
			plain.link = nil
			plain.showLink(u, is)
			return
		}
		all := l
		if l = (line{}); u.kind == link && u.text != "" {
			in.label(u, is)
		}
		if len(l.spans) == 0 {
			l.add(u.target, is)
		}
		for i := range l.spans {
			l.spans[i].Target = u.target
		}
		l = line{append(all.spans, l.spans...), append(all.texts, l.texts...)}
	}
	in.feed(text)
	in.finish()
	return l.finish()
}

// leadsOut reports whether an address is one that may be offered to follow.
func leadsOut(target string) bool {
	u, err := url.Parse(target)
	if err != nil || strings.ContainsAny(target, " \t\"'<>`\\") {
		return false
	}
	switch u.Scheme {
	case "http", "https":
		return u.Host != "" && u.User == nil
	case "mailto":
		return u.Opaque != ""
	}
	return false
}
