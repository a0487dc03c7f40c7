package repl

import (
	"errors"
	"strings"
)

// ErrQuote says that a quote is not closed.
var ErrQuote = errors.New("a quote is not closed")

// SplitWords splits at blanks. Quotes of either kind hold words together, and a
// backslash outside single quotes takes the next character as it is.
func SplitWords(s string) ([]string, error) {
	var words []string
	for s = strings.TrimLeft(s, " \t"); s != ""; {
		word, rest, err := CutQuoted(s)
		if err != nil {
			return nil, err
		}
		words, s = append(words, word), rest
	}
	return words, nil
}

// CutQuoted cuts the first such word off s, without its quotes.
func CutQuoted(s string) (word, rest string, err error) {
	var b strings.Builder
	var quote rune
	escaped := false
	for i, r := range s {
		switch {
		case escaped:
			b.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case quote == 0 && (r == ' ' || r == '\t'):
			return b.String(), strings.TrimLeft(s[i:], " \t"), nil
		default:
			b.WriteRune(r)
		}
	}
	if quote != 0 {
		return "", "", ErrQuote
	}
	if escaped {
		b.WriteByte('\\')
	}
	return b.String(), "", nil
}
