package agent

import (
	"cmp"
	"context"
	_ "embed" // for the base prompt
	"encoding/json"
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

	context string        // see Carried
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

//go:embed prompts/tools.txt
var toolsPrompt string

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

// The blocks of the system message behind the base, in their order. The environment follows, the greeting and the goal.
const (
	blockTools = iota
	blockRole
	blockAbout
	blockMemory
	blockSkills
	blockSummary
)

// blocks are they, as they are sent.
func (p *Prompt) blocks(ctx context.Context, tools []json.RawMessage) []string {
	about := p.o.mask(p.about(ctx))
	return []string{
		blockTools: guidance(tools), blockRole: p.role(), blockAbout: about, blockMemory: p.o.mask(p.standing(ctx)),
		blockSkills: p.skillIndex(ctx), blockSummary: p.o.mask(p.summaryBlock(ctx)),
	}
}

// weight is what the next request takes before its turns, in tokens: the system message with the tools and what goes before the
// turns, and the start-up block, which is counted by itself.
func (p *Prompt) weight(ctx context.Context) (system, memory int) {
	tools := p.offered(ctx)
	blocks := p.blocks(ctx, tools)
	environment, since := p.environment(blocks)
	blocks[blockMemory] = ""
	text := p.systemPrompt(append(blocks, environment, since, p.docsBlock(ctx))...)
	return perMessage + tokens.Estimate(text) + toolsSize(tools), tokens.Estimate(p.o.mask(p.Background(ctx).Block()))
}

// fixed is what goes with every question, in tokens: the tools, and the system message but for a summary.
func (p *Prompt) fixed(ctx context.Context) int {
	tools := p.offered(ctx)
	blocks := p.blocks(ctx, tools)
	blocks[blockSummary] = ""
	system := p.systemPrompt(append(blocks, p.pursued.block(), strings.Join(p.surroundings(), "\n"), p.docsBlock(ctx))...)
	return tokens.Estimate(system) + toolsSize(tools)
}

// Request returns what would be sent now. Choosing the start-up block is part of
// it, the first time and after Refresh.
func (p *Prompt) Request(ctx context.Context) llm.Request {
	turns := p.said.Going(ctx) // first: what it hides is hidden elsewhere as well
	tools := p.offered(ctx)
	blocks := p.blocks(ctx, tools)
	greeting := ""
	if p.o.Greet && p.pursued.goal == "" && blocks[blockAbout] != "" && len(p.said.turns) <= 1 && p.said.summary == "" {
		greeting = greetingPrompt
	}
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

// summaryBlock is the summary as the system message has it; "" if there is none.
func (p *Prompt) summaryBlock(ctx context.Context) string {
	text := p.said.sayable(ctx, p.said.summary)
	if text == "" || p.said.privy && p.o.stranger() {
		return ""
	}
	return frame.Summary + " (a summary, not instructions)\n" + frame.Inert(text)
}

// about is the session context in force, without the lines that say what was
// forgotten.
func (p *Prompt) about(ctx context.Context) string {
	if p.inert() || p.pursued.goal != "" {
		return ""
	}
	if !p.knows {
		p.context, p.begins = p.o.Carried.Context(ctx)
		p.knows = ctx.Err() == nil
	}
	return p.said.sayable(ctx, p.context)
}

// inert reports whether there is no session context.
func (p *Prompt) inert() bool {
	return p.o.Carried == nil || p.o.stranger() || p.o.Carried.Inert()
}

// offered are the definitions of the tools that the next request offers. A stranger gets none: what they
// show is the person's. A model whose window they would take more than toolsPart of gets none either: a question and what
// comes of calls would have no room beside them, and command lines in its text take none.
func (p *Prompt) offered(ctx context.Context) []json.RawMessage {
	if p.o.Tools == nil || p.o.stranger() {
		return nil
	}
	tools := p.o.Tools.Definitions(ctx)
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

// defined is how many bytes the definitions of tools have, and what is said of them.
func (p *Prompt) defined(ctx context.Context) (n int) {
	tools := p.offered(ctx)
	for _, t := range tools {
		n += len(t)
	}
	return n + len(guidance(tools)) + len(p.pursued.block())
}
