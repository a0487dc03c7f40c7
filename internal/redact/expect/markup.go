package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// How much is read of an element's head, and of a table.
const (
	maxHead  = 240
	maxTable = 8 << 10
)

// readElement looks at a part of the name of an element at text[at:end]: for its text, or
// that of its only child or of the value beside it.
func (r *Reader) readElement(at, end int) {
	s := r.text
	start := chars.RunBack(s, at, func(c byte) bool { return chars.IsDotByte(c) || c == ':' })
	if start == 0 || s[start-1] != '<' {
		return
	}
	stop := chars.RunOf(s, end, func(c byte) bool { return chars.IsDotByte(c) || c == ':' })
	shut := strings.IndexByte(s[stop:min(len(s), stop+maxHead)], '>')
	if shut < 0 || shut > 0 && s[stop+shut-1] == '/' {
		return
	}
	name := lowerASCII(s[start:stop])
	password := strings.HasSuffix(name, "password") || strings.HasSuffix(name, "passwd") || strings.HasSuffix(name, "pwd") ||
		strings.HasSuffix(name, "pass") || strings.HasSuffix(name, "passphrase") ||
		strings.HasSuffix(name, "secret") || strings.HasSuffix(name, "token") || strings.HasSuffix(name, "kennwort") ||
		strings.HasSuffix(name, "passwort") || strings.HasSuffix(name, "credential") || strings.HasSuffix(name, "credentials") ||
		strings.HasSuffix(name, "keymaterial")
	if !password && !strings.HasSuffix(name, "key") {
		return
	}
	i := chars.RunOf(s, stop+shut+1, chars.IsSpace)
	for range 4 { // its children, down to the first text
		if !strings.HasPrefix(s[i:], "<") || strings.HasPrefix(s[i:], "</") || strings.HasPrefix(s[i:], "<!") {
			break
		}
		k := strings.IndexByte(s[i:min(len(s), i+maxHead)], '>')
		if k < 0 {
			return
		}
		child := lowerASCII(s[i+1 : i+k])
		if strings.Contains(child, "user") || strings.Contains(child, "login") || strings.Contains(child, "name") ||
			strings.Contains(child, "domain") {
			// past an element that tells who
			_, rest, ok := strings.Cut(s[i:min(len(s), i+maxHead)], "</")
			next := strings.IndexByte(rest, '>')
			if !ok || next < 0 {
				return
			}
			i = chars.RunOf(s, i+strings.Index(s[i:], "</")+2+next+1, chars.IsSpace)
			continue
		}
		i = chars.RunOf(s, i+k+1, chars.IsSpace)
	}
	r.elementText(i, password, password)
}

// elementText adds the text of an element that begins at text[i]. password: it is one by what stands
// around it; named: by the name of the element.
func (r *Reader) elementText(i int, password, named bool) bool {
	s := r.text
	until := "<"
	if strings.HasPrefix(s[i:], "<![CDATA[") {
		i += len("<![CDATA[")
		until = "]]>"
	}
	k := strings.Index(s[i:min(len(s), i+512)], until)
	if k <= 0 {
		return false
	}
	end := chars.RunBack(s, i+k, chars.IsSpace)
	if v := strings.TrimRight(s[i:end], "="); v != "" && (gradeOf(v) == made || password && (gradeOf(v) == worded || named &&
		chars.Thing(v).IsGiven()) || isKeyText(v)) {
		r.add("password", i, end)
		return true
	}
	return false
}

// markupNext adds the value that stands in the cell or the element behind the one that ends
// at text[i] with a word for a password: a row, a definition, a label, the head of a column.
func (r *Reader) markupNext(i int) bool {
	s := r.text
	i = chars.RunOf(s[:min(len(s), i+4)], i, func(c byte) bool { return c == ':' || chars.IsBlank(c) })
	if !strings.HasPrefix(s[i:], "</") {
		return false
	}
	if chars.HasPrefixFold(s[i:], "</th>") && r.tableColumn(i) {
		return true
	}
	begin := i
	for i < len(s) && i < begin+maxHead {
		switch {
		case s[i] == '<':
			k := strings.IndexByte(s[i:min(len(s), i+maxHead)], '>')
			if k < 0 || chars.HasPrefixFold(s[i:], "</tr") {
				return false
			}
			i += k + 1
		case chars.IsSpace(s[i]) || s[i] == ':':
			i++
		default:
			return r.elementText(i, true, false)
		}
	}
	return false
}

// tableColumn adds the cells below the head of a table whose text ends at text[i].
func (r *Reader) tableColumn(i int) bool {
	s := r.text
	from := max(0, i-maxHead*4)
	lower := lowerASCII(s[from:min(len(s), i+maxTable)])
	i -= from
	row := strings.LastIndex(lower[:i], "<tr")
	if row < 0 {
		return false
	}
	column := strings.Count(lower[row:i], "<th")
	found := false
	for next := strings.Index(lower[i:], "<tr"); next >= 0; next = strings.Index(lower[i:], "<tr") {
		i += next + 3
		end := strings.Index(lower[i:], "</tr")
		if end < 0 {
			end = len(lower) - i
		}
		cell := i
		for range column {
			k := strings.Index(lower[cell:i+end], "<td")
			if k < 0 {
				return found
			}
			cell += k + 3
		}
		if k := strings.IndexByte(lower[cell:i+end], '>'); k >= 0 {
			found = r.elementText(from+cell+k+1, true, true) || found
		}
		i += end
	}
	return found
}

// column adds the cells below the head of a column that is all a word for a password, at
// text[at:stop], in separated values.
func (r *Reader) column(at, stop int) bool {
	s := r.text
	line, end := lineBounds(s, at, maxHead)
	if end >= len(s) || s[end] != '\n' {
		return false
	}
	at -= len(s[line:at]) - len(strings.TrimRight(s[line:at], "\"' "))
	stop += len(s[stop:end]) - len(strings.TrimLeft(s[stop:end], "\"' \r"))
	sep := byte(0)
	for _, c := range []byte(",;\t|") {
		if strings.IndexByte(s[line:end], c) >= 0 {
			sep = c
			break
		}
	}
	if sep == 0 || at > line && s[at-1] != sep || stop < end && s[stop] != sep {
		return false
	}
	nth, cells := strings.Count(s[line:at], string(sep)), strings.Count(s[line:end], string(sep))
	for cell := range strings.SplitSeq(strings.Trim(s[line:end], "| \t\r"), string(sep)) {
		if strings.Trim(cell, " \"'") == "" || strings.Count(cell, " ") > 4 {
			return false // a sentence
		}
	}
	if line < r.columnDone && nth == r.columnAt {
		return false // a row of a table, whose column was read
	}
	found := false
	limit := min(len(s), end+maxTable)
	for i := end + 1; i < limit; {
		next := chars.LineEnd(s, i, maxTable)
		row := s[i:next]
		if strings.Count(row, string(sep)) != cells {
			break
		}
		from := i
		for range nth {
			from += strings.IndexByte(s[from:next], sep) + 1
		}
		to := next
		if k := strings.IndexByte(s[from:next], sep); k >= 0 {
			to = from + k
		}
		if start, stop := trimmed(s, chars.RunOf(s[:to], from, chars.IsBlank), max(from, chars.RunBack(s, to, chars.IsSpace))); start < stop &&
			(gradeOf(s[start:stop]) > ordinary || chars.Thing(s[start:stop]).IsGiven()) {
			r.add("password", start, stop)
			found = true
		}
		i = next + 1
		r.columnDone, r.columnAt = next, nth
	}
	return found
}
