package talk

import "context"

// Usage is how full the window of the model is, and what the conversation has cost.
type Usage struct {
	Used, Window int // tokens
	Cost         float64
	Currency     string // of Cost, three letters; "": it is not known
}

// Usage counts what the next question goes along with: as the server counted it for the last answer, else by an estimate. ok is false
// where nobody says how large the window is. What the conversation has cost is known where it began here, and all of it has a price in
// one currency.
func (t *Talk) Usage(ctx context.Context) (u Usage, ok bool) {
	now := t.d.Conversation().Tokens(ctx, t.home.Models())
	if now.Assumed || now.ContextTokens <= 0 {
		return u, false
	}
	u.Used, u.Window = now.Total, now.ContextTokens
	if last := now.Last; last != nil && last.Prompt > 0 {
		u.Used = last.Prompt + max(last.Completion, 0)
	}
	if spent := now.Run; t.o.Session == "" && spent.Currency != "" && spent.Unpriced+spent.Uncounted+len(spent.Others) == 0 {
		u.Cost, u.Currency = spent.Cost, spent.Currency
	}
	return u, true
}
