package why

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quotedWidth is how much of the one memory of a kind is quoted, in cells.
const quotedWidth = 48

// phrase is what stands behind the kind of a memory where a person names it, such as "for
// short answers" behind "your preference". "" where no plain English form was found: then
// it is quoted.
func phrase(kind, content string) string {
	for _, f := range frames(kind) {
		if rest, ok := f.after(content); ok {
			return f.of(rest)
		}
	}
	if kind == "pref" && bare(content) {
		return "for " + overTo(content)
	}
	return ""
}

// A wish is a way in which a memory of a kind begins in English, and the preposition that
// takes its place.
type wish struct {
	subjects, verbs []string
	link            string // before a noun
}

// frames are the ways for a kind.
func frames(kind string) []wish {
	who := []string{"i ", "i'd ", "i’d ", "we ", "we'd ", "the user ", "user ", ""}
	switch kind {
	case "pref":
		return []wish{
			{who, []string{
				"don't like ", "do not like ", "doesn't like ", "dislike ", "dislikes ", "hate ", "hates ", "don't want ", "do not want ",
			}, "against"},
			{who, []string{
				"would prefer ", "would like ", "prefer ", "prefers ", "like ", "likes ", "want ", "wants ", "love ", "loves ",
			}, "for"},
		}
	case "goal":
		return []wish{{who, []string{"want ", "wants ", "would like ", "plan ", "plans ", "aim ", "aims "}, ""}, {[]string{""}, []string{""}, ""}}
	case "decision":
		return []wish{{who, []string{"decided ", "agreed ", "have decided ", "have agreed "}, ""}}
	}
	return nil
}

// after is what follows the beginning in a text.
func (f wish) after(text string) (rest string, ok bool) {
	for _, s := range f.subjects {
		behind, ok := cutFold(text, s)
		if !ok {
			continue
		}
		for _, adverb := range []string{"", "always ", "usually ", "generally ", "strongly ", "really ", "much "} {
			from, ok := cutFold(behind, adverb)
			for _, v := range f.verbs {
				if rest, is := cutFold(from, v); ok && is {
					return rest, true
				}
			}
		}
	}
	return "", false
}

// of is what is said of what follows, up to the end of its first sentence: "to" and a verb,
// or the preposition and a noun. "" where it is neither.
func (f wish) of(rest string) string {
	rest = firstSentence(rest)
	first, _, _ := strings.Cut(strings.ToLower(rest), " ")
	switch {
	case rest == "" || width(rest) > quotedWidth:
		return ""
	case first == "to":
		return rest
	case f.link == "" || slices.Contains(strings.Fields(noNouns), first):
		return ""
	case f.link == "for":
		rest = overTo(rest)
	}
	return f.link + " " + rest
}

// noNouns are words with which a clause begins, or what is no thing to be preferred.
const noNouns = "it that if when you your me us not no never always how what whenever being do don't please"

// firstSentence is a text up to where its first clause ends, without what ends it.
func firstSentence(text string) string {
	for _, end := range []string{
		". ", "; ", "! ", ": ", " - ", " – ", " — ", " because ", " since ", ", so ", ", not ", ", no ", ", but ", ", and ",
	} {
		text, _, _ = strings.Cut(text, end)
	}
	return strings.TrimRight(strings.TrimSpace(text), ".;!,:")
}

// overTo has who prefers one thing to another prefer it over that.
func overTo(text string) string {
	if before, after, ok := strings.Cut(text, " to "); ok && !strings.Contains(after, " to ") {
		return before + " over " + after
	}
	return text
}

// bare reports whether a preference is a few words that name a thing, such as "short
// answers": small letters, and none of the words that make a clause or an order of it.
func bare(text string) bool {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > 5 || width(text) > quotedWidth {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(words[0]); !unicode.IsLower(first) || first > unicode.MaxLatin1 {
		return false
	}
	if slices.Contains(strings.Fields(noNouns+orders), words[0]) {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && !unicode.IsDigit(r) }) ||
			slices.Contains(strings.Fields(clauses), w)
	})
}

// orders are verbs that begin an order. They are few: a preference that is called by an odd
// phrase misleads nobody.
const orders = " use answer reply respond write speak talk say tell show give keep make be run call put add avoid skip leave stop " +
	"start begin end ask print send sign name format wrap indent commit test check explain read open prefer only don't dont do does " +
	"use using i we user the my our"

// clauses are words that make a sentence of some words, or a place in one.
const clauses = "is are was were be am has have should must will would can in on at with when if " +
	"because unless before after by from i you we they it"

func width(text string) int { return len([]rune(text)) }

// cutFold is strings.CutPrefix whatever the case.
func cutFold(text, prefix string) (rest string, ok bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}
