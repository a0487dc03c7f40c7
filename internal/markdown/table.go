package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"ken/internal/termsafe"
)

const (
	// maxTable is how much of a table is held, in bytes. What follows is a table
	// of its own, with the same head.
	maxTable = 32 << 10
	// minColumn is how narrow a column may become before the rows are shown as
	// lists instead, in cells.
	minColumn = 6
)

// A table is held until it ends, because its columns are as wide as the widest
// cell. Its lines begin with a bar: a line that may be the head of one is held
// until the next line tells, and not every line of a text can be.
type table struct {
	state       tableState
	first, rest prefix
	line        string // the head as it came
	head        []string
	align       []alignment
	rows        [][]string
	size        int // bytes held

	columns []int // cells of each, once that is known; nil: the rows are lists
	apart   bool  // cells are wrapped, so that rows need room between them
	shown   int   // rows
}

type tableState uint8

const (
	noTable  tableState = iota
	headOnly            // the line may be a head
	holding             // rows are held
)

type alignment uint8

const (
	left alignment = iota
	right
	centre
)

// addRow takes a whole line that begins with a bar.
func (w *Writer) addRow() {
	t := &w.table
	line, first, rest := w.held[w.here.at:], w.flow.first, w.flow.rest
	switch t.state {
	case headOnly:
		if align := delimiterRow(line); align != nil {
			t.state, t.align, t.head = holding, align, cellsOf(t.line)
			return
		}
		w.endTable()
		fallthrough
	case noTable:
		*t = table{state: headOnly, first: first, rest: rest, line: line}
	case holding:
		t.rows = append(t.rows, cellsOf(line))
		if t.size += len(line) + 64; t.size > maxTable {
			w.showTable()
			t.line, t.rows, t.size, t.shown, t.apart = "", nil, 0, 0, false
		}
	}
}

// endTable shows what is held of a table.
func (w *Writer) endTable() {
	switch t := &w.table; t.state {
	case headOnly: // it was none
		w.flow.begin(t.first, t.rest)
		w.inline.is, w.inline.title = plain, false
		w.inline.feed(t.line)
		w.inline.finish()
		w.flow.end()
	case holding:
		if t.line != "" || len(t.rows) > 0 { // else all of it is shown
			w.showTable()
		}
	}
	w.table = table{}
}

// cellsOf splits a row at its bars. A bar behind a backslash is text.
func cellsOf(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var cells []string
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			i++
			b.WriteByte('|')
		case line[i] == '|':
			cells = append(cells, strings.TrimSpace(b.String()))
			b.Reset()
		default:
			b.WriteByte(line[i])
		}
	}
	if last := strings.TrimSpace(b.String()); last != "" || len(cells) == 0 {
		cells = append(cells, last)
	}
	return cells
}

// delimiterRow reads the line below the head: |:--|:-:|--:|. It is nil if the
// line is none.
func delimiterRow(line string) []alignment {
	var align []alignment
	for _, c := range cellsOf(line) {
		dashes := strings.TrimSuffix(strings.TrimPrefix(c, ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return nil
		}
		switch {
		case c[0] == ':' && c[len(c)-1] == ':':
			align = append(align, centre)
		case c[len(c)-1] == ':':
			align = append(align, right)
		default:
			align = append(align, left)
		}
	}
	return align
}

// fit gives a row as many cells as the table has columns. None is dropped: what
// is too much goes to the last one, where an unescaped bar may have split it.
func (t *table) fit(cells []string) []string {
	n := len(t.align)
	if len(cells) > n {
		cells = append(slices.Clone(cells[:n-1]), strings.Join(cells[n-1:], " | "))
	}
	return append(cells, make([]string, n-len(cells))...)
}

// showTable lays out what is held and shows it.
func (w *Writer) showTable() {
	t := &w.table
	for len(t.align) < len(t.head) {
		t.align = append(t.align, left)
	}
	w.flow.resize()
	t.columns = w.layOut(w.flow.width - 1 - t.rest.cells)
	if t.columns == nil {
		w.showHead()
	} else {
		for _, r := range append([][]string{t.head}, t.rows...) {
			for i, c := range t.fit(r) {
				t.apart = t.apart || len(w.cell(c, t.columns[i], plain)) > 1
			}
		}
		w.showRow(t.head, bold)
	}
	for _, r := range t.rows {
		w.showRow(r, plain)
	}
}

// layOut finds the widths of the columns in avail cells; nil if they do not fit.
func (w *Writer) layOut(avail int) []int {
	t := &w.table
	n := len(t.align)
	need, word := make([]int, n), make([]int, n)
	for _, r := range append([][]string{t.head}, t.rows...) {
		for i, c := range t.fit(r) {
			for _, line := range w.cellLines(c) {
				text := w.visible(line)
				need[i] = max(need[i], displaywidth.String(text), 1)
				word[i] = max(word[i], longestWord(text))
			}
		}
	}
	return columnWidths(need, word, avail-3*(n-1), minColumn)
}

// longestWord is the number of cells of what cannot be broken in s.
func longestWord(s string) int {
	most := 1
	for word := range strings.FieldsSeq(s) {
		if n := displaywidth.String(word); n > most && !strings.ContainsFunc(word, termsafe.IsIdeograph) {
			most = n
		}
	}
	return most
}

// cellLines splits a cell where it says <br>, the only way to have lines in one.
func (w *Writer) cellLines(c string) []string {
	if !strings.Contains(c, "<br") {
		return []string{c}
	}
	return strings.Split(strings.NewReplacer("<br>", "\n", "<br/>", "\n", "<br />", "\n").Replace(c), "\n")
}

// visible is what is shown of a text, without styles.
func (w *Writer) visible(text string) string {
	var b strings.Builder
	add := func(s string, _ style) { b.WriteString(s) }
	in := inline{put: add, whole: add, word: func(int) {}, plain: w.inline.plain}
	in.feed(text)
	in.finish()
	return b.String()
}

// A cellPiece is one line of a cell.
type cellPiece struct {
	text  string
	cells int
}

// cell sets a text in lines of a width.
func (w *Writer) cell(text string, width int, is style) []cellPiece {
	f := flow{styled: w.o.Styled, theme: w.o.Theme, size: func() int { return width }, hard: true, widths: []int{}}
	in := inline{put: f.putWhole, whole: f.putWhole, word: f.announce, is: is, plain: w.inline.plain}
	for _, line := range w.cellLines(text) {
		f.begin(prefix{}, prefix{})
		in.feed(strings.TrimSpace(line))
		in.finish()
		f.end()
	}
	lines := strings.Split(string(bytes.TrimSuffix(f.out, []byte("\n"))), "\n")
	pieces := make([]cellPiece, len(lines))
	for i, l := range lines {
		pieces[i] = cellPiece{l, f.widths[i]}
	}
	return pieces
}

// showRow shows a row, in as many lines as its highest cell has.
func (w *Writer) showRow(row []string, is style) {
	t := &w.table
	row = t.fit(row)
	if t.columns == nil {
		w.showRecord(row)
		return
	}
	switch {
	case t.shown == 1:
		w.showLine()
	case t.apart && t.shown > 1:
		w.showGap()
	}
	t.shown++
	cells := make([][]cellPiece, len(row))
	height := 0
	for i, c := range row {
		cells[i] = w.cell(c, t.columns[i], is)
		height = max(height, len(cells[i]))
	}
	bar := append([]byte{' '}, w.bar()...)
	for k := range height {
		var b []byte
		for i, c := range cells {
			var p cellPiece
			if k < len(c) {
				p = c[k]
			}
			before := 0
			switch space := max(t.columns[i]-p.cells, 0); t.align[i] {
			case right:
				before = space
			case centre:
				before = space / 2
			}
			b = append(b, strings.Repeat(" ", before)...)
			b = append(b, p.text...)
			if i < len(cells)-1 {
				b = append(b, strings.Repeat(" ", max(t.columns[i]-p.cells-before, 0))...)
				b = append(b, bar...)
			}
		}
		w.tableLine(string(bytes.TrimRight(b, " ")), plain)
	}
}

// showGap shows an empty row between two of which one has cells of several lines.
func (w *Writer) showGap() {
	bar := "│"
	if !w.o.Unicode {
		bar = "|"
	}
	var b strings.Builder
	for i, n := range w.table.columns {
		if i > 0 {
			b.WriteString(" " + bar + " ")
		}
		b.WriteString(strings.Repeat(" ", n))
	}
	w.tableLine(strings.TrimRight(b.String(), " "), quietStyle)
}

// showLine shows the line below the head.
func (w *Writer) showLine() {
	dash, cross := w.dash(), "┼"
	if !w.o.Unicode {
		cross = "+"
	}
	var b strings.Builder
	for i, n := range w.table.columns {
		if i > 0 {
			b.WriteString(dash + cross + dash)
		}
		b.WriteString(strings.Repeat(dash, n))
	}
	w.tableLine(b.String(), quietStyle)
}

func (w *Writer) tableLine(s string, is style) {
	t := &w.table
	w.flow.begin(t.first, t.rest)
	t.first = t.rest
	w.flow.raw(s, is)
	w.flow.end()
}

// showHead shows the head of a table whose rows are shown as lists, if the
// names in it are too long to be repeated.
func (w *Writer) showHead() {
	t := &w.table
	for i, h := range t.head {
		if t.head[i] = w.visible(h); w.label(i) != t.head[i] {
			w.flow.begin(t.first, t.rest.indented(2))
			t.first = t.rest
			w.flow.putWhole(t.head[i], plain)
			w.flow.end()
		}
	}
}

// label is what stands before the cell of a column in a list.
func (w *Writer) label(column int) string {
	if column >= len(w.table.head) {
		return ""
	}
	return termsafe.CutWith(w.table.head[column], max(w.flow.limit-4, 8), termsafe.Sign(!w.o.Unicode))
}

// showRecord shows a row as a list: one cell in a line, behind its column's name.
func (w *Writer) showRecord(row []string) {
	t := &w.table
	if t.shown++; t.shown > 1 {
		w.tableLine("", plain)
	}
	for i, c := range row {
		if c == "" {
			continue
		}
		w.flow.begin(t.first, t.rest.indented(2))
		t.first = t.rest
		if label := w.label(i); label != "" {
			w.flow.putWhole(label+":", bold)
			w.flow.put(" ", plain)
		}
		in := w.inline
		in.is, in.put, in.title = plain, in.whole, false
		in.feed(strings.Join(w.cellLines(c), " / "))
		in.finish()
		w.flow.end()
	}
}
