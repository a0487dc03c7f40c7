package skill

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// fence is the line before front matter and behind it.
const fence = "---"

// A head is the front matter of a file.
type head struct {
	fields []field
	end    int // where the body begins; 0: there is no front matter
}

// A field is a key with all that belongs to it.
type field struct {
	Field
	line int // of the file, from 1
}

var (
	errOpen   = errors.New("the front matter does not end: no line --- closes it")
	errLong   = fmt.Errorf("the front matter is longer than the %d bytes that are read", MaxHead)
	errNested = errors.New("want a text or a list of texts")
	errQuote  = errors.New("a quoted text does not end where its line does")
)

// readHead reads the front matter at the beginning of a file. more says that the file
// goes on behind text.
func readHead(text []byte, more bool) (head, error) {
	bom := len(text) - len(bytes.TrimPrefix(text, []byte("\ufeff")))
	first, at := nextLine(text, bom)
	if strings.TrimRight(first, " \t") != fence {
		return head{}, nil
	}
	h := head{}
	seen := make(map[string]bool)
	for n := 2; at < len(text); n++ {
		line, next := nextLine(text, at)
		if more && next == len(text) {
			break // it may go on
		}
		at = next
		switch plain := strings.TrimRight(line, " \t"); {
		case plain == fence || plain == "...":
			h.end = at
			for i := range h.fields {
				h.fields[i].Raw = strings.TrimRight(h.fields[i].Raw, "\n")
			}
			return h, nil
		case plain == "" || plain[0] == ' ' || plain[0] == '\t' || plain[0] == '#' || plain == "-" || strings.HasPrefix(plain, "- "):
			if len(h.fields) > 0 {
				last := &h.fields[len(h.fields)-1]
				last.Raw += "\n" + line
			} else if plain != "" && plain[0] != '#' {
				return head{}, fmt.Errorf("line %d: no key is in front of it", n)
			}
		default:
			key, raw, ok := strings.Cut(line, ":")
			switch {
			case !ok || raw != "" && raw[0] != ' ' && raw[0] != '\t':
				return head{}, fmt.Errorf("line %d: want KEY: VALUE", n)
			case strings.ContainsAny(key, " \t\"'{}[]&*!|>%@`") || !utf8.ValidString(key):
				return head{}, fmt.Errorf("line %d: %q is no key", n, clip(key))
			case seen[key]:
				return head{}, fmt.Errorf("line %d: %s stands twice", n, clip(key))
			}
			seen[key] = true
			h.fields = append(h.fields, field{Field{key, raw}, n})
		}
	}
	if more {
		return head{}, errLong
	}
	return head{}, errOpen
}

// nextLine is the line of text that begins at i, without its end, and where the next one
// begins. A line ends with LF, CRLF or CR.
func nextLine(text []byte, i int) (line string, next int) {
	end := bytes.IndexAny(text[i:], "\r\n")
	if end < 0 {
		return string(text[i:]), len(text)
	}
	next = i + end + 1
	if text[i+end] == '\r' && next < len(text) && text[next] == '\n' {
		next++
	}
	return string(text[i : i+end]), next
}

// text is the value of a field that is one text.
func (f field) text() (string, error) {
	first, rest, _ := strings.Cut(f.Raw, "\n")
	first = strings.TrimSpace(first)
	switch {
	case first != "" && (first[0] == '|' || first[0] == '>') && blockMark(first):
		return block(first[0] == '>', rest), nil
	case strings.HasPrefix(first, "["), strings.HasPrefix(first, "{"):
		return "", errNested
	case first == "" && strings.HasPrefix(strings.TrimLeft(rest, " \t\n"), "- "):
		return "", errNested
	}
	words := []string{first}
	for line := range strings.SplitSeq(rest, "\n") { // it is folded
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			words = append(words, line)
		}
	}
	return unquote(strings.TrimSpace(strings.Join(words, " ")))
}

// blockMark reports whether a line is the mark of a block of text: | or > with what may
// stand behind them.
func blockMark(s string) bool {
	mark, _, _ := strings.Cut(s, " #")
	return strings.Trim(strings.TrimSpace(mark)[1:], "+-123456789") == ""
}

// block is a text that stands on lines of its own.
func block(folded bool, text string) string {
	lines := strings.Split(text, "\n")
	indent := -1
	for _, l := range lines {
		if s := strings.TrimLeft(l, " "); s != "" && (indent < 0 || len(l)-len(s) < indent) {
			indent = len(l) - len(s)
		}
	}
	for i, l := range lines {
		lines[i] = l[min(max(indent, 0), len(l)):]
	}
	text = strings.TrimSpace(strings.Join(lines, "\n"))
	if folded {
		text = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, "\n\n", "\x00"), "\n", " "), "\x00", "\n")
	}
	return text
}

// list is the value of a field that is a list of texts; seps part the words of one that is
// written as one text.
func (f field) list(seps string) ([]string, error) {
	first, rest, _ := strings.Cut(f.Raw, "\n")
	first = strings.TrimSpace(first)
	switch {
	case strings.HasPrefix(first, "["):
		return flow(first + " " + rest)
	case first == "" || first[0] == '#':
		var list []string
		for line := range strings.SplitSeq(rest, "\n") {
			line = strings.TrimSpace(line)
			switch {
			case line == "" || line[0] == '#':
				continue
			case line == "-":
				return nil, errNested
			case !strings.HasPrefix(line, "- "):
				return nil, errNested
			}
			s, err := unquote(strings.TrimSpace(line[2:]))
			if err != nil {
				return nil, err
			}
			if s != "" {
				list = append(list, s)
			}
		}
		return list, nil
	}
	s, err := f.text()
	if err != nil {
		return nil, err
	}
	var list []string
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(seps, r) }) {
		if word = strings.TrimSpace(word); word != "" {
			list = append(list, word)
		}
	}
	return list, nil
}

// flow is a list between brackets.
func flow(s string) ([]string, error) {
	s = s[1:]
	var list []string
	for {
		s = strings.TrimLeft(s, " \t\n,")
		switch {
		case s == "":
			return nil, errors.New("a list does not end: no ] closes it")
		case s[0] == ']':
			if rest := strings.TrimSpace(s[1:]); rest != "" && rest[0] != '#' {
				return nil, errNested
			}
			return list, nil
		case s[0] == '[' || s[0] == '{':
			return nil, errNested
		}
		end := strings.IndexAny(s, ",]")
		if s[0] == '"' || s[0] == '\'' {
			n := quoted(s)
			if n < 0 {
				return nil, errQuote
			}
			end = n
		}
		if end < 0 {
			return nil, errors.New("a list does not end: no ] closes it")
		}
		word, err := unquote(strings.TrimSpace(s[:end]))
		if err != nil {
			return nil, err
		}
		if word != "" {
			list = append(list, word)
		}
		s = s[end:]
	}
}

// quoted is how long the quoted text at the beginning of s is, with its quotes; -1 if it
// does not end.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[0] == '"' && s[i] == '\\':
			i++
		case s[i] != s[0]:
		case s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return -1
}

// unquote is what a text says that may be quoted, or have a comment behind it.
func unquote(s string) (string, error) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		if i := strings.Index(s, " #"); i >= 0 {
			s = strings.TrimSpace(s[:i])
		}
		if strings.HasPrefix(s, "#") || s == "~" || s == "null" {
			return "", nil
		}
		return s, nil
	}
	n := quoted(s)
	if n < 0 {
		return "", errQuote
	}
	if rest := strings.TrimSpace(s[n:]); rest != "" && rest[0] != '#' {
		return s, nil // quotes in a plain text
	}
	inner := s[1 : n-1]
	if s[0] == '\'' {
		return strings.ReplaceAll(inner, "''", "'"), nil
	}
	return unescape(inner)
}

// unescape is what stands between double quotes.
func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case '"', '\\', '/', ' ':
			b.WriteByte(c)
		case 'x', 'u', 'U':
			digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			if i+digits >= len(s) {
				return "", fmt.Errorf("\\%c without its %d digits", c, digits)
			}
			n, err := strconv.ParseUint(s[i+1:i+1+digits], 16, 32)
			if err != nil || !utf8.ValidRune(rune(n)) {
				return "", fmt.Errorf("\\%c without its %d digits", c, digits)
			}
			b.WriteRune(rune(n))
			i += digits
		default:
			return "", fmt.Errorf("\\%c means nothing", c)
		}
	}
	return b.String(), nil
}

// scalar is a text as front matter has it.
func scalar(s string) string {
	plain := s != "" && s == strings.TrimSpace(s) && !strings.ContainsAny(s, "\"'\\\n\t,[]{}#:|>") &&
		!strings.ContainsAny(s[:1], "-?!&*%@`~.") &&
		s != "null" && s != "true" && s != "false" && strings.Trim(s, "0123456789.-+eE_") != ""
	if plain {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
