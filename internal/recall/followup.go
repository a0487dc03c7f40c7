package recall

import (
	"slices"
	"strings"

	"ken/internal/index"
	"ken/internal/text"
)

// The limits of what may go on with something.
const (
	// mostOwn is how many words of its own, that carry meaning, a question may have.
	mostOwn = 3
	// mostBack is how many questions are looked at that came before.
	mostBack = 4
	// maxFollowed is the longest question, in bytes.
	maxFollowed = 300
)

// A Follow says with what a question goes on.
type Follow struct {
	Text string // the question before it
	// Only says that the question has no words of its own that carry meaning.
	Only bool
	// Refers says that it refers to something in so many words, such as "that"; else
	// it begins with "and" or the like, and may be about something else.
	Refers bool
}

// FollowOf returns with which of the questions before it, of which the newest is the first,
// a question may go on: the newest that does not itself go on with another. ok is
// false if there is none, or it goes on with nothing.
func FollowOf(question string, before []string) (f Follow, ok bool) {
	goes, refers := reads(question)
	if !goes {
		return f, false
	}
	for _, b := range before[:min(len(before), mostBack)] {
		if on, _ := reads(b); on {
			continue
		}
		b = strings.TrimSpace(b)
		if b == "" || len(b) > maxFollowed || strings.ContainsAny(b, "\n\r") || index.Meant(b) == 0 {
			return f, false
		}
		return Follow{Text: b, Only: index.Meant(question) == 0, Refers: refers}, true
	}
	return f, false
}

// reads reports whether a question may go on with another, and whether it refers to
// something.
func reads(question string) (goes, refers bool) {
	question = strings.ToLower(strings.TrimSpace(question))
	if question == "" || len(question) > maxFollowed || strings.ContainsAny(question, "\n\r") {
		return false, false
	}
	words := text.Spoken(question)
	meant := index.Meant(question)
	if len(words) == 0 || meant > mostOwn {
		return false, false
	}
	refers = refer(words)
	switch {
	case refers, begins(words):
		return true, refers
	case meant == 0: // "why?" goes on, "who am I?" does not
		return !slices.ContainsFunc(words, person), true
	}
	return false, false
}

// begins reports whether the words begin as what goes on does.
func begins(words []string) bool {
	switch words[0] {
	case "and", "but", "or", "so", "then", "also":
		return true
	case "what", "how":
		return len(words) > 1 && words[1] == "about"
	}
	return false
}

// refer reports whether one of the words stands for something that was named.
func refer(words []string) bool {
	for i, w := range words {
		switch w {
		case "that", "this", "those", "these", "they", "them", "their", "its", "ones":
			return true
		case "it":
			// What time it is, and whether it rains, is about nothing that was named.
			if i == 0 || i == 1 && (words[0] == "is" || words[0] == "was") || i > 1 && words[i-1] == "is" && (words[i-2] == "time" || words[i-2] == "day") {
				continue
			}
			return true
		case "same":
			return true
		}
	}
	return false
}

// person reports whether a word stands for who talks or is talked to.
func person(w string) bool {
	switch w {
	case "i", "me", "my", "we", "us", "our", "you", "your", "am":
		return true
	}
	return false
}
