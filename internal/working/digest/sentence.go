package digest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/text"
)

// longest is the most characters of a line: a long sentence, with a path or two.
const longest = 280

// clip is a sentence as a line, cut if it is long.
func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if text.CutRunes(s, longest) == s {
		return s
	}
	s = text.CutRunes(s, longest-1)
	if end := strings.LastIndexByte(s, ' '); end > len(s)/2 {
		s = s[:end]
	}
	return s + "…"
}

// sentences are those of a text, without what stands in code blocks or is quoted.
func sentences(said string) []string {
	var out []string
	fenced := false
	for l := range strings.Lines(said) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~") {
			fenced = !fenced
			continue
		}
		// What a model offered and nobody ran is no answer to go on from.
		if fenced || l == "" || strings.HasPrefix(l, ">") || strings.HasPrefix(l, "CMD:") {
			continue
		}
		out = append(out, split(strings.TrimSpace(strings.TrimLeft(l, "#*- \t")))...)
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

func firstSentence(text string) string {
	for _, s := range sentences(text) {
		if weighs(s) {
			return s
		}
	}
	return ""
}

// split parts a line behind the marks that end a sentence, where a blank follows: a
// dot in a name, a path or a number ends none. Sentences of Chinese and Japanese end
// without blanks.
func split(l string) []string {
	var out []string
	from := 0
	runes := []rune(l)
	for i, r := range runes {
		ends := false
		switch r {
		case '。', '！', '？':
			ends = true
		case '.', '!', '?':
			ends = i+1 < len(runes) && runes[i+1] == ' ' && !abbreviates(runes[from:i])
		}
		if ends {
			out = append(out, strings.TrimSpace(string(runes[from:i+1])))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(string(runes[from:])))
}

// abbreviates reports whether the dot behind before belongs to its last word: "e.g.",
// "Dr.", an initial.
func abbreviates(before []rune) bool {
	at := len(before)
	for at > 0 && before[at-1] != ' ' {
		at--
	}
	last := strings.ToLower(string(before[at:]))
	return utf8.RuneCountInString(last) == 1 && !unicode.IsDigit(before[len(before)-1]) && last != "i" ||
		slices.Contains([]string{"e.g", "i.e", "z.b", "etc", "dr", "mr", "mrs", "ms", "vs", "cf", "approx", "no"}, last)
}

// isQuestion reports whether a sentence wants something to be said or done now.
func isQuestion(s string) bool {
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
		return true
	}
	lower := strings.ToLower(s)
	if strings.HasPrefix(lower, "do not ") || strings.HasPrefix(lower, "make sure ") {
		return false
	}
	first, rest, _ := strings.Cut(lower, " ")
	for slices.Contains([]string{"please", "now", "then", "ok", "okay", "so", "and", "but", "also"}, strings.TrimRight(first, ",")) && rest != "" {
		first, rest, _ = strings.Cut(rest, " ")
	}
	return slices.Contains([]string{
		"what", "why", "how", "when", "where", "who", "which", "whose", "is", "are", "was", "were", "do", "does", "did", "can", "could",
		"would", "should", "will", "show", "tell", "explain", "write", "find", "list", "give", "help", "fix", "make", "check", "look", "try", "run",
		"summarize", "translate", "remove", "delete", "add", "create", "rename", "move", "open", "print", "compare", "update", "install", "start", "stop",
	}, strings.TrimRight(first, ","))
}

// isOrder reports whether a sentence says how things are to be from now on.
func isOrder(s string) bool {
	for _, w := range text.Spoken(s) {
		switch w {
		case "always", "never", "don't", "must", "only", "prefer", "instead", "remember", "decided", "agreed", "use", "called", "not",
			"immer", "nie", "nicht", "siempre", "nunca", "toujours", "jamais":
			return true
		}
	}
	return false
}

// hasName reports whether a sentence holds what nobody can guess: a number, a path,
// an address, a name in the middle of it, something in quotes.
func hasName(s string) bool {
	for i, w := range strings.Fields(s) {
		w = strings.Trim(w, ".,;:!?()")
		first, _ := utf8.DecodeRuneInString(w)
		switch {
		case strings.ContainsAny(w, "0123456789/_@`\"'=~\\") && !strings.HasPrefix(w, "'") && !contracted(w):
			return true
		case strings.Contains(w, ".") || strings.Contains(w, "::"):
			return true
		case i > 0 && unicode.IsUpper(first) && utf8.RuneCountInString(w) > 1:
			return true
		}
	}
	return false
}

// contracted reports whether the only mark in a word is an apostrophe: "don't".
func contracted(w string) bool {
	return strings.Contains(w, "'") && !strings.ContainsAny(w, "0123456789/_@`\"=~\\")
}

// contents are the words of a sentence that carry it, in lower case.
func contents(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?()[]{}\"`", r)
	}) {
		if !empty(w) {
			out = append(out, w)
		}
	}
	return out
}

// weighs reports whether a sentence says more than yes or thanks. Chinese, Japanese
// and Thai have no blanks between words.
func weighs(s string) bool {
	if len(contents(s)) >= 2 || hasName(s) {
		return true
	}
	n := 0
	for _, r := range s {
		if text.Unspaced(r) {
			n++
		}
	}
	return n >= 4
}

func words(s string) map[string]bool {
	has := make(map[string]bool)
	for _, w := range contents(s) {
		has[w] = true
	}
	return has
}

// empty reports whether a word says nothing by itself.
func empty(w string) bool {
	switch w {
	case "", "a", "an", "the", "and", "or", "but", "so", "of", "to", "in", "on", "at", "by", "for", "with", "from", "is", "are", "was", "were",
		"be", "been", "it", "its", "this", "that", "these", "those", "i", "i'm", "you", "we", "me", "my", "our", "your", "they", "he", "she",
		"ok", "okay", "yes", "no", "thanks", "thank", "please", "hi", "hello", "great", "good", "nice", "cool", "right", "sure", "well", "do", "go", "then",
		"now", "just", "also", "as", "if", "will", "can", "have", "has", "had", "not":
		return true
	}
	return false
}
