package turn

import (
	"context"
	"path/filepath"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/text"
)

// Replaced drops what is so no more, behind a line that says what it replaces, without a conversation.
func Replaced(ctx context.Context, a *app.View) {
	if s, err := a.Memory.State(ctx); err == nil { // it was just written to
		(&carryOver{app: a}).drop(ctx, s)
	}
}

// drop takes what is so no more in a memory out of the working memory, and out of what the
// conversation began with and sums up: a correction is not to stand beside what it corrects.
// What was said in turns stays.
func (c *carryOver) drop(ctx context.Context, s *memory.State) {
	c.old = app.Outdated(s)
	if c.old == nil || c.app.Settings.ReadOnly() {
		return
	}
	if err := c.app.Working().Drop(context.WithoutCancel(ctx), c.old); err != nil {
		c.app.Warn(fault.Once(err))
	}
}

// Left returns the names of the files that say what is forgotten too: the working memory
// and the profile. A model is not sent those lines any more; the files have them until
// they are erased.
func Left(a *app.View, gone []memory.Item) []string {
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
