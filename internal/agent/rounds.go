package agent

import (
	"context"
	_ "embed" // for the guidance
	"encoding/json"
	"errors"
	"strings"

	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/session"
	"ken/internal/tokens"
)

//go:embed prompts/tools.txt
var toolsPrompt string

// A Returned is what came of one call of a tool, as it goes back to the model and into the record.
type Returned struct {
	Call string // its id
	Text string
	From memory.Origin // the least trusted origin of the text; "": tool
}

// offered are the definitions of the tools that the next request offers. A stranger gets none: what they
// show is the person's. A model whose window they would take more than toolsPart of gets none either: a question and what
// comes of calls would have no room beside them, and command lines in its text take none.
func (p *Prompt) offered(ctx context.Context) []json.RawMessage {
	if p.o.Hands == nil || p.o.stranger() {
		return nil
	}
	tools := p.o.Hands.Definitions(ctx)
	if size := toolsSize(tools) + tokens.Estimate(guidance(tools)); p.window > 0 && float64(size) > toolsPart*float64(p.window) {
		return nil
	}
	return tools
}

// toolsPart is the part of a window that tools may take. All of ken's own, some 930 tokens, fit into it from 3,100
// tokens on; servers on the person's machine begin with 4,096.
const toolsPart = 0.3

// guidance is what the system message says of tools, where there are any.
func guidance(tools []json.RawMessage) string {
	if len(tools) == 0 {
		return ""
	}
	return strings.TrimSpace(toolsPrompt)
}

// Resume has the requests that follow be for a question that another process asked: GoOn and Follow send them.
func (c *Conversation) Resume(q Question) { c.q = q }

// Return records what came of the calls of the last answer, in the order in which they were made.
func (c *Conversation) Return(results ...Returned) {
	for _, r := range results {
		from := r.From
		if from == "" {
			from = memory.OriginTool
		}
		c.add(c.safe(session.Turn{Time: c.o.now(), Role: session.RoleTool, Content: r.Text, ToolCallID: r.Call, From: fromField(from)}))
	}
}

// GoOn sends the conversation once more, behind results, and records the answer; memory is not looked up again.
// The error is that of Conversation.Ask.
func (c *Conversation) GoOn(ctx context.Context, show func(llm.Delta) error) (Answer, error) {
	a := Answer{Q: c.asked.N}
	c.makeWay(ctx, &c.q)
	got, err := c.request(ctx, c.q, &a, show)
	if e := (*llm.Error)(nil); errors.As(err, &e) && e.TooLong() && e.Partial == nil && c.fewerStill(ctx, &c.q, e, a.size) {
		got, err = c.request(ctx, c.q, &a, show)
	}
	return c.answer(c.q, a, got, err)
}

// fewerStill makes a request of so many tokens shorter that the server refused as too long; it reports whether it could.
func (w *Window) fewerStill(ctx context.Context, asked *Question, e *llm.Error, size int) bool {
	q := *asked
	q.told = true
	if known := q.tooLong(ctx, e); q.Server != nil {
		q.Window = known
	}
	if q.Window > 0 {
		asked.Window, asked.told, w.prompt.window = q.Window, true, q.Window
		w.recount(e, size, q.Window)
	} else { // nobody says how much it takes: less than this
		q.Window = int(float64(size) * w.scale())
	}
	w.makeWay(ctx, &q)
	return w.size(ctx)+w.prompt.recalled < size
}
