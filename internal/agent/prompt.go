package agent

import (
	"cmp"
	"context"
	_ "embed" // for the base prompt
	"strings"

	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/tokens"
	"ken/internal/trace"
)

// A Prompt is what a model is sent of a Transcript, and what stands around it: the system message, and what goes with the newest
// question.
//
// # Laws
//
//   - One system message comes first: the base, the tools, the role, who the person is and what they were busy with, the start-up block,
//     the index of skills, the summary, the environment, the greeting, the goal. The base is never altered.
//   - It changes only by an event: a reset, a refresh, another model or another summary. What changes meanwhile goes with the
//     newest question.
//   - A stranger gets the base, the tools of nobody, and what is said to it.
//   - Every block is masked, and no line of one begins another.
type Prompt struct {
	o    *Options
	said *Transcript

	context string        // see Beginning
	begins  trace.Context // what is in it
	knows   bool          // context was asked for
	choice  recall.Choice
	chosen  bool   // choice is up to date
	blind   bool   // the memory could not be read when the choice was made
	around  around // the environment as the system message has it
	docs    docs   // of the repository, as the newest question has them
	skills  skills // as the newest question has them
	window  int    // of the model that was asked last, in tokens; 0: unknown
	pursued pursued
	// active is what the memory had for the newest question, and recalled that in tokens.
	active   recall.Activation
	recalled int
}

//go:embed prompts/base.txt
var basePrompt string

//go:embed prompts/elsewhere.txt
var elsewherePrompt string

//go:embed prompts/greeting.txt
var greetingPrompt string

// BasePrompt returns the text that every system message begins with in a terminal.
func BasePrompt() string { return strings.TrimSpace(basePrompt) }

// BaseElsewhere returns the text that every system message begins with where no commands of an answer are run and none is typed
// behind a colon. where is in words for a model: "on their phone"; "" for "in a window".
func BaseElsewhere(where string) string {
	return strings.Replace(strings.TrimSpace(elsewherePrompt), "WHERE", cmp.Or(where, "in a window"), 1)
}

// base is what the system message begins with.
func (p *Prompt) base() string { return cmp.Or(p.o.Base, BasePrompt()) }

// systemPrompt joins the base and the blocks that have text, in the order in
// which they are given.
func (p *Prompt) systemPrompt(blocks ...string) string {
	parts := []string{p.base()}
	for _, b := range blocks {
		if b != "" {
			parts = append(parts, frame.Tokens(b))
		}
	}
	return strings.Join(parts, "\n\n")
}

// role is how the person wants to be answered, as the system message has it behind the
// base text; "" if they have not said. It is theirs, and still a file's: no line of it
// begins another block.
func (p *Prompt) role() string {
	if p.o.Role == "" {
		return ""
	}
	return p.o.mask(frame.Role + "\n" + frame.Inert(p.o.Role))
}

// InRole has the model answer by a text from now on; "": by none.
func (p *Prompt) InRole(text string) { p.o.Role = text }

// Request returns what would be sent now. Choosing the start-up block is part of
// it, the first time and after Refresh.
func (p *Prompt) Request(ctx context.Context) llm.Request {
	turns := p.said.Going(ctx) // first: what it hides is hidden elsewhere as well
	context := p.about(ctx)
	greeting := ""
	if p.o.Greet && p.pursued.goal == "" && context != "" && len(p.said.turns) <= 1 && p.said.summary == "" {
		greeting = greetingPrompt
	}
	tools := p.offered(ctx)
	blocks := []string{guidance(tools), p.role(), p.o.mask(context), p.o.mask(p.standing(ctx))}
	blocks = append(blocks, p.skillIndex(ctx), p.o.mask(p.summaryBlock(ctx)))
	environment, since := p.environment(blocks)
	blocks = append(blocks, environment, strings.TrimSpace(greeting), p.o.mask(p.pursued.block()))
	system := llm.Message{Role: roleSystem, Content: p.systemPrompt(blocks...)}
	list := append([]llm.Message{system}, p.said.messages(turns)...)
	putBefore(list, since, p.o.mask)
	if block := p.docsBlock(ctx); block != "" && len(list) > 1 {
		list[1].Content = p.o.mask(block + "\n\n" + list[1].Content) // whoever speaks first is the person
	}
	return llm.Request{Messages: list, Tools: tools, Guide: guidance(tools)}
}

// System returns what the system message has behind the base text now, as it is sent: who the
// person is, the recent context, the start-up block, what stands for earlier turns, and the
// environment, with what has changed of it since and goes with the next question; then the docs
// of the repository, at the head of the turns.
func (p *Prompt) System(ctx context.Context) string {
	p.docs = docs{} // as they are now
	text := strings.TrimSpace(strings.TrimPrefix(p.Request(ctx).Messages[0].Content, p.base()))
	text = strings.TrimSpace(strings.TrimPrefix(text, strings.TrimSpace(toolsPrompt)))
	for _, block := range []string{p.around.since(p.surroundings(), p.o.mask), p.o.mask(p.docsBlock(ctx))} {
		text = strings.TrimSpace(text + "\n\n" + block)
	}
	return text
}

// For returns the request for a question, with what the memory has for it, and notes in its answer what the request holds.
func (p *Prompt) For(ctx context.Context, q Question, a *Answer) llm.Request {
	req := p.Request(ctx)
	active := p.activated(ctx, q)
	p.recalled, a.offered = active.Tokens+tokens.Estimate(p.skillsBlock()), len(req.Tools) > 0
	putBefore(req.Messages, p.withSkills(active), p.o.mask)
	a.Trace = trace.Of(p.chosenFor(ctx), active)
	if !p.inert() && p.pursued.goal == "" {
		a.Trace.Context = p.begins
	}
	docs := p.docsBlock(ctx) != ""
	if docs {
		a.Trace.Docs = p.docs.given
	}
	foreign := p.noteSkills(&a.Trace)
	a.from = p.given(ctx, active, a.Trace)
	if foreign {
		p.said.outside = true
		a.from = a.from.Lowest(memory.OriginExternal)
	}
	a.Foreign = a.from.Rank() >= memory.OriginExternal.Rank()
	if docs {
		a.from = a.from.Lowest(memory.OriginExternal)
	}
	a.size, a.tools = requestSize(req), toolsSize(req.Tools)
	return req
}

// putBefore puts a block at the head of the newest message of the person, and
// nowhere else: the conversation does not keep it. What was harmless in two may be
// a secret in one, so the whole is masked anew.
func putBefore(list []llm.Message, block string, mask func(string) string) {
	last := len(list) - 1
	for last > 0 && (list[last].Role == roleTool || len(list[last].ToolCalls) > 0) {
		last-- // what was done for the question since
	}
	if block != "" && list[last].Role == roleUser {
		list[last].Content = mask(frame.Tokens(block) + "\n\n" + list[last].Content)
	}
}

// begin has what goes with a question read anew: the docs of the repository, and the skills.
func (p *Prompt) begin(ctx context.Context, q Question) {
	p.readDocs(ctx, q.Window)
	p.skills.open = false
}

// refresh has what the system message holds read anew.
func (p *Prompt) refresh() { p.chosen, p.docs, p.skills.open = false, docs{}, false }

// reset has nothing go along that went with other turns; anew has the start-up block and the context chosen again as well.
func (p *Prompt) reset(anew bool) {
	p.recalled, p.around = 0, around{}
	if anew {
		p.chosen, p.knows = false, false
	}
}

// Reread makes the next request ask for the session context again.
func (p *Prompt) Reread() { p.knows = false }

// bytes is the length of what stands around the turns, but for the tools.
func (p *Prompt) bytes() int {
	n := len(p.base()) + len(p.context) + len(p.choice.Block()) + len(p.docs.block) + len(p.skills.index) + 200
	for _, line := range p.around.lines {
		n += 2 * len(line) // they may have changed since
	}
	return n
}
