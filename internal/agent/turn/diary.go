package turn

import (
	"cmp"
	"context"

	"ken/internal/llm"
	"ken/internal/session"
)

// diary writes what was asked and answered into the daily log, if the person wants one. from is the first turn of it; spent are all
// answers on the way. What cannot be written is a warning.
func (d *Dialog) diary(ctx context.Context, q Question, ans Answer, from int, spent []llm.Answer) {
	if ans.N == 0 || !d.rec.Keeps() {
		return
	}
	h, calls := d.rec.Header(), 0
	h.Channel = cmp.Or(d.o.Channel, session.ChannelTerminal) // of this question: the session may be another face's
	for _, a := range spent {
		calls += len(a.Message.ToolCalls)
	}
	asked := session.Turn{N: from}
	if !q.Nudge {
		asked.Content = cmp.Or(q.Typed, q.Text)
	}
	d.home.Conversations.Diary(ctx, h, asked, session.Turn{N: max(from, d.rec.Last()), Content: ans.Message.Content}, calls)
}
