package teach

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"ken/internal/memory"
	"ken/internal/text"
)

//go:embed tables/*.txt
var files embed.FS

// A frame is a pattern of a table.
type frame struct {
	row   []node
	kind  memory.Kind // of what it keeps; "": what the words say
	put   string      // stands before Text in the place of the words of the frame
	scope string
	all   bool // all that is known is to be forgotten
	key   bool // its name is the key of what is to be forgotten
}

// A list is a table of patterns, which are found by the word that they begin with.
type list struct {
	frames []frame
	first  map[string][]int // by their first word
	other  []int            // those that begin otherwise
	from   int              // the number of the first of them in the language
	nr     int              // of the table in the language
}

// mostNeeds is how many of the words that a frame needs are looked for before it is tried.
const mostNeeds = 2

// A tongue is what is known of a language.
type tongue struct {
	name  string
	lists map[string]*list
	// needs has the frames that a word is one of the needs of, by their numbers, for each of mostNeeds
	// needs, and free those that have none, as bits: most frames fit no line, since a word that they
	// need is not in it.
	needs [mostNeeds]map[string][]int32
	free  [mostNeeds][]uint64
}

// languages are the files of the tables, in the order in which the index of words has them.
func languages() []string {
	return []string{"de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"}
}

// tongues are all languages. The file of each is read when a line is first in it: what a
// line is in, the index of words says.
var tongues = sync.OnceValue(func() []func() *tongue {
	all := make([]func() *tongue, len(languages()))
	for i, name := range languages() {
		all[i] = sync.OnceValue(func() *tongue {
			data, err := files.ReadFile("tables/" + name + ".txt")
			if err != nil {
				panic(err) // a test reads them all
			}
			t, err := readTongue(name, string(data))
			if err != nil {
				panic(err) // as well
			}
			return t
		})
	}
	return all
})

// index has a line for each word of a table: the word, a blank, and the languages that have
// it as bits of a hexadecimal number. Lines are in the order of their bytes. A test makes it
// of the tables, and sees that it is up to date.
//
//go:embed tables/words.index
var index string

// knowing are the languages that have a word in their tables, as bits.
func knowing(word string) uint64 {
	from, to := 0, len(index)
	for from < to {
		at := strings.LastIndexByte(index[from:(from+to)/2], '\n') + 1 + from
		line, _, _ := strings.Cut(index[at:to], "\n")
		have, bits, _ := strings.Cut(line, " ")
		switch strings.Compare(have, word) {
		case 0:
			n, err := strconv.ParseUint(bits, 16, 64)
			if err != nil {
				panic(err) // a test reads them all
			}
			return n
		case -1:
			from = at + len(line) + 1
		default:
			to = at
		}
	}
	return 0
}

// tables are the names that a table may have; tables/README.md says what each is.
func tables() map[string]bool {
	m := make(map[string]bool)
	for _, name := range [...]string{
		"lead", "tail", "keep", "keep-first", "keep-bare", "lasting", "after", "standing",
		"order", "forget", "replace", "correct", "state", "link",
		"kinds", "scope", "question", "none", "moment", "task", "no-text", "no-forget", "request", "cut", "half", "words", "own", "text-task",
		"named", "known", "said", "when", "cleft", "plain", "define", "rid",
	} {
		m[name] = true
	}
	return m
}

// readTongue reads the file of a language.
func readTongue(name, file string) (*tongue, error) {
	t := &tongue{name: name, lists: make(map[string]*list)}
	for name := range tables() {
		t.lists[name] = &list{first: make(map[string][]int), nr: len(t.lists)}
	}
	r := &reader{groups: make(map[string][][]node), shared: make(map[string][]node)}
	var l *list
	n := 0
	for line := range strings.Lines(file) {
		n++
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "["):
			if l = t.lists[strings.Trim(line, "[]")]; l == nil {
				r.fail("%s is no table", line)
			}
		case strings.HasPrefix(line, "$") && strings.Contains(line, " = "):
			group, row, _ := strings.Cut(line, " = ")
			r.apart(fields(row))
			rows, left := r.rows(fields(row))
			if len(left) > 0 {
				r.fail("a bracket too many")
			}
			r.groups[group[1:]] = append(r.groups[group[1:]], rows...)
			delete(r.shared, group)
		case l == nil:
			r.fail("%q stands in no table", line)
		default:
			l.add(r.frame(line))
		}
		if r.err != nil {
			return nil, fmt.Errorf("%s.txt: line %d: %w", name, n, r.err)
		}
	}
	t.index()
	return t, nil
}

// frame reads a line of a table: "PATTERN", "PATTERN -> kind" or "PATTERN => words".
func (r *reader) frame(line string) frame {
	var f frame
	line, put, _ := strings.Cut(line, " => ")
	f.put = put
	line, kind, _ := strings.Cut(line, " -> ")
	scope, scoped := strings.CutPrefix(kind, "scope ")
	switch {
	case scoped:
		f.scope = scope
		if !slices.Contains(scopes(), scope) {
			r.fail("%q is no scope", scope)
		}
	case kind == "all":
		f.all = true
	case kind == "key":
		f.key = true
	case kind == "" || slices.Contains(memory.StatingKinds(), memory.Kind(kind)):
		f.kind = memory.Kind(kind)
	default:
		r.fail("%q is no kind", kind)
	}
	f.row = r.row(line)
	return f
}

// scopes are what stands behind "-> scope": where it holds, "repo" and "dir" with the name
// in the pattern, and in [cut] the act that a word is cut of.
func scopes() []string {
	return []string{"here", "user", "repo", "dir", Keep.String(), Correct.String(), Propose.String()}
}

func (l *list) add(f frame) {
	i := len(l.frames)
	l.frames = append(l.frames, f)
	if !begins(f.row, nil) {
		l.other = append(l.other, i)
		return
	}
	begins(f.row, func(w string) {
		if at := l.first[w]; len(at) == 0 || at[len(at)-1] != i {
			l.first[w] = append(at, i)
		}
	})
}

// index finds out what the frames need.
func (t *tongue) index() {
	n := 0
	for _, l := range t.lists {
		l.from = n
		n += len(l.frames)
	}
	for k := range mostNeeds {
		t.needs[k], t.free[k] = make(map[string][]int32), make([]uint64, (n+63)/64)
	}
	for _, l := range t.lists {
		for i := range l.frames {
			sets, at := needs(l.frames[i].row), l.from+i
			slices.SortStableFunc(sets, func(a, b []string) int { return len(a) - len(b) })
			for k := range mostNeeds {
				if k >= len(sets) {
					t.free[k][at/64] |= 1 << (at % 64)
					continue
				}
				for _, w := range sets[k] {
					t.needs[k][w] = append(t.needs[k][w], int32(at))
				}
			}
		}
	}
}

// needs are sets of words of each of which a line has one where a row fits it.
func needs(row []node) (sets [][]string) {
	for _, n := range row {
		switch n.op {
		case opWord:
			if len(n.words.begin)+len(n.words.end)+len(n.words.inside) == 0 {
				sets = append(sets, n.words.list)
			}
		case opOneOf:
			var all []string
			for _, r := range n.rows {
				of := needs(r)
				if len(of) == 0 {
					all = nil
					break
				}
				all = append(all, slices.MinFunc(of, func(a, b []string) int { return len(a) - len(b) })...)
			}
			if len(all) > 0 {
				sets = append(sets, all)
			}
		}
	}
	return sets
}

// may are the frames that a line may fit, as bits, by the words that it has.
func (t *tongue) may(tokens []token) []uint64 {
	both := slices.Clone(t.free[0])
	bits := slices.Clone(t.free[1])
	for i := range tokens {
		for _, at := range t.needs[0][tokens[i].word] {
			both[at/64] |= 1 << (at % 64)
		}
		for _, at := range t.needs[1][tokens[i].word] {
			bits[at/64] |= 1 << (at % 64)
		}
	}
	for at := range both {
		both[at] &= bits[at]
	}
	return both
}

// begins reports whether a row begins with one of some words, and calls word, if it is not
// nil, with each of them.
func begins(row []node, word func(string)) bool {
	for _, n := range row {
		switch n.op {
		case opBreak, opColon, opJoined, opBegin, opNot, opSee:
			continue
		case opWord:
			if word != nil {
				for _, w := range n.words.list {
					word(w)
				}
			}
			return len(n.words.begin)+len(n.words.end)+len(n.words.inside) == 0
		case opOneOf, opMaybe:
			whole := true
			for _, r := range n.rows {
				whole = begins(r, word) && whole
			}
			if !whole {
				return false
			}
			if n.op == opOneOf {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// at finds the first frame that fits s from token i on.
func (l *list) at(s *sentence, i int) (frame, match, bool) {
	if s.work.steps < 0 {
		return frame{}, match{}, false
	}
	other, some := s.work.others(l)
	if !some {
		return frame{}, match{}, false
	}
	var named []int
	if i < s.to && !s.tokens[i].quoted {
		named = l.first[s.tokens[i].word]
	}
	for len(named) > 0 || len(other) > 0 { // in the order of the table
		var k int
		if len(other) == 0 || len(named) > 0 && named[0] < other[0] {
			if k, named = named[0], named[1:]; !s.work.may(l.from + k) {
				continue
			}
		} else {
			k, other = other[0], other[1:]
		}
		if m, ok := s.fits(l.frames[k].row, i); ok {
			return l.frames[k], m, true
		}
	}
	return frame{}, match{}, false
}

// in finds the first frame that fits anywhere in s.
func (l *list) in(s *sentence) (frame, match, int, bool) {
	for i := s.from; i < s.to; i++ {
		if f, m, ok := l.at(s, i); ok {
			return f, m, i, true
		}
	}
	return frame{}, match{}, 0, false
}

// has reports whether a frame fits anywhere in s.
func (l *list) has(s *sentence) bool {
	_, _, _, ok := l.in(s)
	return ok
}

// earliest finds the frame that stands first in the table and fits anywhere in s; but is a kind whose frames are passed over.
func (l *list) earliest(s *sentence, but memory.Kind) (frame, match, int, bool) {
	for k, f := range l.frames {
		if !s.work.may(l.from+k) || but != "" && f.kind == but {
			continue
		}
		for i := s.from; i < s.to; i++ {
			if m, ok := s.fits(f.row, i); ok {
				return f, m, i, true
			}
		}
	}
	return frame{}, match{}, 0, false
}

// dense reports whether a word is a letter of a script whose words are not set apart.
func dense(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return text.Dense(r)
}
