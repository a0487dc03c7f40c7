package term

import (
	"context"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/ask"
)

// An Own is a question of ken's own accord as the person sees it.
type Own struct {
	app.OwnQuestion
	Says  string // what was noticed, in lines of their own
	Asks  string // what is asked, with the words that answer it: "replace them? y, n, or numbers"
	Enter string // what Enter means: "keep both"
	// One is the question where one key answers it; Asks and Enter are for what a line answers then.
	One *ask.Question
}

// Answer is what a person says to a question, in small letters: the word of the key that answers it, or what was typed; "" is
// Enter, and Ctrl-C.
func (a *Run) Answer(ctx context.Context, q Own) (string, error) { return a.answer(ctx, q, false) }

func (a *Run) answer(ctx context.Context, q Own, never bool) (string, error) {
	if q.One == nil {
		enter := q.Enter
		if never {
			enter += "; never: do not ask this again"
		}
		line, err := a.Person.AskLine(ctx, q.Asks+" (Enter: "+enter+") ")
		return strings.ToLower(strings.Join(strings.Fields(line), " ")), err
	}
	one := *q.One
	if never {
		one.Choices = append(slices.Clone(one.Choices), ask.Choice{Answer: ask.Never, Says: "do not ask this again"})
	}
	said, err := a.Person.Put(ctx, one)
	if said == ask.Stop || said == ask.Next {
		said = ""
	}
	return string(said), err
}

// AskOwn asks a question of ken's own accord, if app.Questions lets it and a person is there who sees it; every such
// question at a terminal is asked here. The answer is what was typed, in small letters; "" is Enter, and Ctrl-C. leave is app.MayAsk if it
// was asked; app.MayWait if not, and what it is about should wait in the queue or be told in one line. The word never, which
// is shown beside the others, is an answer to each: it is settled then that nothing of that sort is asked, and the answer is "".
func (a *Run) AskOwn(ctx context.Context, q Own) (answer string, leave app.Leave, err error) {
	if !a.Person.canAsk() {
		return "", app.MayWait, nil
	}
	if leave = a.Home.Questions.May(ctx, q.OwnQuestion); leave != app.MayAsk {
		return "", leave, nil
	}
	a.Say("[ken] ", q.Says)
	if answer, err = a.answer(ctx, q, true); err != nil || answer != string(ask.Never) {
		return answer, leave, err
	}
	back, err := a.Home.Questions.Never(ctx, q.Sort)
	if err == nil {
		a.Status("not asked any more (back: %s)", a.Verb(back))
	}
	return "", leave, err
}
