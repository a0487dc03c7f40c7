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

func blocks(b *strings.Builder, list []*markdown.Block) {
	items := false
	for _, k := range list {
		if is := k.Kind == markdown.Item; is != items {
			items = is
			b.WriteString(map[bool]string{true: "<ul>", false: "</ul>"}[is])
		}
		block(b, k)
	}
	if items {
		b.WriteString("</ul>")
	}
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
		b.WriteString("<li>")
		if k.Mark != "-" && k.Mark != "*" && k.Mark != "+" {
			b.WriteString(esc(k.Mark) + " ")
		}
		blocks(b, k.Blocks)
		b.WriteString("</li>")
	case markdown.Table:
		b.WriteString(`<div class="scroll" tabindex="0" role="region" aria-label="table"><table>`)
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
