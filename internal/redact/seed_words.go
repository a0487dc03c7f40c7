package redact

import (
	"bytes"
	"crypto/sha256"
	"math/big"
	"strings"

	"ken/internal/redact/chars"
)

// maxSeedWords is how many words the longest seed has.
const maxSeedWords = 24

// seedRow returns the end of the row of words that begins at s[i], at most maxSeedWords,
// and their count. Between them may stand blanks, line ends, commas and numbers.
func seedRow(s string, i, limit int) (end, words int) {
	end = i
	common := 0
	for i < limit && words < maxSeedWords {
		stop := chars.RunOf(s[:limit], i, chars.IsLower)
		w := s[i:stop]
		if !isSeedWord(w) || stop < len(s) && (chars.IsAlnum(s[stop]) || s[stop] == '-' || s[stop] == '_' || s[stop] >= 0x80) {
			break
		}
		if chars.IsFunctionWord(w) {
			common++
		}
		words++
		end = stop
		gap := chars.RunOf(s[:limit], stop, isSeedGap)
		if gap < limit && gap > stop && s[gap] == ':' && chars.IsDigit(s[gap-1]) {
			gap = chars.RunOf(s[:limit], gap+1, isSeedGap) // "2: word"
		}
		if gap == stop {
			break
		}
		i = gap
	}
	if common*2 > words {
		return end, 0 // a sentence
	}
	return end, words
}

// isSeedGap reports whether c may stand between two words.
func isSeedGap(c byte) bool {
	return chars.IsSpace(c) || chars.IsDigit(c) || c == ',' || c == '.' || c == ')'
}

// seedLine reports whether line is the words of a seed and nothing else but blanks, a
// quote or a full stop around them, and where they stand. open says that it may become one
// when more words follow.
func seedLine(line string) (start, end int, ok, open bool) {
	for start < len(line) && (chars.IsBlank(line[start]) || chars.IsQuote(line[start])) {
		start++
	}
	i, words, common := start, 0, 0
	for i < len(line) {
		stop := chars.RunOf(line, i, chars.IsLower)
		if w := line[i:stop]; !isSeedWord(w) {
			return 0, 0, false, stop == len(line) && len(w) < 3 && words < maxSeedWords
		} else if chars.IsFunctionWord(w) {
			common++
		}
		words++
		end = stop
		if words > maxSeedWords || common*4 > words+3 {
			return 0, 0, false, false
		}
		if stop == len(line) || line[stop] != ' ' {
			break
		}
		i = stop + 1
	}
	rest := end
	for rest < len(line) && (chars.IsSpace(line[rest]) || chars.IsQuote(line[rest]) || line[rest] == '.' || line[rest] == '\\') {
		rest++
	}
	if rest < len(line) {
		return 0, 0, false, false
	}
	return start, end, words >= 12 && words%6 == 0, true
}

// isSeedWord reports whether w has the length of a word of the list, and is none of
// those that sentences are built with and the list lacks.
func isSeedWord(w string) bool {
	if len(w) < 3 || len(w) > 8 {
		return false
	}
	switch w {
	case "the", "and", "for", "are", "was", "were", "has", "had", "not", "but", "your", "yours", "our", "their", "his", "her", "its", "them", "would", "could",
		"should", "might", "those", "these", "where", "which", "why", "how", "here", "been", "being", "does", "did", "done", "too", "than", "some", "from", "with", "without", "new", "set",
		"der", "die", "das", "und", "ist", "ein", "eine", "nicht", "mit", "les", "des", "une", "est", "dans", "pour", "que", "los", "las", "del", "por", "para", "che", "non", "con", "per", "het", "een", "van":
		return false
	}
	return true
}

// numberedSeed is seedLine for words with numbers before them: "1. word 2. word", as many as
// a seed has, each with its number. Behind them the line may go on.
func numberedSeed(line string) (start, end int, ok, open bool) {
	start = chars.RunOf(line, 0, func(c byte) bool { return chars.IsBlank(c) || chars.IsQuote(c) })
	i, words := start, 0
	for words < maxSeedWords {
		stop := chars.RunOf(line, i, chars.IsDigit)
		if stop == len(line) {
			open = true
			break
		}
		if stop == i || stop-i > 2 || chars.Atoi(line[i:stop]) != words+1 {
			break
		}
		i = chars.RunOf(line, stop, func(c byte) bool { return c == '.' || c == ')' || c == ':' || c == ' ' })
		if stop = chars.RunOf(line, i, chars.IsLower); i == len(line) || !isSeedWord(line[i:stop]) {
			open = stop == len(line)
			break
		}
		words++
		end = stop
		if i = chars.RunOf(line, stop, func(c byte) bool { return c == ' ' || c == ',' }); i == len(line) {
			open = true
		}
	}
	return start, end, words >= 12 && words%3 == 0, open && words > 0
}

// isWalletKey reports whether v is the private key of a coin in the import format of wallets:
// 51 or 52 digits of base58, whose checksum is right.
func isWalletKey(v string) bool {
	if len(v) != 51 && len(v) != 52 {
		return false
	}
	n, base := new(big.Int), big.NewInt(58)
	for i := range len(v) {
		d := strings.IndexByte("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", v[i])
		if d < 0 {
			return false
		}
		n.Add(n.Mul(n, base), big.NewInt(int64(d)))
	}
	b := n.Bytes()
	if len(b) != 37 && len(b) != 38 {
		return false
	}
	once := sha256.Sum256(b[:len(b)-4])
	twice := sha256.Sum256(once[:])
	return bytes.Equal(twice[:4], b[len(b)-4:])
}
