package term

import (
	"context"
	"strings"

	"ken/internal/home"
)

// An Own is a question of ken's own accord as the person sees it.
type Own struct {
	home.OwnQuestion
	Says  string // what was noticed, in lines of their own
	Asks  string // what is asked, with the words that answer it: "replace it? y or n"
	Enter string // what Enter means: "keep both"
}

// AskOwn asks a question of ken's own accord, if home.Questions lets it and a person is there who sees it; every such
// question at a terminal is asked here. The answer is what was typed, in small letters; "" is Enter, and Ctrl-C. leave is home.MayAsk if it
// was asked; home.MayWait if not, and what it is about should wait in the queue or be told in one line. The word never, which
// is shown beside the others, is an answer to each: it is settled then that nothing of that sort is asked, and the answer is "".
func (a *Run) AskOwn(ctx context.Context, q Own) (answer string, leave home.Leave, err error) {
	if !a.Person.canAsk() {
		return "", home.MayWait, nil
	}
	if leave = a.Home.Questions.May(ctx, q.OwnQuestion); leave != home.MayAsk {
		return "", leave, nil
	}
	a.Say("[ken] ", q.Says)
	line, err := a.Person.AskLine(ctx, q.Asks+" (Enter: "+q.Enter+"; never: do not ask this again) ")
	if err != nil {
		return "", leave, err
	}
	if answer = strings.ToLower(strings.Join(strings.Fields(line), " ")); answer != "never" {
		return answer, leave, nil
	}
	back, err := a.Home.Questions.Never(ctx, q.Sort)
	if err == nil {
		a.Status("not asked any more (back: %s)", a.Verb(back))
	}
	return "", leave, err
}
