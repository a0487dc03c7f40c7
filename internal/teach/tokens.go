package teach

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/text"
)

// A token is a word of a line, or a letter of a script whose words are not set apart.
type token struct {
	word     string // folded, without apostrophes
	elided   string // with them, if it begins with an article or the like: l'heure; "" if not
	from, to int    // where it stands in the line
	before   mark   // what stands between it and the token before
	quoted   bool   // somebody else's word
}

// A mark is what stands between two words.
type mark uint8

const (
	comma mark = 1 << iota // any punctuation, or a dash
	colon                  // what announces: a colon, a dash between blanks, an equals sign
	stop                   // the end of a sentence
	asked                  // a question mark
)

// tokenize takes a line apart. after is what stands behind its last word.
func tokenize(line string) (list []token, after mark) {
	opened := rune(0)
	from := -1 // of the word that is read
	last := 0  // where the token before ends
	add := func(to int) {
		if from < 0 {
			return
		}
		if w := foldToken(line[from:to]); w != "" {
			list = append(list, token{w, elided(line[from:to]), from, to, markOf(line[last:from]), opened != 0})
			last = to
		}
		from = -1
	}
	for i, r := range line {
		switch {
		case text.Dense(r):
			add(i)
			from = i
			add(i + utf8.RuneLen(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' || r == '\u200d' || r == '\u200c':
			if from < 0 {
				from = i
			}
		case isApostrophe(r) && from >= 0 && wordAt(line[i+utf8.RuneLen(r):]):
		default:
			add(i)
			switch {
			case opened != 0 && r == opened:
				opened = 0
			case opened == 0:
				opened = quotation(line, i, r)
			}
		}
	}
	add(len(line))
	return list, markOf(line[last:] + " ") // what ends a line does not stand inside of a word
}

// elided is a word with its apostrophe, if it has one early: "l'" and what follows.
func elided(w string) string {
	i := strings.IndexFunc(w, isApostrophe)
	if i < 1 || i > 3 {
		return ""
	}
	_, size := utf8.DecodeRuneInString(w[i:])
	return foldToken(w[:i]) + "'" + foldToken(w[i+size:])
}

// foldToken gives one spelling to a word.
func foldToken(w string) string {
	if !strings.ContainsFunc(w, func(r rune) bool { return !asFolded(r) }) {
		return w
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '\'', '’', 'ʼ', '`', '\u200d', '\u200c':
			return -1
		case 'ё':
			return 'е'
		case 'ł':
			return 'l'
		case 'ø':
			return 'o'
		}
		return r
	}, text.FoldLetters(w))
}

// asFolded reports whether a letter is its own spelling whatever stands beside it. Most of a
// table are such, and to fold each of them is most of the time that it takes to be read.
func asFolded(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r != '\'' && (r < 'A' || r > 'Z')
	case 'а' <= r && r <= 'я', 'ぁ' <= r && r <= 'ゖ', 'ァ' <= r && r <= 'ヺ', '一' <= r && r <= '鿿', '가' <= r && r <= '힣':
		return true
	}
	return false
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

func wordAt(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

// quotation is the mark that ends the quotation which r begins at byte i of line; 0: it
// begins none.
func quotation(line string, i int, r rune) rune {
	rest := line[i+utf8.RuneLen(r):]
	for _, q := range [...]string{
		"\"\"", "``", "''", "“”", "„“", "„”", "‘’", "‚‘",
		"‚’", "«»", "»«", "「」", "『』", "《》", "＂＂",
	} {
		begin, size := utf8.DecodeRuneInString(q)
		if r != begin {
			continue
		}
		end := q[size:]
		at := strings.Index(rest, end)
		if r == '\'' {
			at = -1
			if i == 0 || unicode.IsSpace(rune(line[i-1])) || line[i-1] == '(' {
				at = closingApostrophe(rest)
			}
		}
		if at >= 0 {
			c, _ := utf8.DecodeRuneInString(end)
			return c
		}
	}
	return 0
}

// closingApostrophe is where the apostrophe stands that ends a quotation; -1: nowhere.
func closingApostrophe(s string) int {
	for i := range len(s) {
		if s[i] == '\'' && !wordAt(s[i+1:]) {
			return i
		}
	}
	return -1
}

// markOf says what the characters between two words are.
func markOf(s string) mark {
	var m mark
	for i, r := range s {
		end := i+utf8.RuneLen(r) == len(s)
		next := ' '
		if !end {
			next, _ = utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		}
		spaced := unicode.IsSpace(next) || !unicode.IsLetter(next) && !unicode.IsDigit(next) && !end
		switch r {
		case '。', '！', '．', '।', '॥':
			m |= comma | stop
		case '？', '؟':
			m |= comma | stop | asked
		case '?':
			m |= comma | asked | stop
			if end && i == 0 { // inside of an address
				m = comma
			}
		case '¿':
			m |= comma
		case '.', '!', '…', ';', '；':
			m |= comma
			if spaced && !end || r == '…' || r == '；' {
				m |= stop
			}
		case ':', '：', '=':
			m |= comma | colon
		case '–', '—':
			m |= comma | colon
		case '-':
			if i > 0 && unicode.IsSpace(rune(s[i-1])) && unicode.IsSpace(next) {
				m |= comma | colon
			}
		case '>':
			if i > 0 && s[i-1] == '-' {
				m |= comma | colon
			}
		case ',', '、', '，', '(', ')', '（', '）', '/', '"', '“', '”', '»', '«', '`':
			m |= comma
		}
	}
	return m
}
