package cli

import (
	"fmt"
	"strings"
)

// A roff collects lines of a page.
type roff struct{ b strings.Builder }

func (r *roff) line(format string, args ...any) { fmt.Fprintf(&r.b, format+"\n", args...) }

func (r *roff) section(title string) { r.line(".SH %s", title) }

// text is a running text, in which blank lines part paragraphs and indented lines
// stand as they are.
func (r *roff) text(s string) {
	exact := false
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		switch indented := strings.HasPrefix(line, "  "); {
		case indented && !exact:
			r.line(".PP\n.nf")
			exact = true
		case !indented && exact:
			r.line(".fi")
			exact = false
		}
		if strings.TrimSpace(line) == "" {
			r.line(".PP")
		} else {
			r.line("%s", guarded(escape(line)))
		}
	}
	if exact {
		r.line(".fi")
	}
}

// tagged is a term, in roff already, and what it means.
func (r *roff) tagged(term, meaning string) {
	r.line(".TP\n%s\n%s", term, guarded(escape(meaning)))
}

// escape writes a text so that roff prints it as it stands.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
}

// guarded keeps roff from taking a line of text for one of its own.
func guarded(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
