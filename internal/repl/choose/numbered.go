package choose

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ken/internal/termsafe"
)

// mostNumbered is how many entries are numbered at a time.
const mostNumbered = 20

// An Ask asks for a line, as repl.Terminal.Ask does.
type Ask func(ctx context.Context, question string) (string, error)

// Numbered has a person choose where no list can be drawn: the first entries are
// numbered, and ask asks for a line. A number chooses, other words find fewer, and an
// empty line leaves. Rows are cut to wide cells (0: no limit). Errors are those of ask and
// w.
func Numbered(ctx context.Context, w io.Writer, ask Ask, o Options, wide int) (Choice, error) {
	l := newList(o)
	if o.Entries != nil {
		for e := range o.Entries(ctx) {
			l.add([]Entry{e})
		}
	}
	l.end()
	for {
		if o.Find != nil && len(l.words) > 0 {
			if ids, err := o.Find(ctx, string(l.filter)); err == nil {
				l.find(ids)
			}
		}
		shown, err := l.number(w, wide)
		if err != nil {
			return Choice{}, err
		}
		if len(l.all) == 0 && !o.Typed {
			return Choice{}, nil
		}
		answer, err := ask(ctx, termsafe.Line(o.Ask)+" (a number, words to find, Enter: none) ")
		if err != nil {
			return Choice{}, err
		}
		answer = termsafe.Line(answer)
		n, err := strconv.Atoi(answer)
		switch {
		case answer == "":
			return l.choice(false), nil
		case err == nil && n >= 1 && n <= shown:
			l.at = n - 1
			return l.choice(true), nil
		}
		l.scope, l.chose = max(len(o.Scopes)-1, 0), true // words look everywhere
		l.setFilter([]rune(answer))
		if o.Typed && len(l.shown) == 0 {
			return l.choice(true), nil
		}
	}
}

// number prints the first entries, and says how many they are.
func (l *list) number(w io.Writer, wide int) (int, error) {
	if len(l.shown) == 0 {
		_, err := fmt.Fprintln(w, "("+l.nothing()+")")
		return 0, err
	}
	var b strings.Builder
	n := min(len(l.shown), mostNumbered)
	for i := range n {
		it := l.all[l.shown[i]]
		row := fmt.Sprintf("%2d  %s", i+1, termsafe.Line(it.Text))
		if note := termsafe.Line(it.Note); note != "" {
			row += "  (" + note + ")"
		}
		if wide > 1 {
			row = l.cut(row, wide-1)
		}
		b.WriteString(row + "\n")
	}
	if more := len(l.shown) - n; more > 0 {
		fmt.Fprintf(&b, "    (and %d more; words find fewer)\n", more)
	}
	_, err := io.WriteString(w, b.String())
	return n, err
}
