package conflict

import (
	"slices"
	"strings"
)

// An End is what a text says is so no more: somebody left, something was given up, moved or has another name.
type End struct {
	What string // who or what, as typed
	New  string // what comes in its place; "" if the text does not say
	// Renamed says that it goes on, by the name New.
	Renamed bool

	name bool     // it is a name, which has a capital letter elsewhere too
	keys []string // its words
}

// Ends returns what a text says has ended, departed or moved; nil if nothing has. It knows what stands in the tables, in a clause that
// says nothing else; a question, a condition and a quotation end nothing.
func Ends(text string) []End {
	list, ok := clauses(text)
	if !ok {
		return nil
	}
	var all []End
	for _, c := range list {
		if _, e, ok := ending(c.tokens); ok {
			all = append(all, e)
		}
	}
	return all
}

// ending reads what the beginning of a clause says has ended, and where the rest of it begins.
func ending(c []token) (rest int, e End, ok bool) {
	for at := len(c); at > 0; at-- {
		if at < len(c) && !c[at].is("joins") {
			continue
		}
		if e, ok := ended(c[:at]); ok {
			return min(at+1, len(c)), e, true
		}
	}
	return 0, End{}, false
}

// ended reads what a clause says has ended.
func ended(c []token) (End, bool) {
	if !slices.ContainsFunc(c, func(t token) bool { return t.is("ends") || t.is("no-longer") || t.is("any-more") }) {
		return End{}, false
	}
	said := make([]token, 0, len(c))
	longer := slices.ContainsFunc(c, func(t token) bool { return t.is("any-more") })
	for i, t := range c {
		switch {
		case t.is("any-more"), t.key == "=":
		case t.is("no-longer"), t.is("not") && longer:
			t.key = "no-longer"
			said = append(said, t)
		case t.is("fill") && !(i == 0 && len(c) > 1 && t.capital() && !t.is("nobody") && (c[1].is("behind-name") || c[1].is("ends"))):
		default:
			said = append(said, t)
		}
	}
	for _, r := range words().rows {
		f, ok := match(r.words, said, 0, found{})
		if !ok || f.what.to == 0 {
			continue
		}
		e := End{What: typed(f.what.of(said)), New: typed(f.by.of(said)), Renamed: r.renames, name: f.name}
		for _, t := range f.what.of(said) {
			e.keys = append(e.keys, t.key)
		}
		return e, true
	}
	return End{}, false
}

// A found is what a row found: what has ended, and what comes in its place.
type found struct {
	what, by span
	name     bool
}

type span struct{ from, to int }

func (s span) of(c []token) []token { return c[s.from:s.to] }

// typed are tokens as they were typed.
func typed(c []token) string {
	list := make([]string, len(c))
	for i, t := range c {
		list[i] = t.raw
	}
	return strings.Join(list, " ")
}

// match reads all tokens from one on by a row.
func match(row []element, c []token, at int, f found) (found, bool) {
	if len(row) == 0 {
		return f, at == len(c)
	}
	x := row[0]
	if x.optional {
		if got, ok := match(row[1:], c, at, f); ok {
			return got, true
		}
	}
	if x.free == 0 {
		if at == len(c) || !slices.Contains(x.any, c[at].key) {
			return f, false
		}
		return match(row[1:], c, at+1, f)
	}
	most := 3
	if x.free == '@' {
		most = 5
	}
	for n := 1; n <= min(most, len(c)-at); n++ {
		with := f
		switch s := (span{at, at + n}); {
		case x.free == '@':
			with.by = s
		case !free(x.free, s.of(c)):
			continue
		default:
			with.what, with.name = s, x.free == '^'
		}
		if got, ok := match(row[1:], c, at+n, with); ok {
			return got, true
		}
	}
	return f, false
}

// free reports whether tokens can be a name ('^'), or a thing ('~').
func free(kind rune, c []token) bool {
	if c[0].is("nobody") || slices.ContainsFunc(c, func(t token) bool { return t.negates() || t.is("prep") }) {
		return false
	}
	capitals := !slices.ContainsFunc(c, func(t token) bool { return !t.capital() })
	if kind == '^' {
		return capitals && len(c) < 3 || len(c) == 1 && !c[0].article && c[0].parts == nil
	}
	return true
}

// Touches reports whether an older text speaks of what has ended, as if it had not.
func (e End) Touches(text string) bool {
	list, _ := clauses(strings.NewReplacer("?", " ", "\"", " ", "`", " ", "“", " ", "”", " ", "\n", " , ").Replace(text))
	found := false
	for _, c := range list {
		if slices.ContainsFunc(c.tokens, func(t token) bool { return t.negates() || t.is("past") }) {
			continue
		}
		for i := range c.tokens {
			found = found || e.at(c.tokens[i:])
		}
	}
	return found
}

// at reports whether tokens begin with what has ended.
func (e End) at(c []token) bool {
	if len(c) < len(e.keys) || len(e.keys) == 0 {
		return false
	}
	for i, key := range e.keys {
		if c[i].key != key || e.name && !c[i].capital() && isCapital(e.What) {
			return false
		}
	}
	return true
}

func isCapital(s string) bool { return token{raw: s}.capital() }
