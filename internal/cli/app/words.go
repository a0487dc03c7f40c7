package app

import (
	"context"
	"maps"
	"slices"

	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Word is something that can stand on a command line where the cursor is, with
// what it stands for, in one line. Neither holds control characters.
type Word struct{ Text, About string }

// wordWidth is how many cells of a memory tell a person which one it is.
const wordWidth = 48

// CompleteRefs are the references of the active memories, newest first. Like
// all that completion asks for, it has no fault to tell: nobody asked for more
// than a suggestion.
func (a *App) CompleteRefs(ctx context.Context) []Word {
	e, err := a.Memory()
	if err != nil {
		return nil
	}
	s, _ := e.State(ctx)
	if s == nil {
		return nil
	}
	var words []Word
	for _, it := range s.Items() {
		words = append(words, Word{it.Ref(), view.Excerpt(a.MaskText(it.Record.Content), wordWidth)})
	}
	return words
}

// CompleteSessions are the names of the conversations, newest first, but for
// single questions and commands alone.
func (a *App) CompleteSessions() []Word {
	if _, err := a.Settings(); err != nil {
		return nil
	}
	list, _, err := a.SessionDir().List()
	if err != nil {
		return nil
	}
	var words []Word
	for _, l := range list {
		if l.Turns > 0 && !l.OneShot() {
			words = append(words, Word{termsafe.Line(l.Name), view.Count(l.Turns, "turn") + ", " + view.When(l.ModTime)})
		}
	}
	return words
}

// CompletePresets are the names of the models that are configured.
func (a *App) CompletePresets() []Word {
	cfg, err := a.Settings()
	if err != nil {
		return nil
	}
	var words []Word
	for _, name := range slices.Sorted(maps.Keys(cfg.Models)) {
		words = append(words, Word{termsafe.Line(name), view.Excerpt(cfg.Models[name].Model, wordWidth)})
	}
	return words
}

// CompleteScopes are where a memory can hold.
func (a *App) CompleteScopes() []Word {
	return []Word{
		{string(memory.ScopeUser), "everywhere"},
		{"here", view.Excerpt(a.Place().Scope(), wordWidth)},
		{"repo", "this repository"},
		{"dir", "this directory"},
	}
}

// CompleteKinds are the kinds that a memory can be stated as.
func (a *App) CompleteKinds() []Word {
	var words []Word
	for _, k := range memory.StatingKinds() {
		words = append(words, Word{Text: string(k)})
	}
	return words
}
