package telegram

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"ken/internal/markdown"
	"ken/internal/termsafe"
)

const (
	// maxUnits is how long a message may be, in UTF-16 units of what is shown of it: tags do not count.
	maxUnits = 4096
	// tableCells is how wide a table may be, in cells, so that a phone shows its columns.
	tableCells = 36
	// wide is how long what is shown as one character may be, in UTF-16 units, so that no message ends in it.
	wide = 64
)

// A Part is one message of an answer.
type Part struct {
	HTML string // as the Bot API takes it, with every tag closed
	Text string // what is shown of it
}

// A tag is markup around text, as the Bot API knows it.
type tag struct{ open, close string }

func simple(name string) tag { return tag{"<" + name + ">", "</" + name + ">"} }

// A pause says how good it is to end a message behind a character.
type pause uint8

const (
	inWord pause = iota
	behindWord
	behindLine
	behindBlock
)

// An atom is a character as it is shown, with the markup around it.
type atom struct {
	text  string
	units int
	tags  []tag // the outermost first
	pause pause
}

// A words is text that is to be said: markdown, as models write it, or as it stands.
type words struct {
	text     string
	markdown bool
}

// as is text as it stands: nothing in it is markup.
func as(text string) words { return words{text: text} }

// partsOf makes messages of words, each behind an empty line.
func partsOf(list []words) []Part {
	var all render
	for _, w := range list {
		var r render
		if w.markdown {
			r.atoms = atomsOf(w.text)
		} else {
			r.text(strings.TrimSpace(termsafe.Clean(valid(w.text))), nil)
		}
		if len(all.atoms) > 0 && len(r.atoms) > 0 {
			all.text("\n\n", nil)
			all.pause(behindBlock)
		}
		all.atoms = append(all.atoms, r.atoms...)
	}
	return split(all.atoms, maxUnits)
}

// Parts makes messages of the markdown of an answer. What is shown of them one after the other is what
// is shown of the answer; each has at most maxUnits and ends, where that can be, behind a block or a line.
// Code that goes on in the next message is closed and opened again.
func Parts(text string) []Part { return split(atomsOf(text), maxUnits) }

// split makes messages of at most most units.
func split(atoms []atom, most int) (parts []Part) {
	for len(atoms) > 0 {
		n := cut(atoms, most)
		if p := part(atoms[:n]); p.Text != "" {
			parts = append(parts, p)
		}
		atoms = atoms[n:]
	}
	return parts
}

// cut is how many atoms the next message takes, one at least.
func cut(atoms []atom, most int) int {
	n, units := 0, 0
	for n < len(atoms) && units+atoms[n].units <= most {
		units += atoms[n].units
		n++
	}
	if n == len(atoms) {
		return n
	}
	// Far behind the middle any block or line will do; before it a message would look torn off.
	for _, want := range []struct {
		pause pause
		least int
	}{{behindBlock, n / 2}, {behindLine, n / 2}, {behindLine, n / 8}, {behindWord, n / 8}} {
		for i := n; i > want.least; i-- {
			if atoms[i-1].pause >= want.pause {
				return i
			}
		}
	}
	return max(n, 1)
}

// part writes atoms as one message. What joins and turns characters stays where it has those in this message.
func part(atoms []atom) Part {
	var html, text strings.Builder
	for _, a := range atoms {
		text.WriteString(a.text)
	}
	rest := termsafe.Clean(text.String()) // as it is, or with less in it
	text.Reset()
	var open []tag
	shut := func(keep int) {
		for i := len(open) - 1; i >= keep; i-- {
			html.WriteString(open[i].close)
		}
		open = open[:keep]
	}
	for _, a := range atoms {
		same := 0
		for same < len(open) && same < len(a.tags) && open[same] == a.tags[same] {
			same++
		}
		shut(same)
		for _, t := range a.tags[same:] {
			html.WriteString(t.open)
			open = append(open, t)
		}
		for _, c := range a.text {
			if char := string(c); strings.HasPrefix(rest, char) {
				rest = rest[len(char):]
				html.WriteString(escape(char))
				text.WriteString(char)
			}
		}
	}
	shut(0)
	return Part{html.String(), text.String()}
}

// escape makes text of the Bot API's HTML. It is asked for each character.
func escape(s string) string {
	if !strings.ContainsAny(s, "&<>") {
		return s
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// valid puts one mark in the place of each byte that is no UTF-8: so pieces give what the whole gives.
func valid(s string) string {
	return strings.Map(func(r rune) rune { return r }, s)
}

// A render makes atoms of blocks.
type render struct{ atoms []atom }

// atomsOf is what is shown of markdown.
func atomsOf(text string) []atom {
	var r render
	r.blocks(markdown.Read(valid(text)), "", nil)
	return r.atoms
}

// blocks shows blocks that stand below each other, behind an indentation and in markup.
func (r *render) blocks(list []*markdown.Block, indent string, in []tag) {
	for i, b := range list {
		if i > 0 {
			r.between(list[i-1].Kind, b.Kind, indent, in)
		}
		r.block(b, indent, in)
	}
}

// between parts two blocks.
func (r *render) between(above, below markdown.BlockKind, indent string, in []tag) {
	if above != markdown.Item || below != markdown.Item {
		r.text("\n", in)
	}
	r.text("\n"+indent, in)
	r.pause(behindBlock)
}

func (r *render) block(b *markdown.Block, indent string, in []tag) {
	switch b.Kind {
	case markdown.Paragraph:
		r.lines(b.Lines, indent, in)
	case markdown.Heading:
		r.lines(b.Lines, indent, with(in, simple("b")))
	case markdown.Rule:
		r.text("———", in)
	case markdown.Code:
		r.code(b.Code, b.About)
	case markdown.Command:
		r.code(b.Code, "bash")
	case markdown.Table:
		r.table(b.Rows, indent, in)
	case markdown.Quote:
		if len(in) > 0 { // quotes are not put into each other
			r.text("│ ", in)
			r.blocks(b.Blocks, indent+"│ ", in)
			return
		}
		r.blocks(b.Blocks, indent, with(in, simple("blockquote")))
	case markdown.Item:
		r.text(bullet(b.Mark)+" ", in)
		r.blocks(b.Blocks, indent+"   ", in)
	}
}

// bullet is what stands before an item.
func bullet(mark string) string {
	number, box, _ := strings.Cut(mark, " ")
	if number == "[" || strings.HasPrefix(number, "[") {
		number, box = "", mark
	}
	switch {
	case box == "[ ]":
		box = "☐"
	case box != "":
		box = "☑"
	case number == "-" || number == "*" || number == "+":
		number = "•"
	}
	return strings.TrimSpace(number + " " + box)
}

func (r *render) lines(lines [][]markdown.Span, indent string, in []tag) {
	for i, l := range lines {
		if i > 0 {
			r.text("\n"+indent, in)
		}
		r.spans(l, in)
	}
}

// spans shows a line. Code has no other markup in it, as the Bot API wants it.
func (r *render) spans(line []markdown.Span, in []tag) {
	for i, s := range line {
		tags := in
		for _, look := range []struct {
			is  bool
			tag tag
		}{{s.Bold, simple("b")}, {s.Italic, simple("i")}, {s.Strike, simple("s")}} {
			if look.is && !s.Code {
				tags = with(tags, look.tag)
			}
		}
		switch {
		case s.Target != "":
			scheme, rest, _ := strings.Cut(s.Target, ":")
			to := escape(strings.ToLower(scheme) + ":" + rest)
			tags = with(tags, tag{`<a href="` + strings.ReplaceAll(to, `"`, "&quot;") + `">`, "</a>"})
		case s.Code:
			tags = with(tags, simple("code"))
		}
		r.text(s.Text, tags)
		ends := i == len(line)-1 || line[i+1].Target != s.Target
		if host := s.Host(); host != "" && ends { // where a link leads is seen before it is followed
			r.text(" ("+host+")", in)
		}
	}
}

// code shows lines of code. They stand in nothing else, as the Bot API wants it.
func (r *render) code(code, about string) {
	t := simple("pre")
	if language, _, _ := strings.Cut(about, " "); language != "" && len(language) <= 32 && isLanguage(language) {
		t = tag{`<pre><code class="language-` + language + `">`, "</code></pre>"}
	}
	if code = strings.TrimRight(code, "\n"); code == "" {
		code = " "
	}
	r.text(code, []tag{t})
}

func isLanguage(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+#-_.") == ""
}

// table shows a narrow table in columns, and a wide one row by row.
func (r *render) table(rows [][][]markdown.Span, indent string, in []tag) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], displaywidth.String(plain(c)))
		}
	}
	all := 2 * (len(widths) - 1)
	for _, w := range widths {
		all += w
	}
	if all <= tableCells {
		r.code(columns(rows, widths), "")
		return
	}
	for i, row := range rows[1:] {
		if i > 0 {
			r.text("\n\n"+indent, in)
		}
		said := false
		for k, c := range row {
			if len(c) == 0 {
				continue
			}
			if said {
				r.text("\n"+indent, in)
			}
			if said = true; len(rows[0][k]) > 0 {
				r.spans(rows[0][k], with(in, simple("b")))
				r.text(": ", in)
			}
			r.spans(c, in)
		}
	}
	if len(rows) == 1 {
		for k, c := range rows[0] {
			if k > 0 {
				r.text(" | ", in)
			}
			r.spans(c, with(in, simple("b")))
		}
	}
}

// columns sets rows in columns.
func columns(rows [][][]markdown.Span, widths []int) string {
	var b strings.Builder
	for n, row := range rows {
		var line strings.Builder
		for i, c := range row {
			text := plain(c)
			line.WriteString(text + strings.Repeat(" ", widths[i]-displaywidth.String(text)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		if n == 0 {
			for i, w := range widths {
				b.WriteString(strings.Repeat("-", w))
				if i < len(widths)-1 {
					b.WriteString("  ")
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func plain(spans []markdown.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// with is markup inside other markup.
func with(in []tag, t tag) []tag {
	for _, have := range in {
		if have == t {
			return in
		}
	}
	return append(in[:len(in):len(in)], t)
}

// text adds what is shown.
func (r *render) text(s string, tags []tag) {
	for g := graphemes.FromString(s); g.Next(); {
		c := g.Value()
		if n := units(c); n <= wide {
			r.add(c, n, tags)
			continue
		}
		for _, one := range c {
			r.add(string(one), max(utf16.RuneLen(one), 1), tags)
		}
	}
}

func (r *render) add(c string, n int, tags []tag) {
	a := atom{text: c, units: n, tags: tags}
	switch c {
	case "\n":
		a.pause = behindLine
	case " ", "\t":
		a.pause = behindWord
	}
	r.atoms = append(r.atoms, a)
}

// pause marks the last line end as one of a block.
func (r *render) pause(p pause) {
	for i := len(r.atoms) - 1; i >= 0; i-- {
		if r.atoms[i].text == "\n" {
			r.atoms[i].pause = p
			return
		}
	}
}

// units is the length of a text in UTF-16, as the Bot API counts.
func units(s string) (n int) {
	for _, c := range s {
		n += max(utf16.RuneLen(c), 1)
	}
	return n
}

// hasText reports whether a message shows anything: an empty one is refused.
func hasText(p Part) bool {
	return strings.ContainsFunc(p.Text, func(c rune) bool { return c > ' ' && c != utf8.RuneError && c != '\u00a0' })
}
