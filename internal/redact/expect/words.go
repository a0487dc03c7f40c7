package expect

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/redact/chars"
	"ken/internal/redact/packed"
)

// table is every word that this package knows, with its kind and language: see its head.
// The packed tables are made of it: nothing reads it in a program that masks.
//
//go:embed words.txt
var table string

// packedWords says of what kinds a word is: packed.Words.
//
//go:embed words.bin
var packedWords string

// packedParts finds the words of the kinds of parts() within others: packed.Anchors, whose
// ID is the place of the kind there.
//
//go:embed parts.bin
var packedParts string

// A kind is one of words, or several.
type kind uint64

const (
	aNoun kind = 1 << iota
	aWord
	aLink
	aDoor
	aCode
	anAddress
	aWhere
	aNumber
	aName
	aBelow
	aPhrase
	aWeak
	anAsk
	aDevice
	aPlace
	anOwn
	anArticle
	aPress
	aTurn
	aNumbered
	aShown
	aTyped
	aDecode
	anAccount
	aNetkey
	aNetwork
	aSpeech
	aSaid
	aSign
	aSetting
	anOnce
	aLock
	aJoint
	aCall
	aSingle
	aSpelled
	aTicket
	aGroups
	aTyping
	anAnnounce
	aFinish
	aThen
	aReset
	aQuestion
)

// kindNames are what the table calls them, in their order.
func kindNames() []string {
	return strings.Fields(`noun word link door code address where number name below phrase weak ask device
		place own article press turn numbered shown typed decode account netkey network speech said
		sign setting once lock joint call single spelled ticket groups typing announce finish
		then reset question`)
}

// parts are the kinds whose words count within others.
func parts() [7]kind {
	return [...]kind{aPlace, aNumbered, aSign, aNetwork, aLock, aNoun, anAnnounce}
}

// listOf returns the words of the table that are of one of kinds: kind by kind, in its order.
func listOf(kinds kind) []string {
	var list []string
	for n, of := range kindNames() {
		for line := range strings.Lines(table) {
			name, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
			_, word, ok := strings.Cut(rest, " ")
			if ok && name == of && kinds&(1<<n) != 0 && !slices.Contains(list, word) {
				list = append(list, word)
			}
		}
	}
	return list
}

// is reports whether word, in any case, is of one of kinds.
func is(kinds kind, word string) bool { return kind(packed.Words(packedWords).Kinds(word))&kinds != 0 }

// partsIn returns the kinds of parts() of which text, in lower case, has a word: a short
// one of Latin letters only where it begins a word.
func partsIn(text string) kind {
	var found kind
	of := parts()
	packed.Anchors(packedParts).Each(text, func(id, at, end int) {
		if end-at > 4 || text[at] >= 0xd0 || at == 0 || !chars.IsAlnum(text[at-1]) {
			found |= of[id]
		}
	})
	return found
}

// anchorsOf are the words of those kinds as anchors: in all three cases, if they are not of
// ASCII, since anchors are found in any case of ASCII only.
func anchorsOf(kinds kind) []string {
	var all []string
	seen := map[string]bool{}
	add := func(a string) {
		if a = lowerASCII(a); len(a) >= 3 && !seen[a] {
			seen[a] = true
			all = append(all, a)
		}
	}
	for _, w := range listOf(kinds) {
		if len(w) == 2 {
			for _, tail := range []string{" ", ":", "?", "=", "\n", ",", "\"", "'"} {
				add(w + tail)
			}
			continue
		}
		add(w)
		if isASCII(w) {
			continue
		}
		upper := strings.ToUpper(w)
		if lowerASCII(upper) == w {
			continue // of a script without cases
		}
		c, n := utf8.DecodeRuneInString(w)
		add(string(unicode.ToUpper(c)) + w[n:])
		add(upper)
	}
	return all
}

// calls are the parts of names of calls, as anchors that end with the bracket.
func calls() []string {
	var all []string
	for _, w := range listOf(aCall | aSingle) {
		all = append(all, w+"(", w+"::new(", w+".new(", w+"::from(")
	}
	return append(all, ".open \"", "putenv(")
}

// isASCII reports whether all of s is.
func isASCII(s string) bool {
	return chars.RunOf(s, 0, func(c byte) bool { return c < utf8.RuneSelf }) == len(s)
}

// lowerASCII is s with its letters of ASCII in lower case, as anchors have them.
func lowerASCII(s string) string {
	if chars.RunOf(s, 0, func(c byte) bool { return !chars.IsUpper(c) }) == len(s) {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if chars.IsUpper(c) {
			b[i] = c | 0x20
		}
	}
	return string(b)
}
