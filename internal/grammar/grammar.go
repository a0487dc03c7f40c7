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
	KindNone      Kind = iota // not for ken: the line is for the model, or a search
	KindRemember              // to state Text
	KindForget                // to find what Text means, and to ask whether to forget it
	KindForgetAll             // to find all that is of the project Text, and to ask whether to forget it
	KindKnowAbout             // what is remembered about Text
	KindSaidAbout             // what was said about Text in conversations
)

// String returns the kind as a word for tests and traces.
func (k Kind) String() string {
	return [...]string{"none", "remember", "forget", "forget all", "know about", "said about"}[k]
}

// A Sentence is what Parse understood. The zero Sentence is of KindNone.
type Sentence struct {
	Kind Kind
	Text string // what it is about, as typed; empty if and only if Kind is KindNone
}

// Remember returns what a line asks to remember; false if it asks for nothing, or
// for something else.
func Remember(line string) (text string, ok bool) {
	s := Parse(line)
	if s.Kind != KindRemember {
		return "", false
	}
	return s.Text, true
}

// MaxLine is the longest line that can be a sentence, in bytes: some twenty lines
// of a terminal. What is longer was not typed.
const MaxLine = 2000

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
		{[]string{"remember", "that"}, KindRemember, clause},
		{[]string{"remember", "that:"}, KindRemember, statement},
		{[]string{"remember:"}, KindRemember, statement},
		{[]string{"forget", "everything", "about"}, KindForgetAll, project},
		{[]string{"forget", "everything", "of"}, KindForgetAll, project},
		{[]string{"forget", "everything", "in"}, KindForgetAll, project},
		{[]string{"forget", "all", "about"}, KindForgetAll, project},
		{[]string{"forget", "all", "of"}, KindForgetAll, project},
		{[]string{"forget", "about", "project"}, KindForgetAll, project},
		{[]string{"forget", "about", "repo"}, KindForgetAll, project},
		{[]string{"forget", "about"}, KindForget, object},
		{[]string{"forget", "that"}, KindForget, forgottenClause},
		{[]string{"forget"}, KindForget, object},
		{[]string{"what", "do", "you", "know", "about"}, KindKnowAbout, subject},
		{[]string{"what", "did", "we", "say", "about"}, KindSaidAbout, subject},
	}
}

// Parse reads one typed line.
func Parse(line string) Sentence {
	if !typed(line) {
		return Sentence{}
	}
	rest := polite(line)
	if n := len("remember:"); len(rest) > n && is(rest[:n], "remember:") {
		rest = rest[:n] + " " + rest[n:] // the space may be missing
	}
	for _, f := range forms() {
		after, ok := cutWords(rest, f.words)
		if !ok {
			continue
		}
		after = strings.TrimSpace(after)
		if quoted(after) {
			return Sentence{}
		}
		if text := f.takes(after); meaningful(text) {
			return Sentence{f.kind, text}
		}
		return Sentence{}
	}
	return Sentence{}
}

// polite cuts off by what a person may call ken, and "please".
func polite(line string) string {
	word, rest := cutWord(line)
	if is(word, "hey") || is(word, "ok") {
		if next, after := cutWord(rest); is(next, "ken") || is(next, "ken,") {
			word, rest, line = next, after, rest
		}
	}
	if is(word, "ken") || is(word, "ken,") {
		line = rest
		word, rest = cutWord(line)
	}
	if is(word, "please") || is(word, "please,") {
		line = rest
	}
	return strings.TrimSpace(line)
}

// quoted reports whether text begins as what somebody else said.
func quoted(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return strings.ContainsRune("\"'`>“”„«»‘’", r)
}

// typed reports whether line can be one line that a person typed.
func typed(line string) bool {
	if len(line) > MaxLine || !utf8.ValidString(line) {
		return false
	}
	for _, r := range line {
		if r != '\t' && unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	return true
}

// meaningful reports whether there is anything in text to look for.
func meaningful(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// statement takes anything but a question and a single letter.
func statement(rest string) string {
	if asks(rest) || utf8.RuneCountInString(rest) < 2 {
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
	case "one", "when":
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

// project takes the name of a project, at most three words: "project tea", "the repo
// tea", "this project". What the conversation is about is none.
func project(rest string) string {
	rest = strings.TrimRight(rest, " \t.!")
	for _, fixed := range []string{"the", "my", "project", "repo", "repository"} {
		if word, after := cutWord(rest); is(word, fixed) && strings.TrimSpace(after) != "" {
			rest = strings.TrimSpace(after)
		}
	}
	words := strings.Fields(rest)
	if len(words) == 2 && plain(words[0]) == "this" {
		switch plain(words[1]) {
		case "project", "repo", "repository":
			return rest
		}
	}
	if len(words) > 3 {
		return ""
	}
	return object(rest)
}

// forgottenClause takes what may have been remembered as "that X". With
// punctuation at its first word it is another sentence ("forget that, use ...").
func forgottenClause(rest string) string {
	words := strings.Fields(rest)
	if clause(rest) == "" || len(words) > 2*maxObject || slices.ContainsFunc(words, talk) || plain(words[0]) != strings.ToLower(words[0]) {
		return ""
	}
	switch words[0] {
	case "for", "and", "or", "but", "then", "now", "please", "just", "if", "about", "to", "whole":
		return ""
	}
	return strings.TrimRight(rest, " \t.!")
}

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
