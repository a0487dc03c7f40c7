package agent

import (
	"strings"
	"time"
	"unicode"

	"ken/internal/llm"
	"ken/internal/session"
)

// How often what has come of an answer is kept, should ken be killed. All of it is masked and written each time, so a long answer waits for
// a share more of itself: all that is masked is at most some ten times the answer.
const (
	partEvery = time.Second
	partBytes = 4 << 10
	partShare = 8 // an eighth, if a second has gone by; else a half
)

// parts is show, which also has kept what has come of the answer, where the record can. A fault of that costs the answer
// nothing. Of a word that is still being written nothing is kept: half a secret is masked by nobody.
func (c *Conversation) parts(q Question, a *Answer, show func(llm.Delta) error) func(llm.Delta) error {
	record, ok := c.record.(interface{ Part(t session.Turn) error })
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
		n := text.Len() - kept
		soon := n > kept/partShare && n > 0 && c.o.now().Sub(last) >= partEvery
		if soon || n >= max(partBytes, kept/2) {
			said := text.String()
			if i := strings.LastIndexFunc(said, unicode.IsSpace); i > 0 {
				t := session.Turn{Time: c.o.now(), Role: session.RoleAssistant, Content: said[:i], Model: q.Name, From: fromField(a.from)}
				ok = ok && record.Part(c.o.safe(t)) == nil
				kept, last = text.Len(), c.o.now()
			}
		}
		if show == nil {
			return nil
		}
		return show(d)
	}
}
