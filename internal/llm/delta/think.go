package delta

import (
	"bytes"
	"strings"
)

// A splitter takes reasoning that a model wrote into its content between think
// tags out of it.
//
// An opening tag counts at the start of a line outside code; so the start of the
// answer is one, and a tag that a sentence mentions is not. A closing tag counts
// in a thought, unless it stands in code there; it counts in text outside code
// if no thought came before (the template opened it), or as often as a thought
// that was closed held further opening tags (nested thoughts).
//
//	<think>a</think>b            thought a, text b
//	a</think>b                   thought a, text b: only the closing tag came
//	<think>a<think>b</think>c</think>d    thought a<think>b c, text d
//	use `</think>` to close      text
//	<think>a                     text a: never closed
//
// Only what may be the beginning of a tag is held back, and white space where a
// thought may follow. White space around thoughts is dropped.
type splitter struct {
	text, thought []byte // decided so far
	shown         bool   // some text has been handed out since mark
	out           piecesOut

	space    []byte // white space at the start of the content
	held     string // a possible beginning of a tag
	thinking bool
	trim     bool   // white space comes next: drop it
	started  bool   // a character other than white space came, or a tag
	seen     bool   // a thought has ended
	apart    bool   // reasoning comes in fields of its own
	mark     int    // where the text after the last thought begins
	opened   int    // where in thought the open one begins
	opener   string // its tag, if text stood before it
	nested   int    // opening tags inside the open thought
	owed     int    // closing tags that nested ones still ask for
	mention  int    // opening tags that were taken for text
	passed   [2]int // begin and end in thought of a closing tag passed over as code

	atLine bool // only white space so far on this line
	ticks  bool // an odd number of backticks so far on this line
	fence  byte // the character of the code fence that is open, 0 for none
	run    int  // length of the run of fence characters at the start of this line
	runOf  byte
}

// piecesOut is what one call of add found.
type piecesOut struct {
	text, thought string
	mark          int // where in text the text after the last thought begins
	rethought     bool
}

const leading = " \t\r\n"

func newSplitter() splitter { return splitter{atLine: true} }

// add takes the next piece of content and returns what is decided.
func (s *splitter) add(chunk string) (text, thought string, rethought bool) {
	s.out = piecesOut{}
	chunk = s.held + chunk
	s.held = ""
	if !s.started {
		rest := strings.TrimLeft(chunk, leading)
		s.space = append(s.space, chunk[:len(chunk)-len(rest)]...)
		chunk = rest
	}
	s.scan(chunk)
	s.shown = len(s.text) > s.mark
	return s.out.text, s.out.thought, s.out.rethought
}

func (s *splitter) scan(chunk string) {
	from := 0
	for i := 0; i < len(chunk); {
		c := chunk[i]
		if c != '<' {
			s.follow(c)
			i++
			continue
		}
		tag, n := thinkTag(chunk[i:])
		if tag == partTag {
			s.emit(chunk[from:i])
			s.held = chunk[i:]
			return
		}
		if tag != noTag && s.tag(tag, chunk[from:i], chunk[i:i+n]) {
			i += n
			from = i
			continue
		}
		for range max(n, 1) {
			s.follow(chunk[i])
			i++
		}
	}
	s.emit(chunk[from:])
}

// follow keeps track of lines and code.
func (s *splitter) follow(c byte) {
	switch {
	case c == '\n':
		s.atLine, s.ticks, s.run = true, false, 0
	case s.atLine && (c == '`' || c == '~') && (s.run == 0 || s.runOf == c):
		s.run++
		s.runOf = c
		if s.run == 3 {
			switch s.fence {
			case 0:
				s.fence = c
			case c:
				s.fence = 0
			}
		}
		if c == '`' {
			s.ticks = !s.ticks
		}
	case s.atLine && s.run == 0 && (c == ' ' || c == '\t' || c == '\r'):
	default:
		s.atLine = false
		if c == '`' && s.fence == 0 {
			s.ticks = !s.ticks
		}
	}
}

func (s *splitter) inCode() bool { return s.fence != 0 || s.ticks }

// tag takes a whole tag and the run of text before it, and reports whether the
// tag ends that run. If not, it is text like any other.
func (s *splitter) tag(tag tagKind, before, raw string) bool {
	code := s.inCode()
	switch {
	case s.thinking && tag == openTag:
		if !code {
			s.nested++
		}
		return false
	case s.thinking && code:
		s.emit(before)
		s.passed[0] = len(s.thought)
		s.emit(raw)
		s.passed[1] = len(s.thought)
		for i := range len(raw) {
			s.follow(raw[i])
		}
		return true
	case s.thinking:
		s.emit(before)
		s.close(s.nested)
		return true
	case tag == openTag && s.atLine && s.run == 0 && s.fence == 0:
		s.open(before, raw)
		return true
	case code:
		return false
	case tag == openTag:
		s.mention++
		return false
	case s.mention > 0:
		s.mention--
		return false
	case s.owed > 0 || !s.seen && (!s.apart || blankText(s.text) && before == ""):
		s.emit(before)
		s.rethink()
		return true
	}
	return false
}

func blankText(b []byte) bool { return len(bytes.TrimLeft(b, leading)) == 0 }

// open begins a thought.
func (s *splitter) open(before, raw string) {
	s.emit(before)
	s.thinking, s.trim, s.nested = true, true, 0
	s.started, s.space = true, nil
	s.opened = len(s.thought)
	s.passed = [2]int{}
	s.opener = ""
	if !blankText(s.text[s.mark:]) {
		s.opener = raw
	}
	s.newLine()
}

// close ends a thought in which nested opening tags are left.
func (s *splitter) close(nested int) {
	s.thinking, s.seen, s.trim = false, true, true
	s.started, s.space = true, nil
	s.owed, s.nested, s.mention = nested, 0, 0
	s.mark, s.out.mark, s.shown = len(s.text), len(s.out.text), false
	s.newLine()
}

func (s *splitter) newLine() { s.atLine, s.ticks, s.run, s.fence = true, false, 0, 0 }

// rethink makes a thought of the text since the last one: a closing tag came
// that nothing had opened.
func (s *splitter) rethink() {
	s.thought = append(s.thought, s.text[s.mark:]...)
	s.text = s.text[:s.mark]
	s.out.rethought = s.out.rethought || s.shown
	s.out.thought += s.out.text[s.out.mark:]
	s.out.text = s.out.text[:s.out.mark]
	s.close(max(s.owed-1, 0))
}

// emit hands out a run that is decided.
func (s *splitter) emit(run string) {
	if s.trim {
		if run = strings.TrimLeft(run, leading); run == "" {
			return
		}
		s.trim = false
	}
	if run == "" {
		return
	}
	if !s.started {
		run = string(s.space) + run
		s.started, s.space = true, nil
	}
	if s.thinking {
		s.thought = append(s.thought, run...)
		s.out.thought += run
		return
	}
	s.text = append(s.text, run...)
	s.out.text += run
}

// finish says that nothing more comes. A thought that was never closed becomes
// text: from a closing tag that was passed over as code, if there is one, else
// the whole of it.
func (s *splitter) finish() (text string) {
	text = s.flush()
	if !s.thinking {
		return text
	}
	rest := string(s.thought[s.opened:])
	if s.passed[1] > 0 {
		rest = strings.TrimLeft(string(s.thought[s.passed[1]:]), leading)
		s.opened = s.passed[0]
		s.opener = ""
	}
	s.thought = s.thought[:s.opened]
	s.thinking = false
	rest = s.opener + rest
	s.text = append(s.text, rest...)
	return rest
}

// flush hands out what is held back: the stream ended, or broke off.
func (s *splitter) flush() (text string) {
	s.out = piecesOut{}
	rest := s.held
	s.held = ""
	if !s.started {
		rest = string(s.space) + rest
		s.started, s.space = true, nil
	}
	s.emit(rest)
	return s.out.text
}

type tagKind int

const (
	noTag tagKind = iota
	partTag
	openTag
	closeTag
)

// thinkTag reports whether s begins with a think tag, of any case, and how long it
// is; partTag: s ends before that is known.
func thinkTag(s string) (tagKind, int) {
	name, kind := s[1:], openTag
	if strings.HasPrefix(name, "/") {
		name, kind = name[1:], closeTag
	}
	const full = "thinking>"
	n := 0
	for n < len(name) && n < len(full) && lower(name[n]) == full[n] {
		n++
	}
	switch {
	case n == len(full):
		return kind, len(s) - len(name) + n
	case n == len(name):
		return partTag, 0
	case n == len("think") && name[n] == '>':
		return kind, len(s) - len(name) + n + 1
	}
	return noTag, 0
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
