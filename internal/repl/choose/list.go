package choose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ken/internal/termsafe"
	"ken/internal/text"
)

// What a list takes of a screen.
const (
	mostRows = 12 // of entries
	noteFrom = 48 // columns from which on notes are shown
	infoFrom = 32 // and how many there are
)

// A list is what there is to choose from, what of it the filter leaves, and which row
// is marked. It knows no terminal.
type list struct {
	o     Options
	all   []row // in the caller's order
	whole bool  // no more will come
	seen  bool  // it was drawn

	scope  int
	chose  bool // a person chose the scope
	filter []rune
	words  []string        // of the filter, folded
	found  map[string]bool // by Options.Find, for this filter

	shown []int // of all: what matches, in order
	at    int   // of shown: the marked row
	top   int   // of shown: the first on the screen
	rows  int   // of entries that the screen has room for
}

type row struct {
	Entry
	folded string // what is searched; "" until something is
}

func newList(o Options) *list {
	l := &list{o: o, rows: mostRows}
	l.setFilter([]rune(termsafe.Line(o.Filter)))
	return l
}

// add takes entries in.
func (l *list) add(entries []Entry) {
	sorted := true
	for _, e := range entries {
		n := len(l.all)
		sorted = sorted && (n == 0 || l.all[n-1].Order >= e.Order)
		l.all = append(l.all, row{Entry: e})
		if l.matches(n) {
			l.shown = append(l.shown, n)
		}
	}
	if !sorted {
		slices.SortStableFunc(l.all, func(a, b row) int { return cmp.Compare(b.Order, a.Order) })
		mark := ""
		if l.seen { // what a finger is about to take stays what it takes
			mark = l.marked()
		}
		l.choose(mark)
	}
	l.widen()
}

// end says that there are no more.
func (l *list) end() {
	l.whole = true
	l.widen()
}

// narrow goes back to the narrowest scope, unless a person chose one.
func (l *list) narrow() {
	if !l.chose {
		l.scope = 0
	}
}

// widen goes on to the first scope in which there is anything, unless a person chose one.
func (l *list) widen() {
	for l.whole && !l.chose && len(l.shown) == 0 && l.scope+1 < len(l.o.Scopes) {
		l.scope++
		l.choose("")
	}
}

func (l *list) matches(i int) bool {
	it := &l.all[i]
	switch {
	case len(l.o.Scopes) > 0 && it.Scope > l.scope:
		return false
	case len(l.words) == 0 || l.found[it.ID]:
		return true
	case it.folded == "":
		it.folded = text.Normal(it.Text + "\n" + it.Note + "\n" + it.Also)
	}
	for _, w := range l.words {
		if !strings.Contains(it.folded, w) {
			return false
		}
	}
	return true
}

// choose looks anew for what matches, and marks the entry called id if it is there, else
// the first one.
func (l *list) choose(id string) {
	l.shown, l.at, l.top = l.shown[:0], 0, 0
	for i := range l.all {
		if l.matches(i) {
			if id != "" && l.all[i].ID == id {
				l.at = len(l.shown)
			}
			l.shown = append(l.shown, i)
		}
	}
	l.move(0)
}

// setFilter has the list show what runes leave of it. The first entry is marked then: who
// types looks at the top.
func (l *list) setFilter(runes []rune) {
	l.filter, l.found = runes, nil
	l.words = strings.Fields(text.Normal(string(runes)))
	l.narrow()
	l.choose("")
	l.widen()
	if i := slices.IndexFunc(l.shown, func(i int) bool { return text.Normal(l.all[i].Text) == text.Normal(string(runes)) }); i > 0 {
		l.move(i) // it is named in full
	}
}

// find takes in what Options.Find said of the filter.
func (l *list) find(found map[string]bool) {
	l.found = found
	was := l.marked()
	l.narrow()
	l.choose(was)
	l.widen()
}

// nextScope goes on to another scope; the marked entry stays marked if it is there.
func (l *list) nextScope() {
	if len(l.o.Scopes) < 2 {
		return
	}
	was := l.marked()
	l.scope, l.chose = (l.scope+1)%len(l.o.Scopes), true
	l.choose(was)
}

// marked is the ID of the marked entry; "" if there is none.
func (l *list) marked() string {
	if len(l.shown) == 0 {
		return ""
	}
	return l.all[l.shown[l.at]].ID
}

// move marks the row that is by rows away, as far as there are any.
func (l *list) move(by int) {
	l.at = max(min(l.at+by, len(l.shown)-1), 0)
	l.top = max(min(l.top, l.at), l.at-l.rows+1)
	l.top = max(min(l.top, len(l.shown)-l.rows), 0)
}

// resize gives the list room on a screen of that many rows.
func (l *list) resize(high int) {
	l.rows = max(min(mostRows, high-3), 1)
	l.move(0)
}

// draw is the list as rows of at most wide cells, the question first.
func (l *list) draw(wide int) []string {
	l.seen = true
	wide = max(wide-1, 8) // the last column is where terminals differ; what is narrower cuts
	rows := []string{l.head(wide)}
	for i := l.top; i < min(l.top+l.rows, len(l.shown)); i++ {
		rows = append(rows, l.drawRow(l.all[l.shown[i]], i == l.at, wide))
	}
	if len(l.shown) == 0 {
		rows = append(rows, l.dim(l.cut("  "+l.nothing(), wide)))
	}
	return append(rows, l.dim(l.cut(l.keys(), wide)))
}

// head is the question, what was typed, and how many there are.
func (l *list) head(wide int) string {
	info := fmt.Sprintf("%d of %d", len(l.shown), len(l.all))
	if !l.whole {
		info += "+"
	}
	if l.o.Scopes != nil {
		info += ", " + l.o.Scopes[l.scope]
	}
	if wide < infoFrom {
		info = ""
	}
	ask := l.cut(termsafe.Line(l.o.Ask), wide/2) + " "
	room := max(wide-termsafe.Width(ask)-termsafe.Width(info)-3, 1)
	typed := l.filter
	for len(typed) > 0 && termsafe.Width(string(typed)) > room { // its end is what is typed at
		typed = typed[1:]
	}
	blanks := max(wide-termsafe.Width(ask)-termsafe.Width(string(typed))-1-termsafe.Width(info), 1)
	return ask + string(typed) + "\x1b[7m \x1b[27m" + strings.Repeat(" ", blanks) + l.dim(info)
}

// drawRow is one entry on the screen.
func (l *list) drawRow(it row, marked bool, wide int) string {
	mark := "  "
	if marked {
		mark = "> "
	}
	note, title := "", termsafe.Line(it.Text)
	if wide >= noteFrom {
		spare := wide - 4 - termsafe.Width(termsafe.Fit(title, wide)) // what the title does not need
		note = l.cut(termsafe.Line(it.Note), max(wide/3, spare))
	}
	room := wide - 2
	if note != "" {
		room -= termsafe.Width(note) + 2
	}
	said := l.cut(title, room)
	pad := ""
	if note != "" {
		pad = strings.Repeat(" ", max(wide-2-termsafe.Width(said)-termsafe.Width(note), 1))
	}
	if marked {
		return "\x1b[1m" + mark + said + pad + note + "\x1b[22m"
	}
	return mark + said + pad + l.dim(note)
}

// cut is termsafe.Cut with a sign that the terminal shows.
func (l *list) cut(s string, cells int) string {
	return termsafe.CutWith(s, cells, termsafe.Sign(l.o.ASCII))
}

// nothing says why the list is empty.
func (l *list) nothing() string {
	switch {
	case !l.whole:
		return "..."
	case len(l.all) == 0:
		return cmp.Or(l.o.Empty, "there are none")
	case l.o.Typed && len(l.filter) > 0:
		return "nothing matches; Enter takes it as it is typed"
	case l.scope+1 < len(l.o.Scopes):
		return "nothing matches; Tab: " + l.o.Scopes[l.scope+1]
	}
	return "nothing matches"
}

// keys says what the keys do.
func (l *list) keys() string {
	keys := "Enter takes, Esc leaves, type to find"
	if len(l.o.Scopes) > 1 {
		keys = "Enter takes, Esc leaves, Tab: " + l.o.Scopes[(l.scope+1)%len(l.o.Scopes)] + ", type to find"
	}
	return keys
}

// dim shows less of s. No colours: what is marked is bold on any terminal.
func (l *list) dim(s string) string {
	if s == "" {
		return ""
	}
	return "\x1b[2m" + s + "\x1b[22m"
}

// key does what a key asks for. over says that it ends the choosing, taken that it did so by
// a choice.
func (l *list) key(k key) (over, taken bool) {
	switch k.what {
	case typed:
		more := []rune(k.text)
		more = more[:min(len(more), max(maxFilter-len(l.filter), 0))]
		l.setFilter(append(slices.Clone(l.filter), more...))
	case rub:
		l.setFilter(l.filter[:max(len(l.filter)-1, 0)])
	case rubWord:
		l.setFilter([]rune(beforeWord(string(l.filter))))
	case rubAll:
		l.setFilter(nil)
	case up:
		l.move(-1)
	case down:
		l.move(1)
	case pageUp:
		l.move(-l.rows)
	case pageDown:
		l.move(l.rows)
	case first:
		l.move(-len(l.shown))
	case last:
		l.move(len(l.shown))
	case scope:
		l.nextScope()
	case leave:
		return true, false
	case take:
		ok := len(l.shown) > 0 || l.o.Typed && strings.TrimSpace(string(l.filter)) != ""
		return ok, ok
	}
	return false, false
}

// choice is what was chosen, if it was.
func (l *list) choice(taken bool) Choice {
	c := Choice{Typed: string(l.filter), Taken: taken}
	if taken {
		c.ID = l.marked()
	}
	return c
}

// beforeWord is s without its last word.
func beforeWord(s string) string {
	s = strings.TrimRight(s, " ")
	return s[:strings.LastIndexByte(s, ' ')+1]
}
