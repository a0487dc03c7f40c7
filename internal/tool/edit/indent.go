package edit

import "strings"

// indents is how the indentation of a quote becomes that of the text.
type indents struct {
	to    map[string]string // as quoted -> as it stands
	tab   int               // how many spaces a tab is, if tabs stand for spaces or the other way; 0 if not
	tabs  bool              // the text has the tabs
	added string            // stands before each quoted indentation in the text
	cut   string            // stands before each one of the text in the quote
}

// halves are the blanks that a line begins with, and the rest.
func halves(line string) (lead, rest string) {
	rest = strings.TrimLeftFunc(line, blank)
	return line[:len(line)-len(rest)], rest
}

// inner is a line without the blanks at both ends.
func inner(line string) string { return strings.TrimFunc(line, blank) }

func blank(r rune) bool { return r == ' ' || r == '\t' || r > 0x7f && plain(string(r)) == " " }

// indents reads off the pairs of lines how the quoted indentation maps to that of the text.
// ok is false if one maps to two, or they are of different shapes. like makes a quoted indentation comparable.
func (p *place) indents(like func(string) string) (in indents, ok bool) {
	in.to = map[string]string{}
	for i, quoted := range p.quoted {
		lead, rest := halves(quoted)
		if rest == "" {
			continue
		}
		lead = like(lead)
		was, _ := halves(p.was(i))
		if before, seen := in.to[lead]; seen && before != was {
			return indents{}, false
		}
		in.to[lead] = was
	}
	in.widths()
	in.shift()
	return in, in.even()
}

// even says that the text is indented as the quote is, but for tabs and the whole of it
// shifted: else a line may have been left out, and a brace stands for another.
func (in *indents) even() bool {
	for _, tab := range []int{4, 2, 8} {
		columns := func(lead string) int { return len(strings.ReplaceAll(lead, "\t", strings.Repeat(" ", tab))) }
		shifts := map[int]bool{}
		for quoted, was := range in.to {
			shifts[columns(quoted)-columns(was)] = true
		}
		if len(shifts) <= 1 {
			return true
		}
	}
	return false
}

// widths finds how many spaces a tab is.
func (in *indents) widths() {
	for _, tab := range []int{4, 2, 8} {
		fits, differ := true, false
		for quoted, was := range in.to {
			spaces := strings.Repeat(" ", tab)
			fits = fits && strings.ReplaceAll(quoted, "\t", spaces) == strings.ReplaceAll(was, "\t", spaces)
			if quoted != was {
				differ = true
				in.tabs = strings.Contains(was, "\t")
			}
		}
		if fits && differ {
			in.tab = tab
			return
		}
	}
}

// shift finds what stands before every indentation of one side.
func (in *indents) shift() {
	first := true
	for quoted, was := range in.to {
		added, ok := strings.CutSuffix(was, quoted)
		cut, also := strings.CutSuffix(quoted, was)
		switch {
		case !ok:
			added = ""
		case !also:
			cut = ""
		}
		if first {
			in.added, in.cut, first = added, cut, false
		} else if in.added != added || in.cut != cut {
			in.added, in.cut = "", ""
			return
		}
	}
}

// lead is the indentation of a new line as the text would have it.
func (in *indents) lead(lead string) string {
	if was, ok := in.to[lead]; ok {
		return was
	}
	switch {
	case in.tab > 0:
		return in.spaced(lead)
	case in.added != "":
		return in.added + lead
	case in.cut != "" && strings.HasPrefix(lead, in.cut):
		return lead[len(in.cut):]
	}
	longest := ""
	for quoted := range in.to {
		if strings.HasPrefix(lead, quoted) && len(quoted) > len(longest) {
			longest = quoted
		}
	}
	if was, ok := in.to[longest]; ok {
		return was + lead[len(longest):]
	}
	return lead
}

// spaced is an indentation with the tabs or the spaces of the text.
func (in *indents) spaced(lead string) string {
	spaces := strings.Repeat(" ", in.tab)
	if in.tabs {
		return strings.ReplaceAll(lead, spaces, "\t")
	}
	return strings.ReplaceAll(lead, "\t", spaces)
}
