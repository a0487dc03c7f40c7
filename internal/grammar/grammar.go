package grammar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Kind says what a sentence asks for.
type Kind int

// The kinds.
const (
	None      Kind = iota // not for ken: the line is for the model, or a search
	Remember              // to state Text
	Forget                // to find what Text means, and to ask whether to forget it
	KnowAbout             // what is remembered about Text
	SaidAbout             // what was said about Text in conversations
)

// String returns the kind as a word for tests and traces.
func (k Kind) String() string {
	return [...]string{"none", "remember", "forget", "know about", "said about"}[k]
}

// A Sentence is what Parse understood. The zero Sentence is None.
type Sentence struct {
	Kind Kind
	Text string // what it is about, as typed; empty if and only if Kind is None
}

// A form is one way to begin a sentence.
type form struct {
	words []string
	kind  Kind
	// takes gives what the sentence is about from the words that follow, or ""
	// if they make it another sentence.
	takes func(rest string) string
}

// forms are the ways to begin, longest first where one begins like another.
// Another language is further lines here, with a rule of its own for what may
// follow.
func forms() []form {
	return []form{
		{[]string{"remember", "that"}, Remember, clause},
		{[]string{"remember", "that:"}, Remember, statement},
		{[]string{"remember:"}, Remember, statement},
		{[]string{"forget", "about"}, Forget, object},
		{[]string{"forget", "that"}, Forget, forgottenClause},
		{[]string{"forget"}, Forget, object},
		{[]string{"what", "do", "you", "know", "about"}, KnowAbout, subject},
		{[]string{"what", "did", "we", "say", "about"}, SaidAbout, subject},
	}
}

// Parse reads one typed line.
func Parse(line string) Sentence {
	if !typed(line) {
		return Sentence{}
	}
	rest := addressed(line)
	for _, f := range forms() {
		after, ok := cutWords(rest, f.words)
		if !ok {
			continue
		}
		if text := f.takes(strings.TrimSpace(after)); meaningful(text) {
			return Sentence{f.kind, text}
		}
		return Sentence{}
	}
	return Sentence{}
}

// MaxLine is the longest line that is understood, in bytes. Nobody types a
// sentence of that length; it was pasted.
const MaxLine = 2 << 10

// typed reports whether line can be one line that a person typed.
func typed(line string) bool {
	if !utf8.ValidString(line) || len(line) > MaxLine {
		return false
	}
	for _, r := range line {
		if r != '\t' && unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	return true
}

// addressed is the line without what only calls ken, or is polite: "ken,",
// "hey ken,", "please".
func addressed(line string) string {
	for _, call := range [][]string{{"hey", "ken,"}, {"ok", "ken,"}, {"ken,"}, {"ken"}, {"please,"}, {"please"}} {
		if rest, ok := cutWords(line, call); ok {
			line = rest
		}
	}
	return line
}

// meaningful reports whether there is anything in text to remember or to look
// for.
func meaningful(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) // a lone emoji is a symbol
	})
}

// statement takes anything but a question.
func statement(rest string) string {
	if asks(rest) {
		return ""
	}
	return rest
}

// clause takes what can be a sentence after "that": two words at least, and not
// "that" pointing at something ("remember that time we got lost").
func clause(rest string) string {
	words := strings.Fields(rest)
	if len(words) < 2 || asks(rest) || points(words) {
		return ""
	}
	return rest
}

// points reports whether words, which follow "that", go on like a pointer to one
// event or thing that both know, and not like a statement: "time we ...", "one
// song". "time zones matter" is a statement.
func points(words []string) bool {
	first, second := plain(words[0]), plain(words[1])
	switch first {
	case "one":
		return true
	case "time", "day", "night", "evening", "morning", "week", "weekend", "summer", "year",
		"guy", "girl", "man", "woman", "person", "place", "movie", "film", "song", "book", "thing", "story", "joke":
	default:
		return false
	}
	switch second {
	case "i", "you", "he", "she", "it", "we", "they", "my", "your", "our", "the", "when", "where", "who", "that",
		"in", "at", "on", "with", "from", "about", "last", "back":
		return true
	}
	return false
}

// maxObject is the most words that "forget X" takes. What is longer is an
// instruction ("forget the mutex and use a channel, then ...").
const maxObject = 8

// object takes the name of a thing that may be remembered, and nothing that
// speaks of the conversation or of the act of forgetting.
func object(rest string) string {
	words := strings.Fields(rest)
	if len(words) == 0 || len(words) > maxObject || asks(rest) {
		return ""
	}
	switch plain(words[0]) {
	case "it", "that", "this", "these", "those", "them", "him", "her", "me", "you", "us", "everything", "all", "anything", "nothing",
		"what", "how", "why", "when", "where", "who", "whether", "if", "to", "for", "and", "or", "but", "about",
		"i", "we", "he", "she", "they", "just", "not", "trying", "doing", "":
		return ""
	}
	if slices.ContainsFunc(words, talk) {
		return ""
	}
	return strings.TrimRight(rest, " \t.!")
}

// forgottenClause takes what was remembered as "that X" to forget it.
func forgottenClause(rest string) string {
	if len(strings.Fields(rest)) < 2 || clause(rest) == "" {
		return ""
	}
	words := strings.Fields(rest)
	switch plain(words[0]) {
	case "for", "and", "or", "but", "then", "now", "please", "just", "if", "about", "to", "whole", "":
		return ""
	}
	if len(words) > 2*maxObject || slices.ContainsFunc(words, talk) || plain(words[0]) != words0(words) {
		return ""
	}
	return strings.TrimRight(rest, " \t.!")
}

// words0 is the first word in small letters. If it differs from its plain form,
// there is punctuation at it: "forget that, use ...".
func words0(words []string) string { return strings.ToLower(words[0]) }

// talk reports whether a word shows that something in the conversation is meant,
// or that an instruction follows.
func talk(word string) bool {
	switch plain(word) {
	case "instead", "let's", "lets", "above", "previous", "last", "question", "message", "answer", "prompt",
		"instruction", "instructions", "conversation", "reply", "response", "earlier":
		return true
	}
	return false
}

// subject takes what a question is about. A question mark may end it, and stands
// nowhere else.
func subject(rest string) string {
	rest = strings.TrimRight(rest, " \t?.!")
	if asks(rest) {
		return ""
	}
	return rest
}

// asks reports whether there is a question in text. A question mark inside a
// word, as an address has it, is none.
func asks(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		return strings.HasSuffix(strings.TrimRight(word, `"'”’»)!.`), "?") || strings.HasSuffix(word, "？")
	})
}

// plain is a word in small letters, without punctuation at its ends.
func plain(word string) string {
	return strings.ToLower(strings.TrimFunc(word, unicode.IsPunct))
}

// is compares a word of a line to a fixed one.
func is(word, fixed string) bool { return strings.ToLower(word) == fixed }

// cutWord cuts the first word off a line.
func cutWord(line string) (word, rest string) {
	line = strings.TrimLeftFunc(line, unicode.IsSpace)
	if i := strings.IndexFunc(line, unicode.IsSpace); i >= 0 {
		return line[:i], line[i:]
	}
	return line, ""
}

// cutWords cuts these words off a line if it begins with them.
func cutWords(line string, words []string) (rest string, ok bool) {
	for _, want := range words {
		var word string
		if word, line = cutWord(line); !is(word, want) {
			return "", false
		}
	}
	return line, true
}
