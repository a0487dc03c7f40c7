package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

// A Form says how a Term stands for a word.
type Form uint8

// The forms.
const (
	Word   Form = iota // as it is written
	Stem               // without its ending
	Single             // one character of a script without spaces

	forms // how many there are
)

// A Term is what is counted and compared.
type Term struct {
	Form Form
	Text string // in one spelling, at most 128 bytes
}

// maxWord is the longest word that counts, in bytes; of a longer one its
// beginning. No language has one, and an encoded file must not fill the memory.
const maxWord = 128

// chunks cuts text into what is written without a space or a mark of
// punctuation in between: words and identifiers.
func chunks(text string, yield func(string)) {
	if !ascii(text) {
		text = norm.NFKC.String(strings.Map(visible, strings.ToValidUTF8(text, " ")))
	}
	from := -1 // where the chunk begins
	tokens := words.FromString(text)
	for tokens.Next() {
		inside := joins(tokens.Value())
		switch {
		case inside && from < 0:
			from = tokens.Start()
		case !inside && from >= 0:
			yieldChunk(text[from:tokens.Start()], yield)
			from = -1
		}
	}
	if from >= 0 {
		yieldChunk(text[from:], yield)
	}
}

// visible drops what only says how to lay out a text, such as a soft hyphen in
// the middle of a word.
func visible(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

// yieldChunk yields a chunk without the connectors at its ends, but those that
// end a name, as in C++ and C#.
func yieldChunk(s string, yield func(string)) {
	if plain(s[0]) && plain(s[len(s)-1]) {
		yield(s)
		return
	}
	s = strings.TrimLeft(s, connectors)
	s = strings.TrimRight(s, strings.TrimSuffix(connectors, "+#"))
	if strings.Trim(s, connectors) != "" {
		yield(s)
	}
}

// plain reports whether a byte is a letter or digit of ASCII.
func plain(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// connectors hold the parts of an identifier together. The last two may also
// end one.
const connectors = "-_./:@\\+#"

// joins reports whether a token of the text may be inside a chunk: it has a
// letter, a number or a symbol in it, or is a connector.
func joins(token string) bool {
	for _, r := range token {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || symbol(r) {
			return true
		}
	}
	return len(token) == 1 && strings.Contains(connectors, token)
}

// terms are what a chunk is found by.
func terms(chunk string) []Term {
	var list []Term
	parts := 0
	for _, part := range split(chunk) {
		parts++
		if first, _ := utf8.DecodeRuneInString(part); dense(first) {
			list = appendPairs(list, part)
			continue
		}
		list = appendWord(list, fold(part))
	}
	// What has several parts counts whole as well; but a sentence without spaces
	// is no name.
	if whole := fold(chunk); whole != "" && !strings.ContainsFunc(chunk, dense) {
		switch {
		case strings.ContainsFunc(whole, func(r rune) bool { return strings.ContainsRune(connectors, r) }):
			list = append(list, Term{Word, whole})
		case parts > 1:
			list = appendWord(list, whole)
		}
	}
	return list
}

// appendWord appends a word and its stem.
func appendWord(list []Term, w string) []Term {
	if w == "" {
		return list
	}
	return append(list, Term{Word, w}, Term{Stem, stemOf(w)})
}

// appendPairs appends the pairs of neighbouring characters of a run, and each
// character alone.
func appendPairs(list []Term, run string) []Term {
	chars := []rune(foldLetters(run))
	for i := range chars {
		list = append(list, Term{Single, string(chars[i])})
		if i > 0 {
			pair := string(chars[i-1 : i+1])
			list = append(list, Term{Word, pair}, Term{Stem, pair})
		}
	}
	return list
}

// split cuts a chunk into its parts: at connectors and other marks, where the
// case changes, and where a script without spaces begins or ends. A symbol is a
// part of its own.
func split(chunk string) []string {
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
		isDense := dense(r)
		switch {
		case symbol(r):
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

// symbol reports whether r means something by itself, as an emoji does. The
// character that stands for bytes that were no text does not.
func symbol(r rune) bool { return r != utf8.RuneError && unicode.Is(unicode.So, r) }

func apostrophe(r rune) bool { return r == '\'' || r == '’' }

// dense reports whether r belongs to a script whose words have no spaces in
// between, or whose particles have none before them.
func dense(r rune) bool {
	const firstDense = 0x0e00 // Thai is the first of them
	return r >= firstDense && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// fold is one spelling of a word: without possessive s, at most maxWord bytes.
func fold(s string) string {
	s = strings.Trim(strings.TrimSuffix(foldLetters(s), "'s"), "'")
	if len(s) > maxWord {
		n := maxWord
		for !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return s
}

// foldLetters gives one spelling to what are the same letters: small, and
// without accents if they are Latin or Greek.
func foldLetters(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	return foldUnicode(s)
}

func foldUnicode(s string) string {
	var b strings.Builder
	bare := false // the letter before loses its accents
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
			if bare {
				continue
			}
		case apostrophe(r):
			r = '\''
		default:
			bare = unicode.In(r, unicode.Latin, unicode.Greek)
		}
		switch r = unicode.ToLower(r); r {
		case 'ß':
			b.WriteString("ss")
		case 'ς':
			b.WriteRune('σ')
		case 'ı':
			b.WriteRune('i')
		default:
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// stemOf is the stem of a folded word, or of the form that a dictionary has of an
// irregular one: "went" finds "go". What is not written in the letters of
// English is its own stem.
func stemOf(w string) string {
	if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz'") != "" {
		return w
	}
	env := snowballstem.NewEnv(regular(w))
	english.Stem(env)
	return env.Current()
}
