package patterns

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/text"
)

//go:embed words.txt
var wordText string

// A wordTable is words.txt; its comments say what each is.
type wordTable struct {
	free, no, turn, behind, strict, bad, only, side, near, way, front, end, join, count map[string]bool
	weak, wide, forbid, past, single, day, article, one, by, verb                       map[string]bool
	german, dutch, romance, less, checks, addressed, of, present, skip                  map[string]bool
	opposite, slot                                                                      map[string]string
}

var table = sync.OnceValue(func() *wordTable {
	sets := make(map[string]map[string]bool)
	t := &wordTable{opposite: make(map[string]string), slot: make(map[string]string)}
	name := ""
	for line := range strings.Lines(wordText) {
		line = strings.TrimSpace(line)
		words := strings.Fields(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
			sets[name] = make(map[string]bool)
		case name == "opposite":
			t.opposite[words[0]], t.opposite[words[1]] = words[1], words[0]
		case name == "slot":
			for _, w := range words {
				t.slot[w] = words[0]
			}
		default:
			for _, w := range words {
				sets[name][w] = true
			}
		}
	}
	t.free, t.no, t.strict, t.bad, t.only = sets["free"], sets["no"], sets["strict"], sets["bad"], sets["only"]
	t.turn, t.behind = sets["turn"], sets["behind"]
	t.near, t.front = sets["near"], sets["front"]
	t.weak, t.wide, t.forbid, t.past, t.single, t.day = sets["weak"], sets["wide"], sets["forbid"], sets["past"], sets["single"], sets["day"]
	t.article, t.one, t.by, t.verb = sets["article"], sets["one"], sets["by"], sets["verb"]
	t.less, t.checks, t.addressed = sets["less"], sets["checks"], sets["addressed"]
	t.of, t.present = sets["of"], sets["present"]
	t.skip = sets["skip"]
	t.german, t.dutch, t.romance = sets["german"], sets["dutch"], sets["romance"]
	t.side, t.way, t.end, t.join, t.count = sets["side"], sets["way"], sets["end"], sets["join"], sets["count"]
	return t
})

// Denied says how a word stands to the negations of its sentence.
type denied int8

const (
	said    denied = iota
	negated        // behind a negation, in the same part of the sentence
	perhaps        // in a later part, to which the negation may reach or not
)

// mostWords is how many words of a text are read.
const mostWords = 4096

// A word is one of a text, as it is compared.
type word struct {
	form  string // folded; of what is exact by case as it is written
	stem  string
	exact bool // a number, a name, a path, a flag, a character of a script without spaces
	count bool
	marks bool // it is exact for a sign in it: a path, a flag, an identifier
	upper bool // it begins with a capital letter
	dense bool // a character of a script without spaces
	// shouted says that all its letters are capital.
	shouted bool
	free    bool // it carries no meaning by itself
	joins   bool // it is an and
	comma   bool // a comma follows
	end     bool // its part of the sentence ends with it
	stop    bool // its sentence ends with it

	denied   denied
	less     bool // something else is put before it
	past     bool // it has the form of what happened
	forbid   bool // its part forbids: what it says is denied
	bad      bool // its part of the sentence forbids, or tells of a failure
	only     bool // its sentence has a condition
	sentence int
	part     int // of the whole text
}

// read reads the words of a text, in their order.
func read(s string) []word {
	var list []word
	first := true // of its sentence
	for chunk := range strings.FieldsSeq(s) {
		core := strings.TrimLeft(chunk, "\"'`([{<“‘«„‚¿¡*")
		tail := len(core)
		core = strings.TrimRight(core, "\"'`)]}>”’»“*.,;:!?…。，、；：！？")
		marks := chunk[len(chunk)-(tail-len(core)):]
		if core != "" {
			list = appendWords(list, core, first)
		}
		alone := core == "" || strings.Trim(core, "-–—|/") == ""
		if len(list) > 0 {
			last := &list[len(list)-1]
			last.comma = last.comma || strings.ContainsAny(marks, ",，、") || alone
			last.end = last.end || strings.ContainsAny(marks, ":：") || alone
			last.stop = last.stop || strings.ContainsAny(marks, ".;!?…。；！？")
			first = last.stop || strings.ContainsAny(marks, ":：") || first && alone
		}
		if len(list) > mostWords {
			break
		}
	}
	mark(list)
	return list
}

// appendWords appends what stands between two blanks.
func appendWords(list []word, core string, first bool) []word {
	if strings.ContainsFunc(core, text.Dense) {
		for _, r := range text.Fold(core) {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				list = append(list, word{form: string(r), stem: string(r), exact: true, dense: true})
			} else if len(list) > 0 {
				list[len(list)-1].comma = true
			}
		}
		return list
	}
	if !strings.ContainsFunc(core, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || text.Symbol(r) }) {
		return list
	}
	upper := unicode.IsUpper([]rune(core)[0])
	past := table().past[text.Fold(core)] || irregular(text.Fold(core))
	for _, end := range [...]string{"ed", "ó", "aron", "ieron"} {
		past = past || !upper && len(core) > 4 && strings.HasSuffix(core, end) && !passive(list)
	}
	if w, ok := exact(core, first); ok {
		w.upper, w.shouted = upper, len(core) > 1 && strings.ToUpper(core) == core
		return append(list, w)
	}
	folded := strings.TrimSuffix(text.Fold(core), "'s")
	folded = strings.ReplaceAll(folded, "'", "")
	for part := range strings.FieldsFuncSeq(folded, func(r rune) bool { return strings.ContainsRune("-–—‐‑", r) }) {
		list = append(list, word{form: part, stem: text.Stem(part), upper: upper, past: past})
		upper = false
	}
	return list
}

// irregular reports whether a word is a form that no ending shows: "kept".
func irregular(form string) bool {
	stem := text.Stem(form)
	return len(stem) > 1 && len(form) > 2 && !strings.HasPrefix(form, stem[:len(stem)-1])
}

// passive reports whether what follows is done to something now: "branches are squashed".
func passive(list []word) bool {
	return slices.ContainsFunc(list[max(0, len(list)-2):], func(w word) bool { return table().present[w.form] })
}

// exact reads what has to be as it is written: a number, a name, a path, a flag.
func exact(core string, first bool) (word, bool) {
	digits := strings.ContainsFunc(core, unicode.IsNumber)
	marks := strings.ContainsAny(core, "./_@:\\=+#~$%&|<>{}[]()^") || core[0] == '-'
	runes := []rune(core)
	inner := strings.ContainsFunc(string(runes[1:]), unicode.IsUpper)
	capital := unicode.IsUpper(runes[0]) && !first
	symbol := strings.ContainsFunc(core, text.Symbol)
	if !digits && !marks && !inner && !capital && !symbol {
		return word{}, false
	}
	w := word{exact: true, count: digits, marks: marks || digits && inner, form: text.Fold(core)}
	if marks { // case tells paths and flags apart
		w.form = core
	}
	if !digits && !marks && !symbol {
		w.form = strings.TrimSuffix(w.form, "'s")
		if w.stem = text.Stem(w.form); table().free[w.form] || table().no[w.form] || table().count[w.form] {
			return word{}, false // shouted, or "I"
		}
		return w, true
	}
	w.stem = w.form
	return w, true
}

// mark says of each word how it stands in its sentence.
func mark(list []word) {
	t := table()
	for from := 0; from < len(list); {
		to := from
		for to < len(list)-1 && !list[to].stop {
			to++
		}
		markSentence(t, list[from:to+1])
		n := 0
		if from > 0 {
			n = list[from-1].sentence + 1
		}
		for i := from; i <= to; i++ {
			list[i].sentence = n
		}
		markParts(list, from, to+1)
		from = to + 1
	}
}

// leastPart is how many words with a meaning stand on both sides of a comma that parts
// a sentence: fewer are members of a list.
const leastPart = 2

// markParts numbers the parts of the sentence list[from:to]: what stands between its commas and
// colons, and before its buts.
func markParts(list []word, from, to int) {
	n := 0
	if from > 0 {
		n = list[from-1].part + 1
	}
	begin := from
	for i := from; i < to; i++ {
		list[i].part = n
		ends := i+1 < to && (list[i].end || table().end[list[i+1].form] && i >= begin)
		if !ends && list[i].comma && i+1 < to {
			next := i + 1
			for next < to && !list[next].comma && !list[next].end {
				next++
			}
			ends = len(meaning(list[begin:i+1])) >= leastPart && len(meaning(list[i+1:min(to, next+1)])) >= leastPart
		}
		if ends {
			n, begin = n+1, i+1
		}
	}
}

func markSentence(t *wordTable, list []word) {
	now, begin, only := said, 0, false
	part := func(to int) {
		bad, forbid := false, false
		for i := begin; i < to; i++ {
			forbid = forbid || t.forbid[list[i].form] || t.forbid[list[i].stem]
			bad = bad || forbid || t.bad[list[i].form] || t.bad[list[i].stem]
		}
		for i := begin; i < to; i++ {
			list[i].bad, list[i].forbid = bad, forbid
		}
		if to > begin && t.behind[list[to-1].form] {
			deny(list[begin:to])
		}
		begin, now = to, said
	}
	for i := range list {
		w := &list[i]
		if t.end[w.form] && i > begin {
			part(i)
		}
		w.joins = t.join[w.form]
		w.count = w.count || t.count[w.form]
		if w.joins && now == negated {
			now = perhaps
		}
		w.denied, w.less = now, i > begin && t.less[list[i-1].form]
		w.free = !w.exact && (t.free[w.form] || w.joins || t.no[w.form] && !t.strict[w.form])
		if w.exact && t.no[w.form] {
			w.free = true
		}
		only = only || t.only[w.form]
		switch {
		case !t.no[w.form]:
		case now == said && t.turn[w.form] && i == begin:
			now = perhaps
		case now == said:
			now = negated
		case now == negated && (t.turn[w.form] || w.form == "never"): // other tongues say no twice and mean it
			now = said
		}
		if w.comma && now == negated {
			now = perhaps
		}
		if w.end {
			part(i + 1)
		}
	}
	part(len(list))
	for i := range list {
		list[i].only = only
	}
}

// deny denies the words of a part that ends with a negation. One word alone ("pnpm nicht") stands for
// what was said before.
func deny(part []word) {
	to := negated
	if len(meaning(part)) == 1 {
		to = perhaps
	}
	for i := range part {
		if part[i].denied == said {
			part[i].denied = to
		}
	}
}

// meaning are the words that carry it.
func meaning(list []word) []word {
	var out []word
	for i := range list {
		if !list[i].free {
			out = append(out, list[i])
		}
	}
	return out
}

// stems are the different names of the words of a text that carry meaning.
func stems(list []word) map[string]bool {
	set := make(map[string]bool)
	for i := range list {
		if !list[i].free {
			set[list[i].stem] = true
		}
	}
	return set
}
