package app

import (
	"context"
	"strings"

	"ken/internal/grammar"
	"ken/internal/index"
	"ken/internal/view"
)

// answerLines is the most that the built-in answerer quotes.
const answerLines = 5

// Answer answers a question from memory and conversations, without a model: with
// at most five memories or turns. None means that nothing is known.
func (a *App) Answer(ctx context.Context, line string) ([]Found, error) {
	text, in := line, []index.Source{index.Memory, index.Sessions}
	switch s := grammar.Parse(line); s.Kind {
	case grammar.SaidAbout:
		text, in = s.Text, []index.Source{index.Sessions}
	case grammar.KnowAbout:
		text = s.Text
	}
	l, err := a.Library(ctx, in...)
	if err != nil {
		return nil, err
	}
	return l.Find(ctx, Search{Text: text, K: answerLines})
}

// NothingKnown is the answer when nothing was found.
const NothingKnown = "Nothing is known about that."

// FoundText is what was found, for a person, a line each, without a final line
// end. explain says of each what its score is made of.
func FoundText(found []Found, explain bool) string {
	if len(found) == 0 {
		return NothingKnown
	}
	lines := make([]string, len(found))
	for i, f := range found {
		lines[i] = view.HitText(f.Hit, f.At, explain)
	}
	return strings.Join(lines, "\n")
}
