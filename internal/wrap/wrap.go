package wrap

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ken/internal/ask"
	"ken/internal/termsafe"
)

// Text breaks the lines of a text that are wider than width cells (0: none is) at
// blanks; what is continued stands hang cells from the left, or as far as its own
// line began if that is further. A word that is wider than a line stays whole, and so
// does a command of ken's: the terminal breaks it, and it can be copied. Only a text
// without blanks, as Chinese is, is broken between its characters.
func Text(text string, width, hang int) string {
	if width <= 0 {
		return text
	}
	return wrapped(text, width, func(string) int { return hang })
}

// Rows is Text for lists and notes: what is continued stands below the last column
// of its row, if that begins in the left half, else two cells further than its line.
// Columns are parted by two blanks or more.
func Rows(text string, width int) string {
	if width <= 0 {
		return text
	}
	return wrapped(text, width, func(line string) int { return lastColumn(line, width/2) })
}

// lastColumn is the cell at which the last column of a row begins that begins before
// most; two cells behind the first where there is none.
func lastColumn(line string, most int) int {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	at := indent + 2
	for i := indent; i < len(line); {
		n := strings.Index(line[i:], "  ")
		if n < 0 {
			break
		}
		i += n
		i += len(line[i:]) - len(strings.TrimLeft(line[i:], " "))
		cells := cellsOf(line[:i])
		if cells > most || i == len(line) {
			break
		}
		at = cells
	}
	return at
}

func wrapped(text string, width int, hang func(line string) int) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if cellsOf(line) <= width {
			b.WriteString(line)
			continue
		}
		wrapLine(&b, line, width, min(hang(line), width/2))
	}
	return b.String()
}

func wrapLine(b *strings.Builder, line string, width, hang int) {
	body := strings.TrimLeft(line, " ")
	indent := len(line) - len(body)
	b.WriteString(line[:indent])
	if indent <= width/2 {
		hang = max(hang, indent)
	}
	at := indent // the cells of the line so far
	begun := false
	turn := func() {
		b.WriteString("\n" + strings.Repeat(" ", hang))
		at = hang
	}
	for _, p := range parts(body, indent) {
		w := cellsOf(p.text)
		if begun && p.text != "" {
			if at+p.blanks+w > width && head(p.text, width-at-p.blanks) == "" {
				turn()
			} else {
				b.WriteString(strings.Repeat(" ", p.blanks))
				at += p.blanks
			}
		}
		for at+w > width {
			row := head(p.text, width-at)
			if row == "" && at > hang {
				row = head(p.text, width-hang)
				if row == "" {
					break
				}
				turn()
				continue
			}
			if row == "" {
				break
			}
			b.WriteString(row)
			p.text = p.text[len(row):]
			if w -= cellsOf(row); w <= 2*width { // a long text is measured once, and its end
				w = cellsOf(p.text)
			}
			turn()
		}
		b.WriteString(p.text)
		at, begun = at+w, true
		if at > width {
			at = width // the next one begins a line
		}
	}
}

// head is as much of a text without blanks as fits into so many cells and may be
// broken off; "" for a word, which is not broken.
func head(s string, cells int) string {
	row := termsafe.Fit(s, cells)
	for row != "" && len(row) < len(s) {
		after, _ := utf8.DecodeRuneInString(s[len(row):])
		before, n := utf8.DecodeLastRuneInString(row)
		if termsafe.MayBreak(before, after) {
			return row
		}
		row = row[:len(row)-n]
	}
	return ""
}

// cellsOf is how many cells a text takes, which may have styles.
func cellsOf(s string) int {
	if !strings.Contains(s, "\x1b[") {
		return termsafe.Width(s)
	}
	n := 0
	for {
		before, rest, found := strings.Cut(s, "\x1b[")
		n += termsafe.Width(before)
		if !found {
			return n
		}
		_, s, _ = strings.Cut(rest, "m")
	}
}

// A whole is what stands on one line: a word or a command, behind so many blanks.
type whole struct {
	blanks int
	text   string
}

// parts are the wholes of a line that begins so far from the left. An example, which is
// a command that stands further right, is one up to its next column.
func parts(body string, indent int) []whole {
	if indent < 2 || !strings.HasPrefix(body, "ken ") && !strings.HasPrefix(body, "$ ") {
		return wholes(body)
	}
	example := body
	if n := strings.Index(body, "  "); n > 0 {
		example = body[:n]
	}
	return append([]whole{{0, example}}, wholes(body[len(example):])...)
}

// wholes are the words of a line, those of a command in one.
func wholes(line string) []whole {
	var words []whole
	for line != "" {
		rest := strings.TrimLeft(line, " ")
		n := strings.IndexByte(rest, ' ')
		if n < 0 {
			n = len(rest)
		}
		words = append(words, whole{len(line) - len(rest), rest[:n]})
		line = rest[n:]
	}
	var out []whole
	for i := 0; i < len(words); {
		n := max(commandAt(words, i), percentAt(words, i), 1)
		var text strings.Builder
		text.WriteString(words[i].text)
		for _, w := range words[i+1 : i+n] {
			text.WriteString(strings.Repeat(" ", w.blanks) + w.text)
		}
		out = append(out, whole{words[i].blanks, text.String()})
		i += n
	}
	return out
}

// percentAt says of how many words the percentage is that begins with words[i], as 1 %; 0:
// none begins there.
func percentAt(words []whole, i int) int {
	number := words[i].text
	if number == "" || i+1 == len(words) || words[i+1].blanks != 1 || !strings.HasPrefix(words[i+1].text, "%") {
		return 0
	}
	if last := number[len(number)-1]; last < '0' || last > '9' {
		return 0
	}
	return 2
}

// mostWords is how many words an answer with its key has at most.
const mostWords = 6

// opened are what may stand before a command.
const opened = "(\"`'“‘"

// commandAt says of how many words the command is that begins with words[i]; 0: none
// begins there. Besides those of ken (ken undo 3, :undo 3), and a line for a shell behind
// a colon ($git push), it is an answer with its key ([y] run).
func commandAt(words []whole, i int) int {
	word := strings.TrimLeft(words[i].text, opened)
	announced := strings.HasPrefix(words[i].text, "(") || i > 0 && strings.HasSuffix(words[i-1].text, ":")
	switch {
	case ask.IsKey(word):
		n := 1
		for n < mostWords && i+n < len(words) && words[i+n].blanks == 1 && words[i+n].text != "" {
			n++
		}
		return n
	case word == "ken" && i+1 < len(words) && (word != words[i].text || i > 0 && namesNext(words[i-1].text)):
		return argumentsFrom(words, i, 2, announced)
	case len(word) > 1 && word[0] == ':' && isLower(word[1]):
		return argumentsFrom(words, i, 1, announced)
	case len(word) > 1 && word[0] == '$' && isLower(word[1]) && i > 0 && strings.HasSuffix(words[i-1].text, ":"):
		return len(words) - i
	}
	return 0
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// namesNext reports whether a word says that a command follows.
func namesNext(word string) bool {
	return strings.HasSuffix(word, ":") || slices.Contains(
		[]string{"or", "and", "with", "by", "run", "try", "use", "see", "see:", "is", "to", "of", "from", "also", "in"}, strings.ToLower(word))
}

// argumentsFrom says how long a command is whose name is words[i:i+n]: with the words
// that can be arguments of it, up to the end of the clause. One that was announced, by a
// bracket or a colon, may have words of a sentence among them, a few.
func argumentsFrom(words []whole, i, n int, announced bool) int {
	if i+n > len(words) {
		return 0
	}
	const few = 2
	all, sure := n, n
	quotes := countQuotes(words[i : i+n])
	for ; i+all < len(words) && all-sure <= few; all++ {
		next, quoted := words[i+all].text, quotes%2 == 1
		if !quoted && (next == "or" || next == "and" || endsClause(words[i+all-1].text, all > 1)) {
			break
		}
		if sure == all && (quoted || isArgument(next) || hasPart(words[i+all-1].text)) {
			sure++
		}
		quotes += countQuotes(words[i+all : i+all+1])
	}
	if announced && all-sure <= few {
		return all
	}
	return sure
}

// endsClause reports whether nothing of a command follows behind this word of it.
func endsClause(word string, more bool) bool {
	before := strings.TrimRight(word, ".")
	switch {
	case word == "" || strings.HasSuffix(word, ":") && !more:
		return false
	case len(before) < len(word):
		return before != "" && len(word) == len(before)+1 && isLower(before[len(before)-1])
	}
	return strings.ContainsAny(word[len(word)-1:], ";,:`)")
}

// countQuotes says how many quotes stand in words: of an odd number one is open.
func countQuotes(words []whole) int {
	n := 0
	for _, w := range words {
		n += strings.Count(w.text, `"`)
	}
	return n
}

// isArgument reports whether a word is no word of a sentence.
func isArgument(word string) bool {
	return strings.ContainsFunc(strings.TrimRight(word, ".,;:)`"), func(r rune) bool { return r < 'a' || r > 'z' })
}

// hasPart reports whether the word of a command is one below which there are others.
func hasPart(word string) bool {
	return slices.Contains(strings.Fields("memory sessions safety config policy trust completion init review port rules skills model met"),
		strings.TrimPrefix(strings.TrimLeft(word, opened), ":"))
}
