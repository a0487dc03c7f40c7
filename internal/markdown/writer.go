package markdown

import (
	"io"
	"strings"
	"unicode/utf8"

	"ken/internal/color"
	"ken/internal/termsafe"
)

// maxLine is how much of a line is held at most, in bytes: of code, of a row of a
// table, of a beginning that says nothing yet. What is longer is shown as text.
const maxLine = 4096

// Options says what a Writer may do on its terminal.
type Options struct {
	// Styled allows styles and colours. Without them the marks that would have
	// become a style stay.
	Styled bool
	// Theme is the background that the colours are for.
	Theme color.Theme
	// Unicode allows bullets and lines that ASCII does not have.
	Unicode bool
	// Width is how many cells the terminal has; it is asked at the start of every
	// line. Required.
	Width func() int
}

// A Writer shows markdown on a terminal while it arrives. Not for use by several
// goroutines at once.
type Writer struct {
	w      io.Writer
	o      Options
	clean  termsafe.Cleaner
	flow   flow
	inline inline

	mode  mode
	kind  kind    // of the line, once it is known
	held  string  // the line so far, unless it is shown as it comes
	here  opening // what held begins with
	stack []container
	fence fence
	table table

	afterBlank, afterText, inIndented bool // what the line before was
}

// A mode is what is done with the rest of a line.
type mode uint8

const (
	undecided mode = iota // held until it is known what it is
	live                  // shown as it comes, with what markup stands inside
	held                  // held until its end
	passing               // shown as it comes and as it is
)

// A kind is what a line is.
type kind uint8

const (
	paragraph kind = iota
	blank
	heading
	rule
	fenceLine
	codeLine
	indented
	row
	command
)

// New returns a Writer that shows on w.
func New(w io.Writer, o Options) *Writer {
	m := &Writer{w: w, o: o}
	m.reset()
	return m
}

// reset makes w ready for a text.
func (w *Writer) reset() {
	*w = Writer{w: w.w, o: w.o, afterBlank: true}
	w.flow.styled, w.flow.theme, w.flow.size = w.o.Styled, w.o.Theme, w.o.Width
	w.flow.begin(prefix{}, prefix{})
	w.inline = inline{put: w.flow.put, whole: w.flow.putWhole, word: w.flow.announce, plain: !w.o.Styled}
}

// WriteString shows the next piece of the text. The count is len(s), or 0 with the
// error of the underlying writer.
func (w *Writer) WriteString(s string) (int, error) {
	w.add(w.clean.Write(s))
	if err := w.pass(); err != nil {
		return 0, err
	}
	return len(s), nil
}

// Flush ends the text and shows what was held. The cursor is at the start of a
// line then, and the Writer ready for another text.
func (w *Writer) Flush() error {
	w.add(w.clean.Flush())
	if w.mode != undecided || w.held != "" {
		w.endLine()
	}
	w.endTable()
	err := w.pass()
	w.reset()
	return err
}

// Interrupt moves to the start of a line if the cursor is not there, so that
// somebody else can print something. The text goes on below it.
func (w *Writer) Interrupt() error {
	w.flow.interrupt()
	return w.pass()
}

// pass writes what there is to show, in one piece.
func (w *Writer) pass() error {
	if len(w.flow.out) == 0 {
		return nil
	}
	_, err := w.w.Write(w.flow.out)
	if w.flow.out = w.flow.out[:0]; cap(w.flow.out) > 64<<10 {
		w.flow.out = nil // a table, which does not come every day
	}
	return err
}

func (w *Writer) add(text string) {
	for text != "" {
		n := strings.IndexByte(text, '\n')
		if n < 0 {
			w.piece(text)
			return
		}
		w.piece(text[:n])
		w.endLine()
		text = text[n+1:]
	}
}

// piece takes the next piece of a line.
func (w *Writer) piece(s string) {
	for s != "" {
		switch w.mode {
		case live:
			w.inline.feed(s)
			return
		case passing:
			w.flow.raw(s, w.passStyle())
			return
		}
		n := min(len(s), maxLine-len(w.held))
		for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
			n--
		}
		w.held += s[:n]
		s = s[n:]
		if w.mode == undecided {
			w.decide(false)
		}
		if s != "" && (w.mode == undecided || w.mode == held) {
			w.giveUp()
		}
	}
}

// giveUp shows a line that is too long to be held.
func (w *Writer) giveUp() {
	switch {
	case w.mode == held && (w.kind == fenceLine || w.kind == row):
		w.endTable()
		w.prose(paragraph)
		return
	case w.mode == held && w.kind == codeLine:
		w.flow.begin(w.fence.lines, w.fence.lines)
	case w.mode == undecided:
		w.endTable()
		w.kind, w.stack = paragraph, nil
		w.flow.begin(prefix{}, prefix{})
	}
	w.mode = passing
	w.flow.raw(w.held, w.passStyle())
	w.held = ""
}

func (w *Writer) passStyle() style {
	if w.kind == command {
		return commandStyle
	}
	return plain
}

// endLine takes the end of a line.
func (w *Writer) endLine() {
	if w.mode == undecided {
		w.decide(true)
	}
	switch {
	case w.mode == live:
		w.inline.finish()
		w.flow.end()
	case w.mode == passing:
		w.flow.end()
	case w.kind == codeLine && !w.endCode():
		// The line ended the block quote that its code stood in, and is a line
		// like any other.
		w.mode = undecided
		w.endLine()
		return
	case w.kind == fenceLine:
		w.beginCode()
	case w.kind == row:
		w.addRow()
	case w.kind == command:
		w.flow.raw(w.held, commandStyle)
		w.flow.end()
	}
	w.afterBlank, w.afterText = w.kind == blank, w.kind == paragraph
	w.inIndented = w.kind == indented || w.kind == blank && w.inIndented
	w.mode, w.held = undecided, ""
}

// decide finds out what the line is, if held says that already; end says that
// it is all of it.
func (w *Writer) decide(end bool) {
	if w.fence.open {
		w.mode, w.kind = held, codeLine
		return
	}
	o, known := w.open(w.held, end)
	if !known {
		return
	}
	same := o.keep == len(w.stack) && len(o.opened) == 0
	k, known := w.leaf(o, same, end)
	if !known {
		return
	}
	if k != row || !same {
		w.endTable()
	}
	w.here, w.kind = o, k
	w.stack = append(w.stack[:o.keep], o.opened...)
	w.begin()
}

// leaf reports what kind of line begins at o; same says that it stands in the same
// blocks as the line before.
func (w *Writer) leaf(o opening, same, end bool) (k kind, known bool) {
	if o.blank {
		return blank, true
	}
	s := w.held[o.at:]
	switch s[0] {
	case '#':
		n := run(s)
		switch {
		case n > 6:
		case n == len(s):
			return heading, end
		case s[n] == ' ' || s[n] == '\t':
			return heading, true
		}
	case '`', '~':
		n := run(s)
		switch {
		case n == len(s) && !end:
			return fenceLine, false
		case n >= 3:
			return fenceLine, true
		}
	case '|':
		return row, true
	case '-', '*', '_':
		is, known := isRule(s, end)
		switch {
		case !known:
			return rule, false
		case is && (s[0] != '-' || !same || !w.afterText):
			return rule, true
		}
	case 'C':
		const mark = "CMD: "
		switch {
		case o.at > 0 || o.keep > 0:
		case strings.HasPrefix(s, mark):
			return command, true
		case !end && strings.HasPrefix(mark, s):
			return command, false
		}
	}
	if o.indent >= codeIndent && len(o.opened) == 0 && (w.afterBlank || w.inIndented) {
		return indented, true
	}
	return paragraph, true
}

// begin begins to show the line.
func (w *Writer) begin() {
	first, rest := w.prefixes(w.here)
	w.flow.begin(first, rest)
	w.mode = held
	switch w.kind {
	case paragraph, heading:
		w.prose(w.kind)
	case blank:
		w.mode = passing
	case rule:
		w.mode = passing
		w.flow.raw(strings.Repeat(w.dash(), max(w.flow.limit-first.cells, 3)), quietStyle)
	case indented:
		w.mode = passing
		w.flow.raw(strings.Repeat(" ", w.here.indent)+w.held[w.here.at:], plain)
	}
}

// prose begins to show a line as it comes.
func (w *Writer) prose(k kind) {
	w.kind, w.mode = k, live
	text := w.held[w.here.at:]
	w.held = ""
	w.inline.is, w.inline.title = plain, false
	if n := len(w.stack); k == paragraph && w.here.indent > 0 && (n == 0 || w.stack[n-1].quote) {
		// Blanks before a line may be a drawing.
		n := min(w.here.indent, w.flow.limit/2)
		w.flow.begin(w.flow.first.indented(n), w.flow.rest.indented(n))
	}
	if k == heading && w.o.Styled {
		n := run(text)
		text = text[n:]
		w.inline.title = true
		if w.inline.is = bold; n == 1 {
			w.inline.is |= underline
		}
	}
	w.inline.feed(text)
}

func (w *Writer) dash() string {
	if w.o.Unicode {
		return "─"
	}
	return "-"
}
