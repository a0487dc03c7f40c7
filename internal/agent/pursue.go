package agent

import (
	"context"
	_ "embed" // for the block
	"strings"

	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/tokens"
)

//go:embed prompts/auto.txt
var autoPrompt string

//go:embed prompts/auto_rules.txt
var autoRules string

//go:embed prompts/plan.txt
var planPrompt string

//go:embed prompts/plan_rules.txt
var planRules string

// pursued is the goal that a model works on by itself, and what memory has for it, which is chosen once.
type pursued struct {
	goal   string // "": there is none
	plans  bool   // a plan for it is to be written
	active recall.Activation
	open   bool // it was chosen
}

// goalTokens is the most that memory says to a goal. Each step sends it again.
const goalTokens = 300

// goalKinds are the kinds of memories that say how work is done here.
func goalKinds() []memory.Kind {
	return []memory.Kind{memory.KindConvention, memory.KindWorkflow, memory.KindGotcha, memory.KindPref}
}

// Pursue has the requests that follow be those of a model that works on a goal by itself: with the block that says so at
// the end of the system message, without who the person is, what they were busy with and what the start-up block knows,
// but for the rules in it. What the memory has for the goal is chosen with the next question, and stays. "" is no goal: all is as
// it was.
func (p *Prompt) Pursue(goal string) { p.pursued = pursued{goal: strings.TrimSpace(goal)} }

// Plan is Pursue for requests that are answered with a plan for the goal, which nobody has agreed to yet.
func (p *Prompt) Plan(goal string) {
	p.Pursue(goal)
	p.pursued.plans = true
}

// Agreed has the requests that follow be those of a model whose plan was agreed to.
func (p *Prompt) Agreed() { p.pursued.plans = false }

// block is the last of the system message; "" without a goal.
func (p *pursued) block() string {
	if p.goal == "" {
		return ""
	}
	before, rules := autoPrompt, autoRules
	if p.plans {
		before, rules = planPrompt, planRules
	}
	return strings.TrimSpace(before) + "\n" + frame.Inert(p.goal) + "\n\n" + strings.TrimSpace(rules)
}

// standing is what the system message has of the memory: the start-up block, or the rules in it.
func (p *Prompt) standing(ctx context.Context) string {
	if p.pursued.goal != "" {
		return p.Background(ctx).Binding().Rules()
	}
	return p.Background(ctx).Block()
}

// chosenFor is what the system message has of the memory, item by item.
func (p *Prompt) chosenFor(ctx context.Context) recall.Choice {
	if p.pursued.goal != "" {
		return p.Background(ctx).Binding()
	}
	return p.Background(ctx)
}

// Printed are command lines of the last answer with what came of them, as the model is to see it.
type Printed struct {
	Line, Text string
	From       memory.Origin // the least trusted origin of the text; "": tool
}

// Follow sends the conversation once more, with what came of the command lines of the last answer and, in
// the place of a question, text; memory is not looked up again. The error is that of Conversation.Ask. With nudge the
// text is ken's, else the person's own.
func (c *Conversation) Follow(
	ctx context.Context, text string, nudge bool, printed []Printed, show func(llm.Delta) error,
) (Answer, error) {
	q := c.q
	q.Text, q.From, q.Nudge, q.Attached, q.Again = text, "", nudge, nil, nil
	if nudge {
		q.From = string(memory.OriginTool)
	}
	if len(printed) > 0 {
		parts := []string{frame.Output}
		for _, p := range printed {
			parts = append(parts, "$ "+frame.Data(c.o.mask(p.Line)), frame.Data(p.Text))
			if q.From == "" || p.From.Rank() > memory.Origin(q.From).Rank() {
				q.From = fromField(memory.Origin(p.From))
			}
		}
		q.Text = strings.Join(append(parts, frame.OutputEnd), "\n") + "\n\n" + text
		if q.From == "" {
			q.From = string(memory.OriginTool)
		}
	}
	return c.ask(ctx, q, show)
}

// Sent estimates how many tokens the request of an answer took, and the answer.
func (a Answer) Sent() (request, answer int) {
	answer = tokens.Estimate(a.Message.Content) + tokens.Estimate(a.Reasoning)
	for _, call := range a.Message.ToolCalls {
		answer += tokens.Estimate(call.Name) + tokens.Estimate(call.Arguments)
	}
	return a.size, answer
}
