package programs

import (
	"strings"
)

// sed judges sed by its script.
func sed(l *findings) {
	flags, operands := parse(l.Args(), flagSpec{Args: "efl", Longs: []string{"--expression", "--file", "--line-length"}})
	var scripts []Word
	edits := false
	for _, f := range flags {
		switch {
		case isOneOf(f.Name, "-e", "--expression"):
			w := f.Arg
			w.Text = f.Value
			scripts = append(scripts, w)
		case isOneOf(f.Name, "-f", "--file"):
			l.Caution("runs a file of sed", f.Word)
			scripts = append(scripts, Word{})
		case strings.HasPrefix(f.Word.Text, "-i"), f.Name == "-i", strings.HasPrefix(f.Name, "--in-p"), strings.HasPrefix(f.Name, "--i"):
			edits = true
			l.Caution("edits files where they stand", f.Word)
		case isOneOf(f.Name, "-n", "-E", "-r", "-s", "-u", "-z", "-l", "-b", "--quiet", "--silent", "--regexp-extended", "--separate", "--unbuffered", "--null-data", "--line-length", "--posix", "--debug", "--sandbox", "--follow-symlinks", "--binary", "-a"):
		case edits && !strings.HasPrefix(f.Name, "--"): // -i.bak
		default:
			l.Caution("an option that is not known to be harmless: "+f.Name, f.Word)
		}
	}
	if len(scripts) == 0 && len(operands) > 0 {
		scripts, operands = operands[:1], operands[1:]
	}
	for _, w := range scripts {
		sedScript(l, w)
	}
	if edits {
		for _, w := range operands {
			l.Operation(Write, w)
			if w.Subst || w.Set || w.Tainted {
				l.Danger("edits every file that a search finds", w)
			}
		}
		if l.IsFed && !l.Bounded() {
			l.Danger("edits every file of a tree", l.Words[0])
		}
	}
}

func sedScript(l *findings, w Word) {
	if w.Subst || w.Tainted || w.Set {
		// What is put into a script by a command may be a command of sed.
		if !strings.HasPrefix(w.Text, "s") && !strings.Contains(w.Text, "s/") {
			l.Caution("a script that is not known before", w)
		}
	}
	s := sedReader{text: w.Text}
	for s.next() {
	}
	for _, f := range s.writes {
		out := w
		out.Text = f
		l.Operation(Write, out)
	}
	for _, c := range s.runs {
		if c == "" {
			l.Danger("sed runs what it reads as a command", w)
			continue
		}
		l.Caution("sed runs a command", w)
		l.Operations = append(l.Operations, Operation{Act: Shell, Text: c, Word: w})
	}
	if s.bad && !w.Hole {
		l.Caution("a script of sed that is not understood", w)
	}
}

// A sedReader reads a script of sed, command by command.
type sedReader struct {
	text   string
	at     int
	writes []string
	runs   []string // commands; "": what is read
	bad    bool
}

func (s *sedReader) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *sedReader) skip(set string) {
	for s.at < len(s.text) && strings.IndexByte(set, s.text[s.at]) >= 0 {
		s.at++
	}
}

// line is the rest of the line.
func (s *sedReader) line() string {
	rest := s.text[s.at:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	s.at += len(rest)
	return strings.TrimSpace(rest)
}

// until skips to behind the next unescaped d, outside a bracket if regex.
func (s *sedReader) until(d byte, regex bool) bool {
	bracket := false
	for ; s.at < len(s.text); s.at++ {
		switch b := s.text[s.at]; {
		case b == '\\':
			s.at++
		case regex && b == '[' && !bracket:
			bracket = true
			if strings.HasPrefix(s.text[s.at+1:], "^]") {
				s.at += 2
			} else if strings.HasPrefix(s.text[s.at+1:], "]") {
				s.at++
			}
		case regex && b == ']' && bracket:
			bracket = false
		case b == d && !bracket:
			s.at++
			return true
		}
	}
	// A bracket that is never closed is no bracket.
	return false
}

func (s *sedReader) regex(d byte) bool {
	began := s.at
	if s.until(d, true) {
		return true
	}
	s.at = began
	return s.until(d, false)
}

func (s *sedReader) address() {
	switch b := s.peek(); {
	case b == '/':
		s.at++
		s.bad = !s.regex('/') || s.bad
		s.skip("IM")
	case b == '\\':
		s.at++
		d := s.peek()
		s.at++
		s.bad = !s.regex(d) || s.bad
		s.skip("IM")
	default:
		s.skip("0123456789$~+")
	}
}

// next reads one command; false: there is none, or it is not understood.
func (s *sedReader) next() bool {
	s.skip(" \t\n;{}")
	s.address()
	s.skip(" \t")
	if s.peek() == ',' {
		s.at++
		s.skip(" \t")
		s.address()
	}
	s.skip(" \t!")
	if s.at >= len(s.text) || s.bad {
		return false
	}
	b := s.peek()
	s.at++
	switch b {
	case '{', '}', ';', '\n', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
	case '#', 'a', 'i', 'c', ':', 'r', 'R':
		s.line()
	case 'b', 't', 'T', 'v':
		for s.at < len(s.text) && strings.IndexByte(";\n}", s.text[s.at]) < 0 {
			s.at++
		}
	case 'l', 'L', 'q', 'Q':
		s.skip(" 0123456789")
	case 'w', 'W':
		s.writes = append(s.writes, s.line())
	case 'e':
		s.runs = append(s.runs, s.line())
	case 'y', 's':
		d := s.peek()
		s.at++
		if d == 0 || !s.regex(d) || !s.until(d, false) {
			s.bad = true
			return false
		}
		if b == 's' {
			return s.sFlags()
		}
	default:
		s.bad = true
		return false
	}
	return true
}

func (s *sedReader) sFlags() bool {
	for s.at < len(s.text) {
		switch b := s.text[s.at]; {
		case strings.IndexByte("gpiImM0123456789", b) >= 0:
			s.at++
		case b == 'e':
			s.at++
			s.runs = append(s.runs, "")
		case b == 'w':
			s.at++
			s.writes = append(s.writes, s.line())
		case strings.IndexByte(" \t;\n}", b) >= 0:
			return true
		default:
			s.bad = true
			return false
		}
	}
	return true
}
