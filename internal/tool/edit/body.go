package edit

import (
	"sort"
	"strings"
)

// mark is the byte order mark of UTF-8.
const mark = "\ufeff"

// A body is a text, and the same with \n alone at the ends of its lines and without its
// mark.
type body struct {
	raw  string
	lf   string
	bom  int   // how many bytes of mark raw begins with
	crs  []int // offsets in lf of the breaks that are \r\n in raw, in order
	crlf bool  // most are
	rows []int // offsets in lf where lines begin; a break at the end begins none
}

func newBody(raw string) *body {
	b := &body{raw: raw}
	rest := strings.TrimPrefix(raw, mark)
	b.bom = len(raw) - len(rest)
	b.lf = rest
	if strings.Contains(rest, "\r\n") {
		var sb strings.Builder
		for {
			before, after, ok := strings.Cut(rest, "\r\n")
			sb.WriteString(before)
			if !ok {
				break
			}
			b.crs = append(b.crs, sb.Len())
			sb.WriteByte('\n')
			rest = after
		}
		b.lf = sb.String()
		b.crlf = 2*len(b.crs) >= strings.Count(b.lf, "\n")
	}
	for at := 0; at < len(b.lf); {
		b.rows = append(b.rows, at)
		i := strings.IndexByte(b.lf[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return b
}

// plainEnds is text with \n alone at the ends of its lines, and without a mark.
func plainEnds(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, mark), "\r\n", "\n")
}

// line is line i, from 0, without its break.
func (b *body) line(i int) string { return b.lf[b.rows[i]:b.end(i)] }

// end is the offset behind line i, before its break.
func (b *body) end(i int) int {
	if i+1 < len(b.rows) {
		return b.rows[i+1] - 1
	}
	return len(strings.TrimSuffix(b.lf, "\n"))
}

func (b *body) lines() []string {
	all := make([]string, len(b.rows))
	for i := range all {
		all[i] = b.line(i)
	}
	return all
}

// number is the number of the line at an offset, from 1.
func (b *body) number(at int) int {
	return max(sort.SearchInts(b.rows, at+1), 1)
}

// inRaw is where an offset of lf is in raw.
func (b *body) inRaw(at int) int { return b.bom + at + sort.SearchInts(b.crs, at) }

// with is raw with the cuts made.
func (b *body) with(cuts []cut) string {
	var sb strings.Builder
	at := 0
	for _, c := range cuts {
		sb.WriteString(b.raw[at:b.inRaw(c.from)])
		text := c.text
		if b.crlf {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		sb.WriteString(text)
		at = b.inRaw(c.to)
	}
	sb.WriteString(b.raw[at:])
	return sb.String()
}

// linesAround are the whole lines of text that from to to is in, without the last break.
func linesAround(text string, from, to int) string {
	from, to = min(from, len(text)), min(to, len(text))
	if from == to {
		return ""
	}
	from = strings.LastIndexByte(text[:from], '\n') + 1
	if to == 0 || text[to-1] != '\n' {
		if i := strings.IndexByte(text[to:], '\n'); i >= 0 {
			to += i
		} else {
			to = len(text)
		}
	}
	return strings.TrimSuffix(text[from:to], "\n")
}
