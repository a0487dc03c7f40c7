package carryover

import (
	"path/filepath"

	"ken/internal/home"
	"ken/internal/memory"
	"ken/internal/text"
)

// Left returns the names of the files that say what is forgotten too: the working memory
// and the profile. A model is not sent those lines any more; the files have them until
// they are erased.
func Left(a *home.Home, gone []memory.Item) []string {
	var texts []string
	for _, it := range gone {
		texts = append(texts, it.Record.Content)
	}
	set := text.NewMatcher(texts...)
	var names []string
	for _, path := range []string{a.Settings.Paths().Working(), a.Settings.Paths().Profile()} {
		if text, err := read(path); err == nil && set.In(text) {
			names = append(names, filepath.Base(path))
		}
	}
	return names
}
