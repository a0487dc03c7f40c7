package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"ken/internal/color"
	"ken/internal/termsafe"
)

const (
	// proseWidth is where prose wraps on wide terminals, in cells: longer lines
	// are hard to read.
	proseWidth = 100
	// zone is how near to the right edge, in cells, a word that begins there is
	// held back until its end or until it is known not to fit. Longer words are
	// rare enough to be broken by the terminal.
	zone = 16
	// wideZone is the same for scripts without blanks, whose words here are
	// single characters.
	wideZone = 6
)

// A flow puts text on lines of the screen as it comes. It breaks lines between
// words, knows in which column the cursor is, and never moves it back.
//
// Decisions depend on the characters that came and never on how they were cut
// into pieces.
type flow struct {
	out    []byte
	styled bool
	theme  color.Theme
	is     style // what the terminal is set to

	size  func() int // cells of the terminal
	width int        // the same, as of this line
	limit int        // where prose wraps, in cells
	hard  bool       // words longer than a line are broken here and not by the terminal

	first, rest prefix // of the next line, and of those it wraps into
	fresh       bool   // the prefix of this line is still due
	empty       bool   // this line has no text yet
	col         int    // cells of this line that are taken

	gap    int // blanks that are due before the next word
	gapIs  style
	inWord bool

	held    []span // a word near the edge, whose end has not come
	holding bool
	heldW   int // cells

	meter  termsafe.Meter
	before rune // the first code point of the last character

	widths []int // if not nil: how many cells each finished line takes
}

// A prefix is what stands before the text of a line: indentation, bars, a bullet.
type prefix struct {
	text  []byte // styled already
	cells int
}

// begin starts a line of the text with its prefixes.
func (f *flow) begin(first, rest prefix) {
	f.first, f.rest = first, rest
	f.fresh, f.empty, f.col = true, true, 0
	f.resize()
}

// resize asks how wide the terminal is.
func (f *flow) resize() {
	f.width = max(f.size(), 2)
	// The last cell stays free: terminals do not agree on what comes after it.
	f.limit = min(f.width-1, proseWidth)
	if f.hard {
		f.limit = f.width
	}
}

// put takes the next piece of the text, without newlines.
func (f *flow) put(s string, is style) {
	for s != "" {
		if s[0] == ' ' || s[0] == '\t' {
			f.blank(s[0], is)
			s = s[1:]
			continue
		}
		if n := asciiWord(s); n > 0 {
			if f.inWord && termsafe.MayBreak(f.before, rune(s[0])) {
				f.endWord()
			}
			f.chunk(s[:n], n, is, zone)
			f.before = rune(s[n-1])
			f.meter.Add(s[n-1 : n])
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		f.char(s[:n], r, is)
		s = s[n:]
	}
}

// putWhole is put for a piece that is known to be complete: a word in it that
// does not fit begins a new line, however long it is.
func (f *flow) putWhole(s string, is style) {
	for s != "" {
		n := strings.IndexByte(s, ' ')
		switch {
		case n == 0:
			n = len(s) - len(strings.TrimLeft(s, " "))
		case n < 0:
			n = len(s)
		}
		if s[0] != ' ' {
			f.announce(displaywidth.String(s[:n]))
		}
		f.put(s[:n], is)
		s = s[n:]
	}
}

// announce says that a word of w cells follows: if it does not fit, it begins a
// new line.
func (f *flow) announce(w int) {
	if !f.inWord && !f.empty && f.col+f.gap+w > f.limit {
		f.wrap()
	}
}

// asciiWord is how many bytes of s are plain characters of one cell each.
func asciiWord(s string) int {
	i := 0
	for i < len(s) && s[i] > ' ' && s[i] < 0x7f {
		i++
	}
	return i
}

// blank takes a space, or a tab, that counts as four.
func (f *flow) blank(c byte, is style) {
	f.endWord()
	f.before = ' '
	f.meter.Reset()
	if f.empty { // indentation is the prefix's
		return
	}
	f.gap++
	if c == '\t' {
		f.gap += 3
	}
	f.gapIs = is
}

// char takes one code point outside ASCII.
func (f *flow) char(s string, r rune, is style) {
	w, joined := f.meter.Add(s)
	near := zone
	if !joined {
		if f.inWord && termsafe.MayBreak(f.before, r) {
			f.endWord()
		}
		if f.before = r; termsafe.IsIdeograph(r) {
			near = wideZone
		}
	}
	f.chunk(s, w, is, near)
}

// chunk takes a piece of a word that takes w cells and begins a word if none
// is open.
func (f *flow) chunk(s string, w int, is style, near int) {
	if !f.inWord {
		f.inWord = true
		f.holding = !f.empty && f.limit-f.col-f.gap < near
		if !f.holding {
			f.fill()
		}
	}
	if !f.holding {
		f.print(s, w, is)
		return
	}
	if n := len(f.held); n > 0 && f.held[n-1].is == is {
		f.held[n-1].text += s
	} else {
		f.held = append(f.held, span{s, is})
	}
	f.heldW += w
	if f.col+f.gap+f.heldW > f.limit {
		f.wrap()
		f.release()
	}
}

// endWord lets go of a held word: it fits.
func (f *flow) endWord() {
	if f.holding {
		f.fill()
		f.release()
	}
	f.inWord = false
}

func (f *flow) release() {
	held := f.held
	f.holding, f.held, f.heldW = false, f.held[:0], 0
	for _, s := range held {
		f.print(s.text, displaywidth.String(s.text), s.is)
	}
}

// fill prints the blanks that are due.
func (f *flow) fill() {
	if f.gap > 0 {
		for ; f.gap > 0 && f.col < f.width; f.gap-- { // more than a line of them cannot be seen
			f.print(" ", 1, f.gapIs)
		}
		f.gap = 0
	}
}

// print puts s, which takes w cells, on the screen.
func (f *flow) print(s string, w int, is style) {
	if f.fresh {
		f.fresh = false
		f.out = append(f.out, f.first.text...)
		f.col = f.first.cells
	}
	f.empty = false
	f.switchTo(is)
	if f.hard && f.col+w > f.limit {
		f.printHard(s)
		return
	}
	f.out = append(f.out, s...)
	if f.col += w; f.col > f.width { // the terminal has wrapped
		f.col = (f.col-1)%f.width + 1
	}
}

// printHard breaks s where the line ends.
func (f *flow) printHard(s string) {
	is := f.is
	for g := graphemes.FromString(s); g.Next(); {
		w := displaywidth.String(g.Value())
		if f.col > 0 && f.col+w > f.limit {
			f.newline()
			f.switchTo(is)
			f.col = 0
		}
		f.out = append(f.out, g.Value()...)
		f.col += w
	}
}

func (f *flow) switchTo(is style) {
	if is = f.theme.Fit(is); f.styled {
		f.out = f.is.AppendSwitch(f.out, is)
		f.is = is
	}
}

// wrap goes on with the text in a new line of the screen.
func (f *flow) wrap() {
	f.gap = 0
	f.newline()
	f.begin(f.rest, f.rest)
}

// newline ends the line on the screen. No style runs on over it, so that
// underlines do not reach into the indentation.
func (f *flow) newline() {
	f.switchTo(plain)
	if f.widths != nil {
		f.widths = append(f.widths, f.col)
	}
	f.out = append(f.out, '\n')
}

// end ends a line of the text: what is held is printed, and blanks at its end
// are not.
func (f *flow) end() {
	f.endWord()
	if f.fresh { // an empty line: only the bars of its prefix
		f.out = append(f.out, bytes.TrimRight(f.first.text, " ")...)
	}
	f.newline()
	f.gap, f.before = 0, 0
	f.meter.Reset()
	f.begin(prefix{}, prefix{})
}

// raw prints s as it is, without wrapping.
func (f *flow) raw(s string, is style) {
	if s != "" {
		f.print(s, 1, is) // where the cursor is does not matter, only that the line is not empty
	}
}

// interrupt moves to the start of a line, if the cursor is not there, so that
// somebody else can print; the text goes on below.
func (f *flow) interrupt() {
	if !f.fresh {
		f.wrap()
	}
}
