package agent

import (
	"context"
	_ "embed" // for the block
	"strings"

	"ken/internal/frame"
	"ken/internal/memory"
	"ken/internal/recall"
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
