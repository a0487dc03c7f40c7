package edit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// byteOrderMark is what editors of some systems put in front.
const byteOrderMark = "\ufeff"

// Set returns the text src with key set to value, which is written as TOML. The
// error is ErrSyntax if src is not TOML, and another one if value is not one
// value, if key is a table, or if what is above it is a value.
func Set(src []byte, key []string, value string) ([]byte, error) {
	if _, ok := Value(value); !ok || len(key) == 0 {
		return nil, fmt.Errorf("set %s: %s is not one value of TOML", Key(key...), Quote(value))
	}
	text, marked := bytes.CutPrefix(src, []byte(byteOrderMark))
	d, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", Key(key...), err)
	}
	at, end, insert, err := d.place(key, value)
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", Key(key...), err)
	}
	out := slices.Concat(text[:at], []byte(insert), text[end:])
	if marked {
		out = append([]byte(byteOrderMark), out...)
	}
	return out, nil
}

// place says which bytes make way for the text insert.
func (d *document) place(key []string, value string) (at, end int, insert string, err error) {
	home := -1 // the innermost inline table above the key
	found := -1
	for i, e := range d.entries {
		switch {
		case slices.Equal(e.path, key):
			if found >= 0 {
				return 0, 0, "", errors.New("it is set twice: remove it first")
			}
			found = i
		case isPrefix(e.path, key) && e.isTable:
			home = i
		case isPrefix(e.path, key):
			return 0, 0, "", fmt.Errorf("%s is a value, not a table", Key(e.path...))
		case isPrefix(key, e.path):
			return 0, 0, "", errors.New("it is a table, not a value")
		}
	}
	for _, s := range d.sections[1:] {
		if isPrefix(key, s.path) {
			return 0, 0, "", errors.New("it is a table, not a value")
		}
		if s.list && isPrefix(s.path, key) {
			return 0, 0, "", fmt.Errorf("%s is a list of tables", Key(s.path...))
		}
	}
	switch {
	case found >= 0 && d.entries[found].isTable:
		return 0, 0, "", errors.New("it is a table, not a value")
	case found >= 0:
		return d.entries[found].value, d.entries[found].end, value, nil
	case home >= 0:
		at, end, insert = d.intoInline(home, key, value)
		return at, end, insert, nil
	}
	at, insert = d.newLine(key, value)
	return at, at, insert, nil
}

// intoInline places a key that goes into the inline table of an entry.
func (d *document) intoInline(home int, key []string, value string) (at, end int, insert string) {
	e := d.entries[home]
	pair := Key(key[len(e.path):]...) + " = " + value
	last := -1
	for i, child := range d.entries {
		if child.inside == home {
			last = i
		}
	}
	if last >= 0 {
		at = d.entries[last].end
		return at, at, ", " + pair
	}
	at, end = e.value+1, e.end-1 // between the braces
	if len(bytes.TrimSpace(d.src[at:end])) > 0 {
		return at, at, " " + pair // comments stand there
	}
	return at, at, " " + pair + " "
}

// newLine places a key that needs a line of its own, with a header if its table
// has none.
func (d *document) newLine(key []string, value string) (at int, insert string) {
	parent := key[:len(key)-1]
	line := func(below []string) string { return Key(below...) + " = " + value + d.eol() }
	home := -1
	for i, s := range d.sections {
		if slices.Equal(s.path, parent) {
			home = i
		}
	}
	// A table that dotted keys opened cannot be given a header any more.
	dotted, most := -1, 0
	for i, e := range d.entries {
		if c := common(e.path[:len(e.path)-1], parent); home < 0 && e.inside < 0 && c > len(e.table) && isPrefix(e.table, parent) && c >= most {
			dotted, most = i, c
		}
	}
	switch {
	case home >= 0:
		at, insert = d.inSection(home, key[len(key)-1])
		insert += line(key[len(key)-1:])
		if home == 0 && len(d.sections) > 1 && at == d.sections[0].end && !d.holds(d.sections[0]) {
			insert += d.eol() // it has a paragraph of its own, as the tables behind it
		}
		return d.lines(at, insert)
	case dotted >= 0:
		e := d.entries[dotted]
		return d.lines(d.lineEnd(e.end), d.indent(e.start)+line(key[len(e.table):]))
	}
	// A new table: behind its nearest relative, else at the end.
	at, most = len(d.src), 0
	for _, s := range d.sections {
		if c := common(s.path, parent); c > 0 && c >= most {
			at, most = s.end, c
		}
	}
	text := "[" + Key(parent...) + "]" + d.eol() + line(key[len(key)-1:])
	// What is between tables there stays so: Unset knows by it what was there.
	switch before := d.src[:at]; {
	case at == 0:
	case len(bytes.TrimSpace(d.lastLine(before))) == 0:
		text += d.eol()
	case at == len(d.src):
		text = d.eol() + text
	}
	return d.lines(at, text)
}

// holds reports whether a section has keys of its own.
func (d *document) holds(s section) bool {
	return slices.ContainsFunc(d.entries, func(e entry) bool { return s.body <= e.start && e.start < s.end })
}

// inSection finds where a new key of a section goes, and how its line is
// indented: behind the line that has it commented out, else behind the last key,
// else at the top.
func (d *document) inSection(home int, name string) (at int, indent string) {
	s := d.sections[home]
	for at := s.body; at < s.end; {
		end := d.lineEnd(at)
		text, isComment := strings.CutPrefix(strings.TrimSpace(string(d.src[at:end])), "#")
		text = strings.TrimSpace(text)
		if isComment && !d.inValue(at) {
			if strings.HasPrefix(text, "[") {
				break // what follows is an example of another table
			}
			if k, _, ok := strings.Cut(text, "="); ok && strings.TrimSpace(k) == Key(name) {
				return end, d.indent(at)
			}
		}
		at = end
	}
	for i := len(d.entries) - 1; i >= 0; i-- {
		if e := d.entries[i]; e.inside < 0 && s.body <= e.start && e.start < s.end {
			return d.lineEnd(e.end), d.indent(e.start)
		}
	}
	if home == 0 {
		return s.end, ""
	}
	return s.body, ""
}

// lines makes whole lines of a text that goes to at. Where the last line of the
// text has no end, the new last one has none either.
func (d *document) lines(at int, text string) (int, string) {
	if at > 0 && d.src[at-1] != '\n' {
		return at, d.eol() + strings.TrimSuffix(text, d.eol())
	}
	return at, text
}

// indent is the white space in front of what stands at at.
func (d *document) indent(at int) string {
	line := string(d.src[d.lineStart(at):])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// lastLine is the last line of a text, with its end.
func (d *document) lastLine(text []byte) []byte {
	return text[bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n')+1:]
}
