package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ken/internal/memory"
	"ken/internal/redact"
)

// A Candidate is a text that a person may want kept. It is no memory.
type Candidate struct {
	Kind    memory.Kind
	Content string
	// Origin is the least trusted of all that can have fed it: user for a sentence
	// of the person's own, else model at best.
	Origin memory.Origin
	Turn   int          // that it rests on, typed by the person; 0: none
	Scope  memory.Scope // where the person stood then; "" if it is not known
	Flags  []string     // what to look at twice; advice, and nothing rests on it
}

// ErrNothingTyped says that there is no word of the person to go by.
var ErrNothingTyped = errors.New("nothing that you typed is left to read")

// An UnreadableError says that a model's answer has no candidate in it, and does not
// say that there is none.
type UnreadableError struct{ Bytes int }

func (e *UnreadableError) Error() string {
	if e.Bytes == 0 {
		return "the model's answer was empty"
	}
	return fmt.Sprintf("the model's answer (%d bytes) holds no candidate", e.Bytes)
}

// Ask has a model make candidates of the passages. None is a normal outcome. The
// error is ErrNothingTyped, an *UnreadableError or the model's.
func Ask(ctx context.Context, m Model, list []Passage) ([]Candidate, error) {
	window := Window(list)
	if window == "" {
		return nil, ErrNothingTyped
	}
	text, err := m.Answer(ctx, Prompt(), window)
	if err != nil {
		return nil, err
	}
	answer := Parse(text)
	if len(answer.Lines) == 0 && !answer.Nothing {
		return nil, &UnreadableError{len(strings.TrimSpace(text))}
	}
	return Candidates(answer.Lines, list), nil
}

// Candidates are lines of an answer with where each comes from.
func Candidates(lines []Line, list []Passage) []Candidate {
	var out []Candidate
	for _, l := range lines {
		if redact.Contains(l.Content) {
			continue // what is secret is remembered by the person's own command or not at all
		}
		c := Candidate{Kind: l.Kind, Content: l.Content}
		c.Origin, c.Turn = Join(l.Content, list)
		c.Scope = scopeOf(c.Turn, list)
		c.Flags = FlagsOf(c.Content, c.Turn > 0)
		out = append(out, c)
	}
	return out
}

// Stated returns the candidates that need no model: plain statements that the person
// typed, in their own words, at most Most, the newest ones.
func Stated(list []Passage) []Candidate {
	var out []Candidate
	for _, p := range list {
		if !p.Typed() || p.Hidden {
			continue
		}
		for _, s := range ReadStatements(p.Text, p.Time) {
			out = append(out, Candidate{
				Kind: s.Kind, Content: s.Text, Origin: memory.OriginUser, Turn: p.N, Scope: memory.Scope(p.Scope),
				Flags: FlagsOf(s.Text, true),
			})
		}
	}
	if len(out) > Most {
		out = out[len(out)-Most:]
	}
	return out
}

// Planted are sentences of others' texts, and of answers that rest on them, that
// would have an assistant remember, trust or do something. They are shown as what
// they are, and proposed to nobody.
func Planted(list []Passage) []Candidate {
	var out []Candidate
	for _, p := range list {
		if p.Typed() || len(out) == Most {
			continue
		}
		text, flags := suspiciousPart(p.Text)
		if len(flags) == 0 {
			continue
		}
		out = append(out, Candidate{Kind: memory.KindSetting, Content: text, Origin: p.Origin, Flags: flags})
	}
	return out
}

// Acceptable reports whether the person's policy may let a candidate in without
// being asked: it rests on one line that they typed, there is no text of others in
// the whole window, and nothing about it is suspect.
func Acceptable(c Candidate, list []Passage) bool {
	if c.Turn == 0 || c.Kind == memory.KindRule || len(c.Flags) > 0 || c.Origin.Rank() > memory.OriginModel.Rank() {
		return false
	}
	for _, f := range FlagsOf(c.Content, false) {
		if f != flagPerson { // of whom it speaks as it should
			return false
		}
	}
	words, denied := meaning(c.Content)
	said := false
	for _, p := range list {
		if p.Origin.Rank() > memory.OriginModel.Rank() {
			return false
		}
		if p.N == c.Turn && p.Typed() && !strings.Contains(p.Text, "\n") && supports(p, words, denied) {
			said = true
		}
	}
	return said
}

// scopeOf is where the person stood in a turn.
func scopeOf(turn int, list []Passage) memory.Scope {
	for _, p := range list {
		if turn > 0 && p.N == turn && p.Scope != "" {
			return memory.Scope(p.Scope)
		}
	}
	return ""
}
