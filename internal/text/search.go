package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

// An index on a disk holds the words that this file and stem.go make of a text.
// Whoever changes them changes what an index says, and raises index.Reading.

// MaxWord is the longest word that counts in a search, in bytes; of a longer one its
// beginning. No language has one, and an encoded file must not fill the memory.
const MaxWord = 128

// Chunks cuts a text into what is written without a space or a mark of
// punctuation in between: words and identifiers, as a search finds them.
func Chunks(s string, yield func(string)) {
	if !ASCII(s) {
		s = norm.NFKC.String(strings.Map(unlaid, strings.ToValidUTF8(s, " ")))
	}
	if !ASCII(s) {
		tokens(s, yield)
		return
	}
	for from := 0; from < len(s); {
		to := plainTo(s, from)
		end := to
		if to > from && to < len(s) && strings.IndexByte(".,;:!?", s[to]) >= 0 {
			end++ // a mark behind a word, which is of no chunk
		}
		switch {
		case end < len(s) && !blank(s[end]): // more than a word
			for end < len(s) && !blank(s[end]) {
				end++
			}
			tokens(s[from:end], yield)
		case to > from:
			yield(s[from:to])
		}
		from = end + 1
	}
}

// plainTo is where what begins at from is no letter or digit of ASCII any more.
func plainTo(s string, from int) int {
	for from < len(s) && plain(s[from]) {
		from++
	}
	return from
}

// blank reports whether a byte of a text of ASCII is between two words, whatever stands around it.
func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// tokens is Chunks of a normalised text, by the tokens that Unicode has words made of.
func tokens(s string, yield func(string)) {
	from := -1 // where the chunk begins
	list := words.FromString(s)
	for list.Next() {
		inside := joins(list.Value())
		switch {
		case inside && from < 0:
			from = list.Start()
		case !inside && from >= 0:
			yieldChunk(s[from:list.Start()], yield)
			from = -1
		}
	}
	if from >= 0 {
		yieldChunk(s[from:], yield)
	}
}

// unlaid drops what only says how to lay out a text, such as a soft hyphen in
// the middle of a word. Selectors of variants stay, as indexes have them.
func unlaid(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

// yieldChunk yields a chunk without the Connectors at its ends, but those that
// end a name, as in C++ and C#.
func yieldChunk(s string, yield func(string)) {
	if plain(s[0]) && plain(s[len(s)-1]) {
		yield(s)
		return
	}
	s = strings.TrimLeft(s, Connectors)
	s = strings.TrimRight(s, strings.TrimSuffix(Connectors, "+#"))
	if strings.Trim(s, Connectors) != "" {
		yield(s)
	}
}

// plain reports whether a byte is a letter or digit of ASCII.
func plain(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// Connectors hold the parts of an identifier together. The last two may also
// end one.
const Connectors = "-_./:@\\+#"

// joins reports whether a token of the text may be inside a chunk: it has a
// letter, a number or a symbol in it, or is a connector.
func joins(token string) bool {
	for _, r := range token {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || Symbol(r) {
			return true
		}
	}
	return len(token) == 1 && strings.Contains(Connectors, token)
}

// Parts cuts a chunk into its parts: at Connectors and other marks, where the
// case changes, and where a script without spaces begins or ends. A symbol is a
// part of its own.
func Parts(chunk string) []string {
	var parts []string
	from := 0
	cut := func(to int) {
		if from < to {
			parts = append(parts, splitWord(chunk[from:to])...)
		}
	}
	inDense := false
	for i, r := range chunk {
		n := utf8.RuneLen(r)
		isDense := Dense(r)
		switch {
		case Symbol(r):
			cut(i)
			parts = append(parts, chunk[i:i+n])
			from = i + n
		case !isDense && !apostrophe(r) && !unicode.In(r, unicode.L, unicode.N, unicode.M):
			cut(i)
			from = i + n
		case isDense != inDense:
			cut(i)
			from = i
		}
		inDense = isDense
	}
	cut(len(chunk))
	return parts
}

// splitWord cuts an article that lost its vowel off a word ("l'avion"), and both
// where the case changes.
func splitWord(s string) []string {
	s = strings.TrimFunc(s, apostrophe)
	if i := strings.IndexFunc(s, apostrophe); i > 0 {
		_, n := utf8.DecodeRuneInString(s[i:])
		if utf8.RuneCountInString(s[:i]) <= 2 && utf8.RuneCountInString(s[i+n:]) >= 3 {
			return append(splitCase(s[:i]), splitCase(s[i+n:])...)
		}
	}
	return splitCase(s)
}

// splitCase cuts where small letters are followed by a capital, and before the
// last of several capitals that small letters follow: "parseHTTPHeader" has
// three parts.
func splitCase(s string) []string {
	var parts []string
	from := 0
	var before, last rune // the two characters before this one
	lastAt := 0
	for i, r := range s {
		switch {
		case unicode.IsUpper(r) && unicode.IsLower(last):
			parts, from = append(parts, s[from:i]), i
		case unicode.IsLower(r) && unicode.IsUpper(last) && unicode.IsUpper(before) && twoLower(s[i:]):
			parts, from = append(parts, s[from:lastAt]), lastAt
		}
		before, last, lastAt = last, r, i
	}
	if from < len(s) {
		parts = append(parts, s[from:])
	}
	return parts
}

// twoLower reports whether s begins with two small letters: one alone after
// capitals is an ending, as in "APIs".
func twoLower(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[n:])
	return unicode.IsLower(r) && unicode.IsLower(next)
}

// Symbol reports whether r means something by itself, as an emoji does. The
// character that stands for bytes that were no text does not.
func Symbol(r rune) bool { return r != utf8.RuneError && unicode.Is(unicode.So, r) }

func apostrophe(r rune) bool { return r == '\'' || r == '’' }
