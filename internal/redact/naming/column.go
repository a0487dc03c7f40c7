package naming

import (
	"strings"

	"ken/internal/redact/chars"
)

const (
	maxHead  = 1 << 10  // bytes of the head of a table
	maxCells = 64       // columns of a table
	maxTable = 16 << 10 // bytes of a table that are read from its head on
)

// column adds the values below the name s[start:stop] if it is the head of a column: of
// Markdown, of comma, semicolon or tab separated values, of a table that is aligned by
// blanks, and of the list of columns of an INSERT.
func (r *Reader) column(lv level, start, stop int) {
	s := r.text
	if !endsCell(s, stop) {
		return
	}
	line := strings.LastIndexByte(s[max(0, start-maxHead):start], '\n') + 1 + max(0, start-maxHead)
	if line < r.rowsDone && line != r.head[0] || line > 0 && s[line-1] != '\n' {
		return // a row of a table
	}
	end := chars.LineEnd(s, stop, maxHead)
	if end == len(s) || s[end] != '\n' {
		r.insert(lv, start, stop)
		return
	}
	if chars.HasPrefixFold(s[line:], "copy ") {
		r.insert(lv, start, stop)
		return
	}
	if r.remarked(lv, start, stop, line, end) {
		return
	}
	split := splitter(strings.TrimRight(s[line:end], "\r"), start-line)
	if split == nil {
		r.insert(lv, start, stop)
		return
	}
	head := split(s[line:end], nil)
	at, named := -1, 0
	for i, c := range head {
		cell := s[line+c.start : line+c.end]
		if !isHead(cell) {
			r.insert(lv, start, stop)
			return
		}
		if cell != "" {
			named++
		}
		if line+c.start <= start && stop <= line+c.end {
			at = i
		}
	}
	if at < 0 || named < 2 || len(head) > maxCells || !strings.HasSuffix(trimCell(s[line+head[at].start:line+head[at].end]), s[start:stop]) {
		return
	}
	loose := s[line+head[1].start-1] == ' ' && strings.Trim(s[line+head[0].end:line+head[1].start], " ") == ""
	if loose && (head[0].start > 2 || strings.Contains(s[line:end], "#")) {
		return // a line of code with a remark
	}
	r.rows(column{lv, at, loose}, split, head, line, end)
}

// remarked adds the values of a file of accounts whose first line is a remark that names its columns:
// "# client server secret", "# user:password". It returns whether the line is one.
func (r *Reader) remarked(lv level, start, stop, line, end int) bool {
	s := r.text
	head := strings.TrimLeft(s[line:end], " \t")
	body := strings.TrimLeft(head, "#;/-%* ")
	if body == head || lv != password && lv != secret && lv != token && lv != apiKey {
		return false
	}
	sep := func(c rune) bool { return c == ' ' || c == '\t' || c == '\r' }
	if strings.Contains(body, ":") {
		sep = func(c rune) bool { return c == ':' || c == '\r' }
	} else if strings.Contains(body, ",") {
		sep = func(c rune) bool { return c == ',' || c == '\r' }
	}
	at, account := -1, false
	names := strings.FieldsFunc(strings.TrimRight(body, " .*/"), sep)
	for i, n := range names {
		n = strings.Trim(n, " <>[]\"'")
		if strings.HasSuffix(n, s[start:stop]) && at < 0 {
			at = i
		}
		account = account || isAccountColumn(strings.ToLower(n))
		if strings.Contains(n, " ") || chars.IsFunctionWord(strings.ToLower(n)) && levelOf(n, "") == noSecret &&
			!isAccountColumn(strings.ToLower(n)) {
			return false
		}
	}
	if at < 0 || !account || len(names) < 2 || len(names) > 8 {
		return false
	}
	for i, n := end+1, 0; i < len(s) && n < 64; n++ {
		next := chars.LineEnd(s, i, maxHead)
		row := s[i:next]
		if trimmed := strings.TrimSpace(row); trimmed == "" || trimmed[0] == '[' || trimmed[0] == '<' {
			break
		} else if trimmed[0] != '#' {
			cells := strings.FieldsFunc(row, sep)
			if len(cells) < 2 || len(cells) <= at || len(cells) > len(names)+1 || strings.IndexByte(",({",
				trimmed[len(trimmed)-1]) >= 0 {
				break
			}
			v := strings.Trim(cells[at], " \t\"'")
			if k := strings.LastIndex(row, v); (chars.Thing(v).IsGiven() && chars.ShapeOf(v).Lower+chars.ShapeOf(v).Digit > 0 ||
				acceptsCell(lv, v)) && k >= 0 {
				if next == len(s) {
					r.hold(i)
				}
				r.add("password", i+k, i+k+len(v))
			}
		}
		i = next + 1
	}
	return true
}

// isAccountColumn reports whether w, in lower case, is what a column is called that tells whose account it is.
func isAccountColumn(w string) bool {
	switch strings.TrimSuffix(strings.TrimSuffix(w, "name"), "_") {
	case "user", "login", "client", "server", "host", "id", "account", "email", "mail", "identity", "uid", "benutzer",
		"utilisateur", "usuario", "utente", "gebruiker", "peer", "remote", "domain", "":
		return w != ""
	}
	return false
}

// endsCell reports whether a name that ends before s[i] may be the end of a cell.
func endsCell(s string, i int) bool {
	i = chars.RunOf(s, i, func(c byte) bool { return chars.IsQuote(c) || c == '*' || c == ')' })
	k := chars.RunOf(s, i, chars.IsBlank)
	if k == len(s) || strings.IndexByte("|,;\r\n(", s[k]) >= 0 || k > i && (k > i+1 || s[i] == '\t') || s[i] == ')' || k > i &&
		(chars.HasPrefixFold(s[k:], "values") || chars.HasPrefixFold(s[k:], "from stdin")) {
		return true
	}
	// One blank: a word of a row of names.
	end := chars.RunOf(s, k, func(c byte) bool { return chars.IsLower(c | 0x20) })
	return k > i && end > k && isColumn(strings.ToLower(s[k:end]))
}

// A column is one of secrets; loose: nothing but blanks stands between it and others.
type column struct {
	level level
	at    int
	loose bool
}

// rows adds the values of a column below the head in s[line:end].
func (r *Reader) rows(c column, split func(string, []cell) []cell, head []cell, line, end int) {
	s, at := r.text, c.at
	limit := min(len(s), end+1+maxTable)
	next, account := end+1, -1
	for i, h := range head {
		if i != at && isAccountColumn(strings.ToLower(strings.Trim(trimCell(s[line+h.start:line+h.end]), " \t\"'`*"))) {
			account = i
		}
	}
	for row := next; row < limit; row = next {
		stop := chars.LineEnd(s, row, maxTable)
		next = stop + 1
		if stop == len(s) {
			r.hold(row) // the row may go on
		}
		if text := strings.TrimRight(s[row:stop], "\r"); isRule(text) {
			continue
		} else if cells := split(text, head); len(cells) <= at || len(cells) > len(head)+1 || len(cells) < len(head)-1 {
			if stop < len(s) {
				next = row
			}
			break
		} else if v := cells[at]; v.start < v.end {
			from, to := row+v.start, row+v.end
			from += leading(s[from:to])
			to = from + len(trimCell(s[from:to]))
			if v := s[from:to]; acceptsCell(c.level, v) && (!c.loose || Looks(v) || c.level != password) ||
				c.level == password && !c.loose && account >= 0 && account < len(cells) && isWordOf(s[row+cells[account].start:stop], v) {
				r.add(c.level.kind(), from, to)
			}
		}
	}
	if r.head[0] != line || r.rowsDone < next {
		r.head, r.rowsDone = [2]int{line, end + 1}, next
	}
}

// isWordOf reports whether v, one word, may be the password of the account that cell, a row from there on, begins with: one that
// is no label.
func isWordOf(cell, v string) bool {
	cell = strings.TrimLeft(cell, " \t\"'`*")
	sh := chars.ShapeOf(v)
	return cell != "" && (chars.IsLower(cell[0]) || chars.IsDigit(cell[0])) && len(v) >= 6 && sh.Letters() == len(v) && sh.Upper == 1 &&
		chars.IsUpper(v[0]) && !chars.Thing(v).IsNone() && !tellsOfPassword(strings.ToLower(v)) && !chars.Thing(v).IsProduct()
}

// Tables reports whether the text has a table with a column of secrets.
func (r *Reader) Tables() bool { return r.head[1] > 0 }

// Table returns the head of a table with a column of secrets, its line end with it, if
// the table goes on to the end of the text; else "".
func (r *Reader) Table() string {
	if r.head[1] == 0 || r.rowsDone < len(r.text) {
		return ""
	}
	return r.text[r.head[0]:r.head[1]]
}

// A cell is where one stands in its row.
type cell struct{ start, end int }

// splitter returns what takes the rows of a table apart whose head is line, the one
// with a name at; nil if it is no head.
func splitter(line string, at int) func(string, []cell) []cell {
	switch {
	case strings.Contains(line, "|"):
		return separated('|')
	case strings.Contains(line, "\t"):
		return separated('\t')
	case strings.Contains(line, ";") && !strings.HasSuffix(line, ";"):
		return separated(';')
	case strings.Contains(line, ",") && !strings.HasSuffix(line, ","):
		return separated(',')
	case strings.Contains(line, "  "):
		return aligned
	case strings.Contains(line, " ") && at >= 0:
		for _, w := range strings.Fields(line) {
			if !isColumn(strings.ToLower(w)) {
				return nil
			}
		}
		return separated(' ')
	}
	return nil
}

// isColumn reports whether w is what a column of a list of accounts is called where only
// single blanks stand between the columns.
func isColumn(w string) bool {
	switch w {
	case "user", "username", "login", "name", "host", "hostname", "server", "ip", "email", "mail", "account", "port", "role", "id", "service", "site", "url", "env", "note", "notes":
		return true
	}
	return levelOf(w, "") != noSecret
}

// separated returns what takes rows apart at sep, outside of double quotes.
func separated(sep byte) func(string, []cell) []cell {
	return func(row string, _ []cell) []cell {
		var cells []cell
		start, quoted := 0, false
		for i := 0; i <= len(row); i++ {
			if i < len(row) && row[i] == '"' {
				quoted = !quoted
			}
			if i < len(row) && (row[i] != sep || quoted) {
				continue
			}
			// A line of Markdown begins and ends with its sign.
			if sep != '|' || (i < len(row) || strings.TrimSpace(row[start:]) != "") && (start > 0 || strings.TrimSpace(row[:i]) != "") {
				cells = append(cells, cell{start, i})
			}
			start = i + 1
			if len(cells) > maxCells+1 {
				break
			}
		}
		return cells
	}
}

// aligned takes a row apart at two blanks or more; below a head, at what stands in the
// place of each of its cells.
func aligned(row string, head []cell) []cell {
	var cells []cell
	for i := 0; i < len(row); {
		if row[i] == ' ' {
			i++
			continue
		}
		end := i
		for end < len(row) && (row[end] != ' ' || end+1 < len(row) && row[end+1] != ' ' && head == nil) {
			end++
		}
		cells = append(cells, cell{i, end})
		i = end
	}
	if head == nil {
		return cells
	}
	placed := make([]cell, len(head))
	for _, c := range cells {
		for k := range head {
			next := len(row) + 1
			if k+1 < len(head) {
				next = head[k+1].start
			}
			// What is too long for its column moves what follows.
			if placed[k] == (cell{}) && (c.start >= head[k].start-1 && c.start < next || len(cells) == len(head) && c == cells[k]) {
				placed[k] = c
				break
			}
		}
	}
	return placed
}

// isHead reports whether text may be what a column is called: a few words and no value.
func isHead(text string) bool {
	text = trimCell(text[leading(text):])
	if len(text) > 48 || strings.Count(text, " ") > 4 {
		return false
	}
	letters := 0
	for _, c := range []byte(text) {
		switch {
		case chars.IsLower(c | 0x20), c >= 0x80:
			letters++
		case chars.IsDigit(c), strings.IndexByte(" _-./#()?*", c) >= 0:
		default:
			return false
		}
	}
	return text == "" || text == "#" || letters > 0 && !strings.Contains(text, "#")
}

// isRule reports whether row is a line between the head of a table and its rows.
func isRule(row string) bool {
	return row != "" && chars.RunOf(row, 0, func(c byte) bool { return strings.IndexByte("-=+|: \t", c) >= 0 }) == len(row) &&
		strings.ContainsAny(row, "-=")
}

func leading(text string) int {
	return chars.RunOf(text, 0, func(c byte) bool { return chars.IsBlank(c) || chars.IsQuote(c) || c == '*' })
}

// trimCell is text without what stands around it in its cell.
func trimCell(text string) string { return strings.TrimRight(text, " \t\r\"'`*") }

// isTitledDot reports whether v is two words with a dot between, the first with a capital: what no cell has as a name in code.
func isTitledDot(v string) bool {
	head, tail, ok := strings.Cut(v, ".")
	return ok && len(head) > 3 && len(tail) > 3 && chars.IsUpper(head[0]) && chars.RunOf(head, 1, chars.IsLower) == len(head) &&
		chars.RunOf(tail, 0, chars.IsLower) == len(tail)
}

// acceptsCell reports whether v, in a column of that level, is a secret.
func acceptsCell(lv level, v string) bool {
	if v == "" || chars.IsReference(v) && !isTitledDot(v) || chars.IsSettled(strings.TrimRight(v, "0123456789")) ||
		chars.Thing(v).IsMail() || strings.ContainsAny(v, " \t") || strings.Contains(v, "://") {
		return false
	}
	sh := chars.ShapeOf(v)
	if lv == password && isTitledDot(v) && !chars.Thing(v).IsFile() {
		return true
	}
	if lv == password && (isCommon(strings.ToLower(v)) || sh.Digit == 0 && sh.Lower > 0 && strings.IndexByte(v, '_') < 0 &&
		(frame{level: lv, quoted: true}).closed(v) &&
		v[0] != '=' && v[0] != '_' && v[0] != '-' && !isCallOpen(v) && strings.IndexByte(v, '(') < 0) {
		return true
	}
	if sh.Digit+sh.Symbol-strings.Count(v, "_")-strings.Count(v, ".") == 0 || strings.Contains(v, ".") && chars.IsCode(v) ||
		v[0] == '=' || v[0] == '_' || isCallOpen(v) {
		return false // a name in code
	}
	if lv == password || lv == login {
		return len(v) >= 4 && (acceptsBound(v) || acceptSpokenPassword(v, sh, true) && !chars.Thing(v).IsTechnical())
	}
	return len(v) >= 12 && sh.Digit > 0 && sh.Letters() > 0 && !chars.IsUUID(v) && chars.IsRandom(v) && !chars.IsWordy(v) &&
		!chars.IsCodeName(v) && strings.IndexByte(v, '%') < 0
}

// isCallOpen reports whether v begins as a call does, of which a comma has cut off the end.
func isCallOpen(v string) bool {
	i := chars.RunOf(v, 0, func(c byte) bool { return chars.IsWordByte(c) || c == '.' })
	return i > 0 && i < len(v) && v[i] == '('
}

// copied adds the values of the column with number at in the rows of a COPY of PostgreSQL, which begin at text[i]: with tabs
// between, up to a line of a backslash and a dot.
func (r *Reader) copied(lv level, at, i int) {
	s := r.text
	for limit := min(len(s), i+maxTable); i < limit; {
		end := chars.LineEnd(s, i, maxTable)
		if strings.HasPrefix(s[i:end], `\.`) {
			return
		}
		from := i
		for n := 0; n < at; n++ {
			k := strings.IndexByte(s[from:end], '\t')
			if k < 0 {
				return
			}
			from += k + 1
		}
		to := end
		if k := strings.IndexByte(s[from:end], '\t'); k >= 0 {
			to = from + k
		}
		if end == len(s) {
			r.hold(i)
		}
		if v := s[from:to]; v != `\N` && acceptsCell(lv, v) {
			r.add(lv.kind(), from, to)
		}
		i = end + 1
	}
}

// insert adds the values of a column in the rows of an INSERT of SQL.
func (r *Reader) insert(lv level, start, stop int) {
	s := r.text
	from := max(0, start-maxHead)
	open := strings.LastIndexAny(s[from:start], "()")
	shut := strings.IndexAny(s[stop:min(len(s), stop+maxHead)], "()=\n:")
	if open < 0 || shut < 0 || s[from+open] != '(' || s[stop+shut] != ')' {
		return
	}
	at := strings.Count(s[from+open:start], ",")
	i := chars.RunOf(s, stop+shut+1, chars.IsSpace)
	if chars.HasPrefixFold(s[i:], "from stdin") {
		r.copied(lv, at, chars.LineEnd(s, i, maxHead)+1)
		return
	}
	if !chars.HasPrefixFold(s[i:], "values") {
		return
	}
	i += len("values")
	for limit := min(len(s), i+maxTable); i < limit; {
		i = chars.RunOf(s[:limit], i, func(c byte) bool { return chars.IsSpace(c) || c == ',' })
		if i == limit || s[i] != '(' {
			return
		}
		i++
		for n := 0; i < limit && s[i] != ')'; {
			switch {
			case chars.IsQuote(s[i]):
				_, end, ok := literal(s, i)
				if !ok {
					return
				}
				if v := s[i+1 : end-1]; n == at && acceptsCell(lv, v) {
					r.add(lv.kind(), i+1, end-1)
				}
				i = end
			case s[i] == ',':
				n++
				i++
			default:
				i++
			}
		}
		i++
	}
}
