package app

import (
	"context"
	"maps"
	"slices"
	"strings"

	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// A Word is something that can stand on a command line where the cursor is, with
// what it stands for, in one line. Neither holds control characters.
type Word struct{ Text, About string }

// wordWidth is how many cells of a memory tell a person which one it is.
const wordWidth = 48

// CompleteRefs are the references of the active memories, newest first, at most
// maxWords. Like all that completion asks for, it has no fault to tell: nobody
// asked for more than a suggestion.
func (a *App) CompleteRefs(ctx context.Context) []Word { return a.refs(ctx, "") }

// maxWords is the most words that are offered: more than a person looks through,
// and few enough that a large memory costs no wait.
const maxWords = 100

// refs are those that begin with prefix.
func (a *App) refs(ctx context.Context, prefix string) []Word {
	s := a.known(ctx)
	if s == nil {
		return nil
	}
	var words []Word
	for _, it := range s.Items() {
		if len(words) == maxWords {
			break
		}
		if ref := it.Ref(); strings.HasPrefix(ref, prefix) {
			words = append(words, Word{ref, view.Excerpt(a.MaskText(it.Record.Content), wordWidth)})
		}
	}
	return words
}

// known is the memory, as far as it can be read; nil if it cannot.
func (a *App) known(ctx context.Context) *memory.State {
	e, err := a.Memory()
	if err != nil {
		return nil
	}
	s, _ := e.State(ctx)
	return s
}

// lines are the newest lines of the own log that undo can take back, newest
// first.
func (a *App) lines(ctx context.Context) []Word {
	s := a.known(ctx)
	if s == nil {
		return nil
	}
	const newest = 20
	var words []Word
	for n := s.MaxID(""); n > 0 && len(words) < newest; n-- {
		ch, ok := s.Line(memory.Num(n))
		if !ok || ch.Undone || ch.Record.Kind == memory.KindErased || ch.Record.Kind == memory.KindTouch {
			continue
		}
		about := view.ChangeText(ch)
		if s.Status(ch.ID) == memory.StatusForgotten {
			about = string(ch.Record.Kind) + " (forgotten)"
		}
		words = append(words, Word{ch.ID.String(), view.Excerpt(a.MaskText(about), wordWidth)})
	}
	return words
}

// Complete are the words for an operand or a flag's value whose name on the usage
// line is what:
//
//	REF      an active memory       SCOPE   where a memory holds
//	LINE     what undo takes back   KIND    what a memory can be stated as
//	SESSION  a conversation         PRESET  a model that is configured
//
// Names and lower-case words that "|" or "," part are any of these; words stand
// for themselves. None of a name that is not listed, or in no file, is nil; some
// of what is given may not begin with prefix.
func (a *App) Complete(ctx context.Context, what, prefix string) []Word {
	var words []Word
	for _, name := range strings.FieldsFunc(what, func(r rune) bool { return r == '|' || r == ',' }) {
		switch name = strings.TrimSuffix(name, "..."); {
		case name == "REF":
			words = append(words, a.refs(ctx, prefix)...)
		case name == "LINE":
			words = append(words, a.lines(ctx)...)
		case name == "SESSION":
			words = append(words, a.CompleteSessions()...)
		case name == "PRESET":
			words = append(words, a.CompletePresets()...)
		case name == "SCOPE":
			words = append(words, a.CompleteScopes()...)
		case name == "KIND":
			words = append(words, a.CompleteKinds()...)
		case name == strings.ToLower(name):
			words = append(words, Word{Text: name})
		}
	}
	return words
}

// Operand is the name of the operand at place n, from 0, on a usage line such as
// "pin REF..." or "add [flags] KIND TEXT": "REF", "KIND"; "" if there is none. The
// last one stands for all that follow where three dots say so.
func Operand(use string, n int) string {
	var names []string
	value := false // the word is that of a flag
	for _, word := range strings.Fields(use)[1:] {
		switch flag := strings.HasPrefix(word, "-"); {
		case flag || value:
			value = flag
		case word != "[flags]" && !strings.HasPrefix(word, "[-"):
			names = append(names, strings.Trim(word, "[]"))
		}
	}
	switch last := len(names) - 1; {
	case n <= last:
		return strings.TrimSuffix(names[n], "...")
	case last >= 0 && strings.Contains(names[last], "..."):
		return strings.TrimSuffix(names[last], "...")
	}
	return ""
}

// CompleteSessions are the names of the conversations, newest first, but for
// single questions.
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
		if !l.OneShot() {
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
	if _, err := a.Settings(); err != nil {
		return nil
	}
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
		words = append(words, Word{string(k), aboutKind(k)})
	}
	return words
}

// aboutKind says what a kind is for.
func aboutKind(k memory.Kind) string {
	switch k {
	case memory.KindFact:
		return "something that is so"
	case memory.KindPref:
		return "how you like things"
	case memory.KindSetting:
		return "what you are in the middle of"
	case memory.KindDecision:
		return "what was decided, and why"
	case memory.KindWorkflow:
		return "how something is done"
	case memory.KindGotcha:
		return "what goes wrong, and how to avoid it"
	case memory.KindConvention:
		return "how a project does things"
	case memory.KindGoal:
		return "what you want to get to"
	case memory.KindLesson:
		return "what experience taught"
	case memory.KindRetro:
		return "how a piece of work went"
	case memory.KindPattern:
		return "what keeps coming back"
	case memory.KindRule:
		return "what must always or never be done"
	case memory.KindSource:
		return "where something can be looked up"
	}
	return ""
}
