package conflict

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a word or a phrase of a text.
type token struct {
	raw     string // as typed
	key     string // as the tables have it
	parts   []part
	article bool // one stands before it
}

func (t token) is(table string) bool {
	return slices.ContainsFunc(t.parts, func(p part) bool { return p.table == table })
}

func (t token) of(table, line string) bool { return slices.Contains(t.parts, part{table, line}) }

// line is the line of the token in a table, but for with and by; "" if there is none.
func (t token) line(table string) string {
	for _, p := range t.parts {
		if p.table == table && p.line != "with" && p.line != "by" && p.line != "bare" {
			return p.line
		}
	}
	return ""
}

// negates reports whether what stands behind the token is not so.
func (t token) negates() bool { return t.is("not") || t.is("no-longer") || t.is("any-more") }

// empty reports whether the token says nothing about what is meant.
func (t token) empty() bool { return t.is("fill") || t.is("prep") || t.is("equals") }

// capital reports whether the token was typed as names are.
func (t token) capital() bool {
	r, _ := utf8.DecodeRuneInString(t.raw)
	return unicode.IsUpper(r)
}

// A clause is what stands between commas and stops.
type clause struct {
	tokens []token
	text   string // as typed, without what stands around it
}

// clauses are those of a text. ok is false if it is none that states something: a question, or one that quotes.
func clauses(text string) (list []clause, ok bool) {
	x := words()
	text = strings.TrimSpace(x.plain.Replace(text))
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.ContainsAny(text, "\"“”„«»`\n") {
		return nil, false
	}
	var raw, low, said []string
	flush := func() {
		if c := x.tokens(raw, low); len(c) > 0 {
			list = append(list, clause{c, strings.TrimRight(strings.Join(said, " "), ",;!. ")})
		}
		raw, low, said = nil, nil, nil
	}
	n := 0
	for _, f := range strings.Fields(text) {
		if said != nil || !x.leads(f) {
			said = append(said, f)
		}
		w := strings.Trim(f, ",;:!()[]{}<>")
		w = strings.TrimRight(w, ".…")
		pieces := contracted(w)
		last := f[len(f)-1]
		if f = strings.TrimRight(f, ")]}"); len(f) > 1 && f[len(f)-1] == ':' { // api port: 8080
			pieces = append(pieces, "=")
		}
		for _, piece := range pieces {
			for _, l := range letters(piece) {
				raw, low = append(raw, l), append(low, stem(strings.ToLower(l)))
				n++
			}
		}
		if strings.ContainsRune(",;!", rune(last)) || last == '.' && len(f) > 3 { // "Dr." ends nothing
			flush()
		}
	}
	flush()
	return list, n <= maxWords && n > 0
}

// contracted are the words of a word with an apostrophe in it.
func contracted(w string) []string {
	if strings.Contains(w, "-") && words().parts[strings.ToLower(w)] == nil {
		if list := strings.Split(w, "-"); slices.ContainsFunc(list, words().valued) { // réponds-moi, по-русски
			return list
		}
	}
	at := strings.IndexByte(w, '\'')
	if at <= 0 || at == len(w)-1 {
		return []string{strings.Trim(w, "'")}
	}
	low := strings.ToLower(w)
	switch {
	case words().parts[stem(low)] != nil || strings.HasSuffix(low, "n't"):
		return []string{w}
	case at <= 2 && !strings.Contains(" i he we it ", " "+low[:at]+" "): // l'équipe, d'astreinte, qu'elle
		return []string{w[:at+1], w[at+1:]}
	}
	return []string{w[:at]} // we've, Tom's
}

// leads reports whether a word only leads up to what is said.
func (x *lexicon) leads(word string) bool {
	return slices.Contains(x.parts[stem(strings.ToLower(strings.Trim(word, ",;:!.")))], part{table: "lead"})
}

// valued reports whether a word is of what has one value of few.
func (x *lexicon) valued(word string) bool {
	return slices.ContainsFunc(x.parts[stem(strings.ToLower(word))], func(p part) bool { return strings.HasPrefix(p.table, "slot ") })
}

// tokens reads words as the longest phrases that the tables have.
func (x *lexicon) tokens(raw, low []string) []token {
	var list []token
	article := false
	for i := 0; i < len(low); {
		n := max(min(x.longest[low[i]], len(low)-i), 1)
		for ; n > 1; n-- {
			if x.parts[strings.Join(low[i:i+n], "-")] != nil {
				break
			}
		}
		key := strings.Join(low[i:i+n], "-")
		t := token{raw: strings.Join(raw[i:i+n], " "), key: key, parts: x.parts[key], article: article}
		if n == 1 && strings.HasSuffix(key, "n't") {
			t.parts = append(slices.Clone(t.parts), part{table: "not"})
		}
		switch key {
		case "a", "an", "the", "der", "die", "das", "le", "la", "el":
			article = true
		default:
			article = article && t.is("fill")
		}
		if key != "" {
			list = append(list, t)
		}
		i += n
	}
	return list
}

// valued are the patterns of what a text gives a value of which there is one, and the clause that does.
func valued(text string) (all []Pattern, says string) {
	list, ok := clauses(text)
	if !ok {
		return nil, ""
	}
	for _, c := range list {
		tokens := c.tokens
		if from, _, ends := ending(tokens); ends {
			tokens = tokens[from:]
		}
		switch found := values(tokens); {
		case len(found) > 0 && all != nil:
			return nil, "" // of two things
		case len(found) > 0:
			all, says = found, c.text
		case slices.ContainsFunc(tokens, speaks(tokens)):
			return nil, "" // something else is said as well, or where it holds
		}
	}
	return all, says
}

// speaks reports whether a token of a clause without a value says something.
func speaks(c []token) func(token) bool {
	not := slices.ContainsFunc(c, token.negates)
	return func(t token) bool {
		if t.empty() || t.negates() {
			return false
		}
		return !slices.ContainsFunc(t.parts, func(p part) bool {
			return strings.HasPrefix(p.table, "slot ") || strings.HasPrefix(p.table, "tool") && (not || p.line != "")
		})
	}
}

// values are the patterns of one clause.
func values(c []token) []Pattern {
	var list []Pattern
	tables := make([]string, 0, 4)
	for _, t := range c {
		for _, p := range t.parts {
			if (strings.HasPrefix(p.table, "slot ") || strings.HasPrefix(p.table, "tool ")) && !slices.Contains(tables, p.table) {
				tables = append(tables, p.table)
			}
		}
	}
	for _, table := range tables {
		if p, ok := ofFew(c, table); ok {
			list = append(list, p)
		}
	}
	if slices.ContainsFunc(c, token.negates) {
		return list
	}
	for _, read := range [...]func([]token) (Pattern, bool){called, role, number, stands} {
		if p, ok := read(c); ok {
			list = append(list, p)
		}
	}
	return list
}

// left are the words of tokens that say what is meant, in their order in the alphabet.
func left(c []token, but func(token) bool) string {
	var list []string
	for _, t := range c {
		if !t.empty() && !but(t) {
			list = append(list, t.key)
		}
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " ")
}

// ofFew reads a value of a slot that has few.
func ofFew(c []token, table string) (Pattern, bool) {
	tool := strings.HasPrefix(table, "tool ")
	goes := func(t token) bool {
		return t.of(table, "with") || t.of(table, "bare") || tool && (t.is("tools") || t.is("places"))
	}
	value, with, not := "", false, false
	for _, t := range c {
		with = with || goes(t)
		not = not || t.negates()
		v := t.line(table)
		switch {
		case v == "" || not:
		case value != "" && value != v:
			return Pattern{}, false
		default:
			value = v
		}
	}
	if value == "" || !with {
		return Pattern{}, false
	}
	rest := left(c, func(t token) bool { return goes(t) || t.line(table) != "" || t.negates() })
	return Pattern{Key: table + " " + rest, Fill: value, kind: hole, Value: true}, true
}

// called reads what a person is called, or wants to be.
func called(c []token) (Pattern, bool) {
	at := slices.IndexFunc(c, func(t token) bool { return t.is("called") || t.is("named") })
	if at < 0 || slices.ContainsFunc(c[:at], func(t token) bool { return !t.empty() }) {
		return Pattern{}, false
	}
	var name []string
	for _, t := range c[at+1:] {
		if t.empty() && !t.capital() {
			continue
		}
		if !t.capital() {
			return Pattern{}, false
		}
		name = append(name, t.key)
	}
	key := "called"
	if c[at].is("named") {
		key = "named"
		if at == 0 && !strings.Contains(c[at].key, "appelle") && c[at].key == "name" {
			return Pattern{}, false // whose?
		}
	}
	return Pattern{Key: key, Fill: strings.Join(name, " "), kind: hole, Value: true}, len(name) > 0 && len(name) < 3
}

// role reads who does something.
func role(c []token) (Pattern, bool) {
	at := slices.IndexFunc(c, func(t token) bool { return t.line("roles") != "" })
	if at < 0 || slices.ContainsFunc(c, func(t token) bool { return t.key == "a" || t.key == "an" || t.key == "one" }) {
		return Pattern{}, false
	}
	does := c[at].line("roles")
	from, to := 0, at // of who does it
	if by := slices.IndexFunc(c[at:], func(t token) bool { return t.of("roles", "by") }); by > 0 {
		from, to = at+by+1, len(c)
	}
	var who []string
	rest := slices.Clone(c)
	for i := from; i < to; i++ {
		t := c[i]
		switch {
		case t.raw == "I" || t.capital() && !t.is("nobody"):
			who = append(who, t.key)
			rest[i].parts = []part{{table: "fill"}}
		case !t.empty():
			if from == 0 {
				return Pattern{}, false // "Tom's boss reviews"
			}
			to = i
		}
	}
	what := left(rest, func(t token) bool { return t.line("roles") == does || t.of("roles", "by") })
	if len(who) == 0 || len(who) > 4 || what == "" && does != "oncall" {
		return Pattern{}, false
	}
	slices.Sort(who)
	return Pattern{Key: "role " + does + " " + what, Fill: strings.Join(who, " "), kind: held, Value: true}, true
}

// number reads the number of a thing.
func number(c []token) (Pattern, bool) {
	var nouns []string
	value, said := "", false
	rest := slices.Clone(c)
	for i, t := range c {
		if n := t.line("numbers"); n != "" {
			nouns, said = append(nouns, n), said || strings.HasSuffix(t.key, "-on")
			continue
		}
		said = said || (nouns != nil) != (value != "") && t.is("equals") // between the two
		switch class(t.key) {
		case "number", "version", "time":
			if value != "" {
				return Pattern{}, false
			}
			value = t.key
			if i+1 < len(c) && c[i+1].line("measures") != "" {
				value += c[i+1].line("measures")
				rest[i+1].parts = []part{{table: "fill"}}
			}
			rest[i].parts = []part{{table: "fill"}}
		}
	}
	if nouns == nil || value == "" || !said {
		return Pattern{}, false // "needs port 80": it may need others
	}
	slices.Sort(nouns)
	noun := strings.Join(slices.Compact(nouns), " ")
	of := left(rest, func(t token) bool { return t.line("numbers") != "" })
	return Pattern{Key: noun + " of " + of, Fill: value, kind: hole, Value: true}, true
}

// region reports whether a word names where machines of a provider are: eu-west-1.
func region(w string) bool {
	parts := strings.Split(w, "-")
	return len(parts) > 1 && len(parts) < 4 && len(parts[0]) > 1 && strings.ContainsAny(parts[len(parts)-1], "0123456789") &&
		!strings.ContainsFunc(w, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

// stands reads where a thing runs.
func stands(c []token) (Pattern, bool) {
	at := slices.IndexFunc(c, func(t token) bool { return t.is("places") })
	if at <= 0 {
		return Pattern{}, false
	}
	value := ""
	for _, t := range c[at+1:] {
		if t.empty() {
			continue
		}
		if value != "" || t.parts != nil || named(t.key) != "" {
			return Pattern{}, false
		}
		value = t.key
	}
	shape := class(value)
	sure := region(value) || shape == "host" || shape == "version" || shape == "path" || shape == "url"
	subject := left(c[:at], func(token) bool { return false })
	if value == "" || subject == "" || strings.HasPrefix(c[at].key, "is-") && !sure {
		return Pattern{}, false
	}
	return Pattern{Key: "at " + subject, Fill: value, kind: hole, Value: true}, true
}
