package teach

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// An op is what a node of a pattern stands for.
type op uint8

const (
	opWord   op = iota // one word of a set
	opAny              // one word, whatever it is
	opOneOf            // one of some rows
	opMaybe            // a row, or nothing
	opNot              // not this row
	opSee              // this row, and what follows begins with it
	opGap              // at most so many words
	opText             // @: what is to be kept
	opOld              // ~: what it is about, or takes the place of
	opName             // ^: a name, as it stands between blanks
	opPlace            // %: where it holds, as the language says it
	opBreak            // punctuation stands here
	opColon            // what announces stands here
	opJoined           // no punctuation stands here
	opBegin            // the sentence begins here
	opEnd              // the sentence ends here
)

// A node is an element of a pattern.
type node struct {
	op    op
	words *wordSet
	rows  [][]node
	most  int  // of a gap
	close bool // a name with but a colon before it: "repo:tea"
}

// A wordSet are words, and how words begin, end or what stands in them.
type wordSet struct {
	list               []string
	words              map[string]bool // the same, if they are many
	begin, end, inside []string
}

// few is how many words are compared one by one.
const few = 8

// ready makes many words to be found at once.
func (s *wordSet) ready() {
	if len(s.list) <= few || s.words != nil {
		return
	}
	s.words = make(map[string]bool, len(s.list))
	for _, w := range s.list {
		s.words[w] = true
	}
}

func (s *wordSet) has(t token) bool {
	w := t.word
	if s.words[w] || s.words == nil && slices.Contains(s.list, w) {
		return true
	}
	for _, p := range s.begin {
		if strings.HasSuffix(p, "'") {
			if strings.HasPrefix(t.elided, p) {
				return true
			}
			continue
		}
		if len(w) > len(p) && strings.HasPrefix(w, p) {
			return true
		}
	}
	for _, p := range s.end {
		if len(w) > len(p) && strings.HasSuffix(w, p) {
			return true
		}
	}
	for _, p := range s.inside {
		if strings.Contains(w, p) {
			return true
		}
	}
	return false
}

// A reader reads the patterns of a language.
type reader struct {
	groups map[string][][]node
	shared map[string][]node // what a group alone stands for: "$please"
	err    error
}

// row reads a pattern: elements between blanks.
func (r *reader) row(s string) []node {
	rows, rest := r.rows(fields(s))
	if len(rest) > 0 || len(rows) != 1 {
		r.fail("%q is no row", s)
		return nil
	}
	return rows[0]
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// fields takes a pattern apart at blanks and brackets.
func fields(s string) []string {
	var list []string
	for _, f := range strings.Fields(s) {
		for {
			i := strings.IndexAny(f, "()")
			if i < 0 {
				break
			}
			if i > 0 {
				list = append(list, f[:i])
			}
			n := 1
			if f[i] == ')' && strings.HasPrefix(f[i+1:], "?") {
				n = 2
			}
			list = append(list, f[i:i+n])
			f = f[i+n:]
		}
		if f != "" {
			list = append(list, f)
		}
	}
	return list
}

// rows reads rows with "|" between them, up to a closing bracket.
func (r *reader) rows(f []string) (rows [][]node, rest []string) {
	row := []node{}
	for len(f) > 0 {
		e := f[0]
		f = f[1:]
		switch e {
		case "|":
			rows, row = append(rows, row), []node{}
		case ")", ")?":
			return append(rows, row), append([]string{e}, f...)
		case "(", "!", "&":
			if e != "(" {
				if len(f) == 0 || f[0] != "(" {
					r.fail("%q stands before a word or a bracket", e)
					return nil, nil
				}
				f = f[1:]
			}
			r.apart(f)
			inner, after := r.rows(f)
			if len(after) == 0 {
				r.fail("a bracket is not closed")
				return nil, nil
			}
			n := oneOf(inner)
			switch {
			case e == "!":
				n = node{op: opNot, rows: [][]node{{n}}}
			case e == "&":
				n = node{op: opSee, rows: [][]node{{n}}}
			case after[0] == ")?":
				n = node{op: opMaybe, rows: inner}
			}
			f = after[1:]
			row = append(row, n)
		default:
			row = append(row, r.element(e)...)
		}
	}
	return append(rows, row), nil
}

// apart sees to it that what stands in a bracket, or behind "=", is read as it looks. "(rule|matter of
// course)" looks like two rows, and is one: "rule" or "matter", and then "of course". Who means one
// writes "((rule|matter) of course)", who means two "(rule | matter of course)".
func (r *reader) apart(f []string) {
	depth, n, several := 0, 0, ""
	for _, e := range f {
		if strings.HasPrefix(e, ")") {
			if depth--; depth < 0 {
				break // the bracket ends
			}
			continue
		}
		switch {
		case e == "(":
			if depth == 0 {
				n++
			}
			depth++
		case depth > 0, e == "!", e == "&":
		case e == "|":
			return
		default:
			if n++; strings.Contains(e, "|") {
				several = e
			}
		}
	}
	if n > 1 && several != "" {
		r.fail("%q stands beside other words, and looks like rows: give it a bracket of its own, or blanks around \"|\"", several)
	}
}

// element reads what stands between two blanks.
func (r *reader) element(e string) []node {
	if not, ok := strings.CutPrefix(e, "!"); ok {
		return []node{{op: opNot, rows: [][]node{r.needed(e, not)}}}
	}
	if n, ok := strings.CutPrefix(e, ".."); ok {
		most, err := strconv.Atoi(n)
		if n == "" {
			most, err = 3, nil
		}
		if err != nil {
			r.fail("%q is no gap", e)
		}
		return []node{{op: opGap, most: most}}
	}
	if see, ok := strings.CutPrefix(e, "&"); ok {
		return []node{{op: opSee, rows: [][]node{r.needed(e, see)}}}
	}
	if e, ok := strings.CutSuffix(e, "?"); ok {
		return []node{{op: opMaybe, rows: [][]node{r.element(e)}}}
	}
	if e, ok := strings.CutSuffix(e, ":^"); ok && e != "" {
		return append(slices.Clone(r.element(e)), node{op: opName, close: true})
	}
	if n, ok := r.shared[e]; ok {
		return n
	}
	var rows [][]node
	var plain []string // words of one token, most of all there are
	for w := range strings.SplitSeq(e, "|") {
		if isPlain(w) {
			plain = append(plain, w)
			continue
		}
		if name, ok := strings.CutPrefix(w, "$"); ok {
			g, known := r.groups[name]
			if !known {
				r.fail("$%s is not known yet", name)
			}
			rows = append(rows, g...)
			continue
		}
		if n, ok := sign(w); ok {
			rows = append(rows, []node{n})
			continue
		}
		rows = append(rows, r.words(w))
	}
	if len(plain) > 0 {
		rows = append(rows, []node{{op: opWord, words: &wordSet{list: plain}}})
	}
	n := oneOf(rows)
	if n.words != nil {
		n.words.ready()
	}
	one := []node{n}
	if n.op == opOneOf && len(n.rows) == 1 {
		one = n.rows[0]
	}
	if strings.HasPrefix(e, "$") && !strings.Contains(e, "|") { // most words of a table stand in its groups
		r.shared[e] = one
	}
	return one
}

// needed reads an element behind "!" or "&", which says nothing if it may be missing.
func (r *reader) needed(e, inner string) []node {
	if inner == "" || strings.HasSuffix(inner, "?") || strings.ContainsAny(inner[:1], "!&.") {
		r.fail("%q stands before no word", e)
		return nil
	}
	return r.element(inner)
}

// isPlain reports whether a word is its own only token as it stands: small letters of ASCII.
func isPlain(w string) bool {
	return w != "" && !strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' })
}

// isSimple reports whether a word is plain ones with hyphens between them and apostrophes in them.
func isSimple(w string) bool {
	within := false // a letter stands before
	for i := range len(w) {
		switch c := w[i]; {
		case 'a' <= c && c <= 'z':
			within = true
		case (c == '-' || c == '\'') && within:
			within = false
		default:
			return false
		}
	}
	return within
}

// simple is the row of a simple word.
func simple(w string) []node {
	parts := strings.Split(strings.ReplaceAll(w, "'", ""), "-")
	row, sets := make([]node, len(parts)), make([]wordSet, len(parts))
	for i := range parts {
		sets[i].list = parts[i : i+1 : i+1]
		row[i] = node{op: opWord, words: &sets[i]}
	}
	return row
}

// sign is the node of an element that is no word.
func sign(e string) (node, bool) {
	if len(e) != 1 {
		return node{}, false
	}
	switch e[0] {
	case '@':
		return node{op: opText}, true
	case '~':
		return node{op: opOld}, true
	case '^':
		return node{op: opName}, true
	case '%':
		return node{op: opPlace}, true
	case '_':
		return node{op: opAny}, true
	case ',':
		return node{op: opBreak}, true
	case ':':
		return node{op: opColon}, true
	case '+':
		return node{op: opJoined}, true
	case '<':
		return node{op: opBegin}, true
	case '>':
		return node{op: opEnd}, true
	}
	return node{}, false
}

// noPartOfWord reports whether r stands in no word of a pattern. What tokenize would leave
// out of it had a meaning for whoever wrote it.
func noPartOfWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !isApostrophe(r) &&
		!strings.ContainsRune("-_\u200c\u200d", r)
}

// words makes a row of a word: more than one where its script has no blanks, or where
// there are hyphens in it.
func (r *reader) words(w string) []node {
	begin, end := strings.HasPrefix(w, "*"), strings.HasSuffix(w, "*")
	bare := strings.TrimSuffix(strings.TrimPrefix(w, "*"), "*")
	if begin == end && !begin && isSimple(bare) {
		return simple(bare)
	}
	list, _ := tokenize(bare)
	if len(list) == 0 {
		r.fail("%q has no word in it", w)
	}
	if i := strings.IndexFunc(bare, noPartOfWord); i >= 0 {
		r.fail("%q: %q is no part of a word, and no element within \"|\"", w, bare[i:])
	}
	if short, ok := strings.CutSuffix(w, "'*"); ok && len(list) == 1 {
		return []node{{op: opWord, words: &wordSet{begin: []string{short + "'"}}}}
	}
	row := make([]node, len(list))
	for i, t := range list {
		var s wordSet
		switch last := i == len(list)-1; {
		case begin && end && len(list) == 1:
			s.inside = []string{t.word}
		case begin && i == 0:
			s.end = []string{t.word}
		case end && last:
			s.begin = []string{t.word}
		default:
			s.list = []string{t.word}
		}
		row[i] = node{op: opWord, words: &s}
	}
	return row
}

// oneOf is a node for any of rows; what is but a word is gathered in one.
func oneOf(rows [][]node) node {
	if len(rows) == 1 && len(rows[0]) == 1 && rows[0][0].op == opWord {
		return rows[0][0]
	}
	all := new(wordSet)
	var longer [][]node
	for _, row := range rows {
		if len(row) != 1 || row[0].op != opWord {
			longer = append(longer, row)
			continue
		}
		s := row[0].words
		all.list = append(all.list, s.list...)
		all.begin, all.end, all.inside = append(all.begin, s.begin...), append(all.end, s.end...), append(all.inside, s.inside...)
	}
	all.ready()
	one := node{op: opWord, words: all}
	switch {
	case len(longer) == 0:
		return one
	case len(longer) < len(rows):
		longer = append(longer, []node{one})
	}
	return node{op: opOneOf, rows: longer}
}
