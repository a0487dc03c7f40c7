package foreign

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/memory"
)

// maxParagraph is the longest paragraph that is a candidate, in bytes. A longer
// one is an essay, of which nobody would say yes to as one memory.
const maxParagraph = 600

// A point is one thing that a page says.
type point struct {
	Text  string
	Kind  memory.Kind // convention for what orders something, pref, workflow, or fact
	Line  int         // from 1
	Heads string      // the headings above it
}

// A document is a page that is being read.
type document struct {
	written bool // by an assistant

	topic   string   // what the page says that all of it is
	heads   []string // by level from 1
	lists   []level  // open points whose children are read
	lead    string   // the paragraph before a list or code block that ends with a colon
	block   strings.Builder
	line    int // where block begins
	indent  int // of the point in block, -1 of a paragraph
	found   []point
	fence   string   // that ends the open code block
	code    []string // its lines
	comment bool     // that is open
	table   bool
}

// A level is a point of a list that has points below it.
type level struct {
	indent int
	text   string
}

// Read is what a page says, in its order. written says that an assistant wrote it:
// then points that only name another page are left out. topic is the type that its
// front matter gives to all of it, "" if it gives none.
func readPage(text string, written bool) (points []point, topic string) {
	d := &document{written: written, indent: -1}
	lines := strings.Split(public(strings.TrimPrefix(text, "\ufeff")), "\n")
	for i := d.frontMatter(lines); i < len(lines); i++ {
		d.row(i+1, strings.TrimRight(lines[i], " \t\r"))
	}
	d.end()
	return d.found, d.topic
}

// frontMatter reads the fields at the top, if there are any, and returns how many
// lines they take.
func (d *document) frontMatter(lines []string) int {
	if strings.TrimSpace(lines[0]) != "---" {
		return 0
	}
	for i, l := range lines[1:] {
		if t := strings.TrimSpace(l); t == "---" || t == "..." {
			return i + 2
		}
		name, value, _ := strings.Cut(l, ":")
		if strings.TrimSpace(name) == "type" && d.written {
			d.topic = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	d.topic = "" // the line was a rule, not the beginning of fields
	return 0
}

// row reads one line.
func (d *document) row(n int, l string) {
	t := strings.TrimSpace(l)
	if text := dated(t); text != "" { // in a block of code too, as assistants print it
		d.end()
		d.lists, d.lead = nil, ""
		d.add(n, plain(text), pageKind(text))
		return
	}
	if d.fence != "" {
		if strings.HasPrefix(t, d.fence) && strings.Trim(t, d.fence[:1]) == "" {
			d.endCode()
		} else {
			d.code = append(d.code, t)
		}
		return
	}
	if l = d.uncommented(l); strings.TrimSpace(l) == "" && t != "" {
		return
	}
	t = strings.TrimSpace(l)
	indent := len(l) - len(strings.TrimLeft(l, " \t"))
	mark, point := bullet(t)
	switch {
	case t == "":
		d.end()
		d.table = false
	case t == "§": // between the entries of Hermes
		d.end()
		d.lists, d.lead = nil, ""
	case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
		d.end()
		d.fence, d.code, d.line = t[:len(t)-len(strings.TrimLeft(t, t[:1]))], nil, n
	case strings.HasPrefix(t, "#") && heading(t) > 0:
		d.end()
		level := heading(t)
		for len(d.heads) < level {
			d.heads = append(d.heads, "")
		}
		d.heads = d.heads[:level]
		d.heads[level-1] = plain(strings.Trim(t, "# "))
		d.lists, d.lead = nil, ""
	case strings.Trim(t, "-*_= ") == "", strings.HasPrefix(t, "|"), d.table:
		d.end()
		d.table = strings.HasPrefix(t, "|")
	case point != "" || mark:
		d.end()
		for len(d.lists) > 0 && d.lists[len(d.lists)-1].indent >= indent {
			d.lists = d.lists[:len(d.lists)-1]
		}
		d.begin(n, indent, point)
	case d.block.Len() == 0:
		if indent == 0 {
			d.lists = nil
		}
		d.begin(n, -1, t)
	default:
		d.block.WriteString(" " + strings.TrimPrefix(t, "> "))
	}
}

func (d *document) begin(n, indent int, text string) {
	d.line, d.indent = n, indent
	d.block.WriteString(strings.TrimPrefix(text, "> "))
}

// public is a text without what stands between <private> and </private>, whatever
// is around it; without the latter all that follows is private. Lines keep their
// numbers.
func public(text string) string {
	var kept strings.Builder
	for {
		low := small(text)
		from := tag(low)
		if from < 0 {
			kept.WriteString(text)
			return kept.String()
		}
		kept.WriteString(text[:from])
		end := strings.Index(low[from:], "</private")
		if end < 0 {
			return kept.String()
		}
		end += from
		kept.WriteString(strings.Repeat("\n", strings.Count(text[from:end], "\n")))
		text = text[end:]
		if _, rest, ok := strings.Cut(text, ">"); ok {
			text = rest
		} else {
			return kept.String()
		}
	}
}

// tag is where the first <private> begins, -1 if there is none.
func tag(low string) int {
	const open = "<private"
	for from := 0; ; {
		i := strings.Index(low[from:], open)
		if i < 0 {
			return -1
		}
		from += i + len(open)
		if from == len(low) || strings.IndexByte("> \t\r\n/", low[from]) >= 0 {
			return from - len(open)
		}
	}
}

// uncommented is a line without comments, over lines as far as they go.
func (d *document) uncommented(l string) string {
	var kept strings.Builder
	for {
		if d.comment {
			_, rest, ok := strings.Cut(l, "-->")
			if !ok {
				return kept.String()
			}
			l, d.comment = rest, false
		}
		before, rest, ok := strings.Cut(l, "<!--")
		kept.WriteString(before)
		if !ok {
			return kept.String()
		}
		l, d.comment = rest, true
	}
}

// small is a text with small letters, byte by byte, so that places in it are places
// in the text.
func small(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// bullet is the text of a point, and whether the line is one.
func bullet(t string) (mark bool, text string) {
	for _, m := range []string{"- ", "* ", "+ ", "• "} {
		if rest, ok := strings.CutPrefix(t, m); ok {
			return true, task(rest)
		}
	}
	digits := strings.TrimLeft(t, "0123456789")
	if n := len(t) - len(digits); n > 0 && n < 4 {
		for _, m := range []string{". ", ") "} {
			if rest, ok := strings.CutPrefix(digits, m); ok {
				return true, task(rest)
			}
		}
	}
	return false, ""
}

func task(t string) string {
	t = strings.TrimSpace(t)
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		t = strings.TrimPrefix(t, box)
	}
	return t
}

func heading(t string) int {
	n := len(t) - len(strings.TrimLeft(t, "#"))
	if n > 6 || len(t) > n && t[n] != ' ' && t[n] != '\t' {
		return 0
	}
	return n
}

// end ends the point or paragraph that is open.
func (d *document) end() {
	text := plain(d.block.String())
	d.block.Reset()
	if text == "" {
		return
	}
	if strings.HasSuffix(text, ":") {
		head := strings.TrimSuffix(text, ":")
		if d.indent >= 0 {
			d.lists = append(d.lists, level{d.indent, head})
		} else {
			d.lead, d.lists = head, nil
		}
		return
	}
	lead := d.lead
	if d.indent < 0 {
		lead, d.lead = "", ""
	}
	d.point(d.line, text, lead)
	if d.indent >= 0 {
		d.lists = append(d.lists, level{d.indent, ""})
	}
}

// endCode ends a block of code: of one line it says how something is done.
func (d *document) endCode() {
	d.fence = ""
	if len(d.code) == 1 && d.code[0] != "" && d.context(d.lead) != "" {
		d.add(d.line, d.context(d.lead)+": `"+d.code[0]+"`", memory.KindWorkflow)
	}
	d.lead = ""
}

// context is what stands above a text: the point that it is below, what leads to
// the list, or the innermost heading.
func (d *document) context(lead string) string {
	for i := len(d.lists) - 1; i >= 0; i-- {
		if d.lists[i].text != "" {
			return d.lists[i].text
		}
	}
	if lead != "" {
		return lead
	}
	for i := len(d.heads) - 1; i > 0; i-- { // the title says what all of it is about
		if d.heads[i] != "" {
			return d.heads[i]
		}
	}
	return ""
}

// point adds a text, unless it says nothing or is not a text of its own.
func (d *document) point(line int, text, lead string) {
	if len(text) > maxParagraph || text[0] == '<' || isReference(text, d.written) || !strings.ContainsFunc(text, unicode.IsLetter) {
		return
	}
	kind := pageKind(text)
	const few = 5 // words that may not show what they are about
	under := len(d.lists) > 0 && d.lists[len(d.lists)-1].text != ""
	if c := d.context(lead); c != "" && (under || lead != "" || len(strings.Fields(text)) < few && kind == memory.KindFact) {
		text = c + ": " + text
	}
	d.add(line, text, kind)
}

func (d *document) add(line int, text string, kind memory.Kind) {
	d.found = append(d.found, point{Text: text, Kind: kind, Line: line, Heads: strings.Join(strings.Fields(strings.Join(d.heads, " ")), " ")})
}

// isReference reports whether a text only names another file.
func isReference(text string, written bool) bool {
	words := strings.Fields(text)
	if !slices.ContainsFunc(words, func(w string) bool { return len(w) < 2 || w[0] != '@' }) || strings.HasPrefix(strings.ToLower(text), "see @") && len(words) == 2 {
		return true
	}
	rest, ok := strings.CutPrefix(text, "[")
	if !ok {
		return false
	}
	_, rest, ok = strings.Cut(rest, "](")
	target, after, closed := strings.Cut(rest, ")")
	return ok && closed && (after == "" || written && strings.HasSuffix(target, ".md") && !strings.Contains(target, "/"))
}

// pageKind is the kind of a text by its words. What orders something is a convention,
// never a rule, which would bind.
func pageKind(text string) memory.Kind {
	low := " " + strings.ToLower(text) + " "
	for _, w := range []string{" i prefer ", " i like ", " i want ", " i hate ", "user prefers ", "user likes ", "user wants ", " prefers "} {
		if strings.Contains(low, w) {
			return memory.KindPref
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(low), " ")
	orders := false
	for _, w := range []string{" always ", " never ", " must ", " don't ", " do not ", " should ", " avoid ", " prefer ", " make sure ", " ensure ", " required "} {
		orders = orders || strings.Contains(low, w)
	}
	orders = orders || !strings.HasSuffix(first, ":") && slices.Contains([]string{"use", "run", "keep", "write", "add", "follow", "put", "name", "test", "ask", "check", "commit", "be", "only", "no", "prefer", "answer", "explain", "include", "leave", "update", "format", "wrap", "return", "read", "stop", "favor", "favour"}, strings.Trim(first, ",.:;"))
	if orders {
		return memory.KindConvention
	}
	return memory.KindFact
}

// plain is a text without the marks of emphasis, and without the number that a
// page of memories gives it.
func plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, mark := range []string{"**", "__"} {
		if strings.Count(text, mark)%2 == 0 {
			text = strings.ReplaceAll(text, mark, "")
		}
	}
	if id, rest, ok := strings.Cut(text, "] "); ok && strings.HasPrefix(id, "[") && len(id) <= 12 && strings.Trim(id[1:], "0123456789abcdefh#") == "" {
		text = rest
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	return strings.TrimSpace(text)
}

// dated is the text of a line as assistants print what they remember, to be taken along:
// "[2025-03-01] - text", "[unknown] - text". It is "" of any other line.
func dated(line string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "[")
	if !ok {
		return ""
	}
	date, text, ok := strings.Cut(rest, "]")
	if !ok || len(text) < 2 || len(date) > 32 || !strings.HasPrefix(date, "20") && !strings.HasPrefix(date, "19") && !strings.EqualFold(date, "unknown") && !strings.Contains(strings.ToLower(date), "date") {
		return ""
	}
	for _, dash := range []string{" - ", " – ", " — ", ": "} {
		if rest, ok := strings.CutPrefix(text, dash); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}
