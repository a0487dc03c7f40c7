package agent

import (
	"strings"
	"time"
	"unicode"

	"ken/internal/llm"
	"ken/internal/session"
)

// How often what has come of an answer is kept, should ken be killed.
const (
	partEvery = time.Second
	partBytes = 4 << 10
)

// parts is show, which also has kept what has come of the answer, where the record can. A fault of that costs the answer
// nothing. Of a word that is still being written nothing is kept: half a secret is masked by nobody.
func (c *Conversation) parts(q Question, a *Answer, show func(llm.Delta) error) func(llm.Delta) error {
	record, ok := c.o.Record.(interface{ Part(t session.Turn) error })
	if !ok {
		return show
	}
	var text strings.Builder
	var kept int
	var last time.Time
	return func(d llm.Delta) error {
		if d.Rethought {
			text.Reset()
			kept = 0
		}
		text.WriteString(d.Text)
		if n := text.Len() - kept; n > 0 && (n >= partBytes || c.now().Sub(last) >= partEvery) {
			said := text.String()
			if i := strings.LastIndexFunc(said, unicode.IsSpace); i > 0 {
				t := session.Turn{Time: c.now(), Role: session.RoleAssistant, Content: said[:i], Model: q.Name, From: fromField(a.from)}
				ok = ok && record.Part(c.safe(t)) == nil
				kept, last = text.Len(), c.now()
			}
		}
		if show == nil {
			return nil
		}
		return show(d)
	}
}
