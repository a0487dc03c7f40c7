package markdown

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// A fence is a block of code between two lines of backticks or tildes.
type fence struct {
	open  bool
	mark  byte   // that the fence is made of
	n     int    // how many
	col   int    // in which column it began
	lines prefix // of the lines in it
	code  highlighter
}

// Nothing is put in front of code but what the list or quote it stands in needs,
// and nothing is broken or cut: what is selected with the mouse is what the model
// wrote. In the place of the fences stand rules, so that one sees where code begins and
// ends.

// beginCode takes a line that begins like a fence.
func (w *Writer) beginCode() {
	s := w.held[w.here.at:]
	n := run(s)
	about := strings.TrimSpace(s[n:])
	if s[0] == '`' && strings.Contains(about, "`") { // code in a line
		w.prose(paragraph)
		w.inline.finish()
		w.flow.end()
		return
	}
	w.fence = fence{open: true, mark: s[0], n: n, col: w.here.col, lines: w.flow.rest, code: newHighlighter(about)}
	w.fenceRule(about)
	w.flow.end()
}

// fenceRule shows where a block of code begins, with what it is said to be, or where it
// ends.
func (w *Writer) fenceRule(about string) {
	const most = 48 // cells
	n := min(w.flow.limit-w.flow.rest.cells, most)
	dash := w.dash()
	line := strings.Repeat(dash, max(n, 3))
	if about != "" {
		line = dash + dash + " " + about + " "
		line += strings.Repeat(dash, max(n-displaywidth.String(line), 2))
	}
	w.flow.raw(line, quietStyle)
}

// endCode takes a whole line of code. It returns false if the line does not stand
// in the quote that the code stands in: then the code has ended before it.
func (w *Writer) endCode() bool {
	code, in := w.codeOf(w.held)
	if !in {
		w.fence.open = false
		return false
	}
	w.flow.begin(w.fence.lines, w.fence.lines)
	if w.fence.closes(code) {
		w.fence.open = false
		w.fenceRule("")
	} else {
		w.fence.code.Line(code, func(s string, k codeKind) { w.flow.raw(s, codeStyle(k)) })
	}
	w.flow.end()
	return true
}

// codeOf is the code of a line in the open fence, without what stands before it; false if the
// line does not stand in the quote that the fence stands in.
func (w *Writer) codeOf(line string) (code string, in bool) {
	c := cursor{s: line}
	for _, k := range w.stack {
		if !k.quote {
			continue
		}
		c.blanks()
		if c.done() || c.s[c.i] != '>' {
			return "", false
		}
		c.quoteMark()
	}
	for c.col < w.fence.col && !c.done() && (c.s[c.i] == ' ' || c.s[c.i] == '\t') {
		one := cursor{s: c.s[:c.i+1], i: c.i, col: c.col}
		one.blanks()
		c.i, c.col = one.i, one.col
	}
	return c.rest(), true
}

// closes reports whether a line of code is the fence at the end of the block.
func (f *fence) closes(code string) bool {
	s := strings.TrimSpace(code)
	return len(s) >= f.n && s[0] == f.mark && run(s) == len(s) && !strings.HasPrefix(code, "    ")
}
