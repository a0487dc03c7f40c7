package place

import "strings"

// A setting is one variable of a git configuration file.
type setting struct {
	section    string // lower case
	subsection string // as written
	key        string // lower case
	value      string // "" also for a key without "="
}

// parseConfig reads the format of git's configuration files: sections,
// subsections in quotes, comments, quoted values with escapes, and lines that
// go on after a backslash. A line that git would refuse costs that line alone.
// Includes are not followed.
func parseConfig(src string) []setting {
	settings, _ := readConfig(src)
	return settings
}

// readConfig is parseConfig and says whether every line was understood.
func readConfig(src string) (_ []setting, whole bool) {
	p := configParser{rest: strings.TrimPrefix(src, "\ufeff")}
	for p.rest != "" {
		p.line()
	}
	return p.settings, !p.odd
}

// configParser is what is left to read, and the section that it stands in.
type configParser struct {
	rest                string
	section, subsection string
	settings            []setting
	odd                 bool // a line was passed over
}

// line reads one line, with those that it goes on in.
func (p *configParser) line() {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n\v\f")
	if p.rest == "" {
		return
	}
	switch c := p.rest[0]; {
	case c == '#' || c == ';':
		p.skipLine()
	case c == '[':
		if !p.header() {
			p.section, p.subsection = "", "" // what follows belongs to nobody
			p.odd = true
			p.skipLine()
		}
	case isLetter(c):
		p.variable()
	default:
		p.odd = true
		p.skipLine()
	}
}

func (p *configParser) skipLine() {
	_, p.rest, _ = strings.Cut(p.rest, "\n")
}

// header reads [section], [section "subsection"] or the older
// [section.subsection]. A variable may follow on the same line.
func (p *configParser) header() bool {
	i := 1
	for i < len(p.rest) && (isLetter(p.rest[i]) || isDigit(p.rest[i]) || p.rest[i] == '-' || p.rest[i] == '.') {
		i++
	}
	section := strings.ToLower(p.rest[1:i])
	if section == "" || i == len(p.rest) {
		return false
	}
	if p.rest[i] == ']' {
		p.section, p.subsection, _ = strings.Cut(section, ".")
		p.rest = p.rest[i+1:]
		return true
	}
	for i < len(p.rest) && (p.rest[i] == ' ' || p.rest[i] == '\t') {
		i++
	}
	if i == len(p.rest) || p.rest[i] != '"' {
		return false
	}
	var sub strings.Builder
	for i++; i < len(p.rest) && p.rest[i] != '"'; i++ {
		if p.rest[i] == '\\' {
			i++ // the next character stands for itself
		}
		if i == len(p.rest) || p.rest[i] == '\n' {
			return false
		}
		sub.WriteByte(p.rest[i])
	}
	if !strings.HasPrefix(p.rest[min(i, len(p.rest)):], `"]`) {
		return false
	}
	p.section, p.subsection = section, sub.String()
	p.rest = p.rest[i+2:]
	return true
}

// variable reads "key", "key = value" and what belongs to the value.
func (p *configParser) variable() {
	i := 0
	for i < len(p.rest) && (isLetter(p.rest[i]) || isDigit(p.rest[i]) || p.rest[i] == '-') {
		i++
	}
	key := strings.ToLower(p.rest[:i])
	p.rest = strings.TrimLeft(p.rest[i:], " \t\r")
	var value string
	switch {
	case p.rest == "" || p.rest[0] == '\n' || p.rest[0] == '#' || p.rest[0] == ';':
		p.skipLine()
	case p.rest[0] == '=':
		p.rest = p.rest[1:]
		var ok bool
		if value, ok = p.value(); !ok {
			p.odd = true
			return
		}
	default:
		p.odd = true
		p.skipLine()
		return
	}
	p.odd = p.odd || p.section == ""
	if p.section != "" {
		p.settings = append(p.settings, setting{p.section, p.subsection, key, value})
	}
}

// value reads what follows "=" to the end of the line. White space around it
// is dropped unless quoted.
func (p *configParser) value() (string, bool) {
	var b strings.Builder
	quoted := false
	end := 0 // length of b without the white space at its end
	i := 0
	for ; i < len(p.rest); i++ {
		c := p.rest[i]
		switch {
		case c == '\n':
			p.rest = p.rest[i+1:]
			return b.String()[:end], !quoted
		case c == '\r' && strings.HasPrefix(p.rest[i:], "\r\n"):
			continue
		case c == '"':
			quoted = !quoted
			end = b.Len()
			continue
		case !quoted && (c == '#' || c == ';'):
			p.rest = p.rest[i:]
			p.skipLine()
			return b.String()[:end], true
		case !quoted && (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'):
			if b.Len() > 0 {
				b.WriteByte(c)
			}
			continue
		case c == '\\':
			var ok bool
			if c, i, ok = escape(p.rest, i); !ok {
				p.rest = p.rest[i:]
				p.skipLine()
				return "", false
			}
			if c == 0 {
				continue // the value goes on in the next line
			}
		}
		b.WriteByte(c)
		end = b.Len()
	}
	p.rest = ""
	return b.String()[:end], !quoted
}

// escape reads the escape at s[i], a backslash. It gives what the escape stands
// for, 0 if it joins two lines, and the offset of its last byte.
func escape(s string, i int) (c byte, last int, ok bool) {
	if i++; i == len(s) {
		return 0, i, true
	}
	switch s[i] {
	case '\n':
		return 0, i, true
	case '\r':
		if i+1 < len(s) && s[i+1] == '\n' {
			return 0, i + 1, true
		}
	case 'n':
		return '\n', i, true
	case 't':
		return '\t', i, true
	case 'b':
		return '\b', i, true
	case '"', '\\':
		return s[i], i, true
	}
	return 0, i, false
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
