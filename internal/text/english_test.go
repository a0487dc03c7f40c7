package text

import (
	"strings"
	"testing"
)

// TestEnglish: the files of data say one thing of each word, in the spelling in which
// they are asked.
func TestEnglish(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for line := range dataLines(irregularText) {
		word, forms, ok := strings.Cut(line, ": ")
		if !ok || FoldWord(word) != word {
			t.Errorf("%q names no word", line)
		}
		for form := range strings.FieldsSeq(forms) {
			if seen[form] || FoldWord(form) != form || regular(form) != word || Stem(form) != Stem(word) {
				t.Errorf("%q: %q is %q", line, form, regular(form))
			}
			seen[form] = true
		}
	}
	stops := 0
	for line := range dataLines(stopText) {
		for word := range strings.FieldsSeq(line) {
			if stops++; !IsStop(word) || FoldWord(word) != word {
				t.Errorf("%q is no word of no meaning", word)
			}
		}
	}
	if len(seen) < 100 || stops < 100 || IsStop("kettle") || regular("kettle") != "kettle" {
		t.Errorf("%d forms, %d words of no meaning", len(seen), stops)
	}
}
