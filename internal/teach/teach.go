package teach

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ken/internal/memory"
	"ken/internal/text"
)

// An Act says what a line wants.
type Act int

// The acts.
const (
	None    Act = iota // nothing of the memory
	Keep               // to keep Text, at once
	Propose            // nothing, but it states what may be worth keeping: Text
	Correct            // that Text takes the place of what is remembered, of Old if that is said
	Forget             // to have forgotten what Text means
	Hint               // something of the memory; what, is not understood
)

// String returns the act as a word, as programs are told it.
func (a Act) String() string {
	return [...]string{"none", "keep", "propose", "correct", "forget", "hint"}[a]
}

// A Reading is what was understood of a line. The zero Reading is of the act None.
type Reading struct {
	Act  Act
	Kind memory.Kind // of Text; "" if nothing is kept
	// Scope is where it holds, as a person says it: "here", "user", "repo:NAME", "dir:PATH"; ""
	// if the line does not say. Of what is to be forgotten it is where all of Text is.
	Scope string
	Key   string // of what is to be forgotten; "" if none is named
	Text  string // what to keep or forget, as typed; "" for None and Hint
	Old   string // what a correction says is so no more; "" if it does not say
	All   bool   // what is to be forgotten is all that is known of Text
	// Tongue is the language of the words that were understood: en, de ...; "" for None.
	Tongue string
}

// Certain reports whether what is to be forgotten can hardly be anything but a memory or what
// was said: all that is known of something, or a name. "Forget the mutex" may be about the work.
func (r Reading) Certain() bool {
	if r.Act != Forget || r.All || r.Key != "" || r.Scope != "" {
		return r.Act == Forget
	}
	names := strings.Fields(r.Text)
	return len(names) <= mostNamed && !slices.ContainsFunc(names, func(w string) bool {
		first, _ := utf8.DecodeRuneInString(w)
		return !unicode.IsUpper(first) || text.Small(text.FoldWord(w)) || strings.ContainsAny(w, ",;:")
	})
}

// mostNamed is how many words a name has at most.
const mostNamed = 4

// MaxLine is the longest line that is read, in bytes: some forty lines of a terminal.
// What is longer was hardly typed: if it begins with a wish it is a Hint.
const MaxLine = 4000

// Read reads one typed line.
func Read(line string) Reading {
	if len(line) > MaxLine && typed(line) {
		head := line[:strings.LastIndexByte(line[:MaxLine], ' ')+1]
		if act := Read(head).Act; act != None && act != Propose {
			return Reading{Act: Hint} // a wish, and too long to be sure of the rest
		}
		return Reading{}
	}
	if !typed(line) {
		return Reading{}
	}
	if shown := visible(line); shown != line {
		if act := Read(shown).Act; act == None || act == Propose {
			return Reading{}
		}
		return Reading{Act: Hint} // it is not what it looks like
	}
	r := begin(line)
	if r == nil {
		return Reading{}
	}
	var best Reading
	likely := r.likely()
	for i, l := range likely[:min(len(likely), mostTongues)] {
		r.tongue = tongues()[l]()
		if i > 0 && !r.close {
			if got := r.wishes(); best.Act == None && (got.Act == Keep || got.Act == Forget) {
				best = got
			}
			continue
		}
		got := r.read(mostSteps)
		if i == 0 && (got.Act != None || r.barred) {
			return got
		}
		if best.Act == None && (got.Act == Keep || got.Act == Forget || r.close && got.Act != None) {
			best = got
		}
	}
	if best.Act == None && r.mixed(likely) {
		return Reading{Act: Hint}
	}
	return best
}

// ReadAll reads one typed line as Read does, and then each of its sentences for what it states, corrects
// or wants kept beside. It is empty where Read finds nothing that could be kept.
func ReadAll(line string) []Reading {
	keeps := func(r Reading) bool { return r.Act == Keep || r.Act == Propose || r.Act == Correct }
	first := Read(line)
	if !keeps(first) {
		return nil
	}
	list := []Reading{first}
	r := begin(line)
	if r == nil || len(r.sentences) < 2 {
		return list
	}
	for _, s := range r.sentences {
		got := Read(strings.TrimSpace(line[r.opened(s.from):r.closed(s.to-1)]))
		if keeps(got) && !slices.ContainsFunc(list, func(r Reading) bool { return strings.Contains(r.Text, got.Text) }) {
			list = append(list, got)
		}
	}
	return list
}

// mixed reports whether a line is a wish behind a few words of another language.
func (r *reading) mixed(likely []int) bool {
	all := r.sentences
	defer func() { r.sentences = all }()
	for _, l := range likely {
		for n := 1; n <= 3 && n < all[0].to && r.known[n-1] != 0 && r.known[n-1]>>l&1 == 0; n++ {
			if r.known[n]>>l&1 == 0 {
				continue
			}
			t := tongues()[l]()
			if len(t.lists["keep"].first[r.tokens[n].word])+len(t.lists["forget"].first[r.tokens[n].word]) == 0 {
				continue
			}
			r.tongue, r.sentences = t, append([]span{{n, all[0].to}}, all[1:]...)
			if got := r.wishes(); got.Act == Keep || got.Act == Forget {
				return true
			}
		}
	}
	return false
}

// A Question is what a line asks of the memory itself.
type Question struct {
	About string // as typed; "" if it asks nothing of the memory
	Said  bool   // what was said about it, not what is known
}

// ReadQuestion reads one typed line as a question for the memory: "what do you know about X",
// "what did we say about X". It is one sentence, and all of the line.
func ReadQuestion(line string) Question {
	r := begin(line)
	if r == nil || len(r.sentences) != 1 || r.code {
		return Question{}
	}
	likely := r.likely()
	for _, l := range likely[:min(len(likely), mostTongues)] {
		r.tongue = tongues()[l]()
		r.use(mostSteps)
		s := r.sentences[0]
		s.from = r.start(s)
		for _, table := range [...]string{"said", "known"} {
			_, m, ok := r.list(table).at(r.at(s), s.from)
			if !ok || m.text.empty() || r.spent() {
				continue
			}
			if about := r.slice(m.text, nil); meaningful(about) {
				return Question{About: about, Said: table == "said"}
			}
		}
	}
	return Question{}
}

// begin is the reading of a line; nil if it is none that a person typed in words.
func begin(line string) *reading {
	if len(line) > MaxLine || !typed(line) || visible(line) != line {
		return nil
	}
	tokens, after := tokenize(line)
	if !slices.ContainsFunc(tokens, func(t token) bool { return !t.quoted }) {
		return nil
	}
	r := &reading{line: line, tokens: tokens, after: after, code: looksLikeCode(line)}
	r.split()
	return r
}

// visible is a line without letters that cannot be seen, but for those that join what
// is written in some scripts.
func visible(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d' {
			return -1
		}
		return r
	}, line)
}

// typed reports whether line can be one line that a person typed.
func typed(line string) bool {
	if !utf8.ValidString(line) {
		return false
	}
	for _, r := range line {
		if r != '\t' && unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	line = strings.TrimSpace(line)
	return !strings.HasPrefix(line, ">") && !logged(line)
}

// looksLikeCode reports whether a line has in it, outside of quotations, what no person
// types in a statement.
func looksLikeCode(line string) bool {
	t := strings.TrimSpace(line)
	for _, s := range [...]string{"```", "==", "=>", "&&", "||", "();", "//", "{", "}", "};", "</", "/>", " := ", " = ", "->"} {
		if strings.Contains(t, s) {
			return true
		}
	}
	if t == "" || strings.ContainsRune("$#<{[|@%+*", rune(t[0])) || strings.HasPrefix(t, "--") || strings.HasSuffix(t, ";") {
		return true
	}
	head := t[:min(len(t), 12)]
	return t[0] >= '0' && t[0] <= '9' && strings.ContainsAny(head, ":-/") && strings.IndexFunc(head, unicode.IsLetter) < 0
}

// mostTongues is how many languages are tried.
const mostTongues = 3

// likely are the languages of a line, the one first that knows most of its words. close
// says of r that the first is no surer than the next.
func (r *reading) likely() []int {
	known := make([]int, len(tongues()))
	r.known = make([]uint64, len(r.tokens))
	for i, tok := range r.tokens {
		bits := knowing(tok.word)
		r.known[i] = bits
		for l := range known {
			known[l] += int(bits >> l & 1)
		}
	}
	var list []int
	for l, n := range known {
		if n > 0 {
			list = append(list, l)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return known[b] - known[a] })
	r.close = len(list) > 1 && known[list[0]] == known[list[1]]
	return list
}

// logged reports whether a line begins as those of logs do: with a day and a time.
func logged(line string) bool {
	if len(line) < len("2006-01-02T15:04") {
		return false
	}
	_, err := time.Parse("2006-01-02T15:04", strings.NewReplacer("/", "-", " ", "T").Replace(line[:len("2006-01-02T15:04")]))
	return err == nil
}
