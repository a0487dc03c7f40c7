package web

import (
	"html/template"
	"strings"

	"ken/internal/markdown"
)

// textOf is a text as HTML, by the grammar that the terminal has. Every character of it is escaped; the tags are of this file.
func textOf(text string) template.HTML {
	var b strings.Builder
	blocks(&b, markdown.Read(text))
	return template.HTML(b.String()) //nolint:gosec // all that comes from the text went through esc
}

func esc(s string) string { return template.HTMLEscapeString(s) }

// list is the tag of the list that a block is an item of; "" is that it is none.
func list(k *markdown.Block) string {
	switch {
	case k.Kind != markdown.Item:
		return ""
	case numberOf(k) != "":
		return "ol"
	}
	return "ul"
}

// numberOf is the number of an item, where it has one.
func numberOf(k *markdown.Block) string {
	n := strings.IndexFunc(k.Mark, func(r rune) bool { return r < '0' || r > '9' })
	return k.Mark[:max(n, 0)]
}

func blocks(b *strings.Builder, all []*markdown.Block) {
	open := ""
	for _, k := range all {
		if tag := list(k); tag != open {
			if open != "" {
				b.WriteString("</" + open + ">")
			}
			if open = tag; tag != "" {
				b.WriteString("<" + tag + ">")
			}
		}
		block(b, k)
	}
	if open != "" {
		b.WriteString("</" + open + ">")
	}
}

// item is one of a list. Whether it is done, as in [x], stands in the line of what is to be done.
func item(b *strings.Builder, k *markdown.Block) {
	b.WriteString("<li")
	if n := numberOf(k); n != "" {
		b.WriteString(` value="` + n + `"`)
	}
	b.WriteString(">")
	rest := k.Blocks
	if _, box, ok := strings.Cut(k.Mark, "["); ok {
		box = esc("[" + box + " ")
		if len(rest) > 0 && rest[0].Kind == markdown.Paragraph {
			b.WriteString("<p>" + box)
			lines(b, rest[0].Lines)
			b.WriteString("</p>")
			rest = rest[1:]
		} else {
			b.WriteString(box)
		}
	}
	blocks(b, rest)
	b.WriteString("</li>")
}

func block(b *strings.Builder, k *markdown.Block) {
	switch k.Kind {
	case markdown.Paragraph:
		b.WriteString("<p>")
		lines(b, k.Lines)
		b.WriteString("</p>")
	case markdown.Heading: // the page has headings of its own
		b.WriteString("<p><strong>")
		lines(b, k.Lines)
		b.WriteString("</strong></p>")
	case markdown.Rule:
		b.WriteString("<hr>")
	case markdown.Code, markdown.Command:
		b.WriteString(`<pre tabindex="0"><code>` + esc(k.Code) + "</code></pre>")
	case markdown.Quote:
		b.WriteString("<blockquote>")
		blocks(b, k.Blocks)
		b.WriteString("</blockquote>")
	case markdown.Item:
		item(b, k)
	case markdown.Table:
		b.WriteString(`<div class="scroll" tabindex="0" role="group" aria-label="table"><table>`)
		for i, row := range k.Rows {
			cell := map[bool]string{true: "th", false: "td"}[i == 0]
			b.WriteString("<tr>")
			for _, c := range row {
				b.WriteString("<" + cell + ">")
				spans(b, c)
				b.WriteString("</" + cell + ">")
			}
			b.WriteString("</tr>")
		}
		b.WriteString("</table></div>")
	}
}

func lines(b *strings.Builder, list [][]markdown.Span) {
	for i, line := range list {
		if i > 0 {
			b.WriteString("<br>")
		}
		spans(b, line)
	}
}

func spans(b *strings.Builder, list []markdown.Span) {
	for _, s := range list {
		text := esc(s.Text)
		for _, t := range []struct {
			on  bool
			tag string
		}{{s.Code, "code"}, {s.Strike, "del"}, {s.Italic, "em"}, {s.Bold, "strong"}} {
			if t.on {
				text = "<" + t.tag + ">" + text + "</" + t.tag + ">"
			}
		}
		if s.Target != "" && isLink(s.Target) {
			text = `<a rel="noreferrer noopener nofollow" href="` + esc(s.Target) + `">` + text + "</a>"
			if host := s.Host(); host != "" {
				text += " (" + esc(host) + ")"
			}
		}
		b.WriteString(text)
	}
}

// isLink reports whether an address may be followed from the page, whatever the grammar says.
func isLink(target string) bool {
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if len(target) > len(scheme) && strings.EqualFold(target[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// lineOf is a text in one line, without its marks: where there is room for no more.
func lineOf(text string) string {
	var words []string
	var take func([]*markdown.Block)
	say := func(list [][]markdown.Span) {
		for _, line := range list {
			var b strings.Builder
			for _, s := range line {
				b.WriteString(s.Text)
			}
			words = append(words, b.String())
		}
	}
	take = func(all []*markdown.Block) {
		for _, k := range all {
			if k.Kind == markdown.Item && list(k) == "ol" {
				words = append(words, k.Mark)
			}
			say(k.Lines)
			for i, row := range k.Rows {
				if i > 0 {
					words = append(words, "|")
				}
				say(row)
			}
			words = append(words, strings.Fields(k.Code)...)
			take(k.Blocks)
		}
	}
	take(markdown.Read(text))
	return strings.Join(words, " ")
}
