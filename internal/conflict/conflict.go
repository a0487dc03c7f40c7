package conflict

import (
	"hash/fnv"
	"io"
	"slices"
	"strings"
)

// A Relation is what two texts are to each other.
type Relation int

// The relations.
const (
	None        Relation = iota // nothing that is known
	Same                        // in other words, the same
	Contradicts                 // hardly both true
	Over                        // the older speaks of what the newer says has ended, departed or moved
)

// Contradicts reports whether the older text hardly holds beside the newer.
func (r Relation) Contradicts() bool { return r >= Contradicts }

// Says is the relation in words, why being the reason of a contradiction, or what has ended; "" is None.
func (r Relation) Says(why string) string {
	switch r {
	case Contradicts:
		return "both can hardly be true (" + why + ")"
	case Over:
		return "it may be over (" + why + ")"
	case Same:
		return "it says the same"
	}
	return ""
}

// A Reading is a text that is stated beside older ones.
type Reading struct {
	Patterns []Pattern
	Ends     []End
	Claim    string // the part of it that gives a value to what has one; "" if none does
}

// Read reads a text.
func Read(text string) Reading {
	values, claim := valued(text)
	return Reading{append(patterns(text), values...), Ends(text), claim}
}

// Beside returns what an older text is to the one that was read, and what speaks for it: for Over, what has ended.
func (r Reading) Beside(older string) (Relation, string) {
	if v, why := ComparePatterns(r.Patterns, Patterns(older)); v != None {
		return v, why
	}
	for _, e := range r.Ends {
		if e.Touches(older) {
			return Over, e.What
		}
	}
	return None, ""
}

// Passing reports whether the text gives a value to what has one, or says what ended: what a person is asked about also when they say
// it in passing.
func (r Reading) Passing() bool { return len(r.Ends) > 0 || r.Claim != "" }

// Sum is a number that texts have which claim the same.
func (r Reading) Sum() uint64 {
	h := fnv.New64a()
	for _, p := range r.Patterns {
		if p.Value || !r.Passing() {
			_, _ = io.WriteString(h, p.Key+"\n"+p.Fill+"\n") // a hash takes everything
		}
	}
	for _, e := range r.Ends {
		_, _ = io.WriteString(h, strings.ToLower(e.What)+"\n")
	}
	return h.Sum64()
}

// A Pattern is what two conflicting texts share. Fill is what stands in its hole.
type Pattern struct {
	Key  string // texts with different keys do not conflict by this pattern
	Fill string
	kind patternKind
	// Value says that it is read by the tables: texts with the key may share no word.
	Value bool
}

type patternKind int

const (
	whole patternKind = iota // Fill is "not" or ""
	hole                     // of one word
	slot                     // of an attribute: any number of words
	held                     // by some: who has all that the other has, and more, is no other
)

// maxWords is the most words of a text that is looked at: longer ones say several
// things.
const maxWords = 24

// Compare returns what two texts are to each other, and what speaks for it, in a few
// words; "" for None.
func Compare(a, b string) (Relation, string) { return ComparePatterns(Patterns(a), Patterns(b)) }

// ComparePatterns is Compare for the patterns of two texts.
func ComparePatterns(a, b []Pattern) (Relation, string) {
	relation, why := None, ""
	for _, x := range a {
		for _, y := range b {
			if x.Key != y.Key {
				continue
			}
			switch {
			case x.kind == whole && x.Fill == y.Fill:
				return Same, "the same in other words"
			case x.kind == whole:
				return Contradicts, "one says it, the other says not"
			case x.kind == slot && x.Fill == y.Fill && relation == None:
				relation, why = Same, "the same in other words"
			case x.Fill != y.Fill && x.excludes(y) && relation == None:
				fills := []string{x.Fill, y.Fill}
				slices.Sort(fills)
				relation, why = Contradicts, strings.Join(fills, " or ")
			}
		}
	}
	return relation, why
}

// excludes reports whether what fills one pattern excludes what fills another of the same key.
func (p Pattern) excludes(o Pattern) bool {
	switch p.kind {
	case hole:
		return true
	case held:
		x, y := strings.Fields(p.Fill), strings.Fields(o.Fill)
		return !within(x, y) && !within(y, x)
	}
	return differ(p.Fill, o.Fill)
}

// within reports whether all words of one list are in another.
func within(x, y []string) bool {
	return !slices.ContainsFunc(x, func(w string) bool { return !slices.Contains(y, w) })
}

// differ reports whether two fillings of a slot exclude each other: neither says
// all that the other says, and what follows them (at work, since May) is the same.
func differ(a, b string) bool {
	x, restX := value(strings.Fields(a))
	y, restY := value(strings.Fields(b))
	if len(x) == 0 || len(y) == 0 || !slices.Equal(restX, restY) || vague(x) || vague(y) || preposition(x[0]) != preposition(y[0]) {
		return false
	}
	if preposition(x[0]) && x[0] != y[0] {
		return false
	}
	return !within(x, y) && !within(y, x)
}

// value cuts what restricts a value off.
func value(words []string) (value, rest []string) {
	for i, w := range words {
		if i > 0 && (preposition(w) || w == "when" || w == "if" || w == "unless" || w == "while" || w == "but" || w == "because") {
			return words[:i], words[i:]
		}
	}
	return words, nil
}

// vague reports whether a value says how something is, not what it is: it can be
// that beside much else.
func vague(v []string) bool {
	w := v[0]
	if len(v) > 4 || adjective(w) {
		return true
	}
	return len(v) == 1 && len(w) > 5 && (strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "able"))
}

// Patterns reads a text; nil if there is nothing by which it could be in conflict.
func Patterns(text string) []Pattern {
	values, _ := valued(text)
	return append(patterns(text), values...)
}

func patterns(text string) []Pattern {
	s := read(text)
	if len(s.words) == 0 || len(s.words) > maxWords {
		return nil
	}
	list := strings.Join(s.words, " ")
	not := ""
	if s.negated {
		not = "not"
	}
	patterns := []Pattern{{Key: "= " + list, Fill: not, kind: whole}}
	if s.negated || s.sentences > 1 {
		return patterns
	}
	verb := s.verb()
	for i, w := range s.words {
		if verb < 0 || i < verb {
			continue
		}
		class := ""
		if pair := opposite(w); pair != "" && (i > verb || s.words[verb] == w) {
			class = pair
		} else if i > verb {
			class = s.class(i, s.words[verb])
		}
		if class != "" {
			holed := slices.Clone(s.words)
			holed[i] = "*" + class
			patterns = append(patterns, Pattern{Key: "* " + strings.Join(holed, " "), Fill: w, kind: hole})
		}
	}
	return append(patterns, s.slots()...)
}

// slots are the patterns of attributes that have one value.
func (s *sentence) slots() []Pattern {
	w := s.words
	if at := slices.Index(w, "over"); at > 0 && at < len(w)-1 { // prefer A over B
		if p := slices.Index(w, "prefer"); p >= 0 && p < at-1 {
			pair := []string{strings.Join(w[p+1:at], " "), strings.Join(w[at+1:], " ")}
			fill := pair[0]
			slices.Sort(pair)
			return []Pattern{{Key: "over " + strings.Join(w[:p], " ") + " " + strings.Join(pair, " | "), Fill: fill, kind: hole}}
		}
	}
	if at := slices.Index(w, "is"); at > 0 && at < len(w)-1 && !s.plural {
		subject, value := w[:at], w[at+1:]
		if !attribute(subject) && attribute(value) && (value[0] == "my" || value[0] == "our") { // vim is my editor
			subject, value = value, subject
		}
		if attribute(subject) {
			return []Pattern{{Key: "is " + strings.Join(subject, " "), Fill: strings.Join(value, " "), kind: slot}}
		}
	}
	if at := slices.Index(w, "use"); at >= 0 { // use vim as editor
		if as := slices.Index(w, "as"); as > at+1 && as < len(w)-1 && attribute(w[as+1:]) {
			key := "use " + strings.Join(w[:at], " ") + " as " + strings.Join(w[as+1:], " ")
			return []Pattern{{Key: key, Fill: strings.Join(w[at+1:as], " "), kind: slot}}
		}
	}
	for i := range len(w) - 2 {
		if single(w[i], w[i+1]) {
			return []Pattern{{Key: "at " + strings.Join(w[:i+2], " "), Fill: strings.Join(w[i+2:], " "), kind: slot}}
		}
	}
	return nil
}
