package agent

import (
	"context"
	_ "embed" // for the prompts
	"errors"
	"strings"
	"unicode/utf8"

	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/tokens"
	"ken/internal/working/digest"
)

//go:embed prompts/compact_assistant.txt
var compactAssistant string

//go:embed prompts/compact_generic.txt
var compactGeneric string

// A Compacted says what a compaction did.
type Compacted struct {
	Turns         int    // that left the context; the session keeps them
	Left          int    // that stay
	Before, After int    // tokens of the next request, as ken estimates them
	Summary       string // what stands for the turns
	Model         string // preset that wrote the summary; "" if none did
	Failed        error  // why the model that was asked did not; nil if none was, or it did
}

// ErrShort says that a conversation is too short to be summed up.
var ErrShort = errors.New("there is nothing to sum up yet")

// Compact sums up all but the newest turns. The summary is in the session before
// any turn leaves the context; if it cannot be, none does. The error is ErrShort,
// that of recording, or that of ctx.
func (w *Window) Compact(ctx context.Context) (Compacted, error) {
	cut := w.said.cutAt(w.o.Compaction.Keep)
	if cut == 0 {
		return Compacted{}, ErrShort
	}
	w.pause = 0
	done, err := w.leave(ctx, cut, leaving{ask: true})
	if err == nil {
		w.full = false
	}
	return done, err
}

// Checkpoint returns what the next conversation may begin with, in at most so many tokens:
// what the person said in this one and what they ran, and nothing that a model wrote,
// which would speak with their standing there. No model is asked.
func (w *Window) Checkpoint(ctx context.Context, budget int) string {
	return w.said.wordsWith(ctx, w.said.Sent(ctx), budget)
}

// leaving says how turns leave.
type leaving struct {
	ask  bool // a model may write the summary
	gain bool // only if the next request is shorter then; else errNoGain
}

// leave puts a summary in the place of the first cut turns.
func (w *Window) leave(ctx context.Context, cut int, how leaving) (Compacted, error) {
	done := Compacted{Turns: cut, Left: len(w.said.turns) - cut, Before: w.size(ctx)}
	old := w.said.Sent(ctx)[:cut]
	summed := w.o.leastOf(ctx, old).Lowest(w.said.summed)
	budget := w.o.Compaction.Tokens
	done.Summary = w.said.digest(ctx, old, budget)
	words := w.said.wordsWith(ctx, old, budget)
	w.checkpoint(ctx, words) // before a model is asked, which may take long or never end
	foreign, account := w.readOutside(old), ""
	if how.ask && w.o.Compaction.By != nil {
		var text string
		if text, done.Model, done.Failed = w.sumUp(ctx, old); text != "" {
			account = text
			done.Summary = both(text, done.Summary, budget)
		}
	}
	if err := context.Cause(ctx); err != nil {
		return Compacted{}, err
	}
	if done.After = w.sizeWith(ctx, cut, done.Summary); how.gain && done.After >= done.Before {
		return Compacted{}, errNoGain
	}
	if err := w.said.left(cut, done.Summary, words, summed, foreign); err != nil {
		return Compacted{}, err
	}
	if account != "" && w.o.Compaction.Checkpointer != nil {
		w.o.Compaction.Checkpointer.Account(ctx, account, foreign)
	}
	return done, nil
}

// readOutside reports whether text of neither the person nor a model was read in turns, in those
// that left before, or in what the conversation began with.
func (w *Window) readOutside(turns []session.Turn) bool {
	return w.said.outside || w.prompt.begins.Outside || outside(turns)
}

// Account has a model write where the conversation stopped, as it does of turns that leave; nothing
// leaves. It is what Checkpointer.Account gets. Without a model text is "", and err says why.
func (w *Window) Account(ctx context.Context) (text string, foreign bool, err error) {
	if w.o.Compaction.By == nil || len(w.said.turns) == 0 {
		return "", false, nil
	}
	turns := w.said.Sent(ctx)
	text, _, err = w.sumUp(ctx, turns)
	return text, w.readOutside(turns), err
}

// sizeWith is what the next request would take with this summary for so many turns.
func (w *Window) sizeWith(ctx context.Context, cut int, summary string) int {
	said, prompt := *w.said, *w.prompt
	said.turns, said.summary = said.turns[cut:], summary
	said.private, said.privy = max(0, said.private-cut), said.privy || said.private > 0
	prompt.said = &said
	return requestSize(prompt.Request(ctx))
}

func (w *Window) checkpoint(ctx context.Context, words string) {
	if w.o.Compaction.Checkpointer == nil || words == "" {
		return
	}
	if err := w.o.Compaction.Checkpointer.Checkpoint(ctx, words); err != nil {
		w.o.Voice.Warn(err)
	}
}

// both is a model's summary, and behind it what the person said that the model left
// out.
func both(text, fallback string, budget int) string {
	text = digest.Model(text)
	_, words := digest.Split(fallback)
	said := digest.Said(words, text, budget/2)
	most := budget
	if said != "" {
		said = "## Said\n" + said
		most -= tokens.Estimate(said) + 2
	}
	text, _ = tokens.Cut(text, most)
	return strings.TrimSpace(strings.TrimSpace(text) + "\n\n" + said)
}

// digestTurns are turns as package digest takes them. Text that a program printed or
// a file held is nobody's words.
func digestTurns(turns []session.Turn) []digest.Turn {
	var list []digest.Turn
	for _, t := range turns {
		if t.Recalled || t.Content == Forgotten {
			continue
		}
		switch t.Role {
		case session.RoleUser:
			d := digest.Turn{Person: true, Text: Typed(t), Ran: commandsIn(t.Content)}
			if _, _, some := cutTyped(t.Content); t.Nudge || t.From == "external" && !some {
				d.Text = "" // ken's own words, or all of it came through a pipe
			}
			list = append(list, d)
		case session.RoleAssistant:
			list = append(list, digest.Turn{Text: t.Content})
		}
	}
	return list
}

// sumUp has a model sum up turns. text is "" where none did.
func (w *Window) sumUp(ctx context.Context, turns []session.Turn) (text, preset string, err error) {
	m, name, window, err := w.o.Compaction.By.Model(ctx)
	if err != nil {
		return "", "", err
	}
	prompt := compactGeneric
	if w.o.Compaction.Assistant {
		prompt = compactAssistant
	}
	budget := window - tokens.Estimate(prompt) - w.o.Compaction.Tokens - 2*perMessage
	req := llm.Request{Messages: []llm.Message{
		{Role: roleSystem, Content: strings.TrimSpace(prompt)},
		{Role: roleUser, Content: w.o.mask(w.listing(ctx, turns, budget*9/10))},
	}}
	a, err := m.Stream(ctx, req, nil)
	if err != nil {
		return "", "", err
	}
	text = w.o.mask(termsafe.Clean(a.Message.Content))
	if text = strings.TrimSpace(digest.WithoutGrants(text, digestTurns(turns))); text == "" || a.Truncated {
		return "", "", errors.New("its summary is empty or incomplete")
	}
	if a.Preset != "" {
		name = a.Preset
	}
	return text, name, nil
}

// longestTurn is the most characters of one turn that are summed up: what is longer
// is mostly a listing, and its beginning and its end show what it was.
const longestTurn = 4000

// listing is turns as a model sums them up, the newest of them if the budget does
// not hold all.
func (w *Window) listing(ctx context.Context, turns []session.Turn, budget int) string {
	var parts []string
	head := ""
	if s := w.said.sayable(ctx, w.said.summary); s != "" {
		head = frame.Earlier + "\n" + frame.Inert(s) + "\n\n"
		budget -= tokens.Estimate(head)
	}
	for i := len(turns) - 1; i >= 0; i-- {
		t := turns[i]
		if t.Recalled || t.Content == Forgotten || strings.TrimSpace(t.Content) == "" {
			continue
		}
		part := string(t.Role) + ": " + frame.Turn(middleOut(t.Content, longestTurn))
		if budget -= tokens.Estimate(part) + 1; budget < 0 {
			break
		}
		parts = append(parts, part)
	}
	var b strings.Builder
	b.WriteString(head + frame.Conversation + "\n")
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i] + "\n\n")
	}
	b.WriteString(frame.ConversationEnd)
	return b.String()
}

// middleOut cuts the middle out of a text of more than most characters.
func middleOut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	r := []rune(s)
	return string(r[:most*2/3]) + "\n(…)\n" + string(r[len(r)-most/3:])
}
