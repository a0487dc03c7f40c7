//go:build linux || darwin

package edit

import (
	"strings"
	"unicode/utf8"

	"github.com/reeflective/readline"

	"ken/internal/termsafe"
)

// complete says what can stand where the cursor is.
func (e *Editor) complete(line []rune, cursor int) readline.Completions {
	if e.asking || e.o.Complete == nil {
		return readline.Completions{}
	}
	before := string(line[:min(cursor, len(line))])
	c := e.o.Complete(before)
	if len(c.Words) == 0 {
		return readline.Completions{}
	}
	if c.From == len(before) && c.From > 0 && before[c.From-1] != ' ' {
		c = widen(c, before)
	}
	word := before[c.From:]
	if !isASCII(word) {
		return e.completeHere(c, word)
	}
	words := make([]readline.Completion, len(c.Words))
	for i, w := range c.Words {
		words[i] = readline.Completion{Value: w.Text, Display: shown(w), Description: w.About}
	}
	comps := readline.CompleteRaw(words).NoSort()
	comps.PREFIX = word
	return comps
}

// widen takes what stands before an empty word into it: the library knows no
// empty ones but behind a blank.
func widen(c Completion, before string) Completion {
	from := strings.LastIndexByte(before, ' ') + 1
	words := make([]Word, len(c.Words))
	for i, w := range c.Words {
		words[i] = Word{before[from:c.From] + w.Text, w.About}
	}
	return Completion{from, words}
}

// completeHere inserts what all words go on with. The library counts bytes for
// characters there.
func (e *Editor) completeHere(c Completion, word string) readline.Completions {
	same := c.Words[0].Text
	for _, w := range c.Words {
		for !strings.HasPrefix(w.Text, same) {
			_, size := utf8.DecodeLastRuneInString(same)
			same = same[:len(same)-size]
		}
	}
	if rest, ok := strings.CutPrefix(same, word); ok && rest != "" {
		e.rl.Cursor().InsertAt([]rune(rest)...)
		return readline.Completions{}
	}
	var list []string
	for _, w := range c.Words {
		list = append(list, shown(w))
	}
	cols, _ := e.size()
	return readline.CompleteMessage("%s", termsafe.CutWith(strings.Join(list, "  "), cols-1, termsafe.Sign(e.o.ASCII)))
}

// shown is a word in a list.
func shown(w Word) string { return strings.TrimRight(w.Text, " ") }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
