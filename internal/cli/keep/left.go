package keep

import (
	"path/filepath"
	"strings"

	"ken/internal/cli/app"
	"ken/internal/memory"
	"ken/internal/wording"
)

// TellLeft warns who forgets something that the working memory or the profile says
// it too. A model is not sent those lines any more; the files have them until they are
// erased.
func TellLeft(a *app.App, gone []memory.Item) {
	var texts []string
	for _, it := range gone {
		texts = append(texts, it.Record.Content)
	}
	set := wording.NewSet(texts...)
	var names []string
	for _, path := range []string{a.Paths().Working(), a.Paths().Profile()} {
		if text, err := read(path); err == nil && set.In(text) {
			names = append(names, filepath.Base(path))
		}
	}
	if len(names) > 0 {
		a.Say("ken: warning: ", "it still stands in "+strings.Join(names, " and in ")+": those lines are not sent any more; "+a.Verb("erase")+" looks into both")
	}
}
