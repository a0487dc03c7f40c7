package text

import (
	"strings"
	"sync"
)

// odd are the words that the rules of English.Stem change before their last two letters, or that its
// exceptions name.
const odd = "skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos bias andes"

// formsOf are, by stem, the words of which no ending tells that they have it.
var formsOf = sync.OnceValue(func() map[string][]string {
	of := make(map[string][]string)
	add := func(w string) { of[Stem(w)] = append(of[Stem(w)], w) }
	for form := range irregular() {
		add(form)
	}
	for w := range strings.FieldsSeq(odd) {
		add(w)
	}
	return of
})

// Beginnings returns what words begin with, as FoldWord gives them, that have a stem, as Stem gives it:
// each of them begins with one of these. Words that do not have it may as well.
func Beginnings(stem string) []string {
	if strings.Trim(stem, letters) != "" {
		return []string{stem} // of itself alone
	}
	// The rules cut an ending, and then may put one letter for another or behind; after "-bility" two.
	keep := len(stem) - 1
	if strings.HasSuffix(stem, "bl") || strings.HasSuffix(stem, "ble") {
		keep--
	}
	return append([]string{stem[:max(keep, 0)]}, formsOf()[stem]...)
}
