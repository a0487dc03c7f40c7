package app

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/index"
	"ken/internal/teach"
	"ken/internal/tokens"
	"ken/internal/view/why"
)

// AnswerLines is the most that is quoted without being asked for a number.
const AnswerLines = 5

// Answer answers a question from the memory of a moment and from conversations, without a
// model: with at most AnswerLines memories that hold here, or turns. None means that nothing is known. typed
// says that a person typed the line, which is then read by package teach.
func Answer(ctx context.Context, m *Moment, line string, typed bool) ([]Found, error) {
	text, in := line, []index.Source{index.Memory, index.Sessions}
	var q teach.Question
	if typed {
		q = teach.ReadQuestion(line)
	}
	switch {
	case q.Said:
		text, in = q.About, []index.Source{index.Sessions}
	case q.About != "":
		text = q.About
	case typed:
		text = cmp.Or(teach.Read(line).Text, line)
	}
	// A question is answered as a model would answer it: from what holds here.
	// Who asks what is known gets all of it.
	here := q.About == ""
	l, err := OpenLibraryIn(ctx, m, in...)
	if err != nil {
		return nil, err
	}
	return l.Find(ctx, Query{Text: text, K: AnswerLines, Here: here, Embeddings: true})
}

// AsksSaid reports whether a typed line asks what was said about something.
func AsksSaid(line string) bool { return teach.ReadQuestion(line).Said }

// NothingKnown is the answer when nothing was found.
const NothingKnown = "Nothing is known about that."

// AnswerText returns what was found, for a person, a line each, without a final line
// end. explain says of each what its score is made of.
func AnswerText(found []Found, explain bool) string {
	if len(found) == 0 {
		return NothingKnown
	}
	lines := make([]string, len(found))
	for i, f := range found {
		lines[i] = f.Hit.Text(f.At, explain)
	}
	return strings.Join(lines, "\n")
}

// NamedText is AnswerText with repositories called as a person at a calls them.
func NamedText(a *View, found []Found, explain bool) string {
	scopes := make([]string, len(found))
	for i, f := range found {
		scopes[i] = f.Scope
	}
	names, shown := a.Here.Names(scopes...), slices.Clone(found)
	for i := range shown {
		shown[i].Scope = names.Of(shown[i].Scope)
	}
	return AnswerText(shown, explain)
}

// Fitting returns how many of found, from the first, fit in so many tokens as lines of
// text; all of them if budget is 0.
func Fitting(found []Found, budget int) int {
	if budget <= 0 {
		return len(found)
	}
	for i := range found {
		if tokens.Estimate(AnswerText(found[:i+1], false)) > budget {
			return i
		}
	}
	return len(found)
}

// NoteUse notes that the memories in found were of use, since an answer quotes them.
func NoteUse(ctx context.Context, a *View, found []Found) {
	var refs []string
	for _, f := range found {
		if f.In == string(index.Memory) {
			refs = append(refs, f.Ref)
		}
	}
	a.Uses.Used(ctx, refs...)
}

// Envelope returns where what was found comes from.
func Envelope(a *View, found []Found) why.Envelope {
	e := why.Envelope{Source: why.SourceMemory, Count: len(found), Context: why.Context{Scope: a.Here.Place().Scope()}}
	for _, f := range found {
		e.Items = append(e.Items, why.Ground{
			Ref: f.Ref, Kind: f.Kind, Scope: f.Scope, TS: f.TS, Content: a.Keys.MaskText(f.Content),
			Why: "found in " + f.In, Score: &f.Score, Parts: f.Parts,
		})
	}
	return e
}
